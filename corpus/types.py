"""The vocabulary of the dated snapshot: revisions, articles, chunks."""

from __future__ import annotations

from dataclasses import dataclass

CHUNK_LIMIT = 1024
"""Longest chunk, in characters (FanOutQA, appendix on retrieval)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One page as it stood after one edit."""

    page_id: int
    rev_id: int
    title: str
    timestamp: str
    """UTC, ISO 8601 to the second, `2023-11-20T17:05:09Z`: such strings compare in time order."""
    url: str
    """Permanent link to this revision (`…?title=…&oldid=…`)."""
    caveat: str = ""
    """What keeps it from being the page as of the snapshot's date, such as a source that vouches
    for an earlier day only; empty where nothing does."""

    def to_json(self) -> dict[str, str | int]:
        """Return its members, as every reply and record names them."""
        return {
            "page_id": self.page_id,
            "rev_id": self.rev_id,
            "title": self.title,
            "url": self.url,
            "timestamp": self.timestamp,
            "caveat": self.caveat,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands under it, up to the next heading of any level."""

    title: str
    """Empty for the lead."""
    level: int
    """1 for the lead, 2 for `== Heading ==`, and so on."""
    start: int
    """Offset in the article's text of the section's first character, its heading line included."""
    end: int
    path: tuple[str, ...]
    """Titles of the enclosing sections, outermost first, this one last; () for the lead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link from an article to another, once per pair of anchor and target."""

    anchor: str
    """The words shown."""
    target: str
    """The title linked to, as written in the source: resolve it with `Snapshot.article`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What names a table of an article."""

    caption: str
    """Empty where it has none."""
    heads: tuple[str, ...]
    """Its rows of heads as they stand in the text, `Rank | Name | Height`; () where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a page is filed under, and what its text holds beside prose."""

    categories: tuple[str, ...] = ()
    """Names without the namespace, in the page's order; an extractor gives them as written, a
    snapshot as their pages are called. Those that templates add are known only
    where the source says them."""
    boxes: tuple[str, ...] = ()
    """The template's name of each box, `Infobox planet`, one an occurrence; written as these."""
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """What an extractor makes of one page's source."""

    text: str
    sections: tuple[Section, ...]
    """In order of `start`, the lead first; together they cover the text."""
    links: tuple[Link, ...] = ()
    contents: Contents = Contents()
    """Empty where a simpler way of extraction was used."""
    disambiguation: bool = False
    degraded: str | None = None
    """Why a simpler way of extraction was used; None where the page was read in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page as a source gives it, before extraction."""

    page_id: int
    rev_id: int
    title: str
    timestamp: str
    url: str
    redirect: str | None
    """Target title where the page is a redirect."""
    source: str
    """Wikitext, HTML or plain text, as `format` says."""
    format: str
    """"wikitext", "html" or "plain"."""
    seen: str = ""
    """Time of the newest revision the source holds of it, after the date or not; empty where the
    source states none."""
    caveat: str = ""
    """As in `Revision`, as far as the page alone tells."""
    category_names: frozenset[str] = frozenset()
    """The wiki's own names of its namespace of categories, in lower case; its source is read with
    the usual ones, too."""
    categories: tuple[str, ...] = ()
    """Those that the source states beside the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One page's text as of the snapshot's date."""

    revision: Revision
    text: str
    sections: tuple[Section, ...]
    redirects: tuple[str, ...]
    """Titles of the pages that redirect here, sorted."""
    links: tuple[Link, ...] = ()
    disambiguation: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """An exact span of an article's text: `text == article.text[start:end]`."""

    id: str
    """`page_id:rev_id:ordinal`, ordinal counted from 0 within the article."""
    revision: Revision
    start: int
    end: int
    section: str
    """Path of the section the chunk starts in, ` > ` between titles; empty in the lead."""
    text: str
