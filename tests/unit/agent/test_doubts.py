"""What hangs on an answer that was not found for certain: asked all the same, and never asserted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from agent import Agent, events
from agent.budget import Budget, Meter
from agent.citations.support.faults import SUPPORTED
from agent.errors import ModelUnreachable
from agent.graph.nodes import answer as answer_tasks
from agent.graph.record.hits import Hits
from agent.graph.state import Context, Task, Tasks
from agent.settings import Settings
from agent.types import SubQuestion
from corpus import Snapshot
from tests.reasoners import Said, ScriptedReasoner, WordRetriever, chunk, core
from tests.unit.agent.rings import made, statuses

QUESTION = "When was their writer born?"
NOTES = [
    SubQuestion(id="1", text="Who wrote the notes?", kind="core"),
    SubQuestion(id="2", text="In which year was {1} born?", kind="core", depends_on=("1",)),
]


def writing(says: Mapping[str, Said], *lines: str) -> tuple[ScriptedReasoner, WordRetriever]:
    chunks = [chunk(number, line) for number, line in enumerate(lines, start=1)]
    return ScriptedReasoner(steps=NOTES, says=says), WordRetriever(chunks)


def test_what_hangs_on_an_unsure_answer_is_asked_and_is_unsure_too(sample: Snapshot) -> None:
    thinker = ScriptedReasoner(
        steps=[core("1", "Who wrote the notes?"), core("2", "In which year was {1} born?", "1")],
        says={"notes": ["Ada"], "born": ["1815"]},
    )
    lines = ["Ada may have written the notes.", "Ada was born in 1815."]
    chunks = [chunk(number, line) for number, line in enumerate(lines, start=1)]
    answer = made(sample, thinker, retriever=WordRetriever(chunks)).ask("When was she born?")
    assert statuses(answer) == {"1": "unsure", "2.1": "unsure"}
    assert answer.sub_questions[1].text == "In which year was Ada born?"
    assert answer.sub_answers[1].error == "it hangs on the answer to 1, which is unsure"
    assert {citation.support for citation in answer.sub_answers[1].citations} == {"unsure"}


def test_what_hangs_on_nothing_found_is_asked_in_words_and_never_asserted(sample: Snapshot) -> None:
    thinker, retriever = writing(
        {"Who": None, "born": ["1815"]}, "Whoever wrote the notes was born in the year 1815."
    )
    answer = made(sample, thinker, retriever=retriever).ask(QUESTION)
    assert statuses(answer) == {"1": "not_found", "2.1": "unsure"}
    # The quote says every word of it, so that only what fills the step speaks against it.
    assert thinker.asked[1] == "In which year was whoever wrote the notes born?"
    assert thinker.asked[1] in retriever.batches[-1]
    assert answer.sub_answers[1].error == "it hangs on 1, which was not found"
    assert {one.support for one in answer.sub_answers[1].citations} == {"unsure"}


async def test_no_verifier_makes_sure_what_hangs_on_nothing_found() -> None:
    thinker, retriever = writing({"born": ["1815"]}, "Ada was born in the year 1815.")
    context = Context(
        reasoner=thinker,
        retriever=retriever,
        settings=Settings(),
        meter=Meter(Budget()),
        reread=lambda *_: SUPPORTED,
    )
    step = core("2.1", "In which year was Ada born?", "1")
    hits = Hits(retriever.search([step.text], 5)[0])
    for doubt, support in (("", "supported"), ("it hangs on 1, which was not found", "unsure")):
        tasks = Tasks(tasks=(Task(sub_question=step, hits=hits, doubted=doubt),))
        update = await answer_tasks(tasks, SimpleNamespace(context=context))  # type: ignore[arg-type]
        found = update["found"]["2.1"].sub_answer
        assert {one.support for one in found.citations} == {support}
        assert found.status == ("unsure" if doubt else "answered")


def test_a_guess_that_no_quote_bears_out_is_followed_and_told_to_nobody(sample: Snapshot) -> None:
    thinker, retriever = writing(
        {"wrote": ["Ada"], "born": ["1815"]},
        "The notes, which she wrote, are by Ada.",
        "Ada was born in the year 1815.",
    )
    thinker.steps = [replace(NOTES[0], text="Who wrote the notes for Babbage?"), NOTES[1]]
    answer = made(sample, thinker, retriever=retriever).ask(QUESTION)
    assert statuses(answer) == {"1": "not_found", "2.1": "unsure"}
    assert answer.sub_questions[1].text == "In which year was Ada born?"
    assert (answer.sub_answers[0].text, answer.sub_answers[0].items) == ("", ())
    assert {one.support for one in answer.sub_answers[1].citations} == {"unsure"}


def test_a_guess_and_what_hangs_on_it_come_back_from_a_checkpoint(
    sample: Snapshot, tmp_path: Path
) -> None:
    lines = ("The notes, which she wrote, are by Ada.", "Ada was born in the year 1815.")
    says: dict[str, Said] = {"wrote": ["Ada"], "born": ["1815"]}
    plan = [
        replace(NOTES[0], text="Who wrote the notes for Babbage?"),
        NOTES[1],
        SubQuestion(id="3", text="Who else lived in {2}?", kind="core", depends_on=("2",)),
    ]

    def opened(**said: Said) -> tuple[ScriptedReasoner, Agent]:
        thinker, retriever = writing(says | said, *lines)
        thinker.steps = plan
        file = tmp_path / "runs.sqlite"
        return thinker, made(sample, thinker, retriever=retriever, checkpoints=file)

    async def last(stream: AsyncIterator[events.Event]) -> events.Event:
        return [event async for event in stream][-1]

    whole = asyncio.run(last(opened()[1].events(QUESTION, run_id="whole")))
    with pytest.raises(ModelUnreachable):
        asyncio.run(last(opened(born=ModelUnreachable("gone"))[1].events(QUESTION, run_id="cut")))
    thinker, agent = opened()
    resumed = asyncio.run(last(agent.resume("cut")))
    assert thinker.asked == ["In which year was Ada born?", "Who else lived in 1815?"]
    assert isinstance(whole, events.Answered)
    assert isinstance(resumed, events.Answered)
    assert statuses(resumed.answer)["2.1"] == "unsure"
    assert resumed.answer.sub_answers == whole.answer.sub_answers
    assert resumed.answer.text == whole.answer.text
