"""How certain it is that words which a reader points at answer a question.

A reader's margin alone says little across questions: of two with the same margin, the one whose
sentence holds most of the question's words, in the article that the question names, is right far
oftener, and long answers are cut wrong. A logistic regression weighs them (bench/reader_certainty.py
fits it, on every second paragraph of bench/data/judging_reading.jsonl, and judges it on the others).
"""

from __future__ import annotations

from math import exp, log

from agent.citations.content.words import content_words, missing_words, stems_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact

CERTAIN_FROM = 0.7
"""Probability from which words are asserted that a reader found by itself."""
LONGEST = 12
"""Words from which an answer is no less likely for being longer."""
INTERCEPT = -1.991
WEIGHTS = {
    "margin": 0.154,
    "length": -0.447,
    "said": 1.022,
    "around": -0.139,
    "title": 0.69,
    "names": 0.665,
    "number": -0.499,
    "person": 0.531,
}
LEAST_MARGIN, MOST_MARGIN = -10.0, 20.0


def certainty(asked: Asked, value: str, fact: Fact, margin: float) -> float:
    """Return the probability that words answer a question.

    Args:
        asked: the question.
        value: the words.
        fact: where they stand.
        margin: the reader's, of these words.
    """
    found = features(asked, value, fact, margin)
    return 1 / (1 + exp(-INTERCEPT - sum(WEIGHTS[name] * found[name] for name in WEIGHTS)))


def features(asked: Asked, value: str, fact: Fact, margin: float) -> dict[str, float]:
    """Return what certainty rests on, by the names of `WEIGHTS`."""
    chunk = fact.hit.chunk
    title = chunk.revision.title
    words = content_words(asked.text)
    around = stems_of(chunk.text) | stems_of(title)
    text = f"{title} {chunk.text}".casefold()
    return {
        "margin": max(LEAST_MARGIN, min(margin, MOST_MARGIN)),
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
