"""Builds a snapshot: sources, workers, staged store, finished store, and the folder in its place.

NAME.partial/build.sqlite      what is done; a build that was killed goes on from here
NAME.partial/articles.sqlite   the finished store, written when all is done
NAME.partial/manifest.json     written after it
NAME/                          the folder, renamed when it is complete
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from pathlib import Path
from urllib.parse import urlsplit

from corpus.builder.finish import Counts, finish_store
from corpus.builder.pipeline import Progress, run_pipeline
from corpus.builder.staging import STAGED, Staging
from corpus.cluster import Cluster
from corpus.errors import InputError
from corpus.files import lock, sha256_of
from corpus.sources import RECORDS, Source, Wanted, open_source
from corpus.sources.streams import DamagedError
from corpus.storage.dates import (
    NEVER,
    Vouched,
    check_date,
    cutoff_of,
    foretold,
    snapshot_date,
    vouch,
)
from corpus.storage.manifest import (
    ARTICLES,
    FORMAT,
    MANIFEST,
    TOOL_VERSION,
    Manifest,
    SourceFile,
    read_manifest,
    staging_folder,
    write_manifest,
)


def build_snapshot(
    sources: Sequence[Path | str],
    folder: Path,
    *,
    date: str,
    language: str = "en",
    name: str | None = None,
    workers: int = 1,
    index: Path | None = None,
    titles: Sequence[str] = (),
    contact: str = "",
    cache: Path | None = None,
    made: str = "",
    today: str = "",
    skip_bad: bool = False,
    cluster: Cluster | None = None,
    report: Callable[[Progress], None] = lambda _: None,
    notify: Callable[[str], None] = lambda _: None,
) -> Manifest:
    """Build a snapshot folder from one or more sources; go on with a build that was interrupted.

    The result is the same for any number of workers and of interruptions.

    Args:
        sources: files, whose kind is seen by their content, and addresses of wikis' APIs.
        folder: where the snapshot comes to lie; it must not exist, or be empty.
        date: last day of revisions, YYYY-MM-DD. The snapshot's own date is earlier where the
            sources vouch for less.
        language: code of the wiki's language.
        name: the snapshot's; by default the folder's.
        workers: processes that extract; 0 for none beside this one.
        index: of a multistream dump, where it does not lie beside the only source.
        titles: asked of the APIs.
        contact: e-mail or web address, told to the APIs.
        cache: folder for the APIs' answers.
        made: day on which files were made that do not say it themselves, where the caller knows it.
        today: last day that a revision may claim to be of; by default there is none.
        skip_bad: leave records out that are none, counted in the manifest.
        cluster: extracts instead of `workers`; its nodes need no file of this machine, but for a
            ZIM archive, which must lie at the same path there.
        report: called with the progress.
        notify: called with what the user should know about a source.

    Raises:
        InputError: bad date, missing or damaged source, a record that is none, folder in the way, another build in it, or
            a full disk; what was done stays beside, unless the sources gave nothing.
    """
    check_date(date)
    _check_place(folder)
    if not _LANGUAGE.fullmatch(language):
        raise InputError(
            f"{language!r} is no code of a wiki's language: write one such as en or zh"
        )
    if index is not None and not index.is_file():
        raise InputError(f"no file {index}: name the index of the multistream dump")
    latest = cutoff_of(today) if today else NEVER
    wanted = Wanted(
        cutoff=min(cutoff_of(date), latest),
        latest=latest,
        made=made,
        base_url=f"https://{language}.wikipedia.org/wiki/",
        index=index,
        titles=titles,
        contact=contact,
        cache=cache,
        skip_bad=skip_bad,
    )
    opened = [open_source(source, wanted) for source in sources]
    base_url = _common_wiki(opened)
    staging = staging_folder(folder)
    recipe = {"date": date, "language": language, "format": FORMAT, "tool": TOOL_VERSION}
    with _sole_builder(staging):
        finished = _finished(staging)
        if finished is None:
            notify(foretold(opened, min(date, today or date)))
            digests = _Digests(opened)
            run = _Run(opened, base_url, workers, min(date, today or date), report, notify, cluster)
            counts, vouched = _fill(staging, recipe, run, skip_bad=skip_bad)
            finished = Manifest(
                name=name or folder.name,
                language=language,
                date=snapshot_date(run.asked, [one.day for one in vouched]),
                asked=date,
                sources=digests.describe(vouched),
                base_url=base_url,
                checksum=sha256_of(staging / ARTICLES),
                **{field.name: getattr(counts, field.name) for field in fields(counts)},
            )
            write_manifest(staging, finished)
        for leftover in staging.glob(f"{STAGED}*"):
            leftover.unlink()
        _put_in_place(staging, folder)
    return finished


_LANGUAGE = re.compile(r"[a-z]{2,12}(-[a-z0-9]{2,12})*")
"""As the first part of a wiki's address: en, zh-min-nan, be-tarask."""


def _check_place(folder: Path) -> None:
    if (folder / MANIFEST).exists():
        raise InputError(f"{folder} holds a snapshot already: name another folder, or delete it")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is in the way: name a folder that does not exist")


def _common_wiki(sources: Sequence[Source]) -> str:
    """Return the base address of the wiki that all sources are of; empty where none is of one."""
    bases = {urlsplit(source.base_url).netloc: source for source in reversed(sources)}
    bases.pop("", None)
    if len(bases) > 1:
        wikis = ", ".join(f"{source.name} of {host}" for host, source in sorted(bases.items()))
        raise InputError(f"the sources are of several wikis ({wikis}): build a snapshot of each")
    return next((source.base_url for source in bases.values()), "")


@contextmanager
def _sole_builder(staging: Path) -> Iterator[None]:
    """Hold the staging folder against other builds; an empty one does not stay."""
    staging.mkdir(parents=True, exist_ok=True)
    folder = os.open(staging, os.O_RDONLY)
    try:
        held = lock(folder)
        # Between the two lines above the other build may have ended and renamed the folder.
        held = held and staging.exists() and os.path.samestat(os.fstat(folder), staging.stat())
        if not held:
            raise InputError(
                f"another process is building in {staging}: wait for it to end, or stop it"
            )
        yield
    finally:
        os.close(folder)
        with suppress(OSError):
            staging.rmdir()


def _finished(staging: Path) -> Manifest | None:
    """Return the manifest of a build that was interrupted in its last step."""
    complete = (staging / MANIFEST).exists() and not (staging / STAGED).exists()
    return read_manifest(staging) if complete else None


@dataclass(frozen=True, slots=True)
class _Run:
    """What a build is of, beside its recipe."""

    sources: Sequence[Source]
    base_url: str
    workers: int
    asked: str
    """The day asked for, or today where that has not come yet."""
    report: Callable[[Progress], None]
    notify: Callable[[str], None]
    cluster: Cluster | None


def _fill(
    folder: Path, recipe: dict[str, object], run: _Run, *, skip_bad: bool
) -> tuple[Counts, tuple[Vouched, ...]]:
    sources = run.sources
    staging = Staging(folder, recipe, sources)
    try:
        if not skip_bad:
            # Another command may have begun this and left records out.
            staging.forget_bad(RECORDS)
        run_pipeline(
            staging, sources, run.base_url, run.workers, run.report, run.notify, run.cluster
        )
        vouched = tuple(
            vouch(source, *staging.seen(number)) for number, source in enumerate(sources)
        )
        date = snapshot_date(run.asked, [one.day for one in vouched])
        _check_undated(sources, vouched, str(recipe["date"]), date)
        language = str(recipe["language"])
        stored = staging.count_articles()

        def tell(stage: str, done: int, total: int) -> None:
            run.report(
                Progress(
                    stage=stage, done=done, total=total, unit="articles", pages=0, articles=stored
                )
            )

        counts = finish_store(staging.database, folder, language, date, vouched, tell)
        if not counts.articles:
            raise NothingThereError(_explain_nothing(sources, counts, str(recipe["date"])))
        return counts, vouched
    except (DamagedError, NothingThereError) as error:
        # What came from a damaged file is dropped when it is replaced: alone it is of no use.
        if len(sources) == 1 or isinstance(error, NothingThereError):
            staging.close()
            shutil.rmtree(folder)
        raise
    finally:
        staging.close()


def _check_undated(
    sources: Sequence[Source], vouched: Sequence[Vouched], asked: str, date: str
) -> None:
    """Refuse to date a text that states no date later than what is known of the rest."""
    undated = next((s.name for s, one in zip(sources, vouched, strict=True) if not one.day), "")
    known = [one.day for one in vouched if one.day]
    if undated and (date < asked or (known and max(known) < date)):
        day = min([date, *known])
        raise NothingThereError(
            f"{undated} states no date, and nothing vouches for {asked}: ask for --date {day} or"
            " earlier"
        )


class NothingThereError(InputError):
    """The sources hold nothing that can be dated as was asked."""


def _explain_nothing(sources: Sequence[Source], counts: Counts, date: str) -> str:
    names = ", ".join(source.name for source in sources)
    skipped = ", ".join(f"{count} {reason}" for reason, count in counts.skipped.items())
    detail = f" (left out: {skipped})" if skipped else ""
    return f"no article as of {date} in {names}{detail}: choose another date or source"


class _Digests:
    """The sources' checksums, computed while the build runs."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._digests: list[str] = []
        # A daemon: an interrupted build does not wait until a large file is read.
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for source in self._sources:
            self._digests.append(source.digest())

    def describe(self, vouched: Sequence[Vouched]) -> tuple[SourceFile, ...]:
        """Return the sources as the manifest names them."""
        self._thread.join()
        return tuple(
            SourceFile(
                name=source.name,
                kind=source.kind,
                sha256=digest,
                size=source.size,
                vouched=one.day,
                vouched_by=one.by,
            )
            for source, digest, one in zip(self._sources, self._digests, vouched, strict=True)
        )


def _put_in_place(staging: Path, folder: Path) -> None:
    if folder.exists():
        folder.rmdir()
    staging.rename(folder)
    parent = os.open(folder.parent, os.O_RDONLY)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)
