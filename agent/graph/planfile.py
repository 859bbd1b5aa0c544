"""A plan as JSON: what `--plan FILE` reads, what a person edits, what a paused graph is sent.

    [{"id": "1", "text": "Which planets have rings?", "kind": "core"},
     {"id": "2", "text": "Who discovered the rings of {1}?", "kind": "core", "depends_on": ["1"]}]

`kind` is core where it is missing, ids count from 1 where they are; an object whose
`sub_questions` hold such a list is read too, so the output of `--json` is a plan as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from agent.types import Kind, SubQuestion
from corpus.errors import InputError
from corpus.files import parse_json, read_text

MOST_STEPS = 500
LARGEST_PLAN = 16 << 20
"""Bytes; what `--json` prints of five hundred steps is well below."""


class _Step(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True)
    id: str = ""
    text: Annotated[str, Field(min_length=1)]
    kind: Annotated[
        Kind, BeforeValidator(lambda kind: str(kind).strip().lower().replace("-", "_"))
    ] = "core"
    depends_on: tuple[str, ...] = ()


class _Plan(BaseModel):
    sub_questions: Annotated[list[_Step], Field(min_length=1, max_length=MOST_STEPS)]


def read_plan(path: Path) -> list[SubQuestion]:
    """Read a plan from a file.

    Raises:
        InputError: the file is missing or holds no plan; says where the fault is.
    """
    return plan_from_text(read_text(path, "plan", most=LARGEST_PLAN), str(path))


def plan_from_text(text: str, where: str) -> list[SubQuestion]:
    """Return the plan that a JSON text holds; see `plan_from_json`."""
    return plan_from_json(parse_json(text, where), where)


def plan_from_json(value: Any, where: str) -> list[SubQuestion]:
    """Return the plan that a JSON value holds.

    Args:
        value: a list of steps, or an object with `sub_questions`.
        where: what a fault is said to be in.

    Raises:
        InputError: names the step and the field at fault.
    """
    try:
        plan = _Plan.model_validate({"sub_questions": value} if isinstance(value, list) else value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: no plan: {place}: {first['msg']}") from None
    return [
        SubQuestion(
            id=step.id.strip() or str(number),
            text=" ".join(step.text.split()),
            kind=step.kind,
            depends_on=tuple(id_.strip() for id_ in step.depends_on),
        )
        for number, step in enumerate(plan.sub_questions, start=1)
    ]


def plan_to_json(steps: Sequence[SubQuestion]) -> list[dict[str, Any]]:
    """Return a plan as JSON values."""
    return [
        {
            "id": step.id,
            "text": step.text,
            "kind": step.kind,
            "depends_on": list(step.depends_on),
        }
        for step in steps
    ]
