"""Opening a retriever over the indexes of a snapshot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from corpus.errors import InputError
from retrieval.build import ensure_built as ensure_built
from retrieval.dense.embedders import DEFAULT, shared_embedder
from retrieval.dense.languages import knows
from retrieval.dense.vectors import open_vectors
from retrieval.folders import (
    BM25,
    WORDS,
    IndexManifest,
    dense_name,
    index_folder,
    read_index,
)
from retrieval.folders import DENSE as DENSE
from retrieval.folders import list_indexes as list_indexes
from retrieval.passage import PASSAGE, passage
from retrieval.ranking.candidates import CandidateRanker, VectorCache
from retrieval.ranking.fusion import FUSIONS, Fusion
from retrieval.ranking.rankers import BM25Ranker, DenseRanker, FusedRanker, RankedRetriever, Ranker
from retrieval.terms.wording import WORDINGS, Wording, default_wording
from retrieval.types import Device, Embedder, Retriever

if TYPE_CHECKING:
    from corpus import Snapshot
    from corpus.cluster import SharingCluster

Mode = Literal["bm25", "dense", "hybrid"]
MODES: tuple[Mode, ...] = ("bm25", "dense", "hybrid")
WEIGHTS = (1.0, 1.0)
"""Of BM25+ and of the embeddings in the fusion, where the model may know the language."""


def open_retriever(
    folder: Path | str,
    mode: Mode = "hybrid",
    *,
    embedder: str | None = None,
    device: Device = "auto",
    fusion: Fusion = "score",
    weights: tuple[float, float] | None = None,
    per_article: int | None = None,
    mentions: bool = True,
    wording: Wording | None = None,
    rerank: str | None = None,
    store: str | None = None,
    cluster: SharingCluster | None = None,
    api_key: str | None = None,
    store_key: str | None = None,
) -> Retriever:
    """Open a retriever over the indexes of a snapshot folder.

    A hybrid where there are no vectors of all chunks embeds the candidates that BM25+ finds, see
    `retrieval.ranking.candidates`.

    Args:
        folder: the snapshot's.
        mode: "bm25", "dense" or "hybrid".
        embedder: which model's vectors, see `retrieval.dense.embedders`; where not given, the default's or
            those of the only dense index.
        device: where vectors are searched; "gpu" copies the index to the first NVIDIA device,
            "auto" leaves it on the CPU.
        fusion: of a hybrid, "score" (standard scores) or "rrf" (reciprocal ranks).
        weights: of BM25+ and of the embeddings in a hybrid; None for equal ones, or for BM25+
            alone where the model says that it does not know the snapshot's language.
        per_article: most hits of one article, None for no limit.
        mentions: whether a hybrid lifts articles that its first hits mention, see
            `retrieval.ranking.mentions`.
        wording: which words of an English query BM25+ is asked for, see `retrieval.terms.wording`; "all"
            is the published formula on the query as it is. None: "content" for BM25+ alone,
            "all" in a hybrid.
        store: where the vectors are, instead of in the snapshot's folder: KIND:PLACE, see
            `retrieval.stores`.
        cluster: whose workers hold the segments of BM25+, instead of this process; the snapshot's
            folder is at the same path on every machine.
        rerank: a cross-encoder that orders the first hits anew, by folder or name.
        api_key: for an index whose model is an endpoint.
        store_key: of the store, where its server asks for one.

    Raises:
        InputError: no snapshot, an index that is missing, damaged or of another snapshot: the
            message says what to run.
    """
    from corpus import Snapshot

    wording = wording or default_wording(mode)
    _check_choices(mode, fusion, wording)
    snapshot = Snapshot.open(folder)
    ranker: Ranker
    if mode == "bm25":
        if store is not None:
            raise InputError(
                f"{store} holds vectors, which BM25+ alone does not ask for: choose dense or hybrid"
            )
        ranker = open_bm25(snapshot, wording, cluster)
    elif store is not None:
        spec = embedder or DEFAULT
        ranker = open_stored(snapshot, store, spec, device, api_key, store_key)
        if mode == "hybrid":
            words = open_bm25(snapshot, wording, cluster)
            if weights is None and not knows(spec, snapshot.manifest.language):
                weights = (1.0, 0.0)
            ranker = FusedRanker(
                rankers=(words, ranker),
                weights=weights or WEIGHTS,
                size=snapshot.chunk_count,
                fusion=fusion,
            )
    elif mode == "dense":
        ranker = open_dense(snapshot, find_dense(snapshot, embedder), device, api_key)
    else:
        found = find_dense(snapshot, embedder) if has_vectors(snapshot.folder, embedder) else None
        spec = found.parameters["embedder"]["spec"] if found else embedder or DEFAULT
        words = open_bm25(snapshot, wording, cluster)
        if weights is None and not knows(spec, snapshot.manifest.language):
            ranker = words
        elif found is not None:
            ranker = FusedRanker(
                rankers=(words, open_dense(snapshot, found, device, api_key)),
                weights=weights or WEIGHTS,
                size=snapshot.chunk_count,
                fusion=fusion,
            )
        else:
            model = shared_embedder(spec, device, api_key)
            ranker = CandidateRanker(
                words=words,
                vectors=open_cache(snapshot, spec, model),
                embedder=model,
                weights=weights or WEIGHTS,
                fusion=fusion,
            )
    lifts = mentions and mode == "hybrid"
    retriever = RankedRetriever(
        snapshot, ranker, source=mode, per_article=per_article, mentions=lifts
    )
    if rerank is None:
        return retriever
    from retrieval.dense.crossencoder import RerankedRetriever, open_judge

    return RerankedRetriever(retriever, open_judge(rerank, device=device))


def _check_choices(mode: str, fusion: str, wording: str) -> None:
    for value, choices, what in (
        (mode, MODES, "mode"),
        (fusion, FUSIONS, "fusion"),
        (wording, WORDINGS, "wording"),
    ):
        if value not in choices:
            raise InputError(f"unknown {what} {value!r}: choose {' or '.join(choices)}")


def has_vectors(folder: Path, embedder: str | None) -> bool:
    """Say whether a snapshot has a dense index of this model, or of any where none is named."""
    names = list_indexes(folder)
    if embedder is not None:
        return dense_name(embedder) in names
    return any(name.startswith(DENSE) for name in names)


def open_cache(snapshot: Snapshot, spec: str, model: Embedder) -> VectorCache:
    """Open the embeddings that were made of single chunks of a snapshot by a model."""
    return VectorCache(
        lambda rows: [passage(chunk) for chunk in snapshot.chunks_at(rows)],
        model,
        index_folder(snapshot.folder, f"{dense_name(spec)}.cache.sqlite"),
        key=f"{snapshot.manifest.fingerprint} {model.name} {PASSAGE}",
    )


def open_bm25(
    snapshot: Snapshot, wording: Wording, cluster: SharingCluster | None = None
) -> BM25Ranker:
    """Open the BM25+ index of a snapshot, to be asked for these words of a query."""
    from retrieval.bm25 import BM25PlusIndex

    read_index(snapshot.folder, BM25, snapshot.manifest)
    folder = index_folder(snapshot.folder, BM25) / WORDS
    if cluster is not None:
        from retrieval.bm25.distributed import DistributedIndex

        parts = DistributedIndex.open(folder, cluster, cluster.workers)
        return BM25Ranker(index=parts, wording=wording)
    index = BM25PlusIndex.open(folder)
    return BM25Ranker(index=index, wording=wording)


def find_dense(snapshot: Snapshot, embedder: str | None) -> IndexManifest:
    """Return what the dense index of a model says of itself, or the only one's where none is named.

    Raises:
        InputError: there is none, it is damaged, or there are several.
    """
    name = dense_name(embedder) if embedder is not None else only_dense(snapshot.folder)
    return read_index(snapshot.folder, name, snapshot.manifest)


def open_dense(
    snapshot: Snapshot, manifest: IndexManifest, device: Device, api_key: str | None
) -> DenseRanker:
    """Open a dense index of a snapshot, and the model its vectors were made by."""
    from retrieval.dense.faiss_index import DenseIndex, move_to_gpu

    made_by = manifest.parameters["embedder"]
    model = shared_embedder(made_by["spec"], "cpu" if device == "cpu" else "auto", api_key)
    check_model(snapshot.folder, manifest, model.name)
    folder = index_folder(snapshot.folder, manifest.name)
    vectors = open_vectors(folder, rows=manifest.rows, dim=made_by["dim"])
    index = DenseIndex.open(folder, vectors)
    return DenseRanker(index=move_to_gpu(index) if device == "gpu" else index, embedder=model)


def open_stored(
    snapshot: Snapshot,
    store: str,
    spec: str,
    device: Device,
    api_key: str | None,
    store_key: str | None,
) -> DenseRanker:
    """Open a snapshot's vectors in a store, and the model they were made by."""
    from retrieval.stores import open_index

    model = shared_embedder(spec, "cpu" if device == "cpu" else "auto", api_key)
    index = open_index(
        store, snapshot.manifest.fingerprint, model.name, snapshot.chunk_count, store_key
    )
    return DenseRanker(index=index, embedder=model)


def export_index(
    folder: Path | str,
    store: str,
    *,
    embedder: str | None = None,
    store_key: str | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Write the vectors of a snapshot's dense index into a store; go on where it was stopped.

    Args:
        folder: the snapshot's.
        store: KIND:PLACE, see `retrieval.stores`.
        embedder: which model's vectors, as in `open_retriever`.
        store_key: of the store, where its server asks for one.
        on_progress: told how many rows are there, and how many there will be.

    Returns:
        The number of vectors written by this call.

    Raises:
        InputError: no snapshot, no dense index, no such store.
        BackendError: the store fails.
    """
    from corpus import Snapshot
    from retrieval.stores import collection_name, export_vectors, open_store

    with Snapshot.open(folder) as snapshot:
        manifest = find_dense(snapshot, embedder)
        made_by = manifest.parameters["embedder"]
        place = index_folder(snapshot.folder, manifest.name)
        vectors = open_vectors(place, rows=manifest.rows, dim=made_by["dim"])
        opened = open_store(store, store_key)
        try:
            name = collection_name(snapshot.manifest.fingerprint, made_by["name"])
            return export_vectors(vectors, opened, name, on_progress=on_progress)
        finally:
            opened.close()


def check_model(folder: Path, manifest: IndexManifest, name: str) -> None:
    """Refuse an index whose vectors were made by another model or of other text than today's.

    Raises:
        InputError: says how to build it again.
    """
    parameters = manifest.parameters
    if (parameters["embedder"]["name"], parameters["passage"]) != (name, PASSAGE):
        raise InputError(
            f"index `{manifest.name}` in {folder} was made by {parameters['embedder']['name']}, "
            f"queries would be encoded by {name}: build it again with "
            f"`python -m retrieval build {folder} --embedder {parameters['embedder']['spec']}`"
        )


def only_dense(folder: Path) -> str:
    """Return the dense index to use where none was named: the default model's, or the only one."""
    names = [name for name in list_indexes(folder) if name.startswith(DENSE)]
    if DENSE in names or not names:
        return DENSE
    if len(names) == 1:
        return names[0]
    raise InputError(
        f"{folder} has the dense indexes {', '.join(names)}: name one's model with --embedder"
    )
