"""What an agent says while it works: one small type for each thing that happens.

    async for event in agent.events(question):
        match event:
            case SubQuestionEnded(sub_question=step, sub_answer=found): ...
            case Answered(answer=answer): ...

A stream ends with `Answered`, or with `PlanProposed` where a person has to approve the plan.
"""

from __future__ import annotations

from dataclasses import dataclass

from agent.types import Answer, SubAnswer, SubQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """A question was begun or resumed."""

    run_id: str
    """What `resume` takes."""
    question: str
    resumable: bool
    """Whether checkpoints are kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanMade:
    """The plan stands."""

    sub_questions: tuple[SubQuestion, ...]
    changes: tuple[str, ...]
    """What was taken out of it or altered, one line each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanProposed:
    """The plan waits for a person: `Agent.resume(run_id, plan=…)` goes on."""

    run_id: str
    sub_questions: tuple[SubQuestion, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanGrown:
    """Replanning filled dependent sub-questions with what was found."""

    sub_questions: tuple[SubQuestion, ...]
    """The new ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searching:
    """A batch of queries goes to the retriever."""

    queries: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubQuestionStarted:
    """A sub-question is being answered."""

    sub_question: SubQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class SubQuestionEnded:
    """A sub-question was answered, was not found, or failed."""

    sub_question: SubQuestion
    sub_answer: SubAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Composing:
    """The answer is being written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The answer."""

    answer: Answer


Event = (
    Begun
    | PlanMade
    | PlanProposed
    | PlanGrown
    | Searching
    | SubQuestionStarted
    | SubQuestionEnded
    | Composing
    | Answered
)
