"""Titles that are like some words: for suggestions, and for tools that open an article by name."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

from corpus.storage.titles import fold

_WORD = re.compile(r"\w+")
_IDEOGRAPH = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
_CANDIDATES = 200
"""Titles looked at for each way of asking."""
_NAMES = 30
"""Names of one page that are compared; some have hundreds of redirects."""
_SHORTEST_STEM = 3


def index_titles(
    database: sqlite3.Connection,
    *,
    schema: str = "store",
    names: str = "store",
    counted: Callable[[Iterable[tuple[Any, ...]]], Iterable[tuple[Any, ...]]] = iter,
) -> None:
    """Index the words of every article's title and redirects.

    Args:
        database: a connection.
        schema: name of the attached file in which the index is made.
        names: of the one that holds the titles.
        counted: passes the articles on as they are indexed.
    """
    # Contentless: the names are in the store already, only the words' postings are written.
    database.execute(
        f"CREATE VIRTUAL TABLE {schema}.title_words USING fts5(title, redirects, content='',"
        " detail=column, tokenize='unicode61 remove_diacritics 2')"
    )
    database.execute("BEGIN")
    database.executemany(
        f"INSERT INTO {schema}.title_words (rowid, title, redirects) VALUES (?, ?, ?)",
        counted(_rows(database, names)),
    )
    database.execute(f"INSERT INTO {schema}.title_words (title_words) VALUES ('optimize')")
    database.execute("COMMIT")


def _rows(database: sqlite3.Connection, schema: str) -> Iterator[tuple[int, str, str]]:
    names = database.execute(
        f"SELECT page_id, redirect, title FROM {schema}.names ORDER BY page_id, redirect, title"
    )
    for page_id, rows in groupby(names, key=lambda row: int(row[0])):
        titles: tuple[list[str], list[str]] = ([], [])
        for _, redirect, title in rows:
            titles[redirect].append(_spaced(title))
        yield page_id, "\n".join(titles[0]), "\n".join(titles[1])


def _spaced(text: str) -> str:
    """Set ideographs apart, since a script without spaces would be one word."""
    return _IDEOGRAPH.sub(r" \1 ", text)


def search_titles(database: sqlite3.Connection, text: str, limit: int) -> list[str]:
    """Return titles of articles near `text`, best first.

    Candidates are the titles and redirects that begin with the text, those that hold all its words,
    and, where these are few, those that hold some of them or begin with the same letters. They are
    ordered by likeness to the text.
    """
    wanted = fold(text)
    if not wanted or limit < 1:
        return []
    words = _WORD.findall(_spaced(wanted))
    found = _beginning_with(database, wanted) | _holding(database, words, " AND ")
    if len(found) < limit:
        long = [word for word in words if len(word) >= _SHORTEST_STEM or not word.isascii()]
        found |= _holding(database, long or words, " OR ")
        found |= _beginning_with(database, wanted[:_SHORTEST_STEM])
    if not found:
        found = _beginning_with(database, wanted[:1])
    scores = {page_id: _likeness(database, page_id, wanted, set(words)) for page_id in found}
    best = sorted(found, key=lambda page_id: (-scores[page_id], page_id))
    titles: dict[str, None] = {}
    for page_id in best:
        # Passages may share a title.
        query = "SELECT title FROM articles WHERE page_id = ?"
        found = database.execute(query, (page_id,)).fetchone()
        if found:
            titles[found[0]] = None
        if len(titles) == limit:
            break
    return list(titles)


def _beginning_with(database: sqlite3.Connection, prefix: str) -> set[int]:
    rows = database.execute(
        "SELECT page_id FROM names WHERE folded >= ? AND folded < ? LIMIT ?",
        (prefix, prefix + "\U0010ffff", _CANDIDATES),
    )
    return {page_id for (page_id,) in rows}


def _holding(database: sqlite3.Connection, words: list[str], joint: str) -> set[int]:
    if not words:
        return set()
    # The last word may still be in the writing.
    query = joint.join(f'"{word}"' for word in words) + "*"
    rows = database.execute(
        "SELECT rowid FROM title_words WHERE title_words MATCH ?"
        " ORDER BY bm25(title_words, 4.0, 1.0), rowid LIMIT ?",
        (query, _CANDIDATES),
    )
    return {page_id for (page_id,) in rows}


def _likeness(database: sqlite3.Connection, page_id: int, wanted: str, words: set[str]) -> float:
    """Likeness of a page's best name: letters in common, and the share of words it holds."""
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    best = 0.0
    rows = database.execute(
        "SELECT folded, redirect FROM names WHERE page_id = ? ORDER BY redirect LIMIT ?",
        (page_id, _NAMES),
    )
    for folded, redirect in rows:
        matcher.set_seq1(folded)
        held = len(words & set(_WORD.findall(_spaced(folded)))) / max(1, len(words))
        # At equal likeness an article's own title comes before a redirect to another.
        if held + matcher.real_quick_ratio() - 0.01 * redirect > best:
            best = max(best, held + matcher.ratio() - 0.01 * redirect)
    return best
