from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import llvmlite.binding
import pytest

from retrieval.bm25 import BM25PlusIndex, dictionary
from retrieval.bm25.compiled import native
from retrieval.bm25.compiled.scorer import CompiledScorer
from retrieval.bm25.plain import PlainScorer

CODE = {"find": ("symbol.of.find", b"object\ncode\0"), "search": ("symbol.of.search", b"more")}


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two places for code, the first of which cannot be written."""
    (tmp_path / "file").write_text("in the way of a folder")
    found = [tmp_path / "file" / "kernels.o", tmp_path / "cache" / "kernels.o"]

    def give(key: str) -> Iterator[Path]:
        yield from found

    monkeypatch.setattr(native, "_places", give)
    return found


def test_code_is_kept_where_it_can_be(places: list[Path]) -> None:
    assert native._read_code("key") is None
    native._keep_code("key", CODE)
    assert native._read_code("key") == CODE
    assert [path.name for path in places[1].parent.iterdir()] == ["kernels.o"]


def test_damaged_code_is_not_run(places: list[Path]) -> None:
    native._keep_code("key", CODE)
    whole = places[1].read_bytes()
    places[1].write_bytes(whole.replace(b"object", b"abject"))
    assert native._read_code("key") is None
    places[1].write_bytes(b"")
    assert native._read_code("key") is None


def test_kernels_are_compiled_once_and_then_loaded(
    places: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = native._load.__wrapped__
    kernels = load()
    assert places[1].exists()

    def refuse(llvm: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(native, "_compile", refuse)
    again = load()
    for loaded in (kernels, again):
        monkeypatch.setattr(
            "retrieval.bm25.compiled.scorer.load_kernels", lambda loaded=loaded: loaded
        )
        BM25PlusIndex.build(["one two", "two three"], tmp_path / "i")
        index = BM25PlusIndex.open(tmp_path / "i", compiled=True)
        assert index.search(["three"], 2)[0].tolist() == [[1, -1]]


def test_a_middling_index_uses_compiled_code_where_there_is_some(
    places: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.bm25.compiled.scorer.load_kernels", lambda: None)
    monkeypatch.setattr("retrieval.bm25.scorer.COMPILED_FROM", 5)
    monkeypatch.setattr("retrieval.bm25.scorer.COMPILES_FROM", 100)
    assert isinstance(BM25PlusIndex.build(["a"] * 4, tmp_path / "i")._scorer, PlainScorer)
    assert isinstance(BM25PlusIndex.build(["a"] * 5, tmp_path / "i")._scorer, PlainScorer)
    native._keep_code(native._key(llvmlite.binding), CODE)
    assert isinstance(BM25PlusIndex.build(["a"] * 5, tmp_path / "i")._scorer, CompiledScorer)


def test_the_memory_of_terms_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"word{n} word{n + 1} common" for n in range(300)]
    BM25PlusIndex.build(texts, tmp_path / "i")
    expected = BM25PlusIndex.open(tmp_path / "i").search([f"word{n}" for n in range(300)], 2)
    monkeypatch.setattr(dictionary, "REMEMBERED", 50)
    for compiled in (False, True):
        index = BM25PlusIndex.open(tmp_path / "i", compiled=compiled)
        for start in range(0, 300, 30):
            queries = [f"word{n}" for n in range(start, start + 30)]
            ids, scores = index.search(queries, 2)
            assert (ids == expected[0][start : start + 30]).all()
            assert (scores == expected[1][start : start + 30]).all()
            assert len(index._dictionary._known) <= 50
