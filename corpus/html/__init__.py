"""HTML pages to text, in the same form as wikitext gives it: for ZIM archives and Enterprise dumps.

hidden    which elements show nothing that a reader of the text needs
inline    words: links, raised and lowered text, formulas
walk      blocks: headings, paragraphs, lists, tables, boxes
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from corpus.form.document import assemble
from corpus.form.marks import sanitize
from corpus.html.hidden import is_disambiguation_class
from corpus.html.plain import read_plainly
from corpus.html.walk import Walk
from corpus.storage.titles import normalise
from corpus.types import Text
from corpus.wikitext.disambiguation import is_disambiguation

__all__ = ["MAX_TAGS", "to_text"]

MAX_TAGS = 500_000
"""A page with more, closing ones included, is read the plain way; the longest articles have half."""

_ROOTS = (
    "//*[contains(concat(' ', @class, ' '), ' mw-parser-output ')]",
    "//*[@id='mw-content-text']",
    "//*[@id='bodyContent' or @id='content']",
    "//main",
    "//body",
)


def to_text(html: str, title: str) -> Text:
    """Return a page's text, sections and links, its categories, boxes and tables.

    Args:
        html: the page, whole or its content alone.
        title: its title.
    """
    from lxml import etree

    source = sanitize(html)
    if not source.strip():
        return assemble(())
    if source.count("<") > MAX_TAGS:
        return read_plainly(source, f"more than {MAX_TAGS:,} tags")
    # Bytes with a named encoding: a declaration inside the page must not be believed over them.
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    tree = etree.fromstring(source.encode("utf-8", "replace"), parser)
    if tree is None:
        return assemble(())
    walk = Walk(title)
    walk.read(_content(tree))
    marked = any(is_disambiguation_class(name) for name in walk.classes)
    return assemble(
        walk.blocks,
        walk.links,
        categories=_categories(tree),
        disambiguation=marked or is_disambiguation("", title),
        degraded="nested too deep: the form of the innermost parts is lost"
        if walk.too_deep
        else None,
    )


def _categories(tree: Any) -> Iterator[str]:
    """Yield the categories that Parsoid writes into a page, in its order."""
    for link in tree.iter("link"):
        if "mw:PageProp/Category" in (link.get("rel") or ""):
            target = unquote((link.get("href") or "").partition("#")[0])
            yield normalise(target.removeprefix("./").partition(":")[2])


def _content(tree: Any) -> Any:
    for path in _ROOTS:
        if found := tree.xpath(path):
            # Content split into parts, as mobile pages have it, shares a parent.
            return found[0] if len(found) == 1 or path == _ROOTS[-1] else found[0].getparent()
    return tree
