"""Vectors in OpenSearch, over a loopback server that speaks the needed part of its interface."""

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
from retrieval.stores import collection_name, export_vectors, open_index, open_store
from retrieval.stores import export as exports
from retrieval.types import Float32Matrix
from tests.opensearch_server import Server, serving
from tests.unit.retrieval.ranking.test_owner import unit

pytest.importorskip("opensearchpy", reason="the OpenSearch client is not installed")

ROWS = 50
VECTORS = unit(ROWS, 8).astype(np.float16)
NAME = collection_name("a" * 64, "model")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("retrieval.stores.opensearch.WAIT", 0.01)
    monkeypatch.setattr(exports, "BATCH", 7)
    with serving() as started:
        yield started


def test_what_is_exported_is_found_and_an_export_goes_on(server: Server) -> None:
    spec = f"opensearch:{server.url}"
    store = open_store(spec)
    put, left = store.put, [3]

    def failing(name: str, first: int, vectors: Float32Matrix) -> None:
        left[0] -= 1
        # As where a server was killed that had taken a part of a batch.
        put(name, first, vectors if left[0] else vectors[:2])
        if not left[0]:
            # A server makes what was written seen after a moment.
            store.finish(name)
            raise KeyboardInterrupt

    store.put = failing  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        export_vectors(VECTORS, store, NAME)
    store.close()
    with pytest.raises(InputError, match="holds 16 of 50 vectors of this snapshot"):
        open_index(spec, "a" * 64, "model", ROWS)
    store = open_store(spec)
    assert export_vectors(VECTORS, store, NAME) == ROWS - 7
    assert export_vectors(VECTORS, store, NAME) == 0
    store.close()

    index = open_index(spec, "a" * 64, "model", ROWS)
    queries = unit(9, 8)
    exact = queries @ VECTORS.astype(np.float32).T
    rows, scores = index.search(queries, ROWS)
    # So many that products below 0 are among them.
    assert exact.min() < -0.5
    assert rows.tolist() == np.argsort(-exact, axis=1).tolist()
    np.testing.assert_allclose(scores, -np.sort(-exact, axis=1), atol=1e-5)
    np.testing.assert_allclose(index.score(queries, [4, 2]), exact[:, [4, 2]], atol=1e-5)
    index.close()


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


def test_vectors_of_another_snapshot_or_model_are_refused_at_opening(server: Server) -> None:
    spec = f"opensearch:{server.url}"
    with pytest.raises(InputError, match="holds no vectors"):
        open_index(spec, "a" * 64, "model", 3)
    store = open_store(spec)
    export_vectors(VECTORS[:3], store, NAME)
    store.close()
    for fingerprint, model in (("b" * 64, "model"), ("a" * 64, "another model")):
        with pytest.raises(InputError, match=r"holds vectors of 1 other .*retrieval export DIR"):
            open_index(spec, fingerprint, model, 3)


def test_a_snapshot_is_searched_through_opensearch_as_without(
    wiki: Snapshot, server: Server
) -> None:
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
