"""Forms of question: the steps that each is broken into, and what its values must be."""

from __future__ import annotations

import pytest

from agent.extractive.decompose import for_every_member, read_question
from agent.extractive.reading import Reading


def steps_of(question: str) -> list[str]:
    return [step.text for step in read(question).steps]


def read(question: str) -> Reading:
    return for_every_member(read_question(question))


FORMS = {
    # Relative clauses set apart from their noun.
    "Where were the painters born who founded the Salon des Refusés?": [
        "Who are the painters who founded the Salon des Refusés?",
        "Where was {1} born?",
    ],
    "Where was each of the chemists born who shared the Wolf Prize in 1984?": [
        "Who are the chemists who shared the Wolf Prize in 1984?",
        "Where was {1} born?",
    ],
    "When were the architects born whose towers had their opening in Dubai?": [
        "Who are the architects whose towers had their opening in Dubai?",
        "When was {1} born?",
    ],
    # What "it", "each" and nouns of doers point back at.
    "What is the capital of each country the Nile flows through, and how many people live in it?": [
        "What are the countries the Nile flows through?",
        "What is the capital of {1}?",
        "How many people live in {2}?",
    ],
    "What is the capital of Peru, and what is its currency?": [
        "What is the capital of Peru?",
        "What is Peru's currency?",
    ],
    "Who composed each of the operas performed in Bayreuth, and where was each composer born?": [
        "What are the operas performed in Bayreuth?",
        "Who composed {1}?",
        "Where was {2} born?",
    ],
    "Which singers appeared in the films that were shot in Malta, and when was each born?": [
        "What are the films that were shot in Malta?",
        "Which singers appeared in {1}?",
        "When was {2} born?",
    ],
    "What did Marie Curie study, and where was she born?": [
        "What did Marie Curie study?",
        "Where was Marie Curie born?",
    ],
    "Who commanded Apollo 8, and when was it launched?": [
        "Who commanded Apollo 8?",
        "When was Apollo 8 launched?",
    ],
    "Which tower was designed by Gustave Eiffel, and when was it opened?": [
        "Which tower was designed by Gustave Eiffel?",
        "When was {1} opened?",
    ],
    "Which Swiss bridge was built by Robert Maillart, and when was its village founded?": [
        "Which Swiss bridge was built by Robert Maillart?",
        "What is the village of {1}?",
        "When was {2} founded?",
    ],
    # Time between events, and how many more.
    "How many years passed between the birth of Bach and the death of Handel?": [
        "When was Bach born?",
        "When did Handel die?",
    ],
    "How many years after the opening of the Suez Canal was the Panama Canal opened?": [
        "When was the Suez Canal opened?",
        "When was the Panama Canal opened?",
    ],
    "How many years older is Verdi than Puccini?": [
        "When was Verdi born?",
        "When was Puccini born?",
    ],
    "How many more goals did Brazil score than Italy?": [
        "How many goals did Brazil score?",
        "How many goals did Italy score?",
    ],
    "Through how many more countries does the Danube flow than the Rhine?": [
        "Through how many countries does the Danube flow?",
        "Through how many countries does the Rhine flow?",
    ],
    "How much taller is Everest than K2?": ["How tall is Everest?", "How tall is K2?"],
    "What is the difference in area between Chile and Peru?": [
        "What is the area of Chile?",
        "What is the area of Peru?",
    ],
    # Things compared that must be found first, "that of", margins.
    "Which is higher, the highest mountain of Kenya or that of Uganda, and by how many metres?": [
        "What is the highest mountain of Kenya?",
        "What is the highest mountain of Uganda?",
        "How high is {1}?",
        "How high is {2}?",
    ],
    "Do the longest river of Asia and the longest river of Africa each reach a sea?": [
        "What is the longest river of Asia?",
        "What is the longest river of Africa?",
        "Does {1} reach a sea?",
        "Does {2} reach a sea?",
    ],
    # Members listed by adjuncts, or as common nouns.
    "Who won the World Cup in Spain in 1982, in Mexico in 1986 and in Italy in 1990?": [
        "Who won the World Cup in Spain in 1982?",
        "Who won the World Cup in Mexico in 1986?",
        "Who won the World Cup in Italy in 1990?",
    ],
    "What are the atomic numbers of neon, iron and gold?": [
        "What is the atomic number of neon?",
        "What is the atomic number of iron?",
        "What is the atomic number of gold?",
    ],
    # Filters.
    "Which of the Baltic states use the euro, and what is the highest hill of each?": [
        "What are the Baltic states?",
        "Does {1} use the euro?",
        "What is the highest hill of {1}?",
    ],
    "Which of the planets are wider than Neptune?": [
        "What are the planets?",
        "How wide is Neptune?",
        "How wide is {1}?",
    ],
    "Which of the planets have more moons than Uranus does?": [
        "What are the planets?",
        "How many moons does Uranus have?",
        "How many moons does {1} have?",
    ],
    "Which of the Swiss cantons lies in the valley with the fewest inhabitants?": [
        "What are the Swiss cantons?",
        "In which valley does {1} lie?",
        "How many inhabitants does {2} have?",
    ],
    "Which winners of the Abel Prize of 2016 took a degree at a Scottish university, and at which one?": [
        "Who are the winners of the Abel Prize of 2016?",
        "What are the Scottish universities?",
        "At which university did {1} take a degree?",
    ],
    "Which of the host cities are not national capitals?": [
        "What are the host cities?",
        "Is {1} a national capital?",
    ],
    "Who is the oldest of the founders of Apple, Intel and Sony?": [
        "Who is the founder of Apple?",
        "Who is the founder of Intel?",
        "Who is the founder of Sony?",
        "How old is {1}?",
        "How old is {2}?",
        "How old is {3}?",
    ],
    "Which is the longest of the rivers of Spain?": [
        "What are the rivers of Spain?",
        "How long is {1}?",
    ],
    "Which of the lakes are more than 100 metres deep?": [
        "What are the lakes?",
        "How deep is {1}?",
    ],
    "Which of the clubs have never won the cup?": ["What are the clubs?", "Has {1} won the cup?"],
    "Which of the clubs were not founded in London?": [
        "What are the clubs?",
        "Was {1} founded in London?",
    ],
    "Which of the bridges was built first?": ["What are the bridges?", "When was {1} built?"],
    "Which of the states was the last to join the union?": [
        "What are the states?",
        "When did {1} join the union?",
    ],
    "Which of the churches were built between 1200 and 1300?": [
        "What are the churches?",
        "When was {1} built?",
    ],
    "Which of the teams won the most medals in 2012?": [
        "What are the teams?",
        "How many medals did {1} win in 2012?",
    ],
    "Which of the brands is sold in more countries?": [
        "What are the brands?",
        "In how many countries is {1} sold?",
    ],
    "Which of the cities is farthest from Rome?": [
        "What are the cities?",
        "How far is {1} from Rome?",
    ],
    "Which of the airports is the largest by passengers?": [
        "What are the airports?",
        "What is the passengers of {1}?",
    ],
    "Of the Balkan states, which have a population of more than 5 million?": [
        "What are the Balkan states?",
        "What is the population of {1}?",
    ],
    "Who directed Alien, and when?": ["Who directed Alien?", "When was Alien directed?"],
    "When was Bach born, and where?": ["When was Bach born?", "Where was Bach born?"],
    # Nested descriptions.
    "When was the founder of the company that made the Walkman born?": [
        "What is the company that made the Walkman?",
        "Who is the founder of {1}?",
        "When was {2} born?",
    ],
    "How many inhabitants did the town or city of each club have at the census of 2011?": [
        "What are the clubs?",
        "What is the town or city of {1}?",
        "How many inhabitants did {2} have at the census of 2011?",
    ],
    "Which school was founded by the man who invented the telephone?": [
        "Who is the man who invented the telephone?",
        "Which school was founded by {1}?",
    ],
    "What is the village where Bartók lived named after?": [
        "What is the village where Bartók lived?",
        "What is {1} named after?",
    ],
    "When did the country containing Nugegoda leave the British Empire?": [
        "What is the country containing Nugegoda?",
        "When did {1} leave the British Empire?",
    ],
    "Who is Haydn's brother's wife?": ["Who is the brother of Haydn?", "Who is {1}'s wife?"],
    # Things shared.
    "Are Oslo and Bergen in the same county?": [
        "In which county is Oslo?",
        "In which county is Bergen?",
    ],
    "What profession do Ann Lee and Bo Dahl share?": [
        "What is the profession of Ann Lee?",
        "What is the profession of Bo Dahl?",
    ],
    "Which team did both Ann Lee and Bo Dahl play for?": [
        "Which team did Ann Lee play for?",
        "Which team did Bo Dahl play for?",
    ],
    "Is the Loire longer than the Seine?": ["How long is the Loire?", "How long is the Seine?"],
    "Was Bach born before Handel?": ["When was Bach born?", "When was Handel born?"],
}


@pytest.mark.parametrize("question", FORMS)
def test_steps_of_each_form(question: str) -> None:
    assert steps_of(question) == FORMS[question]


def test_conditions_say_what_values_must_be() -> None:
    deep = read("Which of the lakes are more than 100 metres deep?").steps[1].condition
    assert deep is not None
    assert (deep.kind, deep.comparator, deep.bound, deep.dimension) == (
        "number",
        ">",
        100,
        "length",
    )
    built = read("Which of the churches were built between 1200 and 1300?").steps[1].condition
    assert built is not None
    assert (built.kind, built.bound, built.upper) == ("date", 1200, 1300)
    wider = read("Which of the planets are wider than Neptune?").steps[2].condition
    assert wider is not None
    assert (wider.comparator, wider.against) == (">", "2")
    among = (
        read("Which winners of the Abel Prize took a degree at a Scottish university?")
        .steps[2]
        .condition
    )
    assert among is not None
    assert (among.kind, among.against) == ("in", "2")
    never = read("Which of the clubs have never won the cup?").steps[1].condition
    assert never is not None
    assert never.kind == "no"
    fewest = read("Which of the cantons lies in the valley with the fewest inhabitants?").steps[2]
    assert fewest.condition is not None
    assert fewest.condition.kind == "min"


def test_what_is_made_of_the_values() -> None:
    assert read("How many years passed between the birth of A. Bell and 1900?").combine == "years"
    assert read("How many more goals did Brazil score than Italy?").combine == "difference"
    both = read("Which is higher, Everest or K2, and by how much?")
    assert both.margin
    assert both.members == ("Everest", "K2")
    assert read("How many people live in Oslo and Bergen together?").combine in ("sum", "")
