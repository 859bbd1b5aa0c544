"""Wikitext to text that keeps what a page says: infobox values, tables, lists, the words of templates.

    tags      comments, references, formulas and tags
    expand    templates, links and tables, innermost first, in one pass
    blocks    lines: headings, paragraphs, items, rows

A page is read by a scanner of this project, not as a tree: docs/text.md gives the measurements.
"""

from __future__ import annotations

from corpus.form.document import assemble
from corpus.form.lines import settle
from corpus.form.marks import forget_roles, restore, sanitize
from corpus.types import Link, Text
from corpus.wikitext.blocks import read_blocks
from corpus.wikitext.disambiguation import is_disambiguation
from corpus.wikitext.expand import MAX_DEPTH, TooManyMarksError, expand
from corpus.wikitext.plain import read_plainly
from corpus.wikitext.redirect import redirect_target
from corpus.wikitext.tags import strip_tags

__all__ = ["MAX_CHARACTERS", "redirect_target", "to_text"]

MAX_CHARACTERS = 4_000_000
"""A longer page is read the plain way. MediaWiki itself saves no page above 2 MiB."""


def to_text(wikitext: str, title: str, category_names: frozenset[str] = frozenset()) -> Text:
    """Return a page's text, sections and links, its categories, boxes and tables.

    The time grows with the length of the page, whatever stands in it: every step reads the page
    from left to right, and nesting is followed to a fixed depth.

    Args:
        wikitext: the page's source.
        title: its title.
        category_names: the wiki's own names of its namespace of categories, in lower case; the
            usual ones are known.
    """
    source = sanitize(wikitext).replace("&nbsp;", " ")
    if len(source) > MAX_CHARACTERS:
        return read_plainly(source, f"longer than {MAX_CHARACTERS:,} characters")
    try:
        expansion = expand("\n" + strip_tags(source), category_names)
    except TooManyMarksError as error:
        return read_plainly(source, str(error))
    return assemble(
        read_blocks(expansion.text),
        map(_make_link, expansion.links),
        categories=map(_make_category, expansion.categories),
        disambiguation=is_disambiguation(source, title),
        degraded=f"nested deeper than {MAX_DEPTH} levels" if expansion.too_deep else None,
    )


def _make_category(name: str) -> str:
    return " ".join(restore(settle(name)).replace("_", " ").split())


def _make_link(pair: tuple[str, str]) -> Link:
    anchor, target = pair
    if not anchor.isalnum():
        anchor = restore(settle(forget_roles(anchor))).strip()
    return Link(anchor=anchor, target=target)
