"""Queries with judgments, searched: what `retrieval.trec` then measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from corpus.errors import InputError
from corpus.files import read_text
from corpus.types import Chunk
from retrieval.types import Retriever

DOCUMENTS: Mapping[str, Callable[[Chunk], str]] = {
    "titles": lambda chunk: chunk.revision.title.replace(" ", "_"),
    "pages": lambda chunk: str(chunk.revision.page_id),
    "chunks": lambda chunk: chunk.id,
}
"""What a judgment may name, and how a chunk is called then: run files have no room for spaces."""


def read_topics(path: Path) -> dict[str, str]:
    """Read queries, a line each: `topic<TAB>query`.

    Raises:
        InputError: a line without a tab, a topic that comes twice, or no UTF-8.
    """
    topics: dict[str, str] = {}
    for number, line in enumerate(read_text(path, "file of queries").splitlines(), start=1):
        if not line.strip():
            continue
        topic, tab, query = line.partition("\t")
        if not tab or not topic.strip() or len(topic.split()) != 1:
            raise InputError(f"{path}, line {number}: expected a topic, a tab and a query")
        if topic.strip() in topics:
            raise InputError(f"{path}, line {number}: topic {topic.strip()} comes twice")
        topics[topic.strip()] = query.strip()
    return topics


def run_topics(
    retriever: Retriever, topics: Mapping[str, str], k: int, by: str = "titles"
) -> dict[str, list[tuple[str, float]]]:
    """Search for all topics as one batch and return (document, score) of each, best first.

    Where documents are articles, the best chunk of each stands for it, so that fewer than k
    documents may be listed.

    Args:
        retriever: searches.
        topics: queries by topic.
        k: hits a query.
        by: what the judgments name, a key of `DOCUMENTS`.

    Raises:
        InputError: `by` is none of them.
    """
    if by not in DOCUMENTS:
        raise InputError(f"unknown kind of document {by!r}: choose {', '.join(DOCUMENTS)}")

    name = DOCUMENTS[by]
    found = retriever.search(list(topics.values()), k)
    results: dict[str, list[tuple[str, float]]] = {}
    for topic, hits in zip(topics, found, strict=True):
        best: dict[str, float] = {}
        for hit in hits:
            best.setdefault(name(hit.chunk), hit.score)
        results[topic] = list(best.items())
    return results
