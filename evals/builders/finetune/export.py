"""Compound questions as LLaMA-Factory reads them: data, dataset_info.json and a LoRA configuration.

OUT/compound_qa_train.json   [{"instruction": the prompt, "input": "", "output": the reference}]
OUT/compound_qa_test.json    the same of the dimension that is tested
OUT/dataset_info.json        names, files and columns
OUT/lora.yaml                for `llamafactory-cli train OUT/lora.yaml`
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent.prompted.fence import fenced
from agent.prompted.templates import Prompts
from corpus.errors import InputError
from evals.benchmarks.compound import ALL, DIMENSIONS, PROMPTS, load
from evals.builders.finetune.recipe import TESTED_ON, TRAINED_ON, Recipe
from evals.judges.verdict import PACKAGED
from evals.records import write_beside
from evals.types import Json, Sample

TRAIN, TEST = "compound_qa_train", "compound_qa_test"
CONFIG = "lora.yaml"
COLUMNS: Mapping[str, Json] = {"prompt": "instruction", "query": "input", "response": "output"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written."""

    train: int
    """Examples."""
    test: int


def example(sample: Sample) -> dict[str, str]:
    """Return a question as the benchmark puts it to a model, and its reference as the reply."""
    prompts = Prompts(packaged=PACKAGED)
    texts = [f"{passage.title}\n{passage.text}" for passage in sample.passages]
    shown = prompts.text("sources", sources=fenced("\n\n".join(texts))) if texts else ""
    (message,) = prompts.messages(PROMPTS["vanilla"], question=sample.question, sources=shown)
    return {"instruction": message.content, "input": "", "output": str(sample.reference)}


def export_data(
    data: Path,
    out: Path,
    recipe: Recipe,
    *,
    model: str,
    train: Sequence[str] = TRAINED_ON,
    test: Sequence[str] = TESTED_ON,
    devices: int = 1,
    template: str = "llama3",
) -> Exported:
    """Write the files into the folder `out`.

    Args:
        data: Compound-QA's files.
        out: a folder; files of an earlier export are replaced.
        recipe: parameters of the training.
        model: the base model's name or folder, for the configuration.
        train: dimensions to train on.
        test: dimensions to test on.
        devices: that train together.
        template: LLaMA-Factory's name of the model's chat format.

    Raises:
        InputError: a dimension is unknown or in both sets, or the data is faulty.
    """
    for dimension in (*train, *test):
        if dimension not in DIMENSIONS:
            raise InputError(f"unknown dimension {dimension!r}: choose {', '.join(DIMENSIONS)}")
    both = set(train) & set(test)
    if both:
        raise InputError(f"{min(both)} is trained and tested on: a test must be unseen")
    samples = load(data, ALL, "public")
    out.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for name, dimensions in ((TRAIN, train), (TEST, test)):
        examples = [example(s) for s in samples if s.groups["dimension"] in dimensions]
        if not examples:
            raise InputError(f"{data}: no questions of {', '.join(dimensions)}")
        _write(out / f"{name}.json", json.dumps(examples, ensure_ascii=False, indent=1) + "\n")
        sizes[name] = len(examples)
    info = {name: {"file_name": f"{name}.json", "columns": COLUMNS} for name in (TRAIN, TEST)}
    _write(out / "dataset_info.json", json.dumps(info, indent=2) + "\n")
    _write(out / CONFIG, configuration(recipe, out, model, devices, template))
    return Exported(train=sizes[TRAIN], test=sizes[TEST])


def configuration(recipe: Recipe, folder: Path, model: str, devices: int, template: str) -> str:
    """Return LLaMA-Factory's configuration of a LoRA training with this recipe, in YAML."""
    # JSON scalars are YAML scalars: names with a colon or a hash stay what they are.
    values: dict[str, Json] = {
        "model_name_or_path": model,
        "stage": "sft",
        "do_train": True,
        "finetuning_type": "lora",
        "lora_rank": recipe.rank,
        "lora_alpha": recipe.alpha,
        "lora_target": "all",
        "dataset": TRAIN,
        "dataset_dir": str(folder.resolve()),
        "template": template,
        "cutoff_len": recipe.max_length,
        "output_dir": str(folder.resolve() / "adapter"),
        "per_device_train_batch_size": recipe.at_once,
        "gradient_accumulation_steps": recipe.accumulation(devices),
        "learning_rate": recipe.learning_rate,
        "num_train_epochs": recipe.epochs,
        "lr_scheduler_type": "cosine",
        "warmup_ratio": recipe.warmup,
        "bf16": True,
        "seed": recipe.seed,
        "logging_steps": 10,
        "save_steps": 500,
        "report_to": "none",
    }
    return "".join(f"{name}: {_scalar(value)}\n" for name, value in values.items())


def _scalar(value: Json) -> str:
    # YAML 1.1 takes 1e-4 for a string: a number needs its point.
    if isinstance(value, float):
        return f"{value:.1e}" if value < 1e-3 else repr(value)
    return json.dumps(value, ensure_ascii=False)


def _write(path: Path, text: str) -> None:
    def write(beside: Path) -> None:
        beside.write_text(text, encoding="utf-8")

    write_beside(path, write)
