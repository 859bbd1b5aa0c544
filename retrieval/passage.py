"""What is indexed of a chunk: the same words for BM25+, for the embedder and for a reranker."""

from __future__ import annotations

from corpus.types import Chunk

PASSAGE = 1
"""Version of `passage`; an index keeps it, and another version is refused."""


def passage(chunk: Chunk) -> str:
    """Return title, section path and text of a chunk, one after another on lines of their own.

    A chunk from the middle of an article rarely names what it is about: its title does.
    """
    return "\n".join(part for part in (chunk.revision.title, chunk.section, chunk.text) if part)
