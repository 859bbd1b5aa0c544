"""The extractive reasoner: plans by rules, answers with quoted facts, composes what was found.

It needs no model and no network. It quotes; it never invents: every value stands in the chunk that
is cited for it, and a sub-question whose best fact is weak is "not found".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from agent.extractive.composer.abstention import explained, refusal
from agent.extractive.composer.composition import compose_found, value_of
from agent.extractive.composer.coverage import compose_quotes, quote_step
from agent.extractive.composer.quotes import quote_facts
from agent.extractive.composer.run_plan import as_run
from agent.extractive.composer.sub_answers import sub_answer
from agent.extractive.composer.verdict import holds
from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.attributes import described, embedded_matcher
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.finder.kinds import fitting, other_kind, same_kind
from agent.extractive.finder.labels import (
    GIVEN_FROM,
    head_score,
)
from agent.extractive.finder.lists import find_members
from agent.extractive.finder.ranking import given
from agent.extractive.finder.statements.polar import read_polar
from agent.extractive.finder.titles import find_titled
from agent.extractive.finder.values import Reading, read_best
from agent.extractive.language.words import count_of
from agent.extractive.open_questions import outlined, suggested
from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.marks.tagger import Planner, embedded_tagger
from agent.extractive.planner.plan import plan_of
from agent.extractive.reader.proof import confirmed
from agent.extractive.reader.span import Reader, embedded_reader
from agent.extractive.reader.values import Value, find_value
from agent.extractive.sources import Sources
from agent.reasoner import Composed, Finding, Guidance
from agent.types import Kind, Style, SubAnswer, SubQuestion
from corpus.machine.threads import in_thread
from retrieval.types import Embedder, Hit

if TYPE_CHECKING:
    from agent.tools import Toolbox
    from corpus.articles import Articles
    from corpus.types import Chunk

AS_GOOD = 0.01
"""Difference of labels' scores within which one gives what is asked as well as another."""
OF_ITS_KIND = 0.1
"""What a label gains whose word means the kind of thing asked for: "Cities", of capitals."""
_OF_A_THING = re.compile(
    r"(?:through|into|from|on|in|at|by|to|with|for|of|under) (?:what|which|whom)\b|(?:who|whom|whose)\b",
    re.IGNORECASE,
)
"""How a question for a thing begins: "through what does its water flow out" asks for no reasons."""
MOST_READINGS = 64
"""Questions whose reading is kept."""


class ExtractiveReasoner:
    """Thinks with rules and an embedder.

    Args:
        embedder: compares meanings.
        snapshot: titles, headings and the whole text of articles.
        toolbox: reads an article's chunks for a question; None where only hits count.
        reader: finds and checks the words that answer a step, where labels do not; None for the
            embedded one.
        planner: marks questions; None for the embedded tagger.
    """

    name = "extractive"

    def __init__(
        self,
        embedder: Embedder,
        snapshot: Articles | None = None,
        toolbox: Toolbox | None = None,
        reader: Reader | None = None,
        planner: Planner | None = None,
    ) -> None:
        self._embedder = embedder
        self._sources = Sources(snapshot, readable=toolbox is not None)
        self._reader = reader
        self._planner = planner
        self._readings: dict[str, Decomposition] = {}

    async def plan(self, question: str, hints: Sequence[Hit]) -> list[SubQuestion]:
        """Break a question into sub-questions by its form, or by the best articles' headings."""
        return await in_thread(self._plan, question, hints)

    async def classify(self, question: str, sub_questions: Sequence[str]) -> list[Kind]:
        """Say for each sub-question whether it is core, background or follow-up."""
        from agent.extractive.planner.kinds import classify_kinds

        return await in_thread(classify_kinds, question, sub_questions, self._embedder)

    async def answer(self, question: SubQuestion, hits: Sequence[Hit]) -> Finding:
        """Answer one sub-question with the fact that fits best, quoted."""
        return await in_thread(self._answer, question, hits)

    async def compose(
        self,
        question: str,
        *,
        sub_questions: Sequence[SubQuestion],
        sub_answers: Sequence[SubAnswer],
        hits: Sequence[Hit],
        style: Style,
        guidance: Guidance,
    ) -> Composed:
        """Put the answer together from sub-answers, or from the hits where there are none."""
        if guidance == "sub_answers":
            return await in_thread(self._compose, question, sub_questions, sub_answers, hits, style)
        texts = [question]
        if guidance == "core_sub_questions":
            texts += [step.text for step in sub_questions if step.kind == "core"]
        return await in_thread(
            quote_facts,
            texts,
            hits,
            style,
            embedder=self._embedder,
            title_of=self._sources.title_of,
            lead_of=self._sources.lead_of,
        )

    def _compose(
        self,
        question: str,
        sub_questions: Sequence[SubQuestion],
        sub_answers: Sequence[SubAnswer],
        hits: Sequence[Hit],
        style: Style,
    ) -> Composed:
        reading = self._read(question)
        by_id = {answer.sub_question_id: answer for answer in sub_answers}
        run = as_run(reading, sub_questions, by_id)
        withheld = refusal(run, sub_questions, sub_answers, hits)
        if withheld:
            composed = Composed(text="", withheld=withheld)
        elif reading.open_ended:
            composed = compose_quotes(sub_questions, by_id, hits, style)
        else:
            composed = compose_found(reading, sub_questions, sub_answers, hits, style)
        return explained(composed, sub_questions, by_id)

    def sparing(self, question: str) -> Callable[[SubQuestion, Mapping[str, SubAnswer]], str]:
        """Say of a member that failed a condition that nothing more is asked of it."""
        steps = {step.id: step for step in self._read(question).steps}

        def why(planned: SubQuestion, about: Mapping[str, SubAnswer]) -> str:
            known = steps.get(planned.id)
            if known is None or known.text != planned.text:
                return ""  # a plan of somebody else's
            for id_, answer in about.items():
                condition = steps[id_].condition if id_ in steps else None
                if condition is None or condition.kind in ("max", "min", "in") or condition.against:
                    continue
                if answer.status == "unsure":
                    continue  # not shown to fail: what is asked of it is shown as unsure as well
                met = holds(condition, value_of(answer)) if answer.status == "answered" else None
                if met is False or (met is None and condition.kind != "no"):
                    return f"it is not shown to meet the condition of step {id_}"
            return ""

        return why

    def confirms(self, question: str, value: str, quote: str, chunk: Chunk) -> bool:
        """Whether words answer, though the quote says it otherwise (`reader.proof`)."""
        reader = self._reader or embedded_reader()
        return confirmed(question, value, quote, chunk, self._sources, reader)

    # Planning

    def _plan(self, question: str, hints: Sequence[Hit]) -> list[SubQuestion]:
        reading = self._read(question)
        if reading.open_ended:
            planned = outlined(question, hints, self._sources, self._embedder)
            if planned:
                whole = SubQuestion(id="1", text=question, kind="core")
                return [whole, *planned]
        steps = [
            SubQuestion(id=step.id, text=step.text, kind="core", depends_on=step.depends_on)
            for step in reading.steps
        ]
        return [*steps, *suggested(hints, self._sources, len(steps))]

    def _read(self, question: str) -> Decomposition:
        """Return how a question was read: the same at every step of its way, so read once."""
        found = self._readings.get(question)
        if found is None:
            planner = self._planner or embedded_tagger()
            found = plan_of(
                question,
                planner,
                self._sources.title_of,
                self._sources.lead_of,
                self._sources.titles_near,
            )
            if len(self._readings) >= MOST_READINGS:
                self._readings.clear()
            self._readings[question] = found
        return found

    # Answering

    def _answer(self, question: SubQuestion, hits: Sequence[Hit]) -> Finding:
        asked = read_asked(question.text, self._sources.subject_of)
        seen = list(hits)
        found: SubAnswer | None = None
        facts = facts_of(seen)
        embedded_matcher().prepare(described(*cell) for fact in facts for cell in fact.cells)
        explained = embedded_tagger().tag(question.text).operator == "explain"
        if explained and not _OF_A_THING.match(question.text):
            found = quote_step(question, facts, self._embedder)
        elif asked.form == "yes_no":
            found = self._answer_polar(question, asked, facts)
        elif asked.many:
            found = self._answer_given(question, asked, facts)
            if found is None:
                seen = self._sources.with_whole_articles(seen)
                found = self._answer_list(question, asked, facts_of(seen))
        if found is None and asked.form != "yes_no":
            found = self._answer_value(question, asked, facts)
        if found is None:
            found = SubAnswer(sub_question_id=question.id, status="not_found")
        known = {hit.chunk.id for hit in seen}
        cited = {citation.chunk_id for citation in found.citations} - known
        if cited:
            more = self._sources.more_facts(asked, facts)
            read = {fact.hit.chunk.id: fact.hit for fact in more if fact.hit.chunk.id in cited}
            seen.extend(read.values())
        return Finding(sub_answer=found, hits=tuple(seen))

    def _answer_polar(
        self, question: SubQuestion, asked: Asked, facts: Sequence[Fact]
    ) -> SubAnswer | None:
        polar = read_polar(asked, facts, self._embedder, self._sources)
        if polar is None:
            return None
        word = "Yes" if polar.yes else "No"
        return sub_answer(question, f"{word}: “{polar.fact.text}”", (word,), [polar.fact])

    def _answer_given(
        self, question: SubQuestion, asked: Asked, facts: Sequence[Fact]
    ) -> SubAnswer | None:
        """Answer with a box that gives what is asked of the very thing it is about."""
        own = [
            one
            for one in facts
            if one.kind == "value" and one.cells and one.title in asked.subjects
        ]
        scored = [(head_score(asked, fact), fact) for fact in own]
        # Of several labels that might, the ones that do best: a river has cities and countries.
        likely = [
            (score + OF_ITS_KIND * same_kind(asked.noun, fact.label), fact)
            for score, fact in scored
            if score >= GIVEN_FROM
        ]
        most = max((score for score, _ in likely), default=0.0)
        top = [fact for score, fact in likely if score >= most - AS_GOOD]
        best = read_best(asked, top, self._embedder) if top else None
        return None if best is None else _answer_with(question, best)

    def _answer_list(
        self, question: SubQuestion, asked: Asked, facts: Sequence[Fact]
    ) -> SubAnswer | None:
        count = count_of(question.text)
        listing = find_members(asked, facts, self._embedder, count, self._sources.lead_of)
        if listing is None:
            return None
        names = tuple(dict.fromkeys(member.name for member in listing.members))
        sources = list({id(member.fact): member.fact for member in listing.members}.values())
        return sub_answer(question, ", ".join(names), names, sources)

    def _answer_value(
        self, question: SubQuestion, asked: Asked, facts: Sequence[Fact]
    ) -> SubAnswer | None:
        if not asked.many:
            titled = find_titled(asked, facts, self._sources.lead_of)
            if titled:
                title, fact = titled[0]
                return sub_answer(question, f"{title} (“{fact.text}”)", (title,), [fact])
        facts = fitting(asked.kind, facts, self._sources.lead_of)
        sure = given(asked, facts)
        more: list[Fact] = []
        if sure is None or sure.title not in asked.subjects:
            read = self._sources.more_facts(asked, facts)
            more = fitting(asked.kind, read, self._sources.lead_of)
            sure = given(asked, [*facts, *more])
        if sure is not None:
            best = read_best(asked, facts, self._embedder, sure)
            return None if best is None else _answer_with(question, best)
        reader = self._reader or embedded_reader()
        value = find_value(asked, facts, self._embedder, reader, more)
        if value is None or other_kind(asked.kind, value.text, self._sources.lead_of):
            return None
        return _answer_with_value(question, value)


def _answer_with(question: SubQuestion, best: Reading) -> SubAnswer:
    return sub_answer(
        question, _shown(best.value, best.fact), best.values or (best.value,), [best.fact]
    )


def _answer_with_value(question: SubQuestion, value: Value) -> SubAnswer:
    text = _shown(value.text, value.fact)
    found = sub_answer(question, text, value.items or (value.text,), [value.fact])
    if value.sure:
        return found
    return replace(found, status="unsure", error="the reader is not sure that these words answer")


def _shown(value: str, fact: Fact) -> str:
    if fact.kind != "sentence" and value != fact.text and len(fact.text) < 200:
        return f"{value} (“{fact.text}”)"
    return value
