"""Look-up of terms in mapped segments, written for numba to compile; see `native`.

Spellings are compared only inside their array, whatever a damaged file says; the ranges found are
checked by who asked for them.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from retrieval.bm25.compiled.pointers import at, compiled


@compiled
def find(arguments):  # pragma: no cover
    """Look terms up in every segment.

    Args:
        arguments: address of the int64 numbers unpacked below. Of the addresses among them,
            `hashes` uint32 [wanted], `ends` int64 [wanted + 1] and `spelling` uint8 hold the
            CRC-32 and the letters of the wanted terms; the nine after them, int64 [segments],
            each segment's number of terms, the length of its spelling, whether its pairs take 32
            bits, the addresses of its arrays, and how far from its expected place a hash is looked
            for before the whole list is; `first`, `stop` and `best` uint32 [wanted, segments],
            all 0, are filled.
    """
    a = at(arguments, np.int64)
    wanted, segments = a[0], a[1]
    hashes, ends, spelling = at(a[2], np.uint32), at(a[3], np.int64), at(a[4], np.uint8)
    terms, letters, wide = at(a[5], np.int64), at(a[6], np.int64), at(a[7], np.int64)
    hash_address, end_address, spelling_address = (
        at(a[8], np.int64), at(a[9], np.int64), at(a[10], np.int64),
    )  # fmt: skip
    start_address, best_address = at(a[11], np.int64), at(a[12], np.int64)
    reach = at(a[13], np.int64)
    first, stop, best = at(a[14], np.uint32), at(a[15], np.uint32), at(a[16], np.uint32)
    for s in range(segments):
        own_hashes = at(hash_address[s], np.uint32)
        own_ends = at(end_address[s], np.uint32)
        own_spelling = at(spelling_address[s], np.uint8)
        starts = at(start_address[s], np.uint32)
        count = terms[s]
        for i in range(wanted):
            # CRC-32 spreads evenly, so a hash stands near its share of the list.
            guess = (np.int64(hashes[i]) * count) >> 32
            low, high = max(0, guess - reach[s]), min(count, guess + reach[s])
            if low > 0 and own_hashes[low - 1] >= hashes[i]:
                low = 0
            if high < count and own_hashes[high] < hashes[i]:
                high = count
            while low < high:
                middle = (low + high) >> 1
                if own_hashes[middle] < hashes[i]:
                    low = middle + 1
                else:
                    high = middle
            length = ends[i + 1] - ends[i]
            while low < count and own_hashes[low] == hashes[i]:
                start, end = np.int64(own_ends[low]), np.int64(own_ends[low + 1])
                same = end - start == length and end <= letters[s]
                j = 0
                while same and j < length:
                    same = own_spelling[start + j] == spelling[ends[i] + j]
                    j += 1
                if same:
                    cell = i * segments + s
                    first[cell] = starts[low]
                    stop[cell] = starts[low + 1]
                    if wide[s]:
                        best[cell] = at(best_address[s], np.uint32)[low]
                    else:
                        best[cell] = at(best_address[s], np.uint16)[low]
                    break
                low += 1
