"""MediaWiki XML exports: schemas 0.3 to 0.11, current revisions or full history, one stream.

Of each page the newest revision at or before the date is taken, so an export with full history
needs no other treatment than one with current revisions. The format:
https://www.mediawiki.org/wiki/Help:Export#Export_format
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from corpus.errors import InputError
from corpus.sources.pages import PageCutter, Site, pages_in, parse_page
from corpus.sources.streams import BLOCK, DumpStream, FileSource
from corpus.sources.types import Batch, Done, Skipped, group
from corpus.types import Page

CATEGORIES = "14"
"""Number of the namespace of categories, on every wiki."""
_ROOT = re.compile(rb"<mediawiki[\s>]")
_SITE_INFO = re.compile(rb"<siteinfo>.*?</siteinfo>", re.S)


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaWikiExport(FileSource):
    """One export file; plain, bz2, gzip or xz."""

    site: Site
    size: int
    kind: str = "mediawiki_xml"

    @property
    def base_url(self) -> str:
        """Address of the wiki's main page, as the export says."""
        return self.site.base_url

    def batches(self, done: Done) -> Iterator[Batch]:
        """Yield what is not done; positions are offsets in the decompressed export."""
        with DumpStream(self.path) as stream:
            stream.skip(done.watermark)
            cutter = PageCutter(
                self.path,
                stream.read,
                lambda: stream.consumed,
                done.watermark,
                self.cutoff,
                self.latest,
            )
            yield from group(cutter.records(), done)
            if not cutter.closed:
                notice = f"{self.path} ends without </mediawiki>: its last pages may be missing"
                yield Batch(start=0, end=0, payload=(), read=self.size, notice=notice)

    def pages(self, payload: tuple[bytes, ...]) -> Iterator[Page | Skipped]:
        """Yield the pages of a batch."""
        for record in payload:
            for content in pages_in(record):
                yield parse_page(content, self.site, self.cutoff, self.latest)


def open_export(path: Path, cutoff: str, base_url: str) -> MediaWikiExport:
    """Open an export.

    Args:
        path: the file.
        cutoff: last second a revision may have, `2023-11-20T23:59:59Z`.
        base_url: of the wiki, where the export does not say it.

    Raises:
        InputError: no export, or one with a document type (which could expand).
    """
    site = read_site(path, base_url)
    return MediaWikiExport(path=path, cutoff=cutoff, site=site, size=path.stat().st_size)


def read_site(path: Path, base_url: str) -> Site:
    """Return what an export says about its wiki before its first page.

    Raises:
        InputError: as in `open_export`.
    """
    with DumpStream(path) as stream:
        head = b""
        while b"<page>" not in head and len(head) < BLOCK and (block := stream.read()):
            head += block
    head = head.partition(b"<page>")[0]
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise InputError(
            f"{path} declares a document type, which no MediaWiki export does:"
            " remove the declaration, or fetch the dump from the wiki"
        )
    if not _ROOT.search(head):
        raise InputError(f"{path} is no MediaWiki export: name an XML dump of a wiki")
    found = _SITE_INFO.search(head)
    try:
        # No document type stands before it, so no entity can expand.
        info = ElementTree.fromstring(found[0]) if found else None  # noqa: S314
    except ElementTree.ParseError:
        info = None
    if info is None:
        return Site(base_url=base_url, namespaces=frozenset())
    spaces = [(space.get("key"), (space.text or "").strip()) for space in info.iter("namespace")]
    return Site(
        base_url=info.findtext("base") or base_url,
        namespaces=frozenset(name.lower() for key, name in spaces if key != "0"),
        categories=frozenset(name.lower() for key, name in spaces if key == CATEGORIES and name),
    )
