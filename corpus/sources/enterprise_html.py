"""Wikimedia Enterprise snapshots: NDJSON with each article's HTML, plain, compressed or in a tar.

The schema: https://enterprise.wikimedia.com/docs/data-dictionary/
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.sources.records import cut_lines
from corpus.sources.streams import BLOCK, DumpStream, FileSource, damaged
from corpus.sources.types import (
    MALFORMED,
    NEWER,
    NO_ID,
    NO_TEXT,
    NOT_RENDERED_WHEN,
    OUTSIDE,
    RENDERED,
    Batch,
    Done,
    Record,
    Skipped,
    bad_record,
    group,
    scrub,
    utc_timestamp,
)
from corpus.storage.dates import cutoff_of
from corpus.storage.titles import normalise, permanent_link, stable_id
from corpus.types import Page

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterpriseSnapshot(FileSource):
    """One file of an Enterprise snapshot."""

    archive: bool
    """A tar archive with NDJSON files in it."""
    base_url: str
    size: int
    kind: str = "enterprise_html"
    rendered: bool = True
    skip_bad: bool = False
    """Leave lines out that are no article; otherwise the first one ends the build."""

    def batches(self, done: Done) -> Iterator[Batch]:
        """Yield what is not done; positions are the numbers of the lines."""
        with DumpStream(self.path) as stream:
            yield from group(self._records(stream), done, numbered=True)

    def _records(self, stream: DumpStream) -> Iterator[Record]:
        if not self.archive:
            yield from cut_lines(self.path, stream.read, lambda: stream.consumed)
            return
        try:
            yield from self._members(stream)
        except (tarfile.ReadError, EOFError) as error:
            raise damaged(self.path, str(error)) from None

    def _members(self, stream: DumpStream) -> Iterator[Record]:
        """Yield the lines of each file in the archive, numbered through."""
        before = 0
        raw = io.BufferedReader(_Raw(stream), BLOCK)
        with tarfile.open(fileobj=raw, mode="r|") as archive:
            for member in archive:
                file = archive.extractfile(member)
                if file is None:
                    continue
                number = 0
                read = partial(file.read, BLOCK)
                for record in cut_lines(self.path, read, lambda: stream.consumed):
                    number = record.end
                    start, end = before + record.start, before + record.end
                    yield replace(record, start=start, end=end)
                before += number

    def pages(self, payload: tuple[tuple[int, bytes], ...]) -> Iterator[Page | Skipped]:
        """Yield the articles of a batch, each with the redirects to it.

        Raises:
            BadRecord: a line is no article, and such lines are not to be left out.
        """
        for number, content in payload:
            try:
                yield from list(self._pages(json.loads(content.decode("utf-8"))))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                if not self.skip_bad:
                    raise bad_record(self.path, "line", number, error) from None
                yield Skipped(reason=MALFORMED, title=content[:60].decode("utf-8", "replace"))

    def _pages(self, record: dict[str, Any]) -> Iterator[Page | Skipped]:
        title, page_id = scrub(record["name"]), int(record["identifier"])
        rev_id = (record.get("version") or {}).get("identifier")
        timestamp = utc_timestamp(record.get("date_modified"))
        timestamp = timestamp if timestamp <= self.latest else ""
        if (record.get("namespace") or {}).get("identifier", 0) != 0:
            yield Skipped(reason=OUTSIDE, title=title, page_id=page_id, seen=timestamp)
        elif not timestamp or not rev_id:
            yield Skipped(reason=NO_ID, title=title, page_id=page_id)
        elif timestamp > self.cutoff:
            yield Skipped(reason=NEWER, title=title, page_id=page_id, seen=timestamp)
        else:
            source, html, caveat = self._source(record)
            make = partial(Page, timestamp=timestamp, rev_id=int(rev_id), seen=timestamp)
            if not source.strip():
                reason = RENDERED if html else NO_TEXT
                yield Skipped(reason=reason, title=title, page_id=page_id, seen=timestamp)
                return
            yield make(
                page_id=page_id,
                title=title,
                url=permanent_link(self.base_url, title, int(rev_id)),
                redirect=None,
                source=source,
                format="html" if html else "wikitext",
                caveat=caveat,
                categories=tuple(_categories(record)) if html else (),
            )
            for redirect in record.get("redirects") or ():
                name = scrub(redirect["name"])
                # Redirects come without an id of their own; real ones are never negative.
                yield make(
                    page_id=-stable_id(name),
                    title=name,
                    url="",
                    redirect=title,
                    source="",
                    format="html",
                )

    def _source(self, record: dict[str, Any]) -> tuple[str, bool, str]:
        """Return (text, whether it is HTML, caveat); no text where none is of the date.

        HTML holds what the page's templates said when it was rendered, whenever the page itself was
        last edited. Where that was after the date, or is not stated, the revision's own wikitext
        counts, if the record has it.
        """
        body = record.get("article_body") or {}
        html, wikitext = scrub(body.get("html") or ""), scrub(body.get("wikitext") or "")
        event = record.get("event") or {}
        stated = event.get("date_published") or event.get("date_created")
        rendered = utc_timestamp(stated) or (cutoff_of(self.made) if self.made else "")
        if html.strip() and rendered and rendered <= self.cutoff:
            return html, True, ""
        if wikitext.strip() or not html.strip():
            return wikitext, False, ""
        return ("", True, "") if rendered else (html, True, NOT_RENDERED_WHEN)


def _categories(record: dict[str, Any]) -> Iterator[str]:
    """Yield the categories that a record states, those that its templates add among them."""
    for category in record.get("categories") or ():
        yield normalise(scrub(category["name"]).partition(":")[2])


class _Raw(io.RawIOBase):
    """A stream with the interface that tarfile reads from."""

    def __init__(self, stream: DumpStream) -> None:
        self._stream = stream
        self._held = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        block = self._held or self._stream.read()
        taken, self._held = block[: len(view)], block[len(view) :]
        view[: len(taken)] = taken
        return len(taken)


def open_enterprise(
    path: Path, cutoff: str, base_url: str, *, skip_bad: bool = False
) -> EnterpriseSnapshot:
    """Open a file of an Enterprise snapshot.

    Args:
        path: of the file.
        cutoff: last time a revision may have.
        base_url: of a page of the wiki, where the first line does not say it.
        skip_bad: leave lines out that are no article; otherwise the first one ends the build.

    Raises:
        InputError: it is missing or damaged.
    """
    with DumpStream(path) as stream:
        head = io.BufferedReader(_Raw(stream)).read(512)
    archive = head[257:262] == b"ustar"
    source = EnterpriseSnapshot(
        path=path,
        cutoff=cutoff,
        archive=archive,
        base_url=base_url,
        size=path.stat().st_size,
        skip_bad=skip_bad,
    )
    first = next(source.batches(Done()), None)
    project = _project(first.payload[0][1]) if first else ""
    return replace(source, base_url=f"{project}/wiki/") if project else source


def _project(content: bytes) -> str:
    try:
        return str(json.loads(content)["is_part_of"]["url"]).rstrip("/")
    except (ValueError, KeyError, TypeError, RecursionError):
        return ""
