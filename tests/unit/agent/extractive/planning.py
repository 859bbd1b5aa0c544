"""Plans for tests: of marks that a person made, or of the tagger."""

from __future__ import annotations

from dataclasses import replace

from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.marks.tagger import embedded_tagger
from agent.extractive.planner.marks.types import Operator, parse
from agent.extractive.planner.plan import plan_of
from agent.extractive.planner.steps.derivation import steps_of
from agent.extractive.planner.steps.members import for_every_member


def planned(marked: str, operator: Operator = "give") -> Decomposition:
    """The plan of a marked question: `What is [A the length] of [M the Elbe]?`."""
    question, marks = parse(marked)
    return for_every_member(steps_of(question, marks, operator))


def read(question: str) -> Decomposition:
    """The plan of a question as the embedded tagger marks it, without any titles."""
    return replace(plan_of(question, embedded_tagger()), unread="")
