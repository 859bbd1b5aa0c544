"""Where pages come from: one file a kind, and the table of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from corpus.errors import InputError
from corpus.sources.mediawiki_xml import read_export
from corpus.sources.streams import open_decompressed
from corpus.sources.types import SiteInfo, Skipped
from corpus.types import Page

Reader: TypeAlias = Callable[[Path, str], Iterator[SiteInfo | Page | Skipped]]
"""(file, cutoff) → the wiki's description, pages as of the cutoff, and what was left out."""

KINDS: dict[str, Reader] = {
    "mediawiki_xml": read_export,
}


def kind_of(path: Path) -> str:
    """Return the key of `KINDS` for a file, by what it begins with.

    Raises:
        InputError: the file is missing, empty or of no kind that can be read.
    """
    with open_decompressed(path) as stream:
        try:
            head = stream.read(4096)
        except (EOFError, OSError):
            raise InputError(f"{path} is cut off or damaged: fetch it again") from None
    if not head:
        raise InputError(f"{path} is empty: fetch it again")
    start = head.decode("utf-16" if head[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", "ignore")
    if start.lstrip("\ufeff \t\r\n").startswith("<"):
        return "mediawiki_xml"
    raise InputError(f"{path} is no dump: name a MediaWiki XML export (.xml, .bz2, .gz, .xz)")


def read_source(path: Path, cutoff: str) -> Iterator[SiteInfo | Page | Skipped]:
    """Yield what a source holds as of `cutoff`, `YYYY-MM-DDTHH:MM:SSZ`."""
    yield from KINDS[kind_of(path)](path, cutoff)


__all__ = ["KINDS", "Reader", "SiteInfo", "Skipped", "kind_of", "read_source"]
