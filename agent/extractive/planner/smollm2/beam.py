"""Writes plans with a language model that may say no word but those it is given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from agent.extractive.planner.smollm2.rows import Encode, tokens_of
from agent.extractive.planner.writer.program import END, KINDS, OPERATORS
from retrieval.dense.runtime import Array

BEAM = 4
MOST_TOKENS = 160
"""Of a plan; the longest of the examples has 120."""
GIVEN_UP = -25.0
"""Logarithm of the probability below which nothing is written further."""
HOPELESS = 6.0
"""How far behind the best plan the others are given up."""
_FIRST = frozenset(f"<{one}>" for one in OPERATORS)
_NEXT = frozenset([*(f"<{one}>" for one in KINDS), END])


class Model(Protocol):
    """A language model that goes on from what it has read."""

    def read(self, tokens: Sequence[int]) -> tuple[Array, Any]:
        """The last state of a text, [1, hidden], and what is kept of it."""
        ...

    def follow(self, cache: Any, rows: Sequence[int], tokens: Sequence[int]) -> tuple[Array, Any]:
        """The states of rows that go on with a token each, [rows, hidden]."""
        ...

    def embedded(self, tokens: Sequence[int]) -> Array:
        """What a state is multiplied with for the score of each token, [tokens, hidden]."""
        ...


@dataclass(slots=True)
class _Node:
    """A place in a tree of words, by their tokens."""

    word: str = ""
    """The word that ends here, "" for none."""
    next: dict[int, _Node] = field(default_factory=dict)

    def add(self, word: str, tokens: Sequence[int]) -> None:
        node = self
        for token in tokens:
            node = node.next.setdefault(token, _Node())
        node.word = node.word or word


@dataclass(frozen=True, slots=True)
class _Row:
    """A plan that is being written."""

    node: _Node
    words: tuple[str, ...] = ()
    score: float = 0.0
    """The logarithm of its probability."""


class _Trees:
    """Trees of the words that may come first, second, and later in a plan."""

    def __init__(self, sayings: Sequence[str], encode: Encode) -> None:
        self.first, self._second, self._later = _Node(), _Node(), _Node()
        for word in sayings:
            tokens = tokens_of(word, encode)
            if word in _FIRST:
                self.first.add(word, tokens)
                continue
            self._later.add(word, tokens)
            if word in _NEXT:
                self._second.add(word, tokens)
        self.tokens = sorted(_tokens(self.first) | _tokens(self._later))

    def going_on(self, row: _Row) -> list[tuple[int, _Row]]:
        """Each token that may be next, and the row with it, as likely as before."""
        found = [(token, replace(row, node=node)) for token, node in row.node.next.items()]
        if row.node.word:
            tree = self._later if row.words else self._second
            words = (*row.words, row.node.word)
            found += [(token, _Row(node, words, row.score)) for token, node in tree.next.items()]
        return found


def written(
    model: Model,
    question: Sequence[int],
    sayings: Sequence[str],
    encode: Encode,
    beam: int = BEAM,
) -> list[tuple[tuple[str, ...], float]]:
    """The likeliest plans of a question.

    Args:
        model: trained to go on from a question with its plan.
        question: its tokens, at least one.
        sayings: every word that may be said.
        encode: makes tokens of text.
        beam: how many plans are followed at a time.

    Returns:
        Rows of words, the likeliest first, with the logarithm of the probability of each, among all
        that may be said.
    """
    trees = _Trees(sayings, encode)
    place = {token: number for number, token in enumerate(trees.tokens)}
    embedded = model.embedded(trees.tokens)
    states, cache = model.read(question)
    rows, finished = [_Row(trees.first)], list[_Row]()
    for _ in range(MOST_TOKENS):
        candidates: list[tuple[int, int, _Row]] = []
        for parent, (row, scores) in enumerate(zip(rows, states @ embedded.T, strict=True)):
            nexts = trees.going_on(row)
            logits = scores[[place[token] for token, _ in nexts]]
            likely = row.score + logits - np.logaddexp.reduce(logits)
            for i in np.argsort(-likely)[: beam + 1]:
                token, going = nexts[i]
                candidates.append((parent, token, replace(going, score=float(likely[i]))))
        candidates.sort(key=lambda one: -one[2].score)
        ended = [row for _, _, row in candidates if row.node.word == END]
        finished = sorted([*finished, *ended], key=lambda row: -row.score)[:beam]
        candidates = [one for one in candidates if one[2].node.word != END][:beam]
        if finished:
            least = finished[-1].score if len(finished) == beam else -math.inf
            least = max(least, finished[0].score - HOPELESS)
            candidates = [one for one in candidates if one[2].score > least]
        if not candidates or candidates[0][2].score < GIVEN_UP:
            break
        parents, tokens, rows = map(list, zip(*candidates, strict=True))
        states, cache = model.follow(cache, parents, tokens)
    return [((*row.words, END), row.score) for row in finished]


def _tokens(node: _Node) -> set[int]:
    found = set(node.next)
    for child in node.next.values():
        found |= _tokens(child)
    return found
