"""A proof that cannot fail proves nothing: every kind of tampering is found."""

from __future__ import annotations

import json
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import zstandard
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from corpus import Snapshot
from corpus.builder.snapshot import build_snapshot
from corpus.errors import InputError
from corpus.files import sha256_of
from corpus.proof.difference import compare_snapshots
from corpus.proof.snapshot import MOST_FAULTS, verify_snapshot
from corpus.storage.blocks import BLOCK, Entry, digest_block, fingerprint
from corpus.storage.manifest import read_manifest, write_manifest
from corpus.types import Article, Contents
from tests.exports import Edit, articles, page, write_export


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp = tmp_path_factory.mktemp("verify")
    pages = [
        page(
            "Io",
            1,
            Edit("Io is a moon.\n\n== Part ==\nMore.[[Category:Moons]]", "2016-06-01T23:59:59Z"),
        ),
        page("R", 2, "#REDIRECT [[Io]]"),
        *articles(range(10, 140)),
    ]
    build_snapshot([write_export(tmp / "w.xml", *pages)], tmp / "out", date="2016-06-01", workers=0)
    return tmp / "out"


@pytest.fixture
def copy(sound: Path, tmp_path: Path) -> Path:
    shutil.copytree(sound, tmp_path / "copy")
    return tmp_path / "copy"


def change(folder: Path, statement: str, *values: object) -> None:
    database = sqlite3.connect(folder / "articles.sqlite")
    assert database.execute(statement, values).rowcount
    database.commit()
    database.close()


def test_a_sound_snapshot_has_no_faults(sound: Path) -> None:
    reports: list[tuple[int, int]] = []
    proof = verify_snapshot(sound, lambda done, total: reports.append((done, total)))
    assert proof.faults == ()
    assert (proof.articles, proof.newest, proof.date) == (131, "2016-06-01T23:59:59Z", "2016-06-01")
    assert reports == [(100, 131), (131, 131)]


def packed(text: str) -> bytes:
    return zstandard.ZstdCompressor().compress(text.encode())


TAMPERING: list[tuple[str, list[object], str]] = [
    (
        "UPDATE articles SET timestamp = '2016-06-02T00:00:00Z' WHERE page_id = 1",
        [],
        "after the snapshot's date",
    ),
    ("UPDATE articles SET timestamp = 'long ago' WHERE page_id = 1", [], "which is no time"),
    ("UPDATE articles SET rev_id = 7 WHERE page_id = 1", [], "'Io' differs from its digest"),
    ("UPDATE articles SET title = 'Ia' WHERE page_id = 1", [], "'Ia' differs from its digest"),
    ("UPDATE articles SET disambiguation = 1 WHERE page_id = 1", [], "differs from its digest"),
    (
        "UPDATE articles SET url = 'https://x.example' WHERE page_id = 1",
        [],
        "differs from its digest",
    ),
    (
        "UPDATE articles SET digest = x'00' WHERE page_id = 1",
        [],
        "from page 1 on are not those of their block",
    ),
    (
        "UPDATE articles SET first_row = 5000 WHERE page_id = 1",
        [],
        "begins at row 5000, expected 0",
    ),
    ("UPDATE articles SET chunk_count = 2 WHERE page_id = 1", [], "has 1 chunks, its row says 2"),
    (
        "UPDATE bodies SET text = ? WHERE page_id = 1",
        [packed("Io is a moon of ours!")],
        "differs from its digest",
    ),
    ("UPDATE bodies SET text = ? WHERE page_id = 1", [b"no zstd"], "cannot be read"),
    ("UPDATE bodies SET sections = ? WHERE page_id = 1", [packed("[[")], "cannot be read"),
    ("UPDATE bodies SET links = ? WHERE page_id = 1", [packed("[7]")], "cannot be read"),
    (
        "UPDATE bodies SET links = ? WHERE page_id = 1",
        [packed('[["a", "b"]]')],
        "differs from its digest",
    ),
    (
        "UPDATE bodies SET sections = ? WHERE page_id = 1",
        [packed('[["", 1, 0, 3]]')],
        "has sections up to 3",
    ),
    (
        "UPDATE bodies SET sections = ? WHERE page_id = 1",
        [packed('[["", 1, 2, 30]]')],
        "has a section at 2–30",
    ),
    (
        "UPDATE bodies SET spans = ? WHERE page_id = 1",
        [struct.pack("<II", 5, 900)],
        "has a chunk at 5–900",
    ),
    ("UPDATE bodies SET spans = ? WHERE page_id = 1", [b"xyz"], "cannot be read"),
    ("DELETE FROM bodies WHERE page_id = 1", [], "'Io' cannot be read"),
    (
        "UPDATE contents SET packed = ? WHERE page_id = 1",
        [packed('[["Planets"], [], []]')],
        "differs from its digest",
    ),
    ("UPDATE contents SET packed = ? WHERE page_id = 1", [packed("[7]")], "cannot be read"),
    ("DELETE FROM contents WHERE page_id = 1", [], "'Io' cannot be read"),
    ("UPDATE contents SET page_id = 999 WHERE page_id = 1", [], "1 contents of no article"),
    (
        "UPDATE categories SET name = 'Planets' WHERE name = 'Moons'",
        [],
        "the categories are not those of the articles",
    ),
    ("DELETE FROM members WHERE page_id = 1", [], "the categories are not those of the articles"),
    (
        "DELETE FROM articles WHERE page_id = 1",
        [],
        "articles: 130 in the store, 131 in the manifest",
    ),
    (
        "DELETE FROM names WHERE page_id = 1 AND NOT redirect",
        [],
        "no title leads to 'Io'",
    ),
    ("UPDATE names SET page_id = 999 WHERE redirect", [], "the title 'R' leads nowhere"),
    ("DELETE FROM names WHERE redirect", [], "redirects: 0 in the store, 1 in the manifest"),
]


@pytest.mark.parametrize(("statement", "values", "fault"), TAMPERING)
def test_tampering_is_found(copy: Path, statement: str, values: list[object], fault: str) -> None:
    change(copy, statement, *values)
    assert any(fault in found for found in verify_snapshot(copy).faults)


@pytest.mark.parametrize(
    ("change_manifest", "fault"),
    [
        (
            lambda manifest: manifest.update(date="2016-05-31"),
            "after the snapshot's date 2016-05-31",
        ),
        (lambda manifest: manifest.update(language="de"), "the fingerprint is not"),
        (lambda manifest: manifest.update(newest="2015-01-01T00:00:00Z"), "newest: 2016-06-01"),
        (lambda manifest: manifest.update(fingerprint="0" * 64), "the fingerprint is not"),
        (lambda manifest: manifest.update(base_url="https://x.example/wiki/"), "differs from its"),
    ],
)
def test_a_manifest_that_says_something_else_is_found(
    copy: Path, change_manifest: Callable[[dict[str, object]], None], fault: str
) -> None:
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    change_manifest(manifest)
    path.write_text(json.dumps(manifest))
    assert any(fault in found for found in verify_snapshot(copy).faults)


def test_faults_are_not_listed_without_end(copy: Path) -> None:
    change(copy, "UPDATE articles SET timestamp = '2020-01-01T00:00:00Z'")
    assert len(verify_snapshot(copy).faults) == MOST_FAULTS


def test_damage_anywhere_in_the_file_is_found(copy: Path) -> None:
    path = copy / "articles.sqlite"
    content = path.read_bytes()
    for start in range(0, len(content), len(content) // 12):
        path.write_bytes(content[:start] + b"\xaa" * 16 + content[start + 16 :])
        try:
            faults = verify_snapshot(copy).faults
        except InputError as error:
            faults = (str(error),)
        assert any("checksum" in fault or "damaged" in fault for fault in faults)


def test_what_is_no_snapshot_cannot_be_verified(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="build one with"):
        verify_snapshot(tmp_path / "nowhere")


def test_only_what_was_built_is_read(copy: Path) -> None:
    with Snapshot.open(copy) as snapshot:
        chunk_id = snapshot.chunks_at([0])[0].id
    change(copy, "UPDATE bodies SET text = ? WHERE page_id = 1", packed("Io is a moon of ours!"))
    with Snapshot.open(copy) as snapshot:
        for reading in (
            lambda: snapshot.article("Io"),
            lambda: snapshot.article("R"),
            lambda: snapshot.chunk(chunk_id),
            lambda: snapshot.chunks_at([0]),
            lambda: list(snapshot.chunks()),
            lambda: list(snapshot.articles()),
        ):
            with pytest.raises(InputError, match="changed after it was built: the text of 'Io'"):
                reading()
        assert snapshot.article("Article 20").text.startswith("Article 20")


@pytest.fixture(scope="module")
def read(sound: Path) -> dict[str, tuple[Article, Contents]]:
    """Every article by the titles that lead to it, and what it holds."""
    with Snapshot.open(sound) as snapshot:
        titles = ["R", *snapshot.titles()]
        return {title: (snapshot.article(title), snapshot.contents(title)) for title in titles}


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_whatever_cell_is_changed_is_found_and_never_read(
    sound: Path,
    read: dict[str, tuple[Article, Contents]],
    tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
) -> None:
    copy = tmp_path_factory.mktemp("cell") / "copy"
    shutil.copytree(sound, copy)
    tables = {
        "articles": [
            "rev_id",
            "title",
            "timestamp",
            "url",
            "caveat",
            "disambiguation",
            "chunk_count",
            "digest",
            "names_digest",
            "first_row",
        ],
        "bodies": ["spans", "sections", "text", "links"],
        "names": ["folded", "title", "redirect", "page_id"],
        "blocks": ["first_page", "digest"],
        "contents": ["page_id", "packed"],
        "categories": ["category", "name", "folded", "articles"],
        "members": ["category", "page_id"],
    }
    table = data.draw(st.sampled_from(sorted(tables)))
    column = data.draw(st.sampled_from(tables[table]))
    database = sqlite3.connect(copy / "articles.sqlite")
    old = data.draw(
        st.sampled_from(
            [row[0] for row in database.execute(f"SELECT {column} FROM {table} ORDER BY 1")]
        )
    )
    kind = {int: st.integers(0, 1 << 40), str: st.text(), bytes: st.binary()}[type(old)]
    new = data.draw(kind.filter(lambda value: value != old))
    if isinstance(new, str):
        new = new.encode("utf-8", "replace").decode()
    assume(new != old)
    database.execute(f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {column} = ?", (new, old))
    database.commit()
    database.close()
    manifest = read_manifest(copy)
    write_manifest(copy, replace(manifest, checksum=sha256_of(copy / "articles.sqlite")))
    assert verify_snapshot(copy).faults
    with Snapshot.open(copy) as snapshot:
        for title, (article, contents) in read.items():
            with suppress(InputError):
                assert snapshot.article(title) == article
            with suppress(InputError):
                assert snapshot.contents(title) == contents


def as_format_2(folder: Path) -> None:
    """Make a snapshot one of the format before contents were kept."""
    manifest = read_manifest(folder)
    database = sqlite3.connect(folder / "articles.sqlite", isolation_level=None)
    for table in ("members", "categories", "contents"):
        database.execute(f"DROP TABLE {table}")
    database.execute("UPDATE articles SET digest = substr(digest, 1, 48)")
    entries = list(
        map(
            Entry._make,
            database.execute(f"SELECT {', '.join(Entry._fields)} FROM articles ORDER BY page_id"),
        )
    )
    database.execute("DELETE FROM blocks")
    blocks = [
        (block[0].page_id, digest_block(block))
        for block in (entries[at : at + BLOCK] for at in range(0, len(entries), BLOCK))
    ]
    database.executemany("INSERT INTO blocks VALUES (?, ?)", blocks)
    database.close()
    write_manifest(
        folder,
        replace(
            manifest,
            format=2,
            fingerprint=fingerprint(manifest.language, manifest.date, blocks),
            checksum=sha256_of(folder / "articles.sqlite"),
        ),
    )


def test_a_snapshot_from_before_contents_were_kept_is_read_without_them(
    sound: Path, copy: Path
) -> None:
    as_format_2(copy)
    assert verify_snapshot(copy).faults == ()
    assert compare_snapshots(copy, sound).unchanged == 131
    with Snapshot.open(copy) as old, Snapshot.open(sound) as new:
        assert old.article("Io") == new.article("Io")
        assert list(old.chunks()) == list(new.chunks())
        assert not old.keeps_contents
        for reading in (
            lambda: old.contents("Io"),
            lambda: old.members("Moons"),
            lambda: list(old.categories()),
            lambda: list(old.all_contents()),
        ):
            with pytest.raises(InputError, match=r"before categories, .* build it again"):
                reading()


def test_a_manifest_that_was_changed_is_not_opened(copy: Path) -> None:
    path = copy / "manifest.json"
    path.write_text(path.read_text().replace('"asked": "2016-06-01"', '"asked": "2016-06-02"'))
    with pytest.raises(InputError, match="changed after the build"):
        Snapshot.open(copy)
    assert verify_snapshot(copy).faults == ("manifest.json differs from its seal",)
