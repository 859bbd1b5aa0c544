"""LoRA fine-tuning with peft and trl (extra `finetune`), by the same recipe as the exported one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from evals.builders.finetune.export import TRAIN
from evals.builders.finetune.recipe import Recipe
from evals.datafiles import field, read_located

LOG = "training.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trained:
    """What a training came to."""

    examples: int
    steps: int
    trainable: int
    """Parameters of the adapter."""
    parameters: int
    """Of the model and the adapter."""
    loss: float
    """Mean over the training."""


def check_installed() -> None:
    """Refuse where the packages are not there.

    Raises:
        InputError: names the extra that brings them.
    """
    missing = [name for name in ("peft", "trl") if find_spec(name) is None]
    if missing:
        raise InputError(
            f"fine-tuning needs {' and '.join(missing)}: pip install 'fanfold[finetune]'"
        )


def read_examples(folder: Path) -> list[dict[str, str]]:
    """Return the training examples of an export, as (prompt, completion).

    Raises:
        InputError: no export there, or names the line and the field at fault.
    """
    path = folder / f"{TRAIN}.json"
    if not path.is_file():
        raise InputError(
            f"{folder}: no {path.name}: write it with `python -m evals finetune-data --out {folder}`"
        )
    return [
        {
            "prompt": field(item, "instruction", str, where) + field(item, "input", str, where),
            "completion": field(item, "output", str, where),
        }
        for where, item in read_located(path)
    ]


def train(
    model: Path,
    data: Path,
    out: Path,
    recipe: Recipe,
    *,
    devices: int = 1,
    max_steps: int | None = None,
    cpu: bool = False,
) -> Trained:
    """Train an adapter for the model in a folder; only the reference's tokens count in the loss.

    Args:
        model: folder of a causal language model and its tokenizer.
        data: folder of an export.
        out: where adapter, tokenizer and the log go.
        recipe: parameters.
        devices: processes that train together.
        max_steps: end after so many steps.
        cpu: stay off the accelerator.

    Raises:
        InputError: packages, model or data are not there, or the model is none.
    """
    check_installed()
    accumulation = recipe.accumulation(devices)
    examples = read_examples(data)
    if not (model / "config.json").is_file():
        raise InputError(f"{model}: no model there (config.json is missing): download it first")
    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: the folder is not empty: choose another for the adapter")
    import torch
    from transformers import PrinterCallback

    # Packages of an extra, without types: where they are missing the types still check.
    datasets: Any = import_module("datasets")
    peft: Any = import_module("peft")
    trl: Any = import_module("trl")

    tokenizer, network = _load(model)
    rows = [_row(one, chat=bool(tokenizer.chat_template)) for one in examples]
    accelerated = torch.cuda.is_available() and not cpu
    staging = out.with_name(f"{out.name}.part")
    trainer = trl.SFTTrainer(
        model=network,
        args=trl.SFTConfig(
            output_dir=str(staging),
            **_settings(recipe, len(rows), accumulation, max_steps),
            use_cpu=not accelerated,
            bf16=accelerated,
            save_strategy="no",
            report_to="none",
            logging_steps=1,
            disable_tqdm=True,
        ),
        train_dataset=datasets.Dataset.from_list(rows),
        processing_class=tokenizer,
        peft_config=peft.LoraConfig(
            r=recipe.rank,
            lora_alpha=recipe.alpha,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        ),
    )
    # It prints every step on standard output, which is for results.
    trainer.remove_callback(PrinterCallback)
    outcome = trainer.train()
    trainer.save_model(str(staging))
    tokenizer.save_pretrained(str(staging))
    sizes = [(one.numel(), one.requires_grad) for one in trainer.model.parameters()]
    trained = Trained(
        examples=len(examples),
        steps=outcome.global_step,
        trainable=sum(size for size, learns in sizes if learns),
        parameters=sum(size for size, _ in sizes),
        loss=outcome.training_loss,
    )
    log = [entry for entry in trainer.state.log_history if "loss" in entry]
    (staging / LOG).write_text(json.dumps(log, indent=1) + "\n", encoding="utf-8")
    if out.exists():
        out.rmdir()
    staging.rename(out)
    return trained


def _load(model: Path) -> tuple[Any, Any]:
    """Return the tokenizer and the network of a folder."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(model, local_files_only=True)
        network = AutoModelForCausalLM.from_pretrained(model, local_files_only=True)
    except (OSError, ValueError) as error:
        raise InputError(f"{model}: not a causal language model: {error}") from None
    return tokenizer, network


def _settings(
    recipe: Recipe, examples: int, accumulation: int, max_steps: int | None
) -> dict[str, Any]:
    """Return the recipe in the words of the trainer."""
    per_epoch = -(-examples // recipe.batch)
    steps = max_steps if max_steps is not None else round(per_epoch * recipe.epochs)
    return {
        "per_device_train_batch_size": recipe.at_once,
        "gradient_accumulation_steps": accumulation,
        "learning_rate": recipe.learning_rate,
        "num_train_epochs": recipe.epochs,
        "max_steps": -1 if max_steps is None else max_steps,
        "lr_scheduler_type": "cosine",
        "warmup_steps": round(recipe.warmup * steps),
        "max_length": recipe.max_length,
        "seed": recipe.seed,
    }


def _row(one: dict[str, str], *, chat: bool) -> dict[str, Any]:
    if not chat:
        return dict(one)
    return {
        "prompt": [{"role": "user", "content": one["prompt"]}],
        "completion": [{"role": "assistant", "content": one["completion"]}],
    }
