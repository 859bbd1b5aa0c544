"""What is left of a reply that was cut off is what it had said in full."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.llm.replies.salvage import salvage
from agent.prompted.forms import AnswerReply, ComposedReply, KindsReply, PlanReply

TEXT = st.text(max_size=12)
STEPS = st.lists(
    st.fixed_dictionaries({"id": TEXT, "question": TEXT, "depends_on": st.lists(TEXT, max_size=2)}),
    max_size=4,
)


@given(STEPS, st.data(), st.booleans())
def test_a_plan_keeps_its_finished_steps_and_no_other(
    steps: list[dict[str, Any]], data: st.DataObject, ascii_: bool
) -> None:
    whole = json.dumps({"sub_questions": steps}, ensure_ascii=ascii_)
    end = data.draw(st.integers(0, len(whole)))
    kept = salvage(whole[:end], PlanReply)
    if end == len(whole):
        assert kept is None
    elif kept is not None:
        expected = PlanReply.model_validate({"sub_questions": steps}).sub_questions
        number = len(kept.sub_questions)
        assert kept.sub_questions == expected[:number]
        # Nothing that was finished is lost, the step at the very end perhaps excepted.
        ends = [
            len(json.dumps({"sub_questions": steps[: n + 1]}, ensure_ascii=ascii_)) - 2
            for n in range(len(steps))
        ]
        assert number >= sum(one < end for one in ends)


@given(st.text(max_size=200))
def test_any_text_is_borne(text: str) -> None:
    for form in (PlanReply, AnswerReply, ComposedReply):
        salvage(text, form)
        salvage('{"text": "' + text, form)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ('{"text": "Titan is a moon [1]. It was not dis', "Titan is a moon [1]."),
        ('{"text": "Titan is a moon. [1] It was', "Titan is a moon. [1]"),
        ('{"text": "土卫六是卫星。它没有被', "土卫六是卫星。"),
        ('<think>{"text": "no"</think>```json\n{"text": "A. B', "A."),
        ('<think>it may be {"text": "Yes. N', None),
        ('{"text": "It was not dis', ""),
        ('{"text": "All of it.", "items": ["a", "b', "All of it."),
        ('{"text": "All of it.", "items": ["a"], "quotes": [{"source": 1, "quo', "All of it."),
        ('{"text": "It weighs 3.5', ""),
        ('{"text": 35', None),
        ('{"text": "All of it.", "items": [12, 3', "All of it."),
        ('{"text": "whole"}', None),
        ('{"tex', None),
        ("no JSON at all", None),
    ],
)
def test_a_text_keeps_its_finished_sentences(said: str, text: str | None) -> None:
    kept = salvage(said, ComposedReply)
    assert (None if kept is None else kept.text) == text


def test_what_lacks_a_required_part_is_nothing() -> None:
    assert salvage('{"answer": "Titan. And', AnswerReply) is None
    kinds = salvage('{"kinds": [{"number": 1, "kind": "core"}, {"number": 2, "ki', KindsReply)
    assert kinds is not None
    assert [one.number for one in kinds.kinds] == [1]
    answer = salvage('{"found": true, "answer": "Two. Th', AnswerReply)
    assert answer == AnswerReply(found=True, answer="Two.")
