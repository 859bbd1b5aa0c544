"""`eval`: how well a retriever finds what was judged relevant."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from corpus.errors import InputError
from corpus.options import AsJson, Folder
from corpus.terminal import say, waiting
from retrieval.commands.options import (
    Articles,
    DeviceOption,
    FusionOption,
    Model,
    PerArticle,
    Reranker,
    Stored,
    WordingOption,
    open_named,
)


@waiting(lambda: "retrieval: topics, judgments and titles are read")
def eval_command(
    folder: Folder,
    queries: Annotated[Path, typer.Option(help="a line each: topic, tab, query; or TREC topics")],
    qrels: Annotated[Path, typer.Option(help="TREC judgments: topic 0 document grade")],
    run: Annotated[
        Path | None,
        typer.Option(
            help="write a TREC run file here; of several modes one each, RUN.bm25 and so on"
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="hits a query")] = 100,
    mode: Annotated[
        str, typer.Option(help="bm25, dense or hybrid; several by commas are compared")
    ] = "hybrid",
    embedder: Model = None,
    device: DeviceOption = "auto",
    fusion: FusionOption = "score",
    per_article: PerArticle = 0,
    wording: WordingOption = "",
    rerank: Reranker = None,
    store: Stored = None,
    articles: Articles = None,
    by: Annotated[str, typer.Option(help="documents are titles, pages (page ids) or chunks")] = (
        "titles"
    ),
    as_json: AsJson = False,
) -> None:
    """Measure recall@k, nDCG@10, MAP and MRR on queries and judgments."""
    from corpus.store import Snapshot
    from retrieval.terms.wording import default_wording
    from retrieval.trec import evaluate as measure
    from retrieval.trec import paired_p_values, read_judgments, write_run
    from retrieval.trials import read_topics, resolve_judgments, run_topics

    modes = list(dict.fromkeys(mode.split(",")))
    if run is not None and not run.parent.is_dir():
        raise InputError(f"--run {run}: there is no folder {run.parent}: make it first")
    topics = read_topics(queries)
    with Snapshot.open(folder) as snapshot:
        judgments, unknown = resolve_judgments(read_judgments(qrels), snapshot, by)
    rankings: dict[str, dict[str, list[str]]] = {}
    standing = modes[0]
    with waiting(lambda: f"retrieval: {len(topics)} topics are searched by {standing}"):
        for one in modes:
            standing = one
            wanted = wording or default_wording(one)
            retriever = open_named(
                folder, one, embedder, device, fusion, per_article, wanted, rerank, articles, store
            )
            found = run_topics(retriever, topics, k, by)
            if run is not None:
                path = run if len(modes) == 1 else run.with_name(f"{run.name}.{one}")
                write_run(path, found, tag=f"fanfold-{one}-{wanted}")
            rankings[one] = {topic: [name for name, _ in pairs] for topic, pairs in found.items()}
        metrics = {one: measure(names, judgments) for one, names in rankings.items()}
        tests = paired_p_values(rankings, judgments)
    unjudged = [topic for topic in topics if topic not in judgments]
    unasked = [topic for topic in judgments if topic not in topics]
    if as_json:
        about: dict[str, Any] = {
            "topics": len(topics),
            "unjudged": len(unjudged),
            "unasked": len(unasked),
            "unknown_documents": unknown,
        }
        if len(modes) == 1:
            about = {"mode": mode, "wording": wording or default_wording(mode)} | about
            about["metrics"] = metrics[mode]
        else:
            about = {"modes": metrics, "tests": tests} | about
        typer.echo(json.dumps(about, ensure_ascii=False))
    else:
        _print_metrics(metrics, tests)
    documents = len({document for grades in judgments.values() for document in grades})
    for what, names, outcome in (
        (f"{len(topics)} topics have no judgments", unjudged, "they are left out"),
        (f"{len(judgments)} judged topics have no query", unasked, "they count 0"),
        (f"{documents} judged documents are not in the snapshot", unknown, "nothing finds them"),
    ):
        if names:
            more = ", …" if len(names) > 3 else ""
            say(f"retrieval: {len(names)} of {what}: {', '.join(names[:3])}{more}; {outcome}")


def _print_metrics(
    metrics: Mapping[str, Mapping[str, float]], tests: Sequence[Mapping[str, Any]]
) -> None:
    """Print the metrics of one mode, or of several side by side with the tests between them."""
    if len(metrics) == 1:
        for name, value in next(iter(metrics.values())).items():
            typer.echo(f"{name:12} {value:.4f}")
        return
    typer.echo(f"{'':12}" + "".join(f"{one:>10}" for one in metrics))
    for name in next(iter(metrics.values())):
        typer.echo(f"{name:12}" + "".join(f"{of[name]:10.4f}" for of in metrics.values()))
    for test in tests:
        typer.echo(
            f"{test['metric']}: {test['a']} − {test['b']} = {test['difference']:+.4f}, "
            f"p = {test['p']:.4f}, {test['p_holm']:.4f} after Holm"
        )
