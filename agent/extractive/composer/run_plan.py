"""Brings what a question was read as in line with the plan that was run, which a person may have made.

Steps are matched by their words, never by their numbers: a plan may ask of Jupiter before Saturn. A
plan whose steps are not those that were read is composed by its own structure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from agent.extractive.planner.decomposition import Decomposition, Step
from agent.plan import fill_placeholders
from agent.types import SubAnswer, SubQuestion


def as_run(
    reading: Decomposition, sub_questions: Sequence[SubQuestion], answers: Mapping[str, SubAnswer]
) -> Decomposition:
    """Return a reading whose steps carry the numbers of the steps that were run.

    Args:
        reading: of the question.
        sub_questions: as they were run, filled ones in place of those with placeholders.
        answers: what was found, by id.
    """
    run = [step for step in sub_questions if step.kind != "follow_up"]
    numbers = _numbers(reading, run)
    if numbers is None:
        return _by_structure(reading, run, answers)
    if all(old == new for old, new in numbers.items()):
        return reading
    return replace(reading, steps=tuple(_renumbered(step, numbers) for step in reading.steps))


def is_as_read(reading: Decomposition, sub_questions: Sequence[SubQuestion]) -> bool:
    """Whether the steps that were run are those of a reading."""
    run = [step for step in sub_questions if step.kind != "follow_up"]
    return _numbers(reading, run) is not None


def _numbers(reading: Decomposition, run: Sequence[SubQuestion]) -> dict[str, str] | None:
    """The number under which each step of a reading was run; None where others were run."""
    texts: dict[str, list[str]] = {}
    for question in run:
        texts.setdefault(base_of(question.id), []).append(question.text)
    numbers: dict[str, str] = {}
    for step in reading.steps:
        pattern = _pattern(step.text)
        found = (
            base
            for base, asked in texts.items()
            if base not in numbers.values() and all(pattern.fullmatch(text) for text in asked)
        )
        exact = numbers.setdefault(step.id, next(found, ""))
        if not exact:
            return None
    return None if set(texts) - set(numbers.values()) else numbers


_LATER = re.compile(r"\d+([b-z])")
"""A step's number in a plan that was tried after another: "1b"."""


def tries(ids: Iterable[str]) -> int:
    """Which plan of its question has these steps: 1, or 2 where they are numbered "1b"."""
    letters = (_LATER.fullmatch(base_of(id_)) for id_ in ids)
    return ord(max((match[1] for match in letters if match), default="a")) - ord("a") + 1


def in_force(readings: Sequence[Decomposition], sub_questions: Sequence[SubQuestion]) -> int:
    """Which of a question's plans is run: 1 for the first, one more than there are for the question whole.

    A plan all of whose steps were asked for others has their numbers, and is known by its steps.

    Args:
        readings: the plans, in the order in which they are tried.
        sub_questions: of the one that is run.
    """
    least = tries(question.id for question in sub_questions)
    later = range(least, len(readings) + 1)
    return next((n for n in later if is_as_read(readings[n - 1], sub_questions)), least)


def next_try(
    readings: Sequence[Decomposition], sub_questions: Sequence[SubQuestion], tried: int
) -> list[SubQuestion]:
    """Return the steps of the plan that is tried after others: "1b", "2b".

    A step with the words of one that was asked keeps that one's number. What is offered beside the
    plan stays.

    Args:
        readings: the plans of the question, in the order in which they are tried.
        sub_questions: of the one tried last.
        tried: how many were; there is one more.
    """
    asked: dict[str, str] = {}
    for number, reading in enumerate(readings[: tried + 1]):
        steps = _numbered(reading, number, asked)
        asked = {step.text: step.id for step in steps} | asked
    return [*steps, *(question for question in sub_questions if question.kind == "follow_up")]


def fullest_try(
    readings: Sequence[Decomposition],
    sub_questions: Sequence[SubQuestion],
    answers: Iterable[SubAnswer],
    tried: int,
) -> list[SubQuestion]:
    """Return the steps of the plan of which most was found, the likeliest of those; none where it is run.

    Args:
        readings: the plans of the question, in the order in which they are tried.
        sub_questions: of the one that is run.
        answers: to the steps of all that were tried.
        tried: how many were.
    """
    found: dict[str, list[float]] = {}
    for answer in answers:
        worth = _WORTH.get(answer.status, 0.0)
        found.setdefault(base_of(answer.sub_question_id), []).append(worth)
    last = tries(found)
    plans = [(_mean(found, sub_questions), 0, list(sub_questions))]
    for number in range(1, tried):
        steps = next_try(readings, sub_questions, number - 1)
        # One with the last's letter could not be told from a plan that is still to be followed.
        if in_force(readings, steps) == number and tries(step.id for step in steps) < last:
            plans.append((_mean(found, steps), tried - number, steps))
    fullest = max(plans, key=lambda plan: plan[:2])
    return fullest[2] if fullest[1] else []


def _mean(found: Mapping[str, Sequence[float]], steps: Sequence[SubQuestion]) -> float:
    worths = [one for id_ in {base_of(s.id) for s in steps} for one in found.get(id_, ())]
    return sum(worths) / max(1, len(worths))


_WORTH = {"answered": 1.0, "unsure": 0.5, "failed": -1.0}
"""What a step tells of what was asked, by what became of it; one that failed tells of a budget."""


def _numbered(reading: Decomposition, tried: int, asked: Mapping[str, str]) -> list[SubQuestion]:
    """The steps of a plan that is tried after some others, which asked some texts by their numbers."""
    letter = chr(ord("a") + tried) if tried else ""
    ids: dict[str, str] = {}
    steps = []
    for step in reading.steps:
        text = fill_placeholders(step.text, {old: f"{{{new}}}" for old, new in ids.items()})
        ids[step.id] = asked.get(text, f"{step.id}{letter}")
        depends_on = tuple(ids[id_] for id_ in step.depends_on)
        steps.append(SubQuestion(id=ids[step.id], text=text, kind="core", depends_on=depends_on))
    return steps


def agrees(one: Decomposition, other: Decomposition) -> bool:
    """Whether two readings hold members against the same conditions, in whatever words they ask."""
    return _structure(one) == _structure(other)


def _structure(reading: Decomposition) -> object:
    steps = [
        (step.role, step.condition, step.member)
        for step in reading.steps
        if step.role == "set" or step.condition is not None
    ]
    return reading.counted, reading.combine, reading.members, steps


def base_of(step_id: str) -> str:
    """Return the planned step of a filled one: "2" of "2.3"."""
    return step_id.partition(".")[0]


def _pattern(text: str) -> re.Pattern[str]:
    parts = re.split(r"\{[^{}\s]{1,20}\}", " ".join(text.split()))
    return re.compile(".+?".join(re.escape(part) for part in parts), re.IGNORECASE)


def _renumbered(step: Step, numbers: Mapping[str, str]) -> Step:
    condition = step.condition
    if condition is not None and condition.against in numbers:
        condition = replace(condition, against=numbers[condition.against])
    return replace(
        step,
        id=numbers[step.id],
        depends_on=tuple(numbers.get(id_, id_) for id_ in step.depends_on),
        condition=condition,
    )


def _by_structure(
    reading: Decomposition, run: Sequence[SubQuestion], answers: Mapping[str, SubAnswer]
) -> Decomposition:
    """Return the plan as it stands: sets that others go through, values that none waits for."""
    needed = {base_of(id_) for question in run for id_ in question.depends_on}
    steps: dict[str, Step] = {}
    set_found = False
    for question in run:
        base = base_of(question.id)
        if base in steps:
            continue
        answer = answers.get(question.id)
        members = answer.items if answer is not None and base == question.id else ()
        is_set = base in needed and len(members) > 1 and not set_found
        set_found = set_found or is_set
        steps[base] = Step(
            id=base,
            text=question.text,
            depends_on=tuple(dict.fromkeys(base_of(id_) for id_ in question.depends_on)),
            role="set" if is_set else "bridge" if base in needed else "value",
        )
    return Decomposition(
        question=reading.question, steps=tuple(steps.values()), open_ended=reading.open_ended
    )
