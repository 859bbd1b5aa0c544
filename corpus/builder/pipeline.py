"""Sources through workers to the staged store: reading threads, workers, one writer.

    source ─ cuts batches ─┐                     ┌─ worker process ─┐
    source ─ cuts batches ─┴─ line, bounded ─────┴─ worker process ─┴─ line, bounded ── writer

See `corpus.cluster.shards`. The order of results is free: the store is put into canonical order at
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

    stage: str
    """"reading", then "writing articles", "writing texts", "writing categories", "indexing titles"."""
    done: float
    """Of `total`, in `unit`s."""
    total: float
    unit: str
    """Reading: "MB" of the files as they are packed, "entries" of an archive, "titles" of an API,
    or "sources" where they are of several of these; afterwards "articles"."""
    pages: int
    """Read since this build began or went on: articles, redirects, and those left out."""
    articles: int
    """Stored so far."""


_MEASURES = {"zim": "entries", "mediawiki_api": "titles"}
"""What the size of a source counts, by its kind; bytes of all others."""


class _Meter:
    """How much of the sources is read."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sizes = [source.size for source in sources]
        self._read = [0] * len(sources)
        units = {_MEASURES.get(source.kind, "MB") for source in sources}
        self.unit = units.pop() if len(units) == 1 else "sources"

    def advance(self, number: int, read: int) -> None:
        """Note how far a source was read when a batch of it was cut."""
        self._read[number] = max(self._read[number], read)

    @property
    def done(self) -> float:
        """What is read, in units."""
        return self._in_units(self._read)

    @property
    def total(self) -> float:
        """What there is, in units."""
        return self._in_units(self._sizes)

    def _in_units(self, amounts: Sequence[int]) -> float:
        if self.unit == "sources":
            return sum(
                amount / max(1, size) for amount, size in zip(amounts, self._sizes, strict=True)
            )
        return sum(amounts) / (1e6 if self.unit == "MB" else 1)


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
    meter = _Meter(sources)
    pages = 0
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
        meter.advance(number, batch.read)
        articles += len(extracted.articles)
        pages += len(extracted.articles) + len(extracted.redirects) + len(extracted.skipped)
        if batch.notice:
            notify(batch.notice)
        # The first comes with the first result: neither the workers' start nor what an earlier
        # build has read counts for a rate.
        report(
            Progress(
                stage="reading",
                done=meter.done,
                total=meter.total,
                unit=meter.unit,
                pages=pages,
                articles=articles,
            )
        )


def _pieces(number: int, source: Source, done: Done) -> Iterator[tuple[int, Batch]]:
    for batch in source.batches(done):
        yield number, batch


def _run_here(sources: Sequence[Source], todo: list[Done], worker: InProcess) -> Iterator[Result]:
    for number, source in enumerate(sources):
        for piece in _pieces(number, source, todo[number]):
            yield piece, worker.extract(*piece)
