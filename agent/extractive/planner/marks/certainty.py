"""How sure a question's marks are, where it matters for what is asked."""

from __future__ import annotations

from collections.abc import Sequence

from agent.extractive.planner.marks.types import Mark, used

MARKS_FROM = 0.5
"""Probability from which a mark is believed."""
POINTERS_FROM = 2 / 3
"""The same for what a pointing word points at: of whom it speaks decides what is asked."""


def without_doubtful(marks: Sequence[Mark]) -> list[Mark]:
    """Marks without those inside others that are less than half sure.

    Without its mark a name or a description is asked about in the question's own words.
    """
    return [
        mark for mark in marks
        if mark.sure >= MARKS_FROM or mark.label[0] not in "SMBC" or not _is_inside(mark, marks)
    ]  # fmt: skip


def doubtful(marks: Sequence[Mark]) -> list[Mark]:
    """The marks that a plan cannot be built on."""
    unsure = [mark for mark in used(marks) if mark.sure < MARKS_FROM]
    pointing = [m for m in marks if m.label[0] == "R" and m.sure < POINTERS_FROM]
    return unsure + pointing


def _is_inside(mark: Mark, marks: Sequence[Mark]) -> bool:
    return any(
        other.start <= mark.start and mark.end <= other.end
        and other.end - other.start > mark.end - mark.start
        and other.label[0] in "ACSB" and other.sure >= MARKS_FROM
        for other in marks
    )  # fmt: skip
