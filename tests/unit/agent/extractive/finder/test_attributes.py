"""Labels are matched with what a step asks by their meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.attributes import about_it, embedded_matcher
from agent.extractive.finder.facts import facts_of
from agent.extractive.finder.labels import (
    APART_FROM,
    GIVEN_FROM,
    RIVALLED_FROM,
    asks_of_part,
    head_score,
    matched,
)
from agent.extractive.finder.ranking import given as given_fact
from agent.extractive.finder.statements.polar import own_value, read_polar, states
from agent.extractive.sources import Sources
from retrieval.dense.embedders import shared_embedder
from tests.unit.agent.extractive.finder.test_values import hits_of

BOX = "Founded: 1924\nFounder: Ida Kern\nHeadquarters: Graz\nNumber of employees: 1,400\nMotto: Onward"


def title_of(name: str) -> str | None:
    return name if name in ("Kernwerk", "Graz", "Linz") else None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Where is Kernwerk based?", "Graz"),
        ("In which town does Kernwerk have its head office?", "Graz"),
        ("How many people work at Kernwerk?", "1,400"),
        ("Who started Kernwerk?", "Ida Kern"),
    ],
)
def test_a_label_answers_what_is_asked_in_other_words(question: str, value: str) -> None:
    fact = given_fact(read_asked(question, title_of), facts_of(hits_of({"Kernwerk": BOX})))
    assert fact is not None
    assert fact.cells[0][1] == value


@pytest.mark.parametrize(
    "question",
    [
        "Who designed the logo of Kernwerk?",
        "How many shops has Kernwerk?",
        "Who is the head of Kernwerk?",
        "When was Kernwerk sold?",
    ],
)
def test_what_no_label_says_is_not_given(question: str) -> None:
    facts = facts_of(hits_of({"Kernwerk": BOX}))
    assert given_fact(read_asked(question, title_of), facts) is None


def test_a_box_settles_whether_its_value_is_the_one_named() -> None:
    box = "Born: Graz\nAlma mater: Linz University, Kernwerk School\nSpouse: Jo Ott"
    facts = facts_of(hits_of({"Ida Kern": box}))
    names = {"Ida Kern", "Linz University", "Kernwerk School", "Graz University", "Graz"}

    def known(name: str) -> str | None:
        return name if name in names else None

    for school, yes in (("Linz University", True), ("Graz University", False)):
        asked = read_asked(f"Did Ida Kern study at {school}?", known)
        polar = read_polar(asked, facts, shared_embedder(), Sources(None, readable=False))
        assert polar is not None
        assert (polar.yes, polar.fact.label) == (yes, "Alma mater")
        assert own_value(asked, facts[0]) is None, "where she was born is another matter"
    assert states(read_asked("Was Ida Kern born in Graz?", known), facts[0], "Graz")
    assert not states(read_asked("Was Ida Kern born in Graz?", known), facts[0], "Graz West")


def test_a_place_is_nobody() -> None:
    facts = facts_of(hits_of({"Kernwerk": "Location: Graz and Linz\nHead: Jo Ott"}))
    asked = read_asked("Who was the first lady to stand on Kernwerk?", title_of)
    assert head_score(asked, facts[0]) == 0.0
    assert head_score(read_asked("Who is the head of Kernwerk?", title_of), facts[1]) > 0.5


def test_a_count_is_no_measure() -> None:
    facts = facts_of(hits_of({"Kernwerk": "Wings: 2\nWing span: 31 m"}))
    asked = read_asked("How wide are the wings of Kernwerk?", title_of)
    assert head_score(asked, facts[0]) == 0.0
    assert head_score(read_asked("How many wings does Kernwerk have?", title_of), facts[0]) == 1.0


def test_the_thing_is_it() -> None:
    assert about_it("When was the Bank of Ro founded?", ["Bank of Ro"]) == "When was it founded?"
    assert about_it("ro's size", ["Ro"]) == "it's size"
    assert about_it("Rome's size", ["Ro"]) == "Rome's size"


@given(st.text(max_size=60), st.text(max_size=40))
def test_a_chance_is_one_whatever_is_asked(step: str, label: str) -> None:
    matcher = embedded_matcher()
    chance = matcher.chance(step, label)
    assert 0.0 <= chance <= 1.0
    matcher.prepare([label, step, label])
    assert matcher.chance(step, label) == pytest.approx(chance, abs=1e-4)


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("When was the Kernwerk library founded?", True),
        ("How old is Kernwerk's house?", True),
        ("Where was the mother of Kernwerk born?", True),
        ("Where was born the mother of Kernwerk?", True),
        ("Who was the founder of Kernwerk?", False),
        ("When was the newest Kernwerk university founded?", True),
        ("When was the city of Kernwerk founded?", False),
        ("Who is Kernwerk's founder?", False),
        ("When was Kernwerk founded?", False),
        ("When did Kernwerk open?", False),
        ("Where is Kernwerk now located?", False),
        ("What is the diameter of the moon of Kernwerk?", True),
        ("What is the area of the university of Kernwerk?", False),
        ("Since what year has the toll road up Kernwerk been open?", True),
        ("How long is the bridge over the Kernwerk?", True),
        ("What is the largest city in Kernwerk?", False),
    ],
)
def test_a_part_is_not_its_whole(question: str, part: bool) -> None:
    assert asks_of_part(read_asked(question, title_of)) is part
    facts = facts_of(hits_of({"Kernwerk": BOX}))
    assert not part or given_fact(read_asked(question, title_of), facts) is None


def test_the_thing_itself_is_not_what_is_asked_of_it() -> None:
    facts = facts_of(hits_of({"Kernwerk": "Name: Kernwerk\nFounder: Ida Kern"}))
    named, founder = facts[0], facts[1]
    assert head_score(read_asked("What is the name of Kernwerk?", title_of), named) == 0
    assert head_score(read_asked("What is Kernwerk named after?", title_of), named) == 0
    asked = read_asked("Who started Kernwerk?", title_of)
    assert head_score(asked, founder) >= GIVEN_FROM > head_score(asked, named)


def test_a_label_of_the_opposite_gives_nothing() -> None:
    mouth, source = facts_of(hits_of({"Kernwerk": "Mouth location: Graz\nSource location: Linz"}))
    asked = read_asked("Where does the Kernwerk rise?", title_of)
    assert head_score(asked, mouth) == 0
    assert head_score(asked, source) > 0


def test_a_label_that_stands_apart_needs_less() -> None:
    chance = embedded_matcher().chance("Who started it?", "Founder: a name")
    alone, beside = (
        facts_of(hits_of({"Kernwerk": f"{box}Founder: Ida Kern"}))[-1]
        for box in ("Seat: Graz\n", "Founders: Jo Ott\n")
    )
    assert matched("Who started it?", alone) == pytest.approx(chance / APART_FROM)
    assert matched("Who started it?", beside) == pytest.approx(chance / RIVALLED_FROM)


def test_who_is_a_body_only_where_its_label_is_sure() -> None:
    (operator,) = facts_of(hits_of({"Kernwerk": "Operator: NASA"}))
    asked = read_asked("Who commanded Kernwerk?", title_of)
    chance = embedded_matcher().chance(asked.about, "Operator: a name")
    assert head_score(asked, operator) == pytest.approx(GIVEN_FROM * chance / RIVALLED_FROM)
    assert head_score(read_asked("Who operates Kernwerk?", title_of), operator) >= GIVEN_FROM


def test_a_label_knows_the_others_of_its_box() -> None:
    facts = facts_of(hits_of({"Kernwerk": BOX, "Graz": "Mayor: Jo Ott\n\nGraz is a town."}))
    by_label = {fact.label: fact for fact in facts}
    assert [head for head, _ in by_label["Founder"].beside] == [
        "Founded", "Headquarters", "Number of employees", "Motto",
    ]  # fmt: skip
    assert by_label["Mayor"].beside == ()
    assert all(not fact.beside for fact in facts if fact.kind == "sentence")


@given(
    st.lists(st.sampled_from(["Founded: a year", "Founder: a name", "Motto: words"]), min_size=1)
)
def test_labels_asked_together_are_as_likely_as_alone(labels: list[str]) -> None:
    together = embedded_matcher().chances("Who started it?", tuple(labels))
    alone = [embedded_matcher().chance("Who started it?", label) for label in labels]
    assert together == pytest.approx(alone, abs=1e-5)
    assert all(0 <= chance <= 1 for chance in together)
