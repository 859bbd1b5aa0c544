"""Spans of windows that may answer a question, scored by a trained model.

A model gives every word piece two scores, for where an answer starts and where it ends; the first
piece stands for "not here" (Devlin et al. 2019, section 4.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

import numpy as np

from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.language import words
from agent.extractive.language.names import without_bracket
from agent.extractive.reader.certainty import CELLS_FROM, CERTAIN_FROM, Pointed, certainty
from agent.extractive.reader.windows import Window
from agent.extractive.weights.kept import Kept
from agent.extractive.weights.store import FOLDER, encoder_of, open_tokenizer, read_layers
from corpus.text import word_set
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
READ_AGAIN = 3
"""Windows that are read in other words as well, those that tell most."""
BATCH = 1024
"""Padded word pieces of one pass."""
MOST_KNOWN = 512
"""Questions with a window whose scores are kept: a step's are read to find, to doubt and to prove."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Titled:
    """A window that may tell of the very thing that its article is about what a question asks."""

    window: Window
    margin: float
    """How much likelier its title answers than that the window holds no answer, as a log-ratio."""

    @property
    def title(self) -> str:
        """The thing, without a bracket."""
        return without_bracket(self.window.facts[0].title)


class Reader(Protocol):
    """Finds answering words."""

    def is_sure(self, asked: Asked, text: str, fact: Fact, pointed: Pointed) -> bool:
        """Whether its words answer though nothing else found them."""
        ...

    def read(self, question: str, windows: Sequence[Window]) -> list[Span]:
        """Return the best span of every window that has one inside a fact, best first."""
        ...

    def read_titles(self, question: str, windows: Sequence[Window]) -> list[Titled]:
        """Return how likely the title of each window answers what its facts tell, best first."""
        ...


class EmbeddedReader:
    """The embedder with layers that bench/train_reader.py trained. Thread-safe."""

    certain_from = CERTAIN_FROM

    def __init__(self, weights: Weights, head: tuple[Array, Array], tokenizer: Tokenizer) -> None:
        self._encoder = Encoder(weights, head)
        self._tokenizer = tokenizer
        self._scored: Kept[tuple[str, str], tuple[Array, Encoding]] = Kept(
            self._read_new, MOST_KNOWN
        )

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
        return self._read(question, windows, best_span)

    def read_titles(self, question: str, windows: Sequence[Window]) -> list[Titled]:
        """Return how likely the title of each window answers what its facts tell, best first."""
        return self._read(question, windows, titled)

    def _read(
        self,
        question: str,
        windows: Sequence[Window],
        make: Callable[[Array, Encoding, Window], Read | None],
    ) -> list[Read]:
        """What is made of every window, best first; the best of prose are read in other words as well.

        Rows and lines of boxes are not: their heads are short, and little words tell them apart.
        """
        scored = self._scored([(question, window.text) for window in windows])
        found = [make(*made, window) for made, window in zip(scored, windows, strict=True)]
        prose = [at for at, window in enumerate(windows) if window.facts[0].kind == "sentence"]
        again = sorted(prose, key=lambda place: -_margin(found[place]))[:READ_AGAIN]
        ways = wordings(question)
        more = self._scored([(way, windows[place].text) for place in again for way in ways])
        for number, place in enumerate(again):
            first, pair = scored[place]
            others = more[number * len(ways) :][: len(ways)]
            mean = mean_scores(first, pair, others)
            found[place] = make(mean, pair, windows[place])
        return best_first(found)

    def _read_new(self, asked: Sequence[tuple[str, str]]) -> list[tuple[Array, Encoding]]:
        """The scores of the word pieces of questions with texts, with these, in order."""
        pairs = self._tokenizer.encode_batch(list(asked))
        ids = [pair.ids[:LONGEST] for pair in pairs]
        made: dict[int, Array] = {}
        for rows in length_batches([len(line) for line in ids], BATCH):
            states = self._encoder.states([ids[row] for row in rows])
            ends = np.cumsum([len(ids[row]) for row in rows])[:-1]
            made.update(zip(rows, np.split(states, ends), strict=True))
        return [(made[row], pair) for row, pair in enumerate(pairs)]


@lru_cache(maxsize=1)
def embedded_reader() -> EmbeddedReader:
    """The reader of the weights in this package, loaded once a process."""
    return EmbeddedReader.open()


def wordings(question: str) -> tuple[str, ...]:
    """Return other ways to ask the same: as it is typed in haste, and by its words of content alone.

    What a reader makes of a question hangs on its wording; the mean of several ways hangs less on it.
    """
    typed = question.rstrip(" ?").lower()
    telling = " ".join(word for word in typed.split() if word not in _LITTLE)
    return tuple(dict.fromkeys(way for way in (typed, telling) if way and way != question))


_LITTLE = words.AUXILIARY | word_set("of in on at by for from to with the a an and that this")


def mean_scores(first: Array, pair: Encoding, others: Sequence[tuple[Array, Encoding]]) -> Array:
    """The mean of the scores that a window's word pieces have for several wordings of a question.

    Args:
        first: for the question, [word pieces, 2]; of its own word pieces they stay as they are.
        pair: the question with the window.
        others: the same for other wordings, with the same window.
    """
    read = [(scores, _places(scores, one)) for scores, one in ((first, pair), *others)]
    common = min(len(places) for _, places in read)
    mean: Array = first.copy()
    mean[read[0][1][:common]] = np.mean([one[places[:common]] for one, places in read], axis=0)
    return mean


def _places(scores: Array, pair: Encoding) -> list[int]:
    """Where a window's word pieces stand, behind the one for "not here"."""
    sides = pair.sequence_ids  # a new list each time it is asked for
    return [0, *(place for place in range(len(scores)) if sides[place] == 1)]


Read = TypeVar("Read", Span, Titled)


def _margin(one: Span | Titled | None) -> float:
    return one.margin if one is not None else float("-inf")


def best_first(found: Iterable[Read | None]) -> list[Read]:
    """What was read, in the order of its margins."""
    return sorted((one for one in found if one is not None), key=lambda one: -one.margin)


def _logs(scores: Array) -> Array:
    """Log-probabilities of start and end over word pieces, [word pieces, 2]."""
    highest = scores.max(0)
    logs: Array = scores - highest - np.log(np.exp(scores - highest).sum(0))
    return logs


def titled(scores: Array, pair: Encoding, window: Window) -> Titled | None:
    """How likely the title in front of a window answers, None where it is no part of what was read.

    Args: as of `best_span`.
    """
    logs, offsets = _logs(scores), pair.offsets
    end = len(without_bracket(window.facts[0].title))
    places = [place for place in _places(scores, pair)[1:] if offsets[place][0] < end]
    if not places:
        return None
    margin = logs[places[0], 0] + logs[places[-1], 1] - logs[0].sum()
    return Titled(window=window, margin=float(margin))


def best_span(scores: Array, pair: Encoding, window: Window) -> Span | None:
    """The likeliest words of a window that lie inside one fact; None where none of its facts was read.

    Args:
        scores: of start and end, [word pieces, 2], the first piece standing for "not here".
        pair: the question and the window's text as word pieces.
        window: that was read.
    """
    sides, offsets = pair.sequence_ids, pair.offsets
    logs = _logs(scores)
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
            if ";" in fact.text[start:end] and not fact.cells:
                continue  # clauses of their own
            return Span(window=window, fact=fact, start=start, end=end, margin=score - null)
    return None
