"""What the embedding-based coverage judge sees of a text and a sub-question.

Closeness alone says little: every sentence of an answer about a subject is close to every
sub-question about it. What tells is contrast: a sentence that answers a sub-question is closer to
it than to the other sub-questions of the same question, and it holds the words that set the
sub-question apart from them. Nothing here names a topic; what the topic is follows from the words
that many of the sub-questions share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray

from agent.extractive.language.stems import content_stems, stem, words_of
from agent.extractive.language.words import FUNCTION_WORDS, word_set
from corpus.text import STOP, sentence_spans
from retrieval.types import Embedder

Float64Array = NDArray[np.float64]
FEATURES = (
    "contrast", "own direction", "contrast to unlike", "contrast to unlike, sentence",
    "contrast to unlike, pair", "contrast to nearest three", "contrast to median",
    "closest", "closest three", "mean closeness", "focus, best sentence", "focus, anywhere",
    "focus in its own words", "focus, sure", "focus words", "centrality", "news", "length",
)  # fmt: skip
ALONE = tuple(
    FEATURES.index(name)
    for name in (
        "closest", "closest three", "mean closeness", "focus, best sentence", "focus, anywhere",
        "focus in its own words", "focus, sure", "focus words", "news", "length",
    )
)  # fmt: skip
"""Features that mean something for a sub-question without others of its kind."""
FEWEST = 4
"""Sub-questions from which on contrast is measured."""
_SCAFFOLD = frozenset(
    map(
        stem,
        word_set(
            "affect effect impact influence role change contribute cause lead result play help "
            "difference compare comparison common commonly type kind example way measure typical "
            "main different various specific exist today use used become involve associated "
            "available related benefit"
        ),
    )
)
"""What sub-questions are built with, whatever they ask about."""
_COMMON_SHARE = 0.35
_COMMON_LEAST = 3
"""A word in so many of the sub-questions belongs to the topic, not to one of them."""
_UNRELATED, _SAME = 0.35, 0.70
"""Closeness of two single words: below the first they have nothing in common."""
_EXACT = 0.999
_LEXICAL = 0.8
"""Closeness of a sentence that repeats every word of a sub-question."""
_FEWEST_WORDS = 3
"""Words that a sub-question must have for their repetition to tell anything."""
_MOST_NEWS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A text beside several sub-questions."""

    features: Float64Array
    """[sub-questions, len(FEATURES)]."""
    about: Float64Array
    """[sub-questions]: how near the text comes to being about it at all."""
    spans: tuple[tuple[int, int], ...]
    """For each sub-question, the sentence that comes nearest to answering it."""


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of a text's sentences and lines, without the white space around them.

    Headings and what holds no letter, as the mark of a citation, are left out: they say nothing.
    """
    return [
        (start, end)
        for start, end in sentence_spans(text, end=STOP)
        if not text.startswith("#", start) and any(map(str.isalpha, text[start:end]))
    ]


def describe(text: str, sub_questions: Sequence[str], embedder: Embedder) -> Described:
    """Describe a text that has at least one sentence beside sub-questions of one question."""
    spans = sentences(text)
    lines = [text[start:end] for start, end in spans]
    pairs = [text[a[0] : b[1]] for a, b in pairwise(spans)]
    count = len(sub_questions)
    vectors = embedder.encode([*sub_questions, *lines, *pairs]).astype(np.float64)
    asked, units = vectors[:count], vectors[count:]
    heard = [set(content_stems(line)) for line in lines]
    near = asked @ units.T
    # A long sentence that goes on to other things is far off as a whole, and answers all the same.
    repeated = _repeated(sub_questions, heard)
    # Half of the words are soon found in any text; nearly all of them are not: hence the square.
    about = np.maximum(near.max(axis=1), _LEXICAL * repeated.max(axis=1) ** 2)
    near[:, : len(lines)] = np.maximum(near[:, : len(lines)], _LEXICAL * repeated)
    alike = asked @ asked.T
    own = asked - asked.mean(axis=0)
    own /= np.linalg.norm(own, axis=1, keepdims=True) + 1e-9
    toward = own @ units.T
    focus = _Focus(sub_questions, lines, embedder)
    m = len(lines)
    rows, best = [], []
    for i in range(count):
        unlike = np.clip(1.0 - alike[i], 0.0, None)
        unlike[i] = 0.0
        apart = near[i] - (unlike / (unlike.sum() + 1e-9)) @ near
        others = np.delete(near, i, axis=0)
        nearest = np.sort(others, axis=0)[-3:].mean(axis=0) if count > 1 else near[i]
        beyond = near[i] - nearest
        held = focus.held(i)
        where = int((apart[:m] + toward[i, :m] + beyond[:m] + 0.3 * held.soft).argmax())
        best.append(spans[where])
        rows.append(
            [
                (near[i] - near.mean(axis=0)).max(),
                toward[i].max(),
                apart.max(),
                apart[:m].max(),
                apart[m:].max() if m > 1 else apart.max(),
                beyond.max(),
                (near[i] - np.median(near, axis=0)).max(),
                near[i].max(),
                np.sort(near[i, :m])[-3:].mean(),
                near[i].mean(),
                held.soft.max(),
                held.anywhere,
                held.exact,
                held.sure,
                held.words / 4,
                alike[i].mean(),
                min(len(heard[where] - focus.stems[i]), _MOST_NEWS) / _MOST_NEWS,
                log(1 + len(text.split())) / 6,
            ]
        )
    return Described(features=np.asarray(rows), about=about, spans=tuple(best))


def _repeated(sub_questions: Sequence[str], heard: Sequence[set[str]]) -> Float64Array:
    """Return [sub-questions, sentences]: the share of a sub-question's words in a sentence.

    Words that other sub-questions share count less.
    """
    asked = [set(content_stems(text)) for text in sub_questions]
    frequency = Counter(word for words in asked for word in words)
    found = np.zeros((len(asked), len(heard)))
    for i, words in enumerate(asked):
        if len(words) < _FEWEST_WORDS:
            continue
        whole = sum(frequency[word] ** -0.5 for word in words)
        for j, line in enumerate(heard):
            found[i, j] = sum(frequency[word] ** -0.5 for word in words & line) / whole
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    soft: Float64Array
    """[sentences]: how closely the sentence's words come to the focus words, 0 to 1."""
    anywhere: float
    exact: float
    sure: float
    words: int


class _Focus:
    """The words that set each sub-question apart, matched by meaning with a text's words."""

    def __init__(
        self, sub_questions: Sequence[str], lines: Sequence[str], embedder: Embedder
    ) -> None:
        self.stems = [set(content_stems(text)) for text in sub_questions]
        self._ordered = [tuple(dict.fromkeys(content_stems(text))) for text in sub_questions]
        self._frequency = Counter(word for words in self._ordered for word in words)
        bar = max(_COMMON_LEAST, _COMMON_SHARE * len(sub_questions))
        self._topic = {word for word, count in self._frequency.items() if count >= bar}
        written: dict[str, str] = {}
        for text in sub_questions:
            for word in words_of(text):
                written.setdefault(stem(word), word.lower())
        self._terms = {term: row for row, term in enumerate(sorted(self._frequency))}
        self._match = self._matches([written.get(t, t) for t in self._terms], lines, embedder)

    def _matches(
        self, terms: Sequence[str], lines: Sequence[str], embedder: Embedder
    ) -> Float64Array:
        """Return [terms, lines]: closeness of the line's closest word; 1 where it has the stem."""
        found = np.zeros((len(terms), len(lines)))
        worded = [
            {low for word in words_of(line) if (low := word.lower()) not in FUNCTION_WORDS}
            for line in lines
        ]
        vocabulary = sorted(set().union(*worded))
        if not terms or not vocabulary:
            return found
        vectors = embedder.encode([*terms, *vocabulary]).astype(np.float64)
        close = vectors[: len(terms)] @ vectors[len(terms) :].T
        column = {word: place for place, word in enumerate(vocabulary)}
        for place, words in enumerate(worded):
            if words:
                found[:, place] = close[:, [column[word] for word in words]].max(axis=1)
            for word in set(content_stems(lines[place])) & self._terms.keys():
                found[self._terms[word], place] = 1.0
        return found

    def held(self, i: int) -> _Held:
        """Say how well a text holds the focus words of sub-question `i`."""
        all_words = self._ordered[i]
        off_topic = [word for word in all_words if word not in self._topic]
        focus = [word for word in off_topic if word not in _SCAFFOLD] or off_topic or all_words
        if not focus:
            nothing = np.zeros(self._match.shape[1])
            return _Held(soft=nothing, anywhere=0.0, exact=0.0, sure=0.0, words=0)
        # A word that other sub-questions share sets this one less apart.
        weights = np.array([self._frequency[word] ** -0.5 for word in focus])
        weights /= weights.sum()
        match = self._match[[self._terms[word] for word in focus]]
        closest = match.max(axis=1)
        sure = np.clip((closest - _UNRELATED) / (_SAME - _UNRELATED), 0.0, 1.0)
        return _Held(
            soft=weights @ match,
            anywhere=float(weights @ closest),
            exact=float((weights @ (match > _EXACT)).max()),
            sure=float(weights @ sure),
            words=len(focus),
        )
