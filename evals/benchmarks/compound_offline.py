"""A judge without a model: compares by embeddings how far two answers take up the sub-questions.

    value(answer) = mean over sub-questions of the highest cosine with one of its sentences

Sentences that are questions themselves do not count. It reads no facts: a wrong answer in the right words counts as a right one. It is there so that the
whole path runs offline; its name says what it is wherever a score of it is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from evals.benchmarks.compound_questions import bare, split_question
from evals.judges.extraction import SentenceExtractor, cut_statements
from evals.metrics.winrate import LEVELS
from evals.ports import Extracted, Judges, Verdict

if TYPE_CHECKING:
    from retrieval.types import Embedder

TIE = 0.03
"""Answers whose values differ by less are as good as each other."""
MUCH = 0.15
"""From this difference on, one is much better."""


class EmbeddingJudge:
    """Gives five-level verdicts and preferences by embeddings alone.

    Args:
        embedder: compares sentences with sub-questions.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    @property
    def name(self) -> str:
        """Says that no model reads the answers."""
        return f"embedding-based ({self._embedder.name})"

    async def choose(
        self, prompt: str, choices: Sequence[str], fields: Mapping[str, str]
    ) -> Verdict:
        """Compare the fields `a` and `b`; what else a prompt asks is unscored."""
        if tuple(choices) != LEVELS:
            reason = f"{self.name} compares answers; it cannot judge {prompt!r}"
            return Verdict(choice=None, unscored=reason)
        difference = await self._difference(fields["question"], fields["a"], fields["b"])
        steps = (difference < MUCH, difference < TIE, difference <= -TIE, difference <= -MUCH)
        return Verdict(choice=LEVELS[sum(steps)], reasoning=f"difference {difference:+.3f}")

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        """Say which answer takes up the sub-questions further: "A", "B" or "TIE"."""
        difference = await self._difference(question, a, b)
        choice = "TIE" if abs(difference) < TIE else "A" if difference > 0 else "B"
        return Verdict(choice=choice, reasoning=f"difference {difference:+.3f}")

    async def _difference(self, question: str, a: str, b: str) -> float:
        return await asyncio.to_thread(self._compare, question, a, b)

    def _compare(self, question: str, a: str, b: str) -> float:
        wanted = self._embedder.encode(split_question(bare(question)) or [question])

        def value(text: str) -> float:
            sentences = cut_statements(text)
            if not sentences:
                return 0.0
            return float((wanted @ self._embedder.encode(sentences).T).max(axis=1).mean())

        return value(a) - value(b)


class EmbeddingExtractor:
    """Takes sub-answers out by embeddings; see `evals.judges.extraction.SentenceExtractor`.

    Args:
        embedder: compares a sentence with the sub-question.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._inner = SentenceExtractor(embedder)

    @property
    def name(self) -> str:
        """As of the extractor inside."""
        return self._inner.name

    async def extract(self, question: str, text: str) -> Extracted:
        """Return the part of `text` that answers `question`, whatever was asked before it."""
        return await self._inner.extract(bare(question), text)


def offline_judges(judges: Judges) -> Judges:
    """Fill in the judge and the extractor that nobody named."""
    if judges.judge is not None and judges.extractor is not None:
        return judges
    from retrieval.dense.embedders import shared_embedder

    embedder = shared_embedder()
    return replace(
        judges,
        judge=judges.judge or EmbeddingJudge(embedder),
        extractor=judges.extractor or EmbeddingExtractor(embedder),
    )
