"""`python -m evals synth`: make new benchmarks from a dated snapshot, by rules or with models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from corpus.errors import InputError
from corpus.options import AsJson, numbers_of
from corpus.terminal import say
from evals.builders.command import (
    begin_folder,
    command_of,
    embedder_of,
    open_writers,
    report_made,
    told_of,
    verifier_of,
)

synth = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    context_settings={"max_content_width": 110},
    help="Make new benchmarks from a dated snapshot, by rules or with models.",
)

Out = Annotated[Path, typer.Option(metavar="DIR", help="folder of the data set")]
SnapshotDir = Annotated[
    Path | None, typer.Option("--snapshot", metavar="DIR", help="the embedded sample by default")
]
Items = Annotated[int, typer.Option(min=1, help="how many")]
Seed = Annotated[int, typer.Option(help="the same seed makes the same items")]
Splits = Annotated[str, typer.Option(help="shares by split, such as dev=0.2,test=0.8")]
EmbedderName = Annotated[
    str, typer.Option("--embedder", help="finds items that mean the same; none compares texts")
]
BaseUrl = Annotated[str, typer.Option(help="endpoint of the models")]
PromptsDir = Annotated[
    Path | None, typer.Option("--prompts", metavar="DIR", help="these replace packaged prompts")
]
Verifier = Annotated[
    str, typer.Option(help="model that checks what --model wrote: another than that")
]
Concurrency = Annotated[int, typer.Option(min=1, help="items at once")]


@synth.command()
def counterfactual(
    context: typer.Context,
    out: Out,
    snapshot: SnapshotDir = None,
    items: Items = 60,
    hops: Annotated[str, typer.Option(help="2, 3 and 4, by commas")] = "2,3,4",
    seed: Seed = 31415,
    splits: Splits = "dev=0.2,test=0.8",
    embedder: EmbedderName = "default",
    model: Annotated[str, typer.Option(help="paraphrases and asks; rules by default")] = "",
    verifier: Verifier = "",
    base_url: BaseUrl = "",
    pivot: Annotated[str, typer.Option(help="language to translate through")] = "German",
    prompts: PromptsDir = None,
    concurrency: Concurrency = 4,
    as_json: AsJson = False,
) -> None:
    """Counterfactual multi-hop questions with their passages and steps (CofCA)."""
    from evals.builders.counterfactual.builder import Options, make_counterfactual
    from evals.builders.splits import parse_shares
    from evals.runs.sources import open_snapshot

    verifier_of([model], verifier)
    opened = open_snapshot(snapshot, "en")
    chosen = numbers_of(hops, "--hops")
    config: dict[str, str | int] = {
        "items": items,
        "hops": hops,
        "seed": seed,
        "splits": splits,
        "embedder": embedder,
        "pivot": pivot if model else "",
    }
    with (
        begin_folder(
            out,
            "counterfactual",
            config,
            opened.manifest.fingerprint,
            ", ".join(filter(None, (model, verifier))),
            prompts,
        ) as folder,
        told_of(),
    ):
        options = Options(
            items=items,
            hops=chosen,
            seed=seed,
            shares=tuple(parse_shares(splits).items()),
            pivot=pivot,
            concurrency=concurrency,
            command=command_of(context),
        )
        writers = open_writers(folder, [model, verifier], base_url, prompts)
        outcome = make_counterfactual(
            opened,
            folder,
            options,
            embedder=embedder_of(embedder),
            writer=writers[0] if writers else None,
            verifier=writers[-1] if writers else None,
        )
        report_made(folder, outcome, items, as_json)


@synth.command("fact-chains")
def fact_chains(
    context: typer.Context,
    out: Out,
    snapshot: SnapshotDir = None,
    items: Items = 40,
    hops: Annotated[str, typer.Option(help="lengths of the chains, by commas")] = "3,4,5,6",
    seed: Seed = 31415,
    splits: Splits = "test=1",
    embedder: EmbedderName = "default",
    seeds: Annotated[
        Path | None, typer.Option(metavar="FILE", help="questions and answers models grow from")
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(help="writes follow-up questions; several take turns")
    ] = None,
    verifier: Verifier = "",
    base_url: BaseUrl = "",
    breadth: Annotated[int, typer.Option(min=1, help="follow-up questions to an answer")] = 1,
    language: Annotated[str, typer.Option(help="of the prompts for models: zh or en")] = "zh",
    prompts: PromptsDir = None,
    concurrency: Concurrency = 4,
    as_json: AsJson = False,
) -> None:
    """Chinese chains of facts, each composed into one question (CCMOR)."""
    from evals.builders.fact_chains.builder import Options, grow_chains, make_chains
    from evals.builders.splits import parse_shares
    from evals.runs.sources import open_snapshot

    if bool(seeds) != bool(model):
        lacks = "--model that asks on from them" if seeds else "--seeds FILE to ask on from"
        raise InputError(f"models grow chains from seeds: add {lacks}")
    config: dict[str, str | int] = {
        "items": items,
        "hops": hops,
        "seed": seed,
        "splits": splits,
        "embedder": embedder,
        "seeds": str(seeds or ""),
        "breadth": breadth,
        "language": language,
    }
    names = [*(model or []), verifier_of(model or [], verifier)]
    opened = None if seeds else open_snapshot(snapshot, "zh")
    fingerprint = opened.manifest.fingerprint if opened else ""
    with (
        begin_folder(out, "fact-chains", config, fingerprint, " ".join(names), prompts) as folder,
        told_of(),
    ):
        options = Options(
            items=items,
            hops=numbers_of(hops, "--hops"),
            seed=seed,
            shares=tuple(parse_shares(splits).items()),
            breadth=breadth,
            concurrency=concurrency,
            command=command_of(context),
        )
        if opened is not None:
            outcome = make_chains(opened, folder, options, embedder=embedder_of(embedder))
        else:
            assert seeds is not None
            writers = open_writers(folder, names, base_url, prompts, language)
            outcome = grow_chains(
                seeds,
                folder,
                options,
                writers=writers[:-1],
                verifier=writers[-1],
                embedder=embedder_of(embedder),
            )
        report_made(folder, outcome, items, as_json)


@synth.command("cq-syn")
def cq_syn(
    context: typer.Context,
    out: Out,
    snapshot: SnapshotDir = None,
    source: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="context and question a line, not a snapshot"),
    ] = None,
    types: Annotated[
        str, typer.Option(help="types of question, by commas; all that can be made")
    ] = "",
    dimension: Annotated[
        str, typer.Option(help="understanding, reasoning or knowledge")
    ] = "understanding",
    items: Annotated[int, typer.Option(min=1, help="how many of each type")] = 10,
    seed: Seed = 31415,
    splits: Splits = "test=1",
    embedder: EmbedderName = "default",
    model: Annotated[str, typer.Option(help="designs and answers; rules by default")] = "",
    verifier: Verifier = "",
    base_url: BaseUrl = "",
    prompts: PromptsDir = None,
    concurrency: Concurrency = 4,
    as_json: AsJson = False,
) -> None:
    """Compound questions of five types with references and a review sheet (Compound-QA)."""
    from evals.builders.cq_syn.builder import Options, make_compound, types_of
    from evals.builders.splits import parse_shares
    from evals.runs.sources import open_snapshot

    config: dict[str, str | int] = {
        "types": types,
        "dimension": dimension,
        "items": items,
        "seed": seed,
        "splits": splits,
        "embedder": embedder,
        "source": str(source or ""),
    }
    chosen = types_of(types, dimension, with_model=bool(model))
    verifier_of([model], verifier)
    opened = open_snapshot(snapshot, "en")
    names = ", ".join(filter(None, (model, verifier)))
    with (
        begin_folder(out, "cq-syn", config, opened.manifest.fingerprint, names, prompts) as folder,
        told_of(),
    ):
        options = Options(
            types=chosen,
            dimension=dimension,
            items=items,
            seed=seed,
            shares=tuple(parse_shares(splits).items()),
            concurrency=concurrency,
            command=command_of(context),
        )
        writers = open_writers(folder, [model, verifier], base_url, prompts)
        outcome = make_compound(
            opened,
            folder,
            options,
            source=source,
            embedder=embedder_of(embedder),
            writer=writers[0] if writers else None,
            verifier=writers[-1] if writers else None,
        )
        report_made(folder, outcome, items * len(chosen), as_json)


@synth.command()
def review(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="a data set's folder")],
    sheet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="filled CSV, or Label Studio's export")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read a filled review sheet back: keep what the reviewers passed, and say how they agree."""
    from evals.builders.review import REVIEWED, apply_review

    found = apply_review(folder, sheet)
    kappa = "undefined" if found.kappa is None else f"{found.kappa:.3f}"
    if as_json:
        summary = {"kept": len(found.kept), "rejected": len(found.rejected), "kappa": found.kappa}
        typer.echo(json.dumps(summary))
    else:
        typer.echo(f"kept {len(found.kept)}, rejected {len(found.rejected)}, Fleiss' kappa {kappa}")
    say(f"evals: written: {folder / REVIEWED}; evals run takes it by --data")


@synth.command()
def publish(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="a data set's folder")],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="of the data set; DIR/data-set by default")
    ] = None,
    name: Annotated[str, typer.Option(help="of the data set")] = "",
    license: Annotated[str, typer.Option(metavar="SPDX", help="of its questions")] = "",
) -> None:
    """Write a data set as Parquet with a card and Croissant metadata, by its splits."""
    from evals.integrations.dataset import publish_synthesis

    card = publish_synthesis(folder, out or folder / "data-set", name=name, license=license)
    say(f"evals: data set written: {card}; evals run takes its folder by --data")
