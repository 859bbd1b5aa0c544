"""Searching while the kernels are still being compiled, which happens once on a machine.

numba takes some 5 s, most of it under the interpreter lock, so another process compiles and leaves
the code where `native` finds it. Meanwhile queries are answered by `plain`, whose results are the
same to the last bit. The process outlives one that only asks a single question, so that the next
one finds the code.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25.collection import Collection
from retrieval.bm25.compiled.native import can_compile, is_compiled
from retrieval.bm25.dictionary import Scorer, Table, Weighted
from retrieval.bm25.plain import PlainScorer
from retrieval.bm25.segment import Array

_PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from retrieval.bm25.compiled.native import load_kernels; load_kernels()"
)
_LOCK = threading.Lock()
_compiling: subprocess.Popen[bytes] | None = None


def compile_aside() -> None:
    """Begin to compile the kernels in another process, unless that is done, under way or not to be done."""
    global _compiling
    if not can_compile():
        return
    with _LOCK:
        if (_compiling is not None and _compiling.poll() is None) or is_compiled():
            return
        root = Path(__file__).parents[3]
        try:
            _compiling = subprocess.Popen(  # noqa: S603
                [sys.executable, "-c", _PROGRAM, str(root)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            # Where no process may be started, who needs the kernels compiles them.
            logging.getLogger(__name__).warning("no process to compile kernels in: %s", error)


def await_compiled() -> None:
    """Wait until what `compile_aside` began has ended."""
    with _LOCK:
        process = _compiling
    if process is not None:
        process.wait()


class WarmingScorer:
    """Scores with numpy until the kernels are ready, then with them. Safe for several threads."""

    def __init__(self, collection: Collection, threads: int) -> None:
        """Begin to compile, and score meanwhile; the arguments are those of `CompiledScorer`."""
        self.scorer: Scorer = PlainScorer(collection)
        """What scores at present."""
        compile_aside()
        self.change = threading.Thread(
            target=self._change, args=(collection, threads), name="bm25 kernels", daemon=True
        )
        """Ends when the kernels are in use."""
        self.change.start()

    def _change(self, collection: Collection, threads: int) -> None:
        from retrieval.bm25.compiled.scorer import CompiledScorer

        await_compiled()
        try:
            self.scorer = CompiledScorer(collection, threads)
        except Exception:
            logging.getLogger(__name__).exception("searching without compiled kernels")

    def find(self, terms: Sequence[bytes]) -> tuple[Array, Array, Array]:
        """Return first, stop and best of terms, each [terms, segments]; see `Scorer`."""
        return self.scorer.find(terms)

    def search(
        self, table: Table, queries: Weighted, k: int
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return ids and scores of the best documents, both [queries, k]."""
        return self.scorer.search(table, queries, k)
