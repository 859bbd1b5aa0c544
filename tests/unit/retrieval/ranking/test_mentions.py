"""Articles that the first hits mention are lifted, below what mentions them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus import Snapshot
from corpus.errors import InputError
from corpus.types import Revision
from retrieval import open_retriever
from retrieval.ranking.mentions import lift_mentioned, title_key
from retrieval.types import Hit


def revision(page: int, title: str) -> Revision:
    return Revision(page_id=page, rev_id=1, title=title, timestamp="2015-01-01T00:00:00Z", url="")


@pytest.mark.parametrize(
    ("title", "text", "meant"),
    [
        ("Maroon 5", "It is a song by Maroon 5, a band.", True),
        ("Heat (1995 film)", "He directed Heat.", True),
        ("Heat", "The heat was great.", False),
        ("Maroon", "Maroons lived there.", False),
        ("Vita Sackville-West", "Vita Sackville-West wrote it.", True),
        ("1994", "It was built in 1994.", False),
        ("It", "It is a moon.", False),
        ("北京大学", "他毕业于北京大学中文系。", True),
        ("京", "他毕业于北京大学。", False),
    ],
)
def test_which_titles_a_text_mentions(title: str, text: str, meant: bool) -> None:
    revisions = {0: revision(1, "Song"), 1: revision(2, "Other"), 2: revision(3, title)}
    found = lift_mentioned(
        [(0, 9.0), (1, 5.0), (2, 2.0), (3, 0.0)], revisions | {3: revision(4, "Last")}, {0: text}
    )
    assert dict(found)[2] == (6.5 if meant else 2.0)
    assert [row for row, _ in found] == ([0, 2, 1, 3] if meant else [0, 1, 2, 3])


def test_an_article_does_not_lift_itself() -> None:
    revisions = {0: revision(1, "Saturn"), 1: revision(2, "Ice"), 2: revision(1, "Saturn")}
    ranking = [(0, 9.0), (1, 5.0), (2, 2.0)]
    assert lift_mentioned(ranking, revisions, {0: "Saturn has rings."}) == ranking


def test_a_title_of_nothing_but_brackets_is_no_name() -> None:
    assert title_key("(…)") == ""
    assert title_key("!!!") == ""


@given(
    st.lists(st.floats(-50, 50, allow_nan=False), max_size=12),
    st.lists(st.integers(0, 5), min_size=12, max_size=12),
    st.floats(0, 2),
)
@settings(deadline=None)
def test_lifting_keeps_the_rows_the_first_hit_and_the_bounds(
    scores: list[float], pages: list[int], share: float
) -> None:
    ranking = list(enumerate(sorted(scores, reverse=True)))
    revisions = {row: revision(pages[row], f"Name {pages[row]}") for row, _ in ranking}
    texts = {row: f"Name {(pages[row] + 1) % 6} and more" for row, _ in ranking[:4]}
    lifted = lift_mentioned(ranking, revisions, texts, share=share)
    assert {row for row, _ in lifted} == {row for row, _ in ranking}
    assert lifted[:1] == ranking[:1]
    before = dict(ranking)
    assert all(before[row] <= score <= ranking[0][1] for row, score in lifted)
    assert [score for _, score in lifted] == sorted((s for _, s in lifted), reverse=True)


WORDS = st.lists(
    st.sampled_from(["Ice", "Great", "Lakes", "New", "York", "京都", "北", "a"]), max_size=6
)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=2, max_size=8), st.sampled_from([" ", "", ", "]))
@settings(deadline=None)
def test_a_title_is_mentioned_where_its_name_stands_in_a_text(
    chunks: list[tuple[list[str], list[str]]], between: str
) -> None:
    ranking = [(row, 100.0 - row) for row in range(len(chunks))] + [(len(chunks), 0.0)]
    titles = [" ".join(title) or "x" for title, _ in chunks] + ["Last one"]
    revisions = {row: revision(row, title) for row, title in enumerate(titles)}
    texts = {row: between.join(words) for row, (_, words) in enumerate(chunks)}
    lifted = dict(lift_mentioned(ranking, revisions, texts))
    for row, score in ranking:
        name = title_key(titles[row])
        above = [texts[other] for other in range(min(row, len(chunks)))]
        read = [
            " "
            + " ".join(re.findall(r"\w+", text))
            + " \n"
            + text * ("京都" in text or "北" in text)
            for text in above
        ]
        assert (lifted[row] > score) == (bool(name) and any(name in text for text in read))


def test_a_hybrid_follows_what_its_first_hits_mention(indexed_wiki: Path) -> None:
    asked = ["The astronomer who saw Jupiter's four moons was born where?"]
    plain = open_retriever(indexed_wiki, mentions=False).search(asked, 20)[0]
    lifted = open_retriever(indexed_wiki).search(asked, 20)[0]
    assert {hit.chunk.id for hit in plain} == {hit.chunk.id for hit in lifted}
    assert lifted[0].chunk.id == plain[0].chunk.id

    def rank(hits: list[Hit]) -> int:
        return min(hit.rank for hit in hits if hit.chunk.revision.title == "Galileo Galilei")

    assert rank(lifted) <= rank(plain)
    assert [hit.rank for hit in lifted] == list(range(1, len(lifted) + 1))


def test_revisions_are_those_of_the_chunks(wiki: Snapshot) -> None:
    rows = list(range(wiki.chunk_count))[::-2]
    assert wiki.revisions_at(rows) == [chunk.revision for chunk in wiki.chunks_at(rows)]
    for outside in (-1, wiki.chunk_count):
        with pytest.raises(InputError, match="no row"):
            wiki.revisions_at([outside])
