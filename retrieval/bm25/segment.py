"""A segment: postings of up to 65,536 documents, independent of every other segment.

A segment knows its own terms and postings and nothing of the collection: document frequency,
number of documents and average length are summed over segments when a query comes, so segments
can be built, copied and searched apart. Document numbers within a segment take 16 bits. Instead of
a term's frequency and its document's length a posting holds the number of that pair in the
segment's list of distinct pairs, which also takes 16 bits (32 where the documents are so long that
there are more than 65,536 pairs): the impact is looked up without loss, whatever k1, b and the
average length are.

On disk a segment is a line of JSON (the header), the arrays it counts, each padded to 64 bytes, and
the SHA-256 of all that in 64 hexadecimal digits; segments follow one another in a file.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from corpus.errors import InputError

DOCUMENTS = 1 << 16
"""Most documents of a segment."""
ALIGNMENT = 64
DIGEST_BYTES = 64
FORMAT = "fanfold bm25+ segment 1"

REFERENCE = (1.5, 0.75)
"""k1 and b for which `best` names the posting of greatest impact."""

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """The arrays of one segment, over mapped memory once it is on disk."""

    size: int
    """Number of documents."""
    tokens: int
    """Sum of the documents' lengths."""
    source: str
    """SHA-256 of the texts and of the analyzer's identity: what a resumed build compares."""
    hashes: NDArray[np.uint32]
    """CRC-32 of each term, ascending: the order of the terms."""
    ends: NDArray[np.uint32]
    """Where each term ends in `spelling`; [0] is 0, so it is one longer than `hashes`."""
    spelling: NDArray[np.uint8]
    """The terms in UTF-8, one after another."""
    starts: NDArray[np.uint32]
    """Where each term's postings start; the last entry is where all end."""
    best: NDArray[Any]
    """The pair with the greatest impact among each term's postings, under `REFERENCE`."""
    documents: NDArray[np.uint16]
    """Document of each posting, ascending within a term."""
    pairs: NDArray[Any]
    """Number of the posting's (frequency, length) in the next two arrays; 16 or 32 bits."""
    frequency: NDArray[np.uint32]
    length: NDArray[np.uint32]

    def impacts(self, k1: float, b: float, average: float) -> NDArray[np.float64]:
        """Return (k1+1)·tf/(k1·(1−b+b·|d|/avgdl)+tf) of every pair."""
        norm = k1 * (1 - b + b * self.length / average)
        return (k1 + 1) * self.frequency / (norm + self.frequency)

    @property
    def average(self) -> float:
        """Average length of a document; 1 where all are empty, which keeps formulas defined."""
        return self.tokens / self.size if self.tokens else 1.0


_ARRAYS = {
    "hashes": "<u4", "ends": "<u4", "spelling": "|u1", "starts": "<u4", "best": "",
    "documents": "<u2", "pairs": "", "frequency": "<u4", "length": "<u4",
}  # fmt: skip
"""Type of each array; empty where it depends on the number of pairs."""


def hash_term(term: bytes) -> int:
    """Return the hash by which a segment orders its terms."""
    return zlib.crc32(term)


def pack(
    *, ids: NDArray[np.uint32], lengths: NDArray[np.uint32], terms: Sequence[bytes], source: str
) -> Segment:
    """Make a segment of analysed documents.

    Args:
        ids: the terms of all documents, one document after another, as indices into `terms`.
        lengths: number of terms of each document, at most 65,536 documents.
        terms: the distinct terms.
        source: see `Segment.source`.
    """
    hashes = np.fromiter(map(hash_term, terms), np.uint32, len(terms))
    order = np.argsort(hashes, kind="stable")
    rank = np.empty(len(terms), np.uint64)
    rank[order] = np.arange(len(terms), dtype=np.uint64)
    # One sort of (term, document) keys: numpy sorts 64-bit integers with vector instructions,
    # faster than a counting sort that jumps over memory.
    keys = rank[ids] << np.uint64(16)
    keys |= np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths)
    keys.sort()
    fresh = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    first = np.flatnonzero(fresh)
    frequency = np.diff(first, append=len(keys)).astype(np.uint32)
    keys = keys[first]
    documents = keys.astype(np.uint16)
    keys >>= np.uint64(16)
    starts = np.zeros(len(terms) + 1, np.uint32)
    np.cumsum(np.bincount(keys.view(np.int64), minlength=len(terms)), out=starts[1:])
    pair_frequency, pair_length, pairs = _number_pairs(frequency, lengths[documents])
    ordered = [terms[i] for i in order.tolist()]
    ends = np.zeros(len(terms) + 1, np.uint32)
    np.cumsum(np.fromiter(map(len, ordered), np.uint32, len(ordered)), out=ends[1:])
    tokens = int(lengths.sum(dtype=np.int64))
    k1, b = REFERENCE
    average = tokens / len(lengths) if tokens else 1.0
    impacts = (
        (k1 + 1) * pair_frequency / (k1 * (1 - b + b * pair_length / average) + pair_frequency)
    )
    return Segment(
        size=len(lengths),
        tokens=tokens,
        source=source,
        hashes=hashes[order],
        ends=ends,
        spelling=np.frombuffer(b"".join(ordered), np.uint8),
        starts=starts,
        best=_best_pairs(impacts, pairs, starts),
        documents=documents,
        pairs=pairs,
        frequency=pair_frequency,
        length=pair_length,
    )


def _number_pairs(
    frequency: NDArray[np.uint32], length: NDArray[np.uint32]
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], Array]:
    """Return the distinct (frequency, length) and the number of each posting's pair."""
    if not len(frequency):
        return frequency, length, np.zeros(0, np.uint16)
    width = int(length.max()) + 1
    flat = frequency.astype(np.int64) * width + length
    highest = int(flat.max()) + 1
    if highest <= 4 * len(flat) + (1 << 20):
        used = np.zeros(highest, bool)
        used[flat] = True
        distinct = np.flatnonzero(used)
        number = np.zeros(highest, np.uint32)
        number[distinct] = np.arange(len(distinct))
        pairs: Array = number[flat]
    else:
        distinct, pairs = np.unique(flat, return_inverse=True)
    kind = np.uint16 if len(distinct) <= DOCUMENTS else np.uint32
    return (
        (distinct // width).astype(np.uint32),
        (distinct % width).astype(np.uint32),
        pairs.astype(kind),
    )


def _best_pairs(impacts: NDArray[np.float64], pairs: Array, starts: NDArray[np.uint32]) -> Array:
    if not len(pairs):
        return np.zeros(0, pairs.dtype)
    # Pairs in order of impact, so that the greatest number is the greatest impact.
    order = np.argsort(impacts, kind="stable")
    rank = np.empty(len(order), pairs.dtype)
    rank[order] = np.arange(len(order)).astype(pairs.dtype)
    greatest = np.maximum.reduceat(rank[pairs], starts[:-1].astype(np.int64))
    return order.astype(pairs.dtype)[greatest]


def write(segment: Segment, file: BinaryIO) -> str:
    """Write a segment at the file's position and return its SHA-256, which also ends it."""
    arrays = {name: np.ascontiguousarray(getattr(segment, name)) for name in _ARRAYS}
    header = {
        "format": FORMAT,
        "size": segment.size,
        "tokens": segment.tokens,
        "source": segment.source,
        "counts": {name: len(array) for name, array in arrays.items()},
        "pair_bytes": segment.pairs.dtype.itemsize,
    }
    digest = hashlib.sha256()
    parts: list[bytes | memoryview] = [json.dumps(header).encode() + b"\n"]
    parts.extend(array.data.cast("B") for array in arrays.values() if len(array))
    for part in parts:
        for piece in (part, bytes(-len(part) % ALIGNMENT)):
            file.write(piece)
            digest.update(piece)
    file.write(digest.hexdigest().encode())
    return digest.hexdigest()


def read(data: memoryview, where: str) -> tuple[Segment, int]:
    """Return the segment at the start of `data`, without copying it, and its length in bytes.

    Args:
        data: the bytes of a file from the segment's start on.
        where: names the file in messages.

    Raises:
        InputError: the bytes are no segment, or not a whole one.
    """
    header, position = _read_header(data, where)
    arrays: dict[str, Array] = {}
    for name, (kind, count) in _layout(header, where).items():
        size = np.dtype(kind).itemsize * count
        if position + size > len(data):
            raise InputError(f"{where}: damaged or cut short: build the index again")
        arrays[name] = np.frombuffer(data[position : position + size], kind)
        position += size + -size % ALIGNMENT
    segment = Segment(
        size=int(header["size"]),
        tokens=int(header["tokens"]),
        source=str(header["source"]),
        **arrays,
    )
    return segment, position + DIGEST_BYTES


def checksum(data: memoryview) -> str | None:
    """Return the SHA-256 of a segment's bytes, None where it is not the one they end with."""
    digest = hashlib.sha256(data[:-DIGEST_BYTES]).hexdigest()
    return digest if bytes(data[-DIGEST_BYTES:]) == digest.encode() else None


def _read_header(data: memoryview, where: str) -> tuple[Mapping[str, Any], int]:
    """Return the header at the start of `data` and the length it takes."""
    line, newline, _ = bytes(data[:4096]).partition(b"\n")
    try:
        header = json.loads(line) if newline else None
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise InputError(f"{where}: not a BM25+ segment: build the index again")
    length = len(line) + 1
    return header, length + -length % ALIGNMENT


def _layout(header: Mapping[str, Any], where: str) -> dict[str, tuple[str, int]]:
    try:
        counts, wide = header["counts"], header["pair_bytes"] == 4
        layout = {
            name: (kind or ("<u4" if wide else "<u2"), int(counts[name]))
            for name, kind in _ARRAYS.items()
        }
        terms, postings = counts["hashes"], counts["documents"]
        fits = (
            min(count for _, count in layout.values()) >= 0
            and counts["ends"] == counts["starts"] == terms + 1
            and counts["best"] == terms
            and counts["pairs"] == postings
            and counts["frequency"] == counts["length"]
            and 0 <= int(header["size"]) <= DOCUMENTS
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{where}: damaged: build the index again") from error
    if not fits:
        raise InputError(f"{where}: damaged: build the index again")
    return layout
