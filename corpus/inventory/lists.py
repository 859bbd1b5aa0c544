"""What `corpus list` and `corpus show` say of a snapshot's articles, categories, boxes and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from corpus.inventory.contents import (
    Entry,
    NamedTable,
    Tally,
    list_articles,
    list_boxes,
    list_categories,
    list_tables,
    most_linked,
)
from corpus.inventory.kinds import Kind
from corpus.store import Snapshot
from corpus.types import Contents

Listed = Entry | Tally | NamedTable


def gather(
    snapshot: Snapshot,
    what: Kind,
    pattern: str,
    *,
    category: str,
    linked: bool,
    report: Callable[[int, int], None],
) -> Sequence[Listed]:
    """Return what is to be listed.

    Args:
        snapshot: an open one.
        what: of which kind.
        pattern: of names, as in `corpus.inventory.contents.list_articles`.
        category: only articles filed under it, or what they hold; "" for all.
        linked: articles that most others link to, most first.
        report: called with articles read and articles in all, where texts or contents are read.

    Raises:
        InputError: no article is filed under the category, or the snapshot keeps no contents.
    """
    total = snapshot.manifest.articles

    def told(done: int) -> None:
        report(done, total)

    if what is Kind.CATEGORIES:
        return list_categories(snapshot, pattern)
    if what is Kind.BOXES:
        return list_boxes(snapshot, pattern, category, told)
    if what is Kind.TABLES:
        return list(list_tables(snapshot, pattern, category, told))
    if linked:
        return most_linked(snapshot, pattern, total, report, category)
    return list(list_articles(snapshot, pattern, category))


def print_line(listed: Listed) -> str:
    """Return the line of one entry."""
    if isinstance(listed, Entry):
        links = f"{listed.linked:8,} links" if listed.linked is not None else ""
        return f"{listed.chunks:6,} chunks{links}  {listed.title}"
    if isinstance(listed, Tally):
        return f"{listed.count:6,}  {listed.name or '(box without a name)'}"
    return f"{listed.title}: {_table(listed.caption, listed.heads)}"


def describe(contents: Contents) -> Iterator[str]:
    """Yield a line each on an article's categories, boxes and tables."""
    if contents.categories:
        yield f"categories: {'; '.join(contents.categories)}"
    if contents.boxes:
        yield f"boxes: {'; '.join(contents.boxes)}"
    for table in contents.tables:
        yield f"table: {_table(table.caption, table.heads)}"


def _table(caption: str, heads: Sequence[str]) -> str:
    shown = " / ".join(heads)
    if caption and shown:
        return f"{caption} ({shown})"
    return caption or shown or "neither caption nor heads"
