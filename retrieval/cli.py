"""`python -m retrieval`: build a snapshot's indexes, search them, look into them, measure them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from corpus.errors import InputError
from corpus.pace import Pace, unseen
from corpus.terminal import progress_bar, run_app, say
from retrieval.printout import hits_json, json_line, print_hits, printable, read_queries

if TYPE_CHECKING:
    from retrieval.build import Progress
    from retrieval.index import Mode
    from retrieval.ranking.fusion import Fusion
    from retrieval.terms.wording import Wording
    from retrieval.types import Device, Precision, Retriever

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"max_content_width": 110},
    pretty_exceptions_enable=False,
    help="From query to hits over a snapshot: build its indexes, search, measure.",
)
_resume = ""
_UNKNOWN_LANGUAGE = (
    "the embedding model does not know the language {language!r}: a hybrid goes by BM25+ alone; "
    "build with --embedder and a model that does"
)

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="a snapshot's folder")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output")]
ModeOption = Annotated[str, typer.Option(help="bm25, dense or hybrid")]
DeviceOption = Annotated[str, typer.Option(help="auto, cpu or gpu")]
FusionOption = Annotated[str, typer.Option(help="of a hybrid: score or rrf")]
WordingOption = Annotated[
    str,
    typer.Option(
        help="words of an English query that BM25+ is asked for: content or all; by default all "
        "in a hybrid, content without"
    ),
]
PerArticle = Annotated[int, typer.Option(min=0, help="most hits of an article, 0: any number")]
Reranker = Annotated[
    str | None, typer.Option(metavar="NAME", help="a cross-encoder: a folder or a model's name")
]
Stored = Annotated[
    str | None,
    typer.Option("--retriever", metavar="KIND:PLACE", help="vectors in a store, see export"),
]
Articles = Annotated[
    list[str] | None,
    typer.Option("--article", metavar="TITLE", help="search this article only; may be repeated"),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="a folder, a model's name, https://host/v1#model, or `default` for the embedded one",
    ),
]


@app.command()
def build(
    folder: Folder,
    bm25_only: Annotated[bool, typer.Option("--bm25-only", help="no embeddings")] = False,
    embedder: Model = None,
    device: DeviceOption = "auto",
    precision: Annotated[
        str,
        typer.Option(help="of the chunks' vectors: float, or int8, faster and a little coarser"),
    ] = "float",
    faiss: Annotated[str, typer.Option(metavar="FACTORY", help="FAISS factory, or auto")] = "auto",
    analyzer: Annotated[str, typer.Option(help="of BM25+; by default the language's")] = "",
    cluster: Annotated[
        str,
        typer.Option(metavar="ray[://HOST:PORT]", help="build on the nodes of a Ray cluster"),
    ] = "",
    workers: Annotated[
        int, typer.Option(min=0, help="processes, or actors of the cluster; 0 for the usual number")
    ] = 0,
) -> None:
    """Build what is missing or out of date; the same command goes on after an interruption."""
    global _resume
    from corpus.cluster import ThisMachine, opened
    from retrieval.build import ensure_built

    _resume = " ".join(["python -m retrieval", *sys.argv[1:]])
    with opened(cluster, workers) as nodes, _progress() as report:
        built = ensure_built(
            folder,
            "bm25" if bm25_only else "hybrid",
            embedder=embedder or "default",
            device=_device(device),
            precision=cast("Precision", precision),
            factory=faiss,
            analyzer=analyzer or None,
            api_key=_api_key(),
            cluster=nodes or (ThisMachine(workers) if workers else None),
            on_progress=report,
        )
    say(f"retrieval: {folder}: " + (f"built {', '.join(built)}" if built else "all is up to date"))
    if not bm25_only:
        from corpus.storage.manifest import read_manifest
        from retrieval.dense.languages import knows

        language = read_manifest(folder).language
        if not knows(embedder or "default", language):
            say(f"retrieval: {_UNKNOWN_LANGUAGE.format(language=language)}")


@app.command()
def export(
    folder: Folder,
    to: Annotated[
        str,
        typer.Option(metavar="KIND:PLACE", help="qdrant:http://host:6333, milvus:…, or a path"),
    ],
    embedder: Model = None,
) -> None:
    """Write a dense index into a vector database; the same command goes on after an interruption.

    FANFOLD_STORE_KEY is the key of a server that asks for one.
    """
    global _resume
    from retrieval.index import export_index

    _resume = " ".join(["python -m retrieval", *sys.argv[1:]])
    with _progress() as report:
        written = export_index(
            folder,
            to,
            embedder=embedder,
            store_key=_store_key(),
            on_progress=lambda done, total: report("vectors", done, total),
        )
    say(f"retrieval: {to}: {written:,} vectors written; search with --retriever {to}")


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
    retriever = _open(
        folder, mode, embedder, device, fusion, per_article, wording, rerank, articles, store
    )
    for query, hits in zip(asked, retriever.search(asked, k), strict=True):
        if as_json:
            typer.echo(json_line(hits_json(query, hits)))
        else:
            print_hits(query, hits)


@app.command("eval")
def evaluate(
    folder: Folder,
    queries: Annotated[Path, typer.Option(help="a line each: topic, tab, query; or TREC topics")],
    qrels: Annotated[Path, typer.Option(help="TREC judgments: topic 0 document grade")],
    run: Annotated[Path | None, typer.Option(help="write a TREC run file here")] = None,
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
    if run is not None and len(modes) > 1:
        raise InputError(f"--run {run} takes one mode: name one with --mode, not {mode}")
    topics = read_topics(queries)
    with Snapshot.open(folder) as snapshot:
        judgments, unknown = resolve_judgments(read_judgments(qrels), snapshot, by)
    rankings: dict[str, dict[str, list[str]]] = {}
    for one in modes:
        wanted = wording or default_wording(one)
        retriever = _open(
            folder, one, embedder, device, fusion, per_article, wanted, rerank, articles, store
        )
        found = run_topics(retriever, topics, k, by)
        if run is not None:
            write_run(run, found, tag=f"fanfold-{one}-{wanted}")
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
    run_app(app, name="retrieval", resume_hint=lambda: _resume)


def _open(
    folder: Path,
    mode: str,
    embedder: str | None,
    device: str,
    fusion: str,
    per_article: int,
    wording: str,
    rerank: str | None,
    articles: Sequence[str] | None,
    store: str | None,
) -> Retriever:
    from corpus.storage.manifest import read_manifest
    from retrieval.index import open_retriever
    from retrieval.ranking.rankers import BM25Ranker, RankedRetriever

    retriever = open_retriever(
        folder,
        cast("Mode", mode),
        embedder=embedder,
        device=_device(device),
        fusion=cast("Fusion", fusion),
        per_article=per_article or None,
        wording=cast("Wording | None", wording or None),
        store=store,
        api_key=_api_key(),
        store_key=_store_key(),
    )
    words_alone = isinstance(retriever, RankedRetriever) and isinstance(
        retriever.ranker, BM25Ranker
    )
    if mode == "hybrid" and words_alone:
        language = read_manifest(folder).language
        say(f"retrieval: {_UNKNOWN_LANGUAGE.format(language=language)}")
    if articles:
        from retrieval.ranking.restriction import restrict

        retriever = restrict(retriever, articles)
    if rerank is not None:
        from retrieval.dense.crossencoder import RerankedRetriever, open_judge

        retriever = RerankedRetriever(retriever, open_judge(rerank, device=_device(device)))
    return retriever


@contextmanager
def _progress() -> Iterator[Progress]:
    if unseen():
        yield Pace("chunks", lambda line: say(f"retrieval: {line}"))
        return
    with progress_bar("chunks") as bar:
        tasks: dict[str, Any] = {}

        def report(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        yield report


def _device(name: str) -> Device:
    if name not in ("auto", "cpu", "gpu"):
        raise InputError(f"unknown device {name!r}: choose auto, cpu or gpu")
    return cast("Device", name)


def _api_key() -> str | None:
    return os.environ.get("FANFOLD_API_KEY") or None


def _store_key() -> str | None:
    return os.environ.get("FANFOLD_STORE_KEY") or None
