"""Writes small MediaWiki exports, for tests of everything that reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

BASE = "https://en.wikipedia.org/wiki/Main_Page"
LONG_AGO = "2015-03-01T12:00:00Z"


@dataclass(frozen=True)
class Edit:
    """One revision of a page."""

    text: str
    timestamp: str = LONG_AGO
    rev_id: int = 0
    """0 for one made from the page id and the place in the history."""
    model: str = "wikitext"


def page(
    title: str,
    page_id: int,
    *edits: Edit | str,
    ns: int | None = 0,
    redirect: str | None = None,
) -> str:
    """Return a `<page>`; edits given as strings are texts of long ago."""
    parts = [f"  <page>\n    <title>{escape(title)}</title>\n"]
    if ns is not None:
        parts.append(f"    <ns>{ns}</ns>\n")
    parts.append(f"    <id>{page_id}</id>\n")
    if redirect is not None:
        parts.append(f'    <redirect title="{escape(redirect)}" />\n')
    for place, given in enumerate(edits):
        edit = given if isinstance(given, Edit) else Edit(given)
        parts.append(
            f"    <revision>\n      <id>{edit.rev_id or page_id * 100 + place}</id>\n"
            f"      <timestamp>{edit.timestamp}</timestamp>\n"
            f"      <contributor><username>A</username><id>7</id></contributor>\n"
            f"      <model>{edit.model}</model>\n"
            f'      <text xml:space="preserve">{escape(edit.text)}</text>\n    </revision>\n'
        )
    return "".join(parts) + "  </page>\n"


def export(*pages: str, base: str = BASE, version: str = "0.11", closed: bool = True) -> str:
    """Return an export of some pages; an empty `base` leaves the site information out."""
    site = (
        f"  <siteinfo>\n    <sitename>Wikipedia</sitename>\n    <base>{base}</base>\n"
        "    <case>first-letter</case>\n    <namespaces>\n"
        '      <namespace key="0" case="first-letter" />\n'
        '      <namespace key="1" case="first-letter">Talk</namespace>\n'
        '      <namespace key="10" case="first-letter">Template</namespace>\n'
        "    </namespaces>\n  </siteinfo>\n"
        if base
        else ""
    )
    address = f"http://www.mediawiki.org/xml/export-{version}/"
    root = f'<mediawiki xmlns="{address}" version="{version}" xml:lang="en">\n'
    return root + site + "".join(pages) + ("</mediawiki>\n" if closed else "")


def write_export(path: Path, *pages: str, base: str = BASE) -> Path:
    """Write an export to a file and return its path."""
    path.write_text(export(*pages, base=base), encoding="utf-8")
    return path


def article(number: int, words: int = 60) -> str:
    """Return wikitext that differs from number to number."""
    body = " ".join(f"w{number}x{place}" for place in range(words))
    return f"'''Article {number}''' is about {body}.\n\n== Part ==\nMore of {number}: [[Other]]."


def articles(numbers: Sequence[int], words: int = 60) -> list[str]:
    """Return one page a number."""
    return [page(f"Article {number}", number, article(number, words)) for number in numbers]
