"""A question in plainer words asks the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.extractive.planner.wording import plainly, without_courtesy


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        # Typed in haste.
        ("what yr did the uni of ghent open", "what year did the university of ghent open"),
        ("ports the oder goes thru n their ppl", "ports the oder goes through and their people"),
        ("which tarns arent frozen", "which tarns aren't frozen"),
        ("Who wrote Yr and Uni?", "Who wrote Yr and Uni?"),
        ("How many percents of voters stayed away?", "What percentage of voters stayed away?"),
        ("The baker of Bath, in what year he is died?", "The baker of Bath, in what year he died?"),
        ("How many cows have Uri and Zug, both put together?", "How many cows have Uri and Zug in total?"),
        ("every port of Crete (Gaza is none)", "every port of Crete"),
        ("Is Mercury (planet) hot?", "Is Mercury (planet) hot?"),
        ("The sea in which the Po is flowing, how deep is it?",
         "The sea into which the Po is flowing, how deep is it?"),
        ("In which years were there more than 30 races at the Lunn Regatta?",
         "What are the years of the Lunn Regatta with more than 30 races?"),
        ("In what years did the Lunn Regatta have fewer than ten crews?",
         "What are the years of the Lunn Regatta with fewer than ten crews?"),
        ("Which years of the Lunn Regatta had over 1,000 guests?",
         "What are the years of the Lunn Regatta with over 1,000 guests?"),
        ("In which years were there more than 30 races?",
         "In which years were there more than 30 races?"),
        ("regatta mascots 1988 1992 1996", "regatta mascots 1988, 1992 and 1996"),
        ("What is the most high peak of Uri?", "What is the highest peak of Uri?"),
        ("Is Uri more big than Zug?", "Is Uri bigger than Zug?"),
        ("Which town has the most old inns?", "Which town has the most old inns?"),
        ("Which lake has more warm days?", "Which lake has more warm days?"),
        ("Where did Ann Lee come to the world?", "Where was Ann Lee born?"),
        ("Who won from 2010 to 2012, year by year?", "Who won from 2010 to 2012?"),
        ("What is its mean depth, not the greatest one?", "What is its mean depth?"),
        ("How big is the moon Ida across?", "How wide is the moon Ida?"),
        ("How many tarns are over 9 m deep at their deepest?", "How many tarns are over 9 m deep?"),
        ("peru capital + population at 2020 census", "peru capital and population at the 2020 census"),
        ("Why did the riots of 1848 fail?", "Why did the riots of 1848 fail?"),
        ("How much is the greatest depth of the Mere?", "What is the greatest depth of the Mere?"),
        ("After whom were Uri and Zug respectively named?", "After whom were Uri and Zug named?"),
        ("Who won at each of the games of Oslo, Lund and Bern?", "Who won at the games of Oslo, Lund and Bern?"),
        ("Who won at each of the games of Oslo?", "Who won at each of the games of Oslo?"),
        ("Forgive a simple question: who won?", "who won?"),
        ("Say, if you would be so obliging, who won.", "Say, who won."),
        ("City where Ann Lee died?", "In which city Ann Lee died?"),
        ("Person after whom Zug is named?", "After which person Zug is named?"),
        ("Lands: highest peak of each, with height and name?",
         "Lands: highest peak of each, its height and its name?"),
        ("In which country does the Po flow?", "In which country does the Po flow?"),
        # What stands beside a name.
        ("How big is Ceres's moon Ida?", "How big is the moon Ida?"),
        ("What does Peru's capital, Lima, mean?", "What does Lima mean?"),
        ("Is Peru's capital Lima?", "Is Peru's capital Lima?"),
        ("Who rules Lima, the capital of Peru?", "Who rules Lima?"),
        ("Which is older, Lima, the capital of Peru, or Quito?",
         "Which is older, Lima, the capital of Peru, or Quito?"),
        ("Is it Lima, Quito, or the capital of Chile?", "Is it Lima, Quito, or the capital of Chile?"),
        # What is told to be judged.
        ("My son says that Ann Lee was a baker. Is he right?", "Is it true that Ann Lee was a baker?"),
        ("Ann Lee was a baker. Is that true?", "Is it true that Ann Lee was a baker?"),
    ],
)  # fmt: skip
def test_a_question_asks_the_same_in_plainer_words(question: str, plain: str) -> None:
    assert plainly(question) == plain


def test_courtesies_ask_nothing() -> None:
    assert without_courtesy("May I ask how deep it is?") == "how deep it is?"
    assert without_courtesy("I would like to know in what year it fell.") == "in what year it fell."
    assert without_courtesy("Could you tell me a story?") == "Could you tell me a story?"


@given(st.text(max_size=120))
def test_any_text_can_be_put_plainly(text: str) -> None:
    assert len(plainly(text)) <= 3 * len(text) + 20
