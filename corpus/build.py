"""Builds a snapshot: sources → pages → worker processes → store, with back-pressure.

The reading process hands out batches and takes the results back in the order it read the pages, so
the store's content does not depend on the number of workers. Batches that are done are on disk:
a killed build goes on after reading the source again, without extracting a stored page twice.
"""

from __future__ import annotations

import fcntl
import hashlib
import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import date as CalendarDay
from pathlib import Path

from corpus.errors import BackendError, InputError
from corpus.extract import Extracted, extract_pages
from corpus.manifest import (
    FORMAT,
    MANIFEST,
    TOOL_VERSION,
    Manifest,
    SourceFile,
    cutoff_of,
    staging_folder,
    write_manifest,
)
from corpus.sources import SiteInfo, Skipped, kind_of, read_source
from corpus.types import Page
from corpus.writer import StagedStore, put_in_place

BATCH_CHARACTERS = 400_000
"""Source text a worker gets at once: large enough to hide the hand-over, small enough for memory."""
BATCHES_A_WORKER = 2
"""Batches under way for each worker: reading waits when that many are not done."""


@dataclass(slots=True)
class _Batch:
    """Pages on their way, with what the reader found between them."""

    pages: list[Page] = field(default_factory=list)
    redirects: list[tuple[str, str]] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    size: int = 0


def build_snapshot(
    sources: Sequence[Path],
    folder: Path,
    *,
    date: str,
    language: str = "en",
    name: str | None = None,
    workers: int = 1,
    report: Callable[[int], None] = lambda _: None,
) -> Manifest:
    """Build a snapshot folder from one or more sources.

    Args:
        sources: files; their kind is seen by their content.
        folder: where the snapshot comes to lie; it must not exist.
        date: last day of revisions, YYYY-MM-DD.
        language: of the wiki.
        name: the snapshot's; by default the folder's.
        workers: processes that extract; 1 extracts in this one.
        report: called with the number of pages done so far.

    Raises:
        InputError: bad date, missing or damaged source, folder in the way, or another build in it.
    """
    check_date(date)
    if (folder / MANIFEST).exists():
        raise InputError(f"{folder} holds a snapshot already: name another folder with --out")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is in the way: name another folder with --out")
    described = [_describe(path) for path in sources]
    staging = staging_folder(folder)
    staging.mkdir(parents=True, exist_ok=True)
    recipe = {
        "sources": [asdict(source) for source in described],
        "date": date,
        "language": language,
        "format": FORMAT,
        "tool": TOOL_VERSION,
    }
    with _sole_builder(staging):
        store = StagedStore(staging, recipe)
        try:
            base_url = _fill(store, sources, date, workers, report)
            counts = store.finish(language, date)
        finally:
            store.close()
        manifest = Manifest(
            name=name or folder.name,
            language=language,
            date=date,
            sources=tuple(described),
            base_url=base_url,
            **counts,  # type: ignore[arg-type]
        )
        write_manifest(staging, manifest)
        if folder.exists():
            folder.rmdir()
        put_in_place(staging, folder)
        (folder / _LOCK).unlink(missing_ok=True)
    return manifest


def check_date(date: str) -> None:
    """Refuse what is no day.

    Raises:
        InputError: `date` is not written YYYY-MM-DD or is no day of the calendar.
    """
    try:
        valid = CalendarDay.fromisoformat(date).isoformat() == date
    except ValueError:
        valid = False
    if not valid:
        raise InputError(f"{date!r} is no date: write it as YYYY-MM-DD, such as 2023-11-20")


_LOCK = "lock"


@contextmanager
def _sole_builder(staging: Path) -> Iterator[None]:
    with (staging / _LOCK).open("wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"another process is building in {staging}: wait for it to end, or stop it"
            ) from None
        yield


def _describe(path: Path) -> SourceFile:
    kind = kind_of(path)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return SourceFile(name=path.name, kind=kind, sha256=digest, size=path.stat().st_size)


def _fill(
    store: StagedStore,
    sources: Sequence[Path],
    date: str,
    workers: int,
    report: Callable[[int], None],
) -> str:
    """Read every source into the store; return the wiki's base address."""
    known = store.known()
    base_url = ""
    done = 0

    def put(batch: _Batch, extracted: list[Extracted]) -> None:
        nonlocal done
        store.add(extracted, batch.redirects, batch.skipped)
        done += len(batch.pages) + len(batch.redirects) + len(batch.skipped)
        report(done)

    def batches() -> Iterator[tuple[_Batch, str]]:
        nonlocal base_url
        batch = _Batch()
        for path in sources:
            for item in read_source(path, cutoff_of(date)):
                if isinstance(item, SiteInfo):
                    base_url = base_url or item.base_url
                elif isinstance(item, Skipped):
                    batch.skipped.append((item.title, item.reason))
                elif item.redirect is not None:
                    batch.redirects.append((item.title, item.redirect))
                elif known.get(item.page_id, "") < item.timestamp:
                    batch.pages.append(item)
                    batch.size += len(item.source)
                if batch.size >= BATCH_CHARACTERS or len(batch.redirects) >= 5_000:
                    yield batch, base_url
                    batch = _Batch()
        yield batch, base_url

    for batch, extracted in _extract(batches(), workers):
        put(batch, extracted)
    return base_url


def _extract(
    batches: Iterable[tuple[_Batch, str]], workers: int
) -> Iterator[tuple[_Batch, list[Extracted]]]:
    """Yield each batch with its extracted pages, in the order of the batches."""
    if workers <= 1:
        for batch, base_url in batches:
            yield batch, extract_pages(batch.pages, base_url)
        return
    # spawn: a forked child would inherit the store's connection, which SQLite forbids.
    context = multiprocessing.get_context("spawn")
    waiting: deque[tuple[_Batch, Future[list[Extracted]]]] = deque()
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        try:
            for batch, base_url in batches:
                waiting.append((batch, pool.submit(extract_pages, batch.pages, base_url)))
                while waiting and (
                    len(waiting) > workers * BATCHES_A_WORKER or waiting[0][1].done()
                ):
                    first, future = waiting.popleft()
                    yield first, future.result()
            for first, future in waiting:
                yield first, future.result()
        except BrokenProcessPool:
            raise BackendError(
                "a worker process was killed, most likely for want of memory:"
                " run the same command again with fewer --workers, it goes on where it stopped"
            ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
