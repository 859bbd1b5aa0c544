"""How certain it is that words which a reader points at answer a question.

A reader's margin alone says little across questions: of two with the same margin, the one that no
other words come near, and whose sentence means what the question does and holds most of its words,
in the article that it names, is right far oftener, and long answers are cut wrong. A logistic
regression weighs them (bench/reader_certainty.py fits it, on bench/data/certainty_reading.jsonl, and
judges it on bench/data/judging_reading.jsonl).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING

from agent.citations.content.words import content_words, missing_words, stems_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from retrieval.types import Embedder

if TYPE_CHECKING:
    from agent.extractive.reader.span import Span

CERTAIN_FROM = 0.7
"""Probability from which words are asserted that a reader found by itself."""
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
    found = features(asked, value, fact, pointed)
    return 1 / (1 + exp(-INTERCEPT - sum(WEIGHTS[name] * found[name] for name in WEIGHTS)))


def features(asked: Asked, value: str, fact: Fact, pointed: Pointed) -> dict[str, float]:
    """Return what certainty rests on, by the names of `WEIGHTS`."""
    chunk = fact.hit.chunk
    title = chunk.revision.title
    words = content_words(asked.text)
    around = stems_of(chunk.text) | stems_of(title)
    text = f"{title} {chunk.text}".casefold()
    margin = max(LEAST_MARGIN, min(pointed.margin, MOST_MARGIN))
    return {
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


def _share(words: tuple[str, ...], held: frozenset[str]) -> float:
    return 1 - len(missing_words(words, held)) / max(1, len(words))
