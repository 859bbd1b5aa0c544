"""`python -m evals synth`: make new benchmarks from a dated snapshot, by rules or with models."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.terminal import say
from evals.options import AsJson, endpoint_of, numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evals.synthesis.asking import Writer
    from evals.synthesis.folder import SynthesisFolder
    from evals.synthesis.pipeline import Outcome
    from evals.synthesis.types import Item
    from evals.types import Json
    from retrieval.types import Embedder

synth = typer.Typer(
    no_args_is_help=True,
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
Concurrency = Annotated[int, typer.Option(min=1, help="items at once")]


@synth.command()
def counterfactual(
    out: Out,
    snapshot: SnapshotDir = None,
    items: Items = 60,
    hops: Annotated[str, typer.Option(help="2, 3 and 4, by commas")] = "2,3,4",
    seed: Seed = 31415,
    splits: Splits = "dev=0.2,test=0.8",
    embedder: EmbedderName = "default",
    model: Annotated[str, typer.Option(help="paraphrases, asks, checks; rules by default")] = "",
    base_url: BaseUrl = "",
    pivot: Annotated[str, typer.Option(help="language to translate through")] = "German",
    prompts: PromptsDir = None,
    concurrency: Concurrency = 4,
    as_json: AsJson = False,
) -> None:
    """Counterfactual multi-hop questions with their passages and steps (CofCA)."""
    from evals.setup import open_snapshot
    from evals.synthesis.counterfactual.builder import Options, make_counterfactual
    from evals.synthesis.splits import parse_shares

    opened = open_snapshot(snapshot, "en")
    chosen = numbers_of(hops, "--hops")
    config: dict[str, str | int] = {
        "items": items,
        "hops": hops,
        "seed": seed,
        "splits": splits,
        "embedder": embedder,
    }
    with _begin(
        out, "counterfactual", config, opened.manifest.fingerprint, model, prompts
    ) as folder:
        options = Options(
            items=items,
            hops=chosen,
            seed=seed,
            shares=tuple(parse_shares(splits).items()),
            pivot=pivot,
            concurrency=concurrency,
            command=_command("counterfactual", config, model),
        )
        writers = _writers(folder, [model], base_url, prompts)
        outcome = make_counterfactual(
            opened,
            folder,
            options,
            embedder=_embedder(embedder),
            writer=writers[0] if writers else None,
        )
        _report(folder, outcome, items, as_json)


@synth.command("fact-chains")
def fact_chains(
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
    verifier: Annotated[str, typer.Option(help="model that checks; the last --model")] = "",
    base_url: BaseUrl = "",
    breadth: Annotated[int, typer.Option(min=1, help="follow-up questions to an answer")] = 1,
    prompts: PromptsDir = None,
    concurrency: Concurrency = 4,
    as_json: AsJson = False,
) -> None:
    """Chinese chains of facts, each composed into one question (CCMOR)."""
    from corpus.errors import InputError
    from evals.setup import open_snapshot
    from evals.synthesis.fact_chains.builder import Options, grow_chains, make_chains
    from evals.synthesis.splits import parse_shares

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
    }
    names = [*(model or []), verifier or (model or [""])[-1]]
    opened = None if seeds else open_snapshot(snapshot, "zh")
    fingerprint = opened.manifest.fingerprint if opened else ""
    with _begin(out, "fact-chains", config, fingerprint, " ".join(names), prompts) as folder:
        options = Options(
            items=items,
            hops=numbers_of(hops, "--hops"),
            seed=seed,
            shares=tuple(parse_shares(splits).items()),
            breadth=breadth,
            concurrency=concurrency,
            command=_command("fact-chains", config, *names),
        )
        if opened is not None:
            outcome = make_chains(opened, folder, options, embedder=_embedder(embedder))
        else:
            assert seeds is not None
            writers = _writers(folder, names, base_url, prompts, language="zh")
            outcome = grow_chains(
                seeds,
                folder,
                options,
                writers=writers[:-1],
                verifier=writers[-1],
                embedder=_embedder(embedder),
            )
        _report(folder, outcome, items, as_json)


@synth.command("cq-syn")
def cq_syn(
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
    model: Annotated[str, typer.Option(help="designs, filters, answers; rules by default")] = "",
    base_url: BaseUrl = "",
    prompts: PromptsDir = None,
    concurrency: Concurrency = 4,
    as_json: AsJson = False,
) -> None:
    """Compound questions of five types with references and a review sheet (Compound-QA)."""
    from evals.setup import open_snapshot
    from evals.synthesis.cq_syn.builder import Options, make_compound, types_of
    from evals.synthesis.splits import parse_shares

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
    opened = open_snapshot(snapshot, "en")
    with _begin(out, "cq-syn", config, opened.manifest.fingerprint, model, prompts) as folder:
        options = Options(
            types=chosen,
            dimension=dimension,
            items=items,
            seed=seed,
            shares=tuple(parse_shares(splits).items()),
            concurrency=concurrency,
            command=_command("cq-syn", config, model),
        )
        writers = _writers(folder, [model], base_url, prompts)
        outcome = make_compound(
            opened,
            folder,
            options,
            source=source,
            embedder=_embedder(embedder),
            writer=writers[0] if writers else None,
        )
        _report(folder, outcome, items * len(chosen), as_json)


@synth.command()
def review(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="a data set's folder")],
    sheet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="filled CSV, or Label Studio's export")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read a filled review sheet back: keep what the reviewers passed, and say how they agree."""
    from evals.synthesis.reviewing import apply_review

    found = apply_review(folder, sheet)
    kappa = "undefined" if found.kappa is None else f"{found.kappa:.3f}"
    if as_json:
        summary = {"kept": len(found.kept), "rejected": len(found.rejected), "kappa": found.kappa}
        typer.echo(json.dumps(summary))
    else:
        typer.echo(f"kept {len(found.kept)}, rejected {len(found.rejected)}, Fleiss' kappa {kappa}")
    say(f"evals: written: {folder / 'reviewed.jsonl'}")


def _begin(
    out: Path,
    builder: str,
    config: dict[str, str | int],
    fingerprint: str,
    models: str,
    prompts: Path | None,
) -> SynthesisFolder:
    from corpus.manifest import TOOL_VERSION
    from evals.synthesis.folder import SynthesisFolder

    whole: dict[str, Json] = {
        "builder": builder,
        **config,
        "snapshot": fingerprint,
        "models": models,
        "prompts": str(prompts or ""),
        "tool_version": TOOL_VERSION,
    }
    return SynthesisFolder.begin(out, whole)


def _command(builder: str, config: dict[str, str | int], *models: str) -> str:
    words = ["python", "-m", "evals", "synth", builder, "--out", "DIR"]
    for name, value in config.items():
        words += [f"--{name}", str(value)] if value != "" else []
    for model in dict.fromkeys(filter(None, models)):
        words += ["--model", model]
    return shlex.join(words)


def _embedder(name: str) -> Embedder | None:
    if name == "none":
        return None
    from retrieval.embed import shared_embedder

    return shared_embedder(name)


def _writers(
    folder: SynthesisFolder,
    models: Sequence[str],
    base_url: str,
    prompts: Path | None,
    language: str = "en",
) -> list[Writer]:
    """Return a writer for every model named; their calls are kept in the folder."""
    from agent.prompted.prompts import Prompts
    from evals.judge import PACKAGED
    from evals.synthesis.asking import Writer
    from evals.synthesis.folder import CALLS

    if not any(models):
        say("evals: no model named, rules alone make the items")
        return []
    shown = Prompts(prompts, language, packaged=PACKAGED)
    endpoints = [endpoint_of(model, base_url) for model in models]
    return [Writer(e.open(folder.path / CALLS), shown, language) for e in endpoints if e]


def _report(folder: SynthesisFolder, outcome: Outcome[Item], wanted: int, as_json: bool) -> None:
    made, rejected = len(outcome.items), len(outcome.rejected)
    if as_json:
        kinds: dict[str, int] = {}
        for item in outcome.items:
            kinds[item.kind] = kinds.get(item.kind, 0) + 1
        summary = {"out": str(folder.path), "items": made, "kinds": kinds, "rejected": rejected}
        typer.echo(json.dumps(summary, ensure_ascii=False))
    else:
        typer.echo(f"{made} items, {rejected} rejected: {folder.path / 'card.md'}")
    if made < wanted:
        say(f"evals: {made} of {wanted} items: the source holds no more that pass every check")
