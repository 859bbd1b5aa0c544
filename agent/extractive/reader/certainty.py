"""How certain it is that words which a reader points at answer a question.

A reader's margin alone says little across questions: of two with the same margin, the one that no
other words come near, and whose sentence means what the question does and holds most of its words,
in the article that it names, is right far oftener, and long answers are cut wrong. Of a box or a row
the label must give what is asked, and the thing be the one asked about. Logistic regressions weigh
them (bench/reader_certainty.py fits that of sentences on bench/data/certainty_reading.jsonl, that of
boxes and rows on certainty_cells.jsonl, each together with certainty_steps.jsonl, and that of titles on
certainty_titles.jsonl together with the steps of development_step_answers.jsonl, and judges them on
files of other writers).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from agent.citations.content.words import content_words, missing_words, stems_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.labels import chances, head_score, is_about
from agent.extractive.weights.regression import probability
from retrieval.types import Embedder

if TYPE_CHECKING:
    from agent.extractive.reader.span import Span

CERTAIN_FROM = 0.6
"""Probability from which words are asserted that a reader found by itself."""
CELLS_FROM = 0.75
"""The same for words of a box or a row, of which wrong ones look right."""
LONGEST = 12
"""Words from which an answer is no less likely for being longer."""
INTERCEPT = -4.052
WEIGHTS = {
    "margin": 0.219,
    "lead": 0.094,
    "nearness": 4.198,
    "length": 0.092,
    "said": 1.15,
    "around": -0.22,
    "title": -0.069,
    "names": 0.115,
    "number": 0.006,
    "person": 0.026,
}
"""Of what is told by a sentence."""
CELL_INTERCEPT = -2.537
CELL_WEIGHTS = {
    "margin": 0.197,
    "lead": -0.0,
    "nearness": 1.455,
    "length": -0.368,
    "said": 1.153,
    "around": -0.004,
    "title": 0.186,
    "names": 0.502,
    "number": -0.068,
    "person": 0.009,
    "head": -0.036,
    "chance": 1.616,
    "beside": 0.054,
    "own": 0.125,
    "row": -0.432,
}
"""Of what a cell tells."""
TITLE_INTERCEPT = -1.115
TITLE_WEIGHTS = {"margin": 0.236, "lead": 0.134, "said": 0.341, "person": -0.997, "named": 2.038}
"""Of what an article tells of the thing that it is about."""
LEAST_MARGIN, MOST_MARGIN = -10.0, 20.0
NEARNESS_WORTH = 55.0
"""What a cosine of 1 is worth in margins where titles are compared (bench/title_worth.py)."""
FAR_AHEAD = 15.0
"""Lead of a title from which it counts no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointed:
    """How a reader points at words."""

    margin: float
    """Of these words."""
    rival: float = LEAST_MARGIN
    """Of the likeliest other words that it read for the question."""
    nearness: float = 0.0
    """Cosine of the question and the words' fact, as the embedder has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How a window tells of the thing that its article is about what is asked for."""

    margin: float
    """The reader's, of the title."""
    nearness: float
    """Cosine of the question and the window's nearest sentence, as the embedder has them."""
    said: float
    """Share of the question's words that the window holds."""
    lead: float = FAR_AHEAD
    """How much more it is worth than the best window of any other article."""
    named: bool = False
    """Whether the likeliest words of all that was read name it."""

    @property
    def worth(self) -> float:
        """By what windows are compared: the reader sees one at a time, and knows nothing of the others."""
        return inside(self.margin) + NEARNESS_WORTH * self.nearness


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
    return probability(features(asked, value, fact, pointed), weights, intercept)


def certainty_of_title(asked: Asked, told: Told) -> float:
    """Return the probability that what an article is about is what is asked for.

    Args:
        asked: the question.
        told: how the article tells it.
    """
    return probability(features_of_title(asked, told), TITLE_WEIGHTS, TITLE_INTERCEPT)


def features_of_title(asked: Asked, told: Told) -> dict[str, float]:
    """Return what the certainty of a title rests on, by the names of `TITLE_WEIGHTS`."""
    return {
        "margin": inside(told.margin),
        "lead": min(told.lead, FAR_AHEAD),
        "said": told.said,
        "person": float(asked.form == "person"),
        "named": float(told.named),
    }


def _bounded(pointed: Pointed) -> tuple[float, float]:
    """A margin, and how far it is ahead of the rival's, both of them in bounds."""
    margin = inside(pointed.margin)
    return margin, margin - inside(pointed.rival)


def inside(margin: float) -> float:
    """Return a margin in the bounds beyond which it says no more."""
    return max(LEAST_MARGIN, min(margin, MOST_MARGIN))


def features(asked: Asked, value: str, fact: Fact, pointed: Pointed) -> dict[str, float]:
    """Return what certainty rests on, by the names of `WEIGHTS`, or `CELL_WEIGHTS` of a box or a row."""
    chunk = fact.hit.chunk
    title = chunk.revision.title
    words = content_words(asked.text)
    around = stems_of(chunk.text) | stems_of(title)
    text = f"{title} {chunk.text}".casefold()
    margin, lead = _bounded(pointed)
    return _of_cell(asked, value, fact) | {
        "margin": margin,
        "lead": lead,
        "nearness": pointed.nearness,
        "length": log(max(1, min(len(value.split()), LONGEST))),
        "said": share_held(words, stems_of(fact.text) | stems_of(title)),
        "around": share_held(words, around),
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


def share_held(words: tuple[str, ...], held: frozenset[str]) -> float:
    """Return the share of some words that others hold, 1 of none."""
    return 1 - len(missing_words(words, held)) / max(1, len(words))
