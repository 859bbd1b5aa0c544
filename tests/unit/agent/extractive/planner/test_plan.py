"""A question's plan where marks and operator do not go together."""

from __future__ import annotations

import pytest

from agent.extractive.planner.marks.tagger import Tagged
from agent.extractive.planner.marks.types import parse
from agent.extractive.planner.plan import plan_of
from tests.unit.agent.extractive.planning import read


class Marking:
    """A tagger that says of every question what it was told of one."""

    def __init__(self, marked: str, operator: str, sure: float = 0.9) -> None:
        self.question, marks = parse(marked)
        self._tagged = Tagged(
            question=self.question,
            marks=tuple(marks),
            operator=operator,  # type: ignore[arg-type]
            sure=sure,
        )

    def tag(self, question: str) -> Tagged:
        """As told."""
        return self._tagged


def test_a_number_of_one_thing_is_found_not_counted() -> None:
    tagger = Marking("[A How many people live in [M Oslo]]?", "count")
    plan = plan_of(tagger.question, tagger)
    assert (len(plan.steps), plan.counted, plan.unread) == (1, False, "")


def test_people_in_the_mass_are_not_counted_one_by_one() -> None:
    tagger = Marking("[A How many lambs were eaten by [S hungry animals] in 1990]?", "count")
    plan = plan_of(tagger.question, tagger)
    assert (len(plan.steps), plan.counted, plan.unread) == (1, False, "")


def test_a_sum_that_the_question_says_is_believed() -> None:
    tagger = Marking("[A How many lambs have [M Ann] and [M Bob]] in total?", "sum", 0.6)
    assert plan_of(tagger.question, tagger).combine == "sum"


def test_an_order_owns_nothing() -> None:
    plan = read("Subtract the weight of the Koh-i-Noor from that of the Hope Diamond.")
    assert plan.members == ("Koh-i-Noor", "Hope Diamond")


def test_names_that_a_word_divides_stay_a_list() -> None:
    plan = read("mumps vaccine, measles vaccine, rubella vaccine: maker, year")
    assert len(plan.members) == 3


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


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("ports on the Mere", "What are the ports on the Mere?"),
        ("ports on the mere", "What are the ports on the Mere?"),
        ("pseudonym of Ann Lee", "What is the pseudonym of Ann Lee?"),
    ],
)
def test_a_fragment_without_marks_is_asked_whole_with_its_names(typed: str, asked: str) -> None:
    plan = plan_of(
        typed,
        Marking(typed, "give"),
        {"mere": "Mere", "Mere": "Mere", "Ann Lee": "Ann Lee"}.get,
        {"Mere": "The Mere is a lake.", "Ann Lee": "Ann Lee was a poet."}.__getitem__,
    )
    assert [step.text.rstrip("?") for step in plan.steps] == [asked.rstrip("?")]
