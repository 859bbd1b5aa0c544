"""`python -m retrieval`: build a snapshot's indexes, search them, look into them, measure them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from corpus.errors import InputError
from corpus.options import AsJson, Folder
from corpus.terminal import run_app, waiting
from retrieval.commands.build import build_command, export_command, resume_hint
from retrieval.commands.measure import eval_command
from retrieval.commands.options import (
    Articles,
    DeviceOption,
    FusionOption,
    Model,
    ModeOption,
    PerArticle,
    Reranker,
    Stored,
    WordingOption,
    open_named,
)
from retrieval.printout import hits_json, json_line, print_hits, printable, read_queries

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 110},
    pretty_exceptions_enable=False,
    help="From query to hits over a snapshot: build its indexes, search, measure.",
)
app.command("build")(build_command)
app.command("export")(export_command)


@app.command()
def search(
    folder: Folder,
    queries: Annotated[list[str] | None, typer.Argument(metavar="QUERY...")] = None,
    file: Annotated[
        Path | None, typer.Option("--queries", metavar="FILE", help="a query a line, - for stdin")
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="hits a query")] = 10,
    mode: ModeOption = "hybrid",
    embedder: Model = None,
    device: DeviceOption = "auto",
    fusion: FusionOption = "score",
    per_article: PerArticle = 0,
    wording: WordingOption = "",
    rerank: Reranker = None,
    store: Stored = None,
    articles: Articles = None,
    as_json: AsJson = False,
) -> None:
    """Search; with --json a line a query."""
    asked = [*map(printable, queries or []), *(read_queries(file) if file else [])]
    if not asked:
        raise InputError("no query: give one or more, or --queries FILE")
    with waiting(lambda: "retrieval: indexes are opened and searched"):
        retriever = open_named(
            folder, mode, embedder, device, fusion, per_article, wording, rerank, articles, store
        )
        found = retriever.search(asked, k)
    for query, hits in zip(asked, found, strict=True):
        if as_json:
            typer.echo(json_line(hits_json(query, hits)))
        else:
            print_hits(query, hits)


app.command("eval")(eval_command)


@app.command()
def info(
    folder: Folder,
    thorough: Annotated[bool, typer.Option("--verify", help="check every checksum")] = False,
    as_json: AsJson = False,
) -> None:
    """Say what indexes a snapshot has, and whether they are fit to be searched."""
    from retrieval.survey import survey

    found = survey(folder, thorough=thorough)
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    snapshot: Any = found["snapshot"]
    typer.echo(f"{snapshot['name']} as of {snapshot['date']}: {snapshot['chunks']} chunks")
    for index in found["indexes"]:
        state = index["fault"] or "ready"
        typer.echo(f"{index['name']:12} {index['bytes'] / 1e6:10.1f} MB  {state}")
        for key, value in index["parameters"].items():
            typer.echo(f"{'':12} {key}: {value}")
    typer.echo(f"modes: {', '.join(found['modes']) or 'none, run `python -m retrieval build`'}")


def main() -> None:
    """Run the command line."""
    run_app(app, name="retrieval", resume_hint=resume_hint)
