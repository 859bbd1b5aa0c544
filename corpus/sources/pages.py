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

from corpus.sources.history import REVISION, forget_texts, read_history, title_at_date
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
from corpus.storage.dates import NEVER
from corpus.storage.titles import permanent_link
from corpus.types import Page

LARGEST_PAGE = 32 << 20
"""Bytes of one revision; MediaWiki's own limit is 2 MiB."""
_HISTORY = 4 << 20
"""A page that grows past this many bytes is cut down to its best revision, and traces of the later ones, while it is read."""
_OPEN, _CLOSE, _END = b"<page>", b"</page>", b"</mediawiki>"
_LEFT_OUT = b"<!-- the rest was too large -->"
_NAMESPACE = re.compile(rb"<ns>\s*(-?\d+)\s*</ns>")
_TITLE = re.compile(rb"<title>([^<]*)</title>")
_ID = re.compile(rb"<id>\s*(\d+)\s*</id>")
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
    categories: frozenset[str] = frozenset()
    """Names of the namespace of categories, in lower case."""


class PageCutter:
    """Cuts a stream of XML into records, each with what stands up to one `</page>`.

    A page with a long history is cut down while it is read: memory holds one revision and the best
    so far.

    Args:
        path: named in errors.
        read: returns the next bytes of the stream, b"" at its end.
        consumed: returns how far the source has been read, for the progress.
        position: of the first byte `read` will return.
        cutoff: last second the revision that counts may have.
        latest: as in `parse_page`.
    """

    def __init__(
        self,
        path: Path,
        read: Callable[[], bytes],
        consumed: Callable[[], int],
        position: int,
        cutoff: str,
        latest: str = NEVER,
    ) -> None:
        self._path = path
        self._read = read
        self._consumed = consumed
        self._position = position
        self._cutoff = cutoff
        self._latest = latest
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
            _forget_what_is_not_needed(buffer, self._cutoff, self._latest)
            searched = max(0, len(buffer) - len(_CLOSE))
        if _OPEN in buffer:
            raise damaged(self._path, "it ends inside a page")
        self.closed = _END in buffer


def _forget_what_is_not_needed(buffer: bytearray, cutoff: str, latest: str) -> None:
    start = buffer.find(_OPEN)
    if start < 0:
        # Between pages, where a tag may be cut in two.
        del buffer[: -2 * len(_END)]
    elif len(buffer) > _HISTORY:
        buffer[start:] = forget_texts(bytes(buffer[start:]), cutoff, latest)
        if len(buffer) > LARGEST_PAGE:
            head = bytes(buffer[: buffer.find(REVISION)])[:4096]
            buffer[:] = head + _LEFT_OUT + buffer[-len(_CLOSE) :]


def pages_in(content: bytes) -> Iterator[bytes]:
    """Yield the pages of a record: one, and before it any whose end tag is missing."""
    start = content.find(_OPEN)
    while start >= 0:
        following = content.find(_OPEN, start + len(_OPEN))
        yield content[start : following if following >= 0 else len(content)]
        start = following


def parse_page(content: bytes, site: Site, cutoff: str, latest: str = NEVER) -> Page | Skipped:
    """Return the page of one record, or why it is left out.

    Args:
        content: from `<page>` to `</page>`.
        site: the export's.
        cutoff: last second its revision may have.
        latest: last second that any revision may have: one that claims to be newer has no time.
    """
    start = content.find(REVISION)
    head = content[:start] if start >= 0 else content
    title, page_id = _title(head), _page_id(head)
    history, end = read_history(content, cutoff, latest)

    def skip(reason: str) -> Skipped:
        return Skipped(reason=reason, title=title, page_id=page_id, seen=history.seen)

    if _is_outside(head, title, site):
        return skip(OUTSIDE)
    if not content.endswith(_CLOSE):
        return skip(CUT)
    if _LEFT_OUT in content or len(content) > LARGEST_PAGE:
        return skip(TOO_LARGE)
    if history.best is None and history.seen:
        return skip(NEWER)
    many = content.count(REVISION) > 1
    if many and history.best is not None:
        content = head + history.best + content[end:]
    element = _parse(content)
    if element is None:
        return skip(MALFORMED)
    revision = element.find("revision")
    rev_id = _text(revision, "id").strip()
    title = _text(element, "title").strip()
    if page_id is None or not rev_id.isdecimal() or not title or not history.time:
        return skip(NO_ID)
    now = title
    title, caveat = title_at_date(now, history.later)
    # Such as a draft of the day that became an article since.
    if title != now and _has_other_namespace(title, site):
        return skip(OUTSIDE)
    if _text(revision, "model") not in ("", "wikitext"):
        return skip(NOT_TEXT)
    source = _text(revision, "text")
    if not source.strip():
        return skip(NO_TEXT)
    return Page(
        page_id=page_id,
        rev_id=int(rev_id),
        title=title,
        timestamp=history.time,
        url=permanent_link(site.base_url, title, int(rev_id)),
        redirect=_redirect(element, source, many),
        source=source,
        format="wikitext",
        seen=history.seen,
        caveat=caveat,
        category_names=site.categories,
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
    return _has_other_namespace(title, site)


def _has_other_namespace(title: str, site: Site) -> bool:
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
