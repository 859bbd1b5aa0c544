"""The tagger: marks the spans of a question and says what is made of the values found.

The embedded encoder's layers, trained further, and two linear heads: one tags every word piece in
each layer of labels (begin, inside, outside), the other classifies the operator from the first
piece. Trained by bench/train_planner.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from agent.extractive.language import words
from agent.extractive.language.degrees import ADJECTIVES, degree_of
from agent.extractive.planner.marks.pointers import pointed
from agent.extractive.planner.marks.types import LAYERS, OPERATORS, Mark, Operator
from agent.extractive.weights.store import FOLDER, encoder_of, open_tokenizer, read_layers
from retrieval.dense.runtime import Array
from retrieval.dense.transformer import Encoder, Weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONGEST = 128
"""Word pieces of a question that are read; what follows is not marked."""
KEPT_QUESTIONS = 256
"""Questions whose marks are kept."""
SIDE_BY_SIDE = frozenset(["C", "C-"])
"""Labels of which one span may follow another with no word between."""
_THINGS = frozenset(["S", "M", "B"])
_LED = re.compile(r"(?:of|in|on|and|or|than|between)\s+", re.IGNORECASE)
"""Words that join a thing to what stands before it, and are no part of it."""
_ASKING = frozenset(["that", "those", "when", "where", "why", "who", "whom", "how"])
"""Words that ask by themselves: "who founded it, when and by whom"."""
_EMPTY = words.AUXILIARY | words.WH | words.DETERMINER | words.PREPOSITION | words.CONJUNCTION


def tag_names(layer: str) -> list[str]:
    """The tags of a layer, "O" first, then begin and inside of each label."""
    return ["O", *(f"{place}-{label}" for label in LAYERS[layer] for place in "BI")]


CASES = 3
"""How a piece's word is written: without capitals, with one in front, with others."""


def cases(question: str, offsets: Sequence[tuple[int, int]]) -> list[int]:
    """How the word of each piece is written, which the encoder's lower-case pieces do not tell."""
    found = []
    for start, end in offsets:
        first = start
        while first > 0 and question[first - 1].isalnum():
            first -= 1
        last = end
        while last < len(question) and question[last].isalnum():
            last += 1
        word = question[first:last]
        found.append(0 if word == word.lower() else 2 if word[1:] != word[1:].lower() else 1)
    return found


WIDTHS = {layer: len(tag_names(layer)) for layer in LAYERS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """A question as the tagger reads it."""

    question: str
    marks: tuple[Mark, ...]
    operator: Operator
    sure: float
    """Probability of the operator."""


class Planner(Protocol):
    """Marks questions."""

    def tag(self, question: str) -> Tagged:
        """Mark one question, and say what is made of the values found."""
        ...


class Tagger:
    """Marks questions. Thread-safe."""

    def __init__(self, weights: Weights, heads: dict[str, Array], tokenizer: Tokenizer) -> None:
        parts = ("tags", "operator")
        head = [np.concatenate([heads[f"{part}.{kind}"] for part in parts])
                for kind in ("weight", "bias")]  # fmt: skip
        self._encoder = Encoder(weights, (head[0], head[1]))
        plain = np.zeros((CASES, weights.words.shape[1]), np.float32)
        self._cases = heads.get("cases.weight", plain)
        """[CASES, hidden], none where the weights were trained without it."""
        self._tokenizer = tokenizer
        self._known = lru_cache(KEPT_QUESTIONS)(self._marked)

    @classmethod
    def open(cls, path: Path = FOLDER / "planner.safetensors") -> Tagger:
        """Load the tagger's layers."""
        state = read_layers(path)
        heads = {name: value for name, value in state.items() if not name.startswith("encoder.")}
        return cls(encoder_of(state), heads, open_tokenizer())

    def tag(self, question: str) -> Tagged:
        """Mark one question; a step is often the question itself, and is not read again."""
        return self._known(question)

    def _marked(self, question: str) -> Tagged:
        encoding = self._tokenizer.encode(question)
        ids = encoding.ids[:LONGEST]
        added = self._cases[cases(question, encoding.offsets[:LONGEST])]
        made = self._encoder.states([ids], added)
        tags, scores = np.split(made, [sum(WIDTHS.values())], axis=1)
        chances = _softmax(scores[:1])[0]
        best = int(chances.argmax())
        inner = encoding.offsets[1 : len(ids) - 1]
        marks: list[Mark] = []
        at = 0
        for layer, width in WIDTHS.items():
            part = _softmax(tags[1 : 1 + len(inner), at : at + width])
            at += width
            names = tag_names(layer)
            if layer == "pointer":
                part = pointed(part, names, inner, marks, question)
            marks.extend(_spans(part, names, inner, question))
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
            if label in ("S", "M") and question[start:end].istitle():
                # A name is one thing, whichever of the two it is marked as.
                sure = max(sure, _shared_out(chances[begun:i], names, label))
            if label[0] in "KR":
                # Its adjective tells which end of a scale is meant, and a word that points back
                # points at something: what may be in doubt is only at what.
                sure = _shared_out(chances[begun:i], names, label)
            while label in _THINGS and (led := _LED.match(question[start:end])):
                start += led.end()
            said = question[start:end].casefold().split()
            begun = -1
            if label[0] == "K":
                label = _signed(label, question[start:end])
            by_whom = len(said) > 1 and said[0] in words.PREPOSITION and said[-1] in words.WH
            asked = label == "A" and (by_whom or bool(set(said) & _ASKING))
            if not label.startswith("R") and not asked and all(word in _EMPTY for word in said):
                continue  # "what is", "the": nothing to look up
            marks.append(Mark(label=label, start=start, end=end, sure=sure))
        if name.startswith("B-"):
            begun = i
    return marks


def _shared_out(chances: Array, names: list[str], label: str) -> float:
    """How sure any label is (of a name, a superlative), or which thing a pointing word means."""
    group = [j for j, name in enumerate(names) if name != "O"]
    mass = chances[:, group].sum(axis=1)
    if label[0] != "R":
        return float(mass.mean())
    same = [j for j in group if names[j][2:] == label]
    return float((chances[:, same].sum(axis=1) / np.maximum(mass, 1e-9)).mean())


def _signed(label: str, said: str) -> str:
    """Which end of its scale a superlative means, where its adjective tells.

    The oldest is the earliest, the youngest and the newest are the latest (PLANNER_GUIDE.md).
    """
    for word in said.lower().split():
        if word in ("first", "earliest", "earlier", "soonest"):
            return "K-"
        if word in ("last", "latest", "later"):
            return "K+"
        degree = degree_of(word)
        if degree is None:
            continue
        adjective, sign = degree
        if adjective not in ADJECTIVES and adjective not in ("many", "little", "few"):
            continue
        if word in ("less", "least", "fewer", "fewest"):
            return "K-"
        if adjective in ("old", "young", "new"):
            sign = -1 if adjective == "old" else 1
        return "K+" if sign > 0 else "K-"
    return label


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
