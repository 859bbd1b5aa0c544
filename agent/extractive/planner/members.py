"""Steps for every member that a question lists."""

from __future__ import annotations

from dataclasses import replace

from agent.extractive.planner.decomposition import MEMBER, Decomposition, Step


def for_every_member(reading: Decomposition) -> Decomposition:
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
