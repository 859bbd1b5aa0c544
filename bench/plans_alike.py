"""When two plans of a question count as the same: word for word, up to little words, or in what they ask.

`EXACT` compares words, `LOOSE` the stems of content words in the order of the steps. `EQUAL` holds the
same need to be the same however it was put: the noun of a measure and its adjective ("What is the
height of {1}?", "How high is {1}?"), a year and a "when", steps that do not wait for one another in
another order. It joins no kind, bound or name with another, and tells "when"
from "where", which stems do not.
"""

from __future__ import annotations

import re

from agent.extractive.language.stems import content_stems
from agent.extractive.planner.writer.program import STEPLESS, Line

EXACT, LOOSE, EQUAL = "exact", "loose", "equal"
_REFERENCE = re.compile(r"\{(\d+)\}")
_SAME_NEED = (
    ("height", "elevation", "altitude", "high", "tall"),
    ("length", "long"),
    ("width", "breadth", "wide"),
    ("depth", "deep"),
    ("age", "old"),
    ("size", "big", "large"),
    ("weight", "heavy", "weigh"),
    ("speed", "fast"),
    ("distance", "far"),
    ("population", "inhabitants live", "people live", "inhabitants"),
    ("birth", "born", "birthplace"),
    ("death", "die"),
    ("foundation", "founded"),
    ("construction", "built"),
    ("", "located", "location", "lie", "situated"),
    ("", "name", "called"),
    ("", "year", "date", "day", "place"),
)  # fmt: skip
"""Words for the same need, after the first of them; after "" such as may as well be left out."""
_ASKED = (
    ("when", re.compile(r"\b(?:when|year|date|day)\b", re.IGNORECASE)),
    ("where", re.compile(r"\b(?:where|place|birthplace)\b", re.IGNORECASE)),
    ("who", re.compile(r"\bwho(?:se|m)?\b", re.IGNORECASE)),
)
"""What is asked for: content words alone take "when was it built" for "where was it built"."""


_NEEDS = sorted(
    (
        (frozenset(content_stems(said)), frozenset(content_stems(first)))
        for first, *others in _SAME_NEED
        for said in others
    ),
    key=lambda need: -len(need[0]),
)
"""Each set of stems with what stands for it, the larger sets first."""


def told(operator: str, lines: tuple[Line, ...], degree: str = LOOSE) -> object:
    """What of a plan must agree for it to be the same to a degree: equal where these are equal."""
    if operator in STEPLESS:
        return operator
    if degree == EXACT:
        return operator, tuple((li.kind, li.bound.casefold(), li.said.casefold()) for li in lines)
    if degree == LOOSE:
        return operator, tuple(
            (li.kind, tuple(content_stems(li.bound)), tuple(sorted(content_stems(li.said))))
            for li in lines
        )
    keys: list[str] = []
    for line in lines:
        keys.append(repr((line.kind, _need(line.bound, keys), _need(line.said, keys))))
    return operator, tuple(sorted(keys))


def _need(text: str, keys: list[str]) -> tuple[str, ...]:
    """The stems of what a text needs, its references as the steps that they stand for."""
    behind = [keys[int(n) - 1] if 0 < int(n) <= len(keys) else n for n in _REFERENCE.findall(text)]
    stems = set(content_stems(_REFERENCE.sub(" ", text)))
    for said, stands in _NEEDS:
        if said <= stems:
            stems = (stems - said) | stands
    asked = (word for word, pattern in _ASKED if pattern.search(text))
    return (*sorted(stems), *sorted(set(behind)), *asked)
