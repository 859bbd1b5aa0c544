from __future__ import annotations

import re
from collections.abc import Sequence

from agent.prompted import PromptedReasoner
from agent.tools import Toolbox
from agent.types import SubQuestion
from corpus.types import Article, Chunk, Revision
from retrieval.types import Hit
from tests.fakes import FaithfulMind, ScriptedModel


def hit(text: str, title: str = "Neptune", number: int = 1) -> Hit:
    revision = Revision(
        page_id=number, rev_id=1, title=title, timestamp="2024-01-01T00:00:00Z", url="https://x"
    )
    chunk = Chunk(
        id=f"{number}:1:0", revision=revision, start=0, end=len(text), section="", text=text
    )
    return Hit(chunk=chunk, score=1.0, rank=number, source="test")


HITS = [
    hit("Neptune is the eighth planet. It has fourteen known moons."),
    hit("Triton was discovered by William Lassell in 1846.", "Triton", 2),
]


class Words:
    """Finds the hits that share a word with the query."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self.hits = hits
        self.queries: list[str] = []

    def search(self, queries: Sequence[str], k: int) -> list[list[Hit]]:
        self.queries += queries
        return [
            [one for one in self.hits if set(re.findall(r"\w+", query.lower())) & words(one)][:k]
            for query in queries
        ]


def words(one: Hit) -> set[str]:
    return set(re.findall(r"\w+", f"{one.chunk.revision.title} {one.chunk.text}".lower()))


class Shelf:
    """A snapshot with the articles of some hits."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self.hits = hits

    def find(self, title: str) -> Article | None:
        for one in self.hits:
            if one.chunk.revision.title == title:
                return Article(
                    revision=one.chunk.revision, text=one.chunk.text, sections=(), redirects=()
                )
        return None

    def search_titles(self, text: str, limit: int = 10) -> list[str]:
        titles = [one.chunk.revision.title for one in self.hits]
        return [title for title in titles if title[:3].lower() == text[:3].lower()]


def toolbox(hits: Sequence[Hit] = HITS, budget: int = 12_000) -> Toolbox:
    return Toolbox(
        Words(hits),
        Shelf(hits),
        budget=budget,
        rank=lambda title: Words([one for one in hits if one.chunk.revision.title == title]),
    )


async def test_a_question_goes_through_plan_answer_and_composition() -> None:
    mind = FaithfulMind(
        plan=["Which is Neptune's largest moon?", ("Who discovered {1}?", ["1"])],
        kinds={"largest": "background"},
        answers={"discovered": "William Lassell"},
    )
    reasoner = PromptedReasoner(ScriptedModel(mind), None)
    plan = await reasoner.plan("Who discovered Neptune's largest moon?", HITS)
    assert [(step.id, step.kind, step.depends_on) for step in plan] == [
        ("1", "background", ()),
        ("2", "core", ("1",)),
    ]
    question = SubQuestion(id="2.1", text="Who discovered Triton?", kind="core")
    finding = await reasoner.answer(question, HITS)
    assert finding.sub_answer.status == "answered"
    assert finding.sub_answer.items == ("William Lassell",)
    assert finding.sub_answer.citations[0].quote == HITS[1].chunk.text
    composed = await reasoner.compose(
        "Who discovered Neptune's largest moon?",
        sub_questions=[question],
        sub_answers=[finding.sub_answer],
        hits=HITS,
        style="short",
        guidance="sub_answers",
    )
    assert composed.quotes == ((2, HITS[1].chunk.text),)
