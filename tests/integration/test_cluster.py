"""On nodes of a Ray cluster everything comes out as on one machine, whoever dies.

One cluster of two nodes serves all tests; the last of them kills the second node. To start an actor
takes a second of a processor, and one that asks questions five: there are no more than it needs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

import retrieval.bm25.build
from corpus.builder.snapshot import build_snapshot
from corpus.cluster import map_shards, shards
from corpus.cluster.ray import RayCluster
from corpus.errors import BackendError
from corpus.sample import sample_snapshot
from evals.benchmarks import BENCHMARKS
from evals.runs.folder import RunFolder
from evals.runs.matrix import run_matrix
from evals.runs.models import Endpoint
from evals.runs.sources import Sources
from evals.types import RunConfig
from retrieval.bm25 import BM25PlusIndex
from retrieval.bm25.distributed import DistributedIndex
from retrieval.index import ensure_built, open_retriever
from tests.builds import content
from tests.fake_server import serving
from tests.fakes import FaithfulMind
from tests.integration.evals_in_forks import write_questions
from tests.ray_nodes import OBJECTS, nodes

pytest.importorskip("ray", reason="Ray is not installed")
ROOT = Path(__file__).parents[2]
DUMPS = ROOT.parent / "shared" / "data" / "dumps"
DUMP = DUMPS / "enwiki-2025-02-zulko.xml.bz2"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with nodes(2, processors=1) as started:
        yield started


def build(sources: list[Path], out: Path, workers: int) -> None:
    """Build with this many actors; without any, in this process."""
    there = RayCluster.join("ray", workers) if workers else None
    build_snapshot(sources, out, date="2025-06-01", name="wiki", cluster=there)


@pytest.mark.skipif(not DUMP.is_file(), reason=f"{DUMP} is not here")
def test_a_snapshot_is_the_same_whoever_extracts(cluster: Any, tmp_path: Path) -> None:
    sources = [DUMP, DUMPS / "enwiki-2017-tables-gensim.xml.bz2"]
    for workers in (0, 2):
        build(sources, tmp_path / str(workers), workers)
    alone = content(tmp_path / "0")
    assert len(alone["articles.sqlite"]) > 100_000
    assert content(tmp_path / "2") == alone


def test_segments_of_actors_make_the_same_index(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval.bm25.build, "DOCUMENTS", 40)
    texts = [f"the river {n} of {n % 7} and {n % 31} hills" for n in range(500)]
    BM25PlusIndex.build(texts, tmp_path / "alone")
    BM25PlusIndex.build(texts, tmp_path / "actors", cluster=RayCluster.join("ray", 2))
    assert content(tmp_path / "actors") == content(tmp_path / "alone")


def asked(out: Path, url: str, workers: int) -> list[tuple[object, ...]]:
    """Run a benchmark; return its records, without times."""
    fanoutqa = BENCHMARKS["fanoutqa"]
    write_questions(out.with_suffix(".json"))
    list(
        run_matrix(
            RunConfig(
                benchmark=fanoutqa.name, style=fanoutqa.style, split="dev", edition="sample",
                setting="open", strategy="agentic", model="m", k=3, mode="bm25",
            ),
            Sources(
                benchmark=fanoutqa, data=out.with_suffix(".json"),
                endpoint=Endpoint(model="m", base_url=url),
            ),
            out,
            limit=6,
            concurrency=2,
            cluster=RayCluster.join("ray", workers) if workers else None,
        )
    )  # fmt: skip
    records = list(RunFolder.open(out).predictions_file)
    assert [record.error for record in records] == [None] * 6
    return [
        (record.sample_id, record.response and record.response.text, record.usage.calls)
        for record in records
    ]


def test_a_run_is_the_same_whoever_asks(cluster: Any, tmp_path: Path) -> None:
    with serving(FaithfulMind(), latency=0.01) as server:
        alone = asked(tmp_path / "alone", server.url, 0)
        sent = len(server.requests)
        assert sent >= 6
        assert asked(tmp_path / "two", server.url, 2) == alone
        assert len(server.requests) == 2 * sent
        # Calls are kept here, whoever made them: what is asked again is not paid again.
        (tmp_path / "two" / "predictions.jsonl").unlink()
        again = asked(tmp_path / "two", server.url, 0)
        assert [record[:2] for record in again] == [record[:2] for record in alone]
        assert len(server.requests) == 2 * sent


class Marking:
    """Makes what squares numbers, and dies of some: once each, or for good."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self) -> Any:
        return self.square

    def square(self, shard: int) -> int:
        mark = self.folder / str(shard)
        if shard < 0 or (shard % 4 == 3 and not mark.exists()):
            mark.touch()
            import os

            os._exit(1)
        return shard * shard


class Waiting:
    """Makes what takes a moment for each number."""

    def __call__(self) -> Any:
        return self.wait

    def wait(self, shard: int) -> int:
        time.sleep(0.02)
        return shard * shard


def test_an_actor_that_dies_costs_its_shard_and_then_names_it(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # How often it is tried is counted without actors, in tests/unit/corpus/cluster.
    monkeypatch.setattr(shards, "TRIES", 1)
    there = RayCluster.join("ray", 1)
    seats = there.seats(Marking(tmp_path))
    assert dict(map_shards([range(4)], seats)) == {n: n * n for n in range(4)}
    assert len(list(tmp_path.iterdir())) == 1
    with pytest.raises(BackendError, match="number -5: 2 workers died of it"):
        list(map_shards([[-5]], there.seats(Marking(tmp_path)), name=lambda n: f"number {n}"))


def test_an_index_in_actors_finds_what_one_finds(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retrieval.bm25.build, "DOCUMENTS", 40)
    texts = [f"the river {n} of {n % 7} and {n % 31} hills" for n in range(320)]
    whole = BM25PlusIndex.build(texts, tmp_path / "index")
    parts = DistributedIndex.open(tmp_path / "index", RayCluster.join("ray", 2), 2)
    queries = [f"{n} hills of river {n + 40}" for n in range(50)]
    ids, scores = whole.search(queries, 10)
    found, values = parts.search(queries, 10)
    assert (found == ids).all()
    assert (values == scores).all()
    parts.close()


class Telling:
    """Makes what tells the node that it works on, and the GPU that it was given."""

    def __call__(self) -> Any:
        return self.tell

    def tell(self, shard: int) -> tuple[str, str | None]:
        import ray

        return ray.get_runtime_context().get_node_id(), os.environ.get("CUDA_VISIBLE_DEVICES")


def test_where_a_node_has_a_gpu_an_actor_is_given_it(cluster: Any) -> None:
    # As far as Ray places actors: nothing here computes on a GPU.
    node = cluster.add_node(num_cpus=1, num_gpus=1, object_store_memory=OBJECTS)
    try:
        there = RayCluster.join("ray", 4)
        seats = there.seats(Telling(), gpu=True)
        assert len(seats) == 1
        told = dict(map_shards([range(3)], seats))
        assert told == dict.fromkeys(range(3), (node.node_id, "0"))
        assert len(there.seats(Telling())) == 4
    finally:
        cluster.remove_node(node)


def actors() -> set[int]:
    """Return the processes that work as actors."""
    found = set()
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if process.cmdline()[:1] and process.cmdline()[0].startswith("ray::Worker"):
                found.add(process.pid)
    return found


def test_the_command_line_serves_from_parts(cluster: Any) -> None:
    queries = ["rings of Saturn", "the largest moon of Neptune"]
    sample = sample_snapshot("en")
    ensure_built(sample)
    expected = [
        [(hit.chunk.id, hit.score) for hit in hits]
        for hits in open_retriever(sample, "bm25").search(queries, 5)
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "agent", "serve", "--port", "0", "--cluster", "ray"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "RAY_ADDRESS": cluster.address},
    ) as process:
        try:
            assert process.stderr is not None
            said = ""
            while not (found := re.search(r"at (http://[^/\s]+)", said)):
                said = process.stderr.readline()
                assert said, "the server ended"
            before = actors()
            asked = {"queries": queries, "k": 5, "mode": "bm25"}
            reply = httpx.post(f"{found[1]}/v1/search", json=asked, timeout=60)
            found_hits = [
                [(hit["chunk_id"], hit["score"]) for hit in one["hits"]]
                for one in reply.json()["results"]
            ]
            assert actors() - before
        finally:
            process.terminate()
    assert found_hits == expected


def test_a_node_that_dies_costs_its_shards(cluster: Any) -> None:
    there = RayCluster.join("ray", 2)
    results: dict[int, int] = {}
    for shard, square in map_shards([range(200)], there.seats(Waiting())):
        results[shard] = square
        if len(results) == 40:
            # One actor on each node: they have one processor each.
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)
    assert results == {n: n * n for n in range(200)}
