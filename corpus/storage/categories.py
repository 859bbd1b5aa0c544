"""Categories with their articles, drawn from the articles' contents."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import zstandard

from corpus.storage.record import unpack_contents
from corpus.storage.titles import fold


def write_categories(
    database: sqlite3.Connection,
    *,
    schema: str = "store",
    contents: str = "store",
    counted: Callable[[Iterable[tuple[Any, ...]]], Iterable[tuple[Any, ...]]] = iter,
) -> None:
    """Write the tables `categories` and `members`, which are there and empty.

    Args:
        database: a connection.
        schema: name of the attached file that they are in.
        contents: of the one that holds the articles' contents.
        counted: passes the articles on as they are read.
    """
    # In a table of the disk: a large wiki has some sixty million of these pairs.
    database.execute(
        "CREATE TEMP TABLE filed (name TEXT, page_id INTEGER, PRIMARY KEY (name, page_id))"
        " WITHOUT ROWID"
    )
    database.executemany(
        "INSERT OR IGNORE INTO temp.filed VALUES (?, ?)",
        _filed(counted(database.execute(f"SELECT page_id, packed FROM {contents}.contents"))),
    )
    names = database.execute("SELECT name, COUNT(*) FROM temp.filed GROUP BY name ORDER BY name")
    database.executemany(
        f"INSERT INTO {schema}.categories VALUES (?, ?, ?, ?)",
        ((number, name, fold(name), count) for number, (name, count) in enumerate(names, start=1)),
    )
    database.execute(
        f"INSERT INTO {schema}.members SELECT category, page_id"
        f" FROM temp.filed JOIN {schema}.categories USING (name) ORDER BY 1, 2"
    )
    database.execute("DROP TABLE temp.filed")


def _filed(articles: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, int]]:
    unpacker = zstandard.ZstdDecompressor()
    for page_id, packed in articles:
        for name in unpack_contents(unpacker.decompress(packed)).categories:
            yield name, page_id
