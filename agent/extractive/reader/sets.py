"""How certain it is that a list is the set that a question asks for.

A list is found by what its place is called and holds. Words of the question that are not there may say
the same otherwise ("which countries does the Rhine touch") or choose some members or others ("the
flights that failed"), and nothing in the list tells which. A logistic regression weighs what speaks
for a list (bench/set_certainty.py fits it): on lists that rules prove as on those that they doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.citations.content.words import content_words, missing_words, stems_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.labels import chances
from agent.extractive.language.words import count_of, number_of
from agent.extractive.reader.certainty import inside
from agent.extractive.reader.confirmation import MOST_READ, is_in, windows_around
from agent.extractive.reader.selection import select
from agent.extractive.reader.span import Reader
from agent.extractive.reader.windows import windows_of
from agent.extractive.weights.regression import probability

INTERCEPT = -2.91
WEIGHTS = {"margin": 0.11, "said": 3.98, "chance": 0.8, "counted": 1.85, "single": -2.12}
SET_FROM = 0.7
"""Probability from which a list is asserted though its lines lack words of the question."""
DOUBTED_BELOW = 0.25
"""Probability below which a list is unsure though its lines hold the words of the question."""
_DEFINING = re.compile(r"(?<=[a-z\d)])\.\s")
"""Ends the sentence by which an article defines its subject."""
MOST_LINES = 6
"""Lines of a list that are looked at: the others are like them."""


def certainty_of_set(
    asked: Asked,
    names: Sequence[str],
    lines: Sequence[Fact],
    facts: Sequence[Fact],
    reader: Reader,
    lead_of: Callable[[str], str],
) -> float:
    """Return the probability that a list names exactly what a question asks for.

    It is 0 where the question says how many there are, and another number was found.

    Args: as of `features_of_set`.
    """
    if (count := count_of(asked.text)) is not None and count != len(names):
        return 0.0
    found = features_of_set(asked, names, lines, facts, reader, lead_of)
    return probability(found, WEIGHTS, INTERCEPT)


def features_of_set(
    asked: Asked,
    names: Sequence[str],
    lines: Sequence[Fact],
    facts: Sequence[Fact],
    reader: Reader,
    lead_of: Callable[[str], str],
) -> dict[str, float]:
    """Return what the certainty of a set rests on, by the names of `WEIGHTS`.

    Args:
        asked: the question.
        names: of the members found, one at least.
        lines: that name them, one at least.
        facts: of the articles that were read.
        reader: points at words in a line of the list, or elsewhere.
        lead_of: returns how the article of a name begins, "" where there is none.
    """
    first = lines[0]
    shown = " ".join(line.text for line in lines[:MOST_LINES])
    # That they are capitals, or Swiss, their own articles say.
    told = " ".join(_DEFINING.split(lead_of(name), 1)[0] for name in names[:MOST_LINES])
    held = stems_of(f"{first.place} {first.caption} {shown} {lead_of(first.title)} {told}")
    words = [one for one in content_words(asked.text) if number_of(one) is None]
    return {
        "margin": _margin(asked, lines, facts, reader),
        "said": 1 - len(missing_words(words, held)) / max(1, len(words)),
        "chance": _chance(asked, names, lines),
        "counted": float(count_of(asked.text) == len(names)),
        # What a box has under one label is all there is; a row or a sentence tells of one among others.
        "single": float(len(names) == 1 and first.kind != "value"),
    }


def _margin(asked: Asked, lines: Sequence[Fact], facts: Sequence[Fact], reader: Reader) -> float:
    """The reader's highest margin of words in one of the lines."""
    windows = select(asked.text, windows_of(facts), MOST_READ) or windows_around(lines[0], facts)
    spans = reader.read(asked.text, windows)
    margins = (span.margin for span in spans if any(is_in(span, line) for line in lines))
    return inside(max(margins, default=float("-inf")))


def _chance(asked: Asked, names: Sequence[str], lines: Sequence[Fact]) -> float:
    """How likely the label or head over the members gives what is asked."""
    columns = [
        (line, column)
        for line in lines[:MOST_LINES]
        for column, (_, cell) in enumerate(line.cells)
        if any(name in cell for name in names)
    ]
    return max((chances(asked.about, *where)[0] for where in columns[:3]), default=0.0)
