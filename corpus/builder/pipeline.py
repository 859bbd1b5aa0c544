"""Sources through workers to the staged store: reading threads, workers, one writer.

    source ─ cuts batches ─┐                     ┌─ worker process ─┐
    source ─ cuts batches ─┴─ line, bounded ─────┴─ worker process ─┴─ line, bounded ── writer

See `corpus.cluster.line`. The order of results is free: the store is put into canonical order at
the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from corpus.builder.extraction import Extracted
from corpus.builder.pool import Extraction, InProcess, Piece, Worker
from corpus.builder.staging import Staging
from corpus.cluster import Cluster, Seat, map_shards
from corpus.sources.types import BadRecord, Batch, Done, Source

Result = tuple[Piece, Extracted]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a build is."""

    read: int
    """Of `total`, in the sources' own measure, mostly bytes."""
    total: int
    articles: int


def run_pipeline(
    staging: Staging,
    sources: Sequence[Source],
    base_url: str,
    workers: int,
    report: Callable[[Progress], None],
    notify: Callable[[str], None],
    cluster: Cluster | None = None,
) -> None:
    """Bring into the staged store what it lacks of the sources.

    Args:
        staging: the store.
        sources: in the order of their numbers.
        base_url: of the snapshot.
        workers: processes; 0 for none beside this one.
        report: called after each write.
        notify: called with what the user should know about a source.
        cluster: works instead of processes of this machine.

    Raises:
        FanfoldError: a source is damaged, the disk is full, or workers die.
    """
    todo = [staging.done(number) for number in range(len(sources))]
    total = sum(source.size for source in sources)
    read = [0] * len(sources)
    articles = staging.count_articles()
    results: Iterator[Result]
    if cluster is None and workers == 0:
        results = _run_here(sources, todo, InProcess(sources, base_url))
    else:
        seats: Sequence[Seat[Piece, Extracted]]
        if cluster is None:
            seats = [Worker(sources, base_url) for _ in range(workers)]
        else:
            seats = cluster.seats(Extraction(sources=sources, base_url=base_url))
        results = map_shards(
            [_pieces(number, source, todo[number]) for number, source in enumerate(sources)],
            seats,
            name=lambda piece: f"{sources[piece[0]].name} from {piece[1].start:,} on",
            # Batches before a bad record may be under way, with the first one among theirs.
            soft=BadRecord,
            order=lambda bad: bad.place if isinstance(bad, BadRecord) else 0,
        )
    for (number, batch), extracted in results:
        staging.add(number, batch, extracted)
        read[number] = max(read[number], batch.read)
        articles += len(extracted.articles)
        if batch.notice:
            notify(batch.notice)
        report(Progress(read=sum(read), total=total, articles=articles))


def _pieces(number: int, source: Source, done: Done) -> Iterator[tuple[int, Batch]]:
    for batch in source.batches(done):
        yield number, batch


def _run_here(sources: Sequence[Source], todo: list[Done], worker: InProcess) -> Iterator[Result]:
    for number, source in enumerate(sources):
        for piece in _pieces(number, source, todo[number]):
            yield piece, worker.extract(*piece)
