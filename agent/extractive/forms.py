"""What each form of clause asks for: sets, filters, rankings, values, descriptions."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.extractive import verbs, words
from agent.extractive.anaphora import resolve
from agent.extractive.chains import find_description, replace_description
from agent.extractive.clauses import Form, as_question, form_of
from agent.extractive.comparisons import read_comparison
from agent.extractive.decompose import MEMBER, Combine, Draft
from agent.extractive.phrases import Token, slice_of, tokenise
from agent.extractive.predicates import ask_about
from agent.extractive.sets import SetPhrase, find_set, plural_head

_DEEPEST = 4
_PREFACE = re.compile(
    r"^(?:of|for|out of|among|amongst|between|from|considering|in)\s+(?P<set>.+?),\s+(?P<rest>"
    r"(?:(?:in|on|at|from|to|for|by|of)\s+)?(?:what|which|who|when|where|how|is|are|was|were|do|does|did)\b.+)$",
    re.IGNORECASE,
)
_BARE_SUBJECT = re.compile(
    r"^(?:which|who|what|how many)(?:\s+(?:one|ones|of them|of these|members?|people))?\s+(?P<verb>\w+)",
    re.IGNORECASE,
)


def read_clause(draft: Draft, clause: str) -> None:
    """Add the steps of one clause to a draft."""
    preface = _PREFACE.match(clause)
    if preface is not None and _add_preface(draft, preface["set"]):
        clause = preface["rest"]
        clause = _of_the_set(clause, draft)
    clause = resolve(as_question(clause), draft)
    clause = _take_combination(draft, clause)
    if read_comparison(draft, clause) or _read_filter(draft, clause):
        return
    _read_value(draft, clause)


def _add_preface(draft: Draft, said: str) -> bool:
    tokens = tokenise(said)
    found = find_set(said, tokens, 0, len(tokens))
    if found is None and plural_head(said):
        found = SetPhrase(0, len(tokens), said, (), None, explicit=False)
    if found is None or any(
        token.low not in {"each", "all", "every", "both", "of", "the"}
        for token in tokens[: found.start]
    ):
        return False
    _open_set(draft, found)
    return True


def _of_the_set(clause: str, draft: Draft) -> str:
    """Turn "who was born first", said after "of the …", into "which of {1} was born first"."""
    match = _BARE_SUBJECT.match(clause)
    if match is None or (
        verbs.verb_base(match["verb"]) is None and (match["verb"].lower() not in words.AUXILIARY)
    ):
        return clause
    copular = re.match(
        r"what\s+(?:is|are|was|were)\s+(?:its|their|the|his|her)\b", clause, re.IGNORECASE
    )
    if copular is not None:
        return clause
    opening = "How many" if clause.lower().startswith("how many") else "Which"
    return f"{opening} of {draft.subject} {clause[match.start('verb') :]}"


def _open_set(draft: Draft, found: SetPhrase) -> str:
    """Add the step that names the members of a set, and return what stands for a member."""
    if found.members:
        draft.members = found.members
        draft.count = len(found.members)
        draft.set_noun = ""
        return MEMBER
    said = found.text
    if not re.match(r"(?:the|these|those|top|\d)\b|[^ ]+'s\b", said, re.IGNORECASE):
        said = f"the {said}"
    # A set may itself hang on something to be found first: "countries in the largest continent".
    probe = _without_chains(draft, f"What are {said}")
    said = probe.removeprefix("What are ")
    noun = plural_head(said)
    who = "Who" if noun and verbs.is_person_noun(noun) else "What"
    draft.set_id = draft.add(f"{who} are {said}", role="set", noun=noun)
    draft.set_noun = noun
    draft.count = found.count
    return draft.subject


_TOTAL = re.compile(r"\b(?:total|combined|sum of the|overall|aggregate)\s+(?=\w)", re.IGNORECASE)
_TOGETHER = re.compile(
    r",?\s*\b(?:between them|altogether|all together|put together|taken together|combined|in total)$",
    re.IGNORECASE,
)
_MEAN = re.compile(r"^(What is|What was) the (?:average|mean) (.+? of the .+)$", re.IGNORECASE)


def _take_combination(draft: Draft, clause: str) -> str:
    """Notice that a sum or a mean is asked for, and return the clause without the words for it."""
    combine: Combine = ""
    changed = _TOGETHER.sub("", clause)
    if changed != clause:
        combine = "sum"
    elif re.match(r"(?:What is|What was|How (?:much|many)|What's)\b", clause, re.IGNORECASE):
        changed = _TOTAL.sub("", clause, count=1)
        combine = "sum" if changed != clause else ""
    mean = _MEAN.match(clause)
    if mean is not None and not re.search(r"\beach\b", clause):
        changed, combine = f"{mean[1]} the {mean[2]}", "average"
    if not combine:
        return clause
    tokens = tokenise(changed)
    if (draft.subject in changed and draft.subject) or find_set(changed, tokens, 1, len(tokens)):
        draft.combine = combine
        return changed
    return clause


def _read_filter(draft: Draft, clause: str) -> bool:
    """Read "which of the … have …", "how many of the … are …", "which … is the longest"."""
    tokens = tokenise(clause)
    form = form_of(tokens)
    if form.kind == "copular" and _read_superlative_of(draft, clause, tokens, form):
        return True
    low = tokens[0].low
    counted = low == "how" and len(tokens) > 1 and tokens[1].low == "many"
    if form.kind != "subject" or (low not in {"which", "what", "who"} and not counted):
        return False
    start = form.start + (1 if counted else 0)
    top = words.number_of(tokens[start].low) if start < form.end else None
    if top is not None and start + 1 < form.end and tokens[start + 1].low == "of":
        start += 1
    else:
        top = None
    if form.end <= start:
        return False
    predicate = slice_of(clause, tokens[form.end :])
    subject = _filtered_set(draft, clause, tokens, start, form.end, predicate)
    if not subject:
        return False
    for part in _conjuncts(predicate):
        ask = ask_about(_without_chains(draft, part, predicate=True), subject)
        condition = replace(ask.condition, top=top or 1)
        draft.add(_agreeing(ask.text), condition=condition, noun=_asked_noun(ask.text))
    draft.counted = draft.counted or counted
    return True


def _filtered_set(
    draft: Draft, clause: str, tokens: list[Token], start: int, end: int, predicate: str
) -> str:
    """Return what stands for a member of the set that is filtered, "" where there is none."""
    of = tokens[start].low == "of"
    if of and end - start == 2 and tokens[start + 1].text == draft.subject:
        return draft.subject
    if of:
        found = find_set(clause, tokens, start + 1, end)
        if found is None or found.start > start + 2:
            plain = slice_of(clause, tokens[start + 1 : end])
            if not words.is_plural(tokens[end - 1].low) and not plural_head(plain):
                return ""
            found = SetPhrase(start + 1, end, plain, (), None, explicit=False)
        return _open_set(draft, found)
    said = slice_of(clause, tokens[start:end])
    noun = plural_head(said)
    bounded = _bounded(tokens, start, end, predicate)
    if noun and bounded and not draft.subject:
        text = said if tokens[start].low == "the" else f"the {said}"
        return _open_set(draft, SetPhrase(start, end, text, (), None, explicit=False))
    if not noun and bounded and not draft.subject:
        ask = ask_about(predicate, "X")
        head = _singular_head(tokens, start, end)
        if ask.condition.kind in {"max", "min"} and head is not None:
            many = clause[tokens[start].start : tokens[head].start] + words.plural(
                tokens[head].text
            )
            many += clause[tokens[head].end : tokens[end - 1].end]
            return _open_set(draft, SetPhrase(start, end, f"the {many}", (), None, explicit=False))
    return ""


def _bounded(tokens: list[Token], start: int, end: int, predicate: str) -> bool:
    """Say whether a noun phrase names a set small enough to go through.

    A name or a modifier after the noun bounds it; other compounds ("programming languages") are
    gone through only where what is asked of each can be compared.
    """
    if any(
        token.is_name or token.low in words.PREPOSITION | words.RELATIVE
        for token in tokens[start:end]
    ):
        return True
    return end - start > 1 and ask_about(predicate, "X").condition.kind not in {"yes", "no"}


def _singular_head(tokens: list[Token], start: int, end: int) -> int | None:
    """Return the head of a bounded singular: "planet in the Solar System"."""
    head = None
    for i in range(start, end):
        if tokens[i].low in words.PREPOSITION | words.RELATIVE:
            return head
        head = i
    named = any(token.is_name for token in tokens[start : end - 1])
    return head if named else None


_SUPERLATIVE_OF = re.compile(r"^(?:of|among|amongst|out of)$")


def _read_superlative_of(draft: Draft, clause: str, tokens: list[Token], form: Form) -> bool:
    """Read "which is the longest of the four rivers", "who is the oldest of them"."""
    ranked = next(
        (i for i in range(form.start, form.end) if words.is_superlative(tokens[i].low)), None
    )
    if ranked is None or ranked > form.start + 1:
        return False
    link = next(
        (i for i in range(ranked + 1, form.end) if _SUPERLATIVE_OF.match(tokens[i].low)), None
    )
    if link is None:
        return False
    between = [token.low for token in tokens[ranked + 1 : link]]
    rest = tokens[link + 1 : form.end]
    if len(rest) == 1 and rest[0].text == draft.subject:
        subject = draft.subject
    else:
        found = find_set(clause, tokens, link + 1, form.end)
        if found is None or found.start > link + 2:
            return False
        noun = plural_head(found.text)
        if between and words.singular(between[-1]) != noun:
            return False
        subject = _open_set(draft, found)
    said = " ".join(["is the", *(token.text for token in tokens[ranked:link])])
    if between and verbs.verb_base(between[-1]) is None:
        said = " ".join(["is the", *(token.text for token in tokens[ranked : link - 1])])
    ask = ask_about(said, subject)
    draft.add(_agreeing(ask.text), condition=ask.condition)
    return True


def _conjuncts(predicate: str) -> list[str]:
    """Cut "have rings and were discovered after 1700" where a second finite verb begins."""
    return re.split(
        r"\s+and\s+(?:also\s+)?(?=(?:is|are|was|were|have|has|had|do|does|did)\b)", predicate
    )


def _read_value(draft: Draft, clause: str) -> None:
    clause = re.sub(r"(?<=\w) each(?= (?:have|has|had)\b)", "", clause)
    tokens = tokenise(clause)
    form = form_of(tokens)
    if form.kind == "copular":
        clause = _named_set(draft, clause, tokens, form) or ""
        if not clause:
            return
        tokens, form = tokenise(clause), form_of(tokenise(clause))
    found = None
    if form.kind != "other" and (not draft.subject or draft.subject not in clause):
        found = find_set(clause, tokens, form.start, form.end)
        if found is None and form.kind in {"subject", "polar", "inverted"} and not draft.subject:
            found = find_set(clause, tokens, min(form.end + 1, len(tokens)), len(tokens))
    if found is not None and not _whole(found, form):
        subject = _open_set(draft, found)
        before = clause[: tokens[found.start].start]
        after = clause[tokens[found.end - 1].end :]
        clause = f"{before}{subject}{after}"
    for text in _attributes(clause):
        plain = _without_chains(draft, _agreeing(text))
        draft.add(plain, noun=_asked_noun(plain))
    _note_topic(draft, clause)


def _named_set(draft: Draft, clause: str, tokens: list[Token], form: Form) -> str | None:
    """Read a clause that asks for nothing but a set; return the clause where it asks for more.

    "the names of the …" asks for the set itself.
    """
    said = slice_of(clause, tokens[form.start : form.end])
    bare = re.sub(r"^the\s+names?\s+(?:of|for)\s+", "", said, flags=re.IGNORECASE)
    if bare != said:
        clause = clause[: tokens[form.start].start] + bare
        tokens, form = tokenise(clause), form_of(tokenise(clause))
        if bare in {draft.subject, ""}:
            return None
    found = find_set(clause, tokens, form.start, form.end)
    if found is None or not _whole(found, form) or draft.subject:
        return clause
    _open_set(draft, found)
    if found.members:
        draft.add(f"What is {MEMBER}")
    return None


def _whole(found: SetPhrase, form: Form) -> bool:
    return found.start <= form.start and form.kind == "copular"


_COORDINATED = re.compile(
    r"^(?P<open>(?:what|who)\s+(?:is|was|are|were)\s+)(?P<first>the\s+[^{},]+?)\s+and\s+(?:the\s+)?"
    r"(?P<second>[^{},]+?)\s+(?P<link>of|for|in)\s+(?P<rest>(?:the\s+)?\{.+)$",
    re.IGNORECASE,
)


def _attributes(clause: str) -> list[str]:
    """Split "the capital and the population of {1}" into one question each."""
    match = _COORDINATED.match(clause)
    if match is None or re.search(r"\b(?:of|for|between)\b", match["first"]):
        return [clause]
    rest = f"{match['link']} {match['rest']}"
    second = f"{match['open']}the {match['second']} {rest}"
    if re.match(r"the\s+names?(?:\s|$)", match["first"], re.IGNORECASE):
        return [second]
    return [f"{match['open']}{match['first']} {rest}", second]


_WHERE_ALONE = re.compile(
    r"^where (?:is|are|was|were) \{x\}(?: located| situated)?$", re.IGNORECASE
)
"""What remains of "Where is the seat of X located?": the place of a thing is asked in one step."""


def _without_chains(draft: Draft, clause: str, *, predicate: bool = False) -> str:
    """Add a step for each nested description, innermost first, and return what remains."""
    text = f"It {clause}" if predicate else clause
    for _ in range(_DEEPEST):
        found = find_description(text)
        if found is None:
            break
        id_ = draft.add(_agreeing(found.question), role="bridge", noun=words.singular(found.noun))
        text = replace_description(text, found, f"{{{id_}}}")
    return text.removeprefix("It ") if predicate else text


_SINGULAR_BE = {"are": "is", "were": "was", "do": "does", "have": "has"}


def _agreeing(text: str) -> str:
    """Put a question about several members into the singular: "are the capitals of {1}"."""
    if "{" not in text:
        return text
    text = re.sub(r"\b(?:each|all|every one) of (?=\{)", "", text)
    tokens = tokenise(text)
    form = form_of(tokens)
    if form.auxiliary >= len(tokens) or form.auxiliary > 6:
        return _possessive_to_of(text)
    auxiliary = tokens[form.auxiliary]
    singular = _SINGULAR_BE.get(auxiliary.low)
    about_one = form.kind == "copular" or (
        tokens[form.start : form.start + 1]
        and any(token.text.startswith("{") for token in tokens[form.start : form.end])
    )
    if form.kind == "copular" and singular in {"is", "was"}:
        text = _singular_attribute(text, tokens, form)
    if singular and about_one and form.kind in {"copular", "inverted", "polar"}:
        said = singular.capitalize() if auxiliary.text[0].isupper() else singular
        text = text[: auxiliary.start] + said + text[auxiliary.end :]
    return _possessive_to_of(text)


def _singular_attribute(text: str, tokens: list[Token], form: Form) -> str:
    """Turn "the capitals of {1}" into "the capital of {1}"; lists asked of each stay plural."""
    head = None
    for i in range(form.start, form.end):
        low = tokens[i].low
        if low in words.PREPOSITION | words.RELATIVE or tokens[i].text.startswith(("{", "(")):
            break
        if low == ",":
            return text
        head = i
    if head is None or not words.is_plural(tokens[head].low) or tokens[head].is_name:
        return text
    return text[: tokens[head].start] + words.singular(tokens[head].text) + text[tokens[head].end :]


_OWNED = re.compile(
    r"^(?P<open>(?:what|who)\s+(?:is|was|are|were))\s+(?P<owner>\{\w+\})'s\s+(?P<thing>.+)$",
    re.IGNORECASE,
)


def _possessive_to_of(text: str) -> str:
    match = _OWNED.match(text)
    if match is None:
        return text
    thing = match["thing"]
    parts = thing.split()
    if (
        words.is_plural(parts[-1])
        and len(parts) <= 4
        and match["open"].lower().endswith(("are", "were"))
    ):
        parts[-1] = words.singular(parts[-1])
    opening = re.sub(r"\bare$", "is", re.sub(r"\bwere$", "was", match["open"]))
    said = f"{opening} the {' '.join(parts)} of {match['owner']}"
    tokens = tokenise(said)
    return _singular_attribute(said, tokens, form_of(tokens))


def _asked_noun(text: str) -> str:
    """Return what kind of thing a question asks for: "In which country …" asks for a country."""
    tokens = tokenise(text)
    form = form_of(tokens)
    if form.kind == "copular":
        return plural_head(slice_of(text, tokens[form.start : form.end]), singular=True)
    between = tokens[: form.auxiliary]
    if tokens[0].low == "how" and not (len(between) > 2 and between[1].low == "many"):
        return ""
    if len(between) > 1 and between[-1].low not in words.WH:
        return words.singular(between[-1].low)
    return ""


def _note_topic(draft: Draft, clause: str) -> None:
    """Remember the named thing a clause is about, for a later "it"."""
    if draft.subject:
        return
    tokens = tokenise(clause)
    names: list[list[Token]] = []
    for i, token in enumerate(tokens[1:], 1):
        if token.is_name and not token.text.startswith("{"):
            if names and names[-1][-1] is tokens[i - 1]:
                names[-1].append(token)
            else:
                names.append([token])
    if names:
        draft.topic = slice_of(clause, names[-1]).removesuffix("'s")


_OPEN = re.compile(
    r"^(?:why\b|how\s+(?:do|does|did|can|could|should|would|might|may|is|are|was|were|has|have|to)\b"
    r"|should\b|in what ways?\b|to what extent\b|explain\b|discuss\b|describe\b|compare\b|what if\b"
    r"|what\s+(?:is|are|was|were)\s+(?:the|some)?\s*(?:\w+\s+){0,2}(?:effects?|impacts?|causes?|reasons?|"
    r"benefits?|advantages?|disadvantages?|consequences?|implications?|pros|role|importance|significance|"
    r"differences?|challenges?|arguments?|influence|relationship|best way|ethics|risks?)\b"
    r"|what\s+(?:causes?|caused|makes?|made|led|happens|happened|would|will|should|can|could)\b"
    r"|(?:is|are|do|does|can|could|will|would)\s+[a-z])",
    re.IGNORECASE,
)


def is_open_ended(question: str) -> bool:
    """Say whether a question asks for an explanation or a judgment.

    A yes-no question counts where it names nothing: "are fresh vegetables healthier".
    """
    match = _OPEN.match(question)
    if match is None:
        return False
    names = [token for token in tokenise(question)[1:] if token.is_name]
    if question.split()[0].lower() in words.AUXILIARY - {"should"}:
        return not names
    return True
