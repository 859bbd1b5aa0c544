"""Disambiguation pages, by title, template or category."""

from __future__ import annotations

import re

_TITLE = re.compile(
    r".*[(（](?:disambiguation|消歧义|消歧義|曖昧さ回避|begriffsklärung|homonymie|desambiguación|disambigua|значения|пояснение|동음이의)[)）]",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(
    r"\{\{\s*(?:(?:[\w-]{1,30}[ -])?disambig(?:uation)?(?:[ -][\w ]{1,30})?|disamb|dab|hndis(?:-cleanup)?|geodis|hospitaldis|schooldis|roaddis|mathdab|numberdis"
    r"|letter-numbercombdisambig|begriffsklärung|bkl|homonymie|homonymie de [^|{}]{1,30}|desambiguación|desambiguacion|disambigua|消歧义|消歧義|消歧义页|aimai"
    r"|曖昧さ回避|[^|{}\n]{1,10}の曖昧さ回避|人名の曖昧さ回避|동음이의|пояснение|пояснителна страница|неоднозначность|ujednoznacznienie|doorverwijspagina|dp)\s*[|}]",
    re.IGNORECASE,
)
_NEEDED = re.compile(
    r"disambiguation needed|disambig needed|disambiguation cleanup needed|dn\b", re.IGNORECASE
)


def is_disambiguation(source: str, title: str) -> bool:
    """Whether a page lists the meanings of its title."""
    if _TITLE.fullmatch(title):
        return True
    return any(_NEEDED.search(match[0]) is None for match in _TEMPLATE.finditer(source))
