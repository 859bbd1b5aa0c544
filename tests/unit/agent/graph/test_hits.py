from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent.graph.hits import gather, search_all, titles_named
from agent.tools import TitleNotFoundError, Toolbox
from corpus.types import Article, Section
from retrieval.types import Hit
from tests.reasoners import WordRetriever, chunk, hit


class Shelf:
    """Articles by title; a redirect is a second title."""

    def __init__(self, *titles: str, **redirects: str) -> None:
        self.titles = {title: title for title in titles} | redirects
        self.disambiguation = {"Mercury"}

    def find(self, title: str) -> Article | None:
        name = self.titles.get(title)
        if name is None:
            return None
        text = f"{name} is an article."
        return Article(
            revision=chunk(1, text, name).revision,
            text=text,
            sections=(Section(title="", level=1, start=0, end=len(text), path=()),),
            redirects=(),
            disambiguation=name in self.disambiguation,
        )

    def search_titles(self, text: str, limit: int = 10) -> Sequence[str]:
        return []


def test_titles_are_found_longest_first_and_redirects_followed() -> None:
    shelf = Shelf(
        "Saturn", "Moons of Saturn", "United States", "1996 Olympics", USA="United States"
    )
    assert titles_named("Which of the Moons of Saturn is largest?", shelf.find) == [
        "Moons of Saturn"
    ]
    assert titles_named("Who owns Saturn's rings?", shelf.find) == ["Saturn"]
    assert titles_named("Did the USA host the 1996 Olympics?", shelf.find) == [
        "United States",
        "1996 Olympics",
    ]


def test_words_that_open_a_question_and_bare_numbers_are_no_titles() -> None:
    shelf = Shelf("Which", "Who", "The", "1996", "In")
    assert titles_named("Which of these? Who? The 1996 one? In what?", shelf.find) == []


def test_pages_that_only_tell_apart_are_not_read() -> None:
    assert titles_named("How large is Mercury?", Shelf("Mercury").find) == []


def test_titles_without_capitals_are_found_in_chinese() -> None:
    shelf = Shelf("长城", "故宫博物院", "故宫")
    assert titles_named("长城和故宫博物院哪个更古老？", shelf.find) == ["长城", "故宫博物院"]


def test_no_more_than_four_titles_are_read() -> None:
    shelf = Shelf("Ann", "Bea", "Cat", "Dan", "Eve")
    assert titles_named("Ann, Bea, Cat, Dan, Eve", shelf.find) == ["Ann", "Bea", "Cat", "Dan"]


def test_queries_go_out_as_one_batch_and_repeated_ones_once() -> None:
    retriever = WordRetriever([chunk(1, "alpha beta"), chunk(2, "gamma delta")])
    lists = search_all(retriever, ["alpha", "gamma", "alpha"], 5)
    assert retriever.batches == [["alpha", "gamma"]]
    assert [[one.chunk.id for one in hits] for hits in lists] == [
        ["1:10:0"],
        ["2:20:0"],
        ["1:10:0"],
    ]
    assert search_all(retriever, [], 5) == []


class OneArticle:
    """A retriever over the chunks of one article, as `Toolbox` asks for."""

    def __init__(self, title: str) -> None:
        self.title = title

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        return [[hit(900 + n, f"{self.title} part {n}", self.title) for n in range(k)]]


def test_named_articles_get_up_to_half_of_the_places() -> None:
    retriever = WordRetriever([chunk(n, f"rings of something {n}") for n in range(1, 9)])
    shelf = Shelf("Saturn")
    toolbox = Toolbox(retriever, shelf, k=6, rank=OneArticle)
    (hits,) = gather(
        retriever, ["Who saw the rings of Saturn?"], 6, toolbox=toolbox, articles=shelf
    )
    assert [one.chunk.revision.title for one in hits[:3]] == ["Saturn"] * 3
    assert len(hits) == 6
    assert [one.rank for one in hits] == [1, 2, 3, 4, 5, 6]
    assert len({one.chunk.id for one in hits}) == 6
    (plain,) = gather(retriever, ["Who saw the rings of Saturn?"], 6)
    assert all(one.source == "words" for one in plain)


def test_places_a_search_leaves_free_go_to_the_article() -> None:
    shelf = Shelf("Saturn")
    toolbox = Toolbox(WordRetriever([]), shelf, k=4, rank=OneArticle)
    (hits,) = gather(WordRetriever([]), ["Saturn?"], 4, toolbox=toolbox, articles=shelf)
    assert len(hits) == 4


def test_an_article_that_may_not_be_read_is_passed_over() -> None:
    shelf = Shelf("Saturn", "Jupiter")
    toolbox = Toolbox(WordRetriever([]), shelf, k=4, rank=OneArticle, titles=["Jupiter"])
    (hits,) = gather(WordRetriever([]), ["Saturn?"], 4, toolbox=toolbox, articles=shelf)
    assert hits == []
    with pytest.raises(TitleNotFoundError) as caught:
        toolbox.read("Saturn", "x")
    assert caught.value.near == ("Jupiter",)
