"""The pages of a MediaWiki export: cut out of the stream as bytes, then parsed one by one.

Cutting by the tags alone keeps the reading thread fast, lets workers parse, and confines damage:
whatever stands between `<page>` and `</page>` can spoil that page only. Text cannot hold these
tags, since an export escapes every `<`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from corpus.sources.streams import damaged
from corpus.sources.types import (
    CUT,
    MALFORMED,
    NEWER,
    NO_ID,
    NO_TEXT,
    NOT_TEXT,
    OUTSIDE,
    TOO_LARGE,
    Record,
    Skipped,
)
from corpus.titles import permanent_link
from corpus.types import Page

LARGEST_PAGE = 32 << 20
"""Bytes of one revision; MediaWiki's own limit is 2 MiB."""
_HISTORY = 4 << 20
"""A page that grows past this many bytes is cut down to its best revision while it is read."""
_OPEN, _CLOSE, _END = b"<page>", b"</page>", b"</mediawiki>"
_REVISION, _REVISION_END = b"<revision>", b"</revision>"
_LEFT_OUT = b"<!-- the rest was too large -->"
_TIME = re.compile(rb"<timestamp>\s*([^<]*?)\s*</timestamp>")
_NAMESPACE = re.compile(rb"<ns>\s*(-?\d+)\s*</ns>")
_TITLE = re.compile(rb"<title>([^<]*)</title>")
_ID = re.compile(rb"<id>\s*(\d+)\s*</id>")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML 1.0 has no place for."""
_AMPERSAND = re.compile(r"&(?:#x([0-9a-fA-F]{1,8});|#([0-9]{1,10});|((?:lt|gt|amp|quot|apos);))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What an export says about its wiki."""

    base_url: str
    """`<base>`, the address of the main page; empty where it is not said."""
    namespaces: frozenset[str]
    """Names of the namespaces that hold no articles, in lower case."""


class PageCutter:
    """Cuts a stream of XML into records, each with what stands up to one `</page>`.

    A page with a long history is cut down while it is read: memory holds one revision and the best
    so far.

    Args:
        path: named in errors.
        read: returns the next bytes of the stream, b"" at its end.
        consumed: returns how far the source has been read, for the progress.
        position: of the first byte `read` will return.
        cutoff: last second a revision may have.
    """

    def __init__(
        self,
        path: Path,
        read: Callable[[], bytes],
        consumed: Callable[[], int],
        position: int,
        cutoff: str,
    ) -> None:
        self._path = path
        self._read = read
        self._consumed = consumed
        self._position = position
        self._cutoff = cutoff
        self.closed = False
        """Whether the stream ended with the export's own end tag, known when it has ended."""

    def records(self) -> Iterator[Record]:
        """Yield the records.

        Raises:
            DamagedError: the stream ends inside a page.
        """
        buffer = bytearray()
        previous = self._position
        searched = 0
        while block := self._read():
            buffer += block
            self._position += len(block)
            while (end := buffer.find(_CLOSE, searched)) >= 0:
                end += len(_CLOSE)
                following = self._position - (len(buffer) - end)
                yield Record(
                    start=previous,
                    end=following,
                    read=self._consumed(),
                    content=bytes(buffer[max(0, buffer.find(_OPEN)) : end]),
                )
                previous = following
                del buffer[:end]
                searched = 0
            _forget_what_is_not_needed(buffer, self._cutoff)
            searched = max(0, len(buffer) - len(_CLOSE))
        if _OPEN in buffer:
            raise damaged(self._path, "it ends inside a page")
        self.closed = _END in buffer


def _forget_what_is_not_needed(buffer: bytearray, cutoff: str) -> None:
    start = buffer.find(_OPEN)
    if start < 0:
        # Between pages, where a tag may be cut in two.
        del buffer[: -2 * len(_END)]
    elif len(buffer) > _HISTORY:
        buffer[start:] = keep_best_revision(bytes(buffer[start:]), cutoff)
        if len(buffer) > LARGEST_PAGE:
            head = bytes(buffer[: buffer.find(_REVISION)])[:4096]
            buffer[:] = head + _LEFT_OUT + buffer[-len(_CLOSE) :]


def pages_in(content: bytes) -> Iterator[bytes]:
    """Yield the pages of a record: one, and before it any whose end tag is missing."""
    start = content.find(_OPEN)
    while start >= 0:
        following = content.find(_OPEN, start + len(_OPEN))
        yield content[start : following if following >= 0 else len(content)]
        start = following


def keep_best_revision(page: bytes, cutoff: str) -> bytes:
    """Return a page with only the newest of its revisions at or before `cutoff`.

    Where all are newer the first one stays, so that it can be told. `page` may lack its end: what
    follows the last complete revision stays as it is.
    """
    first = page.find(_REVISION)
    best: bytes | None = None
    best_time = b""
    position = start = first
    latest = cutoff.encode()
    while start >= 0 and (end := page.find(_REVISION_END, start)) >= 0:
        end += len(_REVISION_END)
        match = _TIME.search(page, start, end)
        time = match[1] if match else b""
        allowed = time if time <= latest else b""
        if best is None or (allowed and allowed >= best_time):
            best, best_time = page[start:end], allowed
        position = end
        start = page.find(_REVISION, end)
    return page if best is None else page[:first] + best + page[position:]


def parse_page(content: bytes, site: Site, cutoff: str) -> Page | Skipped:
    """Return the page of one record, or why it is left out."""
    head = content[: content.find(_REVISION)] if _REVISION in content else content
    title, page_id = _title(head), _page_id(head)
    if _is_outside(head, title, site):
        return Skipped(reason=OUTSIDE, title=title, page_id=page_id)
    if not content.endswith(_CLOSE):
        return Skipped(reason=CUT, title=title, page_id=page_id)
    if _LEFT_OUT in content or len(content) > LARGEST_PAGE:
        return Skipped(reason=TOO_LARGE, title=title, page_id=page_id)
    many = content.count(_REVISION) > 1
    if many:
        content = keep_best_revision(content, cutoff)
    match = _TIME.search(content)
    time = match[1].decode("ascii", "replace") if match else ""
    if time > cutoff and _TIMESTAMP.fullmatch(time):
        return Skipped(reason=NEWER, title=title, page_id=page_id)
    element = _parse(content)
    if element is None:
        return Skipped(reason=MALFORMED, title=title, page_id=page_id)
    revision = element.find("revision")
    rev_id = _text(revision, "id").strip()
    title = _text(element, "title").strip()
    if page_id is None or not rev_id.isdecimal() or not title or not _TIMESTAMP.fullmatch(time):
        return Skipped(reason=NO_ID, title=title, page_id=page_id)
    if _text(revision, "model") not in ("", "wikitext"):
        return Skipped(reason=NOT_TEXT, title=title, page_id=page_id)
    source = _text(revision, "text")
    if not source.strip():
        return Skipped(reason=NO_TEXT, title=title, page_id=page_id)
    return Page(
        page_id=page_id,
        rev_id=int(rev_id),
        title=title,
        timestamp=time,
        url=permanent_link(site.base_url, title, int(rev_id)),
        redirect=_redirect(element, source, many),
        source=source,
        format="wikitext",
    )


def _redirect(element: ElementTree.Element, source: str, many: bool) -> str | None:
    # The element tells of the page's newest revision, which may not be the one taken.
    redirect = None if many else element.find("redirect")
    if redirect is not None and redirect.get("title"):
        return redirect.get("title")
    from corpus.wikitext import redirect_target

    return redirect_target(source)


def _title(head: bytes) -> str:
    match = _TITLE.search(head)
    return html.unescape(match[1].decode("utf-8", "replace")).strip() if match else ""


def _page_id(head: bytes) -> int | None:
    match = _ID.search(head)
    return int(match[1]) if match else None


def _is_outside(head: bytes, title: str, site: Site) -> bool:
    namespace = _NAMESPACE.search(head)
    if namespace:
        return namespace[1] != b"0"
    # Exports before schema 0.6 carry no <ns>: the title's prefix has to tell.
    prefix, colon, _ = title.partition(":")
    return bool(colon) and prefix.strip().lower() in site.namespaces


def _parse(content: bytes) -> ElementTree.Element | None:
    # A record begins with <page>, so there is no document type and no entity that could expand.
    try:
        return ElementTree.fromstring(content)  # noqa: S314
    except ElementTree.ParseError:
        pass
    try:
        return ElementTree.fromstring(_mend(content))  # noqa: S314
    except ElementTree.ParseError:
        return None


def _mend(content: bytes) -> bytes:
    """Replace what XML forbids: bytes that are no UTF-8, control characters, unknown entities."""
    text = _FORBIDDEN.sub("", content.decode("utf-8", "replace"))
    return _AMPERSAND.sub(_mend_reference, text).encode()


def _mend_reference(match: re.Match[str]) -> str:
    if match[3]:
        return match[0]
    if not match[1] and not match[2]:
        return "&amp;"
    code = int(match[1], 16) if match[1] else int(match[2])
    allowed = code in (0x9, 0xA, 0xD) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE
    return match[0] if allowed or 0x10000 <= code <= 0x10FFFF else ""


def _text(element: ElementTree.Element | None, name: str) -> str:
    child = None if element is None else element.find(name)
    return (child.text or "") if child is not None else ""
