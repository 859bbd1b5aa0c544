"""What searches an index: plain numpy, compiled code, or the one until the other is ready."""

from __future__ import annotations

import logging
import os

from retrieval.bm25.collection import Collection
from retrieval.bm25.dictionary import Scorer
from retrieval.bm25.plain import PlainScorer

COMPILED_FROM = 200_000
"""Postings (some 2,500 chunks) from which on loading compiled code is worth its 60 ms."""
COMPILES_FROM = 2_000_000
"""Postings from which on compiling it, once on a machine, is worth some 5 s of a processor."""


def choose_scorer(
    collection: Collection, postings: int, threads: int, compiled: bool | None
) -> Scorer:
    """Return what searches an index of so many postings fastest."""
    if compiled is None and postings >= COMPILED_FROM:
        from retrieval.bm25.compiled.native import can_compile, is_compiled

        if not can_compile():
            if postings >= COMPILES_FROM:
                logging.getLogger(__name__).warning(
                    "searching %s postings without compiled code, a hundred times slower: "
                    "the package numba is not installed; it comes with the extras cpu and gpu",
                    f"{postings:,}",
                )
            return PlainScorer(collection)
        compiled = is_compiled()
        if not compiled and postings >= COMPILES_FROM:
            from retrieval.bm25.compiled.warmup import WarmingScorer

            return WarmingScorer(collection, threads)
    if compiled:
        from retrieval.bm25.compiled.scorer import CompiledScorer

        return CompiledScorer(collection, threads)
    return PlainScorer(collection)


def count_processors() -> int:
    """Return how many processors this process may use, where the system says so (not on macOS)."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
