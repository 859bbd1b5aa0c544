"""Where a run finds what its configuration names: data, snapshot, index, endpoint, prompts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from corpus.files import sha256_of
from corpus.progress import Pace
from corpus.store import Snapshot
from corpus.terminal import say
from evals.parquet import dataset_files, is_dataset
from evals.ports import Benchmark
from evals.types import RunConfig

if TYPE_CHECKING:
    from evals.runs.models import Endpoint
    from retrieval.types import Retriever


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The places that a run draws on: paths and an address, no part of what the run is."""

    benchmark: Benchmark
    data: Path
    snapshot: Path | None = None
    """None for the embedded sample."""
    endpoint: Endpoint | None = None
    """None for the extractive engine."""
    prompts: Path | None = None
    """Folder of prompt files that replace the packaged ones."""
    store: str = ""
    """KIND:PLACE of the snapshot's vectors, see `retrieval.stores`; "" for its own."""
    store_key: str | None = None
    """Of the store."""


def data_digest(data: Path) -> str:
    """Return the SHA-256 of a benchmark's data: of a file, or of the data files of a folder."""
    if data.is_file():
        return sha256_of(data)
    digest = hashlib.sha256()
    files = dataset_files(data) if is_dataset(data) else data.rglob("*.json*")
    for path in sorted(p for p in files if p.is_file()):
        digest.update(f"{path.relative_to(data)} {sha256_of(path)}\n".encode())
    return digest.hexdigest()


def open_snapshot(folder: Path | None, language: str) -> Snapshot:
    """Open the snapshot named, or the embedded sample of a language."""
    if folder is None:
        from corpus.sample import sample_snapshot

        chosen = language if language in ("en", "zh") else "en"
        folder = sample_snapshot(chosen, say=lambda line: say(f"evals: {line}"))
    snapshot = Snapshot.open(folder)
    snapshot.check()
    return snapshot


def retriever_name(config: RunConfig, sources: Sources, snapshot: Snapshot) -> str:
    """Return what reports call a run's retriever: its mode, analyzer and embedder."""
    from retrieval.dense.languages import knows
    from retrieval.folders import list_indexes, read_index
    from retrieval.terms.analyzers import analyzer
    from retrieval.terms.wording import ENGLISH, default_wording

    if config.setting == "evidence":
        english = analyzer(snapshot.manifest.language).name in ENGLISH
        return "BM25+ over the given articles" + (", content words asked" if english else "")
    mode = _mode(config, sources, snapshot)
    way = f"{mode} by {config.embedder}" if config.embedder else mode
    described = []
    stored = bool(sources.store) and mode != "bm25"
    for name in list_indexes(snapshot.folder):
        index = read_index(snapshot.folder, name, snapshot.manifest)
        if stored and index.kind == "dense":
            continue
        engine = index.parameters.get("analyzer" if index.kind == "bm25" else "embedder", {})
        engine_name = engine.get("name", "unknown")
        asked = f", {default_wording(mode)} words asked" if engine_name in ENGLISH else ""
        silent = index.kind == "dense" and not knows(engine["spec"], snapshot.manifest.language)
        weight = ", no weight" if silent and mode == "hybrid" else ""
        described.append(f"{index.kind}: {engine_name}{asked}{weight}")
    if stored:
        from retrieval.dense.embedders import DEFAULT, shared_embedder

        model = shared_embedder(config.embedder or DEFAULT, api_key=_api_key(sources))
        described.append(f"dense: {model.name} in {sources.store.partition(':')[0]}")
    return f"{way} ({', '.join(described)})"


def open_run_retriever(config: RunConfig, sources: Sources, snapshot: Snapshot) -> Retriever:
    """Open the retriever of the open setting, which all samples share."""
    from retrieval.index import open_retriever

    mode = _mode(config, sources, snapshot)
    return open_retriever(
        snapshot.folder,
        mode,
        embedder=config.embedder or None,
        # A matrix over modes has one that asks for no vectors.
        store=sources.store if sources.store and mode != "bm25" else None,
        api_key=_api_key(sources),
        store_key=sources.store_key,
    )


def _api_key(sources: Sources) -> str | None:
    return sources.endpoint.api_key if sources.endpoint is not None else None


def _mode(
    config: RunConfig, sources: Sources, snapshot: Snapshot
) -> Literal["bm25", "dense", "hybrid"]:
    """Return how the snapshot is searched; indexes are built where there are none.

    They are built before the run is named: a first run and its repetition must be the same run.
    """
    from retrieval.folders import list_indexes
    from retrieval.index import ensure_built

    # The embedded sample has both; another process may be building the second just now.
    if sources.snapshot is None or not list_indexes(snapshot.folder):
        if sources.snapshot is not None:
            say(f"evals: {snapshot.folder} has no indexes: they are built first, once")
        ensure_built(
            snapshot.folder, on_progress=Pace("chunks", lambda line: say(f"evals: {line}"))
        )
    if config.mode:
        return config.mode
    return "bm25" if lacks_vectors(config, sources, snapshot) else "hybrid"


def lacks_vectors(config: RunConfig, sources: Sources, snapshot: Snapshot) -> bool:
    """Whether a run that names no mode searches by words, since its snapshot has no other index."""
    from retrieval.folders import list_indexes
    from retrieval.index import DENSE

    if config.mode or config.embedder or sources.store or sources.snapshot is None:
        return False
    there = list_indexes(snapshot.folder)
    # Where there is none, all are built before the run.
    return bool(there) and not any(name.startswith(DENSE) for name in there)
