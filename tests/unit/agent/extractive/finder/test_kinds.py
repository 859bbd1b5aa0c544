"""What kind of thing a name or a column stands for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.extractive.finder.asked import SOMEBODY, read_asked
from agent.extractive.finder.facts import facts_of
from agent.extractive.finder.kinds import (
    SAME_FROM,
    apposed,
    counts_others,
    defined_as,
    definition,
    fitting,
    is_person,
    names_other_kind,
    other_kind,
    same_kind,
)
from agent.extractive.finder.lists import find_members
from agent.extractive.finder.rows import filtered
from retrieval.dense.embedders import shared_embedder
from tests.unit.agent.extractive.finder.test_values import hits_of

IO = "Io is the innermost moon of the planet Jupiter."
TRIALS = (
    "Place: Ostby | Years: 1974 | Form: Guaranteed income\n"
    "Place: Westby | Years: 1982 | Form: Yearly dividend\n"
    "Place: Nordby | Years: 2017 | Form: Payment"
)


def test_a_definition_ends_where_it_is_limited() -> None:
    assert definition(IO) == ["innermost", "moon"]
    assert definition("Ada Kern was an American astronaut and pilot who flew twice.") == [
        "american", "astronaut", "pilot",
    ]  # fmt: skip
    assert definition("Nothing is") == []
    assert definition("") == []


def test_a_thing_is_what_its_definition_calls_it() -> None:
    assert defined_as("moon", IO) == 1.0
    assert defined_as("planet", IO) == 0.0
    assert defined_as("school", "Ro is a private research university in Graz.") >= SAME_FROM


@pytest.mark.parametrize(
    ("noun", "head", "same"),
    [
        ("school", "University", True),
        ("nation", "Country", True),
        ("book", "Books", True),
        ("lake", "River", False),
        ("author", "Book", False),
        ("", "River", False),
    ],
)
def test_another_word_for_a_kind_is_told_from_a_neighbour(noun: str, head: str, same: bool) -> None:
    assert (same_kind(noun, head) >= SAME_FROM) == same


@pytest.mark.parametrize(
    ("noun", "label", "other"),
    [
        ("capital", "Cities", True),
        ("town", "Cities", False),
        ("city", "Major cities", False),
        ("school", "Alma mater", False),
        ("", "Cities", False),
        ("theatre", "Premiere location", False),
    ],
)
def test_a_label_may_name_another_kind_than_is_asked_for(
    noun: str, label: str, other: bool
) -> None:
    assert names_other_kind(noun, label) is other


def test_a_word_about_the_whole_table_chooses_no_row() -> None:
    facts = facts_of(hits_of({"Basic income": TRIALS}))
    asked = read_asked("What are the trials of basic income?", lambda name: None)
    assert len(filtered(asked, facts)) == 3
    listing = find_members(asked, facts, shared_embedder())
    assert listing is None or len(listing.members) == 3


LEADS = {
    "Ostby": "Ostby is a town in Norway.",
    "Ada Kern": "Ada Kern was a chemist.",
    "Ida's Flute": "Ida's Flute is an opera in two acts.",
    "La Kern": "La Kern is an opera house in Ostby.",
    "Brod": "Brod University is a university.",
    "Brod, Elmshire": "Brod is a town in Elmshire.",
}


@pytest.mark.parametrize(
    ("noun", "value", "other"),
    [
        ("lake", "Niagara River", True),
        ("lake", "Lake Huron", False),
        ("lake", "Ostby", True),
        ("lake", "Vennet", False),  # of which nothing is told
        ("sea", "Black Forest, Germany", True),
        ("sea", "Black Sea", False),
        ("country", "Ostby, Norway", False),
        ("city", "Ostby", False),
        ("river", "Norway", True),
        ("town", "Ada Kern", True),
        ("chemist", "Ada Kern", False),
        ("theatre", "Ida's Flute", True),
        ("theatre", "La Kern", False),
        ("thing", "Niagara River", False),
        ("town", "Brod, Elmshire", False),
        ("town", "Brod", True),
    ],
)
def test_a_value_may_be_told_to_be_another_kind(noun: str, value: str, other: bool) -> None:
    assert other_kind(noun, value, lambda name: LEADS.get(name, "")) is other


def test_a_sentence_may_say_itself_of_what_kind_a_value_is() -> None:
    said = "Ida began it at the KWO, a research institute in Ostby, and at Vennet, in 1902."
    told = [other_kind("city", name, lambda one: apposed(one, said)) for name in ("KWO", "Vennet")]
    assert told == [True, False]


def test_cells_of_another_kind_answer_nothing() -> None:
    rows = "Lake: Ro | Flows out through: Ro River | Into: Lake Vo\nLake: Vo | Flows out through: Vo River | Into: North Sea"
    box = "Outflow: Ro River\nCities: Ostby"
    facts = facts_of(hits_of({"Lakes": rows, "Lake Ro": box}))
    kept = fitting("lake", facts, lambda name: LEADS.get(name, ""))
    assert [[value for _, value in fact.cells] for fact in kept] == [
        ["Ro", "", "Lake Vo"],
        ["Vo", "", ""],
    ]
    assert fitting("", facts, lambda name: "") == facts
    asked = read_asked("Into which lake does Lake Ro flow?", lambda name: name)
    assert (asked.kind, read_asked("Where is Lake Ro?", lambda name: name).kind) == (
        "lake",
        "location",
    )


@pytest.mark.parametrize(
    ("section", "found"), [("Films", ["The Oak Tree", "The Elm"]), ("External links", None)]
)
def test_lines_of_references_and_last_names_are_no_members(
    section: str, found: list[str] | None
) -> None:
    text = "Films of Bo Kern:\n\n- The Oak Tree, a film\n- Kern, a film\n- The Elm, a film"
    hits = [
        replace(hit, chunk=replace(hit.chunk, section=section))
        for hit in hits_of({"Bo Kern": text})
    ]
    asked = read_asked("What are the films of Bo Kern?", lambda name: name)
    listing = find_members(asked, facts_of(hits), shared_embedder())
    assert (listing and [member.name for member in listing.members]) == found


def test_a_prize_is_nobody_and_no_town() -> None:
    def lead_of(title: str) -> str:
        return ""

    assert other_kind("person", "Elm Prize in Song", lead_of)
    assert other_kind(SOMEBODY, "Elm Prize in Song", lead_of)
    assert not other_kind(SOMEBODY, "Asta Holm", lead_of)
    assert not other_kind(SOMEBODY, "United States", lead_of)
    assert other_kind("town", "Elm Prize in Song", lead_of)
    assert not other_kind("prize", "Elm Prize in Song", lead_of)
    assert not other_kind("person", "Asta Holm", lead_of)
    assert other_kind("state", "United States", lead_of)
    assert not other_kind("state", "Ohio", lead_of)
    assert not other_kind("state", "Germany", lead_of)


@pytest.mark.parametrize(
    ("lead", "person"),
    [
        ("Mia Rand (born 3 May 1960) is a Vellan programmer.", True),
        ("Mia Rand (née Orr; born 3 May 1960) is a Vellan luthier.", True),
        ("Mia Rand was a composer.", True),
        ("Brod (Vellan: Brodu) is a town where Mia Rand (born 1960) lives.", False),
        ("The Elm War (3 May 1701 – 4 June 1709) was fought over salt.", False),
    ],
)
def test_whoever_was_born_is_a_person(lead: str, person: bool) -> None:
    assert is_person(lead) == person


@pytest.mark.parametrize(
    ("question", "value", "text", "others"),
    [
        ("How many seamen drowned in the storm?", "eight", "The storm sank eight ships.", True),
        ("How many boats went down in the storm?", "eight", "The storm sank eight ships.", False),
        ("How many students does Elm have?", "Five", "Five presidents studied at Elm.", True),
        ("How many people died?", "1,836 people", "It killed 1,836 people.", False),
        ("How many people died?", "1,836", "It killed 1,836 in two valleys.", False),
        ("How many Games did Ham host?", "three", "Ham was host three times.", False),
        ("When did the ships sink?", "1913", "In 1913 eight ships sank.", False),
        ("How many prizes has Ann Lee?", "97", "Ann Lee, who was 97 in 2019, has won.", True),
        ("How many years old was Ann Lee?", "97", "Ann Lee, who was 97 in 2019, has won.", False),
        ("What does the Teal weigh?", "34 kg", "The Teal brought 34 kg of samples.", True),
        ("What do the Teal's samples weigh?", "34 kg", "It brought 34 kg of samples.", False),
        ("What does the Teal weigh?", "34 kg", "The Teal has a mass of 34 kg.", False),
    ],
)
def test_a_number_may_count_other_things(
    question: str, value: str, text: str, others: bool
) -> None:
    assert counts_others(question, value, text) is others
