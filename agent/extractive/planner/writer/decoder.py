"""The decoder of the writer of steps: says a plan word by word, each from its vocabulary or the question.

A transformer decoder of five layers, norms in front (Xiong et al. 2020), over the states of the
question's pieces, with a pointer at the question's words (Vinyals et al. 2015) in one of a few forms.
Trained by bench/train_writer.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agent.extractive.planner.writer.choices import Action, followed
from agent.extractive.planner.writer.forms import Word, forms_of
from agent.extractive.planner.writer.program import END, OPERATORS
from retrieval.dense.runtime import Array

HEADS = 6
MOST_WORDS = 80
"""Words of a plan; the longest of the examples has 49."""
BEAM = 12
GIVEN_UP = -25.0
"""Logarithm of the probability below which nothing is written further."""
HOPELESS = 6.0
"""How far behind the best plan the others are given up."""
_EPSILON = 1e-5


@dataclass(frozen=True, slots=True)
class _Row:
    """A plan that is being written."""

    words: tuple[str, ...] = ()
    score: float = 0.0
    """The logarithm of its probability."""
    before: int = -1
    """The place in the question of the word written last, -1 where it is not from there."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the decoder looks at: a question, and what can be said of it."""

    question: Sequence[Word]
    words: Array
    """States of the question's words, [words, hidden]."""
    copied: Array
    """What each is as a word that was written, [words, hidden]."""
    formed: Array
    """How likely each is said in each form, [forms, words]."""
    keys: tuple[tuple[Array, Array], ...]
    """Keys and values of the pieces, for each block."""
    sayings: tuple[str, ...]
    """Every word that can be said."""
    ways: tuple[tuple[Action, ...], ...]
    """All ways to say each."""
    places: Array
    """The places of those ways among the scores, [sayings, ways], -1 for none."""


class Decoder:
    """Writes rows of words over what an encoder made of a question."""

    def __init__(self, state: Mapping[str, Array], vocabulary: Sequence[str]) -> None:
        self._state = state
        self._vocabulary = {word: number for number, word in enumerate(vocabulary)}
        self._listed = list(vocabulary)
        self._blocks = sum(name.endswith("inner_in.weight") for name in state)

    def _linear(self, name: str, x: Array) -> Array:
        return x @ self._state[f"{name}.weight"].T + self._state[f"{name}.bias"]

    def _normed(self, name: str, x: Array) -> Array:
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + _EPSILON)
        return np.asarray(scaled * self._state[f"{name}.weight"] + self._state[f"{name}.bias"])

    def write(
        self,
        pieces: Array,
        question: Sequence[Word],
        spans: Sequence[Sequence[int]],
        beam: int = BEAM,
    ) -> list[tuple[tuple[str, ...], float]]:
        """The likeliest plans of a question.

        Args:
            pieces: states of its pieces, [pieces, hidden].
            question: its words.
            spans: the pieces of each word.
            beam: how many are followed at a time.

        Returns:
            Rows of words, the likeliest first, with the logarithm of the probability of each.
        """
        seen = self._seen(pieces, question, spans)
        rows = [_Row()]
        x = self._state["words.weight"][-1:]
        known: list[tuple[Array, Array] | None] = [None] * self._blocks
        finished: list[_Row] = []
        for place in range(MOST_WORDS):
            scores, known = self._scored(x + self._state["places.weight"][place], seen, known)
            ended, going = _followed(rows, scores, seen.sayings, beam)
            finished = sorted([*finished, *ended], key=lambda row: -row.score)[:beam]
            if not going or going[0][0] < GIVEN_UP or _is_settled(finished, going[0][0], beam):
                break
            known = [(k[[r for _, r, _ in going]], v[[r for _, r, _ in going]]) for k, v in known]  # type: ignore[misc]
            taken = [followed(seen.ways[i], rows[r].before) for _, r, i in going]
            rows = [
                _Row((*rows[r].words, self._said((form, at), seen)), score, at if form >= 0 else -1)
                for (score, r, i), (form, at) in zip(going, taken, strict=True)
            ]
            x = np.stack([self._as_written(action, seen) for action in taken])
        return [(row.words, row.score) for row in finished]

    def _seen(
        self, pieces: Array, question: Sequence[Word], spans: Sequence[Sequence[int]]
    ) -> _Seen:
        words = np.stack([pieces[list(span)].mean(0) for span in spans])
        keys = (self._keys(block, pieces) for block in range(self._blocks))
        sayings = self._sayings(question)
        flat = [
            [
                at if form < 0 else len(self._state["words.weight"]) + form * len(words) + at
                for form, at in ways
            ]
            for _, ways in sayings
        ]
        longest = max(len(one) for one in flat)
        return _Seen(
            question=question,
            words=words,
            copied=self._linear("copied", words),
            formed=self._linear("form_of_word", words).T,
            keys=tuple(keys),
            sayings=tuple(said for said, _ in sayings),
            ways=tuple(tuple(ways) for _, ways in sayings),
            places=np.array([one + [-1] * (longest - len(one)) for one in flat]),
        )

    def _keys(self, block: int, pieces: Array) -> tuple[Array, Array]:
        keys, values = np.split(self._linear(f"blocks.{block}.outer_in", pieces), 2, axis=1)
        return keys, values

    def _scored(
        self, x: Array, seen: _Seen, known: list[tuple[Array, Array] | None]
    ) -> tuple[Array, list[tuple[Array, Array] | None]]:
        """Logarithms of the probabilities of what each row says next, [rows, sayings]."""
        kept: list[tuple[Array, Array] | None] = []
        for block in range(self._blocks):
            x, now = self._block(block, x, known[block], seen.keys[block])
            kept.append(now)
        x = self._normed("norm", x)
        pointed = self._linear("point", x) @ seen.words.T / math.sqrt(seen.words.shape[1])
        copies = pointed[:, None] + self._linear("form_of_state", x)[:, :, None] + seen.formed[None]
        scores = np.concatenate([self._own(x), copies.reshape(len(x), -1)], axis=1)
        chosen = np.where(seen.places[None] >= 0, scores[:, seen.places], -np.inf)
        return _normalised(_summed(chosen)), kept

    def _said(self, action: Action, seen: _Seen) -> str:
        """A word as it is said in one way, with the capitals of the question's word."""
        form, place = action
        if form < 0:
            return self._listed[place]
        text = seen.question[place].text
        return forms_of(text)[form] or text

    def _as_written(self, action: Action, seen: _Seen) -> Array:
        """What a word is to the decoder once it is written."""
        form, place = action
        if form < 0:
            return np.asarray(self._state["words.weight"][place])
        return np.asarray(seen.copied[place] + self._state["forms.weight"][form])

    def first(self, pieces: Array, question: Sequence[Word], spans: Sequence[Sequence[int]]) -> str:
        """The likeliest operator of a question, as a row begins with it."""
        x = self._state["words.weight"][-1:] + self._state["places.weight"][0]
        for block in range(self._blocks):
            x, _ = self._block(block, x, None, self._keys(block, pieces))
        scores = self._own(self._normed("norm", x))[0]
        return max((f"<{one}>" for one in OPERATORS), key=lambda one: scores[self._vocabulary[one]])

    def _own(self, x: Array) -> Array:
        """Scores of the words of the vocabulary."""
        return np.asarray(
            self._linear("say", x) @ self._state["words.weight"].T + self._state["words_bias"]
        )

    def _sayings(self, question: Sequence[Word]) -> list[tuple[str, list[Action]]]:
        """Every word that can be said, with all ways to say it."""
        found: dict[str, tuple[str, list[Action]]] = {}
        for number, word in enumerate(self._listed):
            found[word] = (word, [(-1, number)])
        for place, asked in enumerate(question):
            for form, made in enumerate(forms_of(asked.text)):
                if made is not None:
                    found.setdefault(made.casefold(), (made, []))[1].append((form, place))
        return list(found.values())

    def _block(
        self,
        number: int,
        x: Array,
        cache: tuple[Array, Array] | None,
        keys: Sequence[Array],
    ) -> tuple[Array, tuple[Array, Array]]:
        """One layer on one word of each row; keys and values of the words before are kept."""
        name = f"blocks.{number}"
        q, k, v = np.split(
            self._linear(f"{name}.inner_in", self._normed(f"{name}.inner_norm", x)), 3, axis=1
        )
        k, v = k[:, None], v[:, None]
        if cache is not None:
            k, v = np.concatenate([cache[0], k], axis=1), np.concatenate([cache[1], v], axis=1)
        x = x + self._linear(f"{name}.inner_out", _attended(q, k, v))
        q = self._linear(f"{name}.outer_query", self._normed(f"{name}.outer_norm", x))
        seen = [np.broadcast_to(one[None], (len(x), *one.shape)) for one in keys]
        x = x + self._linear(f"{name}.outer_out", _attended(q, *seen))
        wide = _gelu(self._linear(f"{name}.widen", self._normed(f"{name}.wide_norm", x)))
        return x + self._linear(f"{name}.narrow", wide), (k, v)


def _followed(
    rows: Sequence[_Row], scores: Array, sayings: Sequence[str], beam: int
) -> tuple[list[_Row], list[tuple[float, int, int]]]:
    """The rows that end, and the likeliest that go on: score, row and what is said next."""
    candidates = []
    for number, row in enumerate(rows):
        best = np.argpartition(-scores[number], min(beam, len(sayings) - 1))[:beam]
        candidates += [(row.score + float(scores[number, i]), number, int(i)) for i in best]
    candidates.sort(reverse=True)
    ended = [_Row((*rows[r].words, END), s) for s, r, i in candidates if sayings[i] == END]
    return ended, [one for one in candidates if sayings[one[2]] != END][:beam]


def _is_settled(finished: Sequence[_Row], best: float, beam: int) -> bool:
    """Whether no row that goes on can come before those that ended, or near them."""
    if not finished:
        return False
    return finished[0].score - best > HOPELESS or (
        len(finished) >= beam and finished[-1].score > best
    )


def _summed(scores: Array) -> Array:
    """Logarithms of sums of exponentials over the last axis."""
    highest = scores.max(-1, keepdims=True)
    return np.asarray(highest[..., 0] + np.log(np.exp(scores - highest).sum(-1)))


def _normalised(scores: Array) -> Array:
    return np.asarray(scores - _summed(scores)[..., None])


def _attended(q: Array, k: Array, v: Array) -> Array:
    """Attention of one query a row: q [rows, size], k and v [rows, places, size]."""
    rows, places, size = k.shape
    heads = size // HEADS
    q = q.reshape(rows, HEADS, 1, heads)
    k = k.reshape(rows, places, HEADS, heads).transpose(0, 2, 3, 1)
    v = v.reshape(rows, places, HEADS, heads).transpose(0, 2, 1, 3)
    weights = q @ k / math.sqrt(heads)
    weights = np.exp(weights - weights.max(-1, keepdims=True))
    return np.asarray((weights / weights.sum(-1, keepdims=True) @ v).reshape(rows, size))


def _gelu(x: Array) -> Array:
    # Its approximation by tanh (Hendrycks and Gimpel 2016) differs in the fourth decimal.
    cubed = x * x * x  # a power of numbers of this size takes ten times as long
    return np.asarray(0.5 * x * (1 + np.tanh(0.7978846 * (x + 0.044715 * cubed))), np.float32)
