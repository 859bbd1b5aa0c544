"""BLEURT-20 where its package and checkpoint are installed; otherwise said not to be, never 0."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

CHECKPOINT = Path("BLEURT-20")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotComputed:
    """A metric that could not be computed, and why."""

    reason: str


def bleurt(reference: str, candidate: str) -> float | NotComputed:
    """Return the learned similarity of a candidate to its reference (Sellam et al., 2020)."""
    scorer = _scorer()
    if isinstance(scorer, NotComputed):
        return scorer
    return float(scorer.score(references=[reference], candidates=[candidate])[0])


@lru_cache(maxsize=1)
def _scorer() -> Any | NotComputed:
    if importlib.util.find_spec("bleurt") is None:
        return NotComputed(reason="the package bleurt is not installed")
    if not CHECKPOINT.is_dir():
        return NotComputed(reason=f"the checkpoint folder {CHECKPOINT} is not here")
    from bleurt.score import BleurtScorer

    return BleurtScorer(str(CHECKPOINT))
