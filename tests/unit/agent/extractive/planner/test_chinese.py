"""Chinese questions that ask the same of several named things."""

from __future__ import annotations

import pytest

from agent.extractive.planner.chinese import chinese_steps


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("挪威和瑞典的首都分别是哪里？", ["挪威的首都是哪里？", "瑞典的首都是哪里？"]),
        (
            "长笛、双簧管与单簧管各有多长？",
            ["长笛有多长？", "双簧管有多长？", "单簧管有多长？"],
        ),
    ],
)
def test_each_named_thing_gets_its_step(question: str, steps: list[str]) -> None:
    reading = chinese_steps(question)
    assert reading is not None
    assert [step.text for step in reading.steps] == steps


@pytest.mark.parametrize("question", ["谁写了这本书？", "挪威和瑞典哪个更大？", ""])
def test_other_questions_are_left_whole(question: str) -> None:
    assert chinese_steps(question) is None
