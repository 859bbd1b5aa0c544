"""What of an answer is scored, judged and submitted: its own words, and nothing beside them.

Citation marks go, since a bare `[4]` would match the reference 4, and with them what the check of
citations wrote into the text; so do the lists of sources and of
sub-questions that may follow an answer. An answer that abstains is an empty one: the sentence that
says so names a snapshot and its date, which would match, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from agent.citations import strip_marks
from agent.citations.check import UNSUPPORTED, UNSURE
from evals.types import Response

_HEADING = re.compile(
    r"^[ \t#*_]*(?:sources?|references?|citations?|bibliography|works cited|sub-?questions"
    r"|来源|参考文献|参考资料|引用|子问题)[ \t*_]*[:：]?[ \t*_]*$",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = re.compile(
    r"^\s*(?:[-*•·–]\s|[\[(【⟦]?\^?\d{1,3}[\])】⟧.:、]|https?://|\w[\w.-]*/\S+|$)", re.IGNORECASE
)

_REMARK = re.compile(rf"[ \t]*(?:{re.escape(UNSURE)}|{re.escape(UNSUPPORTED)})")


def scored(response: Response) -> Response:
    """Return a response with the text and the parts that are scored.

    Parts are answers to other questions than the whole one: that the whole one was not answered
    says nothing of them, and a benchmark leaves those empty that were not answered themselves.
    """
    return replace(
        response,
        text="" if response.abstained else bare_text(response.text),
        parts={name: bare_text(part) for name, part in response.parts.items()},
    )


def bare_text(text: str) -> str:
    """Return a text without citation marks and without a list of sources at its end.

    A text that is nothing but brackets with numbers, as a list of numbers is, stays as it is.
    """
    bare = _REMARK.sub("", strip_marks(_without_lists(text))).strip()
    return bare if any(map(str.isalnum, bare)) else text.strip()


def _without_lists(text: str) -> str:
    """Cut off what follows a heading such as "Sources:", where every line of it is an entry."""
    for heading in _HEADING.finditer(text):
        rest = text[heading.end() :].split("\n")
        if any(line.strip() for line in rest) and all(map(_ENTRY.match, rest)):
            return text[: heading.start()]
    return text


def places_in(text: str, bare: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return where spans of the scored text stand in the text that was answered, marks and all.

    Args:
        text: as it was answered.
        bare: what of it was scored: the same with pieces left out.
        spans: offsets in `bare`.
    """
    if text == bare or not spans:
        return list(spans)
    place = [0] * (len(bare) + 1)
    for there, here, size in SequenceMatcher(
        None, text, bare, autojunk=False
    ).get_matching_blocks():
        place[here : here + size] = range(there, there + size)
    return [(place[start], place[end - 1] + 1) for start, end in spans]
