"""Clauses that keep some members of a set: "which of the … have …", "which … is the longest"."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.extractive import verbs, words
from agent.extractive.agreement import agreeing
from agent.extractive.clauses import Form, form_of
from agent.extractive.decompose import Draft
from agent.extractive.drafting import asked_noun, open_set, without_chains
from agent.extractive.phrases import Token, slice_of, tokenise
from agent.extractive.predicates import ask_about
from agent.extractive.sets import SetPhrase, find_set, plural_head


def read_filter(draft: Draft, clause: str) -> bool:
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
        ask = ask_about(without_chains(draft, part, predicate=True), subject)
        condition = replace(ask.condition, top=top or 1)
        draft.add(agreeing(ask.text), condition=condition, noun=asked_noun(ask.text))
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
        return open_set(draft, found)
    said = slice_of(clause, tokens[start:end])
    noun = plural_head(said)
    bounded = _bounded(tokens, start, end, predicate)
    if noun and bounded and not draft.subject:
        text = said if tokens[start].low == "the" else f"the {said}"
        return open_set(draft, SetPhrase(start, end, text, (), None, explicit=False))
    if not noun and bounded and not draft.subject:
        ask = ask_about(predicate, "X")
        head = _singular_head(tokens, start, end)
        if ask.condition.kind in {"max", "min"} and head is not None:
            many = clause[tokens[start].start : tokens[head].start] + words.plural(
                tokens[head].text
            )
            many += clause[tokens[head].end : tokens[end - 1].end]
            return open_set(draft, SetPhrase(start, end, f"the {many}", (), None, explicit=False))
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
        subject = open_set(draft, found)
    said = " ".join(["is the", *(token.text for token in tokens[ranked:link])])
    if between and verbs.verb_base(between[-1]) is None:
        said = " ".join(["is the", *(token.text for token in tokens[ranked : link - 1])])
    ask = ask_about(said, subject)
    draft.add(agreeing(ask.text), condition=ask.condition)
    return True


def _conjuncts(predicate: str) -> list[str]:
    """Cut "have rings and were discovered after 1700" where a second finite verb begins."""
    return re.split(
        r"\s+and\s+(?:also\s+)?(?=(?:is|are|was|were|have|has|had|do|does|did)\b)", predicate
    )
