"""The judge of coverage that needs no language model: embeddings, words and a trained weighting.

A logistic regression over the features of `evals.judges.features_offline`, trained on the labelled answers in
`data/coverage.txt` by `bench/train_coverage.py`. It names the sentence that comes nearest to
answering, which stands in the text by construction.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from evals.judges.coverage import NOT_COVERED
from evals.judges.features_offline import (
    ALONE,
    FEWEST,
    Described,
    Float64Array,
    describe,
    sentences,
)
from evals.ports import Covered
from retrieval.types import Embedder

MODEL = Path(__file__).parent / "data" / "coverage.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighting:
    """A logistic regression."""

    mean: Float64Array
    scale: Float64Array
    weights: Float64Array
    """[features]."""
    bias: float

    def chances(self, features: Float64Array) -> Float64Array:
        """Return the probability that each row is covered, [n]."""
        odds = (features - self.mean) / self.scale @ self.weights + self.bias
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageModel:
    """The weights that come with the package."""

    embedder: str
    """Name of the embedder they were trained with."""
    among: Weighting
    """For a sub-question among others of the same question."""
    alone: Weighting
    """For one of fewer than `FEWEST`: without contrast."""
    floor: float
    """A text whose closest words are less close than this is about something else."""

    def chances(self, described: Described) -> Float64Array:
        """Return the probability that each sub-question is covered, [n]."""
        features = described.features
        few = len(features) < FEWEST
        found = self.alone.chances(features[:, ALONE]) if few else self.among.chances(features)
        # Contrast is relative: to an unrelated text, too, one sub-question is the closest.
        return np.where(described.about < self.floor, 0.0, found)


@lru_cache(maxsize=1)
def load_model(path: Path = MODEL) -> CoverageModel:
    """Read the weights that come with the package."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return CoverageModel(
        embedder=stored["embedder"],
        among=_weighting(stored["among"]),
        alone=_weighting(stored["alone"]),
        floor=float(stored["floor"]),
    )


def _weighting(stored: Mapping[str, list[float]]) -> Weighting:
    return Weighting(
        mean=np.asarray(stored["mean"]),
        scale=np.asarray(stored["scale"]),
        weights=np.asarray(stored["weights"]),
        bias=float(stored["bias"][0]),
    )


class EmbeddedCoverage:
    """Judges coverage with an embedder and the trained weights; see `evals.ports.CoverageJudge`.

    Args:
        embedder: the one the weights were trained with, which is the embedded default; another
            one's closenesses have another scale, so the default is taken in its place.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        # One encoding keeps every core busy; several at once, or from ever new threads, take
        # several times as long, for the linear algebra below keeps its threads by caller.
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="coverage")

    @property
    def name(self) -> str:
        """Says that no model judged, and with which embedder."""
        return f"embedding-based, {load_model().embedder}"

    async def covers(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        """Judge one text against the sub-questions of one question, in their order."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, self.judge, text, sub_questions)

    def judge(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        """Do what `covers` does, outside of an event loop."""
        if not sub_questions or not sentences(text):
            return [NOT_COVERED] * len(sub_questions)
        model = load_model()
        described = describe(text, sub_questions, self._trained_with(model.embedder))
        return [
            Covered(covered=True, start=start, end=end) if chance > 0.5 else NOT_COVERED
            for chance, (start, end) in zip(model.chances(described), described.spans, strict=True)
        ]

    def _trained_with(self, name: str) -> Embedder:
        if self._embedder is None or self._embedder.name != name:
            from retrieval.dense.embedders import shared_embedder

            self._embedder = shared_embedder()
        return self._embedder
