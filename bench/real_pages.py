"""The real pages that measurements read: every article of the dumps in a folder."""

from __future__ import annotations

import bz2
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from corpus.wikitext import redirect_target

DEFAULT_DUMPS = Path(__file__).resolve().parents[1] / "../shared/data/dumps"


@dataclass(frozen=True, slots=True, kw_only=True)
class RealPage:
    """One page of a dump."""

    dump: str
    title: str
    source: str


def read_pages(dumps: Path, pattern: str = "*.xml.bz2") -> list[RealPage]:
    """Return the articles of all dumps in a folder; redirects and other namespaces are left out."""
    return [page for path in sorted(dumps.glob(pattern)) for page in _read_dump(path)]


def _read_dump(path: Path) -> list[RealPage]:
    pages = []
    with bz2.open(path) as stream:
        for _, element in etree.iterparse(stream, tag="{*}page", huge_tree=True, recover=True):
            source = element.findtext("{*}revision/{*}text") or ""
            if element.findtext("{*}ns", "0") == "0" and source and redirect_target(source) is None:
                title = element.findtext("{*}title") or ""
                pages.append(RealPage(dump=path.name, title=title, source=source))
            element.clear()
    return pages
