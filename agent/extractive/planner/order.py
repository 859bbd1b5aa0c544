"""The order of steps: after what they depend on, and after the conditions that members must meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.planner.decomposition import Decomposition, Step


def in_order(steps: Sequence[Step]) -> list[Step]:
    """Steps after those they depend on, numbered as they stand."""
    left = list(steps)
    placed: list[Step] = []
    while left:
        known = {step.id for step in placed}
        ready = next((step for step in left if set(step.depends_on) <= known), left[0])
        left.remove(ready)
        placed.append(ready)
    return placed


def awaiting_conditions(reading: Decomposition) -> Decomposition:
    """Let what is asked of a set's members wait for the conditions that they must meet."""
    if reading.set_step is None:
        return reading
    token = f"{{{reading.set_step.id}}}"
    conditions = [
        step.id
        for step in reading.steps
        if step.condition is not None
        and step.condition.kind not in ("max", "min")
        and token in step.text
    ]
    steps = tuple(
        replace(step, depends_on=tuple(dict.fromkeys((*step.depends_on, *conditions))))
        if token in step.text and step.condition is None and step is not reading.set_step
        else step
        for step in reading.steps
    )
    return replace(reading, steps=tuple(in_order(steps)))
