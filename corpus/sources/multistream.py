"""Multistream dumps: bz2 streams of a hundred pages each, which workers decompress in parallel.

The index beside the dump (`…-multistream-index.txt.bz2`, lines `offset:page id:title`) tells where
each stream begins.
"""

from __future__ import annotations

import bz2
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import InputError
from corpus.sources.mediawiki_xml import read_site
from corpus.sources.pages import PageCutter, Site, pages_in, parse_page
from corpus.sources.streams import DumpStream, FileSource, damaged, file_identity, open_file
from corpus.sources.types import Batch, Done, Skipped
from corpus.types import Page

_MARK = "-multistream"
_BZ2 = b"BZh"


@dataclass(frozen=True, slots=True, kw_only=True)
class MultistreamExport(FileSource):
    """A dump with its index."""

    index: Path
    site: Site
    size: int
    kind: str = "mediawiki_multistream"

    @property
    def base_url(self) -> str:
        """Address of the wiki's main page, as the export says."""
        return self.site.base_url

    def identity(self) -> str:
        """Size and time of the dump and of its index."""
        return f"{file_identity(self.path)} {file_identity(self.index)}"

    def batches(self, done: Done) -> Iterator[Batch]:
        """Yield each stream that is not done, compressed; positions are offsets in the file."""
        with open_file(self.path) as dump:
            start = 0
            for end in self._ends():
                if start not in done:
                    dump.seek(start)
                    stream = dump.read(end - start)
                    following = dump.read(len(_BZ2)) if end < self.size else _BZ2
                    if end > self.size or not (stream.startswith(_BZ2) and following == _BZ2):
                        raise InputError(
                            f"{self.index} does not fit {self.path} (at byte {start}):"
                            " fetch both of the same dump"
                        )
                    yield Batch(start=start, end=end, payload=stream, read=end)
                start = end

    def _ends(self) -> Iterator[int]:
        """Yield where each stream ends."""
        last = 0
        for offset in _offsets(self.index):
            if offset < last:
                raise InputError(f"{self.index} is out of order: fetch it again")
            if offset > last:
                yield offset
                last = offset
        if last < self.size:
            yield self.size

    def pages(self, payload: bytes) -> Iterator[Page | Skipped]:
        """Yield the pages of one stream.

        Raises:
            DamagedError: the stream is damaged or cut off.
        """
        try:
            blocks = iter((bz2.decompress(payload), b""))
        except (OSError, ValueError) as error:
            raise damaged(self.path, str(error)) from None
        cutter = PageCutter(self.path, lambda: next(blocks), lambda: 0, 0, self.cutoff, self.latest)
        for record in cutter.records():
            for content in pages_in(record.content):
                yield parse_page(content, self.site, self.cutoff, self.latest)


def find_index(path: Path) -> Path | None:
    """Return the index that lies beside a multistream dump, None where there is none."""
    if _MARK not in path.name:
        return None
    name = path.name.replace(_MARK, f"{_MARK}-index", 1).replace(".xml", ".txt", 1)
    candidates = (path.with_name(name), path.with_name(name.removesuffix(".bz2")))
    return next((beside for beside in candidates if beside.is_file()), None)


def open_multistream(path: Path, index: Path, cutoff: str, base_url: str) -> MultistreamExport:
    """Open a dump and its index.

    Raises:
        InputError: as in `corpus.sources.mediawiki_xml.open_export`.
    """
    site = read_site(path, base_url)
    return MultistreamExport(
        path=path, index=index, cutoff=cutoff, site=site, size=path.stat().st_size
    )


def _offsets(index: Path) -> Iterator[int]:
    held = b""
    last = b""
    with DumpStream(index) as stream:
        while True:
            block = stream.read()
            lines = (held + block).split(b"\n")
            held = lines.pop() if block else b""
            for line in filter(None, lines):
                offset, _, _ = line.partition(b":")
                if offset == last:
                    continue
                if not offset.isdigit():
                    raise InputError(
                        f"{index} is no multistream index ({line[:40]!r}):"
                        " its lines are offset:page id:title"
                    )
                yield int(offset)
                last = offset
            if not block:
                return
