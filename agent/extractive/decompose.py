"""A question read by rules: the steps that answer it, and how their findings make the answer.

The reading knows the forms of English questions, not their topics: sets to fan out over ("each
of the …"), predicates that keep some members ("which have more than …"), rankings, comparisons of
named things, sums, and descriptions nested in one another ("the capital of the country where …").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agent.extractive.clauses import clean, split_clauses
from agent.extractive.enumerations import without_article
from agent.extractive.forms import read_clause
from agent.extractive.names import protect_titles, unprotect
from agent.extractive.openness import is_open_ended
from agent.extractive.reading import MEMBER, Draft, Reading, Step
from agent.extractive.words import is_cjk

LONGEST = 1500
"""Characters of a question that the rules read; a longer text is no question with a form."""


def read_question(question: str, is_title: Callable[[str], bool] | None = None) -> Reading:
    """Return the steps that answer a question, and how their findings make the answer.

    Args:
        question: in English; another language, or a text of more than `LONGEST` characters, gives
            one step, the question itself.
        is_title: says whether a text is the title of an article, which keeps titles such as
            "Pride and Prejudice" whole.
    """
    draft = Draft(question=question)
    text = question if len(question) > LONGEST else clean(question)
    if len(question) > LONGEST or is_cjk(text):
        draft.add(question)
        return _finished(draft)
    shielded, titles = protect_titles(text, is_title)
    for clause in split_clauses(shielded):
        read_clause(draft, clause)
    if not draft.steps:
        draft.add(shielded)
    draft.steps = [
        replace(
            step,
            text=unprotect(step.text, titles),
            member=unprotect(step.member, titles),
            column=unprotect(step.column, titles),
        )
        for step in draft.steps
    ]
    draft.members = tuple(without_article(unprotect(member, titles)) for member in draft.members)
    reading = _finished(draft)
    plain = len(reading.steps) == 1 or all(step.role != "set" for step in reading.steps)
    return replace(reading, open_ended=plain and not reading.members and is_open_ended(text))


def _finished(draft: Draft) -> Reading:
    return Reading(
        question=draft.question,
        steps=tuple(draft.steps),
        members=draft.members,
        count=draft.count,
        counted=draft.counted,
        combine=draft.combine,
        margin=draft.margin,
    )


def for_every_member(reading: Reading) -> Reading:
    """Return a reading in which what follows from one listed member's step is asked of all.

    "The capitals of France and Italy, and their mayors": the mayor is asked of either capital.
    """
    by_id = {step.id: step for step in reading.steps}
    steps: list[Step] = []
    number = len(reading.steps)
    for step in reading.steps:
        steps.append(step)
        lead = next((by_id[id_] for id_ in step.depends_on if by_id[id_].column), None)
        if lead is None or step.column:
            continue
        siblings = [other for other in reading.steps if other.column == lead.column]
        text, column = step.text, step.text.replace(f"{{{lead.id}}}", MEMBER)
        steps[-1] = replace(step, member=lead.member, column=column)
        for sibling in siblings:
            if sibling.id == lead.id:
                continue
            number += 1
            copy = replace(
                step,
                id=str(number),
                text=text.replace(f"{{{lead.id}}}", f"{{{sibling.id}}}"),
                depends_on=tuple(sibling.id if id_ == lead.id else id_ for id_ in step.depends_on),
                member=sibling.member,
                column=column,
            )
            steps.append(copy)
            by_id[copy.id] = copy
    return replace(reading, steps=tuple(steps))
