"""What changed between two snapshots: articles added, removed, changed, and how one reads now."""

from __future__ import annotations

import difflib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from corpus.errors import InputError
from corpus.faults import is_damage
from corpus.storage.database import connect_read_only
from corpus.storage.manifest import ARTICLES
from corpus.storage.titles import normalise
from corpus.store import Snapshot
from corpus.types import Article


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One side of a change."""

    title: str
    rev_id: int
    timestamp: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """An article that both snapshots hold, with a difference."""

    page_id: int
    before: Version
    after: Version


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two snapshots side by side; pages are matched by their ids, so a renamed one is changed."""

    added: tuple[Version, ...]
    removed: tuple[Version, ...]
    changed: tuple[Change, ...]
    unchanged: int


_ONLY = (
    "SELECT title, rev_id, timestamp FROM {here}.articles WHERE page_id NOT IN"
    " (SELECT page_id FROM {there}.articles) ORDER BY title, page_id"
)
_CHANGED = (
    "SELECT o.page_id, o.title, o.rev_id, o.timestamp, n.title, n.rev_id, n.timestamp"
    " FROM old.articles o JOIN main.articles n USING (page_id) "
    # Without the digest of the contents, which not every snapshot has.
    " WHERE substr(o.digest, 1, 48) != substr(n.digest, 1, 48)"
    " ORDER BY n.title, n.page_id"
)


def compare_snapshots(before: Path, after: Path) -> Difference:
    """Compare two snapshots article by article.

    Raises:
        InputError: one of the folders is no finished snapshot, or they are of different languages.
    """
    with Snapshot.open(before) as first, Snapshot.open(after) as second:
        old, new = first.manifest, second.manifest
    if old.language != new.language:
        raise InputError(
            f"{before} is in the language {old.language}, {after} in {new.language}:"
            " compare snapshots of one wiki"
        )
    database = connect_read_only(after / ARTICLES)
    try:
        address = f"file:{quote(str((before / ARTICLES).absolute()))}?mode=ro&immutable=1"
        database.execute("ATTACH ? AS old", (address,))
        both = database.execute(
            "SELECT COUNT(*) FROM old.articles JOIN main.articles USING (page_id)"
        ).fetchone()[0]
        changed = tuple(
            Change(page_id=row[0], before=_version(*row[1:4]), after=_version(*row[4:]))
            for row in database.execute(_CHANGED)
        )
        return Difference(
            added=_only(database, "main", "old"),
            removed=_only(database, "old", "main"),
            changed=changed,
            unchanged=both - len(changed),
        )
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        raise InputError(
            f"{before} or {after} is damaged ({error}): `python -m corpus verify` says which"
        ) from None
    finally:
        database.close()


def _only(database: sqlite3.Connection, here: str, there: str) -> tuple[Version, ...]:
    query = _ONLY.format(here=here, there=there)
    return tuple(_version(*row) for row in database.execute(query))


def _version(title: str, rev_id: int, timestamp: str) -> Version:
    return Version(title=title, rev_id=rev_id, timestamp=timestamp)


def compare_article(before: Path, after: Path, title: str) -> Iterator[str]:
    """Yield the lines of a unified diff of one article's text.

    Raises:
        InputError: no such snapshot, or neither holds the article.
    """
    with Snapshot.open(before) as old, Snapshot.open(after) as new:
        first, second = old.find(title), new.find(title)
        if first is None and second is None:
            new.article(title)
        before_label, before_text = _side(old, first, title)
        after_label, after_text = _side(new, second, title)
    yield from difflib.unified_diff(
        before_text, after_text, before_label, after_label, lineterm="", n=1
    )


def _side(snapshot: Snapshot, article: Article | None, title: str) -> tuple[str, list[str]]:
    label = f"{snapshot.manifest.name}: {normalise(title)}"
    if article is None:
        return f"{label}, absent", []
    return f"{label}, {article.revision.timestamp}", article.text.splitlines()
