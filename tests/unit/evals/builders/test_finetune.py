from __future__ import annotations

import json
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from corpus.errors import InputError
from evals.builders.finetune.export import configuration, example, export_data
from evals.builders.finetune.recipe import Recipe
from evals.builders.finetune.training import LOG, Trained, check_installed, read_examples, train
from evals.cli import app
from evals.types import Passage, Sample

SAMPLE = Path(__file__).parents[4] / "evals/sample"
trained_here = pytest.mark.skipif(
    find_spec("peft") is None or find_spec("trl") is None,
    reason="needs the extra finetune: peft and trl",
)


def read_yaml(text: str) -> dict[str, Any]:
    """Flat YAML whose scalars are JSON's, as the configuration is."""
    return {
        name: json.loads(value)
        for name, value in (line.split(": ", 1) for line in text.splitlines())
    }


def test_the_export_is_what_llama_factory_reads(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["finetune-data", "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == {"train": 10, "test": 5}
    info = json.loads((tmp_path / "dataset_info.json").read_text())
    for name, size in (("compound_qa_train", 10), ("compound_qa_test", 5)):
        columns = info[name]["columns"]
        assert columns == {"prompt": "instruction", "query": "input", "response": "output"}
        rows = json.loads((tmp_path / info[name]["file_name"]).read_text())
        assert len(rows) == size
        assert all(set(row) == {"instruction", "input", "output"} for row in rows)
    config = read_yaml((tmp_path / "lora.yaml").read_text())
    assert config["dataset"] == "compound_qa_train"
    assert config["dataset_dir"] == str(tmp_path)


def test_the_configuration_has_the_papers_parameters(tmp_path: Path) -> None:
    text = configuration(Recipe(), tmp_path, "base: model", 8, "llama3")
    config = read_yaml(text)
    assert (config["lora_rank"], config["lora_alpha"]) == (8, 16)
    assert config["learning_rate"] == 1e-4
    devices, at_once = 8, config["per_device_train_batch_size"]
    assert devices * at_once * config["gradient_accumulation_steps"] == 128
    assert (config["finetuning_type"], config["stage"]) == ("lora", "sft")
    # A number in YAML 1.1 needs its point; a name with a colon needs its quotes.
    assert "learning_rate: 1.0e-04" in text
    assert 'model_name_or_path: "base: model"' in text


def test_an_example_is_the_benchmarks_own_prompt() -> None:
    sample = Sample(
        id="1",
        question="What is Orv? Who named it?",
        reference="A hill. Odo.",
        passages=(Passage(title="Context", text="Orv is a hill."),),
    )
    found = example(sample)
    assert "What is Orv? Who named it?" in found["instruction"]
    assert "Orv is a hill." in found["instruction"]
    assert found["output"] == "A hill. Odo."


def test_what_is_tested_must_be_unseen(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="knowledge is trained and tested on"):
        export_data(SAMPLE, tmp_path, Recipe(), model="m", test=("knowledge",))
    with pytest.raises(InputError, match="unknown dimension 'speed'"):
        export_data(SAMPLE, tmp_path, Recipe(), model="m", train=("speed",))
    one = SAMPLE / "compound-qa/Understanding_Cause_and_Effect.jsonl"
    with pytest.raises(InputError, match="no questions of reasoning, knowledge"):
        export_data(one, tmp_path, Recipe(), model="m")


def test_a_batch_that_cannot_be_made_up_is_refused() -> None:
    assert Recipe(at_once=4).accumulation(8) == 4
    with pytest.raises(InputError, match="a batch of 128 cannot be made of 5 examples at once"):
        Recipe(at_once=5).accumulation()


def test_faulty_examples_name_the_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="write it with `python -m evals finetune-data"):
        read_examples(tmp_path)
    (tmp_path / "compound_qa_train.json").write_text('[\n{"instruction": "x", "input": ""}]')
    with pytest.raises(InputError, match="line 2: field 'output' is missing"):
        read_examples(tmp_path)


def test_missing_packages_name_their_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.builders.finetune.training.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"peft and trl: pip install 'fanfold\[finetune\]'"):
        check_installed()


def make_model(folder: Path) -> None:
    """A causal model of 37,000 random parameters with a tokenizer of bytes."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    pieces = ["<s>", "</s>", "<unk>", *pre_tokenizers.ByteLevel.alphabet()]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>",
        pad_token="</s>",
    ).save_pretrained(folder)  # fmt: skip
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=2,
        num_attention_heads=2, max_position_embeddings=512,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)


@trained_here
def test_a_tiny_model_learns_an_adapter(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        # Deprecations inside transformers and trl are theirs to mend.
        warnings.simplefilter("ignore")
        make_model(tmp_path / "base")
        data = tmp_path / "data"
        data.mkdir()
        rows = [
            {"instruction": f"Say {n}.", "input": "", "output": "yes yes yes"} for n in range(8)
        ]
        (data / "compound_qa_train.json").write_text(json.dumps(rows))
        recipe = Recipe(batch=4, at_once=2, max_length=64, learning_rate=0.02, epochs=2)
        out = tmp_path / "adapter"
        out.mkdir()
        trained = train(tmp_path / "base", data, out, recipe, cpu=True)
    assert (trained.examples, trained.steps) == (8, 4)
    assert 0 < trained.trainable < trained.parameters / 3
    adapter = json.loads((out / "adapter_config.json").read_text())
    assert (adapter["r"], adapter["lora_alpha"], adapter["peft_type"]) == (8, 16, "LORA")
    assert (out / "adapter_model.safetensors").is_file()
    losses = [entry["loss"] for entry in json.loads((out / LOG).read_text())]
    assert losses[-1] < losses[0]
    assert not (tmp_path / "adapter.part").exists()
    with pytest.raises(InputError, match="the folder is not empty"):
        train(tmp_path / "base", data, out, recipe, cpu=True)


def test_the_command_hands_the_recipe_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    def note(model: Path, data: Path, out: Path, recipe: Recipe, **options: Any) -> Trained:
        given.update(options, recipe=recipe)
        return Trained(examples=8, steps=2, trainable=10, parameters=100, loss=1.5)

    monkeypatch.setattr("evals.builders.finetune.training.train", note)
    done = CliRunner().invoke(
        app,
        ["finetune", "m", "--data", "d", "--out", str(tmp_path), "--at-once", "2", "--devices", "4",
         "--max-steps", "2", "--cpu", "--json"],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["trainable"] == 10
    assert given == {"devices": 4, "max_steps": 2, "cpu": True, "recipe": Recipe(at_once=2)}


@trained_here
def test_a_model_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "compound_qa_train.json").write_text(
        '[{"instruction": "a", "input": "", "output": "b"}]'
    )
    with pytest.raises(InputError, match=r"no model there \(config.json is missing\)"):
        train(tmp_path / "nowhere", tmp_path, tmp_path / "out", Recipe())
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="not a causal language model"):
        train(tmp_path, tmp_path, tmp_path / "out", Recipe())
    done = CliRunner().invoke(
        app,
        ["finetune", str(tmp_path / "x"), "--data", str(tmp_path), "--out", str(tmp_path / "o")],
    )
    assert isinstance(done.exception, InputError)
