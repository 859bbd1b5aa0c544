"""`python -m corpus`: build, fetch, look into, compare and prove dated snapshots."""

from __future__ import annotations

import json
import os
import shlex
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpus.errors import InputError
from corpus.inventory.kinds import Kind
from corpus.pace import Pace, unseen
from corpus.terminal import progress_bar, run_app, say

if TYPE_CHECKING:
    from rich.progress import TaskID

    from corpus.builder.pipeline import Progress
    from corpus.proof.difference import Difference

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 110},
    pretty_exceptions_enable=False,
    help="A dated snapshot of a wiki: build it, look into it, prove its date.",
)

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="a snapshot's folder")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]
SHOWN = 20
"""Titles of a list that are printed; with --json all are."""
_ONE_OF = {
    Kind.ARTICLES: "title",
    Kind.CATEGORIES: "category",
    Kind.BOXES: "box",
    Kind.TABLES: "table",
}


@app.command()
def build(
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE...", help="files, or the address of a wiki's API")
    ],
    date: Annotated[
        str,
        typer.Option(help="last day of revisions, YYYY-MM-DD; earlier where sources end earlier"),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="folder to make")],
    lang: Annotated[str, typer.Option(help="language of the wiki")] = "en",
    name: Annotated[str, typer.Option(help="the snapshot's name; the folder's by default")] = "",
    workers: Annotated[
        int, typer.Option(min=0, help="processes that extract; 0 for one a core")
    ] = 0,
    cluster: Annotated[
        str,
        typer.Option(metavar="ray[://HOST:PORT]", help="extract on the nodes of a Ray cluster"),
    ] = "",
    index: Annotated[
        Path | None, typer.Option(help="index of a multistream dump that is not beside it")
    ] = None,
    titles: Annotated[
        Path | None, typer.Option(help="file of titles to ask an API for, one a line")
    ] = None,
    skip_bad: Annotated[
        bool,
        typer.Option(
            "--skip-bad", help="leave out records that are none; otherwise the first ends the build"
        ),
    ] = False,
    contact: Annotated[
        str, typer.Option(envvar="FANFOLD_CONTACT", help="your e-mail or web address, for an API")
    ] = "",
) -> None:
    """Build a snapshot; the same command again goes on after an interruption."""
    from platformdirs import user_cache_path

    from corpus.builder.snapshot import build_snapshot
    from corpus.cluster import opened
    from corpus.storage.manifest import explain_date

    with opened(cluster, workers) as nodes, progress_bar() as bar:
        pace = Pace("MB", lambda line: say(f"corpus: {line}"))
        tasks: dict[str, TaskID] = {}

        def report(progress: Progress) -> None:
            reading = progress.stage == "reading"
            counts = [(progress.pages, "pages")] if reading else []
            told = f"{progress.articles:,} articles" if reading else ""
            stage, done, total, unit = (
                progress.stage, progress.done, progress.total, progress.unit,
            )  # fmt: skip
            if unseen():
                pace(stage, done, total, told, unit=unit, beside=counts)
                return
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=None, unit=unit)
            line = ", ".join([stage, *pace.rates(stage, counts), *filter(None, [told])])
            bar.update(tasks[stage], description=line, completed=done, total=total)

        manifest = build_snapshot(
            [source if "://" in source else Path(source) for source in sources],
            out,
            date=date,
            language=lang,
            name=name or None,
            workers=workers or os.cpu_count() or 1,
            index=index,
            titles=_read_lines(titles) if titles else (),
            contact=contact,
            skip_bad=skip_bad,
            cluster=nodes,
            cache=user_cache_path("fanfold", appauthor=False) / "api",
            today=datetime.now(UTC).date().isoformat(),
            report=report,
            notify=lambda notice: say(f"corpus: {notice}"),
        )
    say(
        f"corpus: {out}: {manifest.articles:,} articles, {manifest.redirects:,} redirects,"
        f" {manifest.chunks:,} chunks as of {manifest.date}"
    )
    if manifest.date != manifest.asked:
        say(f"corpus: warning: {explain_date(manifest)}")
    for caveat, count in manifest.caveats.items():
        say(f"corpus: warning: {count:,} articles are not wholly as of {manifest.date}: {caveat}")
    for reason, count in manifest.skipped.items():
        say(f"corpus: left out: {count:,} × {reason}")
    if manifest.simplified:
        say(f"corpus: {manifest.simplified:,} articles were read in a simpler way")


@app.command()
def info(folder: Folder, as_json: AsJson = False) -> None:
    """Say what a snapshot holds."""
    from corpus.store import Snapshot

    with Snapshot.open(folder) as snapshot:
        snapshot.check()
        manifest = asdict(snapshot.manifest)
    manifest.pop("format")
    manifest.pop("seal")
    if as_json:
        _print_json(manifest)
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


@app.command()
def verify(folder: Folder, as_json: AsJson = False) -> None:
    """Prove that nothing in a snapshot is newer than its date, and that nothing was changed."""
    from corpus.proof.snapshot import verify_snapshot

    with progress_bar("articles") as bar:
        task = bar.add_task("verifying", total=None)
        proof = verify_snapshot(
            folder, report=lambda done, total: bar.update(task, completed=done, total=total)
        )
    if as_json:
        _print_json({"folder": str(folder), **asdict(proof)})
    if proof.faults:
        faults = "; ".join(proof.faults[:3])
        raise InputError(
            f"{folder} does not hold: {len(proof.faults)} faults, first {faults}: build it again"
        )
    say(
        f"corpus: {folder}: {proof.articles:,} articles verified, none newer than {proof.date}"
        f" (newest {proof.newest or '–'})"
    )
    for caveat, count in proof.caveats.items():
        say(f"corpus: {count:,} articles are not wholly as of {proof.date}: {caveat}")


@app.command()
def show(
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
        _print_json(asdict(article) | {"contents": contents and asdict(contents)})
        return
    typer.echo(f"# {article.revision.title}\n")
    typer.echo(article.text)
    if contents is not None:
        for line in describe(contents):
            say(f"corpus: {line}")
    say(f"corpus: revision of {article.revision.timestamp}, {article.revision.url or 'no address'}")
    if article.revision.caveat:
        say(f"corpus: warning: {article.revision.caveat}")


@app.command("list")
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
        _print_json({"folder": str(folder), what.value: [asdict(entry) for entry in entries]})
        return
    for entry in entries[:limit]:
        typer.echo(print_line(entry))
    if not entries:
        say(f"corpus: {folder}: no {_ONE_OF[what]} fits {pattern!r}")
    elif len(entries) > limit:
        say(f"corpus: … and {len(entries) - limit:,} more (--limit, or --json for all)")


@app.command()
def search(
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
        _print_json({"folder": str(folder), "found": [asdict(one) for one in found]})
        return
    for one in found:
        typer.echo(f"{one.where:5}  {one.title}" + (f": … {one.excerpt} …" if one.excerpt else ""))
    if not found:
        say(f"corpus: {folder}: no title and no text holds {text!r}")


@app.command()
def diff(
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
            _print_json({"title": title, "diff": lines})
            return
        for line in lines:
            typer.echo(line)
        if not lines:
            say(f"corpus: {title}: the same in both")
        return
    difference = compare_snapshots(before, after)
    if as_json:
        _print_json(asdict(difference))
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


@app.command()
def fetch(
    url: Annotated[str, typer.Argument(metavar="URL", help="address of a dump")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="file to make")],
    sha256: Annotated[str, typer.Option(help="expected checksum")] = "",
    sha1: Annotated[str, typer.Option(help="expected checksum")] = "",
    md5: Annotated[str, typer.Option(help="expected checksum")] = "",
) -> None:
    """Download a dump; the same command again goes on where it stopped."""
    from corpus.builder.download import fetch_file

    given = {"sha256": sha256, "sha1": sha1, "md5": md5}
    with progress_bar("MB") as bar:
        task = bar.add_task(out.name, total=None)

        def report(done: int, total: int | None) -> None:
            bar.update(task, completed=done / 1e6, total=total / 1e6 if total else None)

        checksums = {name: digest for name, digest in given.items() if digest}
        fresh = fetch_file(url, out, checksums=checksums, report=report)
    checked = f", {' and '.join(checksums)} as expected" if checksums else ", not checked"
    say(f"corpus: {out}: {out.stat().st_size:,} bytes{checked}{'' if fresh else ', already here'}")


def _read_lines(path: Path) -> list[str]:
    from corpus.files import read_text

    lines = read_text(path, "file of titles").splitlines()
    odd = next((n for n, line in enumerate(lines, start=1) if not line.isprintable()), None)
    if odd is not None:
        raise InputError(f"{path}, line {odd:,}: no title has such characters: write one a line")
    return lines


def _print_json(fields: dict[str, Any]) -> None:
    typer.echo(json.dumps(fields, ensure_ascii=False))


def _resume_hint() -> str:
    """What to run after an interruption: only building and fetching have begun something."""
    arguments = sys.argv[1:]
    begun = arguments[:1] in (["build"], ["fetch"])
    return shlex.join(["python", "-m", "corpus", *arguments]) if begun else ""


def main() -> None:
    """Run the command line."""
    run_app(app, name="corpus", resume_hint=_resume_hint)
