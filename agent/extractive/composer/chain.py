"""Puts an answer without a set together: the last values found, and the way to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.citations.content.names import asked_names
from agent.extractive.composer.computation import gap_between
from agent.extractive.composer.lines import Marks, shown_marks
from agent.extractive.composer.run_plan import base_of
from agent.extractive.composer.sub_answers import SHOWN, value_of
from agent.extractive.composer.verdict import verdict
from agent.extractive.planner.decomposition import Decomposition, Step
from agent.reasoner import Composed
from agent.types import Style, SubAnswer, SubQuestion


def compose_chain(
    reading: Decomposition,
    sub_questions: Sequence[SubQuestion],
    answers: Mapping[str, SubAnswer],
    marks: Marks,
    style: Style,
) -> Composed:
    """Write an answer without a set: the last values found, and the way to them."""
    answered = [
        question
        for question in sub_questions
        if question.id in answers and answers[question.id].status in SHOWN
    ]
    steps = {step.id: step for step in reading.steps}
    finals = [
        question
        for question in answered
        if (step := steps.get(base_of(question.id))) is None or step.role == "value"
    ]
    result = ""
    if reading.combine == "difference":
        result = gap_between([value_of(answers[question.id]) for question in finals])
    elif reading.combine == "all":
        result = _ruled(reading, finals, answered, answers)
        if not result and any(_measured(step) for step in reading.steps):
            return Composed(text="", withheld="the values that were found do not settle it")
    ruled = bool(result) and reading.combine == "all"
    shown_questions = answered if style == "long" or ruled else finals or answered
    lines = []
    items: list[str] = [result] if result else []
    head: list[str] = []
    if result:
        doubt = any(answers[question.id].status == "unsure" for question in finals)
        unsure = ", of which some are unsure" if doubt else ""
        head = [f"{result} (computed from the lines below{unsure})." if style == "long" else result]
    called = _told_apart(shown_questions)
    for question in shown_questions:
        answer = answers[question.id]
        value = value_of(answer)
        if question in (finals or answered):
            items.extend(answer.items or (value,))
        line = f"{value}{shown_marks(marks.of(answer))}"
        name = f"{called[question.id]}: " if question.id in called else ""
        lines.append(f"- {question.text} {line}" if style == "long" else f"{name}{line}")
    return Composed(
        text="\n".join([*head, *lines]),
        items=tuple(dict.fromkeys(items)),
        quotes=tuple(dict.fromkeys(marks.quotes)),
        computed=tuple(head),
    )


def _told_apart(questions: Sequence[SubQuestion]) -> dict[str, str]:
    """By what name each of several questions is about another thing than the others, by its id.

    Of "How long is the Elbe?" and "How long is the Oder?" these are the rivers; none where one of
    them names nothing of its own.
    """
    named = {one.id: [name.text for name in asked_names(one.text)] for one in questions}
    own = {
        id_: [
            name
            for name in names
            if all(name not in named[other] for other in named if other != id_)
        ]
        for id_, names in named.items()
    }
    several = len(questions) > 1 and all(own.values())
    return {id_: ", ".join(names) for id_, names in own.items()} if several else {}


def _measured(step: Step) -> bool:
    """Whether a step's value is held against a bound."""
    return step.condition is not None and step.condition.kind in ("number", "date")


def _ruled(
    reading: Decomposition,
    finals: Sequence[SubQuestion],
    answered: Sequence[SubQuestion],
    answers: Mapping[str, SubAnswer],
) -> str:
    """Yes or no where it is ruled by what was measured, "" where the values say it themselves."""
    found = {base_of(question.id): value_of(answers[question.id]) for question in answered}
    truths = []
    for step in reading.steps:
        condition = step.condition
        if condition is None or not _measured(step):
            continue
        met = verdict(condition, found.get(step.id, ""), found.get(condition.against, ""))
        if met is None:
            return ""
        truths.append(met)
    if not truths or len(truths) < len(finals):
        return ""
    return "Yes" if all(truths) else "No"
