"""The tagger: marks the spans of a question and says what is made of the values found.

The embedded encoder's layers, trained further, and two linear heads: one tags every word piece in
each layer of labels (begin, inside, outside), the other classifies the operator from the first
piece. Trained by bench/train_planner.py, run in numpy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agent.extractive import words
from agent.extractive.planner.marks import LAYERS, OPERATORS, Mark, Operator
from agent.extractive.weights.store import FOLDER, encoder_of, open_tokenizer, read_layers
from retrieval.bert import single_threaded_blas
from retrieval.transformer import Array, Weights, forward

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONGEST = 128
"""Word pieces of a question that are read; what follows is not marked."""
SIDE_BY_SIDE = frozenset(["C", "C-"])
"""Labels of which one span may follow another with no word between."""
_THINGS = frozenset(["S", "M", "B"])
_LED = re.compile(r"(?:of|in|on|and|or|than|between)\s+", re.IGNORECASE)
"""Words that join a thing to what stands before it, and are no part of it."""
_EMPTY = words.AUXILIARY | words.WH | words.DETERMINER | words.PREPOSITION | words.CONJUNCTION


def tag_names(layer: str) -> list[str]:
    """The tags of a layer, "O" first, then begin and inside of each label."""
    return ["O", *(f"{place}-{label}" for label in LAYERS[layer] for place in "BI")]


WIDTHS = {layer: len(tag_names(layer)) for layer in LAYERS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """A question as the tagger reads it."""

    question: str
    marks: tuple[Mark, ...]
    operator: Operator
    sure: float
    """Probability of the operator."""


class Tagger:
    """Marks questions. Thread-safe."""

    def __init__(self, weights: Weights, heads: dict[str, Array], tokenizer: Tokenizer) -> None:
        self._weights = weights
        self._heads = heads
        self._tokenizer = tokenizer

    @classmethod
    def open(cls, path: Path = FOLDER / "planner.safetensors") -> Tagger:
        """Load the tagger's layers."""
        state = read_layers(path)
        heads = {name: value for name, value in state.items() if not name.startswith("encoder.")}
        return cls(encoder_of(state), heads, open_tokenizer())

    def tag(self, question: str) -> Tagged:
        """Mark one question."""
        encoding = self._tokenizer.encode(question)
        ids = np.asarray([encoding.ids[:LONGEST]], np.int64)
        with single_threaded_blas:
            states = forward(self._weights, ids, np.ones(ids.shape, np.float32))[0]
        tags = states @ self._heads["tags.weight"].T + self._heads["tags.bias"]
        scores = states[0] @ self._heads["operator.weight"].T + self._heads["operator.bias"]
        chances = _softmax(scores[None])[0]
        best = int(chances.argmax())
        inner = encoding.offsets[1 : ids.shape[1] - 1]
        marks: list[Mark] = []
        at = 0
        for layer, width in WIDTHS.items():
            part = _softmax(tags[1 : 1 + len(inner), at : at + width])
            at += width
            marks.extend(_spans(part, tag_names(layer), inner, question))
        return Tagged(
            question=question,
            marks=tuple(marks),
            operator=OPERATORS[best],
            sure=float(chances[best]),
        )


@lru_cache(maxsize=1)
def embedded_tagger() -> Tagger:
    """The tagger of the weights in this package, loaded once a process."""
    return Tagger.open()


def best_path(chances: Array, names: list[str]) -> list[int]:
    """The likeliest tags of a row of word pieces in which no span goes on that was not begun.

    Args:
        chances: [pieces, tags], each row a distribution.
        names: of the tags.
    """
    if not len(chances):
        return []
    logs = np.log(np.maximum(chances, 1e-9))
    allowed = np.zeros((len(names), len(names)), np.float32)
    for j, name in enumerate(names):
        if name.startswith("I-"):
            for i, before in enumerate(names):
                if before[2:] != name[2:]:
                    allowed[i, j] = -1e9
        elif name.startswith("B-") and name[2:] not in SIDE_BY_SIDE:
            allowed[[i for i, before in enumerate(names) if before[2:] == name[2:]], j] = -1e9
    score = logs[0].copy()
    score[[j for j, name in enumerate(names) if name.startswith("I-")]] = -1e9
    back = []
    for row in logs[1:]:
        total = score[:, None] + allowed
        back.append(total.argmax(axis=0))
        score = total.max(axis=0) + row
    path = [int(score.argmax())]
    for step in reversed(back):
        path.append(int(step[path[-1]]))
    return path[::-1]


def _spans(
    chances: Array, names: list[str], offsets: list[tuple[int, int]], question: str
) -> list[Mark]:
    path = best_path(chances, names)
    marks: list[Mark] = []
    begun = -1
    for i in range(len(path) + 1):
        name = names[path[i]] if i < len(path) else "O"
        if begun >= 0 and not name.startswith("I-"):
            start, end = _whole_words(question, offsets[begun][0], offsets[i - 1][1])
            sure = float(np.mean([chances[j, path[j]] for j in range(begun, i)]))
            label = names[path[begun]][2:]
            while label in _THINGS and (led := _LED.match(question[start:end])):
                start += led.end()
            said = question[start:end].casefold().split()
            begun = -1
            if not label.startswith("R") and all(word in _EMPTY for word in said):
                continue  # "what is", "the": nothing to look up
            marks.append(Mark(label=label, start=start, end=end, sure=sure))
        if name.startswith("B-"):
            begun = i
    return marks


def _whole_words(question: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and question[start - 1].isalnum() and question[start].isalnum():
        start -= 1
    while end < len(question) and question[end].isalnum() and question[end - 1].isalnum():
        end += 1
    while end > start and question[end - 1] in " ,;:?!":
        end -= 1
    return start, end


def _softmax(scores: Array) -> Array:
    values = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(values / values.sum(axis=-1, keepdims=True), np.float32)
