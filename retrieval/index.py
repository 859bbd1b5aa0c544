"""The indexes of a snapshot: building what is missing, opening a retriever over what is there."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from corpus.errors import InputError
from retrieval.embed import DEFAULT, Device, open_embedder, shared_embedder
from retrieval.folders import (
    IndexManifest,
    begin,
    finish,
    index_folder,
    list_indexes,
    read_index,
    sole_builder,
)
from retrieval.passage import PASSAGE, passage
from retrieval.rank import BM25Ranker, DenseRanker, FusedRanker, RankedRetriever, Ranker
from retrieval.vectors import FILE as VECTORS
from retrieval.vectors import open_vectors, write_vectors

if TYPE_CHECKING:
    from corpus import Snapshot

Mode = Literal["bm25", "dense", "hybrid"]
MODES: tuple[Mode, ...] = ("bm25", "dense", "hybrid")
BM25 = "bm25"
DENSE = "dense"
WORDS = "words"
"""Folder of the BM25+ index inside its index folder."""
WEIGHTS = (1.0, 1.0)
"""Of BM25+ and of the embeddings in the fusion."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many rows are done, and how many there are."""


def no_progress(what: str, done: int, total: int) -> None:
    """Report to nobody."""


def open_retriever(
    folder: Path | str,
    mode: Mode = "hybrid",
    *,
    embedder: str | None = None,
    device: Device = "auto",
    weights: tuple[float, float] = WEIGHTS,
    per_article: int | None = None,
    api_key: str | None = None,
) -> RankedRetriever:
    """Open a retriever over the indexes of a snapshot folder.

    Args:
        folder: the snapshot's.
        mode: "bm25", "dense" or "hybrid".
        embedder: which dense index, where there are several; see `retrieval.embed`.
        device: where vectors are searched; "auto" takes the CPU, which suits indexes that fit it.
        weights: of BM25+ and of the embeddings in a hybrid.
        per_article: most hits of one article, None for no limit.
        api_key: for an index whose model is an endpoint.

    Raises:
        InputError: no snapshot, an index that is missing, damaged or of another snapshot: the
            message says what to run.
    """
    from corpus import Snapshot

    if mode not in MODES:
        raise InputError(f"unknown mode {mode!r}: choose {', '.join(MODES)}")
    snapshot = Snapshot.open(folder)
    ranker: Ranker
    if mode == "bm25":
        ranker = open_bm25(snapshot)
    elif mode == "dense":
        ranker = open_dense(snapshot, embedder, device, api_key)
    else:
        ranker = FusedRanker(
            rankers=(open_bm25(snapshot), open_dense(snapshot, embedder, device, api_key)),
            weights=weights,
        )
    return RankedRetriever(snapshot, ranker, source=mode, per_article=per_article)


def open_bm25(snapshot: Snapshot) -> BM25Ranker:
    """Open the BM25+ index of a snapshot."""
    from retrieval.bm25 import BM25PlusIndex

    read_index(snapshot.folder, BM25, snapshot.manifest)
    return BM25Ranker(index=BM25PlusIndex.open(index_folder(snapshot.folder, BM25) / WORDS))


def open_dense(
    snapshot: Snapshot, embedder: str | None, device: Device, api_key: str | None
) -> DenseRanker:
    """Open a dense index of a snapshot, and the model its vectors were made by."""
    from retrieval.dense import DenseIndex, move_to_gpu

    name = dense_name(embedder) if embedder is not None else only_dense(snapshot.folder)
    manifest = read_index(snapshot.folder, name, snapshot.manifest)
    made_by = manifest.parameters["embedder"]
    model = shared_embedder(made_by["spec"], "cpu" if device == "cpu" else "auto", api_key)
    check_model(snapshot.folder, manifest, model.name)
    folder = index_folder(snapshot.folder, name)
    vectors = open_vectors(folder, rows=manifest.rows, dim=made_by["dim"])
    index = DenseIndex.open(folder, vectors)
    return DenseRanker(index=move_to_gpu(index) if device == "gpu" else index, embedder=model)


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


def dense_name(spec: str) -> str:
    """Return the name of the index of an embedding model."""
    if spec == DEFAULT:
        return DENSE
    readable = re.sub(r"[^A-Za-z0-9]+", "-", spec).strip("-")[-40:]
    return f"{DENSE}-{readable}-{hashlib.sha256(spec.encode()).hexdigest()[:6]}"


def ensure_built(
    folder: Path | str,
    mode: Mode = "hybrid",
    *,
    embedder: str = DEFAULT,
    device: Device = "auto",
    factory: str = "auto",
    analyzer: str | None = None,
    api_key: str | None = None,
    on_progress: Progress = no_progress,
) -> list[str]:
    """Build the indexes `mode` needs that are missing, damaged or of other settings.

    Args:
        folder: the snapshot's.
        mode: "bm25" builds that alone; the others what they need.
        embedder: the model, see `retrieval.embed`.
        device: where it runs.
        factory: FAISS factory string, or "auto".
        analyzer: name of BM25+'s analyzer; the snapshot's language chooses where not given.
        api_key: for an endpoint.
        on_progress: told of the rows that are done.

    Returns:
        The names of the indexes that were built.

    Raises:
        InputError: no snapshot, no permission, no such model, analyzer or factory.
    """
    from corpus import Snapshot

    with Snapshot.open(folder) as snapshot:
        parts: list[Callable[[], str | None]] = []
        if mode != "dense":
            parts.append(lambda: build_bm25(snapshot, analyzer=analyzer, on_progress=on_progress))
        if mode != "bm25":
            parts.append(
                lambda: build_vectors(
                    snapshot,
                    embedder=embedder,
                    device=device,
                    factory=factory,
                    api_key=api_key,
                    on_progress=on_progress,
                )
            )
        with sole_builder(snapshot.folder):
            built = [part() for part in parts]
    return [name for name in built if name is not None]


def is_current(snapshot: Snapshot, name: str, parameters: dict[str, Any]) -> bool:
    """Say whether an index is there, whole, of this snapshot and of these parameters."""
    try:
        manifest = read_index(snapshot.folder, name, snapshot.manifest, thorough=True)
    except InputError:
        return False
    return all(manifest.parameters.get(key) == value for key, value in parameters.items())


def build_bm25(
    snapshot: Snapshot, *, analyzer: str | None = None, on_progress: Progress = no_progress
) -> str | None:
    """Build the BM25+ index; return its name, or None where it was there already."""
    from retrieval.analyze import analyzer as analyzer_of
    from retrieval.bm25 import BM25PlusIndex

    analyse = analyzer_of(analyzer or snapshot.manifest.language)
    parameters: dict[str, Any] = {
        "analyzer": analyse.identity,
        "k1": 1.5,
        "b": 0.75,
        "delta": 1.0,
        "passage": PASSAGE,
    }
    if is_current(snapshot, BM25, parameters):
        return None
    folder = begin(snapshot.folder, BM25, describe(snapshot, parameters))
    total = snapshot.chunk_count

    def texts() -> Any:
        for row, chunk in enumerate(snapshot.chunks()):
            if row % 1024 == 0:
                on_progress("BM25+", row, total)
            yield passage(chunk)

    BM25PlusIndex.build(
        texts(),
        folder / WORDS,
        analyzer=analyse,
        k1=parameters["k1"],
        b=parameters["b"],
        delta=parameters["delta"],
    )
    on_progress("BM25+", total, total)
    finish(folder, manifest_of(snapshot, BM25, "bm25", parameters))
    return BM25


def build_vectors(
    snapshot: Snapshot,
    *,
    embedder: str = DEFAULT,
    device: Device = "auto",
    factory: str = "auto",
    api_key: str | None = None,
    on_progress: Progress = no_progress,
) -> str | None:
    """Build a dense index; return its name, or None where it was there already.

    Vectors of a finished index are used again where only the factory changes.
    """
    from retrieval.dense import build_dense, choose_factory

    if "://" not in embedder and Path(embedder).expanduser().is_dir():
        embedder = str(Path(embedder).expanduser().resolve())
    model = open_embedder(embedder, device=device, api_key=api_key)
    made_by = {"spec": embedder, "name": model.name, "dim": model.dim}
    parameters: dict[str, Any] = {"embedder": made_by, "passage": PASSAGE}
    name = dense_name(embedder)
    total = snapshot.chunk_count
    chosen = choose_factory(total, model.dim) if factory == "auto" else factory
    if is_current(snapshot, name, parameters | {"faiss": chosen}):
        return None
    folder = begin(snapshot.folder, name, describe(snapshot, parameters))
    former = index_folder(snapshot.folder, name) / VECTORS
    if is_current(snapshot, name, parameters) and not (folder / VECTORS).exists():
        os.link(former, folder / VECTORS)
        vectors = open_vectors(folder, rows=total, dim=model.dim)
    else:
        vectors = write_vectors(
            (passage(chunk) for chunk in snapshot.chunks()),
            folder,
            model,
            on_progress=lambda done: on_progress("embedding", done, total),
        )
    on_progress("FAISS", 0, total)
    build_dense(vectors, folder, chosen)
    on_progress("FAISS", total, total)
    finish(folder, manifest_of(snapshot, name, "dense", parameters | {"faiss": chosen}))
    return name


def describe(snapshot: Snapshot, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return what the content of an index depends on."""
    return {"snapshot": snapshot.manifest.fingerprint, "parameters": parameters}


def manifest_of(
    snapshot: Snapshot, name: str, kind: Literal["bm25", "dense"], parameters: dict[str, Any]
) -> IndexManifest:
    """Return the manifest of a finished index, but for its files."""
    return IndexManifest(
        name=name,
        kind=kind,
        snapshot=snapshot.manifest.fingerprint,
        rows=snapshot.chunk_count,
        parameters=parameters,
        files={},
    )
