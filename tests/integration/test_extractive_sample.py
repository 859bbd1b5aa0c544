"""The extractive engine reads the real sample: boxes, tables, sentences, lists, denials."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from agent.extractive import ExtractiveReasoner
from agent.graph.hits import gather
from agent.tools import Toolbox
from agent.types import SubAnswer, SubQuestion
from corpus import Snapshot
from corpus.sample import sample_snapshot
from retrieval.dense.embedders import shared_embedder
from retrieval.index import ensure_built, open_retriever


class Reader:
    """Answers one sub-question as the graph does."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.retriever = open_retriever(snapshot.folder, "hybrid")
        self.toolbox = Toolbox(self.retriever, snapshot, 10)
        self.reasoner = ExtractiveReasoner(shared_embedder(), snapshot, self.toolbox)

    def read(self, question: str) -> SubAnswer:
        (hits,) = gather(
            self.retriever, [question], 10, toolbox=self.toolbox, articles=self.snapshot
        )
        step = SubQuestion(id="1", text=question, kind="core")
        finding = asyncio.run(self.reasoner.answer(step, hits))
        known = {hit.chunk.id: hit.chunk for hit in finding.hits}
        for citation in finding.sub_answer.citations:
            chunk = known[citation.chunk_id]
            start = citation.start - chunk.start
            assert chunk.text[start : start + len(citation.quote)] == citation.quote
        return finding.sub_answer


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    folder = sample_snapshot("en")
    ensure_built(folder)
    with Snapshot.open(folder) as snapshot:
        yield Reader(snapshot)


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("How long is the Rhine?", ("1,230 km",)),
        ("Who was the commander of Apollo 11?", ("Neil Armstrong",)),
        ("At which universities did John Backus study?", ("Columbia University",)),
        ("When was Titan discovered?", ("25 March 1655",)),
        ("What is the population of Vienna?", ("1,982,000",)),
        ("Does Liechtenstein use the Swiss franc?", ("Yes",)),
        ("Does Austria use the Swiss franc?", ("No",)),
        (
            "What are the eight planets?",
            ("Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"),
        ),
        ("What are the rivers that rise in Switzerland?", ("Rhine", "Rhône")),
    ],
)
def test_values_lists_and_denials(reader: Reader, question: str, items: tuple[str, ...]) -> None:
    answer = reader.read(question)
    assert answer.status == "answered"
    # In which order a set is found is not said.
    assert sorted(answer.items) == sorted(items)
    assert answer.citations


@pytest.mark.parametrize(
    "question",
    ["Who is the mayor of Atlantis?", "How many inhabitants does Narnia have?"],
)
def test_what_is_not_there_is_not_found(reader: Reader, question: str) -> None:
    assert reader.read(question).status == "not_found"


def test_open_ended_questions_are_planned_from_headings(reader: Reader) -> None:
    question = "Why do coral reefs bleach?"
    hints = reader.retriever.search([question], 10)[0]
    plan = asyncio.run(reader.reasoner.plan(question, hints))
    assert len(plan) >= 4
    assert {step.kind for step in plan} >= {"core"}
    assert any("oral" in step.text for step in plan)


def test_closed_questions_find_nothing(reader: Reader) -> None:
    step = SubQuestion(id="1", text="How long is the Rhine?", kind="core")
    finding = asyncio.run(reader.reasoner.answer(step, []))
    assert finding.sub_answer.status == "not_found"
