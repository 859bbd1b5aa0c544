"""The proof of what stands beside the articles: the tables themselves, titles, and titles' words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from urllib.parse import quote

from corpus.storage.categories import write_categories
from corpus.storage.database import CONTENTS, INDEXES, SCHEMA
from corpus.storage.record import digest_names
from corpus.storage.titles import fold
from corpus.storage.titlesearch import index_titles

_WORDS = "title_words"
_OBJECTS = "SELECT type, name, sql FROM {schema}.sqlite_master ORDER BY type, name"


def table_faults(database: sqlite3.Connection, *, contents: bool = True) -> Iterator[str]:
    """Yield each table, index, view or trigger that a store lacks or must not have.

    Args:
        database: the store.
        contents: whether its format keeps categories, boxes and tables.
    """
    plain = sqlite3.connect(":memory:", isolation_level=None)
    try:
        plain.execute("ATTACH ':memory:' AS store")
        for statement in SCHEMA + INDEXES + (CONTENTS if contents else ()):
            plain.execute(statement)
        index_titles(plain)
        expected, found = _objects(plain, "store"), _objects(database, "main")
    finally:
        plain.close()
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            yield f"{name} is missing"
        elif name not in expected:
            yield f"{name} does not belong there"
        elif expected[name] != found[name]:
            yield f"{name} is made in another way"


def _objects(database: sqlite3.Connection, schema: str) -> dict[str, str | None]:
    """How each thing in a store is made; of the tables behind the index of words only the names."""
    return {
        f"the {kind} {name}": None if name.startswith(f"{_WORDS}_") else sql
        for kind, name, sql in database.execute(_OBJECTS.format(schema=schema))
        if not name.startswith("sqlite_")
    }


def name_faults(database: sqlite3.Connection) -> Iterator[str]:
    """Yield each title that leads elsewhere than it should, and each article without its own."""
    query = (
        "SELECT n.folded, n.title, n.redirect, a.title FROM names n"
        " LEFT JOIN articles a USING (page_id)"
    )
    for folded, title, redirect, article in database.execute(query):
        if article is None:
            yield f"the title {title!r} leads nowhere"
        elif redirect not in (0, 1):
            yield f"the title {title!r} is neither an article's nor a redirect"
        elif not redirect and title != article:
            yield f"the title {title!r} leads to {article!r}"
        if folded != fold(title):
            yield f"the title {title!r} is found under {folded!r}"
    query = "SELECT title FROM articles WHERE page_id NOT IN (SELECT page_id FROM names WHERE NOT redirect)"
    for (title,) in database.execute(query):
        yield f"no title leads to {title!r}"
    titles = "SELECT title FROM articles WHERE page_id = ?"
    redirects = "SELECT title FROM names WHERE page_id = ? AND redirect ORDER BY title"
    for page_id, digest in database.execute("SELECT page_id, names_digest FROM articles"):
        title = database.execute(titles, (page_id,)).fetchone()[0]
        own = [name for (name,) in database.execute(redirects, (page_id,))]
        if digest_names(title, own) != digest:
            yield f"{title!r} has other redirects than it was built with"


@contextmanager
def _beside(path: Path) -> Iterator[sqlite3.Connection]:
    """Open an empty database, on the disk in a file of SQLite's own, with a store beside it as `old`."""
    fresh = sqlite3.connect("", isolation_level=None)
    try:
        address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        fresh.execute("ATTACH ? AS old", (address,))
        yield fresh
    finally:
        fresh.close()


def category_faults(path: Path) -> Iterator[str]:
    """Compare the categories with those made anew of the articles' contents.

    Args:
        path: of the store.
    """
    with _beside(path) as fresh:
        fresh.execute("ATTACH '' AS store")
        for statement in CONTENTS:
            fresh.execute(statement)
        fresh.execute("BEGIN")
        write_categories(fresh, contents="old")
        fresh.execute("COMMIT")
        for table in ("categories", "members"):
            query = f"SELECT * FROM {{schema}}.{table} ORDER BY 1, 2"
            old, new = (fresh.execute(query.format(schema=schema)) for schema in ("old", "store"))
            if any(one != other for one, other in zip_longest(old, new)):
                yield "the categories are not those of the articles"
                return


def word_faults(path: Path) -> Iterator[str]:
    """Compare the index of titles' words with one made anew of the titles.

    Args:
        path: of the store.
    """
    with _beside(path) as fresh:
        index_titles(fresh, schema="main", names="old")
        for schema in ("main", "old"):
            fresh.execute(
                f"CREATE VIRTUAL TABLE temp.words_{schema}"
                f" USING fts5vocab({schema}, {_WORDS}, instance)"
            )
        for query in (
            "SELECT term, doc, col FROM temp.words_{schema}",
            f"SELECT id, sz FROM {{schema}}.{_WORDS}_docsize ORDER BY id",
            # What the ranking takes its mean lengths from.
            f"SELECT block FROM {{schema}}.{_WORDS}_data WHERE id = 1",
            f"SELECT k, v FROM {{schema}}.{_WORDS}_config ORDER BY k",
        ):
            old, new = (fresh.execute(query.format(schema=schema)) for schema in ("old", "main"))
            if any(one != other for one, other in zip_longest(old, new)):
                yield "the words of the titles are not the titles'"
                return
