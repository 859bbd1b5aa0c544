"""What texts of any kind have in common: the names of months and numbers, and where sentences end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
"""In English, in order."""
CARDINALS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
"""In English, by value."""
ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    "tenth",
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
    *("eighteenth", "nineteenth", "twentieth"),
)
"""In English, from 1."""

STOP = re.compile(r"[.!?…][)\]\"'”’»]*(?=\s)|[。！？…][」』”’）]*")
"""Ends a sentence, or an abbreviation: any stop before a space. Chunks are cut by it, so that what
it finds is part of a snapshot's format."""
_END = re.compile(
    r"(?:[!?]|(?<!\b[A-Z])(?<!\b[A-Z]\.[A-Z])(?<!\.[a-z])(?<!\b(?:Dr|St|Mr|Mt|No|vs|ca|Jr|Sr|Co))"
    r"(?<!\b(?:Mrs|Inc|Ltd))(?<!\bc)\.)"
    r"['\"”’)]*\s+(?=[\"“(\[]?[^\W_a-z])|[。！？][」』”’）]*"
)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list written as one text."""
    return frozenset(text.split())


def sentence_spans(
    text: str,
    *,
    end: re.Pattern[str] = _END,
    whole: Callable[[str], object] = lambda line: False,
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of a text's sentences in order, the space around them left out.

    A line ends a sentence; an initial and an abbreviation do not.

    Args:
        text: prose, English or Chinese.
        end: what ends a sentence within a line. `STOP` for what may go on with a small letter and
            holds few abbreviations, as answers do.
        whole: whether a line is left whole, as a row of a table is.
    """
    position = 0
    for line in text.split("\n"):
        begin = 0
        cuts = [] if whole(line) else [found.end() for found in end.finditer(line)]
        for cut in [*cuts, len(line)]:
            piece = line[begin:cut]
            if piece.strip():
                lead = len(piece) - len(piece.lstrip())
                yield position + begin + lead, position + begin + len(piece.rstrip())
            begin = cut
        position += len(line) + 1


def split_sentences(text: str, *, end: re.Pattern[str] = _END) -> list[str]:
    """Return a text's sentences; see `sentence_spans`."""
    return [text[start:stop] for start, stop in sentence_spans(text, end=end)]


def one_of(names: Sequence[str]) -> str:
    """Return "A", "A or B", "A, B or C"."""
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
