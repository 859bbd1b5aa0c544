"""Commands that look into snapshots: info, show, list, search, diff."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import InputError
from corpus.inventory.kinds import Kind
from corpus.options import AsJson, Folder, print_json
from corpus.progress import Pace, progress_bar, unseen
from corpus.terminal import say

if TYPE_CHECKING:
    from corpus.proof.difference import Difference

SHOWN = 20
"""Titles of a list that are printed; with --json all are."""
_ONE_OF = {
    Kind.ARTICLES: "title",
    Kind.CATEGORIES: "category",
    Kind.BOXES: "box",
    Kind.TABLES: "table",
}


def info_command(folder: Folder, as_json: AsJson = False) -> None:
    """Say what a snapshot holds."""
    from corpus.store import Snapshot

    with Snapshot.open(folder) as snapshot:
        snapshot.check()
        manifest = asdict(snapshot.manifest)
    manifest.pop("format")
    manifest.pop("seal")
    if as_json:
        print_json(manifest)
        return
    for label, value in manifest.items():
        if label not in ("sources", "skipped", "caveats"):
            typer.echo(f"{label:14} {value if value != '' else '–'}")
    for source in manifest["sources"]:
        typer.echo(f"source         {source['name']} ({source['kind']}, sha256 {source['sha256']})")
        typer.echo(f"  vouches for  {source['vouched'] or 'no day'}, by {source['vouched_by']}")
    for caveat, count in manifest["caveats"].items():
        typer.echo(f"not as of it   {count:,} × {caveat}")
    for reason, count in manifest["skipped"].items():
        typer.echo(f"left out       {count:,} × {reason}")


def show_command(
    folder: Folder,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="an article or a redirect")],
    as_json: AsJson = False,
) -> None:
    """Print an article as the snapshot holds it."""
    from corpus.inventory.lists import describe
    from corpus.store import Snapshot

    with Snapshot.open(folder) as snapshot:
        article = snapshot.article(title)
        contents = snapshot.contents(title) if snapshot.keeps_contents else None
    if as_json:
        print_json(asdict(article) | {"contents": contents and asdict(contents)})
        return
    typer.echo(f"# {article.revision.title}\n")
    typer.echo(article.text)
    if contents is not None:
        for line in describe(contents):
            say(f"corpus: {line}")
    say(f"corpus: revision of {article.revision.timestamp}, {article.revision.url or 'no address'}")
    if article.revision.caveat:
        say(f"corpus: warning: {article.revision.caveat}")


def list_command(
    folder: Folder,
    pattern: Annotated[
        str, typer.Argument(metavar="[PATTERN]", help="of names, such as '*river*'")
    ] = "*",
    what: Annotated[
        Kind, typer.Option(help="what to list; a table by its title, caption or heads")
    ] = Kind.ARTICLES,
    category: Annotated[
        str, typer.Option(metavar="NAME", help="only articles filed under it, or what these hold")
    ] = "",
    linked: Annotated[
        bool, typer.Option("--linked", help="articles that most others link to, most first")
    ] = False,
    limit: Annotated[int, typer.Option(min=1, help="most lines; with --json all")] = SHOWN,
    as_json: AsJson = False,
) -> None:
    """List a snapshot's articles, categories, boxes or tables, with their sizes or counts."""
    from corpus.inventory.lists import gather, print_line
    from corpus.store import Snapshot

    if linked and what is not Kind.ARTICLES:
        raise InputError(f"--linked is of articles, not of {what.value}: leave one out")
    if category and what is Kind.CATEGORIES:
        raise InputError("--category is for articles, boxes and tables: leave it out")
    with Snapshot.open(folder) as snapshot, progress_bar("articles") as bar:
        task = bar.add_task("reading", total=snapshot.manifest.articles)
        pace = Pace("articles", lambda line: say(f"corpus: {line}"))

        def report(done: int, total: int) -> None:
            if unseen():
                pace("read", done, total)
            bar.update(task, completed=done, total=total)

        entries = gather(snapshot, what, pattern, category=category, linked=linked, report=report)
    if as_json:
        print_json({"folder": str(folder), what.value: [asdict(entry) for entry in entries]})
        return
    for entry in entries[:limit]:
        typer.echo(print_line(entry))
    if not entries:
        say(f"corpus: {folder}: no {_ONE_OF[what]} fits {pattern!r}")
    elif len(entries) > limit:
        say(f"corpus: … and {len(entries) - limit:,} more (--limit, or --json for all)")


def search_command(
    folder: Folder,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="words as they stand")],
    limit: Annotated[int, typer.Option(min=1, help="most titles, and most texts")] = SHOWN,
    as_json: AsJson = False,
) -> None:
    """Find articles by words of their title, then by words as they stand in their text."""
    from corpus.inventory.contents import search_articles
    from corpus.store import Snapshot

    if not text.strip():
        raise InputError("nothing to look for: name some words")
    with Snapshot.open(folder) as snapshot, progress_bar("articles") as bar:
        task = bar.add_task("reading", total=None)
        found = list(
            search_articles(
                snapshot,
                text,
                limit,
                lambda done, total: bar.update(task, completed=done, total=total),
            )
        )
    if as_json:
        print_json({"folder": str(folder), "found": [asdict(one) for one in found]})
        return
    for one in found:
        typer.echo(f"{one.where:5}  {one.title}" + (f": … {one.excerpt} …" if one.excerpt else ""))
    if not found:
        say(f"corpus: {folder}: no title and no text holds {text!r}")


def diff_command(
    before: Annotated[Path, typer.Argument(metavar="A", help="a snapshot's folder")],
    after: Annotated[Path, typer.Argument(metavar="B", help="another's")],
    title: Annotated[
        str, typer.Argument(metavar="[TITLE]", help="show how this article's text changed")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Say which articles were added, removed and changed from A to B."""
    from corpus.proof.difference import compare_article, compare_snapshots

    if title:
        lines = list(compare_article(before, after, title))
        if as_json:
            print_json({"title": title, "diff": lines})
            return
        for line in lines:
            typer.echo(line)
        if not lines:
            say(f"corpus: {title}: the same in both")
        return
    difference = compare_snapshots(before, after)
    if as_json:
        print_json(asdict(difference))
        return
    _print_difference(difference)


def _print_difference(difference: Difference) -> None:
    sides = {
        "added": [version.title for version in difference.added],
        "removed": [version.title for version in difference.removed],
        "changed": [
            f"{change.after.title} ({change.before.timestamp} → {change.after.timestamp})"
            for change in difference.changed
        ],
    }
    for label, titles in sides.items():
        typer.echo(f"{label}: {len(titles):,}")
        for line in titles[:SHOWN]:
            typer.echo(f"  {line}")
        if len(titles) > SHOWN:
            typer.echo(f"  … and {len(titles) - SHOWN:,} more (--json lists all)")
    typer.echo(f"unchanged: {difference.unchanged:,}")
