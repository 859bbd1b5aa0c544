"""Where pages come from: one file a kind, and the table of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import InputError
from corpus.sources.types import Batch, Done, Skipped, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a build asks of every source."""

    cutoff: str
    """Last second a revision may have, `2023-11-20T23:59:59Z`."""
    base_url: str
    """Address of a page of the wiki, for sources that do not say it."""
    index: Path | None = None
    """Index of a multistream dump, where it does not lie beside it."""


def _open_xml(path: Path, wanted: Wanted) -> Source:
    from corpus.sources.mediawiki_xml import open_export
    from corpus.sources.multistream import find_index, open_multistream

    index = wanted.index or find_index(path)
    if index is not None:
        return open_multistream(path, index, wanted.cutoff, wanted.base_url)
    return open_export(path, wanted.cutoff, wanted.base_url)


KINDS: dict[str, Callable[[Path, Wanted], Source]] = {
    "mediawiki_xml": _open_xml,
}


def open_source(path: Path, wanted: Wanted) -> Source:
    """Open a source, its kind seen by what it begins with.

    Raises:
        InputError: it is missing, empty, damaged, or of no kind that can be read.
    """
    return KINDS[kind_of(path)](path, wanted)


def kind_of(path: Path) -> str:
    """Return the key of `KINDS` for a file, by what it begins with.

    Raises:
        InputError: as in `open_source`.
    """
    from corpus.sources.streams import DumpStream

    with DumpStream(path) as stream:
        head = stream.read(4096)
    if not head:
        raise InputError(f"{path} is empty: fetch it again")
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return "mediawiki_xml"
    raise InputError(f"{path} is no dump: name a MediaWiki XML export (.xml, .bz2, .gz, .xz)")


__all__ = ["KINDS", "Batch", "Done", "Skipped", "Source", "Wanted", "kind_of", "open_source"]
