"""What each form of clause asks for: sets, filters, rankings, values, descriptions."""

from __future__ import annotations

import re

from agent.extractive import verbs, words
from agent.extractive.agreement import agreeing
from agent.extractive.anaphora import note_focus, resolve
from agent.extractive.clauses import Form, as_question, form_of
from agent.extractive.comparisons import read_comparison
from agent.extractive.drafting import asked_noun, open_set, without_chains
from agent.extractive.filters import read_filter
from agent.extractive.phrases import Token, slice_of, tokenise
from agent.extractive.reading import MEMBER, Combine, Draft
from agent.extractive.rephrase import complete, rephrase, split_adjuncts
from agent.extractive.sets import SetPhrase, find_set, plural_head

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
    clause = rephrase(as_question(clause))
    if _MARGIN.match(clause) and draft.members:
        draft.margin = True
        return
    clause = _completed(draft, clause)
    clause = resolve(clause, draft)
    clause = _listed_adjuncts(draft, clause)
    clause = _take_combination(draft, clause)
    begun = len(draft.steps)
    if not (read_comparison(draft, clause) or read_filter(draft, clause)):
        _read_value(draft, clause)
    note_focus(draft, begun)
    _note_topic(draft, clause)


_MARGIN = re.compile(r"^(?:and\s+)?by\s+how\s+(?:much|many\s+\w+)$", re.IGNORECASE)


def _completed(draft: Draft, clause: str) -> str:
    """Put what the last question said into one that leaves it out: "and when"."""
    last = next((step for step in reversed(draft.steps) if step.role == "value"), None)
    return clause if last is None else complete(clause, last.column or last.text) or clause


def _listed_adjuncts(draft: Draft, clause: str) -> str:
    """Take "in Rome in 1960, in Seoul in 1988" for members that each get a question."""
    found = None if draft.subject else split_adjuncts(clause)
    if found is None:
        return clause
    head, draft.members = found
    draft.count = len(draft.members)
    return f"{head} {MEMBER}"


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
    open_set(draft, found)
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
        subject = open_set(draft, found)
        before = clause[: tokens[found.start].start]
        after = clause[tokens[found.end - 1].end :]
        clause = f"{before}{subject}{after}"
    for text in _attributes(clause):
        plain = without_chains(draft, agreeing(text))
        draft.add(plain, noun=asked_noun(plain))


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
    open_set(draft, found)
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


def _note_topic(draft: Draft, clause: str) -> None:
    """Remember the named thing a clause is about, for a later "it"."""
    if draft.subject or not draft.steps:
        return
    tokens = tokenise(clause)
    form = form_of(tokens)
    if form.kind == "subject" and tokens[0].low in {"which", "what"} and form.end > 1:
        # "Which tower …, and when was it built": what is found, not a name in the question.
        draft.topic = f"{{{draft.steps[-1].id}}}"
        return
    names: list[list[Token]] = []
    for i, token in enumerate(tokens[1:], 1):
        numbered = token.text.isdigit() and names and names[-1][-1] is tokens[i - 1]
        if (token.is_name and not token.text.startswith("{")) or numbered:
            if names and names[-1][-1] is tokens[i - 1]:
                names[-1].append(token)
            else:
                names.append([token])
    if names:
        draft.topic = slice_of(clause, names[-1]).removesuffix("'s")
