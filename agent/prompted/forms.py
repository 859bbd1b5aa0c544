"""The forms of reply asked of a model, and the tolerance with which they are read.

Strict servers send exactly these; smaller models write a number for an id, `null` for an empty
list, `[2]` for 2. What can be read in one way only is read so.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict

from agent.types import Kind


def _listed(value: Any) -> Any:
    if value is None:
        return []
    return [value] if isinstance(value, (str, int, dict)) else value


def _numbered(value: Any) -> Any:
    if isinstance(value, str):
        digits = re.findall(r"\d+", value)
        return int(digits[0]) if len(digits) == 1 else value
    return value


def _kind(value: Any) -> Any:
    folded = str(value).strip().lower().replace("_", "-").replace(" ", "-")
    return {"followup": "follow-up"}.get(folded, folded)


def _blank(value: Any) -> Any:
    return "" if value is None else value


Listed = BeforeValidator(_listed)
Number = Annotated[int, BeforeValidator(_numbered)]
WrittenKind = Annotated[Literal["core", "background", "follow-up"], BeforeValidator(_kind)]
Blankable = Annotated[str, BeforeValidator(_blank)]


class _Reply(BaseModel):
    model_config = ConfigDict(coerce_numbers_to_str=True, frozen=True)


class PlanStep(_Reply):
    """One sub-question of a plan."""

    id: str
    question: str
    depends_on: Annotated[list[str], Listed] = []


class PlanReply(_Reply):
    """A decomposition."""

    sub_questions: list[PlanStep]


class NumberedKind(_Reply):
    """The kind of one sub-question in a list."""

    number: Number
    kind: WrittenKind


class KindsReply(_Reply):
    """The kinds of all sub-questions."""

    kinds: list[NumberedKind]


class OneKindReply(_Reply):
    """The kind of one sub-question; the reason comes first so that it is thought of first."""

    reason: Blankable = ""
    kind: WrittenKind


class Covered(_Reply):
    """The sub-questions that one source answers."""

    source: Number
    answers: Annotated[list[Number], Listed] = []


class CoverReply(_Reply):
    """Which sources answer which sub-questions."""

    sources: Annotated[list[Covered], Listed]


class Quote(_Reply):
    """Words copied from a source."""

    source: Number
    quote: Blankable


class AnswerReply(_Reply):
    """An answer from sources."""

    found: bool
    answer: Blankable = ""
    items: Annotated[list[str], Listed] = []
    quotes: Annotated[list[Quote], Listed] = []


class ClosedAnswerReply(_Reply):
    """An answer from memory."""

    found: bool
    answer: Blankable = ""
    items: Annotated[list[str], Listed] = []


class ComposedReply(_Reply):
    """A final answer with its sources."""

    text: str
    items: Annotated[list[str], Listed] = []
    quotes: Annotated[list[Quote], Listed] = []


class ClosedComposedReply(_Reply):
    """A final answer from memory."""

    text: str
    items: Annotated[list[str], Listed] = []


def as_kind(written: str) -> Kind:
    """Return the agent's name for a kind as a model writes it."""
    kinds: dict[str, Kind] = {
        "core": "core",
        "background": "background",
        "follow-up": "follow_up",
    }
    return kinds[written]
