"""Puts an answer together from what was found: a line for each thing, every value with its mark.

Values are quoted as they were found. What is computed of them (which remain, the largest, a sum) is
said to be computed from the lines cited.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from agent.extractive.composer.chain import compose_chain
from agent.extractive.composer.lines import (
    Cell,
    Marks,
    MemberLine,
    full_name,
    other_title,
    with_article,
    year_of_row,
)
from agent.extractive.composer.members import Doubts, compose_members, is_partial
from agent.extractive.composer.run_plan import as_run, base_of
from agent.extractive.composer.sub_answers import SHOWN, value_of
from agent.extractive.language.names import holds_name
from agent.extractive.planner.decomposition import Decomposition, Step
from agent.reasoner import Composed
from agent.types import Style, SubAnswer, SubQuestion
from retrieval.types import Hit


def compose_found(
    reading: Decomposition,
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    hits: Sequence[Hit],
    style: Style,
    *,
    guessed: bool = False,
    title_of: Callable[[str], str | None] = lambda _: None,
) -> Composed:
    """Write the answer to a question of facts from the answers to its steps.

    Args:
        reading: of the question.
        sub_questions: as they were asked.
        sub_answers: what became of them.
        hits: the chunks that may be cited.
        style: of the answer.
        guessed: whether the likeliest plan was another one: what this one does not find need not lack.
        title_of: returns the title that a name leads to, None where there is none.
    """
    answers = {answer.sub_question_id: answer for answer in sub_answers}
    marks = Marks(hits)
    reading = as_run(reading, sub_questions, answers)
    steps = {step.id: step for step in reading.steps}
    lines = _member_lines(reading, steps, sub_questions, answers, marks, title_of)
    if lines:
        # What is unsure is no bound that members are held against.
        found = {
            answer.sub_question_id: answer.items
            for answer in sub_answers
            if answer.status == "answered"
        }
        doubts = Doubts(guessed=guessed, partial=is_partial(reading, answers))
        return compose_members(reading, lines, found, marks, style, doubts)
    return compose_chain(reading, sub_questions, answers, marks, style)


def _member_lines(
    reading: Decomposition,
    steps: Mapping[str, Step],
    sub_questions: Sequence[SubQuestion],
    answers: Mapping[str, SubAnswer],
    marks: Marks,
    title_of: Callable[[str], str | None],
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
    named: dict[str, set[str]] = {}
    for question in sub_questions:
        answer = answers.get(question.id)
        planned = steps.get(base_of(question.id))
        if answer is None or answer.status not in SHOWN or planned is None or planned is set_step:
            continue
        cell = Cell(
            value=value_of(answer), marks=marks.of(answer), sure=answer.status == "answered"
        )
        asked_of_set = set_step is None or set_step.id in planned.depends_on
        for line in _lines_of(question, planned, by_id, answers, lines, named_first=asked_of_set):
            line.cells.setdefault(planned.column or planned.id, []).append(cell)
            named.setdefault(line.name, set()).update(marks.named_by(answer))
    for member in reading.members:
        line = lines[member.casefold()]
        told = named.get(line.name, ())
        line.title = other_title(line.name, told, title_of)
        line.name = with_article(full_name(line.name, told), title_of)
    return list(lines.values())


def _lines_of(
    question: SubQuestion,
    planned: Step,
    by_id: Mapping[str, SubQuestion],
    answers: Mapping[str, SubAnswer],
    lines: Mapping[str, MemberLine],
    *,
    named_first: bool,
) -> list[MemberLine]:
    """Return the members that a filled step is about: named in it, or in a step it came from.

    What was found for several members is asked about once: "Who discovered Ganymede?" belongs to
    every member for which Ganymede was found.

    Args:
        question: the filled step.
        planned: as it was planned.
        by_id: the filled steps.
        answers: to them.
        lines: of the members, by name in lower case.
        named_first: whether the step asks of the members themselves. One that asks of what was
            found for them may name another member: the lake that a lake flows into.
    """
    if planned.member and planned.member.casefold() in lines:
        return [lines[planned.member.casefold()]]
    named = _named(question.text, lines)
    if named and named_first:
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
    return list(found.values()) or named


def _named(text: str, lines: Mapping[str, MemberLine]) -> list[MemberLine]:
    """Return the member that a text names, the longest name where names hold one another."""
    low = text.casefold()
    named = [line for name, line in lines.items() if holds_name(low, name)]
    return [max(named, key=lambda line: len(line.name))] if named else []
