"""Words of an HTML page: what an inline element shows, and where its links lead."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from corpus.form.marks import NOTE
from corpus.form.scripts import superscript
from corpus.types import Link
from corpus.wikitext.formula import read_formula
from corpus.wikitext.links import namespace_of

_NO_ARTICLE = frozenset(
    {"external", "image", "mw-file-description", "extiw", "internal", "mw-selflink"}
)


def read_script(tag: str, words: str) -> str:
    """Return raised text in its raised form, lowered text as it is."""
    return superscript(words) if tag == "sup" and words.strip() else words


def read_math(element: Any) -> str:
    """Return a formula's TeX in readable form, from its annotation or its description."""
    for annotation in element.iter("annotation"):
        if "tex" in (annotation.get("encoding") or "").lower():
            return read_formula(annotation.text or "")
    return read_formula(element.get("alttext") or "".join(element.itertext()))


def make_link(element: Any, classes: frozenset[str], words: str) -> Link | None:
    """Return where a link leads, None where it leads to no article.

    Archives write targets in many ways: `./Rome`, `/wiki/Rome`, `../A/Rome.html`, `Rome`; the title
    attribute, where there is one, is the title itself.
    """
    href = element.get("href") or ""
    anchor = words.replace(NOTE, "").strip()
    if not href or href.startswith("#") or not anchor or not _NO_ARTICLE.isdisjoint(classes):
        return None
    parts = urlsplit(href)
    if parts.netloc and "/wiki/" not in parts.path:
        return None
    title = (element.get("title") or "").removesuffix(" (page does not exist)")
    if not title:
        path = parts.path.split("/wiki/")[-1] if "/wiki/" in parts.path else parts.path
        while path.startswith(("./", "../", "A/", "/")):
            path = path.partition("/")[2]
        title = unquote(path).removesuffix(".html").replace("_", " ")
    if not title or namespace_of(title):
        return None
    return Link(anchor=" ".join(anchor.split()), target=title.partition("#")[0].strip())
