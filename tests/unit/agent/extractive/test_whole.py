from __future__ import annotations

from dataclasses import replace

import pytest

from agent import Agent
from agent.extractive.planner.conditions import Condition
from agent.extractive.planner.decomposition import Decomposition, Step
from agent.extractive.reader.whole import (
    as_asked,
    may_still_be_whole,
    told_whole,
)
from agent.extractive.reasoner import ExtractiveReasoner
from agent.extractive.sources import Sources
from agent.graph.nodes.plans import ANOTHER
from agent.types import SubAnswer, SubQuestion
from corpus import Snapshot
from retrieval.dense.embedders import shared_embedder
from retrieval.types import Hit
from tests.reasoners import hit
from tests.unit.agent.extractive.planning import Told
from tests.unit.agent.extractive.pointing import Pointer

KURSK = hit(1, "A torpedo with hydrogen peroxide caused the first blast on the Kursk.", "Kursk")
BRIDGE = Step(id="1", text="What is the first blast on the Kursk?", role="bridge")
CAUSE = Step(id="2", text="Which substance caused {1}?", depends_on=("1",))
QUESTION = "Which substance caused the first blast on the Kursk?"


@pytest.mark.parametrize(
    ("question", "chunk", "margin", "told"),
    [
        (QUESTION, KURSK, Pointer.alone_from, True),
        (QUESTION, KURSK, Pointer.alone_from - 0.1, False),
        ("Which substance caused the blast on the Oslo?", KURSK, 11.0, False),
        ("first blast on the Kursk substance", KURSK, 11.0, False),
        ("the torpedo which caused the first blast on the Kursk substance", KURSK, 11.0, False),
        (f"I wonder {QUESTION.lower()[:-6]} Kursk", KURSK, 11.0, True),
        (f"{QUESTION[:-1]}, and when?", KURSK, 11.0, False),
        (f"{QUESTION} And in which year?", KURSK, 11.0, False),
        ("Of the blasts on the Kursk, which substance caused the first?", KURSK, 11.0, True),
        ("Did hydrogen peroxide cause the blast on the Kursk?", KURSK, 11.0, False),
        (QUESTION, hit(1, "Fuel: hydrogen peroxide\nName: Kursk", "Kursk"), 11.0, False),
    ],
)
def test_a_sentence_that_the_reader_is_certain_of_answers_whole(
    question: str, chunk: Hit, margin: float, told: bool
) -> None:
    sources = Sources(None, readable=False)
    reader = Pointer("hydrogen peroxide", margin)
    value = told_whole(question, [chunk], sources, reader, shared_embedder())
    assert (value.text if value is not None else "") == ("hydrogen peroxide" if told else "")


@pytest.mark.parametrize(
    ("reading", "whole"),
    [
        (Decomposition(question=QUESTION, steps=(BRIDGE, CAUSE)), True),
        (Decomposition(question=QUESTION, steps=(CAUSE,)), True),
        (Decomposition(question=QUESTION, steps=(CAUSE,), counted=True), True),
        (Decomposition(question=QUESTION, steps=(BRIDGE, CAUSE), unread="unsure"), False),
        (Decomposition(question=QUESTION, steps=(BRIDGE, CAUSE), combine="sum"), False),
        (Decomposition(question=QUESTION, steps=(BRIDGE, CAUSE, CAUSE)), True),
        (
            Decomposition(question=QUESTION, steps=(replace(BRIDGE, role="set"), CAUSE, CAUSE)),
            False,
        ),
        (
            Decomposition(
                question=QUESTION, steps=(BRIDGE, replace(CAUSE, condition=Condition(kind="max")))
            ),
            False,
        ),
        (
            Decomposition(
                question=QUESTION, steps=(BRIDGE, replace(CAUSE, condition=Condition(kind="yes")))
            ),
            True,
        ),
    ],
)
def test_what_is_listed_compared_or_computed_is_never_taken_whole(
    reading: Decomposition, whole: bool
) -> None:
    assert may_still_be_whole(reading) is whole


@pytest.mark.parametrize(
    ("lines", "asked"),
    [
        (("find: What is the first blast?", "ask: Which substance caused {1}?"), [QUESTION]),
        (("set: What are the blasts?", "most: How high was {1}?", "ask: What caused {1}?"), []),
        ((f"ask: {QUESTION}",), []),
        (("ask: What caused the first blast?",), [QUESTION]),
    ],
)
def test_the_question_whole_is_the_last_that_is_tried(
    lines: tuple[str, ...], asked: list[str]
) -> None:
    reasoner = ExtractiveReasoner(
        shared_embedder(),
        reader=Pointer("hydrogen peroxide", 3.0),
        planner=Told("give", *lines),
    )
    steps = [
        SubQuestion(id=str(number), text=line.split(": ")[1], kind="core")
        for number, line in enumerate(lines, start=1)
    ]
    answers = [SubAnswer(sub_question_id=step.id, status="not_found") for step in steps]
    following = reasoner.another_plan(QUESTION, steps, answers, [KURSK])
    assert [(step.id, step.text) for step in following] == [("1b", text) for text in asked]
    if following:
        # Where it finds nothing, the steps before it say more of that; they are not asked again.
        last = [*answers, SubAnswer(sub_question_id="1b", status="not_found")]
        back = reasoner.another_plan(QUESTION, following, last, [KURSK])
        assert [(step.id, step.text) for step in back] == [(step.id, step.text) for step in steps]
        assert reasoner.another_plan(QUESTION, back, last, [KURSK]) == []
        unsure = [*answers, SubAnswer(sub_question_id="1b", status="unsure")]
        assert reasoner.another_plan(QUESTION, following, unsure, [KURSK]) == []


@pytest.mark.parametrize(("margin", "status"), [(3.0, "answered"), (-1.0, "not_found")])
async def test_of_the_question_whole_only_a_sentence_is_believed(
    margin: float, status: str
) -> None:
    box = hit(2, "Substance: copper\nName: Kursk\nFirst blast: copper", "Kursk")
    reasoner = ExtractiveReasoner(
        shared_embedder(),
        reader=Pointer("hydrogen peroxide", margin),
        planner=Told("give", "find: What is the first blast?", "ask: Which substance caused {1}?"),
    )
    await reasoner.plan(QUESTION, [])
    whole = SubQuestion(id="1b", text=QUESTION, kind="core")
    finding = await reasoner.answer(whole, [KURSK, box])
    assert finding.sub_answer.status == status
    assert finding.sub_answer.items == (("hydrogen peroxide",) if status == "answered" else ())


async def test_an_unsure_plan_is_no_reason_to_doubt_a_sentence() -> None:
    unsure = Told("give", "find: What is the blast?", "ask: Which substance was it?", score=-9.0)
    whole = SubQuestion(id="1", text=QUESTION, kind="core")
    for margin, status in ((3.0, "answered"), (-3.5, "not_found")):
        reasoner = ExtractiveReasoner(
            shared_embedder(), reader=Pointer("hydrogen peroxide", margin), planner=unsure
        )
        assert [step.text for step in await reasoner.plan(QUESTION, [KURSK])] == [QUESTION]
        finding = await reasoner.answer(whole, [KURSK])
        composed = await reasoner.compose(
            QUESTION, sub_questions=[whole], sub_answers=[finding.sub_answer], hits=[KURSK],
            style="short", guidance="sub_answers",
        )  # fmt: skip
        assert bool(composed.text) is (status == "answered")


@pytest.mark.parametrize(
    ("question", "form", "kind"),
    [
        ("That stream down in Orland, what mountain does it start on?", "name", "mountain"),
        ("A mill stood in Ham. It burnt down. When was that?", "date", ""),
        ("So a baker made it, and where did he die?", "place", "place"),
        ("Which moon, which Lee found, is the largest?", "name", "moon"),
        ("When was Ham built?", "date", ""),
    ],
)
def test_the_last_clause_that_asks_says_what_form_the_answer_has(
    question: str, form: str, kind: str
) -> None:
    asked = as_asked(question, Sources(None, readable=False))
    assert (asked.form, asked.text) == (form, question)
    assert kind in (asked.kind, "place")


def test_a_question_ends_with_the_steps_of_a_plan_where_whole_it_finds_nothing(
    sample: Snapshot,
) -> None:
    lines = ("find: Who made the rings of Vulcan?", "ask: Where was {1} born?")
    agent = Agent(
        snapshot=sample,
        reasoner=ExtractiveReasoner(
            shared_embedder(), reader=Pointer("", -9.0), planner=Told("give", *lines)
        ),
    )
    answer = agent.ask("Where was the maker of the rings of Vulcan born?")
    assert answer.abstained
    assert [step.text for step in answer.sub_questions if step.kind == "core"][:1] == [
        "Who made the rings of Vulcan?"
    ]
    # It was asked whole, too, which is noted once, and each step once.
    assert answer.notes.count(ANOTHER) == 1
    ids = [one.sub_question_id for one in answer.sub_answers]
    assert len(ids) == len(set(ids))
