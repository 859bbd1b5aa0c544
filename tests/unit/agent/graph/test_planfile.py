from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.graph.planfile import plan_from_json, plan_from_text, plan_to_json, read_plan
from agent.types import SubQuestion
from corpus.errors import InputError


def test_a_plan_is_read_with_its_defaults(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text(
        '[{"text": "Which  planets?"}, {"text": "And {1}?", "kind": "follow-up", "depends_on": ["1"]}]'
    )
    assert read_plan(file) == [
        SubQuestion(id="1", text="Which planets?", kind="core"),
        SubQuestion(id="2", text="And {1}?", kind="follow_up", depends_on=("1",)),
    ]


def test_the_output_of_a_question_is_a_plan() -> None:
    steps = [
        SubQuestion(id="1", text="Which planets?", kind="core"),
        SubQuestion(id="2.1", text="And Mars?", kind="background", depends_on=("1",)),
    ]
    listed = [{**step, "status": "answered", "citations": [1]} for step in plan_to_json(steps)]
    printed = json.dumps({"question": "?", "sub_questions": listed})
    assert plan_from_text(printed, "it") == steps


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "not JSON in line 1, column 2"),
        ("[]", "sub_questions"),
        ('[{"kind": "core"}]', "sub_questions.0.text"),
        ('[{"text": "x", "kind": "vital"}]', "sub_questions.0.kind"),
        ('"x"', "no plan"),
    ],
)
def test_what_is_no_plan_is_refused_with_the_place(text: str, words: str) -> None:
    with pytest.raises(InputError, match=r"^plan\.json: ") as caught:
        plan_from_text(text, "plan.json")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the plan cannot be read"):
        read_plan(tmp_path / "none.json")
    binary = tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        read_plan(binary)


def test_numbers_for_ids_are_taken() -> None:
    steps = plan_from_json([{"id": 7, "text": "x", "depends_on": []}], "it")
    assert steps[0].id == "7"
