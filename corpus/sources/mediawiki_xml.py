"""MediaWiki XML exports: schemas 0.3 to 0.11, current revisions or full history."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.sources.streams import open_decompressed, xml_blocks
from corpus.sources.types import NEWER, NO_ID, NO_TEXT, SiteInfo, Skipped
from corpus.types import Page
from corpus.wikitext import redirect_target

_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def read_export(path: Path, cutoff: str) -> Iterator[SiteInfo | Page | Skipped]:
    """Yield the site's description, then every page of namespace 0 as of a time.

    Of each page the newest revision at or before `cutoff` is taken, so an export with full history
    needs no other treatment; one page is in memory at a time, and one revision of it beside the
    best so far.

    Args:
        path: the export; plain, bz2, gzip or xz.
        cutoff: last second a revision may have, `2023-11-20T23:59:59Z`.

    Raises:
        InputError: no export, cut off, damaged, or with a document type (which could expand).
    """
    from lxml import etree

    parser = etree.XMLPullParser(
        events=("start", "end"), huge_tree=True, resolve_entities=False, no_network=True
    )
    state = _State(cutoff)
    seen = False
    with open_decompressed(path) as stream:
        try:
            for block in xml_blocks(stream, path):
                if b"<!DOCTYPE" in block and not seen:
                    raise InputError(f"{path} declares a document type: no MediaWiki export does")
                if block:
                    parser.feed(block)
                for event, element in parser.read_events():
                    if not seen:
                        _check_root(element, path)
                        seen = True
                    yield from state.take(event, element)
            if state.inside:
                parser.close()
        except etree.XMLSyntaxError as error:
            raise InputError(_explain(error, path, seen, state.pages)) from None


def _check_root(element: Any, path: Path) -> None:
    name = _local(element.tag)
    if name != "mediawiki":
        raise InputError(f"{path} is no MediaWiki export: its first element is <{name}>")


def _explain(error: Any, path: Path, seen: bool, pages: int) -> str:
    if not seen:
        return f"{path} is no MediaWiki export ({error.msg}): name an XML dump"
    return (
        f"{path} is cut off or damaged after page {pages} ({error.msg}, line {error.lineno}): "
        "fetch it again"
    )


class _State:
    """Follows the events of one export."""

    def __init__(self, cutoff: str) -> None:
        self._cutoff = cutoff
        self.pages = 0
        self.inside = True
        """Whether the end would be a cut: some exports end without their last closing tag."""
        self._best: dict[str, str] | None = None
        self._newer = False
        self._prefixes: frozenset[str] = frozenset()

    def take(self, event: str, element: Any) -> Iterator[SiteInfo | Page | Skipped]:
        name = _local(element.tag)
        if event == "start":
            if name == "page":
                self._best, self._newer, self.inside = None, False, True
            return
        if name == "revision":
            self._consider(element)
            element.clear()
        elif name == "page":
            self.pages += 1
            self.inside = False
            page = self._finish(element)
            if page is not None:
                yield page
            _forget(element)
        elif name == "siteinfo":
            self._prefixes = frozenset(
                (space.text or "").casefold()
                for space in element.iter("{*}namespace")
                if space.get("key") != "0"
            )
            yield SiteInfo(base_url=_text(element, "base"), name=_text(element, "sitename"))
            _forget(element)

    def _consider(self, revision: Any) -> None:
        timestamp = _text(revision, "timestamp").strip()
        if not _TIMESTAMP.fullmatch(timestamp):
            return
        if timestamp > self._cutoff:
            self._newer = True
        elif self._best is None or timestamp >= self._best["timestamp"]:
            self._best = {
                "id": _text(revision, "id"),
                "timestamp": timestamp,
                "text": _text(revision, "text"),
            }

    def _finish(self, page: Any) -> Page | Skipped | None:
        title = _text(page, "title").strip()
        namespace = _text(page, "ns").strip()
        # Exports before schema 0.6 carry no <ns>: there the title's prefix has to tell.
        elsewhere = title.partition(":")[0].casefold() in self._prefixes and ":" in title
        if not title or (namespace != "0" if namespace else elsewhere):
            return None
        if self._best is None:
            return Skipped(title=title, reason=NEWER if self._newer else NO_TEXT)
        page_id, rev_id = _text(page, "id").strip(), self._best["id"].strip()
        if not page_id.isdecimal() or not rev_id.isdecimal():
            return Skipped(title=title, reason=NO_ID)
        source = self._best["text"]
        redirect = redirect_target(source)
        if redirect is None and not source.strip():
            return Skipped(title=title, reason=NO_TEXT)
        return Page(
            page_id=int(page_id),
            rev_id=int(rev_id),
            title=title,
            timestamp=self._best["timestamp"],
            url="",
            redirect=redirect,
            source=source,
            format="wikitext",
        )


def _local(tag: object) -> str:
    return str(tag).rpartition("}")[2]


def _text(element: Any, name: str) -> str:
    for child in element:
        if _local(child.tag) == name:
            return child.text or ""
    return ""


def _forget(element: Any) -> None:
    """Free an element and those before it: the parser would keep them all to the end."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]
