"""What a snapshot holds, for people who look into it: titles, categories, boxes, tables, words."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from corpus.storage.titles import fold
from corpus.store import Snapshot

AROUND = 70
"""Characters shown on either side of a finding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One article of a list."""

    title: str
    chunks: int
    linked: int | None = None
    """Articles that link to it, directly or by a redirect; None where that was not counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One article that holds what was looked for."""

    title: str
    where: str
    """"title" or "text"."""
    excerpt: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A category, or a kind of box, and how often it is there."""

    name: str
    count: int
    """Articles filed under the category, or boxes of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedTable:
    """A table of an article."""

    title: str
    """The article's."""
    caption: str
    heads: tuple[str, ...]
    """As in `corpus.types.Table`."""


def list_articles(snapshot: Snapshot, pattern: str = "*", category: str = "") -> Iterator[Entry]:
    """Yield the articles whose title fits a pattern, in canonical order.

    Args:
        snapshot: an open one.
        pattern: of a shell (`*`, `?`, `[…]`), whatever the case; of the whole title.
        category: only those filed under it.

    Raises:
        InputError: no article is filed under it, or the snapshot does not keep categories.
    """
    for title, chunks in snapshot.members(category) if category else snapshot.sizes():
        if _fits(title, pattern):
            yield Entry(title=title, chunks=chunks)


def list_categories(snapshot: Snapshot, pattern: str = "*") -> list[Tally]:
    """Return the categories whose name fits a pattern, those of most articles first."""
    fitting = (
        Tally(name=name, count=count)
        for name, count in snapshot.categories()
        if _fits(name, pattern)
    )
    return sorted(fitting, key=lambda tally: -tally.count)


def list_boxes(
    snapshot: Snapshot,
    pattern: str = "*",
    category: str = "",
    report: Callable[[int], None] = lambda _: None,
) -> list[Tally]:
    """Return the boxes whose template's name fits a pattern, the most frequent first.

    Args:
        snapshot: an open one.
        pattern: as in `list_articles`.
        category: only boxes of the articles filed under it.
        report: called with the articles read.
    """
    counts: Counter[str] = Counter()
    for done, (_, contents) in enumerate(snapshot.all_contents(category), start=1):
        counts.update(name for name in contents.boxes if _fits(name, pattern))
        report(done)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Tally(name=name, count=count) for name, count in ordered]


def list_tables(
    snapshot: Snapshot,
    pattern: str = "*",
    category: str = "",
    report: Callable[[int], None] = lambda _: None,
) -> Iterator[NamedTable]:
    """Yield the tables whose article's title, caption or heads fit a pattern, in canonical order.

    Args: as in `list_boxes`.
    """
    for done, (title, contents) in enumerate(snapshot.all_contents(category), start=1):
        for table in contents.tables:
            if any(_fits(words, pattern) for words in (title, table.caption, *table.heads)):
                yield NamedTable(title=title, caption=table.caption, heads=table.heads)
        report(done)


def _fits(words: str, pattern: str) -> bool:
    return fnmatchcase(words.casefold(), pattern.casefold())


def most_linked(
    snapshot: Snapshot,
    pattern: str = "*",
    limit: int = 20,
    report: Callable[[int, int], None] = lambda *_: None,
    category: str = "",
) -> list[Entry]:
    """Return the articles that most others link to, most first; every article is read.

    Args:
        snapshot: an open one.
        pattern: as in `list_articles`.
        limit: how many.
        report: called with articles read and articles in all.
        category: as in `list_articles`; links from all articles count.
    """
    counts: Counter[str] = Counter()
    total = snapshot.manifest.articles
    names: dict[str, str] = {}
    for done, article in enumerate(snapshot.articles(), start=1):
        for title in (article.revision.title, *article.redirects):
            names[fold(title)] = article.revision.title
        counts.update({fold(link.target) for link in article.links})
        report(done, total)
    linked: Counter[str] = Counter()
    for target, count in counts.items():
        if target in names:
            linked[names[target]] += count
    fitting = (entry for entry in list_articles(snapshot, pattern, category) if linked[entry.title])
    entries = (
        Entry(title=entry.title, chunks=entry.chunks, linked=linked[entry.title])
        for entry in fitting
    )
    return heapq.nlargest(limit, entries, key=lambda entry: entry.linked or 0)


def search_articles(
    snapshot: Snapshot,
    text: str,
    limit: int = 10,
    report: Callable[[int, int], None] = lambda *_: None,
) -> Iterator[Finding]:
    """Yield articles whose title is like some words, then those whose text holds them as they stand.

    Letter case does not matter. Texts are read one after the other until `limit` are found: to
    search millions by meaning, build an index (`python -m retrieval build`).

    Args:
        snapshot: an open one.
        text: what to look for.
        limit: most findings of each kind.
        report: called with articles read and articles in all.
    """
    titles = snapshot.search_titles(text, limit)
    for title in titles:
        yield Finding(title=title, where="title")
    wanted, found = " ".join(text.casefold().split()), 0
    for done, article in enumerate(snapshot.articles(), start=1):
        plain = " ".join(article.text.split())
        place = plain.casefold().find(wanted)
        if place >= 0:
            found += 1
            excerpt = plain[max(0, place - AROUND) : place + len(wanted) + AROUND]
            yield Finding(title=article.revision.title, where="text", excerpt=excerpt)
        report(done, snapshot.manifest.articles)
        if found == limit:
            return
