"""Segments made by the workers of a cluster, in any order, and put into the log in theirs.

A segment that comes before its turn waits in a file named by the digest of its texts: a build that
was killed finds it there, whoever made it.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import zstandard

from corpus.cluster import Seat, map_shards
from corpus.errors import InputError
from corpus.storage.manifest import replace_file
from retrieval.bm25 import segment as segments
from retrieval.bm25.segment import Segment
from retrieval.bm25.store import SegmentLog

WAITING = 4
"""Segments' texts, some 20 MB each when packed, that wait for a worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Texts:
    """The texts of one segment."""

    source: str
    """See `retrieval.bm25.segment.Segment.source`."""
    packed: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Packing:
    """Makes, in a worker, what makes segments of texts."""

    analyzer: str
    """By name."""

    def __call__(self) -> Callable[[Texts], bytes]:
        """Make the analyzer."""
        from retrieval.bm25.build import make_segment
        from retrieval.terms.analyzers import analyzer

        analyse = analyzer(self.analyzer)

        def pack(texts: Texts) -> bytes:
            batch = pickle.loads(zstandard.decompress(texts.packed))  # noqa: S301 - from `_pack`
            file = BytesIO()
            segments.write(make_segment(batch, analyse, texts.source), file)
            return file.getvalue()

        return pack


def fill_log(
    log: SegmentLog,
    folder: Path,
    batches: Iterable[tuple[str, Sequence[str]]],
    seats: Sequence[Seat[Texts, bytes]],
) -> None:
    """Put a segment for each batch of texts into the log, but for those that are there already.

    Args:
        log: of the build.
        folder: where segments wait for their turn.
        batches: the digest of each segment's texts, and the texts.
        seats: work by `Packing`.

    Raises:
        BackendError: workers die of a segment again and again.
    """
    sources: list[str] = []

    def lacking() -> Iterator[Texts]:
        intact = True
        for number, (source, batch) in enumerate(batches):
            intact = intact and log.holds(number, source)
            if not (intact or _read(_waiting(folder, source)) is not None):
                packed = zstandard.compress(pickle.dumps(list(batch), protocol=5), 1)
                yield Texts(source=source, packed=packed)
            # Seen from now on: what the log takes next must be there, or be under way.
            sources.append(source)

    def advance() -> None:
        while len(log.entries) < len(sources):
            source = sources[len(log.entries)]
            if log.reuse(source):
                continue
            segment = _read(_waiting(folder, source))
            if segment is None:
                return
            log.append(segment)
            _waiting(folder, source).unlink()

    for texts, content in map_shards(
        [lacking()], seats, name=lambda texts: f"segment {texts.source[:12]}", most=WAITING
    ):
        replace_file(_waiting(folder, texts.source), content)
        advance()
    advance()
    for left in folder.glob("waiting-*"):
        left.unlink()


def _waiting(folder: Path, source: str) -> Path:
    return folder / f"waiting-{source}.bin"


def _read(path: Path) -> Segment | None:
    """Return the segment in a file; None where there is none that is whole."""
    try:
        data = memoryview(path.read_bytes())
        return segments.read(data, str(path))[0] if segments.checksum(data) else None
    except (FileNotFoundError, InputError):
        return None
