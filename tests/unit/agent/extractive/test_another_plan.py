"""A later plan is a guess: that no member meets its condition is asserted only where the first plan
has the same structure.
"""

from __future__ import annotations

import asyncio

import pytest

from agent.extractive.planner.writer.model import Written
from agent.extractive.reasoner import ExtractiveReasoner
from agent.reasoner import Composed
from agent.types import Citation, SubAnswer, SubQuestion
from retrieval.dense.embedders import shared_embedder
from tests.reasoners import hit
from tests.unit.agent.extractive.planning import Told, written

QUESTION = "Which moons of Vella are wide?"
MOONS = "set: What are the moons of Vella?"
WIDE = "> 900 km: How wide is {1}?"
FIRST = {
    "the same": (MOONS, "> 900 km: What is the width of {1}?"),
    "another bound": (MOONS, "> 800 km: What is the width of {1}?"),
    "no condition": (MOONS, "ask: What is the width of {1}?"),
    "one step": ("ask: Which moons of Vella are wide?",),
}
PAGE = hit(1, "Moon: Ro | Width: 300 km\nMoon: Vo | Width: 400 km", "Vella")


def found(id_: str, *items: str) -> SubAnswer:
    chunk = PAGE.chunk
    cited = Citation(
        number=1, chunk_id=chunk.id, revision=chunk.revision, start=chunk.start, end=chunk.end,
        quote=chunk.text, support="supported",
    )  # fmt: skip
    return SubAnswer(
        sub_question_id=id_,
        status="answered",
        text=", ".join(items),
        items=items,
        citations=(cited,),
    )


def composed(
    operator: str, first: tuple[str, ...], letter: str, widths: tuple[str, str]
) -> Composed:
    """What the plan that was tried after `first`, or itself, makes of two moons' widths."""
    lines = (MOONS, WIDE)
    plans = (first, lines) if letter else (lines, first)
    other = Written(operator, written(*plans[1]), -1.0)
    planner = Told(operator, *plans[0], others=[other])
    steps = [
        SubQuestion(id="1", text="What are the moons of Vella?", kind="core"),
        SubQuestion(id=f"2{letter}.1", text="How wide is Ro?", kind="core", depends_on=("1",)),
        SubQuestion(id=f"2{letter}.2", text="How wide is Vo?", kind="core", depends_on=("1",)),
    ]
    answers = [
        found("1", "Ro", "Vo"), *(found(step.id, w) for step, w in zip(steps[1:], widths, strict=True))
    ]  # fmt: skip
    made = ExtractiveReasoner(shared_embedder(), planner=planner).compose(
        QUESTION,
        sub_questions=steps,
        sub_answers=answers,
        hits=[PAGE],
        style="short",
        guidance="sub_answers",
    )
    return asyncio.run(made)


@pytest.mark.parametrize(("operator", "none"), [("give", "None"), ("count", "0"), ("any", "No")])
def test_that_none_meets_the_condition_is_said_by_the_first_plan(operator: str, none: str) -> None:
    small = ("300 km", "400 km")
    assert composed(operator, FIRST["one step"], "", small).text.startswith(none)
    assert composed(operator, FIRST["the same"], "b", small).text.startswith(none)
    for other in ("another bound", "no condition", "one step"):
        made = composed(operator, FIRST[other], "b", small)
        assert made.text == ""
        assert "less likely plan" in made.withheld


def test_what_a_later_plan_finds_is_said() -> None:
    for other in FIRST.values():
        assert composed("give", other, "b", ("300 km", "990 km")).text.startswith("Vo [1]: 990")
        assert composed("count", other, "b", ("300 km", "990 km")).text.startswith("1")


def test_a_plan_of_the_same_steps_in_another_order_is_not_tried() -> None:
    first = ("find: Who is Ro?", "find: Who is Vo?", "ask: How far is {1} from {2}?")
    turned = ("find: Who is Vo?", "find: Who is Ro?", "ask: How far is {2} from {1}?")
    last = ("find: What lies between Ro and Vo?", "ask: How wide is {1}?")
    others = [Written("give", written(*lines), -1.0) for lines in (turned, last)]
    planner = Told("give", *first, others=others)
    reasoner = ExtractiveReasoner(shared_embedder(), planner=planner)
    question = "How far is Ro from Vo?"
    steps = asyncio.run(reasoner.plan(question, []))
    seen = [tuple(step.text for step in steps)]
    answers: list[SubAnswer] = []
    while steps:
        answers += [SubAnswer(sub_question_id=step.id, status="not_found") for step in steps]
        steps = reasoner.another_plan(question, steps, answers, [])
        seen.append(tuple(step.text for step in steps))
    assert seen == [
        ("Who is Ro?", "Who is Vo?", "How far is {1} from {2}?"),
        ("What lies between Ro and Vo?", "How wide is {1c}?"),
        (question,),
        ("Who is Ro?", "Who is Vo?", "How far is {1} from {2}?"),
        (),
    ]
