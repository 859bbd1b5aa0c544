"""Brings what a question was read as in line with the plan that was run, which a person may have made.

Steps are matched by their words, never by their numbers: a plan may ask of Jupiter before Saturn. A
plan whose steps are not those that were read is composed by its own structure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.extractive.planner.decomposition import Decomposition, Step
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
            return _by_structure(reading, run, answers)
    if set(texts) - set(numbers.values()):
        return _by_structure(reading, run, answers)
    if all(old == new for old, new in numbers.items()):
        return reading
    return replace(reading, steps=tuple(_renumbered(step, numbers) for step in reading.steps))


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
