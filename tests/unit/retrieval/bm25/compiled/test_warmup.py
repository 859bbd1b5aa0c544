from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.bm25 import BM25PlusIndex
from retrieval.bm25.compiled import native, warmup
from retrieval.bm25.compiled.scorer import CompiledScorer
from retrieval.bm25.compiled.warmup import WarmingScorer
from retrieval.bm25.plain import PlainScorer

TEXTS = [f"chunk number {n} about w{n % 13} and w{n % 7}" for n in range(400)]
QUERIES = ["w3 w5", "about number", "chunk 17", "none"]


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that has not compiled the kernels, where every index is worth compiling for."""
    place = tmp_path / "cache" / "kernels.o"

    def give(key: str) -> Iterator[Path]:
        yield place

    monkeypatch.setattr(native, "_places", give)
    monkeypatch.setattr(warmup, "_compiling", None)
    monkeypatch.setattr("retrieval.bm25.scorer.COMPILED_FROM", 1)
    monkeypatch.setattr("retrieval.bm25.scorer.COMPILES_FROM", 1)
    # The process that compiles is as long as the test wishes and leaves what this one has.
    monkeypatch.setattr(warmup, "_PROGRAM", "import sys; sys.stdin.read()")
    return place


def compiled_code() -> dict[str, tuple[str, bytes]]:
    kernels = native.load_kernels()
    assert kernels
    import llvmlite.binding as llvm

    code = native._read_code(native._key(llvm))
    assert code is not None
    return code


def test_a_search_does_not_wait_for_the_compiler(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    BM25PlusIndex.build(TEXTS, tmp_path / "i")
    expected = BM25PlusIndex.open(tmp_path / "i", compiled=False).search(QUERIES, 20)
    code = compiled_code()
    place = request.getfixturevalue("cold")
    child = subprocess.Popen([sys.executable, "-c", warmup._PROGRAM], stdin=subprocess.PIPE)
    monkeypatch.setattr(warmup, "_compiling", child)
    index = BM25PlusIndex.open(tmp_path / "i")
    assert isinstance(index._scorer, WarmingScorer)
    assert isinstance(index._scorer.scorer, PlainScorer)
    for found, wanted in zip(index.search(QUERIES, 20), expected, strict=True):
        assert (found == wanted).all()
    place.parent.mkdir()
    monkeypatch.setattr(native, "_places", lambda key: iter([place]))
    import llvmlite.binding as llvm

    native._keep_code(native._key(llvm), code)
    child.communicate()
    index._scorer.change.join(10)
    assert isinstance(index._scorer.scorer, CompiledScorer)
    for found, wanted in zip(index.search(QUERIES, 20), expected, strict=True):
        assert (found == wanted).all()
    # From now on the code is there from the start.
    assert isinstance(BM25PlusIndex.open(tmp_path / "i")._scorer, CompiledScorer)


def test_one_process_compiles(cold: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    start = subprocess.Popen

    def watch(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
        begun.append(start([sys.executable, "-c", warmup._PROGRAM], stdin=subprocess.PIPE))
        return begun[-1]

    monkeypatch.setattr(subprocess, "Popen", watch)
    warmup.compile_aside()
    warmup.compile_aside()
    assert len(begun) == 1
    begun[0].communicate()
    warmup.await_compiled()
    # It ended without leaving any code, as one that was killed: the next who asks begins anew.
    warmup.compile_aside()
    assert len(begun) == 2
    begun[1].communicate()
    monkeypatch.setattr(warmup, "is_compiled", lambda: True)
    warmup.compile_aside()
    assert len(begun) == 2


def test_a_large_build_has_the_kernels_compiled_meanwhile(
    cold: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(warmup, "compile_aside", lambda: asked.append("begin"))
    monkeypatch.setattr(warmup, "await_compiled", lambda: asked.append("wait"))
    monkeypatch.setattr("retrieval.bm25.scorer.COMPILES_FROM", 10**6)
    BM25PlusIndex.build(TEXTS, tmp_path / "i")
    assert asked == ["wait"]
    monkeypatch.setattr("retrieval.bm25.build.COMPILED_FROM", 1000)
    BM25PlusIndex.build(TEXTS, tmp_path / "j")
    assert asked == ["wait", "begin", "wait"]


def test_where_nothing_can_be_compiled_the_search_goes_on(
    cold: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def forbid(*arguments: object, **options: object) -> None:
        raise OSError("no processes here")

    def fail(*arguments: object) -> None:
        raise RuntimeError("no compiler here")

    monkeypatch.setattr(subprocess, "Popen", forbid)
    monkeypatch.setattr("retrieval.bm25.compiled.scorer.load_kernels", fail)
    with caplog.at_level(logging.WARNING):
        index = BM25PlusIndex.build(TEXTS, tmp_path / "i")
        assert isinstance(index._scorer, WarmingScorer)
        index._scorer.change.join(10)
    assert "no processes here" in caplog.text
    assert "searching without compiled kernels" in caplog.text
    assert index.search(["w3"], 2)[0].tolist() == [[3, 94]]


def test_the_process_that_compiles_finds_what_it_needs(tmp_path: Path) -> None:
    native.load_kernels()
    root = Path(warmup.__file__).parents[3]
    command = [sys.executable, "-c", warmup._PROGRAM, str(root)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_the_compiler_numpy_searches_and_says_so(
    cold: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(native, "can_compile", lambda: False)
    monkeypatch.setattr(warmup, "can_compile", lambda: False)
    warmup.compile_aside()
    assert warmup._compiling is None
    BM25PlusIndex.build(TEXTS, tmp_path / "i")
    expected = BM25PlusIndex.open(tmp_path / "i", compiled=False).search(QUERIES, 20)
    index = BM25PlusIndex.open(tmp_path / "i")
    assert isinstance(index._scorer, PlainScorer)
    assert "the package numba is not installed" in caplog.text
    for found, wanted in zip(index.search(QUERIES, 20), expected, strict=True):
        assert (found == wanted).all()
