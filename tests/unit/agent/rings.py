"""A question about rings, with its plan, its chunks, and an agent that answers from them."""

from __future__ import annotations

from typing import Any

from agent import Agent
from agent.types import Answer, SubQuestion
from corpus import Snapshot
from tests.reasoners import ScriptedReasoner, WordRetriever, chunk, core

CHUNKS = [
    chunk(1, "Saturn, Uranus and Neptune are planets with rings."),
    chunk(2, "The rings of Saturn were seen by Galileo."),
    chunk(3, "The rings of Uranus were seen by Elliot."),
    chunk(4, "The rings of Neptune were seen by Voyager."),
]
PLAN = [
    core("1", "Which planets have rings?"),
    core("2", "Who saw the rings of {1}?", "1"),
    SubQuestion(id="3", text="What are the rings of planets?", kind="background"),
    SubQuestion(
        id="4", text="What do the rings of {1} weigh?", kind="follow_up", depends_on=("1",)
    ),
]
QUESTION = "Which planets have rings, and who saw them first?"


def made(sample: Snapshot, reasoner: ScriptedReasoner, **options: Any) -> Agent:
    options.setdefault("retriever", WordRetriever(CHUNKS))
    return Agent(snapshot=sample, reasoner=reasoner, **options)


def reasoner(**options: Any) -> ScriptedReasoner:
    options.setdefault("steps", PLAN)
    says = {
        "Which planets": ["Saturn", "Uranus", "Neptune"],
        "rings of Saturn": ["Galileo"],
        "rings of Uranus": ["Elliot"],
        "rings of Neptune": ["Voyager"],
    }
    options.setdefault("says", says)
    return ScriptedReasoner(**options)


def statuses(answer: Answer) -> dict[str, str]:
    return {one.sub_question_id: one.status for one in answer.sub_answers}
