"""How certain it is that words which a reader points at answer a question.

A reader's margin alone says little across questions: of two with the same margin, the one that no
other words come near, and whose sentence means what the question does and holds most of its words,
in the article that it names, is right far oftener, and long answers are cut wrong. Of a box or a row
the label must give what is asked, and the thing be the one asked about. Logistic regressions weigh
them (bench/reader_certainty.py fits that of sentences on bench/data/certainty_reading.jsonl and that
of boxes and rows on certainty_cells.jsonl, and judges them on judging_reading.jsonl and
judging_cells.jsonl).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING

from agent.citations.content.words import content_words, missing_words, stems_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.labels import chances, head_score, is_about
from retrieval.types import Embedder

if TYPE_CHECKING:
    from agent.extractive.reader.span import Span

CERTAIN_FROM = 0.7
"""Probability from which words are asserted that a reader found by itself."""
CELLS_FROM = 0.8
"""The same for words of a box or a row, of which wrong ones look right."""
LONGEST = 12
"""Words from which an answer is no less likely for being longer."""
INTERCEPT = -4.791
WEIGHTS = {
    "margin": 0.182,
    "lead": 0.101,
    "nearness": 4.929,
    "length": 0.014,
    "said": 2.288,
    "around": 0.03,
    "title": 0.15,
    "names": -0.153,
    "number": -0.083,
    "person": -0.282,
}
"""Of what is told by a sentence."""
CELL_INTERCEPT = -2.545
CELL_WEIGHTS = {
    "margin": 0.146,
    "lead": 0.017,
    "nearness": 2.265,
    "length": -0.369,
    "said": 1.553,
    "around": 0.075,
    "title": -0.392,
    "names": 0.361,
    "number": -1.299,
    "person": -0.584,
    "head": 1.958,
    "chance": 0.0,
    "beside": 0.0,
    "own": 0.311,
    "row": -0.683,
}
"""Of what a cell tells."""
LEAST_MARGIN, MOST_MARGIN = -10.0, 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointed:
    """How a reader points at words."""

    margin: float
    """Of these words."""
    rival: float = LEAST_MARGIN
    """Of the likeliest other words that it read for the question."""
    nearness: float = 0.0
    """Cosine of the question and the words' fact, as the embedder has them."""


def pointed_at(
    asked: Asked,
    value: str,
    fact: Fact,
    margin: float,
    spans: Sequence[Span],
    embedder: Embedder,
) -> Pointed:
    """Return how a reader points at words.

    Args:
        asked: the question.
        value: the words.
        fact: where they stand.
        margin: the reader's, of these words.
        spans: all that it read for the question.
        embedder: compares meanings.
    """
    low = value.casefold()
    said = ((span.text.strip(" .,;:").casefold(), span.margin) for span in spans)
    rivals = (found for words, found in said if words not in low and low not in words)
    texts = [asked.text, f"{fact.hit.chunk.revision.title}: {fact.text}"]
    question, sentence = embedder.encode(texts)
    return Pointed(
        margin=margin,
        rival=max(rivals, default=LEAST_MARGIN),
        nearness=float(question @ sentence),
    )


def certainty(asked: Asked, value: str, fact: Fact, pointed: Pointed) -> float:
    """Return the probability that words answer a question.

    Args:
        asked: the question.
        value: the words.
        fact: where they stand.
        pointed: how the reader points at them.
    """
    weights, intercept = (CELL_WEIGHTS, CELL_INTERCEPT) if fact.cells else (WEIGHTS, INTERCEPT)
    found = features(asked, value, fact, pointed)
    return 1 / (1 + exp(-intercept - sum(weights[name] * found[name] for name in weights)))


def features(asked: Asked, value: str, fact: Fact, pointed: Pointed) -> dict[str, float]:
    """Return what certainty rests on, by the names of `WEIGHTS`, or `CELL_WEIGHTS` of a box or a row."""
    chunk = fact.hit.chunk
    title = chunk.revision.title
    words = content_words(asked.text)
    around = stems_of(chunk.text) | stems_of(title)
    text = f"{title} {chunk.text}".casefold()
    margin = max(LEAST_MARGIN, min(pointed.margin, MOST_MARGIN))
    return _of_cell(asked, value, fact) | {
        "margin": margin,
        "lead": margin - max(LEAST_MARGIN, min(pointed.rival, MOST_MARGIN)),
        "nearness": pointed.nearness,
        "length": log(max(1, min(len(value.split()), LONGEST))),
        "said": _share(words, stems_of(fact.text) | stems_of(title)),
        "around": _share(words, around),
        "title": float(any(len(one) > 3 for one in stems_of(title) & stems_of(asked.text))),
        "names": float(all(name.casefold() in text for name in asked.names)),
        "number": float(asked.form == "number"),
        "person": float(asked.form == "person"),
    }


def _of_cell(asked: Asked, value: str, fact: Fact) -> dict[str, float]:
    """What the label of a cell says, and whether its box or row is of the thing asked about."""
    columns = [column for column, (_, cell) in enumerate(fact.cells) if value in cell]
    if not columns:
        return dict.fromkeys(("head", "chance", "beside", "own", "row"), 0.0)
    chance, beside = max(chances(asked.about, fact, column) for column in columns)
    return {
        "head": max(head_score(asked, fact, column) for column in columns),
        "chance": chance,
        "beside": beside,
        "own": float(is_about(asked, fact)),
        "row": float(fact.kind == "row"),
    }


def _share(words: tuple[str, ...], held: frozenset[str]) -> float:
    return 1 - len(missing_words(words, held)) / max(1, len(words))
