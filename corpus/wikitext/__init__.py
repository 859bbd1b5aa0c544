"""Wikitext to text that keeps what a page says: infobox values, tables, lists, the words of templates.

    protect   comments, references, formulas and tags
    scan      templates, links and tables, innermost first, in one pass
    blocks    lines: headings, paragraphs, items, rows

The page is read as text by a scanner of this project and not as a tree: the tree that a full parser
builds costs most of its time and is not needed to know what a page shows.
"""

from __future__ import annotations

import re

from corpus.form.document import assemble
from corpus.form.marks import sanitize
from corpus.types import Text
from corpus.wikitext.blocks import blocks
from corpus.wikitext.links import Links
from corpus.wikitext.protect import protect
from corpus.wikitext.scan import LINK, TABLE, TEMPLATE, scan
from corpus.wikitext.tables import render_table
from corpus.wikitext.templates import render_template

_REDIRECT = re.compile(
    r"\s*#\s*(?:redirect(?:ion)?|weiterleitung|redirección|redirecionamento|rinvia|doorverwijzing|"
    r"перенаправление|перенапр|виж|пренасочване|転送|リダイレクト|重定向|重新導向|넘겨주기|patrz|przekieruj|ohjaus|omdirigering)"
    r"\s*:?\s*\[\[:?([^\[\]|#\n]+)",
    re.I,
)
_DISAMBIGUATION = re.compile(
    r"\{\{\s*(?:[\w\- ]*disambig(?:uation)?[\w\- ]*|dab|hndis|geodis|surname|given name|"
    r"begriffsklärung|homonymie|desambiguación|disambigua|消歧义|消歧義|消歧义页|曖昧さ回避|aimai|동음이의|пояснение)\s*[|}]",
    re.I,
)
_HATNOTE_DISAMBIGUATION = re.compile(r"\{\{\s*(?:about|for|other|redirect|distinguish)", re.I)


def redirect_target(wikitext: str) -> str | None:
    """Return the title a redirect leads to, None where the page is none."""
    match = _REDIRECT.match(wikitext[:2000])
    return match[1].strip() if match else None


def to_text(wikitext: str, title: str) -> Text:
    """Return a page's text, sections and links.

    Takes time in proportion to the page, whatever it holds: nothing in it is read twice.

    Args:
        wikitext: the page's source.
        title: its title; pages called "… (disambiguation)" are marked as such.
    """
    source = sanitize(wikitext)
    links = Links()
    rendered = scan(
        protect(source),
        {TEMPLATE: render_template, LINK: links.render, TABLE: render_table},
    )
    return assemble(
        blocks(rendered),
        links.found,
        disambiguation=_is_disambiguation(source, title),
    )


def _is_disambiguation(source: str, title: str) -> bool:
    if title.endswith(
        ("(disambiguation)", "(消歧义)", "(消歧義)", "(曖昧さ回避)", "(Begriffsklärung)")
    ):
        return True
    return any(
        not _HATNOTE_DISAMBIGUATION.match(match[0]) for match in _DISAMBIGUATION.finditer(source)
    )
