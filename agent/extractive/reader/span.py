"""Spans of windows that may answer a question, scored by a trained model.

A model gives every word piece two scores, for where an answer starts and where it ends; the first
piece stands for "not here" (Devlin et al. 2019, section 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.reader.certainty import CELLS_FROM, CERTAIN_FROM, Pointed, certainty
from agent.extractive.reader.windows import Window
from agent.extractive.weights.store import FOLDER, encoder_of, open_tokenizer, read_layers
from retrieval.dense.bert import length_batches
from retrieval.dense.runtime import Array
from retrieval.dense.transformer import Encoder, Weights

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

LONGEST = 192
"""Word pieces of a question with its window; what is longer is cut."""
LONGEST_ANSWER = 24
"""Word pieces."""
MOST_ENDS = 12
"""Likeliest starts, and ends, that are tried with one another."""
BATCH = 1024
"""Padded word pieces of one pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Words that may answer."""

    window: Window
    fact: Fact
    start: int
    """Offsets in the fact's text."""
    end: int
    margin: float
    """How much likelier the span is than that the window holds no answer, as a log-ratio."""

    @property
    def text(self) -> str:
        """The answering words."""
        return self.fact.text[self.start : self.end]


class Reader(Protocol):
    """Finds answering words."""

    def is_sure(self, asked: Asked, text: str, fact: Fact, pointed: Pointed) -> bool:
        """Whether its words answer though nothing else found them."""
        ...

    def read(self, question: str, windows: Sequence[Window]) -> list[Span]:
        """Return the best span of every window that has one inside a fact, best first."""
        ...


class EmbeddedReader:
    """The embedder with layers that bench/train_reader.py trained. Thread-safe."""

    certain_from = CERTAIN_FROM

    def __init__(self, weights: Weights, head: tuple[Array, Array], tokenizer: Tokenizer) -> None:
        self._encoder = Encoder(weights, head)
        self._tokenizer = tokenizer

    @classmethod
    def open(cls, path: Path = FOLDER / "reader.safetensors") -> EmbeddedReader:
        """Load the reader's layers."""
        state = read_layers(path)
        head = (state["head.weight"], state["head.bias"])
        return cls(encoder_of(state), head, open_tokenizer())

    def is_sure(self, asked: Asked, text: str, fact: Fact, pointed: Pointed) -> bool:
        """Whether its words answer though nothing else found them."""
        least = CELLS_FROM if fact.cells else self.certain_from
        return certainty(asked, text, fact, pointed) >= least

    def read(self, question: str, windows: Sequence[Window]) -> list[Span]:
        """Return the best span of every window that has one inside a fact, best first."""
        pairs = self._tokenizer.encode_batch([(question, window.text) for window in windows])
        ids = [pair.ids[:LONGEST] for pair in pairs]
        found: list[Span | None] = []
        for rows in length_batches([len(line) for line in ids], BATCH):
            made = self._encoder.states([ids[row] for row in rows])
            ends = np.cumsum([len(ids[row]) for row in rows])[:-1]
            found += [
                best_span(s, pairs[r], windows[r])
                for r, s in zip(rows, np.split(made, ends), strict=True)
            ]
        return sorted((span for span in found if span is not None), key=lambda one: -one.margin)


@lru_cache(maxsize=1)
def embedded_reader() -> EmbeddedReader:
    """The reader of the weights in this package, loaded once a process."""
    return EmbeddedReader.open()


def best_span(scores: Array, pair: Encoding, window: Window) -> Span | None:
    """The likeliest words of a window that lie inside one fact; None where none of its facts was read.

    Args:
        scores: of start and end, [word pieces, 2], the first piece standing for "not here".
        pair: the question and the window's text as word pieces.
        window: that was read.
    """
    sides, offsets = pair.sequence_ids, pair.offsets
    highest = scores.max(0)
    logs = scores - highest - np.log(np.exp(scores - highest).sum(0))
    inside = [i for i in range(len(scores)) if sides[i] == 1 and offsets[i][0] >= window.body]
    null = float(logs[0].sum())
    starts = sorted(inside, key=lambda i: -logs[i, 0])[:MOST_ENDS]
    ends = sorted(inside, key=lambda i: -logs[i, 1])[:MOST_ENDS]
    pairs = (
        (float(logs[first, 0] + logs[last, 1]), first, last)
        for first in starts
        for last in ends
        if first <= last < first + LONGEST_ANSWER
    )
    for score, first, last in sorted(pairs, reverse=True):
        place = window.fact_at(offsets[first][0], offsets[last][1])
        if place is not None:
            fact, start, end = place
            return Span(window=window, fact=fact, start=start, end=end, margin=score - null)
    return None
