"""A question's plan where marks and operator do not go together."""

from __future__ import annotations

import pytest

from agent.extractive.planner.marks.tagger import Tagged
from agent.extractive.planner.marks.types import parse
from agent.extractive.planner.plan import plan_of
from tests.unit.agent.extractive.planning import read


class Marking:
    """A tagger that says of every question what it was told of one."""

    def __init__(self, marked: str, operator: str) -> None:
        self.question, marks = parse(marked)
        self._tagged = Tagged(
            question=self.question,
            marks=tuple(marks),
            operator=operator,  # type: ignore[arg-type]
            sure=0.9,
        )

    def tag(self, question: str) -> Tagged:
        """As told."""
        return self._tagged


def test_a_number_of_one_thing_is_found_not_counted() -> None:
    tagger = Marking("[A How many people live in [M Oslo]]?", "count")
    plan = plan_of(tagger.question, tagger)
    assert (len(plan.steps), plan.counted, plan.unread) == (1, False, "")


def test_members_of_a_set_are_counted() -> None:
    tagger = Marking("How many of [S the Baltic ports] [C freeze in winter]?", "count")
    plan = plan_of(tagger.question, tagger)
    assert (plan.counted, plan.unread) == (True, "")
    assert plan.set_step is not None


def test_a_predicate_of_a_set_is_asked_of_its_members() -> None:
    tagger = Marking("Which [S Baltic port] [A was built by [B the tsar of 1703]]?", "give")
    plan = plan_of(tagger.question, tagger)
    assert plan.steps[-1].text == "Was {1} built by {2}?"
    assert plan.steps[-1].condition is not None


def test_a_statement_about_nothing_is_no_plan() -> None:
    marked = "[S Baltic ports], [M Riga]: [A was built by [B the tsar of 1703]]?"
    tagger = Marking(marked, "give")
    plan = plan_of(tagger.question, tagger)
    assert not any(step.text.startswith("Was built by") for step in plan.steps)


@pytest.mark.parametrize(
    "question", ["What is the average depth of Lake Mere?", "What is the total area of Lake Mere?"]
)
def test_of_one_thing_an_average_is_found_and_not_computed(question: str) -> None:
    plan = read(question)
    assert len(plan.steps) == 1
    assert (plan.unread, plan.combine) == ("", "")
