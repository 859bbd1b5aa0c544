"""Nearest vectors by inner product: the one file that imports FAISS.

An index is made from unit vectors kept as float16 (`retrieval.vectors`). What FAISS structure
holds them is chosen by their number, see `choose_factory`, or given as a factory string. The
stored vectors stay beside it: a compressed index is searched for more candidates than asked, and
those are ranked again by their stored vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import BackendError, InputError
from retrieval.owner import OwnedIndex
from retrieval.types import Float32Matrix, Ids
from retrieval.vectors import Float16Matrix

FILE = "index.faiss"
FLAT_ROWS = 20_000
SCALAR_ROWS = 400_000
INVERTED_ROWS = 8_000_000
TRAINING_PER_LIST = 40
"""Training vectors for each list of an inverted file; FAISS warns below 39."""
ADD_BLOCK = 65_536
PROBED_SHARE = 8
"""An inverted file of n lists looks into n / PROBED_SHARE of them: a sixteenth finds 0.90 of the
ten nearest among real chunks, an eighth 0.95."""
PROBES = (64, 512)
"""Lists looked into, at least and at most."""
REFINED = 10
"""Candidates ranked again for each hit asked for, where the index is compressed."""


def choose_factory(rows: int, dim: int) -> str:
    """Return the FAISS factory string for this many vectors.

    - to 20,000: `Flat`, exact, 30 MB at most;
    - to 400,000: `SQfp16`, every vector in half the memory, recall 0.999;
    - to 8 million: `IVF…,SQfp16`, an eighth of the lists, at most 512, read from the mapped file;
    - beyond: `IVF…,PQ…`, dim / 4 bytes a vector, ranked again by the stored vectors.

    The number of lists is the power of two next above 4 * sqrt(rows), FAISS's own guideline.
    """
    if rows <= FLAT_ROWS:
        return "Flat"
    if rows <= SCALAR_ROWS:
        return "SQfp16"
    lists = 1 << int(np.ceil(np.log2(4 * np.sqrt(rows))))
    if rows <= INVERTED_ROWS:
        return f"IVF{lists},SQfp16"
    return f"IVF{lists},PQ{dim // 4 if dim % 4 == 0 else 1}"


def probed(lists: int) -> int:
    """Return into how many of an inverted file's lists a search looks."""
    return min(max(PROBES[0], lists // PROBED_SHARE), PROBES[1])


def build_dense(vectors: Float16Matrix, folder: Path, factory: str = "auto") -> str:
    """Build the FAISS index of `vectors` in `folder` and return its factory string.

    Structures that need training are trained on a sample drawn evenly over the rows. Memory is
    that of the index, the sample and one block.

    Raises:
        InputError: FAISS does not know the factory string, or cannot train it on so few vectors.
    """
    import faiss

    rows, dim = vectors.shape
    chosen = choose_factory(rows, dim) if factory == "auto" else factory
    try:
        index = faiss.index_factory(dim, chosen, faiss.METRIC_INNER_PRODUCT)
    except RuntimeError as error:
        raise InputError(
            f"--faiss {chosen}: FAISS cannot make such an index of {dim} dimensions; "
            "give `auto` or a factory string such as Flat, SQfp16, IVF1024,SQfp16"
        ) from error
    if not index.is_trained:
        inner = _inverted(index)
        needed = 65_536 if inner is None else max(65_536, TRAINING_PER_LIST * inner.nlist)
        sample = vectors[:: max(1, rows // needed)][:needed].astype(np.float32)
        try:
            index.train(sample)
        except RuntimeError as error:
            raise InputError(
                f"--faiss {chosen}: {rows} vectors are too few to train it; give `auto` or `Flat`"
            ) from error
    for start in range(0, rows, ADD_BLOCK):
        index.add(vectors[start : start + ADD_BLOCK].astype(np.float32))
    faiss.write_index(index, str(folder / FILE))
    return chosen


class DenseIndex:
    """Searches the vectors of one index folder. Safe to call from several threads on a CPU."""

    def __init__(self, index: Any, vectors: Float16Matrix, *, fine: bool) -> None:
        """Wrap a FAISS index; `fine` says that its scores need no ranking by stored vectors."""
        self.structure = index
        self.vectors = vectors
        self.fine = fine

    @classmethod
    def open(cls, folder: Path, vectors: Float16Matrix, *, probes: int | None = None) -> DenseIndex:
        """Open the index of a folder, memory-mapped.

        Raises:
            InputError: the file is missing, damaged or of other vectors.
        """
        import faiss

        path = folder / FILE
        try:
            index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
        except RuntimeError as error:
            raise InputError(f"{path}: FAISS cannot read it: build the index again") from error
        if (index.ntotal, index.d) != vectors.shape:
            raise InputError(
                f"{path} holds {index.ntotal} vectors of {index.d}, the stored ones are "
                f"{vectors.shape[0]} of {vectors.shape[1]}: build the index again"
            )
        inner = _inverted(index)
        if inner is not None:
            inner.nprobe = min(inner.nlist, probes or probed(inner.nlist))
        uncompressed = (faiss.IndexFlat, faiss.IndexScalarQuantizer, faiss.IndexIVFFlat)
        fine = isinstance(index, (*uncompressed, faiss.IndexIVFScalarQuantizer))
        return cls(index, vectors, fine=fine)

    @property
    def size(self) -> int:
        """Number of vectors."""
        return int(self.structure.ntotal)

    def search(self, queries: Float32Matrix, k: int) -> tuple[Ids, Float32Matrix]:
        """Return the rows and inner products of the nearest vectors, both [len(queries), k].

        Best first; the rest of a line is row -1 with score 0.
        """
        lines = np.ascontiguousarray(queries, np.float32)
        width = min(k, self.size)
        if width == 0 or len(lines) == 0:
            return pad(np.empty((len(lines), 0), np.int64), np.empty((len(lines), 0)), k)
        if self.fine:
            scores, rows = self.structure.search(lines, width)
            return pad(rows, scores, k)
        _, rows = self.structure.search(lines, min(width * REFINED, self.size))
        return self._rank_again(lines, rows, k)

    def score(self, queries: Float32Matrix, rows: Sequence[int] | Ids) -> Float32Matrix:
        """Return the inner products with the stored vectors at `rows`, [len(queries), rows]."""
        stored = np.asarray(self.vectors[np.asarray(rows, np.int64)], np.float32)
        return np.asarray(queries @ stored.T, np.float32)

    def _rank_again(self, queries: Float32Matrix, rows: Ids, k: int) -> tuple[Ids, Float32Matrix]:
        best = np.full((len(queries), k), -1, np.int64)
        scores = np.zeros((len(queries), k), np.float32)
        for line, found in enumerate(rows):
            # Ascending rows read the file from front to back.
            wanted = np.sort(found[found >= 0])
            values = self.score(queries[line : line + 1], wanted)[0]
            order = np.argsort(-values, kind="stable")[:k]
            best[line, : len(order)] = wanted[order]
            scores[line, : len(order)] = values[order]
        return best, scores


def pad(rows: Ids, scores: NDArray[Any], k: int) -> tuple[Ids, Float32Matrix]:
    """Widen results to k columns and mark what FAISS did not find: row -1, score 0."""
    if rows.shape[1] == k and (rows.size == 0 or rows.min() >= 0):
        return rows, scores
    wide = np.full((len(rows), k), -1, np.int64)
    values = np.zeros((len(rows), k), np.float32)
    wide[:, : rows.shape[1]] = rows
    values[:, : rows.shape[1]] = np.where(rows >= 0, scores, 0)
    return wide, values


def _inverted(index: Any) -> Any | None:
    """Return the inverted file inside an index, or None where there is none."""
    import faiss

    try:
        return faiss.extract_index_ivf(index)
    except RuntimeError:
        return None


def move_to_gpu(index: DenseIndex) -> OwnedIndex:
    """Copy an index to the first GPU, behind the one thread that may call it.

    FAISS on a GPU is not safe for concurrent callers, readers included.

    Raises:
        InputError: this FAISS has no GPU code, or there is no device.
        BackendError: the device cannot hold the index.
    """
    import faiss

    if not hasattr(faiss, "StandardGpuResources"):
        raise InputError(
            "--device gpu: the installed FAISS has no GPU code; pip uninstall faiss-cpu, "
            "pip install 'fanfold[gpu]', or use --device cpu"
        )
    if faiss.get_num_gpus() == 0:
        raise InputError("--device gpu: FAISS sees no NVIDIA device here; use --device cpu")
    options = faiss.GpuClonerOptions()
    options.useFloat16 = True
    try:
        resources = faiss.StandardGpuResources()
        copied = faiss.index_cpu_to_gpu(resources, 0, index.structure, options)
    except RuntimeError as error:
        raise BackendError(
            f"the GPU cannot hold this index ({str(error)[:200]}); use --device cpu, or build one "
            "of IVF…,PQ… with --faiss"
        ) from error
    return OwnedIndex(DenseIndex(copied, index.vectors, fine=index.fine), keep=resources)
