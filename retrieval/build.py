"""Building the indexes of a snapshot: what is missing, damaged or of other settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from corpus.errors import InputError
from corpus.storage.manifest import replace_file
from retrieval.dense.embedders import DEFAULT, check_embedder, check_precision, open_embedder
from retrieval.dense.enclosed import MOST, enclosed_vectors
from retrieval.dense.faiss_index import check_factory
from retrieval.dense.vectors import BLOCK, Block, Encoding, open_vectors, write_vectors
from retrieval.dense.vectors import FILE as VECTORS
from retrieval.folders import (
    BM25,
    WORDS,
    IndexManifest,
    begin,
    dense_name,
    finish,
    index_folder,
    read_index,
    sole_builder,
)
from retrieval.passage import PASSAGE, passage
from retrieval.types import Device, Precision

if TYPE_CHECKING:
    from corpus import Snapshot
    from corpus.cluster import Cluster, Seat

FEW = 8
"""Blocks of chunks up to which a snapshot is embedded in smaller ones, and progress is seen."""
BLOCK_OF_FEW = BLOCK // 3
"""Still more than are embedded without a GPU where there is one; see `retrieval.dense.embedders`."""
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how many rows are done, and how many there are."""


def no_progress(what: str, done: int, total: int) -> None:
    """Report to nobody."""


def ensure_built(
    folder: Path | str,
    mode: Literal["bm25", "dense", "hybrid"] = "hybrid",
    *,
    embedder: str = DEFAULT,
    device: Device = "auto",
    precision: Precision = "float",
    factory: str = "auto",
    analyzer: str | None = None,
    api_key: str | None = None,
    cluster: Cluster | None = None,
    on_progress: Progress = no_progress,
) -> list[str]:
    """Build the indexes `mode` needs that are missing, damaged or of other settings.

    Args:
        folder: the snapshot's.
        mode: "bm25" builds that alone; the others what they need.
        embedder: the model, see `retrieval.dense.embedders`.
        device: where it runs.
        precision: what it multiplies in, of the chunks; queries are embedded in float32.
        factory: FAISS factory string, or "auto".
        analyzer: name of BM25+'s analyzer; the snapshot's language chooses where not given.
        api_key: for an endpoint.
        cluster: makes segments and vectors instead of this process; FAISS trains here.
        on_progress: told of the rows that are done.

    Returns:
        The names of the indexes that were built.

    Raises:
        InputError: no snapshot, no permission, no such model, analyzer or factory.
    """
    from corpus import Snapshot

    if mode != "bm25":
        check_precision(embedder, precision, device)
        check_embedder(embedder, api_key=api_key)
        check_factory(factory)
    with Snapshot.open(folder) as snapshot:
        snapshot.check()
        parts: list[Callable[[], str | None]] = []
        if mode != "dense":
            parts.append(
                lambda: build_bm25(
                    snapshot, analyzer=analyzer, cluster=cluster, on_progress=on_progress
                )
            )
        if mode != "bm25":
            parts.append(
                lambda: build_vectors(
                    snapshot,
                    embedder=embedder,
                    device=device,
                    precision=precision,
                    factory=factory,
                    api_key=api_key,
                    cluster=cluster,
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
    snapshot: Snapshot,
    *,
    analyzer: str | None = None,
    cluster: Cluster | None = None,
    on_progress: Progress = no_progress,
) -> str | None:
    """Build the BM25+ index; return its name, or None where it was there already."""
    from retrieval.bm25 import BM25PlusIndex
    from retrieval.terms.analyzers import analyzer as analyzer_of

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

    def texts() -> Iterator[str]:
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
        cluster=cluster,
    )
    on_progress("BM25+", total, total)
    finish(folder, manifest_of(snapshot, BM25, "bm25", parameters))
    return BM25


def build_vectors(
    snapshot: Snapshot,
    *,
    embedder: str = DEFAULT,
    device: Device = "auto",
    precision: Precision = "float",
    factory: str = "auto",
    api_key: str | None = None,
    cluster: Cluster | None = None,
    on_progress: Progress = no_progress,
) -> str | None:
    """Build a dense index; return its name, or None where it was there already.

    Vectors of a finished index are used again where only the factory changes.
    """
    from retrieval.dense.faiss_index import build_dense, choose_factory

    if "://" not in embedder and Path(embedder).expanduser().is_dir():
        embedder = str(Path(embedder).expanduser().resolve())
    model = open_embedder(embedder, device=device, api_key=api_key, precision=precision)
    made_by = {"spec": embedder, "name": model.name, "dim": model.dim}
    if precision != "float":
        made_by["precision"] = precision
    parameters: dict[str, Any] = {"embedder": made_by, "passage": PASSAGE}
    name = dense_name(embedder)
    total = snapshot.chunk_count
    chosen = choose_factory(total, model.dim) if factory == "auto" else factory
    if is_current(snapshot, name, parameters | {"faiss": chosen}):
        return None
    folder = begin(snapshot.folder, name, describe(snapshot, parameters))
    former = index_folder(snapshot.folder, name) / VECTORS
    enclosed = _enclosed(snapshot, made_by)
    if is_current(snapshot, name, parameters) and not (folder / VECTORS).exists():
        os.link(former, folder / VECTORS)
        vectors = open_vectors(folder, rows=total, dim=model.dim)
    elif enclosed is not None:
        replace_file(folder / VECTORS, enclosed)
        vectors = open_vectors(folder, rows=total, dim=model.dim)
    else:
        seats: Sequence[Seat[Block, bytes]] = ()
        # Who asks an endpoint works no more than one machine can, and its key stays there.
        if cluster is not None and "://" not in embedder:
            encoding = Encoding(spec=embedder, name=model.name, device=device, precision=precision)
            seats = cluster.seats(encoding, gpu=device != "cpu")
        vectors = write_vectors(
            (passage(chunk) for chunk in snapshot.chunks()),
            folder,
            model,
            seats=seats,
            block=BLOCK if total > FEW * BLOCK else BLOCK_OF_FEW,
            on_progress=lambda done: on_progress("embedding", done, total),
        )
    on_progress("FAISS", 0, total)
    build_dense(vectors, folder, chosen)
    on_progress("FAISS", total, total)
    finish(folder, manifest_of(snapshot, name, "dense", parameters | {"faiss": chosen}))
    return name


def _enclosed(snapshot: Snapshot, made_by: Mapping[str, Any]) -> bytes | None:
    if made_by["spec"] != DEFAULT or "precision" in made_by or snapshot.chunk_count > MOST:
        return None
    return enclosed_vectors(made_by["name"], [passage(chunk) for chunk in snapshot.chunks()])


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
