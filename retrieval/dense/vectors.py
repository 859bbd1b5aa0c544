"""Embeddings of a whole snapshot on disk: float16, one row a chunk, written block by block.

Blocks are encoded in this process, or by the workers of a cluster; those come in any order, and
each is written to its place. The mark beside the file says which are there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.cluster import Seat, map_shards
from corpus.errors import InputError
from corpus.storage.manifest import replace_file
from retrieval.folders import MARK
from retrieval.types import Device, Embedder, Precision

Float16Matrix = NDArray[np.float16]
BLOCK = 1024
"""Rows between two marks: what a killed build has to encode again, half a minute on two cores."""
FILE = "vectors.f16"


Block = tuple[int, list[str]]
"""The first row, and the texts from there on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """Makes, in a worker, what encodes blocks by a model; see `retrieval.dense.embedders`."""

    spec: str
    name: str
    """The model that the first machine has under `spec`."""
    device: Device = "auto"
    precision: Precision = "float"

    def __call__(self) -> Callable[[Block], bytes]:
        """Load the model.

        Raises:
            InputError: it is not there, or another one is.
        """
        from retrieval.dense.embedders import open_embedder

        model = open_embedder(self.spec, device=self.device, precision=self.precision)
        if model.name != self.name:
            raise InputError(
                f"a worker has {model.name} where this machine has {self.name}: install the same"
            )
        return lambda block: _encode(model, block)


def write_vectors(
    texts: Iterable[str],
    folder: Path,
    embedder: Embedder,
    *,
    seats: Sequence[Seat[Block, bytes]] = (),
    block: int = BLOCK,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Float16Matrix:
    """Encode texts into `folder`/vectors.f16, but for the blocks that are there already.

    Args:
        texts: all of them, from the first, also when going on.
        folder: where the file and its mark stand.
        embedder: makes the vectors.
        seats: make them instead, by `Encoding`.
        block: texts encoded and flushed at a time.
        on_progress: called with the number of rows that are done, first with those found.

    Returns:
        float16 [texts, dim], memory-mapped.
    """
    width = embedder.dim * 2
    mark = _Mark.read(folder, block)
    pieces = _pieces(islice(texts, mark.rows, None), mark.rows, block, frozenset(mark.beyond))
    results: Iterator[tuple[Block, bytes]]
    if seats:
        results = map_shards([pieces], seats, name=lambda piece: f"the chunks from {piece[0]:,} on")
    else:
        results = ((piece, _encode(embedder, piece)) for piece in pieces)
    with (folder / FILE).open("r+b" if mark.rows or mark.beyond else "wb") as stream:
        on_progress(mark.done)
        for (start, lines), rows in results:
            stream.seek(start * width)
            stream.write(rows)
            stream.flush()
            os.fsync(stream.fileno())
            mark.add(start, len(lines))
            replace_file(folder / MARK, mark.text())
            on_progress(mark.done)
        # What a build that was killed wrote of a block is no part of it.
        stream.truncate(mark.rows * width)
    return open_vectors(folder, rows=mark.rows, dim=embedder.dim)


def _encode(model: Embedder, block: Block) -> bytes:
    return model.encode(block[1]).astype(np.float16).tobytes()


@dataclass(slots=True, kw_only=True)
class _Mark:
    """Which rows of an unfinished file are there."""

    rows: int
    """From the first on, without a gap."""
    block: int
    beyond: dict[int, int]
    """First row and length of the blocks after a gap."""

    @classmethod
    def read(cls, folder: Path, block: int) -> _Mark:
        try:
            values = json.loads((folder / MARK).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls(rows=0, block=block, beyond={})
        # Blocks of another size lie elsewhere.
        fits = values.get("block") == block
        beyond = {int(start): int(length) for start, length in values.get("beyond", ()) if fits}
        return cls(rows=int(values["rows"]), block=block, beyond=beyond)

    @property
    def done(self) -> int:
        return self.rows + sum(self.beyond.values())

    def add(self, start: int, length: int) -> None:
        self.beyond[start] = length
        while self.rows in self.beyond:
            self.rows += self.beyond.pop(self.rows)

    def text(self) -> bytes:
        beyond = sorted(self.beyond.items())
        return json.dumps({"rows": self.rows, "block": self.block, "beyond": beyond}).encode()


def open_vectors(folder: Path, *, rows: int, dim: int) -> Float16Matrix:
    """Map the vectors of a folder, float16 [rows, dim].

    Raises:
        InputError: the file is missing or of another size.
    """
    path = folder / FILE
    if not path.is_file() or path.stat().st_size != rows * dim * 2:
        raise InputError(f"{path} does not hold {rows} vectors of {dim}: build the index again")
    if rows == 0:
        return np.empty((0, dim), np.float16)
    return np.memmap(path, np.float16, "r", shape=(rows, dim))


def _pieces(texts: Iterator[str], start: int, size: int, there: Container[int]) -> Iterator[Block]:
    while lines := list(islice(texts, size)):
        if start not in there:
            yield start, lines
        start += len(lines)
