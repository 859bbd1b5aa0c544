from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import retrieval.bm25.build
from corpus.errors import InputError
from retrieval.bm25 import BM25PlusIndex, store
from retrieval.bm25.build import build_folder
from retrieval.terms.analyzers import Analyzer, analyzer
from tests.seats import FakeCluster

TEXTS = [f"chunk number {n} about w{n % 13} and w{n % 7}" for n in range(400)]


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with twenty segments in two files."""
    monkeypatch.setattr(retrieval.bm25.build, "DOCUMENTS", 20)
    BM25PlusIndex.build(TEXTS, tmp_path / "index")
    return tmp_path / "index"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_an_index_says_what_it_holds(index: Path) -> None:
    assert sorted(contents(index)) == ["manifest.json", "segments-00000.bin", "segments-00001.bin"]
    manifest = BM25PlusIndex.open(index).manifest
    assert manifest["documents"] == 400
    assert manifest["analyzer"]["name"] == "english"
    assert manifest["parameters"] == {"k1": 1.5, "b": 0.75, "delta": 1.0}
    assert len(manifest["segments"]) == 20


def test_the_same_texts_give_the_same_files(index: Path) -> None:
    before = contents(index)
    BM25PlusIndex.build(iter(TEXTS), index)
    assert contents(index) == before
    assert list(index.parent.iterdir()) == [index]


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("stop", [0, 1, 7, 19])
def test_segments_of_several_workers_make_the_same_files_and_none_is_made_twice(
    index: Path, tmp_path: Path, workers: int, stop: int
) -> None:
    out = tmp_path / "other"
    first = FakeCluster(workers, stop, stop_after=stop)
    with pytest.raises(KeyboardInterrupt):
        BM25PlusIndex.build(TEXTS, out, cluster=first)
    second = FakeCluster(workers, stop)
    BM25PlusIndex.build(iter(TEXTS), out, cluster=second)
    assert contents(out) == contents(index)
    again = {texts.source for texts in first.done} & {texts.source for texts in second.done}
    assert len(again) <= 4 * workers + 4
    assert len(second.done) >= 20 - stop
    # What is there is not made anew, and texts that changed are.
    third = FakeCluster(workers, stop)
    BM25PlusIndex.build([*TEXTS[:399], "changed"], out, cluster=third)
    assert BM25PlusIndex.open(out).search(["changed"], 1)[0].tolist() == [[399]]


@pytest.mark.parametrize("name", ["segments-00000.bin", "segments-00001.bin"])
def test_damage_is_found_and_the_file_named(index: Path, name: str) -> None:
    path = index / name
    whole = path.read_bytes()
    for position in (3, len(whole) // 2, len(whole) - 5):
        damaged = bytearray(whole)
        damaged[position] ^= 0x55
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=f"{name}: .*build the index again"):
            BM25PlusIndex.open(index)
    path.write_bytes(whole[:-100])
    with pytest.raises(InputError, match=f"{name}: {len(whole) - 100} bytes where"):
        BM25PlusIndex.open(index)
    path.write_bytes(b"x" * len(whole))
    for check in (True, False):
        with pytest.raises(InputError, match=name):
            BM25PlusIndex.open(index, check=check)
    path.unlink()
    with pytest.raises(InputError, match=f"{name}: missing"):
        BM25PlusIndex.open(index)


def test_files_of_another_index_are_refused(index: Path, tmp_path: Path) -> None:
    BM25PlusIndex.build([text.upper() for text in TEXTS], tmp_path / "other")
    (tmp_path / "other" / "segments-00001.bin").replace(index / "segments-00001.bin")
    with pytest.raises(InputError, match=r"segments-00001\.bin"):
        BM25PlusIndex.open(index, check=False)


@pytest.mark.parametrize("compiled", [False, True])
def test_searching_an_unchecked_damaged_index_ends_well(index: Path, compiled: bool) -> None:
    path = index / "segments-00000.bin"
    whole = path.read_bytes()
    for start in range(0, len(whole), 997):
        damaged = bytearray(whole)
        damaged[start : start + 40] = b"\xff" * len(damaged[start : start + 40])
        path.write_bytes(damaged)
        try:
            opened = BM25PlusIndex.open(index, check=False, compiled=compiled)
            ids, _ = opened.search(["chunk number about", "w3 w5", "11"], 5)
        except InputError as error:
            assert str(index) in str(error)  # noqa: PT017
        else:
            assert ids.max() < 2**31


def test_a_changed_or_foreign_manifest_is_refused(index: Path) -> None:
    path = index / "manifest.json"
    text = path.read_text()
    path.write_text(text.replace("1.5", "1.2"))
    with pytest.raises(InputError, match=r"manifest\.json: was changed"):
        BM25PlusIndex.open(index)
    for other in ("{}", "[]", '{"format": "something else"}'):
        path.write_text(other)
        with pytest.raises(InputError, match="not the manifest of a BM25"):
            BM25PlusIndex.open(index)
    for broken in (b"{", b"\xff\xfe"):
        path.write_bytes(broken)
        with pytest.raises(InputError, match="cannot be read"):
            BM25PlusIndex.open(index)
    BM25PlusIndex.build(TEXTS, index)
    assert BM25PlusIndex.open(index).size == 400
    with pytest.raises(InputError, match="no BM25\\+ index here"):
        BM25PlusIndex.open(index / "nowhere")


def test_an_index_in_memory_is_the_same(index: Path) -> None:
    stored, fleeting = BM25PlusIndex.open(index), BM25PlusIndex.of(TEXTS)
    assert len(fleeting.manifest["segments"]) == 20
    queries = ["w3 and w5", "number 17", "nothing"]
    for given, other in zip(stored.search(queries, 30), fleeting.search(queries, 30), strict=True):
        assert (given == other).all()
    with pytest.raises(InputError, match="BM25\\+ needs"):
        BM25PlusIndex.of(TEXTS, b=2.0)


def test_another_analyzer_is_refused(index: Path) -> None:
    with pytest.raises(InputError, match="built with the analyzer 'english', not 'german'"):
        BM25PlusIndex.open(index, analyzer="de")
    assert BM25PlusIndex.open(index, analyzer="en").size == 400
    assert BM25PlusIndex.open(index, analyzer=analyzer("english")).size == 400
    with pytest.raises(InputError, match="now makes other terms"):
        BM25PlusIndex.open(index, analyzer=Analyzer(name="english"))


def test_what_is_no_index_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("years of work")
    (tmp_path / "thesis" / "manifest.json").write_text('{"format": "other"}')
    with pytest.raises(InputError, match="something else than an index"):
        BM25PlusIndex.build(TEXTS, tmp_path / "thesis")
    with pytest.raises(InputError, match="is a file"):
        BM25PlusIndex.build(TEXTS, tmp_path / "thesis" / "chapter.txt")
    (tmp_path / "empty").mkdir()
    assert BM25PlusIndex.build(TEXTS, tmp_path / "empty").size == 400


def interrupted(texts: list[str], after: int) -> Iterator[str]:
    yield from texts[:after]
    raise KeyboardInterrupt


def count_analysed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    analysed: list[int] = []
    original = retrieval.bm25.build._analyse

    def watch(batch: list[str], analyse: Analyzer) -> object:
        analysed.append(len(batch))
        return original(batch, analyse)

    monkeypatch.setattr(retrieval.bm25.build, "_analyse", watch)
    return analysed


def test_an_interrupted_build_is_taken_up(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = contents(index)
    target = index.with_name("again")
    with pytest.raises(KeyboardInterrupt):
        BM25PlusIndex.build(interrupted(TEXTS, 355), target)
    assert not target.exists()
    analysed = count_analysed(monkeypatch)
    BM25PlusIndex.build(TEXTS, target)
    # 17 batches were analysed, the last of which was not yet on disk.
    assert sum(analysed) == 400 - 16 * 20
    assert contents(target) == expected


def test_a_torn_segment_and_later_ones_are_built_again(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = contents(index)
    target = index.with_name("again")
    beside = index.with_name("again.building")
    for name, cut, kept in [
        ("segments-00001.bin", 700, 17),
        ("segments-00000.bin", 700, 15),
        ("segments-00000.bin", None, 3),
    ]:
        with pytest.raises(KeyboardInterrupt):
            BM25PlusIndex.build(interrupted(TEXTS, 400), target)
        path = beside / name
        if cut:
            os.truncate(path, path.stat().st_size - cut)
        else:
            entries = BM25PlusIndex.open(index).manifest["segments"]
            with path.open("r+b") as file:
                file.seek(entries[kept]["offset"] + 1000)
                file.write(b"\xaa" * 50)
        analysed = count_analysed(monkeypatch)
        BM25PlusIndex.build(TEXTS, target)
        monkeypatch.undo()
        monkeypatch.setattr(retrieval.bm25.build, "DOCUMENTS", 20)
        assert sum(analysed) == 400 - kept * 20
        assert contents(target) == expected


def test_an_unfinished_build_of_other_texts_is_not_mixed_in(index: Path) -> None:
    target = index.with_name("again")
    with pytest.raises(KeyboardInterrupt):
        BM25PlusIndex.build(interrupted([*TEXTS[:60], *TEXTS[::-1]], 390), target)
    BM25PlusIndex.build(TEXTS, target)
    assert contents(target) == contents(index)
    with pytest.raises(KeyboardInterrupt):
        BM25PlusIndex.build(interrupted(TEXTS, 390), target)
    small = BM25PlusIndex.build(TEXTS[:45], target)
    assert small.size == 45
    assert len(list(target.iterdir())) == 2


def test_two_builds_of_one_index_do_not_meet(index: Path) -> None:
    def build_inside() -> Iterator[str]:
        yield from TEXTS[:10]
        with pytest.raises(InputError, match="being built by another process"):
            BM25PlusIndex.build(TEXTS, index)
        yield from TEXTS[10:]

    assert BM25PlusIndex.build(build_inside(), index).size == 400


def test_a_reader_keeps_the_index_it_opened(index: Path) -> None:
    before = BM25PlusIndex.open(index)
    expected = before.search(["w3"], 5)
    BM25PlusIndex.build(["something else"], index)
    assert (before.search(["w3"], 5)[0] == expected[0]).all()
    assert BM25PlusIndex.open(index).size == 1


def test_long_texts_end_a_segment_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval.bm25.build, "CHARACTERS", 100)
    texts = ["a" * 60, "b" * 60, "c " * 200, "d", "e"]
    found = BM25PlusIndex.build(texts, tmp_path / "i")
    assert [entry["documents"] for entry in found.manifest["segments"]] == [1, 1, 1, 2]
    assert found.search(["e"], 1)[0].tolist() == [[4]]


def test_a_manifest_keeps_what_the_caller_adds(tmp_path: Path) -> None:
    said = {"parameters": {"k1": 1.5, "b": 0.75, "delta": 1.0}, "compat": None}
    build_folder(["a b", "b"], tmp_path / "i", analyzer("plain"), said)
    manifest = store.read_manifest(tmp_path / "i")
    assert {key: manifest[key] for key in said} == said
    assert manifest["tokens"] == 3
    assert json.loads((tmp_path / "i" / "manifest.json").read_text())["checksum"]


def test_a_small_index_is_searched_without_numba(index: Path) -> None:
    program = (
        "import sys; from retrieval.bm25 import BM25PlusIndex\n"
        f"found = BM25PlusIndex.open({str(index)!r}).search(['w3'], 2)[0].tolist()\n"
        "print(found, sorted({'numba', 'llvmlite', 'scipy', 'jieba'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[[3, 94]] []\n"
