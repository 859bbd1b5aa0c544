from __future__ import annotations

import io

import pytest
from rich.console import Console

from agent import events
from agent.terminal.view import LiveView, PlainView, open_view, outcome
from agent.types import Answer, SubAnswer, SubQuestion, Usage
from tests.reasoners import core

STEPS = (core("1", "Which \x1b[31mplanets?"), core("2", "Who saw {1}?", "1"))
FOLLOW_UP = SubQuestion(id="3", text="What next?", kind="follow_up")
FOUND = SubAnswer(sub_question_id="1", status="answered", text="Saturn [bold]\x1b[0m [1]")
STORY: list[events.Event] = [
    events.Begun(run_id="r1", question="?", resumable=True),
    events.PlanMade(sub_questions=(*STEPS, FOLLOW_UP), changes=("plan: 4 repeats 1: removed",)),
    events.Searching(queries=("Which planets?",)),
    events.SubQuestionStarted(sub_question=STEPS[0]),
    events.SubQuestionEnded(sub_question=STEPS[0], sub_answer=FOUND),
    events.PlanGrown(sub_questions=(core("2.1", "Who saw Saturn?", "1"),)),
    events.SubQuestionStarted(sub_question=core("2.1", "Who saw Saturn?", "1")),
    events.SubQuestionEnded(
        sub_question=core("2.1", "Who saw Saturn?", "1"),
        sub_answer=SubAnswer(sub_question_id="2.1", status="failed", error="no reply"),
    ),
    events.Composing(),
    events.Answered(
        answer=Answer(
            question="?",
            text="x",
            abstained=False,
            sub_questions=(),
            sub_answers=(),
            citations=(),
            suggestions=(),
            usage=Usage(),
        )
    ),
]


def test_plain_lines_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with PlainView() as view:
        for event in STORY:
            view.show(event)
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert lines[0] == "plan: 4 repeats 1: removed"
    assert "  1 core: Which [31mplanets?" in lines
    assert "  ✓ 1 Saturn [bold][0m [1]" in lines
    assert "  2.1 core: Who saw Saturn?" in lines
    assert "  ✗ 2.1 failed: no reply" in lines
    assert lines[-1] == "writing the answer"
    assert "\x1b" not in printed.err


def test_the_live_tree_shows_each_step_where_it_belongs() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80, height=20, color_system=None)
    with LiveView(console) as view:
        for event in STORY[:7]:
            view.show(event)
        drawn = Console(file=io.StringIO(), width=80)
        with drawn.capture() as shown:
            drawn.print(view._draw())
    lines = [line.rstrip() for line in shown.get().splitlines()]
    assert lines[0] == " ✓ 1 Which [31mplanets?  Saturn [bold][0m [1]"
    assert lines[1] == " … 2.1 Who saw Saturn?"
    assert lines[2].endswith("answering")
    assert len(lines) == 3


def test_a_plan_longer_than_the_terminal_is_cut() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=40, height=6)
    view = LiveView(console)
    view.show(
        events.PlanMade(
            sub_questions=tuple(core(str(n), "long question " * 9) for n in range(30)), changes=()
        )
    )
    with console.capture() as shown:
        console.print(view._draw())
    assert len(shown.get().splitlines()) <= 6


def test_outcomes_are_short() -> None:
    assert outcome(SubAnswer(sub_question_id="1", status="not_found")) == "not found"
    long = SubAnswer(sub_question_id="1", status="answered", text="word " * 99)
    assert len(outcome(long)) == 100


def test_no_terminal_gets_plain_lines() -> None:
    assert isinstance(open_view(), PlainView)
