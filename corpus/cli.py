"""`python -m corpus`: build, look into and prove a dated snapshot."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpus.terminal import progress_bar, run_app, say

if TYPE_CHECKING:
    from corpus.pipeline import Progress

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A dated snapshot of a wiki: build it, look into it, prove its date.",
)
_resume = ""

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="a snapshot's folder")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]


@app.command()
def build(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE...", help="dump files")],
    date: Annotated[str, typer.Option(help="last day of revisions, YYYY-MM-DD")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="folder to make")],
    lang: Annotated[str, typer.Option(help="language of the wiki")] = "en",
    name: Annotated[str, typer.Option(help="the snapshot's name; the folder's by default")] = "",
    workers: Annotated[
        int, typer.Option(min=0, help="processes that extract text; 0 for one a core")
    ] = 0,
    index: Annotated[
        Path | None, typer.Option(help="index of a multistream dump, where it is not beside it")
    ] = None,
) -> None:
    """Build a snapshot from dumps; the same command again goes on after an interruption."""
    global _resume
    from corpus.build import build_snapshot

    _resume = " ".join(["python -m corpus", *sys.argv[1:]])
    with progress_bar("MB") as bar:
        task = bar.add_task("building", total=None)

        def report(progress: Progress) -> None:
            bar.update(
                task,
                description=f"{progress.articles:,} articles",
                completed=progress.read / 1e6,
                total=progress.total / 1e6,
            )

        manifest = build_snapshot(
            sources,
            out,
            date=date,
            language=lang,
            name=name or None,
            workers=workers or os.cpu_count() or 1,
            index=index,
            report=report,
            notify=lambda notice: say(f"corpus: {notice}"),
        )
    say(
        f"corpus: {out}: {manifest.articles:,} articles, {manifest.redirects:,} redirects,"
        f" {manifest.chunks:,} chunks as of {manifest.date}"
    )
    for reason, count in manifest.skipped.items():
        say(f"corpus: left out: {count:,} × {reason}")
    if manifest.simplified:
        say(f"corpus: {manifest.simplified:,} articles were read in a simpler way")


@app.command()
def info(folder: Folder, as_json: AsJson = False) -> None:
    """Say what a snapshot holds."""
    from corpus.manifest import read_manifest

    manifest = read_manifest(folder)
    fields: dict[str, Any] = {
        "name": manifest.name,
        "language": manifest.language,
        "date": manifest.date,
        "articles": manifest.articles,
        "redirects": manifest.redirects,
        "chunks": manifest.chunks,
        "newest": manifest.newest,
        "fingerprint": manifest.fingerprint,
        "skipped": dict(manifest.skipped),
    }
    if as_json:
        typer.echo(json.dumps(fields, ensure_ascii=False))
        return
    for label, value in fields.items():
        shown = ", ".join(f"{k}: {v}" for k, v in value.items()) if label == "skipped" else value
        typer.echo(f"{label:12} {shown or '–'}")
    for source in manifest.sources:
        typer.echo(f"{'source':12} {source.name} ({source.kind}, sha256 {source.sha256})")


@app.command()
def verify(folder: Folder, as_json: AsJson = False) -> None:
    """Prove that nothing in a snapshot is newer than its date, and that nothing was changed."""
    from corpus.errors import InputError
    from corpus.verify import verify_snapshot

    faults = verify_snapshot(folder)
    if as_json:
        typer.echo(json.dumps({"folder": str(folder), "faults": faults}, ensure_ascii=False))
    if faults:
        raise InputError(f"{folder}: {len(faults)} faults, the first: {'; '.join(faults[:3])}")
    say(f"corpus: {folder}: verified")


@app.command()
def show(
    folder: Folder,
    title: Annotated[str, typer.Argument(metavar="TITLE", help="an article or a redirect")],
    as_json: AsJson = False,
) -> None:
    """Print an article as the snapshot holds it."""
    from corpus.store import Snapshot

    with Snapshot.open(folder) as snapshot:
        article = snapshot.article(title)
    if as_json:
        typer.echo(json.dumps(asdict(article), ensure_ascii=False))
        return
    typer.echo(f"# {article.revision.title}\n")
    typer.echo(article.text)
    say(f"corpus: revision of {article.revision.timestamp}, {article.revision.url}")


def main() -> None:
    """Run the command line."""
    run_app(app, name="corpus", resume_hint=lambda: _resume)
