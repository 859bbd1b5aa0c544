"""Judges of preference that need no language model: by coverage rating, or by relevant matter.

Both give the same verdict in both orders, so a tie is a tie and never a liking for a position.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from evals.judges.features_offline import sentences
from evals.ports import Verdict
from retrieval.types import Embedder

RELEVANT = 0.3
"""Closeness of a sentence to the question from which it counts as being about it."""
TOO_CLOSE = 0.02
"""Two amounts of relevant matter whose difference is a smaller share of the larger are a tie."""


class EmbeddedPreference:
    """Prefers the answer with more matter that is about the question and not said before.

    matter = Σ over sentences of max(0, cos(question, sentence) − 0.3) · (1 − largest cosine with an
    earlier sentence)

    Args:
        embedder: compares meanings; the embedded default where None.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        # As in `EmbeddedCoverage`: one thread encodes.
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="preference")

    @property
    def name(self) -> str:
        """Says that no model judged, and with which embedder."""
        return f"embedding-based, {self._open().name}"

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        """Say which answer has more relevant matter: "A", "B" or "TIE"."""
        loop = asyncio.get_running_loop()
        first, second = await loop.run_in_executor(self._worker, self._weigh, question, (a, b))
        reasoning = f"Relevant matter: A {first:.2f}, B {second:.2f}."
        if abs(first - second) <= TOO_CLOSE * max(first, second):
            return Verdict(choice="TIE", reasoning=reasoning)
        return Verdict(choice="A" if first > second else "B", reasoning=reasoning)

    def _weigh(self, question: str, answers: tuple[str, str]) -> list[float]:
        embedder = self._open()
        about = embedder.encode([question])[0].astype(np.float64)
        found = []
        for answer in answers:
            lines = [answer[start:end] for start, end in sentences(answer)]
            if not lines:
                found.append(0.0)
                continue
            vectors = embedder.encode(lines).astype(np.float64)
            relevant = np.clip(vectors @ about - RELEVANT, 0.0, None)
            alike = np.tril(vectors @ vectors.T, -1)
            new = 1.0 - np.clip(alike.max(axis=1), 0.0, 1.0)
            found.append(float(relevant @ new))
        return found

    def _open(self) -> Embedder:
        if self._embedder is None:
            from retrieval.dense.embedders import shared_embedder

            self._embedder = shared_embedder()
        return self._embedder


class RatedPreference:
    """Prefers the answer with the higher coverage rating, as scored (Xie et al., section 4).

    Args:
        ratings: (question, answer) → rating.
        coverage: who judged the coverage.
    """

    def __init__(self, ratings: Mapping[tuple[str, str], float], coverage: str) -> None:
        self._ratings = ratings
        self._coverage = coverage

    @property
    def name(self) -> str:
        """Says that ratings were compared, and who judged the coverage they come from."""
        return f"coverage rating ({self._coverage})"

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        """Say whose rating is higher: "A", "B" or "TIE"; unscored where one has none."""
        first, second = self._ratings.get((question, a)), self._ratings.get((question, b))
        if first is None or second is None:
            return Verdict(choice=None, unscored="an answer has no coverage rating")
        choice = "TIE" if first == second else "A" if first > second else "B"
        return Verdict(choice=choice, reasoning=f"Ratings: A {first:.2f}, B {second:.2f}.")
