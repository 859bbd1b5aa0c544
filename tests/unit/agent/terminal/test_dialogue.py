from __future__ import annotations

import click
import pytest

from agent import Agent
from agent.terminal import dialogue
from agent.terminal.dialogue import decide, print_result
from agent.types import Answer, Usage
from corpus import Snapshot
from tests.reasoners import ScriptedReasoner, WordRetriever, core

STEPS = [core("1", "Which planets?"), core("2", "Who saw {1}?", "1")]


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A person at the terminal, who answers these, one after the other."""
    said: list[str] = []
    monkeypatch.setattr(dialogue, "_somebody_there", lambda: True)
    monkeypatch.setattr(dialogue, "_drawn_live", lambda: True)
    monkeypatch.setattr(click, "prompt", lambda *_, **__: said.pop(0))
    return said


def test_enter_takes_the_plan_and_q_leaves_it(terminal: list[str]) -> None:
    terminal[:] = [""]
    assert decide(STEPS) == STEPS
    terminal[:] = ["what?", "q"]
    assert decide(STEPS) is None


def test_an_edited_plan_is_shown_again(
    terminal: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    edits = ["no plan", '[{"text": "Which moons?"}]']
    monkeypatch.setattr(click, "edit", lambda text, extension: edits.pop(0))
    terminal[:] = ["e", "e", "y"]
    chosen = decide(STEPS)
    assert chosen is not None
    assert [step.text for step in chosen] == ["Which moons?"]
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "  2 core: Who saw {1}? (needs 1)" in printed.err
    assert "not JSON in line 1" in printed.err
    assert "  1 core: Which moons?" in printed.err


def test_an_editor_that_was_left_changes_nothing(
    terminal: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(click, "edit", lambda text, extension: None)
    terminal[:] = ["e", ""]
    assert decide(STEPS) == STEPS


def test_what_was_struck_and_altered_is_told_beside_the_result(
    sample: Snapshot, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = Agent(snapshot=sample, reasoner=ScriptedReasoner(), retriever=WordRetriever([]))
    answer = Answer(
        question="?",
        text="Rings.",
        abstained=False,
        sub_questions=(),
        sub_answers=(),
        citations=(),
        suggestions=(),
        usage=Usage(),
        struck=("[1]: no\x1b such passage was retrieved",),
        unsupported=True,
        notes=("plan: 2 repeats 1: removed",),
    )
    assert print_result(answer, agent, as_json=False, verbose=False) == 0
    printed = capsys.readouterr()
    assert printed.err.splitlines() == [
        "run_agent: plan: 2 repeats 1: removed",
        "run_agent: struck out: [1]: no such passage was retrieved",
        "run_agent: no citation of this answer could be verified",
    ]
    assert printed.out.splitlines()[0] == "Rings."
    assert dialogue.NOTHING_FOUND == 3
    again = print_result(answer, agent, as_json=False, verbose=False, told={answer.notes[0]})
    assert again == 0
    assert "repeats" not in capsys.readouterr().err


def test_a_plan_nobody_is_there_to_decide_on_waits(capsys: pytest.CaptureFixture[str]) -> None:
    assert decide(STEPS) is None
    assert capsys.readouterr().err == ""
