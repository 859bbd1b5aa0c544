"""Categories with their articles, drawn from the articles' contents."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import zstandard

from corpus.storage.record import unpack_contents
from corpus.storage.titles import fold


def write_categories(
    database: sqlite3.Connection, *, schema: str = "store", contents: str = "store"
) -> None:
    """Write the tables `categories` and `members`, which are there and empty.

    Args:
        database: a connection.
        schema: name of the attached file that they are in.
        contents: of the one that holds the articles' contents.
    """
    # In a table of the disk: a large wiki has some sixty million of these pairs.
    database.execute(
        "CREATE TEMP TABLE filed (name TEXT, page_id INTEGER, PRIMARY KEY (name, page_id))"
        " WITHOUT ROWID"
    )
    database.executemany(
        "INSERT OR IGNORE INTO temp.filed VALUES (?, ?)", _filed(database, contents)
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


def _filed(database: sqlite3.Connection, schema: str) -> Iterator[tuple[str, int]]:
    unpacker = zstandard.ZstdDecompressor()
    for page_id, packed in database.execute(f"SELECT page_id, packed FROM {schema}.contents"):
        for name in unpack_contents(unpacker.decompress(packed)).categories:
            yield name, page_id
