"""The reader: which words of some windows answer a question, and how likely any do.

The embedded encoder's lower layers, upper layers trained further, and two scores a word piece for
where an answer starts and ends; the first piece stands for "not here" (Devlin et al. 2019, section
4.3). Trained by bench/train_reader.py, run in numpy. It is measured here (bench/reader_accuracy.py)
before the engine takes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agent.extractive.facts import Fact
from agent.extractive.weights.store import encoder_of, open_tokenizer, read_layers
from reader.windows import Window
from retrieval.bert import length_batches, single_threaded_blas
from retrieval.transformer import Array, Weights, forward

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONGEST = 192
"""Word pieces of a question with its window."""
LONGEST_ANSWER = 24
"""Word pieces."""
BATCH = 1024
"""Padded word pieces of one pass."""
SLOPE, OFFSET = 1.0, 0.0
"""Of the logistic curve from a span's margin to the probability that it is right; fitted by
bench/reader_accuracy.py on an article and tables that no training saw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Words that may answer."""

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

    @property
    def sure(self) -> float:
        """Probability that the words answer."""
        return float(1 / (1 + np.exp(-(SLOPE * self.margin + OFFSET))))


class Reader:
    """Reads windows for questions. Thread-safe."""

    def __init__(self, weights: Weights, head: tuple[Array, Array], tokenizer: Tokenizer) -> None:
        self._weights = weights
        self._head = head
        self._tokenizer = tokenizer

    @classmethod
    def open(cls, path: Path) -> Reader:
        """Load the reader's layers."""
        state = read_layers(path)
        head = (state["head.weight"].T, state["head.bias"])
        return cls(encoder_of(state), head, open_tokenizer())

    def read(self, question: str, windows: Sequence[Window]) -> list[Span]:
        """The best span of every window that has one inside a fact, best first."""
        pairs = self._tokenizer.encode_batch([(question, window.text) for window in windows])
        ids = [pair.ids[:LONGEST] for pair in pairs]
        found: list[Span] = []
        with single_threaded_blas:
            for rows in length_batches([len(line) for line in ids], BATCH):
                scores = self._scores([ids[row] for row in rows])
                for row, each in zip(rows, scores, strict=True):
                    pair = pairs[row]
                    span = _best(each, pair.sequence_ids, pair.offsets, windows[row])
                    if span is not None:
                        found.append(span)
        return sorted(found, key=lambda span: -span.margin)

    def _scores(self, lines: Sequence[list[int]]) -> list[Array]:
        longest = max(map(len, lines))
        ids = np.zeros((len(lines), longest), np.int64)
        mask = np.zeros((len(lines), longest), np.float32)
        for row, line in enumerate(lines):
            ids[row, : len(line)] = line
            mask[row, : len(line)] = 1
        states = forward(self._weights, ids, mask)
        made = states @ self._head[0] + self._head[1]
        return [made[row, : len(line)] for row, line in enumerate(lines)]


def _best(
    scores: Array,
    sides: Sequence[int | None],
    offsets: Sequence[tuple[int, int]],
    window: Window,
) -> Span | None:
    logs = scores - np.log(np.exp(scores - scores.max(0)).sum(0)) - scores.max(0)
    inside = [i for i in range(len(scores)) if sides[i] == 1 and offsets[i][0] >= window.body]
    if not inside:
        return None
    null = float(logs[0, 0] + logs[0, 1])
    starts = sorted(inside, key=lambda i: -logs[i, 0])[:12]
    ends = sorted(inside, key=lambda i: -logs[i, 1])[:12]
    ranked = sorted(
        (
            (float(logs[first, 0] + logs[last, 1]), first, last)
            for first in starts
            for last in ends
            if first <= last < first + LONGEST_ANSWER
        ),
        reverse=True,
    )
    for score, first, last in ranked:
        start, end = offsets[first][0], offsets[last][1]
        place = window.fact_at(start, end)
        if place is not None:
            fact, begin, stop = place
            return Span(fact=fact, start=begin, end=stop, margin=score - null)
    return None
