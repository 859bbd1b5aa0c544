"""What asks only for the names of what is found anyway, or of the persons found for each thing."""

from __future__ import annotations

import re

from agent.extractive.language import words
from agent.extractive.language.nouns import before_preposition
from agent.extractive.language.verbs import is_person_noun
from agent.extractive.planner.steps.walk import Walk

_LIVES = re.compile(r"\b(?:born|birth|birth(?:place|day|date)s?|died|death)\b", re.IGNORECASE)
"""Words of what is told of persons alone."""
_SET = re.compile(r"(?:who|what|which)\s+(?:(?:are|were)\s+)?(?P<set>.+?)\??$", re.IGNORECASE)

_NAMES = re.compile(
    r"(?:(?:the|their|its|all)\s+)*names?(?:\s+of\s+(?P<of>\{\d+\}))?|(?:the\s+)?list"
)
_CALL = re.compile(
    r"(?:(?:what|how) (?:is|are|was|were) (?P<called>\{\d+\}) (?:all )?(?:called|named)|"
    r"(?:who|what|which)(?: [a-z]+){0,2} (?:is|are|was|were) (?P<are>\{\d+\}))\??",
    re.IGNORECASE,
)


def names_members(walk: Walk, text: str) -> bool:
    """Whether only the names of the set's members are asked, which the set itself gives."""
    subject = walk.draft.subject
    if not walk.draft.set_id or subject != f"{{{walk.draft.set_id}}}":
        return False
    called = _CALL.fullmatch(text)
    if called is not None:
        return subject in (called["called"], called["are"])
    names = _NAMES.fullmatch(text)
    return names is not None and names["of"] in (None, subject)


def names_found(walk: Walk, text: str, thing: str) -> bool:
    """Whether only the name of what was found on the way is asked, which is what was found."""
    if _NAMES.fullmatch(text) is None or not re.fullmatch(r"\{\d+\}", thing):
        return False
    walk.make_value(thing)
    return True


def of_persons(walk: Walk, said: str) -> str:
    """A question about someone's life asked of the persons found for each member, who have one.

    "The bridges of Bath, the builder of each and where they were born" is no bridge's birthplace.
    """
    subject = walk.draft.subject
    if subject != f"{{{walk.draft.set_id}}}" or subject not in said or not _LIVES.search(said):
        return said
    steps = {step.id: step.text for step in walk.draft.steps}
    members = _SET.match(steps[walk.draft.set_id])
    head = before_preposition(re.sub(r"^the ", "", members["set"])) if members else []
    if walk.of_persons or not head or is_person_noun(words.singular(head[-1])):
        return said
    found = [id_ for id_, text in steps.items() if text.startswith("Who ") and subject in text]
    return said.replace(subject, f"{{{found[-1]}}}") if found else said


def with_owner(walk: Walk, text: str) -> str:
    """A description with the named thing that its first word means: "its composer"."""
    first, _, rest = text.partition(" ")
    if first.lower() not in ("its", "his", "her") or "M" not in walk.last:
        return text
    return f"the {rest} of {walk.last['M']}"
