"""A retriever over the texts that come with one sample: its own evidence, and nothing else."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from corpus.chunk import spans
from corpus.types import Chunk, Revision
from evals.types import Passage
from retrieval.bm25 import BM25PlusIndex
from retrieval.types import Hit

SOURCE = "passages"


class PassageRetriever:
    """Ranks the chunks of a few given texts with BM25+.

    Args:
        passages: the texts, in the order of the data; they have no revision, so their number stands
            for the page's and the revision's id.
        language: of the texts.
    """

    def __init__(self, passages: Sequence[Passage], language: str = "en") -> None:
        self._chunks = [
            chunk
            for number, passage in enumerate(passages, start=1)
            for chunk in _chunks_of(number, passage)
        ]
        # The index is a folder by nature; that of a handful of chunks is written in milliseconds,
        # and stays mapped after its files are gone.
        with tempfile.TemporaryDirectory(prefix="fanfold-passages-") as folder:
            texts = [f"{chunk.revision.title}\n{chunk.text}" for chunk in self._chunks]
            place = Path(folder) / "bm25"
            BM25PlusIndex.build(texts, place, analyzer=language)
            self._index = BM25PlusIndex.open(place)

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query; a query that matches nothing gets them all.

        A passage is evidence whatever its words: where none matches, the order is the data's.
        """
        ids, scores = self._index.search(queries, min(k, len(self._chunks)))
        found = []
        for row, values in zip(ids.tolist(), scores.tolist(), strict=True):
            ranked = [
                (number, score) for number, score in zip(row, values, strict=True) if number >= 0
            ]
            seen = {number for number, _ in ranked}
            ranked += [(n, 0.0) for n in range(len(self._chunks)) if n not in seen][
                : k - len(ranked)
            ]
            found.append(
                [
                    Hit(chunk=self._chunks[number], score=score, rank=rank, source=SOURCE)
                    for rank, (number, score) in enumerate(ranked, start=1)
                ]
            )
        return found


def _chunks_of(number: int, passage: Passage) -> list[Chunk]:
    revision = Revision(page_id=number, rev_id=number, title=passage.title, timestamp="", url="")
    return [
        Chunk(
            id=f"{number}:{number}:{ordinal}",
            revision=revision,
            start=start,
            end=end,
            section="",
            text=passage.text[start:end],
        )
        for ordinal, (start, end) in enumerate(spans(passage.text))
    ]
