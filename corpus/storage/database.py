"""The store's tables, and the connections to them."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

from corpus.errors import InputError
from corpus.faults import is_damage
from corpus.storage.titles import permanent_link
from corpus.types import Revision

SCHEMA = (
    """CREATE TABLE store.articles (
        page_id INTEGER PRIMARY KEY,
        rev_id INTEGER NOT NULL,
        title TEXT NOT NULL,
        timestamp TEXT NOT NULL,
        url TEXT NOT NULL,
        caveat TEXT NOT NULL,
        disambiguation INTEGER NOT NULL,
        chunk_count INTEGER NOT NULL,
        digest BLOB NOT NULL,
        names_digest BLOB NOT NULL,
        first_row INTEGER NOT NULL
    )""",
    """CREATE TABLE store.bodies (
        page_id INTEGER PRIMARY KEY REFERENCES articles,
        spans BLOB NOT NULL,
        sections BLOB NOT NULL,
        text BLOB NOT NULL,
        links BLOB NOT NULL
    )""",
    """CREATE TABLE store.names (
        folded TEXT NOT NULL,
        title TEXT NOT NULL,
        redirect INTEGER NOT NULL,
        page_id INTEGER NOT NULL,
        PRIMARY KEY (folded, title, redirect, page_id)
    ) WITHOUT ROWID""",
    """CREATE TABLE store.blocks (
        first_page INTEGER PRIMARY KEY,
        digest BLOB NOT NULL
    )""",
)
"""Bodies stand apart so that a walk over titles or rows does not drag the texts through memory, and
links come last so that reading a chunk does not touch them."""

CONTENTS = (
    """CREATE TABLE store.contents (
        page_id INTEGER PRIMARY KEY REFERENCES articles,
        packed BLOB NOT NULL
    )""",
    """CREATE TABLE store.categories (
        category INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        folded TEXT NOT NULL,
        articles INTEGER NOT NULL
    )""",
    """CREATE TABLE store.members (
        category INTEGER NOT NULL REFERENCES categories,
        page_id INTEGER NOT NULL,
        PRIMARY KEY (category, page_id)
    ) WITHOUT ROWID""",
    "CREATE INDEX store.categories_by_key ON categories (folded)",
)
"""From format 3 on: the contents of each article, and of them the categories with their articles."""

INDEXES = (
    "CREATE UNIQUE INDEX store.articles_by_row ON articles (first_row)",
    "CREATE INDEX store.names_by_page ON names (page_id)",
)


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a finished store; nothing is written beside it, so its folder may be read-only.

    Raises:
        InputError: the file is no store.
    """
    # immutable: no lock files, no write-ahead log. A finished store never changes.
    address = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
    try:
        connection = sqlite3.connect(address, uri=True, check_same_thread=False)
        connection.execute("PRAGMA mmap_size = 268435456")
        connection.execute("PRAGMA query_only = 1")
        connection.execute("SELECT 1 FROM articles LIMIT 1")
    except sqlite3.Error as error:
        if not is_damage(error):
            raise
        raise InputError(f"{path} is damaged ({error}): build the snapshot again") from None
    return connection


def make_revision(
    base_url: str, page_id: int, rev_id: int, title: str, timestamp: str, url: str, caveat: str
) -> Revision:
    """Return a revision from its columns; an empty `url` stands for the permanent link."""
    return Revision(
        page_id=page_id,
        rev_id=rev_id,
        title=title,
        timestamp=timestamp,
        url=url or permanent_link(base_url, title, rev_id),
        caveat=caveat,
    )
