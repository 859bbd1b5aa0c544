"""Citation marks in a text, in every form that models write them: read, renumbered, taken out.

Text of the corpus may itself hold something like `[3]`: such a mark was never made by a reasoner,
cites nothing, and is put in round brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_LIST = r"\d{1,6}(?:\s*[,;，、；–—-]\s*\d{1,6})*"
MARK = re.compile(
    r"\\?[\[［【⟦〔]\s*(?:\^|#|(?:sources?|refs?|passages?|来源)\b[\s.:：#]*)?"
    rf"(?P<numbers>{_LIST})\s*(?:†[^\]］】⟧〕\n]{{0,40}})?\\?[\]］】⟧〕]",
    re.IGNORECASE,
)
"""`[3]`, `[ 3 ]`, `[1, 4]`, `[2-4]`, `[^3]`, `[source 3]`, `［3］`, `【3†L4】`, `⟦3⟧`, `\\[3\\]`."""
_LED_TO = re.compile(rf"[ \t]*(?:{MARK.pattern})", re.IGNORECASE)
_WIDEST_RANGE = 20


def numbers_in(mark: re.Match[str]) -> Iterator[int]:
    """Yield the numbers that a match of `MARK` names, ranges written out."""
    for part in re.split(r"\s*[,;，、；]\s*", mark["numbers"]):
        ends = [int(end) for end in re.split(r"\s*[–—-]\s*", part)]
        # A range as wide as the whole list is no citation; its two ends are looked at alone.
        if len(ends) == 2 and 0 <= ends[1] - ends[0] <= _WIDEST_RANGE:
            yield from range(ends[0], ends[1] + 1)
        else:
            yield from ends


def disarm(text: str) -> str:
    """Return corpus text with whatever looks like a citation mark put in round brackets."""
    return MARK.sub(lambda mark: f"({mark['numbers']})", text)


def strip_marks(text: str) -> str:
    """Return `text` without its marks and without the spaces that led to them."""
    return _LED_TO.sub("", text)


def blank_marks(text: str) -> str:
    """Return `text` of the same length with spaces where its marks stand."""
    return MARK.sub(lambda mark: " " * len(mark.group()), text)


def renumber(text: str, numbers: Mapping[int, int]) -> str:
    """Rewrite marks by `numbers` (old to new); a mark that is not in it is taken out."""

    def rewrite(mark: re.Match[str]) -> str:
        kept = [numbers[number] for number in numbers_in(mark) if number in numbers]
        return "".join(f"[{number}]" for number in dict.fromkeys(kept))

    return tidy_gaps(MARK.sub(rewrite, text))


def tidy_gaps(text: str) -> str:
    """Take out the space that a mark left behind, before the full stop or at the end of a line."""
    return re.sub(r"[ \t]+(?=[.,;:!?]|$)", "", text, flags=re.MULTILINE)
