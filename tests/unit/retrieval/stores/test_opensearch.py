"""Trouble with OpenSearch, over a loopback server that speaks the needed part of its interface."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, cycle, repeat
from pathlib import Path

import numpy as np
import pytest

from corpus import Snapshot
from corpus.errors import BackendError, InputError
from retrieval.dense.embedders import shared_embedder
from retrieval.index import export_index, open_retriever
from retrieval.stores import export as exports
from retrieval.stores import export_vectors, open_store
from tests.opensearch_server import Server, serving
from tests.unit.retrieval.stores.test_stores import NAME, ROWS, VECTORS

pytest.importorskip("opensearchpy", reason="the OpenSearch client is not installed")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("retrieval.stores.opensearch.WAIT", 0.01)
    monkeypatch.setattr(exports, "BATCH", 7)
    with serving() as started:
        yield started


def test_a_server_that_is_busy_now_and_then_gets_every_vector(server: Server) -> None:
    store = open_store(f"opensearch:{server.url}")
    server.troubles = cycle([0, 503, 0, 1, 429, 0, 502])
    assert export_vectors(VECTORS, store, NAME) == ROWS
    assert server.refused > 5
    server.troubles = iter(())
    assert server.indexes[NAME].seen == {
        str(row): {"vector": vector} for row, vector in enumerate(VECTORS.tolist())
    }
    store.close()


def test_a_server_that_stays_busy_or_refuses_is_told_of(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.stores.opensearch.TRIES", 1)
    store = open_store(f"opensearch:{server.url}")
    store.create(NAME, 8)
    server.troubles = repeat(503)
    with pytest.raises(BackendError, match=r"^opensearch:http.*503"):
        store.count(NAME)
    server.troubles = repeat(1)
    with pytest.raises(BackendError, match="1 vectors refused: too busy"):
        store.put(NAME, 0, np.zeros((7, 8), np.float32))
    server.troubles = iter(())
    with pytest.raises(BackendError, match="7 vectors refused: Vector dimension mismatch") as told:
        store.put(NAME, 0, np.zeros((7, 9), np.float32))
    assert len(str(told.value)) < 300
    with pytest.raises(BackendError, match="already_exists"):
        store.create(NAME, 8)
    store.close()


def test_a_busy_server_is_searched_as_the_snapshot_alone(wiki: Snapshot, server: Server) -> None:
    assert shared_embedder().name
    spec = f"opensearch:{server.url}"
    assert export_index(wiki.folder, spec) == wiki.chunk_count
    queries = ["the deepest lake", "mountains of the north", ""]
    alone = open_retriever(wiki.folder, "dense")
    stored = open_retriever(wiki.folder, "dense", store=spec)
    server.troubles = chain([429, 0, 503], repeat(0))
    for one, other in zip(alone.search(queries, 4), stored.search(queries, 4), strict=True):
        assert [hit.chunk.id for hit in one] == [hit.chunk.id for hit in other]
    stored.close()  # type: ignore[attr-defined]


def test_a_user_and_password_go_to_the_server_and_into_no_message() -> None:
    with serving(key="root:right") as server:
        spec = f"opensearch:{server.url}"
        store = open_store(spec, "root:right")
        assert store.collections() == []
        store.close()
        for key in ("root:wrong-one", "wrong-one"):
            store = open_store(spec, key)
            with pytest.raises(BackendError, match="401") as refused:
                store.collections()
            assert "wrong-one" not in str(refused.value)
            store.close()


def test_a_path_is_no_server(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no embedded database"):
        open_store(f"opensearch:{tmp_path}")
