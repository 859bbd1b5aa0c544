"""What the reader makes of a yes-or-no question: the words that settle it, and which way they do.

The reader learned to point at the words that settle such a question as it points at an answer, and to
say where they start whether they say yes (bench/data/polar_*.jsonl). How certain it is of both is a
logistic regression, as of other words (`certainty`); bench/polar_accuracy.py fits and judges it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.reader.certainty import features, pointed_at
from agent.extractive.reader.confirmation import MOST_READ
from agent.extractive.reader.selection import select
from agent.extractive.reader.span import Reader, Span
from agent.extractive.reader.values import names_same
from agent.extractive.reader.windows import windows_of
from retrieval.types import Embedder

SETTLED_FROM = 0.8
"""Probability from which a question is settled by the reader alone."""
INTERCEPT = 0.0
WEIGHTS = {
    "margin": 0.0,
    "lead": 0.0,
    "nearness": 0.0,
    "said": 0.0,
    "around": 0.0,
    "title": 0.0,
    "names": 0.0,
    "decided": 0.0,
    "cell": 0.0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A yes-or-no question that words of a fact settle."""

    yes: bool
    fact: Fact
    features: dict[str, float]
    """By the names of `WEIGHTS`."""

    @property
    def certainty(self) -> float:
        """The probability that it is settled so."""
        return 1 / (1 + exp(-INTERCEPT - sum(WEIGHTS[one] * self.features[one] for one in WEIGHTS)))


def settled(
    asked: Asked, facts: Sequence[Fact], reader: Reader, embedder: Embedder
) -> Settled | None:
    """Return how the likeliest words settle a question; None where the reader points at none.

    Args:
        asked: the question.
        facts: of the hits, and of the articles that it names.
        reader: None of its words say yes or no unless it learned such questions.
        embedder: compares meanings.
    """
    spans = reader.read(asked.text, select(asked.text, windows_of(facts), MOST_READ))
    best = next((span for span in spans if span.yes is not None and names_same(asked, span)), None)
    return None if best is None else _settled(asked, best, spans, embedder)


def _settled(asked: Asked, span: Span, spans: Sequence[Span], embedder: Embedder) -> Settled:
    yes = span.yes or 0.0
    pointed = pointed_at(asked, span.text, span.fact, span.margin, spans, embedder)
    found = features(asked, span.text, span.fact, pointed)
    found |= {"decided": abs(yes), "cell": float(bool(span.fact.cells))}
    return Settled(yes=yes > 0, fact=span.fact, features=found)
