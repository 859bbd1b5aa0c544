"""Titles that are like some words: for suggestions, and for tools that open an article by name."""

from __future__ import annotations

import re
import sqlite3
from difflib import SequenceMatcher

from corpus.titles import fold

_WORD = re.compile(r"\w+")
_CANDIDATES = 200


def search_titles(database: sqlite3.Connection, text: str, limit: int) -> list[str]:
    """Return titles of articles near `text`, best first.

    Titles and redirects that begin with the text come first, then those that begin with one of its
    words, longest words first; within each, the most alike. Every step is a range scan of the
    names' index, so that a wiki of millions of titles answers at once.
    """
    wanted = fold(text)
    if not wanted:
        return []
    words = sorted(set(_WORD.findall(wanted)), key=lambda word: (-len(word), word))
    found: dict[int, float] = {}
    for prefix in dict.fromkeys((wanted, *(fold(word) for word in words), wanted[:3])):
        for folded, page_id in database.execute(
            "SELECT folded, page_id FROM names WHERE folded >= ? AND folded < ? LIMIT ?",
            (prefix, prefix + "\U0010ffff", _CANDIDATES),
        ):
            likeness = SequenceMatcher(None, wanted, folded).ratio()
            found[page_id] = max(found.get(page_id, 0.0), likeness)
        if len(found) >= limit and prefix == wanted:
            break
    best = sorted(found, key=lambda page_id: (-found[page_id], page_id))[:limit]
    titles = (
        database.execute("SELECT title FROM articles WHERE page_id = ?", (page_id,)).fetchone()[0]
        for page_id in best
    )
    return list(titles)
