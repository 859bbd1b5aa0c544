"""A run whose snapshot's vectors lie in a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus.errors import InputError
from evals.benchmarks import BENCHMARKS
from evals.options import store_of
from evals.runs.folder import RunFolder
from evals.runs.matrix import run_matrix
from evals.runs.models import Endpoint
from evals.runs.replay import replay_run
from evals.runs.sources import Sources
from evals.types import RunConfig
from retrieval.index import ensure_built, export_index
from tests.fake_server import serving
from tests.fakes import FaithfulMind
from tests.integration.evals_in_forks import write_questions
from tests.unit.retrieval.wiki import small_snapshot


def run(out: Path, snapshot: Path, url: str, store: str) -> RunFolder:
    fanoutqa = BENCHMARKS["fanoutqa"]
    write_questions(out.with_suffix(".json"))
    config = RunConfig(
        benchmark=fanoutqa.name, style=fanoutqa.style, split="dev", edition="sample",
        setting="open", strategy="agentic", model="m", k=3,
    )  # fmt: skip
    sources = Sources(
        benchmark=fanoutqa,
        data=out.with_suffix(".json"),
        snapshot=snapshot,
        endpoint=Endpoint(model="m", base_url=url),
        store=store,
    )
    (folder,) = run_matrix(config, sources, out, limit=3)
    return folder


def test_a_run_searches_a_store_as_its_own_index(tmp_path: Path) -> None:
    pytest.importorskip("qdrant_client")
    wiki = small_snapshot(tmp_path / "wiki")
    ensure_built(wiki)
    spec = f"qdrant:{tmp_path / 'store'}"
    with serving(FaithfulMind()) as server:
        with pytest.raises(InputError, match="retrieval export DIR --to qdrant:"):
            run(tmp_path / "empty", wiki, server.url, spec)
        export_index(wiki, spec)
        alone, stored = (
            run(tmp_path / f"run{store[:1]}", wiki, server.url, store) for store in ("", spec)
        )
    for one, other in zip(alone.predictions(), stored.predictions(), strict=True):
        assert one.error is None
        assert one.response is not None
        assert other.response is not None
        assert other.response.text == one.response.text
    assert stored.record.store == spec
    assert stored.record.id != alone.record.id
    assert " in qdrant)" in stored.record.config.retriever
    assert replay_run(RunFolder.open(tmp_path / "runq")) == (3, [])


def test_a_store_is_kept_with_the_run_and_holds_no_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert store_of("") == ""
    assert store_of("qdrant:there") == f"qdrant:{tmp_path / 'there'}"
    with pytest.raises(InputError, match="FANFOLD_STORE_KEY"):
        store_of("milvus:http://u:p@host:19530")
