from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent.tools import TitleNotFoundError, Toolbox, chunk_label, fit_budget
from corpus.types import Article, Chunk, Revision
from retrieval.types import Hit


def article(title: str, *texts: str) -> tuple[Article, list[Chunk]]:
    revision = Revision(
        page_id=len(title), rev_id=1, title=title, timestamp="2024-01-01T00:00:00Z", url="u"
    )
    chunks, start = [], 0
    for ordinal, text in enumerate(texts):
        chunks.append(
            Chunk(
                id=f"{len(title)}:1:{ordinal}",
                revision=revision,
                start=start,
                end=start + len(text),
                section="Moons" if ordinal else "",
                text=text,
            )
        )
        start += len(text)
    return Article(revision=revision, text="".join(texts), sections=(), redirects=()), chunks


NEPTUNE, NEPTUNE_CHUNKS = article("Neptune", "Neptune is a planet.", "Triton is its moon.")
MARS, MARS_CHUNKS = article("Mars", "Mars is a planet.", "Phobos is its moon.")


class Shelf:
    """A snapshot of two articles."""

    def find(self, title: str) -> Article | None:
        return {"Neptune": NEPTUNE, "Mars": MARS, "Red planet": MARS}.get(title)

    def search_titles(self, text: str, limit: int = 10) -> Sequence[str]:
        return [title for title in ("Neptune", "Mars") if title[:2] == text[:2]]


class Overlap:
    """Ranks chunks by shared words."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        return [self._one(query, k) for query in queries]

    def _one(self, query: str, k: int) -> list[Hit]:
        words = set(query.lower().split())
        scored = [
            (len(words & set(chunk.text.lower().strip(".").split())), chunk)
            for chunk in self.chunks
        ]
        best = sorted((pair for pair in scored if pair[0]), key=lambda pair: -pair[0])[:k]
        return [
            Hit(chunk=chunk, score=float(score), rank=rank, source="overlap")
            for rank, (score, chunk) in enumerate(best, start=1)
        ]


def toolbox(budget: int = 1000, titles: Sequence[str] | None = None, k: int = 10) -> Toolbox:
    chunks = {"Neptune": NEPTUNE_CHUNKS, "Mars": MARS_CHUNKS}
    return Toolbox(
        Overlap([*NEPTUNE_CHUNKS, *MARS_CHUNKS]),
        Shelf(),
        k,
        budget,
        rank=lambda title: Overlap(chunks[title]),
        titles=titles,
    )


def test_search_returns_the_best_chunks() -> None:
    assert [hit.chunk.text for hit in toolbox().search("moon  Phobos")] == [
        "Phobos is its moon.",
        "Triton is its moon.",
    ]
    assert len(toolbox(k=1).search("moon")) == 1
    assert toolbox().search("  ") == []
    assert toolbox().search("zebra") == []


def test_read_ranks_one_article_for_the_query() -> None:
    hits = toolbox().read("Neptune", "moon")
    assert [hit.chunk.text for hit in hits] == ["Triton is its moon."]
    assert hits[0].source == "read"


def test_read_without_a_matching_word_gives_what_matches_the_title() -> None:
    assert [hit.chunk.text for hit in toolbox().read("Mars", "zebra")] == ["Mars is a planet."]
    assert [hit.chunk.text for hit in toolbox().read("Mars", "")] == ["Mars is a planet."]


def test_read_follows_redirects() -> None:
    assert toolbox().read("Red planet", "moon")[0].chunk.revision.title == "Mars"


def test_a_missing_title_offers_near_ones() -> None:
    with pytest.raises(TitleNotFoundError, match=r"near it: 'Neptune'") as caught:
        toolbox().read("Neptunium", "moon")
    assert caught.value.near == ("Neptune",)
    with pytest.raises(TitleNotFoundError, match="search for it instead"):
        toolbox().read("Zebra", "")


def test_only_the_titles_given_can_be_read() -> None:
    box = toolbox(titles=["Red planet", "Zebra"])
    assert box.read("Mars", "moon")
    with pytest.raises(TitleNotFoundError) as caught:
        box.read("Neptune", "moon")
    assert caught.value.near == ("Mars",)


def test_results_fit_the_budget_but_are_never_empty() -> None:
    hits = toolbox().search("moon planet")
    assert fit_budget(hits, 40) == hits[:2]
    assert fit_budget(hits, 3) == hits[:1]
    assert fit_budget(hits, 3, size=lambda text: 1) == hits[:3]
    assert len(toolbox(budget=20).search("moon planet")) == 1


def test_a_chunk_is_introduced_by_article_and_section() -> None:
    assert chunk_label(MARS_CHUNKS[0]) == "Mars"
    assert chunk_label(MARS_CHUNKS[1]) == "Mars > Moons"
