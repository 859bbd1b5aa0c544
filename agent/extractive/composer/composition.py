"""Puts an answer together from what was found: a line for each thing, every value with its mark.

Values are quoted as they were found. What is computed of them (which remain, the largest, a sum) is
said to be computed from the lines cited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.citations import disarm, strip_marks
from agent.citations.check import UNSURE
from agent.extractive.composer.computation import COMPUTED, combined, gap_between
from agent.extractive.composer.lines import (
    Cell,
    Marks,
    MemberLine,
    full_name,
    holds_name,
    shown_marks,
    year_of_row,
)
from agent.extractive.composer.membership import keep_members, ruled
from agent.extractive.composer.run_plan import as_run, base_of
from agent.extractive.composer.verdict import verdict
from agent.extractive.planner.decomposition import Decomposition, Step
from agent.reasoner import Composed
from agent.types import Style, SubAnswer, SubQuestion
from retrieval.types import Hit

OPEN = "Open:"
"""Stands above the members of which it is not known whether they meet the conditions."""
NOT_FOUND = ": not found"
"""Stands behind a member that a question names where nothing was found of it."""
SHOWN = ("answered", "unsure")
"""Statuses whose values are shown; what is unsure is marked so when its citations are checked."""


def compose_found(
    reading: Decomposition,
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    hits: Sequence[Hit],
    style: Style,
) -> Composed:
    """Write the answer to a question of facts from the answers to its steps."""
    answers = {answer.sub_question_id: answer for answer in sub_answers}
    marks = Marks(hits)
    reading = as_run(reading, sub_questions, answers)
    steps = {step.id: step for step in reading.steps}
    lines = _member_lines(reading, steps, sub_questions, answers, marks)
    if lines:
        # What is unsure is no bound that members are held against.
        found = {
            answer.sub_question_id: answer.items
            for answer in sub_answers
            if answer.status == "answered"
        }
        return _compose_members(reading, lines, found, marks, style)
    return _compose_chain(reading, sub_questions, answers, marks, style)


def value_of(answer: SubAnswer) -> str:
    """Return the answering words of a sub-answer, without marks."""
    if answer.items:
        return disarm(", ".join(answer.items))
    return disarm(strip_marks(answer.text)).strip()


def columns_of(reading: Decomposition) -> list[str]:
    """Return the columns of a table of members, in the order of the plan."""
    return list(dict.fromkeys(step.column or step.id for step in reading.steps))


def _member_lines(
    reading: Decomposition,
    steps: Mapping[str, Step],
    sub_questions: Sequence[SubQuestion],
    answers: Mapping[str, SubAnswer],
    marks: Marks,
) -> list[MemberLine]:
    lines: dict[str, MemberLine] = {}
    set_step = reading.set_step
    if set_step is not None and set_step.id in answers:
        found = answers[set_step.id]
        for item in found.items:
            asked = next((one.text for one in sub_questions if one.id == set_step.id), "")
            lines[item.casefold()] = MemberLine(
                name=item, marks=marks.of(found, item), when=year_of_row(asked, found, item)
            )
    for member in reading.members:
        lines.setdefault(member.casefold(), MemberLine(name=member))
    if not lines:
        return []
    by_id = {question.id: question for question in sub_questions}
    titles: dict[str, set[str]] = {}
    for question in sub_questions:
        answer = answers.get(question.id)
        planned = steps.get(base_of(question.id))
        if answer is None or answer.status not in SHOWN or planned is None or planned is set_step:
            continue
        cell = Cell(
            value=value_of(answer), marks=marks.of(answer), sure=answer.status == "answered"
        )
        for line in _lines_of(question, planned, by_id, answers, lines):
            line.cells.setdefault(planned.column or planned.id, []).append(cell)
            titles.setdefault(line.name, set()).update(marks.titles_of(answer))
    for member in reading.members:
        line = lines[member.casefold()]
        line.name = full_name(line.name, titles.get(line.name, ()))
    return list(lines.values())


def _lines_of(
    question: SubQuestion,
    planned: Step,
    by_id: Mapping[str, SubQuestion],
    answers: Mapping[str, SubAnswer],
    lines: Mapping[str, MemberLine],
) -> list[MemberLine]:
    """Return the members that a filled step is about: named in it, or in a step it came from.

    What was found for several members is asked about once: "Who discovered Ganymede?" belongs to
    every member for which Ganymede was found.
    """
    if planned.member and planned.member.casefold() in lines:
        return [lines[planned.member.casefold()]]
    named = _named(question.text, lines)
    if named:
        return named
    text = question.text.casefold()
    found: dict[str, MemberLine] = {}
    bases = {base_of(id_) for id_ in question.depends_on}
    for other in by_id.values():
        if base_of(other.id) not in bases or other.id == question.id:
            continue
        answer = answers.get(other.id)
        items = answer.items if answer is not None else ()
        if other.id in question.depends_on or any(holds_name(text, item) for item in items):
            about = _named(other.text, lines) or [
                line
                for id_ in other.depends_on
                if id_ in by_id
                for line in _named(by_id[id_].text, lines)
            ]
            found.update((line.name, line) for line in about)
    return list(found.values())


def _named(text: str, lines: Mapping[str, MemberLine]) -> list[MemberLine]:
    """Return the member that a text names, the longest name where names hold one another."""
    low = text.casefold()
    named = [line for name, line in lines.items() if holds_name(low, name)]
    return [max(named, key=lambda line: len(line.name))] if named else []


def _compose_members(
    reading: Decomposition,
    lines: Sequence[MemberLine],
    found: Mapping[str, Sequence[str]],
    marks: Marks,
    style: Style,
) -> Composed:
    remaining = keep_members(reading, lines, found)
    kept, said = remaining.lines, remaining.said
    stated = reading.combine in ("all", "any") and any(
        step.condition is not None for step in reading.steps
    )
    if stated:
        kept = list(lines)
    elif remaining.withheld:
        return Composed(text="", withheld=remaining.withheld)
    result = ruled(reading, lines, found) if stated else combined(reading, kept)
    if reading.counted:
        result = f"At least {remaining.shown}" if remaining.open else str(remaining.shown)
    if not kept and said.startswith("0 of "):
        result, kept = result or "None", list(lines)
    if reading.of_each and reading.members and kept and len(kept) < len(lines) and not stated:
        # What is asked of each is said of each; the first is named before.
        result = result or " and ".join(line.name for line in kept)
        kept = [*kept, *(line for line in lines if line not in kept)]
    if reading.margin and not result:
        result = combined(replace(reading, combine="difference"), lines)
        if result and len(kept) == 1:
            result = f"{kept[0].text_of('found') or kept[0].name}, by {result}"
            kept = [*kept, *(line for line in lines if line not in kept)]
    if reading.combine in COMPUTED and not result:
        return Composed(
            text="", withheld="what was found does not make what is to be computed of it"
        )
    bounds = {step.condition.against for step in reading.steps if step.condition is not None}
    columns = [column for column in columns_of(reading) if column not in bounds]
    items = []
    shown = []
    bullet = "- " if style == "long" else ""
    for line in kept:
        values = [text for column in columns if (text := line.text_of(column))]
        items.append(f"{line.shown_name}: {'; '.join(values)}" if values else line.shown_name)
        if line.name in remaining.unsettled and not result and OPEN not in shown:
            shown.append(OPEN)
        shown.append(bullet + _line_of(line, columns))
    valued = any(step.role == "value" and step.condition is None for step in reading.steps)
    if valued and not reading.counted and not result and not any(line.cells for line in kept):
        return Composed(text="", withheld="of what is asked nothing was found of these members")
    head = []
    doubt = any(not cell.sure for line in lines for cells in line.cells.values() for cell in cells)
    if result:
        unsure = ", of which some are unsure" if doubt else ""
        computed = f"{result} (computed from the lines below{unsure})."
        head.append(computed if style == "long" else result)
        items.insert(0, result)
    elif said and style == "long":
        head.append(said)
    elif remaining.doubted:
        # A line of its own: behind a mark it would be a part of what the quote must hold.
        shown.append(UNSURE)
    text = "\n".join([*head, *shown])
    return Composed(
        text=text,
        items=tuple(items),
        quotes=tuple(dict.fromkeys(marks.quotes)),
        computed=(*head, OPEN, *(one for one in shown if one.endswith(NOT_FOUND))),
    )


def _line_of(line: MemberLine, columns: Sequence[str]) -> str:
    """Return a member with what was found for it."""
    name = f"{line.shown_name}{shown_marks(line.marks)}"
    values = "; ".join(line.shown(column) for column in columns if line.text_of(column))
    if values or line.marks:
        return f"{name}: {values}" if values else name
    return name + NOT_FOUND


def _compose_chain(
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
    for question in shown_questions:
        answer = answers[question.id]
        value = value_of(answer)
        if question in (finals or answered):
            items.extend(answer.items or (value,))
        line = f"{value}{shown_marks(marks.of(answer))}"
        lines.append(f"- {question.text} {line}" if style == "long" else line)
    return Composed(
        text="\n".join([*head, *lines]),
        items=tuple(dict.fromkeys(items)),
        quotes=tuple(dict.fromkeys(marks.quotes)),
        computed=tuple(head),
    )


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
