"""Every store holds what was written, and refuses what is of another snapshot."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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
from tests.opensearch_server import serving
from tests.unit.retrieval.ranking.test_owner import unit

ROWS = 50
VECTORS = unit(ROWS, 8).astype(np.float16)
NAME = collection_name("a" * 64, "model")
CLIENTS = {"qdrant": "qdrant_client", "milvus": "pymilvus", "opensearch": "opensearchpy"}


@pytest.fixture(params=CLIENTS)
def spec(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """A store: the embedded ones in a file, OpenSearch on a loopback server."""
    kind = request.param
    pytest.importorskip(CLIENTS[kind])
    if kind != "opensearch":
        yield f"{kind}:{tmp_path / 'store.db'}"
        return
    monkeypatch.setattr("retrieval.stores.opensearch.WAIT", 0.01)
    with serving() as server:
        yield f"{kind}:{server.url}"


def test_what_is_exported_is_found_and_an_export_goes_on(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "BATCH", 7)
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


def test_vectors_of_another_snapshot_or_model_are_refused_at_opening(spec: str) -> None:
    with pytest.raises(InputError, match="holds no vectors"):
        open_index(spec, "a" * 64, "model", 3)
    store = open_store(spec)
    export_vectors(VECTORS[:3], store, NAME)
    store.close()
    for fingerprint, model in (("b" * 64, "model"), ("a" * 64, "another model")):
        with pytest.raises(InputError, match=r"holds vectors of 1 other .*retrieval export DIR"):
            open_index(spec, fingerprint, model, 3)


def test_a_snapshot_is_searched_through_a_store_as_without(wiki: Snapshot, spec: str) -> None:
    assert shared_embedder().name
    assert export_index(wiki.folder, spec) == wiki.chunk_count
    queries = ["the deepest lake", "mountains of the north", ""]
    alone = open_retriever(wiki.folder, "dense")
    stored = open_retriever(wiki.folder, "dense", store=spec)
    for one, other in zip(alone.search(queries, 4), stored.search(queries, 4), strict=True):
        assert [hit.chunk.id for hit in one] == [hit.chunk.id for hit in other]
    stored.close()  # type: ignore[attr-defined]


def test_what_names_no_store_is_refused(tmp_path: Path) -> None:
    for name in ("pinecone:x", "qdrant", "milvus:", "http://host"):
        with pytest.raises(InputError, match="write qdrant:PLACE, milvus:PLACE or"):
            open_store(name)
    for place in ("http://user:secret@127.0.0.1:9", "https://host/?key=secret"):
        with pytest.raises(InputError, match="give a key in FANFOLD_STORE_KEY") as refused:
            open_store(f"qdrant:{place}")
        assert "secret" not in str(refused.value)
    with pytest.raises(InputError, match="the API key holds characters"):
        open_store("qdrant:http://127.0.0.1:9", "a\nb")
    pytest.importorskip("qdrant_client")
    with pytest.raises(BackendError, match=r"^qdrant:http://127.0.0.1:9: "):
        open_store("qdrant:http://127.0.0.1:9").collections()


class Guarded(BaseHTTPRequestHandler):
    """What a Qdrant with a key answers of its collections, and one that repeats a wrong key."""

    def do_GET(self) -> None:
        key = self.headers.get("api-key", "")
        right = key == "right-key"
        result = {"result": {"collections": [{"name": NAME}]}, "status": "ok", "time": 0.0}
        body = json.dumps(result if right else {"status": {"error": f"no such key {key}"}})
        self.send_response(200 if right else 403, "OK" if right else f"Forbidden to {key}")
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        pass


def test_a_key_goes_to_the_server_and_into_no_message() -> None:
    pytest.importorskip("qdrant_client")
    with ThreadingHTTPServer(("127.0.0.1", 0), Guarded) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        spec = f"qdrant:http://127.0.0.1:{server.server_port}"
        store = open_store(spec, "right-key")
        assert store.collections() == [NAME]
        store.close()
        store = open_store(spec, "wrong-key")
        with pytest.raises(BackendError, match="403") as refused:
            store.collections()
        assert "wrong-key" not in str(refused.value)
        store.close()
        server.shutdown()
