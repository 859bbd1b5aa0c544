"""Hits as a state holds them: made into objects when first read, into bytes when first written.

They are most of a state, which is written after every step: the same hits are packed once however
often they are written, and without checkpoints never.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, overload

import ormsgpack

from corpus.types import Chunk, Revision
from retrieval.types import Hit

_CHUNK = attrgetter("id", "start", "end", "section", "text")
_REVISION = attrgetter("page_id", "rev_id", "title", "timestamp", "url", "caveat")
_RANK = attrgetter("score", "rank", "source")


class Hits(Sequence[Hit]):
    """Hits in their order. Never changed once made.

    Args:
        hits: in order.
        packed: what `packed` of others was, in place of `hits`.
    """

    __slots__ = ("_hits", "_packed")

    def __init__(self, hits: Iterable[Hit] = (), *, packed: bytes | None = None) -> None:
        self._packed = packed
        self._hits: tuple[Hit, ...] | None = tuple(hits) if packed is None else None

    @property
    def packed(self) -> bytes:
        """The hits as MessagePack: a plain array is written forty times faster than dataclasses."""
        if self._packed is None:
            rows = [
                (*_CHUNK(hit.chunk), *_REVISION(hit.chunk.revision), *_RANK(hit)) for hit in self
            ]
            self._packed = ormsgpack.packb(rows)
        return self._packed

    def _all(self) -> tuple[Hit, ...]:
        if self._hits is None:
            assert self._packed is not None
            self._hits = tuple(map(_hit, ormsgpack.unpackb(self._packed)))
        return self._hits

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Hit]:
        return iter(self._all())

    @overload
    def __getitem__(self, place: int) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, place: int | slice) -> Hit | tuple[Hit, ...]:
        return self._all()[place]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hits) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return f"Hits({list(self._all())!r})"


NO_HITS = Hits()


def _hit(row: Sequence[Any]) -> Hit:
    id_, start, end, section, text, page_id, rev_id, title, time, url, caveat, score, rank, of = row
    revision = Revision(
        page_id=page_id, rev_id=rev_id, title=title, timestamp=time, url=url, caveat=caveat
    )
    chunk = Chunk(id=id_, revision=revision, start=start, end=end, section=section, text=text)
    return Hit(chunk=chunk, score=score, rank=rank, source=of)
