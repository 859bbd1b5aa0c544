"""Which elements of a page are not part of its text."""

from __future__ import annotations

import re

from corpus.text import word_set

_TAGS = word_set(
    """script style head link meta noscript nav audio video iframe object embed button input form svg
    template footer map source track"""
)
_CLASSES = word_set(
    """reference references reflist mw-editsection navbox navbox-styles vertical-navbox sidebar
    metadata noprint ambox mbox-small sistersitebox toc toccolours-toc shortdescription mw-empty-elt
    printfooter catlinks mw-cite-backlink mw-references-wrap Z3988 geo-nondefault geo-multi-punct
    mw-jump-link portalbox portal-bar authority-control navigation-not-searchable
    mw-kartographer-container mwe-math-fallback-image-inline mwe-math-fallback-image-display
    nomobile-toc noexcerpt-box stub asbox mw-authority-control succession-box infobox-below-nav
    tmbox ombox cmbox fmbox mw-indicators siteNotice mw-revision error sortkey
    mw-selflink-fragment-none refbegin-hidden"""
)
_HIDDEN_STYLE = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_KEPT_HATNOTE = re.compile(
    r"\s*(?:main article|main list|see also|further information|more information|hauptartikel|siehe auch"
    r"|article détaillé|voir aussi|artículo principal|véase también|主条目|参见|詳細は|основна статия|вижте също)",
    re.IGNORECASE,
)
_DISAMBIGUATION = frozenset({"disambigbox", "dmbox-disambig", "mw-disambig-page", "disambig"})


def is_hidden(tag: str, classes: frozenset[str], style: str, identifier: str) -> bool:
    """Whether an element and all that it holds show nothing that belongs to the text."""
    return (
        tag in _TAGS
        or not _CLASSES.isdisjoint(classes)
        or (bool(style) and _HIDDEN_STYLE.search(style) is not None)
        or identifier
        in ("toc", "catlinks", "siteSub", "contentSub", "jump-to-nav", "coordinates-none")
    )


def is_hatnote_kept(words: str) -> bool:
    """Whether a line above a section leads to the article about it; others only tell titles apart."""
    return _KEPT_HATNOTE.match(words) is not None


def is_disambiguation_class(name: str) -> bool:
    """Whether a class marks a page that lists the meanings of its title."""
    return name in _DISAMBIGUATION
