"""What an article's infobox states, with the articles its values lead to.

The facts of an article are the lines `Label: value` that its text begins with. A value's parts are
what stands between its separators; a part that is the words of a link leads to an article.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from corpus.store import Snapshot
from corpus.text import split_sentences
from corpus.types import Article

_LINE = re.compile(r"(?P<label>[^\W\d_][^:|\n。]{0,40}): (?P<value>\S[^\n]*)")
_BRACKETED = re.compile(r"\s*[(（][^()（）]*[)）]")
_QUALIFIER = re.compile(r"\s+\([^()]*\)$")
_SEPARATOR = re.compile(r",\s+|;\s+|、|，|(?<=》)(?=《)")
_FEWEST_LINES = 2
POOL = 5000
"""Most articles that chains begin at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that a value names."""

    text: str
    target: str = ""
    """Title of the article it leads to; empty where the snapshot has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxFact:
    """One line of an infobox."""

    label: str
    value: str
    """Without what stands in brackets."""
    parts: tuple[Part, ...]
    chunk: str
    """Id of the chunk that holds the line."""


class Entity:
    """An article seen as a thing with facts."""

    def __init__(self, article: Article, facts: tuple[BoxFact, ...], body: int) -> None:
        self.article = article
        self.facts = {fact.label: fact for fact in facts}
        self._body = body

    @property
    def title(self) -> str:
        """Title of the article."""
        return self.article.revision.title

    @property
    def name(self) -> str:
        """The title without what tells it from others of the same name."""
        return _QUALIFIER.sub("", self.title)

    @cached_property
    def shown(self) -> str:
        """The name as it stands in a sentence: "the Rhine", where the article itself says "the"."""
        # The first of them decides: "the White Nile" further down says nothing of the Nile.
        found = re.search(rf"(\b[Tt]he )?(?<!\w){re.escape(self.name)}(?!\w)", self.prose)
        return f"the {self.name}" if found is not None and found[1] else self.name

    @property
    def prose(self) -> str:
        """The text after the infobox."""
        return self.article.text[self._body :]

    @cached_property
    def lead(self) -> list[str]:
        """The sentences before the first heading."""
        return split_sentences(re.split(r"^##", self.prose, maxsplit=1, flags=re.MULTILINE)[0])

    @property
    def aliases(self) -> set[str]:
        """Every name the snapshot has for it."""
        return {self.name, self.title, *self.article.redirects}


class Factbook:
    """The entities of a snapshot, read when they are asked for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._known: dict[str, Entity | None] = {}

    def titles(self) -> list[str]:
        """Return the titles of all articles, in canonical order."""
        return list(self._titles)

    @cached_property
    def _titles(self) -> tuple[str, ...]:
        return tuple(self.snapshot.titles())

    @cached_property
    def _pool(self) -> tuple[str, ...]:
        if len(self._titles) <= POOL:
            return self._titles
        return tuple(random.Random(POOL).sample(self._titles, POOL))

    def shuffled(self, rng: random.Random) -> list[str]:
        """Return titles in random order: all of them, or `POOL` of a larger snapshot.

        Articles that a fact leads to are read wherever they are; the pool is what chains begin at
        and what is compared, so that the work does not grow with the snapshot.
        """
        titles = list(self._pool)
        rng.shuffle(titles)
        return titles

    def entity(self, title: str) -> Entity | None:
        """Return the article of a title as an entity; None without article, infobox or meaning."""
        if title not in self._known:
            article = self.snapshot.find(title)
            self._known[title] = None if article is None else self._read(article)
        return self._known[title]

    def _read(self, article: Article) -> Entity | None:
        if article.disambiguation:
            return None
        lines: list[tuple[int, str, str]] = []
        at = 0
        for line in article.text.split("\n"):
            found = _LINE.fullmatch(line)
            if found is None:
                break
            lines.append((at, found["label"], found["value"]))
            at += len(line) + 1
        if len(lines) < _FEWEST_LINES:
            return None
        spans = self._chunk_spans(article)
        anchors = {link.anchor: link.target for link in article.links}
        facts = tuple(
            BoxFact(
                label=label,
                value=_BRACKETED.sub("", value).strip(),
                parts=self._parts(value, anchors),
                chunk=_holding(spans, start),
            )
            for start, label, value in lines
        )
        return Entity(article, facts, at)

    def _chunk_spans(self, article: Article) -> list[tuple[int, str]]:
        rows = self.snapshot.rows_of([article.revision.title])
        page = article.revision.page_id
        chunks = self.snapshot.chunks_at(rows)
        return [(chunk.start, chunk.id) for chunk in chunks if chunk.revision.page_id == page]

    def chunk_of(self, entity: Entity, sentence: str) -> str:
        """Return the id of the chunk in which a sentence of an article begins."""
        start = max(0, entity.article.text.find(sentence))
        return _holding(self._chunk_spans(entity.article), start)

    def _parts(self, value: str, anchors: dict[str, str]) -> tuple[Part, ...]:
        value = _BRACKETED.sub("", value).strip()
        parts: list[Part] = []
        longest_first = sorted(anchors, key=len, reverse=True)
        while value:
            # A linked name may hold the separator itself: "Ithaca, New York".
            linked = next((a for a in longest_first if _begins(value, a)), None)
            if linked is not None:
                text, end = linked, len(linked)
            else:
                cut = _SEPARATOR.search(value)
                text, end = (value[: cut.start()], cut.start()) if cut else (value, len(value))
            parts.append(Part(text=text.strip(), target=self._resolve(anchors.get(text, ""))))
            rest = value[end:]
            cut = _SEPARATOR.match(rest)
            value = rest[cut.end() :] if cut else rest.strip()
        return tuple(part for part in parts if part.text)

    def _resolve(self, target: str) -> str:
        article = self.snapshot.find(target) if target else None
        return "" if article is None else article.revision.title


def _begins(value: str, anchor: str) -> bool:
    if not value.startswith(anchor):
        return False
    rest = value[len(anchor) :]
    return not rest or _SEPARATOR.match(rest) is not None


def _holding(spans: Sequence[tuple[int, str]], offset: int) -> str:
    return max((start, chunk) for start, chunk in spans if start <= offset)[1]
