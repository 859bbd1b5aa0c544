"""The planner that a user names: what it writes is believed only where it is the question."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from agent.extractive.planner.marks.named_planner import HubPlanner, open_planner, read_marked
from agent.extractive.planner.marks.tagger import embedded_tagger
from agent.extractive.planner.marks.types import parse
from agent.extractive.planner.plan import plan_of
from agent.extractive.weights.store import FOLDER, open_tokenizer
from agent.settings import Settings, check_settings
from corpus.errors import InputError

EXAMPLES = Path(__file__).parents[6] / "bench/data/planner_questions_a.jsonl"
QUESTION = "How wide is the river that Ann Lee sailed, and who bridged it?"
MARKED = "[A How wide is [B the river that Ann Lee sailed]], and [A who bridged [RB it]]?"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text-to-text model of one small layer, which has learned nothing."""
    import torch
    from transformers import BertTokenizerFast, T5Config, T5ForConditionalGeneration

    folder = tmp_path_factory.mktemp("planner")
    torch.manual_seed(0)
    tokenizer = BertTokenizerFast(tokenizer_object=open_tokenizer())
    config = T5Config(
        vocab_size=tokenizer.vocab_size, d_model=16, d_kv=8, d_ff=16, num_layers=1, num_heads=2,
        decoder_start_token_id=tokenizer.pad_token_id, pad_token_id=tokenizer.pad_token_id,
        eos_token_id=tokenizer.sep_token_id,
    )  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_every_example_can_be_written_and_read() -> None:
    lines = EXAMPLES.read_text(encoding="utf-8").splitlines()[:200]
    for record in (json.loads(line) for line in lines):
        question, marks = parse(record["marked"])
        if record["op"] == "none" or not marks:
            continue
        read = read_marked(question, f"{record['op']}: {record['marked']}")
        assert read.operator == record["op"]
        assert list(read.marks) == marks


def test_what_it_marks_becomes_the_plan() -> None:
    planner = HubPlanner(lambda question: f"give: {MARKED}", embedded_tagger())
    assert [step.text for step in plan_of(QUESTION, planner).steps] == [
        "What is the river that Ann Lee sailed?",
        "How wide is {1}?",
        "Who bridged {1}?",
    ]


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("", "does not begin with an operator"),
        (MARKED, "does not begin with an operator"),
        ("guess: " + MARKED, "does not begin with an operator"),
        ("give: [A How wide is the river]?", "another question"),
        ("give: " + MARKED.replace("]?", "?"), "not closed"),
        ("give: " + MARKED.replace("[RB", "[Q"), "unknown label"),
        ("give: " + QUESTION, "nothing is marked"),
    ],
)
def test_what_is_no_marked_form_of_the_question_is_left_to_the_tagger(
    written: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    planner = HubPlanner(lambda question: written, embedded_tagger())
    assert planner.tag(QUESTION) == embedded_tagger().tag(QUESTION)
    planner.tag(QUESTION)
    assert [reason in record.message for record in caplog.records] == [True]


def test_any_text_to_text_model_is_asked(tiny: Path, caplog: pytest.LogCaptureFixture) -> None:
    tagged = open_planner(str(tiny)).tag("Who built the tower of Oslo?")
    assert tagged == embedded_tagger().tag("Who built the tower of Oslo?")
    assert "the embedded tagger's are" in caplog.text


def test_a_trained_tagger_is_opened_from_its_folder() -> None:
    assert open_planner(str(FOLDER)).tag(QUESTION) == embedded_tagger().tag(QUESTION)


def test_what_is_no_planner_is_refused_in_one_line(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=r"it has no config\.json"):
        open_planner(str(tmp_path))
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(InputError, match="the planner cannot be loaded"):
        open_planner(str(tmp_path))
    with pytest.raises(InputError, match="is for the extractive engine"):
        check_settings(Settings(planner="a", model="b"))
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match="needs torch and transformers: pip install"):
        open_planner(str(tiny))
