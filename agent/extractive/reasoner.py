"""The extractive reasoner: plans by rules, answers with quoted facts, composes what was found.

It needs no model and no network. It quotes; it never invents: every value stands in the chunk that
is cited for it, and a sub-question whose best fact is weak is "not found".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from agent.extractive.answers import StepAnswers
from agent.extractive.composer.abstention import explained, refusal, unruled
from agent.extractive.composer.composition import compose_found
from agent.extractive.composer.guesses import GUESSED, is_believed
from agent.extractive.composer.quotes import quote_facts
from agent.extractive.composer.run_plan import (
    agrees,
    as_run,
    fullest_try,
    in_force,
    is_as_read,
    next_try,
    tries,
)
from agent.extractive.composer.sub_answers import value_of
from agent.extractive.open_ended.composition import (
    compose_account,
    quote_hits,
    stands_in_section,
)
from agent.extractive.open_ended.outline import section_asked
from agent.extractive.open_ended.parts import outlined, suggested
from agent.extractive.planner.conditions import holds
from agent.extractive.planner.writer.model import Planner
from agent.extractive.reader.span import Reader
from agent.extractive.readings import Readings
from agent.extractive.sources import Sources
from agent.reasoner import Composed, Finding, Guidance
from agent.types import Kind, Style, SubAnswer, SubQuestion
from corpus.machine.threads import in_thread
from retrieval.types import Embedder, Hit

if TYPE_CHECKING:
    from agent.tools import Toolbox
    from corpus.articles import Articles
    from corpus.types import Chunk


class ExtractiveReasoner:
    """Thinks with rules and an embedder.

    Args:
        embedder: compares meanings.
        snapshot: titles, headings and the whole text of articles.
        toolbox: reads an article's chunks for a question; None where only hits count.
        reader: finds and checks the words that answer a step, where labels do not; None for the
            embedded one.
        planner: writes plans; None for the embedded writer.
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
        self._answers = StepAnswers(embedder, self._sources, reader)
        self._readings = Readings(self._sources, planner)

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
        guiding = sub_questions if guidance == "core_sub_questions" else ()
        if await in_thread(self._is_open, question):
            return await in_thread(quote_hits, question, guiding, hits, style, self._answers.encode)
        texts = [question, *(step.text for step in guiding if step.kind == "core")]
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
        reading = self._readings.in_force(question, sub_questions)
        if reading.open_ended:
            return compose_account(sub_questions, sub_answers, hits, style)
        by_id = {answer.sub_question_id: answer for answer in sub_answers}
        run = as_run(reading, sub_questions, by_id)
        withheld = refusal(run, sub_questions, sub_answers, hits)
        if withheld:
            composed = Composed(text="", withheld=withheld)
        else:
            # What a less likely plan does not find may be there all the same.
            before = tries(step.id for step in sub_questions) - 1
            guessed = before > 0 and not agrees(reading, self._readings.of(question)[0])
            composed = compose_found(
                reading, sub_questions, sub_answers, hits, style,
                guessed=guessed, title_of=self._sources.title_of,
            )  # fmt: skip
            if withheld := unruled(reading.question, composed.text):
                composed = Composed(text="", withheld=withheld)
            elif not is_believed(
                reading, sub_questions, sub_answers, before=before,
                margin_of=partial(self._answers.margin_of, question, hits),
            ):  # fmt: skip
                composed = Composed(text="", withheld=GUESSED)
        return explained(composed, sub_questions, by_id)

    def sparing(
        self, question: str, sub_questions: Sequence[SubQuestion]
    ) -> Callable[[SubQuestion, Mapping[str, SubAnswer]], str]:
        """Say of a member that failed a condition that nothing more is asked of it."""
        run = as_run(self._readings.in_force(question, sub_questions), sub_questions, {})
        steps = {step.id: step for step in run.steps}

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

    def another_plan(
        self,
        question: str,
        sub_questions: Sequence[SubQuestion],
        sub_answers: Sequence[SubAnswer],
        hits: Sequence[Hit],
    ) -> list[SubQuestion]:
        """Return the next likely plan where what the last one found gives no answer.

        Behind the last, the plan of which most was found is told: what its steps say is more than
        that none gave an answer.
        """
        readings = self._readings.so_far(question, sub_questions)
        tried = in_force(readings, sub_questions)
        ids = {step.id for step in sub_questions}
        if tries(answer.sub_question_id for answer in sub_answers) > tries(ids):
            return []  # a later one was tried already
        if tried > len(readings) or not is_as_read(readings[tried - 1], sub_questions):
            return []
        if tried > 1 and tries(ids) == 1 and readings[tried - 1].by_sentence:
            return []  # it was asked in the first plan's place
        by_id = {answer.sub_question_id: answer for answer in sub_answers}
        own = [by_id[step.id] for step in sub_questions if step.id in by_id]
        if self._compose(question, sub_questions, own, hits, "short").text:
            return []
        if tried == len(readings):
            readings = self._readings.with_reworded(question)
        if tried == len(readings):
            return fullest_try(readings, sub_questions, sub_answers, tried)
        following = (
            (number + 1, next_try(readings, sub_questions, number))
            for number in range(tried, len(readings))
        )
        # A plan of the same steps in another order asks nothing new, and would be asked for ever.
        new = (steps for number, steps in following if in_force(readings, steps) == number)
        return next(new, [])

    def _answer(self, question: SubQuestion, hits: Sequence[Hit]) -> Finding:
        if self._readings.is_account(question.text):
            return self._answers.answer(question, hits, account=True)
        readings = self._readings.of_step(question.text)
        if not readings:
            return self._answers.answer(question, hits)
        if any(reading.by_sentence for reading in readings):
            return self._answers.answer_whole(question, hits)
        # Boxes and rows first.
        planned = self._answers.answer(question, hits)
        if planned.sub_answer.status == "answered":
            return planned
        whole = self._answers.answer_whole(question, hits)
        return whole if whole.sub_answer.status == "answered" else planned

    def confirms(self, question: str, value: str, quote: str, chunk: Chunk) -> bool:
        """Whether words answer, though the quote says it otherwise (`reader.proof`).

        Without words: whether a sentence is of the section that is to be quoted.
        """
        if not value:
            return stands_in_section(question, quote, chunk)
        return self._answers.confirms(question, value, quote, chunk)

    def _plan(self, question: str, hints: Sequence[Hit]) -> list[SubQuestion]:
        reading = self._readings.of(question)[0]
        if reading.open_ended and not section_asked(question):
            planned = outlined(question, hints, self._sources, self._answers.encode, self._embedder)
            if planned:
                whole = SubQuestion(id="1", text=question, kind="core")
                return [whole, *planned]
        steps = [
            SubQuestion(id=step.id, text=step.text, kind="core", depends_on=step.depends_on)
            for step in reading.steps
        ]
        return [*steps, *suggested(hints, self._sources, len(steps))]

    def _is_open(self, question: str) -> bool:
        return self._readings.of(question)[0].open_ended
