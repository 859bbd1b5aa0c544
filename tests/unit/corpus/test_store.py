from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import ArticleNotFound, Snapshot
from corpus.builder.snapshot import build_snapshot
from corpus.errors import InputError
from tests.descriptors import open_files
from tests.exports import article, articles, page, write_export

LONG = "\n\n".join(f"== Part {part} ==\n" + article(part, 400) for part in range(6))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp = tmp_path_factory.mktemp("store")
    pages = [
        page("Io (moon)", 30, LONG),
        page("Anarchism", 10, "Anarchism is a [[philosophy|political philosophy]]."),
        page("ANARCHISM (film)", 11, "A film."),
        page("Mercury", 40, "'''Mercury''' may be: {{disambig}}"),
        page("長江", 50, "長江是一条河。"),
        page("ABC", 60, "Upper."),
        page("Abc", 61, "Lower."),
        *articles(range(100, 130)),
        page("Jupiter I", 31, "#REDIRECT [[Io (moon)]]"),
        page("Io, moon of Jupiter", 32, "#REDIRECT [[Io (moon)]]"),
        page("abC", 62, "#REDIRECT [[Mercury]]"),
    ]
    build_snapshot([write_export(tmp / "w.xml", *pages)], tmp / "out", date="2016-06-01", workers=0)
    return tmp / "out"


@pytest.fixture
def snapshot(folder: Path) -> Iterator[Snapshot]:
    with Snapshot.open(folder) as snapshot:
        yield snapshot


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Anarchism", "Anarchism"),
        ("anarchism", "Anarchism"),
        ("ANARCHISM", "Anarchism"),
        ("anarchism (FILM)", "ANARCHISM (film)"),
        ("Io_(moon)", "Io (moon)"),
        ("  io   (moon) ", "Io (moon)"),
        ("Io (moon)#Volcanoes", "Io (moon)"),
        ("jupiter i", "Io (moon)"),
        ("ABC", "ABC"),
        ("Abc", "Abc"),
        ("abc", "Abc"),
        ("AbC", "Mercury"),
        ("aBC", "ABC"),
        ("長江", "長江"),
    ],
)
def test_titles_lead_to_their_articles(snapshot: Snapshot, title: str, found: str) -> None:
    assert snapshot.article(title).revision.title == found


def test_a_title_that_is_not_there_names_those_that_are(snapshot: Snapshot) -> None:
    assert snapshot.find("Anarchisn") is None
    with pytest.raises(ArticleNotFound, match="did you mean 'Anarchism'") as caught:
        snapshot.article("Anarchisn")
    assert caught.value.near[0] == "Anarchism"
    assert caught.value.exit_code == 2
    with pytest.raises(ArticleNotFound):
        snapshot.article("")
    with pytest.raises(ArticleNotFound):
        snapshot.rows_of(["Anarchism", "Nothing like it"])


def test_an_article_comes_whole(snapshot: Snapshot) -> None:
    found = snapshot.article("Io (moon)")
    assert found.redirects == ("Io, moon of Jupiter", "Jupiter I")
    assert [section.title for section in found.sections][:3] == ["", "Part 0", "Part"]
    assert found.text[found.sections[1].start :].startswith("## Part 0")
    assert not found.disambiguation
    assert snapshot.article("Mercury").disambiguation
    (link,) = snapshot.article("Anarchism").links
    assert (link.anchor, link.target) == ("political philosophy", "philosophy")


def test_titles_and_articles_are_walked_in_canonical_order(snapshot: Snapshot) -> None:
    assert list(snapshot.titles())[:3] == ["Anarchism", "ANARCHISM (film)", "Io (moon)"]
    walked = list(snapshot.articles())
    assert [found.revision.title for found in walked] == list(snapshot.titles())
    assert walked[2] == snapshot.article("Io (moon)")


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("anarch", "Anarchism"),
        ("io moon", "Io (moon)"),
        ("moon of jupiter", "Io (moon)"),
        ("JUPITER", "Io (moon)"),
        ("長", "長江"),
        ("江", "長江"),
        ("mercurry", "Mercury"),
        ("the film about anarchism", "ANARCHISM (film)"),
        ("article 112", "Article 112"),
    ],
)
def test_titles_are_searched_by_words_beginnings_and_likeness(
    snapshot: Snapshot, text: str, first: str
) -> None:
    assert snapshot.search_titles(text)[0] == first


@given(st.text(max_size=30), st.integers(0, 5))
def test_no_text_breaks_the_search(folder: Path, text: str, limit: int) -> None:
    with Snapshot.open(folder) as snapshot:
        found = snapshot.search_titles(text, limit)
    assert len(found) == len(set(found)) <= limit


def test_chunks_are_the_spans_of_their_articles(snapshot: Snapshot) -> None:
    chunks = list(snapshot.chunks())
    assert len(chunks) == snapshot.chunk_count == snapshot.manifest.chunks > 40
    texts = {found.revision: found.text for found in snapshot.articles()}
    for row, chunk in enumerate(chunks):
        assert chunk.text == texts[chunk.revision][chunk.start : chunk.end]
        assert 0 < len(chunk.text) <= 1024
        assert snapshot.row(chunk.id) == row
        assert snapshot.chunk(chunk.id) == chunk
    assert {chunk.section for chunk in chunks if chunk.revision.title == "Io (moon)"} >= {"Part 0"}


@given(st.lists(st.integers(0, 10_000), max_size=12))
def test_rows_give_their_chunks_in_the_order_asked(folder: Path, numbers: list[int]) -> None:
    with Snapshot.open(folder) as snapshot:
        rows = [number % snapshot.chunk_count for number in numbers]
        chunks = snapshot.chunks_at(rows)
        assert [snapshot.row(chunk.id) for chunk in chunks] == rows


def test_rows_of_titles(snapshot: Snapshot) -> None:
    rows = snapshot.rows_of(["Jupiter I", "Anarchism", "io (moon)"])
    assert rows == sorted(set(rows))
    titles = {chunk.revision.title for chunk in snapshot.chunks_at(rows)}
    assert titles == {"Anarchism", "Io (moon)"}
    assert len(rows) == sum(chunk.revision.title in titles for chunk in snapshot.chunks())
    assert snapshot.rows_of([]) == []


def test_passages_of_one_title_are_all_its_rows(tmp_path: Path) -> None:
    passages = tmp_path / "p.jsonl"
    records = [{"title": "Io", "text": f"Passage {number}."} for number in range(3)]
    passages.write_text("\n".join(map(json.dumps, [*records, {"title": "Ra", "text": "R."}])))
    build_snapshot([passages], tmp_path / "out", date="2016-06-01", workers=0)
    with Snapshot.open(tmp_path / "out") as snapshot:
        rows = snapshot.rows_of(["Io"])
        assert {chunk.text for chunk in snapshot.chunks_at(rows)} == {
            "Passage 0.",
            "Passage 1.",
            "Passage 2.",
        }
        assert snapshot.search_titles("io") == ["Io"]
        assert snapshot.article("Io").revision.url == ""


@pytest.mark.parametrize("chunk_id", ["", "1", "1:2", "a:b:c", "1:2:-3", "10:1000:0:0"])
def test_what_is_no_chunk_id_is_refused(snapshot: Snapshot, chunk_id: str) -> None:
    for ask in (snapshot.chunk, snapshot.row):
        with pytest.raises(InputError, match="write page:rev:ordinal"):
            ask(chunk_id)


@pytest.mark.parametrize("chunk_id", ["10:1000:7", "10:999:0", "77:1:0"])
def test_a_chunk_that_is_not_there_is_refused(snapshot: Snapshot, chunk_id: str) -> None:
    for ask in (snapshot.chunk, snapshot.row):
        with pytest.raises(InputError, match="no chunk"):
            ask(chunk_id)


def test_a_row_outside_is_refused(snapshot: Snapshot) -> None:
    for row in (-1, snapshot.chunk_count):
        with pytest.raises(InputError, match="no row"):
            snapshot.chunks_at([0, row])


def test_threads_share_a_snapshot(folder: Path) -> None:
    with Snapshot.open(folder) as snapshot:
        expected = [chunk.text for chunk in snapshot.chunks()]
        barrier = threading.Barrier(4)

        def read(_: int) -> list[str]:
            barrier.wait(timeout=30)
            return [chunk.text for chunk in snapshot.chunks_at(range(snapshot.chunk_count))]

        with ThreadPoolExecutor(4) as pool:
            assert all(found == expected for found in pool.map(read, range(4)))
        assert len(snapshot._store.idle) <= 4
    snapshot.close()


def test_threads_that_come_and_go_leave_no_connection_behind(folder: Path) -> None:
    with Snapshot.open(folder) as snapshot:
        snapshot.chunks_at([0])
        before = len(open_files())
        for _ in range(20):
            thread = threading.Thread(target=snapshot.chunks_at, args=([0],))
            thread.start()
            thread.join()
        walk = snapshot.articles()
        next(walk)
        assert snapshot.find("Anarchism") is not None
        walk.close()
        assert len(open_files()) <= before + 1
        lent = snapshot.chunks()
        next(lent)
        snapshot.close()
        lent.close()
        assert len(open_files()) < before


def test_a_closed_snapshot_opens_again_when_it_is_used(folder: Path) -> None:
    snapshot = Snapshot.open(folder)
    snapshot.article("Anarchism")
    snapshot.close()
    assert snapshot.article("Anarchism").text.startswith("Anarchism is")
    assert repr(snapshot) == f"Snapshot({str(folder)!r})"
    snapshot.close()


def test_opening_what_is_no_snapshot_says_what_to_do(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(InputError, match="build one with"):
        Snapshot.open(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is not a snapshot"):
        Snapshot.open(tmp_path)
    (tmp_path / "half.partial").mkdir()
    with pytest.raises(InputError, match="was not finished"):
        Snapshot.open(tmp_path / "half")
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(InputError, match="is not a snapshot"):
        Snapshot.open(file)
    for content, said in (
        ("{", "not a snapshot's manifest"),
        ("[]", "not a snapshot's manifest"),
        ('{"format": 2}', "not a snapshot's manifest"),
        ('{"format": 1}', "format 1, this version reads 2 and 3: build it again"),
        ('{"format": 99}', "format 99"),
    ):
        other = tmp_path / "other"
        other.mkdir(exist_ok=True)
        (other / "manifest.json").write_text(content)
        with pytest.raises(InputError, match=said):
            Snapshot.open(other)
    (other / "manifest.json").write_text((folder / "manifest.json").read_text())
    with pytest.raises(InputError, match=r"lost its articles\.sqlite"):
        Snapshot.open(other)


def test_a_store_that_is_no_database_is_one_line(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "manifest.json").write_text((folder / "manifest.json").read_text())
    (tmp_path / "articles.sqlite").write_bytes(b"nothing of the kind" * 500)
    with Snapshot.open(tmp_path) as snapshot, pytest.raises(InputError, match="damaged"):
        snapshot.article("Anarchism")


def test_a_store_with_damage_inside_is_one_line(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "manifest.json").write_text((folder / "manifest.json").read_text())
    content = bytearray((folder / "articles.sqlite").read_bytes())
    content[8192:-4096] = b"\xaa" * (len(content) - 8192 - 4096)
    (tmp_path / "articles.sqlite").write_bytes(content)
    with Snapshot.open(tmp_path) as snapshot, pytest.raises(InputError, match="damaged"):
        list(snapshot.chunks())


def test_a_snapshot_may_lie_where_nothing_can_be_written(folder: Path) -> None:
    before = sorted(path.name for path in folder.iterdir())
    with Snapshot.open(str(folder)) as snapshot:
        snapshot.article("Anarchism")
        assert sorted(path.name for path in folder.iterdir()) == before
