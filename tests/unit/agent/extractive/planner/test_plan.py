"""A question's plan: when what was written stands, and what stands in its place."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.plan import (
    LIKELY,
    LONGEST,
    NOTHING,
    plans_of,
    reworded_plans_of,
)
from agent.extractive.planner.writer.model import Written
from tests.unit.agent.extractive.planning import Told, read, written

LAKES = ("set: What are the lakes?", "is: Does {1} freeze?")


class Silent:
    """A planner that writes nothing."""

    def write(self, question: str) -> Sequence[Written]:
        """No plan."""
        return ()


def is_whole(plan: Decomposition) -> bool:
    """Whether a plan asks its question as it is."""
    return [step.text for step in plan.steps] == [plan.question]


def test_a_likely_plan_stands() -> None:
    plan = plans_of("How many of the lakes freeze?", Told("count", *LAKES, score=LIKELY))[0]
    assert (plan.counted, plan.unread, len(plan.steps)) == (True, "", 2)
    assert plan.set_step is plan.steps[0]


def test_short_ordinals_are_written_out() -> None:
    heard = []

    class Hearing(Silent):
        def write(self, question: str) -> Sequence[Written]:
            heard.append(question)
            return ()

    plans_of("Who was the 2nd king of Oz after the 1st Battalion", Hearing())
    assert heard == ["Who was the second king of Oz after the 1st Battalion"]


@pytest.mark.parametrize(
    ("question", "combine"),
    [
        ("List the lakes, and add for every one how deep it is.", ""),
        ("List the lakes, and add up how deep each of them is.", "sum"),
        ("List the lakes together with how deep each of them is.", ""),
        ("How deep are the lakes together?", "sum"),
        ("How deep are the lakes all told? Add what you know of each.", "sum"),
    ],
)
def test_what_is_added_of_each_is_no_sum(question: str, combine: str) -> None:
    told = Told("sum", LAKES[0], "ask: How deep is {1}?", score=LIKELY)
    assert plans_of(question, told)[0].combine == combine


def test_the_total_of_a_set_is_how_many_there_are() -> None:
    plan = plans_of("Lakes: total?", Told("sum", LAKES[0], score=LIKELY))[0]
    assert (plan.counted, plan.combine) == (True, "")


@pytest.mark.parametrize(
    "line", ["ask: Did Ann dive Bled?", "ask: Did anyone except Ann dive Bled?"]
)
def test_no_plan_loses_that_others_are_asked_for(line: str) -> None:
    plans = plans_of("Did anyone except Ann dive Bled?", Told("yesno", line, score=LIKELY))
    assert all("except Ann" in step.text for plan in plans for step in plan.steps)


def test_a_text_that_only_repeats_itself_is_one_step() -> None:
    told = Told("give", *LAKES, score=LIKELY)
    often = "which lakes freeze, and which of them thaw again? "
    assert len(plans_of(often * 20, told)[0].steps) == 1
    assert len(plans_of(often * 2, told)[0].steps) == len(LAKES)


def test_an_unlikely_plan_of_several_steps_leaves_the_question_to_a_sentence() -> None:
    plan = plans_of("Which lakes freeze?", Told("give", *LAKES, score=LIKELY - 0.1))[0]
    assert is_whole(plan)
    assert plan.by_sentence


def test_an_unlikely_plan_of_one_step_is_the_question_as_it_is() -> None:
    plan = plans_of("Who wrote Emma?", Told("give", "ask: Who wrote?", score=LIKELY - 0.1))[0]
    assert is_whole(plan)
    assert not plan.by_sentence


def test_steps_that_cannot_be_run_are_not_asked() -> None:
    told = Told("give", "ask: Where was {2} born?", "find: Who directed Jaws?")
    plan = plans_of("Where was the director of Jaws born?", told)[0]
    assert is_whole(plan)
    assert plan.by_sentence


def test_a_plan_may_lose_no_number_that_another_one_keeps() -> None:
    losing = Written("give", written("set: Which lakes have more islands?"), LIKELY)
    told = Told("give", "set: Which lakes have more than twenty islands?", others=[losing])
    (plan,) = plans_of("Which lakes have more than twenty islands?", told)
    assert "twenty" in plan.steps[0].text
    (plan,) = plans_of("We were twenty. Which lakes have more islands?", told)[1:]
    assert "twenty" not in plan.steps[0].text


def test_a_plan_may_lose_no_superlative_that_another_one_keeps() -> None:
    question = "Which is the smallest country on the Elm?"
    losing = Written("give", written("ask: Which country is on the Elm?"), LIKELY)
    (plan,) = plans_of(question, Told("give", f"ask: {question}", others=[losing]))
    assert plan.steps[0].text == question
    ranked = ("set: Which countries are on the Elm?", "least: How large is {1}?")
    assert len(plans_of(question, Told("give", *ranked, others=[losing]))) == 1
    unlikely = Written("give", written(f"ask: {question}"), LIKELY - 1)
    (plan,) = plans_of(question, Told("give", "ask: Which country is on it?", others=[unlikely]))
    assert plan.unread == ""


@pytest.mark.parametrize("rank", ["first", "third", "last"])
def test_a_plan_may_lose_no_rank_that_another_one_keeps(rank: str) -> None:
    question = f"Who was the {rank} mayor of Elm?"
    losing = Written("give", written("ask: Who was the mayor of Elm?"), LIKELY)
    (plan,) = plans_of(question, Told("give", f"ask: {question}", others=[losing]))
    assert plan.steps[0].text == question


def test_a_plan_may_lose_no_measure_that_another_one_keeps() -> None:
    lakes, question = "set: What are the lakes?", "Which lake is the smallest by volume?"
    losing = Written("give", written(lakes, "least: How large is {1}?"), LIKELY)
    told = Told("give", lakes, "least: What is the volume of {1}?", others=[losing])
    (plan,) = plans_of(question, told)
    assert "volume" in plan.steps[1].text


def test_a_later_plan_may_lose_no_name_that_the_first_one_says() -> None:
    lost = Written("give", written("ask: How many died in Holm?"), LIKELY)
    kept = Written("give", written("ask: How many did Ida kill in Holm?"), LIKELY)
    for other, tried in ((lost, 1), (kept, 2)):
        told = Told("give", "ask: How many in Holm died by Ida?", others=[other])
        assert len(plans_of("How many in Holm were killed by Ida?", told)) == tried


def test_a_name_is_said_with_or_without_the_s_of_the_owner() -> None:
    question = "How wide is Vella's moon Orn?"
    lost = Written("give", written("ask: How wide is the moon of Vella?"), LIKELY)
    best, *others = plans_of(question, Told("give", f"ask: {question}", others=[lost]))
    assert [step.text for step in best.steps] == [question]
    assert not others


def test_what_cannot_be_counted_may_be_told_as_a_number() -> None:
    told = "ask: How many known moons does Vella have?"
    number = Written("give", written(told), LIKELY)
    counted = ("set: What are the moons of Vella?", "is: Is {1} known?")
    question = "How many known moons does Vella have?"
    plans = plans_of(question, Told("count", *counted, others=[number]))
    assert [len(plan.steps) for plan in plans] == [2, 1]
    other = Written("give", written("ask: Which moons does Vella have?"), LIKELY)
    assert len(plans_of(question, Told("count", *counted, others=[other]))) == 1


def test_a_plan_may_lose_no_manner_that_another_one_keeps() -> None:
    kept = ("set: What are the languages?", "is: Is {1} dynamically typed?")
    lost = Written("count", written(kept[0], "is: Is {1} typed?"), LIKELY)
    question = "How many languages are dynamically typed?"
    plans = plans_of(question, Told("count", *kept, others=[lost]))
    assert [plan.steps[1].text for plan in plans] == ["Is {1} dynamically typed?"]


def test_how_many_are_more_than_another_is_not_which_is_the_most() -> None:
    ranked = ("set: What are the planets?", "most: How wide is {1}?")
    plan = plans_of("How many planets are wider than ours?", Told("count", *ranked))[0]
    assert is_whole(plan)


def test_plans_that_keep_different_numbers_all_stand() -> None:
    other = Written("give", written("ask: Which lake has 30 islands?"), LIKELY)
    told = Told("give", "ask: Which lake has 20 boats?", others=[other])
    assert len(plans_of("Which lake has 20 boats or 30 islands?", told)) == 2


def test_without_a_plan_a_sentence_may_tell() -> None:
    plan = plans_of("Who wrote Emma?", Silent())[0]
    assert is_whole(plan)
    assert plan.by_sentence


@pytest.mark.parametrize("operator", ["count", "sum", "average", "same", "common", "any"])
def test_of_one_value_nothing_is_computed(operator: str) -> None:
    plan = plans_of("What of the lake?", Told(operator, "ask: How deep is the lake?"))[0]
    assert (plan.combine, plan.counted, plan.unread) == ("", False, "")


@pytest.mark.parametrize(("score", "unread"), [(NOTHING, True), (NOTHING - 0.1, False)])
def test_that_nothing_is_asked_must_be_sure(score: float, unread: bool) -> None:
    plan = plans_of("Thank you?", Told("none", score=score))[0]
    assert is_whole(plan)
    assert bool(plan.unread) is unread


def test_what_wants_reasons_is_open_ended() -> None:
    plan = plans_of("Why did Rome fall?", Told("explain"))[0]
    assert is_whole(plan)
    assert (plan.open_ended, plan.unread) == (True, "")


def test_names_get_their_capitals_before_the_question_is_planned() -> None:
    told = Told("give", "ask: How deep is Lake Mere?")
    title = {"lake mere": "Lake Mere", "Lake Mere": "Lake Mere"}.get
    plans_of("how deep is  lake mere", told, title, lambda name: f"{name} is a lake.")
    assert told.asked == ["how deep is Lake Mere"]


@pytest.mark.parametrize("text", ["", "?!", "a " * LONGEST, "长江有多长？"])
def test_what_cannot_be_planned_is_asked_as_it_is(text: str) -> None:
    told = Told("give", *LAKES)
    plan = plans_of(text, told)[0]
    assert (told.asked, len(plan.steps)) == ([], 1)


def test_the_embedded_writer_plans() -> None:
    plan = read("Where was the director of Jaws born?")
    assert [step.role for step in plan.steps] == ["bridge", "value"]
    assert plan.steps[1].text == "Where was {1} born?"


def test_who_did_something_is_no_account() -> None:
    plan = plans_of("Who knew what to do when the lights went out?", Told("explain"))[0]
    assert (plan.open_ended, plan.by_sentence) == (False, True)
    assert is_whole(plan)


class Hasty(Silent):
    """A planner that reads some questions otherwise, by how they begin."""

    def __init__(self, plans: dict[str, Sequence[Written]]) -> None:
        self._plans = plans

    def write(self, question: str) -> Sequence[Written]:
        """The plans of the beginning that fits."""
        return next((p for begins, p in self._plans.items() if question.startswith(begins)), ())


def test_a_question_is_planned_in_other_wordings_too() -> None:
    depth, width = written("ask: How deep is Ro?"), written("ask: How wide is Ro?")
    lost = written("ask: How wide is it?")
    planner = Hasty(
        {
            "Is Ro": [Written("give", depth, -0.5)],
            "is Ro": [Written("give", width, -2.0), Written("give", depth, -1.0)],
            "Please": [Written("give", lost, -0.1), Written("none", (), -0.1)],
        }
    )
    question = "Is Ro deep or wide?"
    known = plans_of(question, planner)
    assert [[step.text for step in plan.steps] for plan in known] == [["How deep is Ro?"]]
    more = reworded_plans_of(question, known, planner)
    # The first is known, the last loses the name that the likeliest plan says.
    assert [[step.text for step in plan.steps] for plan in more] == [["How wide is Ro?"]]
    assert [plan.question for plan in more] == [question]


def test_what_is_typed_short_is_planned_in_full_and_as_it_was_typed() -> None:
    depth, width = written("ask: How deep is Ro?"), written("ask: How wide is Ro?")
    planner = Hasty(
        {
            "people by Ro": [Written("give", depth, -0.5)],
            "ppl by Ro": [Written("give", width, -1.0)],
        }
    )
    known = plans_of("ppl by Ro", planner)
    assert [[step.text for step in plan.steps] for plan in known] == [["How deep is Ro?"]]
    more = reworded_plans_of("ppl by Ro", known, planner)
    assert [[step.text for step in plan.steps] for plan in more] == [["How wide is Ro?"]]


def test_what_asks_for_an_account_or_for_nothing_is_not_planned_again() -> None:
    for operator in ("explain", "none"):
        planner = Hasty({"": [Written(operator, (), -0.01)]})
        known = plans_of("Well, what happened?", planner)
        assert reworded_plans_of("Well, what happened?", known, planner) == ()


@pytest.mark.parametrize(
    ("question", "alike"),
    [
        ("Does each of Ro and Vo flow within a single country?", False),
        ("Do Ro and Vo each flow within the same country?", True),
        ("Do Ro and Vo flow within a single country?", True),
    ],
)
def test_what_holds_of_each_need_not_agree(question: str, alike: bool) -> None:
    lines = ("names: Ro | Vo", "ask: In which country does {1} flow?")
    plan = plans_of(question, Told("same", *lines, score=LIKELY))[0]
    assert (plan.combine == "same") == alike
