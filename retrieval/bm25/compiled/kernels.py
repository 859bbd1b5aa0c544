"""Scoring over mapped segments, written for numba to compile; see `native`.

A segment is gone through in blocks of 4,096 documents, whose sums stay in the first-level cache.
Terms come in ascending document frequency, and their contributions are added in that order in
float64, so that every path through the code, `plain` included, gives the same bits.

Pruning is MaxScore (Turtle and Flood, 1995) applied to long postings only: once the common terms
together cannot lift a document over the k-th best score so far, they are looked up for the few
documents that can still win instead of being read. Short postings are read in any case, since one
look-up costs as much as some hundred postings.

Nothing here can read or write out of bounds, whatever a damaged file says: places within a block
and pair numbers are masked, and ranges of postings are checked before they come here.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from retrieval.bm25.compiled.pointers import add, at, compiled

DOCUMENTS = 1 << 16
"""Documents of a segment."""
BLOCK = 4096
"""Documents scored at a time: 32 KiB of float64."""
LONG = 24576
"""Postings of a segment from which on a term may be looked up instead of read."""
SPARSE = 400
"""Postings of a block up to which it is cheaper to revisit them than to scan the block."""
SLACK = 1e-9
"""Relative margin on bounds, far above the rounding of a sum and far below any real difference."""


@compiled
def _is_worse(score, document, than, than_document):  # pragma: no cover
    return score < than or (score == than and document > than_document)


@compiled
def _push(heap, count, score, document):  # pragma: no cover
    """Put a document into the heap of the best k, whose root is the worst; return its size."""
    scores, documents, k = heap
    if count == k:
        _sift(heap, count, score, document)
        return count
    position = count
    while position > 0:
        parent = (position - 1) >> 1
        if not _is_worse(score, document, scores[parent], documents[parent]):
            break
        scores[position] = scores[parent]
        documents[position] = documents[parent]
        position = parent
    scores[position] = score
    documents[position] = document
    return count + 1


@compiled
def _sift(heap, count, score, document):  # pragma: no cover
    """Replace the root of the heap."""
    scores, documents, _ = heap
    position = 0
    while True:
        child = 2 * position + 1
        if child >= count:
            break
        other = child + 1
        if other < count and _is_worse(
            scores[other], documents[other], scores[child], documents[child]
        ):
            child = other
        if not _is_worse(scores[child], documents[child], score, document):
            break
        scores[position] = scores[child]
        documents[position] = documents[child]
        position = child
    scores[position] = score
    documents[position] = document


@compiled
def _read(postings, place, stop, low, weight, sums):  # pragma: no cover
    """Add a term's impacts in the block from document `low` on; return where the next begins."""
    documents, pairs, wide_pairs, wide, values, mask = postings
    last = low + BLOCK - 1
    if wide:
        while place < stop and documents[place] <= last:
            inside = (documents[place] - low) & (BLOCK - 1)
            sums[inside] += weight * values[wide_pairs[place] & mask]
            place += 1
    else:
        while place < stop and documents[place] <= last:
            inside = (documents[place] - low) & (BLOCK - 1)
            sums[inside] += weight * values[pairs[place] & mask]
            place += 1
    return place


@compiled
def _look_up(postings, place, stop, document):  # pragma: no cover
    """Return a term's impact in one document, 0 where it does not occur."""
    documents, pairs, wide_pairs, wide, values, mask = postings
    high = stop
    while place < high:
        middle = (place + high) >> 1
        if documents[middle] < document:
            place = middle + 1
        else:
            high = middle
    if place < stop and documents[place] == document:
        pair = np.int64(wide_pairs[place]) if wide else np.int64(pairs[place])
        return values[pair & mask]
    return 0.0


@compiled
def _count_above(sums, start, need):  # pragma: no cover
    """Count how many of 64 sums exceed `need`, in vector instructions."""
    count = 0
    for i in range(64):
        if sums[start + i] > need:
            count += 1
    return count


@compiled
def _offer(postings, terms, heap, count, read, score, document, base):  # pragma: no cover
    """Look up the impacts that were not read; put the document into the heap if it belongs."""
    places, stops, weights, rest, number = terms
    scores, documents, k = heap
    for t in range(read, number):
        if count == k and score + rest[t] < scores[0]:
            return count
        score += weights[t] * _look_up(postings, places[t], stops[t], document)
    if count == k and not _is_worse(scores[0], documents[0], score, base + document):
        return count
    return _push(heap, count, score, base + document)


@compiled
def _need(heap, count, rest):  # pragma: no cover
    """Return what the impacts read so far must exceed, if `rest` can still come."""
    scores, _, k = heap
    return max(0.0, (scores[0] - rest) * (1.0 - SLACK)) if count == k else 0.0


@compiled
def _score_segment(postings, terms, firsts, sums, heap, count, base):  # pragma: no cover
    """Score one segment's documents for one query into the heap; return the heap's size.

    Args:
        postings: documents, pairs as 16 and as 32 bits and which of the two holds, impact of each
            pair, and the mask that keeps pairs inside.
        terms: place reached in each term's postings, where they stop, the term's weight, the
            greatest sum that it and all terms after it can add, and the number of terms.
        firsts: where each term's postings start.
        sums: BLOCK zeros, and zeros again afterwards.
        heap: scores and documents, and how many it holds when it is full.
        count: how many it holds.
        base: number of the segment's first document.
    """
    documents = postings[0]
    places, stops, weights, rest, number = terms
    scores, _, k = heap
    for low in range(0, DOCUMENTS, BLOCK):
        # Terms from `read` on are looked up.
        read = number
        if count == k:
            while read > 0 and rest[read - 1] <= scores[0]:
                read -= 1
            if read == 0:
                # Later documents lose a tie: a segment that can at best draw is done with.
                break
            while read < number and stops[read] - firsts[read] < LONG:
                read += 1
        visited = 0
        for t in range(read):
            before = places[t]
            places[t] = _read(postings, before, stops[t], low, weights[t], sums)
            visited += places[t] - before
        if visited == 0:
            continue
        need = _need(heap, count, rest[read])
        if visited < SPARSE:
            for t in range(read):
                i = places[t] - 1
                while i >= firsts[t] and documents[i] >= low:
                    inside = (documents[i] - low) & (BLOCK - 1)
                    score = sums[inside]
                    sums[inside] = 0.0
                    if score > need:
                        count = _offer(
                            postings, terms, heap, count, read, score, low + inside, base
                        )
                    i -= 1
        else:
            for group in range(0, BLOCK, 64):
                if _count_above(sums, group, need) > 0:
                    for inside in range(group, group + 64):
                        if sums[inside] > need:
                            count = _offer(
                                postings, terms, heap, count, read, sums[inside], low + inside, base
                            )
                            need = _need(heap, count, rest[read])
                for inside in range(64):
                    sums[group + inside] = 0.0
    return count


@compiled
def search(arguments):  # pragma: no cover
    """Find the best documents of some segments for each query.

    Args:
        arguments: address of the int64 numbers unpacked below. Of the addresses among them,
            `query_start` int64 [queries + 1] says where each query's terms start in `rows` int64
            and `weights` float64, which are in ascending document frequency within a query;
            `first` and `stop` uint32 and `bounds` float64 [rows, segments] are a `Table`;
            `documents`, `pairs` and `wide` int64 [segments] hold the address of each segment's
            arrays and whether its pairs take 32 bits; `values` float64 and `value_start` int64
            [segments + 1] hold the impacts of pairs; `base` int64 the number of each segment's
            first document; `ids` int64 and `scores` float64 [queries, k] are filled, the former
            with -1 where there is no document; `space` float64 [BLOCK + 5 * longest query + 1],
            all 0 at first, is room for one thread to work in; `counters` int64 [2], 0 at first,
            count the queries that the threads at work on this batch have taken and answered;
            `patience` says how often to look, in the end, whether the others are done.
    """
    a = at(arguments, np.int64)
    queries, k, segments, begin, end, longest = a[0], a[1], a[2], a[3], a[4], a[5]
    query_start, rows, weights = at(a[6], np.int64), at(a[7], np.int64), at(a[8], np.float64)
    first, stop, bounds = at(a[9], np.uint32), at(a[10], np.uint32), at(a[11], np.float64)
    document_address, pair_address = at(a[12], np.int64), at(a[13], np.int64)
    wide, value_start, base = at(a[14], np.int64), at(a[15], np.int64), at(a[16], np.int64)
    taken, answered = at(a[20], np.int64), at(a[20] + 8, np.int64)
    space, patience = a[21], a[22]
    sums = at(space, np.float64)
    space += 8 * BLOCK
    places = at(space, np.int64)
    firsts = at(space + 8 * longest, np.int64)
    stops = at(space + 16 * longest, np.int64)
    used = at(space + 24 * longest, np.float64)
    rest = at(space + 32 * longest, np.float64)
    while True:
        q = add(taken, 1)
        if q >= queries:
            break
        heap_documents = at(a[18] + 8 * q * k, np.int64)
        heap_scores = at(a[19] + 8 * q * k, np.float64)
        heap = (heap_scores, heap_documents, k)
        for i in range(k):
            heap_documents[i] = -1
            heap_scores[i] = 0.0
        count = 0
        for s in range(begin, end):
            number = 0
            for i in range(query_start[q], query_start[q + 1]):
                cell = rows[i] * segments + s
                if stop[cell] > first[cell]:
                    places[number] = firsts[number] = first[cell]
                    stops[number] = stop[cell]
                    used[number] = weights[i]
                    rest[number] = weights[i] * bounds[cell] * (1.0 + SLACK)
                    number += 1
            rest[number] = 0.0
            for t in range(number - 1, -1, -1):
                rest[t] += rest[t + 1]
            if number == 0 or (count == k and rest[0] <= heap_scores[0]):
                continue
            documents = at(document_address[s], np.uint16)
            values = at(a[17] + 8 * value_start[s], np.float64)
            mask = value_start[s + 1] - value_start[s] - 1
            terms = (places, stops, used, rest, number)
            pairs, wide_pairs = at(pair_address[s], np.uint16), at(pair_address[s], np.uint32)
            postings = (documents, pairs, wide_pairs, wide[s], values, mask)
            count = _score_segment(postings, terms, firsts, sums, heap, count, base[s])
        # The heap lies in the result itself: taking the worst out again and again sorts it.
        while count > 1:
            count -= 1
            score, document = heap_scores[0], heap_documents[0]
            _sift(heap, count, heap_scores[count], heap_documents[count])
            heap_scores[count] = score
            heap_documents[count] = document
        add(answered, 1)
    while patience > 0 and add(answered, 0) < queries:
        patience -= 1
