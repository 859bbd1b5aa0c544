"""Nearest vectors by inner product: the one file that imports FAISS.

An index is made from unit vectors kept as float16 (`retrieval.dense.vectors`). What FAISS structure
holds them is chosen by their number, see `choose_factory`, or given as a factory string. The
stored vectors stay beside it: an index is searched for more candidates than asked, and those are
ranked again by their stored vectors, line by line, so that no result depends on how FAISS
compressed a vector, on the device, or on the other queries of a batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from corpus.errors import BackendError, InputError
from retrieval.dense.vectors import Float16Matrix
from retrieval.ranking.owner import OwnedIndex
from retrieval.types import Float32Matrix, Ids

FILE = "index.faiss"
FLAT_ROWS = 20_000
SCALAR_ROWS = 400_000
INVERTED_ROWS = 8_000_000
TRAINING_PER_LIST = 40
"""Training vectors for each list of an inverted file; FAISS warns below 39."""
ADD_BLOCK = 65_536
_RANKED_AT_ONCE = 32
"""Queries whose candidates are read from the stored vectors at a time, to bound the memory."""
PROBED_SHARE = 8
"""An inverted file of n lists looks into n / PROBED_SHARE of them: a sixteenth finds 0.90 of the
ten nearest among real chunks, an eighth 0.95."""
PROBES = (64, 512)
"""Lists looked into, at least and at most."""
REFINED = 10
"""Candidates ranked again for each hit asked for, where the index is compressed."""
SPARE = 8
"""Candidates more than asked for where it is not: FAISS adds up a batch in another order than a
single query, which moves scores by some 1e-7 and may swap neighbours at the cut."""
GPU_K = 2048
"""Most rows that a GPU index of FAISS returns for a query."""
GPU_CODE_SIZES = (96, 64, 56, 48, 40, 32, 28, 24, 20, 16, 12, 8, 4, 3, 2, 1)
"""Bytes a vector that FAISS's product quantiser takes on a GPU, largest first."""


def choose_factory(rows: int, dim: int) -> str:
    """Return the FAISS factory string for this many vectors.

    - to 20,000: `Flat`, exact, 30 MB at most;
    - to 400,000: `SQfp16`, every vector in half the memory, recall 0.999;
    - to 8 million: `IVF…,SQfp16`, an eighth of the lists, at most 512, read from the mapped file;
    - beyond: `IVF…,PQ…`, about dim / 4 bytes a vector, in a size that a GPU takes too.

    The number of lists is the power of two next above 4 * sqrt(rows), FAISS's own guideline.
    """
    if rows <= FLAT_ROWS:
        return "Flat"
    if rows <= SCALAR_ROWS:
        return "SQfp16"
    lists = 1 << int(np.ceil(np.log2(4 * np.sqrt(rows))))
    if rows <= INVERTED_ROWS:
        return f"IVF{lists},SQfp16"
    return f"IVF{lists},PQ{_code_size(dim)}"


def _code_size(dim: int) -> int:
    """Return the bytes a vector that a product quantiser gets: most of those a GPU knows."""
    fitting = (size for size in GPU_CODE_SIZES if dim % size == 0 and 4 * size <= dim)
    return next(fitting, 1)


def probed(lists: int) -> int:
    """Return into how many of an inverted file's lists a search looks."""
    return min(max(PROBES[0], lists // PROBED_SHARE), PROBES[1])


def check_factory(factory: str, dim: int = 64) -> None:
    """Refuse a factory string that FAISS does not know, before vectors are made for it.

    Args:
        factory: the string, or "auto".
        dim: of the vectors; what only fits another number is found when they are there.

    Raises:
        InputError: FAISS does not know it.
    """
    if factory == "auto":
        return
    import faiss

    try:
        index = faiss.index_factory(dim, factory, faiss.METRIC_INNER_PRODUCT)
        inner = _inverted(index)
        if inner is not None and inner.nlist < 1:
            raise ValueError("an inverted file has one list at least")
    except (RuntimeError, ValueError, TypeError) as error:
        raise InputError(
            f"--faiss {factory}: FAISS does not know this ({_reason(error)}); "
            "give `auto`, or a factory string such as `Flat` or `IVF1024,SQfp16`"
        ) from error


def _reason(error: Exception) -> str:
    """Return what FAISS says is wrong, without where in its source it says so."""
    lines = str(error).split(": ")
    return lines[-1].strip()[:200]


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

    def __init__(
        self, index: Any, vectors: Float16Matrix, *, fine: bool, most: int | None = None
    ) -> None:
        """Wrap a FAISS index.

        Args:
            index: the FAISS structure, of either device.
            vectors: stored, float16 [rows, dim].
            fine: whether its scores are those of the stored vectors, but for rounding.
            most: rows that one search of the structure may return; None for no limit.
        """
        self.structure = index
        self.vectors = vectors
        self.fine = fine
        self.most = index.ntotal if most is None else min(most, index.ntotal)

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
        return cls(index, vectors, fine=_keeps_vectors(index))

    @property
    def size(self) -> int:
        """Number of vectors."""
        return int(self.structure.ntotal)

    def search(self, queries: Float32Matrix, k: int) -> tuple[Ids, Float32Matrix]:
        """Return the rows and inner products of the nearest vectors, both [len(queries), k].

        Best first, equal ones by row; the rest of a line is row -1 with score 0.

        Raises:
            InputError: more rows are asked for than the structure can return.
        """
        lines = np.ascontiguousarray(queries, np.float32)
        best = np.full((len(lines), k), -1, np.int64)
        scores = np.zeros((len(lines), k), np.float32)
        wanted = min(k, self.size)
        if wanted == 0 or len(lines) == 0:
            return best, scores
        if wanted > self.most:
            raise InputError(f"{wanted} rows asked for, this index returns {self.most} at most")
        width = wanted + SPARE if self.fine else wanted * REFINED
        _, rows = self.structure.search(lines, min(width, self.most))
        for start in range(0, len(lines), _RANKED_AT_ONCE):
            block = slice(start, start + _RANKED_AT_ONCE)
            found, values = self._rank_again(lines[block], rows[block], wanted)
            best[block, : found.shape[1]], scores[block, : found.shape[1]] = found, values
        return best, scores

    def score(self, queries: Float32Matrix, rows: Sequence[int] | Ids) -> Float32Matrix:
        """Return the inner products with the stored vectors at `rows`, [len(queries), rows]."""
        stored = np.asarray(self.vectors[np.asarray(rows, np.int64)], np.float32)
        return np.asarray(queries @ stored.T, np.float32)

    def _rank_again(self, queries: Float32Matrix, rows: Ids, k: int) -> tuple[Ids, Float32Matrix]:
        # Ascending rows read the file from front to back; a row that is none sorts to the front.
        rows = np.sort(rows, axis=1)
        # Read and widened once, however many of the queries they are near to.
        near, places = np.unique(rows, return_inverse=True)
        stored = self.vectors[near].astype(np.float32)[places.reshape(rows.shape)]
        # Not a matrix product: BLAS adds up a single line in another order than many.
        values = np.einsum("ld,lrd->lr", queries, stored)
        values[rows < 0] = -np.inf
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        rows = np.take_along_axis(rows, order, axis=1)
        values = np.take_along_axis(values, order, axis=1)
        return rows, np.where(rows >= 0, values, 0).astype(np.float32)


def _inverted(index: Any) -> Any | None:
    """Return the inverted file inside an index, or None where there is none."""
    import faiss

    try:
        return faiss.extract_index_ivf(index)
    except RuntimeError:
        return None


def _keeps_vectors(index: Any) -> bool:
    """Tell whether a FAISS index holds every vector in at least the 16 bits of the stored ones."""
    import faiss

    if isinstance(index, (faiss.IndexScalarQuantizer, faiss.IndexIVFScalarQuantizer)):
        return index.sq.qtype == faiss.ScalarQuantizer.QT_fp16
    return isinstance(index, (faiss.IndexFlat, faiss.IndexIVFFlat))


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
    on_device = DenseIndex(copied, index.vectors, fine=index.fine, most=GPU_K)
    return OwnedIndex(on_device, beyond=index, keep=resources)
