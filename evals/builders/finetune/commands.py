"""`evals finetune-data` and `evals finetune`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from corpus.options import AsJson
from corpus.terminal import say
from evals.datafiles import SAMPLE_DATA

Data = Annotated[Path, typer.Option(metavar="PATH", help="Compound-QA's files; the sample's")]
Devices = Annotated[int, typer.Option(min=1, help="that train together")]
AtOnce = Annotated[int, typer.Option(min=1, help="examples on one device at once")]
Epochs = Annotated[float, typer.Option(min=0.01, help="passes over the examples")]


def finetune_data_command(
    out: Annotated[Path, typer.Option(metavar="DIR", help="folder to write into")],
    data: Data = SAMPLE_DATA,
    train: Annotated[str, typer.Option(help="dimensions, by commas")] = "reasoning,knowledge",
    test: Annotated[str, typer.Option(help="dimensions, by commas")] = "understanding",
    model: Annotated[str, typer.Option(help="the base model, for the configuration")] = (
        "meta-llama/Llama-3.1-8B-Instruct"
    ),
    template: Annotated[str, typer.Option(help="the model's chat format")] = "llama3",
    devices: Devices = 1,
    at_once: AtOnce = 4,
    epochs: Epochs = 3.0,
    as_json: AsJson = False,
) -> None:
    """Write compound questions as LLaMA-Factory reads them, with a LoRA configuration."""
    from evals.builders.finetune.export import CONFIG, export_data
    from evals.builders.finetune.recipe import Recipe

    exported = export_data(
        data,
        out,
        Recipe(at_once=at_once, epochs=epochs),
        model=model,
        train=tuple(filter(None, train.split(","))),
        test=tuple(filter(None, test.split(","))),
        devices=devices,
        template=template,
    )
    if as_json:
        typer.echo(json.dumps(asdict(exported)))
    say(
        f"evals: {out}: {exported.train} examples to train on, {exported.test} to test on; "
        f"train with `llamafactory-cli train {out / CONFIG}` or `python -m evals finetune`"
    )


def finetune_command(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="folder of the base model")],
    data: Annotated[Path, typer.Option(metavar="DIR", help="folder of `finetune-data`")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="folder of the adapter")],
    devices: Devices = 1,
    at_once: AtOnce = 4,
    epochs: Epochs = 3.0,
    max_steps: Annotated[int | None, typer.Option(min=1, help="end after so many steps")] = None,
    cpu: Annotated[bool, typer.Option("--cpu", help="stay off the accelerator")] = False,
    as_json: AsJson = False,
) -> None:
    """Train a LoRA adapter on compound questions: rank 8, alpha 16, rate 1e-4, batch 128."""
    from evals.builders.finetune.recipe import Recipe
    from evals.builders.finetune.training import train

    trained = train(
        model,
        data,
        out,
        Recipe(at_once=at_once, epochs=epochs),
        devices=devices,
        max_steps=max_steps,
        cpu=cpu,
    )
    if as_json:
        typer.echo(json.dumps(asdict(trained)))
    say(
        f"evals: {out}: {trained.steps} steps over {trained.examples} examples, "
        f"{trained.trainable:,} of {trained.parameters:,} parameters trained, "
        f"loss {trained.loss:.3f}"
    )
