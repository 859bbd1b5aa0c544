"""All segments of an index with the statistics that only the whole has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.errors import InputError
from retrieval.bm25.segment import REFERENCE, Array, Segment


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """Segments, and their impacts under given parameters and the collection's average length.

    Impacts of all segments stand in one array, each segment's padded with zeros to a power of two:
    a pair number from a damaged file is masked and stays inside.
    """

    folder: Path
    segments: Sequence[Segment]
    size: int
    """Number of documents, N."""
    base: NDArray[np.int64]
    """Number of each segment's first document, and N at the end."""
    start: NDArray[np.int64]
    """Where each segment's impacts start, and where all end."""
    values: NDArray[np.float64]
    """Impact of each pair, δ included."""
    ceilings: NDArray[np.float64]
    """At least the impact of every posting of a term, by the term's `Segment.best`."""

    @staticmethod
    def of(
        folder: Path,
        segments: Sequence[Segment],
        *,
        k1: float,
        b: float,
        delta: float,
        whole: tuple[int, int] | None = None,
        first: int = 0,
    ) -> Collection:
        """Sum up the segments' statistics and compute their impacts.

        Args:
            folder: of the index.
            segments: all, or those of a part.
            k1: of BM25+, as b and delta.
            b: see k1.
            delta: see k1.
            whole: documents and tokens of all segments, where these are a part.
            first: number of the first document.
        """
        size, tokens = whole or (
            sum(segment.size for segment in segments),
            sum(segment.tokens for segment in segments),
        )
        average = tokens / size if tokens else 1.0
        rooms = [1 << max(0, len(segment.frequency) - 1).bit_length() for segment in segments]
        start = np.zeros(len(segments) + 1, np.int64)
        np.cumsum(rooms, out=start[1:])
        values, ceilings = np.zeros(start[-1]), np.zeros(start[-1])
        for segment, at in zip(segments, start.tolist(), strict=False):
            if not len(segment.frequency):
                continue
            impacts = segment.impacts(k1, b, average)
            # `best` was chosen by other impacts: those of the segment's own average length. With
            # r the greatest ratio of the two, impact ≤ r · other ≤ r · other of `best`.
            other = segment.impacts(*REFERENCE, segment.average)
            values[at : at + len(impacts)] = delta + impacts
            ceilings[at : at + len(impacts)] = delta + (impacts / other).max() * other
        base = np.zeros(len(segments) + 1, np.int64)
        np.cumsum([segment.size for segment in segments], out=base[1:])
        base += first
        return Collection(
            folder=folder,
            segments=segments,
            size=size,
            base=base,
            start=start,
            values=values,
            ceilings=ceilings,
        )

    @staticmethod
    def unscored(folder: Path, segments: Sequence[Segment]) -> Collection:
        """Return segments of which terms are looked up and no document is scored: without impacts."""
        base = np.zeros(len(segments) + 1, np.int64)
        np.cumsum([segment.size for segment in segments], out=base[1:])
        return Collection(
            folder=folder,
            segments=segments,
            size=int(base[-1]),
            base=base,
            start=np.zeros(len(segments) + 1, np.int64),
            values=np.zeros(0),
            ceilings=np.zeros(0),
        )

    def bounds(self, best: Array) -> NDArray[np.float64]:
        """Return an upper bound of the impacts of terms, by their `Segment.best`.

        Args:
            best: [terms, segments].
        """
        mask = np.diff(self.start) - 1
        found: NDArray[np.float64] = self.ceilings[self.start[:-1] + (best & mask)]
        return found

    def check_ranges(self, first: Array, stop: Array) -> None:
        """Refuse ranges of postings, [terms, segments], that lie outside a segment's.

        Raises:
            InputError: a file is damaged.
        """
        postings = np.array([len(segment.documents) for segment in self.segments], np.int64)
        if ((first > stop) | (stop > postings)).any():
            raise InputError(f"{self.folder}: damaged: build the index again")

    def impacts(self, number: int, pairs: Array) -> NDArray[np.float64]:
        """Return the impacts of pairs of the segment of this number, δ included."""
        start, end = self.start[number], self.start[number + 1]
        found: NDArray[np.float64] = self.values[start:end][pairs & (end - start - 1)]
        return found
