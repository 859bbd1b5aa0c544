"""`python -m corpus`: build, fetch, look into, compare and prove dated snapshots."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import InputError
from corpus.inventory.commands import (
    diff_command,
    info_command,
    list_command,
    search_command,
    show_command,
)
from corpus.options import AsJson, Cluster, Folder, Workers, print_json
from corpus.progress import Pace, followed, progress_bar, unseen
from corpus.terminal import run_app, say

if TYPE_CHECKING:
    from rich.progress import TaskID

    from corpus.builder.pipeline import Progress

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 110},
    pretty_exceptions_enable=False,
    help="A dated snapshot of a wiki: build it, look into it, prove its date.",
)


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
    workers: Workers = 0,
    cluster: Cluster = "",
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
def verify(folder: Folder, as_json: AsJson = False) -> None:
    """Prove that nothing in a snapshot is newer than its date, and that nothing was changed."""
    from corpus.proof.snapshot import verify_snapshot

    with followed("corpus", "articles", "the snapshot is opened") as report:
        proof = verify_snapshot(
            folder, report=lambda done, total: report("verifying", done, total or 0)
        )
    if as_json:
        print_json({"folder": str(folder), **asdict(proof)})
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


app.command("info")(info_command)
app.command("show")(show_command)
app.command("list")(list_command)
app.command("search")(search_command)
app.command("diff")(diff_command)


def _read_lines(path: Path) -> list[str]:
    from corpus.files import read_text

    lines = read_text(path, "file of titles").splitlines()
    odd = next((n for n, line in enumerate(lines, start=1) if not line.isprintable()), None)
    if odd is not None:
        raise InputError(f"{path}, line {odd:,}: no title has such characters: write one a line")
    return lines


def _resume_hint() -> str:
    """What to run after an interruption: only building and fetching have begun something."""
    arguments = sys.argv[1:]
    begun = arguments[:1] in (["build"], ["fetch"])
    return shlex.join(["python", "-m", "corpus", *arguments]) if begun else ""


def main() -> None:
    """Run the command line."""
    run_app(app, name="corpus", resume_hint=_resume_hint)
