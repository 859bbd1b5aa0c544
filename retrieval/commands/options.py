"""Options that several commands take, and what they open."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from corpus.errors import InputError
from corpus.terminal import say

if TYPE_CHECKING:
    from retrieval.index import Mode
    from retrieval.ranking.fusion import Fusion
    from retrieval.terms.wording import Wording
    from retrieval.types import Device, Retriever

UNKNOWN_LANGUAGE = (
    "the embedding model does not know the language {language!r}: a hybrid goes by BM25+ alone; "
    "build with --embedder and a model that does"
)

ModeOption = Annotated[str, typer.Option(help="bm25, dense or hybrid")]
DeviceOption = Annotated[str, typer.Option(help="auto, cpu or gpu")]
FusionOption = Annotated[str, typer.Option(help="of a hybrid: score or rrf")]
WordingOption = Annotated[
    str,
    typer.Option(
        help="words of an English query that BM25+ is asked for: content or all; by default all "
        "in a hybrid, content without"
    ),
]
PerArticle = Annotated[int, typer.Option(min=0, help="most hits of an article, 0: any number")]
Reranker = Annotated[
    str | None, typer.Option(metavar="NAME", help="a cross-encoder: a folder or a model's name")
]
Stored = Annotated[
    str | None,
    typer.Option("--retriever", metavar="KIND:PLACE", help="vectors in a store, see export"),
]
Articles = Annotated[
    list[str] | None,
    typer.Option("--article", metavar="TITLE", help="search this article only; may be repeated"),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="a folder, a model's name, https://host/v1#model, or `default` for the embedded one",
    ),
]


def open_named(
    folder: Path,
    mode: str,
    embedder: str | None,
    device: str,
    fusion: str,
    per_article: int,
    wording: str,
    rerank: str | None,
    articles: Sequence[str] | None,
    store: str | None,
) -> Retriever:
    """Open the retriever that a command's options name.

    Raises:
        InputError: an option that names nothing, or an index that is missing or out of date.
        BackendError: the store does not answer.
    """
    from corpus.storage.manifest import read_manifest
    from retrieval.index import open_retriever
    from retrieval.ranking.rankers import BM25Ranker, RankedRetriever

    retriever = open_retriever(
        folder,
        cast("Mode", mode),
        embedder=embedder,
        device=checked_device(device),
        fusion=cast("Fusion", fusion),
        per_article=per_article or None,
        wording=cast("Wording | None", wording or None),
        store=store,
        api_key=api_key(),
        store_key=store_key(),
    )
    words_alone = isinstance(retriever, RankedRetriever) and isinstance(
        retriever.ranker, BM25Ranker
    )
    if mode == "hybrid" and words_alone:
        language = read_manifest(folder).language
        say(f"retrieval: {UNKNOWN_LANGUAGE.format(language=language)}")
    if articles:
        from retrieval.ranking.restriction import restrict

        retriever = restrict(retriever, articles)
    if rerank is not None:
        from retrieval.dense.crossencoder import RerankedRetriever, open_judge

        retriever = RerankedRetriever(retriever, open_judge(rerank, device=checked_device(device)))
    return retriever


def checked_device(name: str) -> Device:
    """Return a device as it was named.

    Raises:
        InputError: it is none.
    """
    if name not in ("auto", "cpu", "gpu"):
        raise InputError(f"unknown device {name!r}: choose auto, cpu or gpu")
    return cast("Device", name)


def api_key() -> str | None:
    """Return the key of an embedding endpoint, FANFOLD_API_KEY."""
    return os.environ.get("FANFOLD_API_KEY") or None


def store_key() -> str | None:
    """Return the key of a vector database, FANFOLD_STORE_KEY."""
    return os.environ.get("FANFOLD_STORE_KEY") or None
