"""Clauses that keep some members of a set: "which of the … have …", "which … is the longest"."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.extractive import verbs, words
from agent.extractive.agreement import agreeing
from agent.extractive.clauses import Form, form_of
from agent.extractive.conditions import Condition
from agent.extractive.drafting import asked_noun, open_set, without_chains
from agent.extractive.phrases import Token, slice_of, tokenise
from agent.extractive.predicates import ask_about
from agent.extractive.reading import Draft
from agent.extractive.sets import SetPhrase, find_set, plural_head
from agent.extractive.timing import open_question


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
        _add_condition(draft, part, subject, top or 1)
    draft.counted = draft.counted or counted
    return True


_NESTED_EXTREME = re.compile(
    r"^(?P<verb>(?!ha[vsd])\w+(?:\s+\w+)?)\s+(?P<prep>in|on|at|by|to|from)\s+the\s+(?P<noun>[a-z]+)\s+"
    r"(?:with|that has|that have|which has|having)\s+the\s+(?P<what>(?:most|fewest|least|\w+est)\s+.+)$",
    re.IGNORECASE,
)
_ONE_OF_KIND = re.compile(
    r"^(?P<verb>\w+(?:\s+[a-z]+){0,3}?)\s+(?P<prep>in|on|at|from|to|by)\s+an?\s+"
    r"(?P<kind>(?:[A-Z][\w'-]*\s+)+(?P<noun>[a-z]+))$"
)


def _add_condition(draft: Draft, part: str, subject: str, top: int) -> None:
    """Add the step that says whether a predicate holds of a member, with what it needs."""
    nested = _NESTED_EXTREME.match(part)
    if nested is not None:
        opening = f"{nested['prep'].capitalize()} which {nested['noun']}"
        where = open_question(opening, nested["verb"], subject)
        if where is not None:
            place = draft.add(agreeing(where), role="bridge", noun=nested["noun"])
            ask = ask_about(f"has the {nested['what']}", f"{{{place}}}")
            draft.add(ask.text, condition=replace(ask.condition, top=top))
            return
    among = _ONE_OF_KIND.match(part)
    if among is not None:
        opening = f"{among['prep'].capitalize()} which {among['noun']}"
        which = open_question(opening, among["verb"], subject)
        if which is not None:
            kind = f"{among['kind'].removesuffix(among['noun'])}{words.plural(among['noun'])}"
            listed = draft.add(f"What are the {kind}", role="bridge", noun=among["noun"])
            condition = Condition(kind="in", against=listed)
            draft.add(agreeing(which), condition=condition, noun=among["noun"])
            return
    ask = ask_about(without_chains(draft, part, predicate=True), subject)
    condition = replace(ask.condition, top=top)
    if ask.than:
        other = without_chains(draft, ask_about(part, ask.than).text)
        condition = replace(condition, against=draft.add(other, role="bridge"))
    draft.add(agreeing(ask.text), condition=condition, noun=asked_noun(ask.text))


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
        ranked = ask.condition.kind in {"max", "min"} or _NESTED_EXTREME.match(predicate)
        if ranked and head is not None:
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
        low = tokens[i].low
        if low in words.PREPOSITION | words.RELATIVE:
            return head
        if head is not None and verbs.is_participle(low):
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
        if between and words.singular(between[-1]) != draft.set_noun:
            # "The highest mountain of each" is a thing each has, not one of them.
            return False
        subject = draft.subject
    else:
        found = find_set(clause, tokens, link + 1, form.end)
        if found is not None and found.members and found.start > link + 2 and not draft.subject:
            return _rank_described(draft, clause, tokens, ranked, link, found)
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


def _rank_described(
    draft: Draft, clause: str, tokens: list[Token], ranked: int, link: int, found: SetPhrase
) -> bool:
    """Read "the oldest of the creators of Perl and Python": each creator is found out first."""
    described = slice_of(clause, tokens[link + 1 : found.start])
    noun = plural_head(described)
    if not noun:
        return False
    subject = open_set(draft, found)
    who = "Who" if verbs.is_person_noun(noun) else "What"
    text = agreeing(f"{who} are {described} {subject}")
    step = draft.add(text, role="bridge", noun=noun)
    ask = ask_about(f"is the {tokens[ranked].text}", f"{{{step}}}")
    draft.add(ask.text, condition=ask.condition)
    return True


def _conjuncts(predicate: str) -> list[str]:
    """Cut "have rings and were discovered after 1700" where a second finite verb begins."""
    return re.split(
        r"\s+and\s+(?:also\s+)?(?=(?:is|are|was|were|have|has|had|do|does|did)\b)", predicate
    )
