"""The prompted reasoner: every step of the agent as a question put to a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from agent.errors import BudgetExhausted, ModelError
from agent.llm.port import LanguageModel
from agent.llm.tokens import Estimate, counter_for
from agent.prompted.composition import compose_from_memory, compose_from_sources
from agent.prompted.coverage import find_covered
from agent.prompted.inquiry import Asking
from agent.prompted.plan import (
    all_core,
    classify_one_by_one,
    classify_together,
    make_plan,
)
from agent.prompted.sub_answer import Answering
from agent.prompted.templates import Prompts
from agent.prompted.tool_calls import ToolMode
from agent.reasoner import Composed, Finding, Guidance
from agent.settings import SEED
from agent.tools import Toolbox
from agent.types import Kind, Style, SubAnswer, SubQuestion
from corpus.errors import InputError
from retrieval.types import Hit


class PromptedReasoner:
    """Thinks by asking a language model; implements `agent.reasoner.Reasoner`.

    Args:
        model: what is asked.
        toolbox: what the model may call while it answers a sub-question; None for no tools.
        tools: "native" tool calling, the "text" protocol, or "auto": native until the server
            refuses it.
        classify: kinds of sub-questions in one call ("batch"), or one call with examples for each
            ("each").
        shots: worked examples that a classification shows; None for all of them in a call for
            each, and for none in a call for all.
        prompts: what the model is asked in; the packaged English ones by default.
        context_limit: tokens that a prompt and its reply may have together, counted as the model
            counts them; None for no limit but what is sensible.
        closed: answer from memory, without sources (the closed setting). Otherwise a question
            without sources and tools is "not found", and no call is made.
        temperature: 0 is greedy.
        seed: passed on where the server takes one.
    """

    def __init__(
        self,
        model: LanguageModel,
        toolbox: Toolbox | None,
        *,
        tools: ToolMode = "auto",
        classify: Literal["batch", "each"] = "batch",
        shots: int | None = None,
        prompts: Prompts | None = None,
        context_limit: int | None = None,
        closed: bool = False,
        temperature: float = 0.0,
        seed: int | None = SEED,
    ) -> None:
        if tools not in ("native", "text", "auto"):
            raise InputError(f"unknown tools {tools!r}: choose native, text or auto")
        if classify not in ("batch", "each"):
            raise InputError(f"unknown classify {classify!r}: choose batch or each")
        self._model = model
        self._classify = classify_together if classify == "batch" else classify_one_by_one
        self._closed = closed
        self._asking = Asking(
            model=model,
            prompts=prompts or Prompts(),
            count=Estimate() if context_limit is None else counter_for(model.name),
            context_limit=context_limit,
            shots=shots,
            temperature=temperature,
            seed=seed,
        )
        self._answering = Answering(self._asking, None if closed else toolbox, tools)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def plan(self, question: str, hints: Sequence[Hit]) -> list[SubQuestion]:
        """Return the model's sub-questions with their kinds: two steps, as in the paper.

        Where the kinds cannot be had, all count as core, and that is remarked: a plan is not lost
        because it could not be sorted.

        Raises:
            ModelError: the decomposition failed.
        """
        steps = await make_plan(self._asking, question, hints)
        try:
            kinds = await self.classify(question, [step.text for step in steps])
        except (ModelError, BudgetExhausted) as error:
            kinds = all_core(error, steps)
        return [replace(step, kind=kind) for step, kind in zip(steps, kinds, strict=True)]

    async def classify(self, question: str, sub_questions: Sequence[str]) -> list[Kind]:
        """Return the kind of each sub-question.

        Raises:
            ModelError: a kind is missing though it was asked for twice.
        """
        if not sub_questions:
            return []
        return await self._classify(self._asking, question, sub_questions)

    async def covered(
        self, question: str, sub_questions: Sequence[str], hits: Sequence[Hit]
    ) -> list[frozenset[int]]:
        """Return for each hit the places of the sub-questions that it answers; see `Covering`.

        Raises:
            ModelError: the model failed.
        """
        return await find_covered(self._asking, question, sub_questions, hits)

    async def answer(self, question: SubQuestion, hits: Sequence[Hit]) -> Finding:
        """Answer one sub-question from hits and tools, or in the closed setting from memory.

        An answer none of whose quotes stands in a source is asked for once more and then failed.

        Raises:
            ModelError: the model failed; the step is then failed with its message.
        """
        if self._closed:
            return await self._answering.from_memory(question)
        return await self._answering.from_sources(question, hits)

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
        """Write the answer; with nothing to write it from, an empty one and no call.

        Raises:
            ModelError: the model failed.
        """
        if self._closed:
            return await compose_from_memory(
                self._asking,
                question,
                sub_questions=sub_questions,
                sub_answers=sub_answers,
                style=style,
                guidance=guidance,
            )
        answered = any(answer.status == "answered" for answer in sub_answers)
        if not hits or (guidance == "sub_answers" and not answered):
            return Composed(text="")
        return await compose_from_sources(
            self._asking,
            question,
            sub_questions=sub_questions,
            sub_answers=sub_answers,
            hits=hits,
            style=style,
            guidance=guidance,
        )
