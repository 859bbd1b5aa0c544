"""The planner that a user names: what it writes is believed where it has the form of a plan."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.plan import plans_of
from agent.extractive.planner.writer.model import Written, embedded_writer
from agent.extractive.planner.writer.named_planner import HubPlanner, open_planner, read_plan
from agent.extractive.weights.store import FOLDER, open_tokenizer
from agent.settings import Settings, check_settings
from corpus.errors import InputError
from tests.unit.agent.extractive.planning import written

QUESTION = "Where was the director of Jaws born?"
STEPS = ("find: Who directed Jaws?", "ask: Where was {1} born?")


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


@pytest.mark.parametrize(
    "text",
    [
        "give; find: Who directed Jaws?; ask: Where was {1} born?",
        " Give;find: Who directed Jaws? ;ask: Where was {1} born?; ",
        "give\nfind: Who directed Jaws?\n\nask: Where was {1} born?\n",
    ],
)
def test_steps_stand_behind_semicolons_or_on_lines(text: str) -> None:
    assert read_plan(text) == Written("give", written(*STEPS), 0.0)


@pytest.mark.parametrize("operator", ["none", "explain"])
def test_what_asks_for_no_facts_needs_no_steps(operator: str) -> None:
    assert read_plan(operator) == Written(operator, (), 0.0)


NO_PLANS = pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "does not begin with an operator"),
        ("; ".join(STEPS), "does not begin with an operator"),
        ("guess; ask: Who directed Jaws?", "does not begin with an operator"),
        ("give", "it has no steps"),
        ("give; Who directed Jaws?", "no step: 'Who directed Jaws?'"),
        ("give; ask: Who directed Jaws?; ask", "no step: 'ask'"),
    ],
)


@NO_PLANS
def test_what_is_no_plan_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        read_plan(text)


@given(st.text(max_size=80) | st.text(alphabet="give; ask:{1}\n", max_size=80))
def test_any_text_is_a_plan_or_refused(text: str) -> None:
    try:
        plan = read_plan(text)
    except ValueError:
        return
    assert plan.lines or plan.operator in ("none", "explain")


def test_what_it_writes_becomes_the_plan() -> None:
    planner = HubPlanner(lambda question: "; ".join(("give", *STEPS)), embedded_writer())
    steps = plans_of(QUESTION, planner)[0].steps
    assert [step.text for step in steps] == ["Who directed Jaws?", "Where was {1} born?"]


@NO_PLANS
def test_what_is_no_plan_is_left_to_the_embedded_writer(
    text: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    planner = HubPlanner(lambda question: text, embedded_writer())
    assert planner.write(QUESTION) == embedded_writer().write(QUESTION)
    planner.write(QUESTION)
    assert [reason in record.message for record in caplog.records] == [True]


def test_any_text_to_text_model_is_asked(tiny: Path, caplog: pytest.LogCaptureFixture) -> None:
    plans = open_planner(str(tiny)).write("Who wrote Emma?")
    assert plans == embedded_writer().write("Who wrote Emma?")
    assert "the embedded writer's is" in caplog.text


def test_a_trained_writer_is_opened_from_its_folder() -> None:
    assert open_planner(str(FOLDER)).write(QUESTION) == embedded_writer().write(QUESTION)


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
