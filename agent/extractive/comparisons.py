"""Questions that set named things against each other: "which is longer, A or B"."""

from __future__ import annotations

import re

from agent.extractive import verbs, words
from agent.extractive.agreement import singular_predicate
from agent.extractive.clauses import form_of
from agent.extractive.drafting import without_chains
from agent.extractive.elapsed import read_elapsed
from agent.extractive.enumerations import alternatives, name_end, without_article
from agent.extractive.phrases import tokenise
from agent.extractive.predicates import ask_about
from agent.extractive.reading import MEMBER, Draft
from agent.extractive.sets import find_set, plural_head

_SAME = re.compile(
    r"\b(?:(?P<prep>from|in|of|at|by|on|to|for|with)\s+)?the same\s+(?P<noun>[\w-]+(?:\s+(?!as\b|time\b)[a-z-]+){0,2})",
    re.IGNORECASE,
)
_IN_COMMON = re.compile(
    r"\s*\b(?:have|has|share|shared|had)\b(?P<rest>.*?)(?:\bin common\b.*)?$", re.IGNORECASE
)
_HOW_MUCH_MORE = re.compile(
    r"^(?:how much|by how much|how many \w+|how far)\s+(?P<degree>(?:more|less)\s+\w+|\w+er)?\s*"
    r"(?:is|are|was|were|does|did)\s+(?P<first>.+?)\s+(?:(?P<late>(?:more|less)\s+\w+|\w+er)\s+)?than\s+(?P<second>.+)$",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"^what\s+(?:is|was)\s+the\s+(?:difference|gap)\s+(?:in\s+(?P<a>.+?)\s+)?between\s+(?P<rest>.+)$",
    re.IGNORECASE,
)


def read_comparison(draft: Draft, clause: str) -> bool:
    """Add the steps of a comparison; return False where the clause is none."""
    if draft.subject:
        return False
    for reading in (
        read_elapsed,
        _more_than,
        _how_much_more,
        _difference,
        _either_or,
        _polar_than,
        _same_or_both,
        _common,
    ):
        if reading(draft, clause):
            return True
    return False


_DESCRIBED = re.compile(r"^(?:the|The)\s+[a-z][\w '-]*?\s+(?:of|in|on)\s+\S")


def _set_members(draft: Draft, names: tuple[str, ...]) -> None:
    """Make the compared things the members; one that is described is found out first."""
    draft.members = names
    draft.count = len(names)
    for name in names:
        if _DESCRIBED.match(name):
            text = without_chains(draft, f"What is {name}")
            noun = plural_head(name, singular=True)
            step = draft.add(
                text, role="bridge", noun=noun, member=without_article(name), column="found"
            )
            draft.stands[name] = f"{{{step}}}"


def _either_or(draft: Draft, clause: str) -> bool:
    """Read "Which river is longer, the Rhine or the Danube?"."""
    found = alternatives(clause)
    if found is None:
        return False
    names, rest = found
    tokens = tokenise(rest)
    form = form_of(tokens)
    if len(tokens) < 2:
        return False
    if form.kind == "polar":
        return False
    predicate = rest[tokens[min(form.auxiliary, len(tokens) - 1)].start :]
    if form.kind == "other" or form.auxiliary >= len(tokens):
        return False
    _set_members(draft, names)
    ask = ask_about(predicate, MEMBER)
    draft.add(ask.text, condition=ask.condition)
    return True


_MORE_THAN = re.compile(
    r"^(?P<prep>(?:in|on|at|through|from|to|by)\s+)?how\s+many\s+(?:more|fewer)\s+(?P<noun>[^{}]+?)\s+"
    r"(?P<aux>does|do|did|is|are|was|were|has|have|had)\s+(?P<rest>.+?)\s+than\s+(?P<second>.+?)"
    r"(?:\s+(?:does|do|did|has|have|had))?$",
    re.IGNORECASE,
)


def _more_than(draft: Draft, clause: str) -> bool:
    """Read "How many more moons does Saturn have than Jupiter?"."""
    match = _MORE_THAN.match(clause)
    if match is None:
        return False
    tokens = tokenise(match["rest"])
    end = name_end(tokens, 0, len(tokens))
    if end == 0 and tokens and tokens[0].low == "the":
        end = next(
            (i for i in range(1, len(tokens)) if verbs.is_base_verb(tokens[i].low)), len(tokens)
        )
    if not 0 < end < len(tokens):
        return False
    first = match["rest"][: tokens[end - 1].end]
    predicate = match["rest"][tokens[end].start :]
    _set_members(draft, (_bare(first), _bare(match["second"])))
    opening = f"{match['prep'] or ''}how many {match['noun']} {match['aux']}"
    draft.add(f"{opening} {MEMBER} {predicate}")
    draft.combine = "difference"
    return True


def _how_much_more(draft: Draft, clause: str) -> bool:
    match = _HOW_MUCH_MORE.match(clause)
    degree = match and (match["degree"] or match["late"])
    if match is None or not degree:
        return False
    ask = ask_about(f"is {degree}", MEMBER)
    if ask.condition.kind not in {"max", "min"}:
        return False
    _set_members(draft, (_bare(match["first"]), _bare(match["second"])))
    draft.add(ask.text)
    draft.combine = "difference"
    return True


def _difference(draft: Draft, clause: str) -> bool:
    match = _DIFFERENCE.match(clause)
    if match is None:
        return False
    rest = match["rest"]
    attribute = match["a"] or ""
    of = re.match(r"(?:the\s+)?(?P<a>[a-z][\w ]*?)s?\s+of\s+(?P<rest>.+)$", rest)
    if not attribute and of is not None:
        attribute, rest = of["a"], of["rest"]
    tokens = tokenise(rest)
    found = find_set(rest, tokens, 0, len(tokens))
    if not attribute or found is None or len(found.members) != 2:
        return False
    _set_members(draft, found.members)
    draft.add(f"What is the {attribute} of {MEMBER}")
    draft.combine = "difference"
    return True


def _polar_than(draft: Draft, clause: str) -> bool:
    """Read "Is the Rhine longer than the Elbe?"."""
    match = re.match(
        r"^(?P<be>is|are|was|were|does|do|did|has|have)\s+(?P<first>.+?)\s+(?P<what>(?:(?:have|has)\s+(?:a\s+)?)?"
        r"(?:more|less|fewer|\w+er|born|founded|built|completed|released|established|published)\b.*?)\s+"
        r"(?:than|before|after|earlier than|later than)\s+(?P<second>[A-Z\"“{Ꭰ-Ꮿ].*|the\s+[A-Z].*)$",
        clause,
        re.IGNORECASE,
    )
    if match is None or not re.match(r"(?:the\s+)?[A-Z\"“Ꭰ-Ꮿ]", match["second"]):
        return False
    if not re.match(r"(?:the\s+|The\s+)?[A-Z\"“Ꭰ-Ꮿ]", match["first"]):
        return False
    order = re.search(
        r"\s(before|after|earlier than|later than|than)\s+(?=[^ ]*\s*\S*$|.+$)", clause
    )
    word = order[1] if order else "than"
    what = match["what"]
    if word in {"before", "earlier than"}:
        what = f"{what} first"
    elif word in {"after", "later than"}:
        what = f"{what} last"
    have = re.match(r"(?:more|fewer)\s", what) and match["be"].lower() in words.DO | words.HAVE
    ask = ask_about(
        what if what.startswith(("has", "have")) else f"{'has' if have else match['be']} {what}",
        MEMBER,
    )
    if ask.condition.kind not in {"max", "min"}:
        return False
    _set_members(draft, (_bare(match["first"]), _bare(match["second"])))
    draft.add(ask.text, condition=ask.condition)
    draft.combine = "first"
    return True


_TWO_DESCRIBED = re.compile(
    r"^(?:do|did|are|were|have)\s+(?:both\s+)?(?P<first>the\s+[a-z][\w '-]*?\s+(?:of|in)\s+[^,]+?)\s+and\s+"
    r"(?P<second>the\s+[a-z][\w '-]*?\s+(?:of|in)\s+[^,]+?)\s+(?:each|both)\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_SINGULAR = {"are": "Is", "were": "Was", "do": "Does", "have": "Has"}


def _same_or_both(draft: Draft, clause: str) -> bool:
    """Read "Are A and B from the same country?", "Are both A and B rivers in Africa?"."""
    tokens = tokenise(clause)
    form = form_of(tokens)
    if form.kind != "polar":
        return False
    both = bool(re.search(r"\bboth\b", clause, re.IGNORECASE))
    described = _TWO_DESCRIBED.match(clause)
    if described is not None:
        _set_members(draft, (described["first"], described["second"]))
        draft.combine = "all"
        draft.add(f"{_SINGULAR.get(tokens[0].low, tokens[0].low)} {MEMBER} {described['rest']}")
        return True
    plain = re.sub(r"\bboth\s+", "", clause, flags=re.IGNORECASE)
    tokens = tokenise(plain)
    form = form_of(tokens)
    found = find_set(plain, tokens, 1, len(tokens))
    if found is None or len(found.members) < 2 or found.start > 2:
        return False
    auxiliary = tokens[0].low
    rest = plain[tokens[found.end - 1].end :].strip()
    _set_members(draft, found.members)
    same = _SAME.search(rest)
    if same is not None:
        draft.add(_same_question(auxiliary, rest, same))
        draft.combine = "same"
        return True
    draft.combine = "any" if re.match(r"either\b", rest) and not both else "all"
    said = _SINGULAR.get(auxiliary, auxiliary.capitalize())
    draft.add(f"{said} {MEMBER} {singular_predicate(rest)}")
    return True


def _same_question(auxiliary: str, rest: str, same: re.Match[str]) -> str:
    noun = same["noun"].strip()
    verb = rest[: same.start()].strip()
    preposition = same["prep"]
    if auxiliary in words.BE:
        be = "was" if auxiliary in {"was", "were"} else "is"
        if preposition and verb:
            return f"{preposition.capitalize()} which {noun} {be} {MEMBER} {verb}"
        if preposition in {"from", "in"}:
            return f"{preposition.capitalize()} which {noun} {be} {MEMBER}"
        return f"What {be} the {noun} of {MEMBER}"
    base = verbs.verb_base(verb.split()[0]) if verb else None
    if base in {"have", "share", None}:
        return f"What is the {noun} of {MEMBER}"
    does = "did" if auxiliary == "did" else "does"
    opening = f"{preposition.capitalize()} which" if preposition else "Which"
    return f"{opening} {noun} {does} {MEMBER} {verb}"


def _common(draft: Draft, clause: str) -> bool:
    """Read "What profession do A and B share?", "Which team did both A and B play for?"."""
    tokens = tokenise(clause)
    form = form_of(tokens)
    if form.kind != "inverted" or form.auxiliary >= len(tokens):
        return False
    both = bool(re.search(r"\bboth\b|\bin common\b|\bshare\b|\bshared\b", clause, re.IGNORECASE))
    if not both:
        return False
    plain = re.sub(r"\bboth\s+(?:of\s+)?", "", clause, flags=re.IGNORECASE)
    tokens = tokenise(plain)
    form = form_of(tokens)
    found = find_set(plain, tokens, form.start, len(tokens))
    if found is None or len(found.members) < 2:
        return False
    opening = plain[: tokens[form.auxiliary].start].strip()
    if opening.lower() in {"what", "which"} and re.search(r"\bin common\b", clause):
        draft.add(clause)
        return True
    rest = plain[tokens[found.end - 1].end :].strip()
    _set_members(draft, found.members)
    shared = _IN_COMMON.match(rest)
    if shared is not None and not shared["rest"].strip():
        noun = re.sub(r"^(?:what|which)\s+", "", opening, flags=re.IGNORECASE)
        draft.add(f"What is the {noun} of {MEMBER}")
    else:
        auxiliary = {"do": "does", "are": "is", "were": "was", "have": "has"}.get(
            tokens[form.auxiliary].low, tokens[form.auxiliary].low
        )
        draft.add(f"{opening} {auxiliary} {MEMBER} {rest}")
    draft.combine = "common"
    return True


def _bare(name: str) -> str:
    return re.sub(r"^The\s+", "the ", name.strip(" ,?."))
