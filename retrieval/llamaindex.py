"""LlamaIndex both ways: fanfold inside its query engines, its retrievers and stores inside fanfold.

    FanfoldRetriever(retriever)           a LlamaIndex retriever over any retriever of fanfold
    ForeignRetriever(retriever, snapshot) a fanfold retriever over any retriever of LlamaIndex
    StoreRetriever(store, snapshot, …)    a fanfold retriever over a vector store or a cluster
    fill_store(store, snapshot, …)        writes a snapshot's chunks and vectors into it
    vector_store_baseline(snapshot, …)    the plain VectorStoreIndex that papers compare with

Nodes carry the chunk's id, so that whatever a foreign store returns becomes a chunk of the dated
snapshot again: its text is the snapshot's, never the store's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING

from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import (
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from llama_index.core.vector_stores.types import BasePydanticVectorStore, VectorStoreQuery
from pydantic import PrivateAttr

from corpus.errors import BackendError, InputError
from corpus.progress import Report, followed
from retrieval.passage import passage
from retrieval.types import Embedder, Hit, Retriever

if TYPE_CHECKING:
    from corpus import Snapshot
    from corpus.types import Chunk

STORE_BATCH = 320
"""Chunks embedded and written to a store at a time, and between two reports: enough for a GPU, where
there is one, to be asked."""
UNSHOWN = ["page_id", "rev_id", "timestamp", "url", "start", "end"]
"""Metadata that neither an embedder nor a model is shown: they say nothing of the content."""


def to_node(chunk: Chunk) -> TextNode:
    """Return a chunk as a node: its id, text and span, its revision as metadata and as source."""
    revision = chunk.revision
    return TextNode(
        id_=chunk.id,
        text=chunk.text,
        start_char_idx=chunk.start,
        end_char_idx=chunk.end,
        metadata={
            "title": revision.title,
            "section": chunk.section,
            "page_id": revision.page_id,
            "rev_id": revision.rev_id,
            "timestamp": revision.timestamp,
            "url": revision.url,
            "start": chunk.start,
            "end": chunk.end,
        },
        excluded_embed_metadata_keys=UNSHOWN,
        excluded_llm_metadata_keys=UNSHOWN,
        relationships={
            NodeRelationship.SOURCE: RelatedNodeInfo(
                node_id=f"{revision.page_id}:{revision.rev_id}",
                metadata={"title": revision.title, "url": revision.url},
            )
        },
    )


class FanfoldRetriever(BaseRetriever):
    """A LlamaIndex retriever over a retriever of fanfold, for a RetrieverQueryEngine."""

    def __init__(self, retriever: Retriever, *, k: int = 10) -> None:
        """Wrap `retriever`, which is asked for `k` hits a query."""
        self._retriever = retriever
        self._k = k
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._retriever.search([query_bundle.query_str], self._k)[0]
        return [NodeWithScore(node=to_node(hit.chunk), score=hit.score) for hit in hits]


class ForeignRetriever:
    """A fanfold `Retriever` over a LlamaIndex retriever whose node ids are chunk ids."""

    def __init__(
        self, retriever: BaseRetriever, snapshot: Snapshot, *, source: str = "llama_index"
    ) -> None:
        """Wrap `retriever`; how many nodes it finds is its own setting, of which k are taken."""
        self._retriever = retriever
        self._snapshot = snapshot
        self._source = source

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, in the order of the wrapped retriever.

        Raises:
            InputError: a node is no chunk of the snapshot.
            BackendError: the wrapped retriever failed.
        """
        results = []
        for query in queries:
            try:
                nodes = self._retriever.retrieve(query) if query.strip() else []
            except Exception as error:
                raise BackendError(f"{self._source}: {type(error).__name__}: {error}") from error
            found = [(node.node.node_id, node.score or 0.0) for node in nodes[:k]]
            results.append(resolve(found, self._snapshot, self._source))
        return results


class StoreRetriever:
    """A fanfold `Retriever` over a vector store that `fill_store` has filled."""

    def __init__(
        self,
        store: BasePydanticVectorStore,
        snapshot: Snapshot,
        embedder: Embedder,
        *,
        source: str = "store",
    ) -> None:
        """Search `store` by vectors that `embedder` makes of the queries."""
        self._store = store
        self._snapshot = snapshot
        self._embedder = embedder
        self._source = source

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        """Return at most `k` hits for each query, best first.

        Raises:
            InputError: what the store holds is no chunk of the snapshot.
            BackendError: the store failed.
        """
        asked = [query for query in queries if query.strip()]
        vectors = dict(zip(asked, self._embedder.encode(asked), strict=True)) if asked else {}
        return [
            self._search_one(query, [float(value) for value in vectors[query]], k)
            if query in vectors
            else []
            for query in queries
        ]

    def _search_one(self, query: str, vector: list[float], k: int) -> list[Hit]:
        request = VectorStoreQuery(query_embedding=vector, similarity_top_k=k, query_str=query)
        try:
            result = self._store.query(request)
        except Exception as error:
            raise BackendError(f"{self._source}: {type(error).__name__}: {error}") from error
        ids = result.ids or [node.node_id for node in result.nodes or []]
        scores = result.similarities or [0.0] * len(ids)
        return resolve(list(zip(ids, scores, strict=True))[:k], self._snapshot, self._source)


def resolve(found: Sequence[tuple[str, float]], snapshot: Snapshot, source: str) -> list[Hit]:
    """Return (chunk id, score) pairs as hits of the snapshot.

    Raises:
        InputError: an id is no chunk of the snapshot: another snapshot filled the store.
    """
    try:
        chunks = [snapshot.chunk(name) for name, _ in found]
    except InputError as error:
        raise InputError(
            f"{source}: {error}; the store was filled from another snapshot or by another tool: "
            "fill it again with `fill_store`"
        ) from error
    return [
        Hit(chunk=chunk, score=float(score), rank=rank, source=source)
        for rank, (chunk, (_, score)) in enumerate(zip(chunks, found, strict=True), start=1)
    ]


def fill_store(
    store: BasePydanticVectorStore,
    snapshot: Snapshot,
    embedder: Embedder,
    *,
    first: int = 0,
    on_progress: Callable[[int], None] | None = None,
) -> int:
    """Write chunks and their vectors into a vector store, in row order.

    Args:
        store: any of LlamaIndex's: Qdrant, Milvus, pgvector, OpenSearch, Elasticsearch, …
        snapshot: whose chunks.
        embedder: makes the vectors.
        first: row to go on from after an interruption.
        on_progress: told how many rows are in the store; by default a line on standard error every
            few seconds.

    Returns:
        The number of chunks written by this call.
    """
    total = snapshot.chunk_count
    with ExitStack() as told:
        if on_progress is None:
            report = told.enter_context(followed("retrieval", "chunks", "the store is filled"))
            return _fill(
                store, snapshot, embedder, first, lambda done: report("embedding", done, total)
            )
        return _fill(store, snapshot, embedder, first, on_progress)


def _fill(
    store: BasePydanticVectorStore,
    snapshot: Snapshot,
    embedder: Embedder,
    first: int,
    on_progress: Callable[[int], None],
) -> int:
    done = first
    for chunks in _batches(islice(snapshot.chunks(), first, None), STORE_BATCH):
        vectors = embedder.encode([passage(chunk) for chunk in chunks])
        nodes = [to_node(chunk) for chunk in chunks]
        for node, vector in zip(nodes, vectors, strict=True):
            node.embedding = [float(value) for value in vector]
        store.add(nodes)
        done += len(chunks)
        on_progress(done)
    return done - first


class FanfoldEmbedding(BaseEmbedding):
    """An embedder of fanfold where LlamaIndex wants one."""

    _embedder: Embedder = PrivateAttr()

    def __init__(self, embedder: Embedder) -> None:
        """Wrap `embedder`."""
        super().__init__(model_name=embedder.name, embed_batch_size=STORE_BATCH)
        self._embedder = embedder

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return [[float(value) for value in row] for row in self._embedder.encode(texts)]

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embeddings([query])[0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_query_embedding(query)


def vector_store_baseline(
    snapshot: Snapshot,
    embedder: Embedder,
    *,
    k: int = 10,
    on_progress: Report | None = None,
) -> ForeignRetriever:
    """Return LlamaIndex's own `VectorStoreIndex` over a snapshot, in memory, as a retriever.

    The retrieval of the sub-question coverage paper (section 5): a VectorStoreIndex with its
    defaults and the top 10, here over the snapshot's chunks so that its hits can be cited. All of
    them are embedded here, which takes as long as an index of vectors.

    Args:
        snapshot: its chunks are the nodes.
        embedder: of nodes and queries.
        k: hits of a query.
        on_progress: told of the chunks that are embedded; by default a line on standard error every
            few seconds.
    """
    with ExitStack() as told:
        first = "LlamaIndex is opened"
        report = on_progress or told.enter_context(followed("retrieval", "chunks", first))
        return _baseline(snapshot, embedder, k, report)


def _baseline(
    snapshot: Snapshot, embedder: Embedder, k: int, on_progress: Report
) -> ForeignRetriever:
    from llama_index.core import VectorStoreIndex

    total, done = snapshot.chunk_count, 0
    index = VectorStoreIndex(nodes=[], embed_model=FanfoldEmbedding(embedder))
    for batch in _batches(snapshot.chunks(), STORE_BATCH):
        index.insert_nodes([to_node(chunk) for chunk in batch])
        done += len(batch)
        on_progress("embedding", done, total)
    retriever = index.as_retriever(similarity_top_k=k)
    return ForeignRetriever(retriever, snapshot, source="vector_store_index")


def _batches(chunks: Iterator[Chunk], size: int) -> Iterator[list[Chunk]]:
    while batch := list(islice(chunks, size)):
        yield batch
