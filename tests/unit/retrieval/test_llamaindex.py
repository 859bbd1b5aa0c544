from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import (
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    TextNode,
)
from llama_index.core.vector_stores import SimpleVectorStore

from corpus import Snapshot
from corpus.errors import BackendError, InputError
from retrieval import open_retriever
from retrieval.dense.embedders import shared_embedder
from retrieval.llamaindex import (
    FanfoldRetriever,
    ForeignRetriever,
    StoreRetriever,
    fill_store,
    to_node,
    vector_store_baseline,
)
from tests.opensearch_server import serving

QUERY = "Who discovered the largest moon of Saturn?"


def test_nodes_carry_revision_and_span(wiki: Snapshot) -> None:
    chunk = next(chunk for chunk in wiki.chunks() if chunk.section == "Moons")
    node = to_node(chunk)
    assert (node.node_id, node.text) == (chunk.id, chunk.text)
    assert (node.start_char_idx, node.end_char_idx) == (chunk.start, chunk.end)
    assert node.metadata["rev_id"] == chunk.revision.rev_id
    assert node.metadata["timestamp"] == chunk.revision.timestamp
    source = node.relationships[NodeRelationship.SOURCE]
    assert source.node_id == f"{chunk.revision.page_id}:{chunk.revision.rev_id}"  # type: ignore[union-attr]
    shown = node.get_content(MetadataMode.LLM)
    assert f"title: {chunk.revision.title}" in shown
    assert "rev_id" not in shown


def test_fanfold_serves_a_query_engine(indexed_wiki: Path) -> None:
    retriever = FanfoldRetriever(open_retriever(indexed_wiki), k=3)
    engine = RetrieverQueryEngine.from_args(retriever, llm=MockLLM())
    answer = engine.query(QUERY)
    assert answer.source_nodes[0].node.metadata["title"] == "Saturn"
    assert len(answer.source_nodes) == 3
    assert "Christiaan Huygens" in str(answer)


def test_a_llamaindex_retriever_serves_fanfold(indexed_wiki: Path, wiki: Snapshot) -> None:
    own = open_retriever(indexed_wiki)
    foreign = ForeignRetriever(FanfoldRetriever(own, k=4), wiki, source="round trip")
    expected = own.search([QUERY, "river"], 3)
    found = foreign.search([QUERY, "river", ""], 3)
    assert found[:2] == [[replace(hit, source="round trip") for hit in hits] for hits in expected]
    assert found[2] == []


def test_a_vector_store_serves_a_snapshot(wiki: Snapshot) -> None:
    store, embedder = SimpleVectorStore(stores_text=False), shared_embedder()
    told: list[int] = []
    assert fill_store(store, wiki, embedder, on_progress=told.append) == wiki.chunk_count
    assert told == [wiki.chunk_count]
    retriever = StoreRetriever(store, wiki, embedder)
    found = retriever.search([QUERY, " ", "river through Vienna"], 2)
    assert found[0][0].chunk.revision.title == "Saturn"
    assert found[1] == []
    assert found[2][0].chunk.revision.title == "Danube"
    assert [hit.rank for hit in found[0]] == [1, 2]
    assert retriever.search([""], 2) == [[]]
    assert fill_store(store, wiki, embedder, first=wiki.chunk_count) == 0


def test_llamaindexs_opensearch_serves_a_snapshot(wiki: Snapshot) -> None:
    opensearch = pytest.importorskip("llama_index.vector_stores.opensearch")
    embedder = shared_embedder()
    method = {"name": "hnsw", "engine": "faiss", "space_type": "innerproduct"}
    with serving() as server:
        client = opensearch.OpensearchVectorClient(
            server.url, "chunks", embedder.dim, method=method, space_type="innerproduct"
        )
        store = opensearch.OpensearchVectorStore(client)
        assert fill_store(store, wiki, embedder) == wiki.chunk_count
        found = StoreRetriever(store, wiki, embedder).search([QUERY, "river through Vienna"], 2)
        client.close()
    assert [hits[0].chunk.revision.title for hits in found] == ["Saturn", "Danube"]


def test_the_baseline_is_a_vector_store_index(wiki: Snapshot) -> None:
    retriever = vector_store_baseline(wiki, shared_embedder(), k=5)
    hits = retriever.search([QUERY], 10)[0]
    assert len(hits) == 5
    assert hits[0].chunk.revision.title == "Saturn"
    assert hits[0].chunk == wiki.chunk(hits[0].chunk.id)


class Broken(BaseRetriever):
    """Fails, or finds what is no chunk."""

    def __init__(self, node_id: str | None) -> None:
        self.node_id = node_id
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        if self.node_id is None:
            raise ConnectionError("the cluster is away")
        return [NodeWithScore(node=TextNode(id_=self.node_id, text="x"))]


class BrokenStore(SimpleVectorStore):
    """Fails."""

    def query(self, *given: object, **options: object) -> object:  # type: ignore[override]
        raise TimeoutError("too slow")


def test_foreign_faults_are_named(wiki: Snapshot) -> None:
    with pytest.raises(BackendError, match="ConnectionError: the cluster is away"):
        ForeignRetriever(Broken(None), wiki).search(["x"], 1)
    with pytest.raises(InputError, match="fill it again with `fill_store`"):
        ForeignRetriever(Broken("some-uuid"), wiki).search(["x"], 1)
    with pytest.raises(InputError, match="no chunk '1:2:3'"):
        ForeignRetriever(Broken("1:2:3"), wiki).search(["x"], 1)
    with pytest.raises(BackendError, match="TimeoutError: too slow"):
        StoreRetriever(BrokenStore(), wiki, shared_embedder()).search(["x"], 1)
