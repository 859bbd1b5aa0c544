"""What the snapshot says beyond the hits: titles, first sentences, whole articles."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from agent.citations.content.other_names import other_names
from agent.citations.support.grounds import is_event, venues_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.language.names import holds_name, without_bracket
from retrieval.types import Hit

if TYPE_CHECKING:
    from corpus.articles import Articles
    from corpus.types import Article

MOST_READ_WHOLE = 2
ARTICLES_READ = 3
"""Best articles of which the whole text is looked through for a list."""
_BOX = 2000
"""Characters of an article that are looked through for its box."""
NAMESAKES = 30
"""Titles looked at for one that ends with a surname."""
_INSTITUTION = re.compile(
    r"\s+(?:University|College|School|Institute|Museum|Library|Theatre|Theater|Hospital|Company|"
    r"Corporation|Group|Bank|Prize|Award|River|Lake|County|Island|Airport)",
)
"""What is left out of a name where it is clear which is meant."""
_FULL_NAME = re.compile(r"[^\W\d_a-z][\w'’-]+ [^\W\d_a-z][\w'’-]+")
_INITIAL = re.compile(r"(?<= )[^\W\d_]\. ")
_SURNAME = re.compile(r"[^\W\d_a-z][^\W\d_]{2,}")


class Sources:
    """The articles around what was found.

    Args:
        articles: of the snapshot; None where there is none.
        readable: whether articles may be read whole; where not, only hits count.
    """

    def __init__(self, articles: Articles | None, *, readable: bool) -> None:
        self._articles = articles
        self._readable = readable

    @property
    def known(self) -> bool:
        """Whether there is a snapshot to look into."""
        return self._articles is not None

    def title_of(self, name: str) -> str | None:
        """Return the title that a name leads to, None where there is none, or several."""
        article = self.article(name) if name.strip() else None
        return None if article is None or article.disambiguation else article.revision.title

    def subject_of(self, name: str) -> str | None:
        """Return the title that a name leads to, or the only one that it may stand for.

        That is one with an article in front, "The Beatles", with what tells it apart behind it, "Io
        (moon)" or "Ayr, Ontario", or one that ends with it: a surname.
        "Cornell" is not Ezra where there is a Cornell University: that is called so, too.
        """
        title = self.title_of(name)
        for other in (f"The {name}", *other_names(name)) if title is None else ():
            title = title or self.title_of(other)
        if title is not None or self._articles is None:
            return title
        if not name[:1].isupper() or self.article(name) is not None:
            return None  # it may mean several
        near = self._articles.search_titles(name, NAMESAKES)
        told_apart = [
            one
            for one in near
            if one != name and (without_bracket(one) == name or one.startswith(f"{name}, "))
        ]
        if told_apart:
            return told_apart[0] if len(told_apart) == 1 else None
        if not _SURNAME.fullmatch(name):
            return self._with_initial(name) or self._held_in_the_place(name, near)
        ending = [one for one in near if one.split()[-1] == name]
        shortened = [one for one in near if _INSTITUTION.fullmatch(one.removeprefix(name))]
        meant = ending if not shortened else shortened if not ending else ()
        return meant[0] if len(meant) == 1 else None

    def _with_initial(self, name: str) -> str | None:
        """Return the only title that is a name with an initial inside: "Ann B. Lee" of "Ann Lee"."""
        if self._articles is None or not _FULL_NAME.fullmatch(name):
            return None
        near = self._articles.search_titles(name, NAMESAKES)
        found = [one for one in near if one != name and _INITIAL.sub("", one) == name]
        return found[0] if len(found) == 1 else None

    def _held_in_the_place(self, name: str, near: Sequence[str]) -> str | None:
        """Return the only event of a year that a name calls by its place: "Barcelona Olympics"."""
        place, _, event = name.rpartition(" ")
        found = [
            title
            for title in near
            if place and is_event(title, event) and (article := self.article(title)) is not None
            and any(holds_name(held.casefold(), place) for held in venues_of(title, article.text[:_BOX]))
        ]  # fmt: skip
        return found[0] if len(found) == 1 else None

    def titles_near(self, text: str) -> list[str]:
        """Return titles like a text."""
        return self._articles.search_titles(text, 3) if self._articles is not None else []

    def article(self, title: str) -> Article | None:
        """Return the article of a title or a redirect."""
        return self._articles.find(title) if self._articles is not None else None

    def lead_of(self, name: str) -> str:
        """Return the first paragraph of prose of a name's article, "" where it has none."""
        article = self.article(name)
        if article is None:
            return ""
        paragraphs = (part for part in article.text.split("\n\n") if part.rstrip().endswith("."))
        return next(paragraphs, "")[:300]

    def told_of(self, name: str) -> str:
        """Return the same of what a name may stand for: of Jo Marr for "Marr"."""
        return self.lead_of(name) or self.lead_of(self.subject_of(name) or name)

    def box_value(self, name: str, label: str) -> str:
        """Return what the box of a name's article has under a label, "" where it has none."""
        article = self.article(name)
        box = article.text.split("\n\n", 1)[0] if article is not None else ""
        found = re.search(rf"^{re.escape(label)}: (.+)$", box, re.MULTILINE)
        return found[1].strip() if found is not None else ""

    def more_facts(self, asked: Asked, facts: Sequence[Fact]) -> list[Fact]:
        """Return what the articles that a question names say beyond the hits."""
        if self._articles is None or not self._readable:
            return []
        seen = {fact.hit.chunk.id for fact in facts}
        # Only articles of which something was found: others may be closed to this question.
        found = {fact.title for fact in facts}
        titles = [title for title in asked.subjects if title in found]
        return _facts_at(self._articles, titles[:MOST_READ_WHOLE], seen)

    def facts_at(self, title: str) -> list[Fact]:
        """Return all facts of an article, none where there is none or it may not be read whole."""
        if self._articles is None or not self._readable or self._articles.find(title) is None:
            return []
        return _facts_at(self._articles, [title])

    def with_whole_articles(self, hits: Sequence[Hit]) -> list[Hit]:
        """Add the other chunks of the best articles: lists go beyond the chunk that was found."""
        if self._articles is None or not self._readable:
            return list(hits)
        found = {hit.chunk.id: hit for hit in hits}
        for title in _titles_to_read(hits):
            if self._articles.find(title) is None:
                continue
            for chunk in self._articles.chunks_at(self._articles.rows_of([title])):
                rank = len(found) + 1
                found.setdefault(chunk.id, Hit(chunk=chunk, score=0.0, rank=rank, source="read"))
        return list(found.values())


def _facts_at(articles: Articles, titles: Sequence[str], seen: Collection[str] = ()) -> list[Fact]:
    """Return the facts of some titles' articles, without those of chunks that were seen."""
    chunks = articles.chunks_at(articles.rows_of(titles))
    return facts_of(
        Hit(chunk=chunk, score=0.0, rank=rank, source="read")
        for rank, chunk in enumerate(chunks, start=len(seen) + 1)
        if chunk.id not in seen
    )


def best_titles(hits: Sequence[Hit]) -> list[str]:
    """Return the titles of the best hits' articles."""
    return list(dict.fromkeys(hit.chunk.revision.title for hit in hits))[:ARTICLES_READ]


def _titles_to_read(hits: Sequence[Hit]) -> list[str]:
    """Return the best articles, and others of which a part of a table or list was found."""
    listed = [fact.title for fact in facts_of(hits) if fact.kind == "row" or fact.kind == "item"]
    return list(dict.fromkeys([*best_titles(hits), *listed]))[: 2 * ARTICLES_READ]
