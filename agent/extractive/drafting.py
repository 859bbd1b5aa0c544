"""Adds to a draft: the step that names a set, steps for nested descriptions."""

from __future__ import annotations

import re

from agent.extractive import verbs, words
from agent.extractive.agreement import agreeing
from agent.extractive.chains import find_description, replace_description
from agent.extractive.clauses import form_of
from agent.extractive.phrases import slice_of, tokenise
from agent.extractive.reading import MEMBER, Draft
from agent.extractive.sets import SetPhrase, plural_head

_DEEPEST = 4


def open_set(draft: Draft, found: SetPhrase) -> str:
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
    probe = without_chains(draft, f"What are {said}")
    said = probe.removeprefix("What are ")
    noun = plural_head(said)
    who = "Who" if noun and verbs.is_person_noun(noun) else "What"
    draft.set_id = draft.add(f"{who} are {said}", role="set", noun=noun)
    draft.set_noun = noun
    draft.count = found.count
    return draft.subject


def without_chains(draft: Draft, clause: str, *, predicate: bool = False) -> str:
    """Add a step for each nested description, innermost first, and return what remains."""
    text = f"It {clause}" if predicate else clause
    for _ in range(_DEEPEST):
        found = find_description(text)
        if found is None:
            break
        id_ = draft.add(agreeing(found.question), role="bridge", noun=words.singular(found.noun))
        text = replace_description(text, found, f"{{{id_}}}")
    return text.removeprefix("It ") if predicate else text


def asked_noun(text: str) -> str:
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
