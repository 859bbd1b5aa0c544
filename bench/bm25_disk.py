"""What smaller codings of BM25+ postings would save on disk, and cost a search. All without loss.

    python bench/bm25_disk.py [--chunks 65536] [--index DIR]

A posting as stored takes 32 bits: its document, and the number of its (frequency, length) pair. The
length follows from the document, and most frequencies are 1. Two codings use that: *by length* keeps
the document and the frequency in 8 bits, and a length for each document; *packed* keeps in blocks of
128 the gaps between documents and the frequencies, each in as many bits as the block's greatest needs.
Each is then searched by a compiled loop that adds up the same float64 impacts, in the same order, over
the longest postings; sums are compared bit by bit. Time is the processor's.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.bm25_corpus import DUMPS, generate_articles, measure_articles, read_articles  # noqa: E402
from retrieval.bm25 import BM25PlusIndex  # noqa: E402
from retrieval.bm25.store import open_files  # noqa: E402

BLOCK = 128
LISTS = 200
"""Longest postings that are searched."""


@njit
def add_stored(documents: Any, pairs: Any, impacts: Any, sums: Any) -> None:
    """Add the impacts of postings as they are stored."""
    for i in range(len(documents)):
        sums[documents[i]] += impacts[pairs[i]]


@njit
def add_by_length(documents: Any, frequencies: Any, lengths: Any, table: Any, sums: Any) -> None:
    """Add the impacts of postings that hold a frequency, the length looked up by document."""
    for i in range(len(documents)):
        document = documents[i]
        sums[document] += table[frequencies[i], lengths[document]]


@njit
def add_packed(words: Any, widths: Any, count: int, lengths: Any, table: Any, sums: Any) -> None:
    """Add the impacts of packed postings: in each block the gaps, then the frequencies less 1."""
    at, document, ids = 0, -1, np.empty(BLOCK, np.int64)
    for block in range(len(widths)):
        size = min(BLOCK, count - block * BLOCK)
        for part in range(2):
            width = widths[block, part]
            mask = (np.uint64(1) << np.uint64(width)) - np.uint64(1)
            for i in range(size):
                place = at + i * width
                word, shift = place >> 6, np.uint64(place & 63)
                value = words[word] >> shift
                if shift + np.uint64(width) > np.uint64(64):
                    value |= words[word + 1] << (np.uint64(64) - shift)
                number = np.int64(value & mask)
                if part == 0:
                    document += number + 1
                    ids[i] = document
                else:
                    sums[ids[i]] += table[number + 1, lengths[ids[i]]]
            at += size * width


def pack(documents: Any, frequencies: Any) -> tuple[Any, Any]:
    """Return the words and the widths of `add_packed`."""
    gaps = np.diff(documents.astype(np.int64), prepend=-1) - 1
    widths, bits = [], []
    for start in range(0, len(gaps), BLOCK):
        row = []
        for values in (gaps, frequencies.astype(np.int64) - 1):
            block = values[start : start + BLOCK]
            row.append(int(block.max()).bit_length())
            bits.append(
                (block[:, None] >> np.arange(row[-1])[None, :] & 1).astype(np.uint8).ravel()
            )
        widths.append(row)
    packed = np.packbits(np.concatenate(bits), bitorder="little")
    words = np.zeros(len(packed) // 8 + 2, np.uint64)
    words.view(np.uint8)[: len(packed)] = packed
    return words, np.array(widths, np.int64)


def seconds(work: Callable[[], None]) -> float:
    """Return the least processor time of a few runs."""
    taken = []
    for _ in range(7):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def measure(folder: Path) -> None:
    """Print bits and nanoseconds a posting of each coding, for the first segment of an index."""
    manifest, segments = open_files(folder, False)
    segment = segments[0]
    frequencies = segment.frequency[segment.pairs]
    lengths = np.zeros(segment.size, np.uint16)
    lengths[segment.documents] = segment.length[segment.pairs]
    k1, b = manifest["parameters"]["k1"], manifest["parameters"]["b"]
    impacts = segment.impacts(k1, b, segment.average)
    table = np.zeros((int(frequencies.max()) + 1, int(lengths.max()) + 1))
    table[segment.frequency, segment.length] = impacts
    starts = segment.starts.astype(np.int64)
    packed_bits = 0
    sizes = np.diff(starts)
    longest = set(np.argsort(-sizes)[:LISTS].tolist())
    lists = []
    for term in range(len(sizes)):
        here = slice(starts[term], starts[term + 1])
        parts = segment.documents[here], segment.pairs[here], frequencies[here].astype(np.uint8)
        if term in longest:
            lists.append((*parts, *pack(parts[0], parts[2])))
            packed_bits += 64 * len(lists[-1][3]) + 16 * len(lists[-1][4])
        else:
            gaps = np.diff(parts[0].astype(np.int64), prepend=-1) - 1
            for start in range(0, len(gaps), BLOCK):
                block = slice(start, start + BLOCK)
                width = int(gaps[block].max()).bit_length()
                width += (int(parts[2][block].max()) - 1).bit_length()
                packed_bits += 16 + len(gaps[block]) * width
    count, shared = len(segment.documents), 16 * segment.size
    sums = [np.zeros(segment.size) for _ in range(3)]
    works: list[tuple[str, float, Callable[[], None]]] = [
        (
            "as stored",
            32.0,
            lambda: [add_stored(d, p, impacts, sums[0]) for d, p, *_ in lists] and None,
        ),
        (
            "by length",
            24 + shared / count,
            lambda: (
                [add_by_length(d, f, lengths, table, sums[1]) for d, _, f, *_ in lists] and None
            ),
        ),
        (
            "packed",
            (packed_bits + shared) / count,
            lambda: (
                [add_packed(w, s, len(d), lengths, table, sums[2]) for d, _, _, w, s in lists]
                and None
            ),
        ),
    ]
    total = sum(len(one[0]) for one in lists)
    print(f"{segment.size:,} documents, {count:,} postings, {len(sizes):,} terms")
    terms = sum(one.nbytes for one in (segment.hashes, segment.ends, segment.spelling))
    terms += segment.starts.nbytes + segment.best.nbytes
    print(f"beside the postings {terms / 1e6:.1f} MB of terms; as stored {4 * count / 1e6:.1f} MB")
    for name, bits, work in works:
        work()
        print(f"{name:12}{bits:7.1f} bits a posting{seconds(work) / total * 1e9:8.2f} ns")
    for other in sums[1:]:
        assert np.array_equal(sums[0].view(np.uint64), other.view(np.uint64))
    print("the sums are the same bits")


def main() -> None:
    """Read the command line, draw chunks where no index is named, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--chunks", type=int, default=65536)
    parser.add_argument("--index", type=Path)
    arguments = parser.parse_args()
    if arguments.index:
        measure(arguments.index)
        return
    with tempfile.TemporaryDirectory(prefix="bm25-disk-") as scratch:
        statistics = measure_articles(read_articles(DUMPS))
        BM25PlusIndex.build(generate_articles(statistics, arguments.chunks), scratch + "/index")
        measure(Path(scratch) / "index")


if __name__ == "__main__":
    main()
