from __future__ import annotations

from dataclasses import replace

from agent import Agent
from agent.extractive.composer.composition import compose_found
from agent.extractive.composer.run_plan import in_force, next_try
from agent.extractive.planner.conditions import Condition
from agent.extractive.planner.decomposition import Decomposition, Step
from agent.types import Citation, SubAnswer, SubQuestion
from corpus import Snapshot
from tests.reasoners import core, hit

HITS = [hit(1, "Satellites: 97", "Jupiter"), hit(2, "Satellites: 274", "Saturn")]
QUESTION = "How many moons do Saturn and Jupiter have?"


def found(id_: str, value: str, number: int) -> SubAnswer:
    chunk = HITS[number - 1].chunk
    cited = Citation(
        number=1, chunk_id=chunk.id, revision=chunk.revision, start=chunk.start, end=chunk.end,
        quote=chunk.text,
    )  # fmt: skip
    return SubAnswer(
        sub_question_id=id_,
        status="answered",
        text=f"{value} [1]",
        citations=(cited,),
        items=(value,),
    )


def test_a_plan_in_another_order_gives_each_member_its_own_value_and_marks() -> None:
    reading = Decomposition(
        question=QUESTION,
        members=("Saturn", "Jupiter"),
        steps=(
            Step(id="1", text="How many moons does Saturn have?", member="Saturn", column="m"),
            Step(id="2", text="How many moons does Jupiter have?", member="Jupiter", column="m"),
        ),
    )
    run = [
        core("1", "How many moons does Jupiter have?"),
        core("2", "How many moons does Saturn have?"),
    ]
    composed = compose_found(
        reading, run, [found("1", "97", 1), found("2", "274", 2)], HITS, "short"
    )
    assert composed.text.split("\n") == ["Saturn: 274 [2]", "Jupiter: 97 [1]"]


def test_a_plan_in_other_words_is_composed_by_its_own_structure() -> None:
    reading = Decomposition(question=QUESTION, steps=(Step(id="1", text="Something else?"),))
    run = [core("1", "Satellites of Jupiter?"), core("2", "Satellites of Saturn?")]
    composed = compose_found(
        reading, run, [found("1", "97", 1), found("2", "274", 2)], HITS, "long"
    )
    assert composed.text == "- Satellites of Jupiter? 97 [1]\n- Satellites of Saturn? 274 [2]"


def test_a_given_plan_that_asks_jupiter_first_answers_jupiter_with_jupiter(
    sample: Snapshot,
) -> None:
    plan = [
        core("1", "How many known moons does Jupiter have?"),
        core("2", "How many known moons does Saturn have?"),
    ]
    with Agent(snapshot=sample) as agent:
        answer = agent.ask("How many known moons do Saturn and Jupiter have?", plan=plan)
    said = {one.number: f"{one.revision.title} {one.quote}" for one in answer.citations}
    for line in answer.text.split("\n"):
        for name in ("Jupiter", "Saturn"):
            if name in line:
                number = int(line.rpartition("[")[2].partition("]")[0])
                assert name in said[number]
    assert "97" in next(line for line in answer.text.split("\n") if "Jupiter" in line)


def test_what_is_asked_of_each_is_said_of_each() -> None:
    deep = Condition(kind="max")
    steps = tuple(
        Step(id=str(n), text=text, member=member, column=column, condition=condition)
        for n, text, member, column, condition in [
            (1, "How deep is Erie?", "Erie", "How deep is {m}?", deep),
            (2, "How deep is Ohrid?", "Ohrid", "How deep is {m}?", deep),
            (3, "Where is Erie?", "Erie", "Where is {m}?", None),
            (4, "Where is Ohrid?", "Ohrid", "Where is {m}?", None),
        ]
    )
    reading = Decomposition(
        question="Which is deeper, Erie or Ohrid, and where is each?",
        steps=steps, members=("Erie", "Ohrid"), of_each=True,
    )  # fmt: skip
    asked = [SubQuestion(id=step.id, text=step.text, kind="core") for step in steps]
    values = ["64 m", "288 m", "Ohio", "Macedonia"]
    answers = [
        SubAnswer(sub_question_id=step.id, status="answered", text=value, items=(value,))
        for step, value in zip(steps, values, strict=True)
    ]
    composed = compose_found(reading, asked, answers, [], "long")
    assert composed.text.splitlines() == [
        "Ohrid (computed from the lines below).",
        "- Ohrid: 288 m; Macedonia",
        "- Erie: 64 m; Ohio",
    ]
    assert composed.items[0] == "Ohrid"


def test_a_plan_whose_steps_were_all_asked_before_is_known_by_them() -> None:
    moons = Step(id="1", text="What are the moons of Vella?", role="set")
    wide = Step(id="2", text="How wide is {1}?", depends_on=("1",))
    plans = [
        Decomposition(question=QUESTION, steps=(replace(moons, text="What are the Vella moons?"),)),
        Decomposition(question=QUESTION, steps=(moons, wide)),
        Decomposition(question=QUESTION, steps=(moons,), counted=True),
    ]
    run = [core("1", "What are the Vella moons?")]
    assert in_force(plans, run) == 1
    for number in (2, 3):
        run = next_try(plans, run, number - 1)
        assert in_force(plans, run) == number
    assert [step.id for step in run] == ["1b"]
    assert in_force(plans, [core("1d", "Who is Vo?")]) == 4
