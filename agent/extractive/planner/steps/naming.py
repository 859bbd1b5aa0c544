"""What asks only for the names of what is found anyway."""

from __future__ import annotations

import re

from agent.extractive.planner.steps.walk import Walk

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
