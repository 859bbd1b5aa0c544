"""Hits for sub-questions: one batch to the retriever, and the articles that a question names.

A sub-question that names an article ("Who discovered Titan?") is best answered from that article,
whatever else ranks above it: its own chunks get up to half of the k places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from agent.telemetry import note_retrievals, now
from agent.tools import TitleNotFoundError, Toolbox
from corpus.articles import Articles
from corpus.types import Article
from retrieval.types import Hit, Retriever

Find = Callable[[str], Article | None]
"""Looks an article up by its title."""
MOST_TITLES = 4
"""Articles read for one sub-question."""
LONGEST_TITLE = 7
"""Words of a title that is looked for."""
LONGEST_TITLE_CJK = 12
_WORD = re.compile(r"[^\W_]+(?:['’.\-–&/][^\W_]+)*\.?")
_POSSESSIVE = re.compile(r"['’]s?$")
_IDEOGRAPHS = re.compile(r"[\u3400-\u9fff·]{2,}")
_NO_TITLE = re.compile(
    "(?:a|an|and|are|as|at|be|by|can|compare|did|do|does|for|from|give|had|has|have|how|i|if|in|is|"
    "it|its|list|many|name|of|on|or|should|some|tell|that|the|their|there|these|they|this|those|to|"
    "was|were|what|when|where|which|who|whom|whose|why|will|with|would)",
    re.IGNORECASE,
)
"""Words that begin a question and are titles of articles that no question means."""


def search_all(retriever: Retriever, queries: Sequence[str], k: int) -> list[list[Hit]]:
    """Return at most `k` hits for each query, from one call; a repeated query is asked once."""
    asked = list(dict.fromkeys(queries))
    if not asked:
        return []
    begun = now()
    hits = retriever.search(asked, k)
    note_retrievals(asked, hits, k, begun)
    found = dict(zip(asked, hits, strict=True))
    return [found[query] for query in queries]


def gather(
    retriever: Retriever,
    questions: Sequence[str],
    k: int,
    *,
    toolbox: Toolbox | None = None,
    articles: Articles | None = None,
) -> list[list[Hit]]:
    """Return at most `k` hits for each question, those of named articles first.

    Args:
        retriever: asked once, with all questions.
        questions: sub-questions of one round.
        k: most hits of each.
        toolbox: reads articles; without it, or without `articles`, only the search counts.
        articles: where titles are looked up.
    """
    found = search_all(retriever, questions, k)
    if toolbox is None or articles is None:
        return found
    # The sub-questions of one fan-out begin alike and name the same things: each is looked up once.
    find = cache(articles.find)
    return [
        _merged(hits, _read(toolbox, find, question), k)
        for question, hits in zip(questions, found, strict=True)
    ]


def titles_named(text: str, find: Find) -> list[str]:
    """Return the titles of articles that a text names, in order; redirects are followed.

    A title is looked for where a word begins with a capital letter or a digit, longest first; in
    scripts without capitals, at every character.
    """
    found: dict[str, None] = {}
    words = list(_WORD.finditer(text))
    position = 0
    while position < len(words) and len(found) < MOST_TITLES:
        length, article = _longest_at(text, words, position, find)
        if article is not None:
            found.setdefault(article.revision.title, None)
        position += max(1, length)
    for run in _IDEOGRAPHS.finditer(text):
        for title in _titles_in_run(run.group(), find):
            if len(found) < MOST_TITLES:
                found.setdefault(title, None)
    return list(found)


def _longest_at(
    text: str, words: Sequence[re.Match[str]], position: int, find: Find
) -> tuple[int, Article | None]:
    first = words[position].group()
    if not (first[0].isupper() or first[0].isdigit()):
        return 1, None
    for length in range(min(LONGEST_TITLE, len(words) - position), 0, -1):
        name = text[words[position].start() : words[position + length - 1].end()]
        if length == 1 and (_NO_TITLE.fullmatch(name) or name.isdigit()):
            break
        for candidate in dict.fromkeys((name, name.rstrip("."), _POSSESSIVE.sub("", name))):
            article = find(candidate)
            if article is not None and not article.disambiguation:
                return length, article
    return 1, None


def _titles_in_run(run: str, find: Find) -> list[str]:
    titles: list[str] = []
    position = 0
    while position < len(run) - 1:
        for length in range(min(LONGEST_TITLE_CJK, len(run) - position), 1, -1):
            article = find(run[position : position + length])
            if article is not None and not article.disambiguation:
                titles.append(article.revision.title)
                position += length
                break
        else:
            position += 1
    return titles


def _read(toolbox: Toolbox, find: Find, question: str) -> list[list[Hit]]:
    lists = []
    for title in titles_named(question, find):
        try:
            lists.append(toolbox.read(title, question))
        except TitleNotFoundError:
            # In the evidence setting an article may exist and yet not be open to this question.
            continue
    return lists


def _merged(hits: Sequence[Hit], read: Sequence[Sequence[Hit]], k: int) -> list[Hit]:
    """Return the best of each list of an article, up to half of `k`, then the hits of the search."""
    places = -(-k // 2)
    chosen: dict[str, Hit] = {}
    for rank in range(max(map(len, read), default=0)):
        for article_hits in read:
            if rank < len(article_hits) and len(chosen) < places:
                chosen.setdefault(article_hits[rank].chunk.id, article_hits[rank])
    rest = [*hits, *(hit for article_hits in read for hit in article_hits)]
    for hit in rest:
        if len(chosen) >= k:
            break
        chosen.setdefault(hit.chunk.id, hit)
    return [replace(hit, rank=rank) for rank, hit in enumerate(chosen.values(), start=1)]
