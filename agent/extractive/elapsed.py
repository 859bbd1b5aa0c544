"""Questions about the time between two events, and events named by nouns: "the discovery of X"."""

from __future__ import annotations

import re

from agent.extractive.drafting import without_chains
from agent.extractive.enumerations import without_article
from agent.extractive.reading import Draft

_BETWEEN = re.compile(
    r"^how\s+(?:many|much)\s+(?:full\s+)?(?P<unit>years?|time|decades?|centuries)\s+"
    r"(?:(?:passed|elapsed|went by|lay|lie|were there|are there|had passed|did it take)\s+)?"
    r"between\s+(?P<first>.+?)\s+and\s+(?P<second>.+)$"
    r"|^how\s+long\s+(?:was|is)\s+(?:it|there|the time)\s+between\s+(?P<first2>.+?)\s+and\s+(?P<second2>.+)$",
    re.IGNORECASE,
)
_APART = re.compile(
    r"^how\s+many\s+years\s+(?P<order>after|before)\s+(?P<first>.+?)\s+"
    r"(?P<second>(?:was|were|did|is)\s+.+)$",
    re.IGNORECASE,
)
_OLDER = re.compile(
    r"^how\s+many\s+years\s+(?:older|younger|earlier|later)\s+(?:is|was|were|are)\s+(?P<first>.+?)\s+than\s+(?P<second>.+)$",
    re.IGNORECASE,
)
# Nouns of events with the question that dates them; {} is what the event happened to.
_EVENTS = {
    "birth": "When was {} born", "death": "When did {} die",
    "discovery": "When was {} discovered", "invention": "When was {} invented",
    "founding": "When was {} founded", "foundation": "When was {} founded",
    "establishment": "When was {} established", "creation": "When was {} created",
    "formation": "When was {} formed", "construction": "When was {} built",
    "building": "When was {} built", "completion": "When was {} completed",
    "opening": "When was {} opened", "inauguration": "When was {} inaugurated",
    "launch": "When was {} launched", "release": "When was {} released",
    "publication": "When was {} published", "premiere": "When was {} first performed",
    "first performance": "When was {} first performed", "first ascent": "When was {} first climbed",
    "ascent": "When was {} climbed", "signing": "When was {} signed",
    "adoption": "When was {} adopted", "introduction": "When was {} introduced",
    "coronation": "When was {} crowned", "election": "When was {} elected",
    "assassination": "When was {} assassinated", "independence": "When did {} become independent",
    "start": "When did {} begin", "beginning": "When did {} begin", "outbreak": "When did {} begin",
    "end": "When did {} end", "fall": "When did {} fall", "first appearance": "When did {} first appear",
    "debut": "When did {} first appear", "unification": "When was {} unified",
    "demolition": "When was {} demolished", "destruction": "When was {} destroyed",
}  # fmt: skip
_NOMINAL = re.compile(
    rf"^(?:the\s+)?(?:date\s+of\s+(?:the\s+)?)?(?P<event>{'|'.join(sorted(_EVENTS, key=len, reverse=True))})\s+of\s+(?P<thing>.+)$",
    re.IGNORECASE,
)
_OWNED = re.compile(
    rf"^(?P<thing>.+?)['’]s?\s+(?P<event>{'|'.join(sorted(_EVENTS, key=len, reverse=True))})$",
    re.IGNORECASE,
)


def event_question(phrase: str) -> str:
    """Return the question that dates an event: "the death of X" gives "When did X die"."""
    phrase = re.sub(r"^when\s+", "", phrase.strip(" ,?."), flags=re.IGNORECASE)
    named = _NOMINAL.match(phrase) or _OWNED.match(phrase)
    if named is not None:
        return _EVENTS[named["event"].lower()].format(named["thing"])
    verb = re.match(r"(?P<thing>.+?)\s+(?P<be>was|were|is)\s+(?P<what>\w+.*)$", phrase)
    if verb is not None:
        return f"When {verb['be']} {verb['thing']} {verb['what']}"
    return f"When was {phrase}"


def read_elapsed(draft: Draft, clause: str) -> bool:
    """Add the steps that date two events whose distance is asked for; False for other clauses."""
    pair = _questions(clause)
    if pair is None:
        return False
    draft.members = tuple(member for member, _ in pair)
    draft.count = len(pair)
    for member, question in pair:
        text = without_chains(draft, question)
        draft.add(text, member=without_article(member), column="When")
    draft.combine = "years"
    return True


def _questions(clause: str) -> tuple[tuple[str, str], tuple[str, str]] | None:
    between = _BETWEEN.match(clause)
    if between is not None:
        first = between["first"] or between["first2"]
        second = between["second"] or between["second2"]
        return (first, event_question(first)), (second, event_question(second))
    apart = _APART.match(clause)
    if apart is not None:
        second = apart["second"]
        said = re.sub(r"^(?:was|were|did|is)\s+", "", second, flags=re.IGNORECASE)
        return (apart["first"], event_question(apart["first"])), (said, f"When {second}")
    older = _OLDER.match(clause)
    if older is not None:
        one, other = older["first"], older["second"]
        return (one, f"When was {one} born"), (other, f"When was {other} born")
    return None
