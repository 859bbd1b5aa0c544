"""`build` and `export`: a snapshot's indexes, and its vectors into a database."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated, cast

import typer

from corpus.options import Cluster, Folder, Workers
from corpus.progress import followed
from corpus.terminal import say
from retrieval.commands.options import (
    UNKNOWN_LANGUAGE,
    DeviceOption,
    Model,
    api_key,
    checked_device,
    store_key,
)

if TYPE_CHECKING:
    from retrieval.build import Progress
    from retrieval.types import Precision

_resume = ""


def resume_hint() -> str:
    """Return the command that goes on after an interruption; "" where none was begun."""
    return _resume


def build_command(
    folder: Folder,
    bm25_only: Annotated[bool, typer.Option("--bm25-only", help="no embeddings")] = False,
    embedder: Model = None,
    device: DeviceOption = "auto",
    precision: Annotated[
        str,
        typer.Option(help="of the chunks' vectors: float, or int8, faster and a little coarser"),
    ] = "float",
    faiss: Annotated[str, typer.Option(metavar="FACTORY", help="FAISS factory, or auto")] = "auto",
    analyzer: Annotated[str, typer.Option(help="of BM25+; by default the language's")] = "",
    cluster: Cluster = "",
    workers: Workers = 0,
) -> None:
    """Build what is missing or out of date; the same command goes on after an interruption."""
    global _resume
    from corpus.cluster import ThisMachine, opened
    from retrieval.build import ensure_built

    _resume = " ".join(["python -m retrieval", *sys.argv[1:]])
    with opened(cluster, workers) as nodes, _progress("models are opened") as report:
        built = ensure_built(
            folder,
            "bm25" if bm25_only else "hybrid",
            embedder=embedder or "default",
            device=checked_device(device),
            precision=cast("Precision", precision),
            factory=faiss,
            analyzer=analyzer or None,
            api_key=api_key(),
            cluster=nodes or (ThisMachine(workers) if workers else None),
            on_progress=report,
        )
    say(f"retrieval: {folder}: " + (f"built {', '.join(built)}" if built else "all is up to date"))
    if not bm25_only:
        from corpus.storage.manifest import read_manifest
        from retrieval.dense.languages import knows

        language = read_manifest(folder).language
        if not knows(embedder or "default", language):
            say(f"retrieval: {UNKNOWN_LANGUAGE.format(language=language)}")


def export_command(
    folder: Folder,
    to: Annotated[
        str,
        typer.Option(metavar="KIND:PLACE", help="qdrant:http://host:6333, milvus:…, opensearch:…"),
    ],
    embedder: Model = None,
) -> None:
    """Write a dense index into a vector database; the same command goes on after an interruption.

    FANFOLD_STORE_KEY is the key of a server that asks for one.
    """
    global _resume
    from retrieval.index import export_index

    _resume = " ".join(["python -m retrieval", *sys.argv[1:]])
    with _progress("the index is opened") as report:
        written = export_index(
            folder,
            to,
            embedder=embedder,
            store_key=store_key(),
            on_progress=lambda done, total: report("vectors", done, total),
        )
    say(f"retrieval: {to}: {written:,} vectors written; search with --retriever {to}")


def _progress(first: str) -> AbstractContextManager[Progress]:
    return followed("retrieval", "chunks", first)
