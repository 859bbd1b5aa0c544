"""What a plan does next: pure functions from steps and answers to the steps that can be asked now.

Steps whose placeholders can be filled become others (`agent.graph.branches`). A plan in which every
step is asked, closed or a follow-up is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agent.graph.branches import Plan, Sparing, fill, named, parts_of
from agent.graph.state import Branch
from agent.plan import placeholders
from agent.types import SubAnswer, SubQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A plan after one look at what was found."""

    steps: tuple[SubQuestion, ...]
    branches: Mapping[str, tuple[Branch, ...]]
    ready: tuple[SubQuestion, ...]
    """To be asked now."""
    closed: tuple[SubAnswer, ...]
    """Of steps that will never be asked, with the reason."""
    grown: tuple[SubQuestion, ...] = ()
    """Steps that filling added."""


def advance(
    steps: Sequence[SubQuestion],
    branches: Mapping[str, Sequence[Branch]],
    answers: Mapping[str, SubAnswer],
    *,
    room: int,
    spared: Sparing | None = None,
    guesses: Mapping[str, Sequence[str]] | None = None,
) -> Progress:
    """Return what can be asked now, and what can never be.

    Args:
        steps: the plan so far.
        branches: what steps became when they were filled.
        answers: by id, those there are.
        room: how many more sub-questions may be asked; what is over is closed as failed.
        spared: says which steps need not be asked of a member; they are closed as not asked.
        guesses: by id of a step that was not found, what was taken for its answer.
    """
    plan = Plan(
        dict(answers),
        {id_: tuple(made) for id_, made in branches.items()},
        {step.id: step.text for step in steps},
        guesses or {},
        spared=spared,
    )
    grown: list[SubQuestion] = []
    while True:
        closed = len(plan.closed)
        steps, ready, filled = _look(steps, plan)
        grown.extend(filled)
        for step in ready[max(0, room) :]:
            plan.close(step.id, "failed", "the budget of sub-questions ran out")
        ready = ready[: max(0, room)]
        # A step that was closed may close others, wherever they stand.
        if ready or len(plan.closed) == closed:
            break
    return Progress(
        steps=tuple(steps),
        branches=plan.branches,
        ready=tuple(ready),
        closed=tuple(plan.closed),
        grown=tuple(grown),
    )


def _look(
    steps: Sequence[SubQuestion], plan: Plan
) -> tuple[list[SubQuestion], list[SubQuestion], list[SubQuestion]]:
    """Return the steps with placeholders filled where they can be, the ready ones, the new ones."""
    ready: list[SubQuestion] = []
    grown: list[SubQuestion] = []
    kept: list[SubQuestion] = []
    for step in steps:
        waiting = step.id in plan.answers or step.kind == "follow_up"
        if waiting or not all(plan.settled(id_) for id_ in step.depends_on):
            kept.append(step)
            continue
        wanted = placeholders(step.text)
        if not wanted:
            kept.append(step)
            ready.append(step)
            continue
        filled = fill(step, wanted, plan)
        kept.extend(filled or [step])
        ready.extend(child for child in filled if child.id not in plan.answers)
        grown.extend(filled)
    return kept, ready, grown


def close_all(
    steps: Sequence[SubQuestion], answers: Mapping[str, SubAnswer], reason: str
) -> list[SubAnswer]:
    """Return a failed answer, with the reason, for every step that should still be asked."""
    return [
        SubAnswer(sub_question_id=step.id, status="failed", error=reason)
        for step in steps
        if step.kind != "follow_up" and step.id not in answers
    ]


def resolve_dependencies(
    steps: Sequence[SubQuestion], branches: Mapping[str, Sequence[Branch]]
) -> tuple[SubQuestion, ...]:
    """Return the steps with `depends_on` naming the filled steps in place of those they replaced."""
    return tuple(
        replace(
            step,
            depends_on=tuple(
                dict.fromkeys(part for id_ in step.depends_on for part in parts_of(id_, branches))
            ),
        )
        for step in steps
    )


def doubted(
    step: SubQuestion,
    branches: Mapping[str, Sequence[Branch]],
    answers: Mapping[str, SubAnswer],
) -> str:
    """Return why nothing that a step finds is sure: what it was filled with is not; "" where it is."""
    made = next((one for some in branches.values() for one in some if one.id == step.id), None)
    plan = Plan(dict(answers), {id_: tuple(some) for id_, some in branches.items()})
    for id_ in made.filled if made is not None else ():
        if named(id_, plan, "answered"):
            continue
        if any(answer.status == "unsure" for answer in plan.found(id_)):
            return f"it hangs on the answer to {id_}, which is unsure"
        return f"it hangs on {id_}, which was not found"
    return ""
