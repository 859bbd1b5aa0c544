"""Redirect pages, in the languages of the larger wikis."""

from __future__ import annotations

import re

_REDIRECT = re.compile(
    r"\s*#\s*(?:redirect(?:ion)?|weiterleitung|redirecci[oó]n|redirecionamento|rinvia|doorverwijzing|перенаправление|перенапр|виж|пренасочване"
    r"|перенаправлення|転送|リダイレクト|重定向|重新導向|넘겨주기|patrz|przekieruj|ohjaus|uudelleenohjaus|omdirigering|yönlendir(?:me)?|تحويل|تغییر_?مسیر"
    r"|הפניה|přesměruj|presmeruj|átirányítás|alih|đổi|redireccion|redirect[_ ]til)"
    r"\s*:?\s*\[\[:?([^\[\]|\n]{1,300})",
    re.IGNORECASE,
)


def redirect_target(wikitext: str) -> str | None:
    """Return the title that a redirect page leads to, None where the page is no redirect."""
    match = _REDIRECT.match(wikitext)
    if match is None:
        return None
    title = match[1].partition("#")[0].replace("_", " ").strip()
    return title or None
