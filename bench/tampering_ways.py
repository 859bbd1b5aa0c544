"""Ways of tampering with a snapshot, by name: what `tampering.py` judges.

Each is a function of the folder of a copy and of the two articles it may use.
"""

from __future__ import annotations

import json
import re
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zstandard import ZstdCompressor

from corpus.storage.blocks import Entry, digest_block
from corpus.storage.database import make_revision
from corpus.storage.manifest import ARTICLES, MANIFEST, read_manifest
from corpus.storage.record import decompress, digest_article
from corpus.storage.titles import fold


@dataclass(frozen=True)
class Target:
    """Two articles of a snapshot; the first has several sections and a redirect."""

    one: int
    two: int
    redirect: str


Way = Callable[[Path, Target], None]


@contextmanager
def store(folder: Path) -> Iterator[sqlite3.Connection]:
    """Open a store for writing."""
    database = sqlite3.connect(folder / ARTICLES)
    yield database
    database.commit()
    database.close()


def sql(*statements: str) -> Way:
    """Return the way that runs statements with `:one`, `:two` and `:redirect`."""

    def way(folder: Path, target: Target) -> None:
        values = {"one": target.one, "two": target.two, "redirect": target.redirect}
        with store(folder) as database:
            for statement in statements:
                done = database.execute(statement, values)
                assert done.rowcount, statement

    return way


def on_text(change: Callable[[str], str]) -> Way:
    """Return the way that changes the first article's text; its length stays, so spans still fit."""

    def way(folder: Path, target: Target) -> None:
        before = decompress(_body(folder, target.one, "text")).decode()
        after = change(before)[: len(before)].ljust(len(before))
        assert after != before
        _put_body(folder, target.one, "text", ZstdCompressor().compress(after.encode()))

    return way


def on_json(column: str, change: Callable[[list[Any]], list[Any]]) -> Way:
    """Return the way that changes the first article's sections or links."""

    def way(folder: Path, target: Target) -> None:
        value = change(json.loads(decompress(_body(folder, target.one, column))))
        packed = ZstdCompressor().compress(json.dumps(value).encode())
        _put_body(folder, target.one, column, packed)

    return way


def on_spans(change: Callable[[list[int]], list[int]]) -> Way:
    """Return the way that changes where the first article's chunks begin and end."""

    def way(folder: Path, target: Target) -> None:
        blob = _body(folder, target.one, "spans")
        offsets = change(list(struct.unpack(f"<{len(blob) // 4}I", blob)))
        _put_body(folder, target.one, "spans", struct.pack(f"<{len(offsets)}I", *offsets))

    return way


def _body(folder: Path, page: int, column: str) -> bytes:
    with store(folder) as database:
        query = f"SELECT {column} FROM bodies WHERE page_id = ?"
        return bytes(database.execute(query, (page,)).fetchone()[0])


def _put_body(folder: Path, page: int, column: str, blob: bytes) -> None:
    with store(folder) as database:
        database.execute(f"UPDATE bodies SET {column} = ? WHERE page_id = ?", (blob, page))


def in_turn(*ways: Way) -> Way:
    """Return the way that does several."""

    def way(folder: Path, target: Target) -> None:
        for one in ways:
            one(folder, target)

    return way


def forge_digest(folder: Path, target: Target) -> None:
    """Make the first article's digest anew, so that it fits what was changed."""
    manifest = read_manifest(folder, sealed=False)
    with store(folder) as database:
        *columns, disambiguation, spans, sections, text, links, contents = database.execute(
            "SELECT page_id, rev_id, title, timestamp, url, caveat, disambiguation, spans, sections,"
            " text, links, packed FROM articles JOIN bodies USING (page_id)"
            " JOIN contents USING (page_id) WHERE page_id = ?",
            (target.one,),
        ).fetchone()
        revision = make_revision(manifest.base_url, *columns)
        parts = (spans, *map(decompress, (sections, text, links, contents)))
        digest = digest_article(revision, bool(disambiguation), parts)
        database.execute("UPDATE articles SET digest = ? WHERE page_id = ?", (digest, target.one))


def forge_block(folder: Path, target: Target) -> None:
    """Make the digest of the first article's block anew."""
    with store(folder) as database:
        pages = [page for (page,) in database.execute("SELECT first_page FROM blocks ORDER BY 1")]
        first = max(page for page in pages if page <= target.one)
        following = min((page for page in pages if page > target.one), default=1 << 62)
        rows = database.execute(
            f"SELECT {', '.join(Entry._fields)} FROM articles"
            " WHERE page_id >= ? AND page_id < ? ORDER BY page_id",
            (first, following),
        )
        digest = digest_block(map(Entry._make, rows.fetchall()))
        database.execute("UPDATE blocks SET digest = ? WHERE first_page = ?", (digest, first))


def swap(table: str, column: str) -> Way:
    """Return the way that gives each of the two articles what a column says of the other."""

    def way(folder: Path, target: Target) -> None:
        with store(folder) as database:
            get, put = (
                f"SELECT {column} FROM {table} WHERE page_id = ?",
                f"UPDATE {table} SET {column} = ? WHERE page_id = ?",
            )
            one, two = (database.execute(get, (p,)).fetchone()[0] for p in (target.one, target.two))
            free = b"" if isinstance(one, bytes) else -1 if isinstance(one, int) else "\0"
            database.execute(put, (free, target.two))
            database.execute(put, (two, target.one))
            database.execute(put, (one, target.two))

    return way


def add_redirect(folder: Path, target: Target) -> None:
    """Let a title that nobody wrote lead to the first article."""
    with store(folder) as database:
        row = (fold("Quite another"), "Quite another", target.one)
        database.execute("INSERT INTO names VALUES (?, ?, 1, ?)", row)


def swap_titles(folder: Path, target: Target) -> None:
    """Let each article's title lead to the other."""
    with store(folder) as database:
        put = "UPDATE names SET page_id = ? WHERE page_id = ? AND NOT redirect"
        for new, old in ((-1, target.one), (target.one, target.two), (target.two, -1)):
            database.execute(put, (new, old))


def manifest(**changes: object) -> Way:
    """Return the way that changes fields of the manifest; a function is given the value there is."""

    def way(folder: Path, target: Target) -> None:
        path = folder / MANIFEST
        values = json.loads(path.read_text())
        for name, change in changes.items():
            value = change(values[name]) if callable(change) else change
            assert value != values[name], name
            values[name] = value
        path.write_text(json.dumps(values))

    return way


def source(**changes: str) -> Way:
    """Return the way that changes what the manifest says of the first source."""
    return manifest(sources=lambda given: [given[0] | changes, *given[1:]])


def drop_field(folder: Path, target: Target) -> None:
    """Take a field out of the manifest."""
    path = folder / MANIFEST
    values = json.loads(path.read_text())
    del values["asked"]
    path.write_text(json.dumps(values))


def on_file(change: Callable[[bytes], bytes]) -> Way:
    """Return the way that changes the store's bytes."""

    def way(folder: Path, target: Target) -> None:
        path = folder / ARTICLES
        path.write_bytes(change(path.read_bytes()))

    return way


def replace_by_folder(folder: Path, target: Target) -> None:
    """Put an empty folder in the store's place."""
    (folder / ARTICLES).unlink()
    (folder / ARTICLES).mkdir()


def more(number: int) -> int:
    """Return one more."""
    return number + 1


def _other_number(text: str) -> str:
    return re.sub(r"\d", lambda found: str((int(found[0]) + 1) % 10), text, count=1)


TEXT: dict[str, Way] = {
    "a number in the text": on_text(_other_number),
    "a negation put in": on_text(lambda text: text.replace(" is ", " is not ", 1)),
    "a sentence taken out": on_text(lambda text: text[:20] + text[text.index(". ", 20) + 2 :]),
    "two words swapped": on_text(lambda text: re.sub(r"(\w+) (\w+)", r"\2 \1", text, count=1)),
    "a letter in the last line": on_text(lambda text: text[:-2] + "~" + text[-1]),
    "the text emptied": on_text(lambda text: ""),
    "the text of another article": swap("bodies", "text"),
    "all of two articles' bodies swapped": in_turn(
        *(swap("bodies", column) for column in ("text", "spans", "sections", "links"))
    ),
    "bytes that do not decompress": sql("UPDATE bodies SET text = x'00ff' WHERE page_id = :one"),
    "no text at all": sql("UPDATE bodies SET text = x'' WHERE page_id = :one"),
    "text in the place of bytes": sql("UPDATE bodies SET text = 'x' WHERE page_id = :one"),
    "the body deleted": sql("DELETE FROM bodies WHERE page_id = :one"),
    "the text and its digest": in_turn(on_text(_other_number), forge_digest),
    "the text, its digest and its block": in_turn(
        on_text(_other_number), forge_digest, forge_block
    ),
    "chunks that begin elsewhere": on_spans(lambda offsets: [offsets[0] + 1, *offsets[1:]]),
    "the last chunk cut short": on_spans(lambda offsets: [*offsets[:-1], offsets[-1] - 1]),
    "the last chunk dropped": on_spans(lambda offsets: offsets[:-2]),
    "spans that are no pairs": on_spans(lambda offsets: offsets[:-1]),
    "a section renamed": on_json(
        "sections", lambda parts: [*parts[:-1], ["Elsewhere", *parts[-1][1:]]]
    ),
    "a section that begins elsewhere": on_json(
        "sections",
        lambda parts: [
            *parts[:-2],
            [*parts[-2][:3], parts[-2][3] - 1],
            [*parts[-1][:2], parts[-1][2] - 1, parts[-1][3]],
        ],
    ),
    "a link that leads elsewhere": on_json("links", lambda links: [["x", "Elsewhere"], *links]),
    "an earlier time": sql(
        "UPDATE articles SET timestamp='2001-02-03T04:05:06Z' WHERE page_id=:one"
    ),
    "a time after the date": sql(
        "UPDATE articles SET timestamp='2031-02-03T04:05:06Z' WHERE page_id=:one"
    ),
    "an impossible time": sql(
        "UPDATE articles SET timestamp='2001-02-30T04:05:06Z' WHERE page_id=:one"
    ),
    "another revision id": sql("UPDATE articles SET rev_id = rev_id + 1 WHERE page_id = :one"),
    "another address": sql("UPDATE articles SET url = 'https://x.example/' WHERE page_id = :one"),
    "another title": sql("UPDATE articles SET title = 'Elsewhere' WHERE page_id = :one"),
    "two articles' titles": swap("articles", "title"),
    "called a disambiguation page": sql(
        "UPDATE articles SET disambiguation = NOT disambiguation WHERE page_id = :one"
    ),
    "a caveat": sql("UPDATE articles SET caveat = caveat || ' none' WHERE page_id = :one"),
    "rows of two articles": swap("articles", "first_row"),
    "the manifest's base address": manifest(base_url="https://x.example/wiki/Main_Page"),
}
"""What a reader would be given otherwise: reading it is to be refused."""

OTHER: dict[str, Way] = {
    "one chunk more": sql("UPDATE articles SET chunk_count = chunk_count + 1 WHERE page_id=:one"),
    "an empty digest": sql("UPDATE articles SET digest = x'' WHERE page_id = :one"),
    "another article's digest": swap("articles", "digest"),
    "another digest of names": swap("articles", "names_digest"),
    "an article's row deleted": sql("DELETE FROM articles WHERE page_id = :one"),
    "an article deleted everywhere": sql(
        "DELETE FROM articles WHERE page_id = :one",
        "DELETE FROM bodies WHERE page_id = :one",
        "DELETE FROM names WHERE page_id = :one",
    ),
    "an article put in": sql(
        "INSERT INTO articles SELECT 999999999, rev_id, 'Forged', timestamp, url, caveat,"
        " disambiguation, chunk_count, digest, names_digest, 999999999 FROM articles"
        " WHERE page_id = :one",
        "INSERT INTO bodies SELECT 999999999, spans, sections, text, links FROM bodies"
        " WHERE page_id = :one",
        "INSERT INTO names VALUES ('forged', 'Forged', 0, 999999999)",
    ),
    "a body of no article": sql(
        "INSERT INTO bodies SELECT 999999999, spans, sections, text, links FROM bodies"
        " WHERE page_id = :one"
    ),
    "the contents of another article": swap("contents", "packed"),
    "contents deleted": sql("DELETE FROM contents WHERE page_id = :one"),
    "a category renamed": sql("UPDATE categories SET name = 'Forged' WHERE category = 1"),
    "an article filed under another category": sql(
        "UPDATE OR REPLACE members SET category = (SELECT MAX(category) FROM categories)"
        " WHERE category = 1"
    ),
    "a category dropped": sql("DELETE FROM categories WHERE category = 1"),
    "a format that kept no categories": manifest(format=2),
    "two titles that lead to each other's article": swap_titles,
    "a redirect that leads to another article": sql(
        "UPDATE names SET page_id = :two WHERE title = :redirect AND redirect"
    ),
    "a redirect dropped": sql("DELETE FROM names WHERE title = :redirect AND redirect"),
    "a redirect added": add_redirect,
    "a redirect called a title": sql("UPDATE names SET redirect = 0 WHERE title = :redirect"),
    "a title called a redirect": sql(
        "UPDATE names SET redirect = 1 WHERE page_id = :one AND NOT redirect"
    ),
    "a title dropped": sql("DELETE FROM names WHERE page_id = :one AND NOT redirect"),
    "a title that leads nowhere": sql("UPDATE names SET page_id=-7 WHERE page_id=:one"),
    "a search key": sql("UPDATE names SET folded = 'x' WHERE page_id = :one AND NOT redirect"),
    "a redirect's search key": sql("UPDATE names SET folded = 'x' WHERE title = :redirect"),
    "a redirect's spelling": sql("UPDATE names SET title = 'X' WHERE title = :redirect"),
    "no titles": sql("DELETE FROM names"),
    "the table of titles dropped": sql("DROP TABLE names"),
    "the table of titles' words dropped": sql("DROP TABLE title_words"),
    "a view in the place of the titles": sql(
        "ALTER TABLE names RENAME TO hidden", "CREATE VIEW names AS SELECT * FROM hidden"
    ),
    "an index dropped": sql("DROP INDEX articles_by_row"),
    "a trigger": sql("CREATE TRIGGER t AFTER INSERT ON names BEGIN DELETE FROM names WHERE 0; END"),
    "a table more": sql("CREATE TABLE more (x)"),
    "words that no title has": sql(
        "INSERT INTO title_words (rowid, title, redirects) VALUES (:two, 'xyzzy', '')"
    ),
    "how long titles are": sql("UPDATE title_words_docsize SET sz = x'0505' WHERE id = :one"),
    "a block's digest": sql(
        "UPDATE blocks SET digest = x'00' WHERE first_page = (SELECT MIN(first_page) FROM blocks)"
    ),
    "the blocks deleted": sql("DELETE FROM blocks"),
    "a block that begins later": sql("UPDATE blocks SET first_page = first_page + 1"),
    "the snapshot's name": manifest(name="another"),
    "its language": manifest(language="xx"),
    "a later date": manifest(date="2031-05-05"),
    "an earlier date": manifest(date="2001-01-01"),
    "the day that was asked for": manifest(asked="2031-05-06"),
    "a source's checksum": source(sha256="0" * 64),
    "a source's name": source(name="another.xml"),
    "what a source vouches for": source(vouched="2031-05-05"),
    "how a source vouches": source(vouched_by="its word"),
    "a source more": manifest(sources=lambda given: [*given, given[0]]),
    "the number of articles": manifest(articles=more),
    "the number of redirects": manifest(redirects=more),
    "the number of chunks": manifest(chunks=more),
    "the newest time": manifest(newest="2001-01-01T00:00:00Z"),
    "what was left out": manifest(skipped={"nothing": 1}),
    "how many were read in a simpler way": manifest(simplified=more),
    "the caveats": manifest(caveats={"nothing": 1}),
    "the fingerprint": manifest(fingerprint="0" * 64),
    "the store's checksum": manifest(checksum="0" * 64),
    "the tool's version": manifest(tool_version="9.9"),
    "the seal": manifest(seal="0" * 64),
    "a field of the manifest": drop_field,
    "the store cut off": on_file(lambda content: content[: len(content) // 2]),
    "bytes in the middle of the store": on_file(
        lambda content: (
            content[: len(content) // 2] + b"\xaa" * 64 + content[len(content) // 2 + 64 :]
        )
    ),
    "bytes after the store's end": on_file(lambda content: content + b"\0" * 4096),
    "an empty store": on_file(lambda content: b""),
    "the store deleted": lambda folder, target: (folder / ARTICLES).unlink(),
    "the manifest deleted": lambda folder, target: (folder / MANIFEST).unlink(),
    "a folder in the store's place": replace_by_folder,
}
"""What names, tables, manifest and file may be made to say."""
