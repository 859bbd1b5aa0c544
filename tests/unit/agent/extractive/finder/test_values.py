"""From a sub-question and the lines of chunks to the words that answer it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.extractive.finder import lists
from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.facts import Fact, facts_of, row_cells, tables_of
from agent.extractive.finder.forms import value_fits
from agent.extractive.finder.lists import find_members
from agent.extractive.finder.ranking import given as given_fact
from agent.extractive.finder.statements.polar import read_polar
from agent.extractive.finder.titles import asks_for_thing, find_titled
from agent.extractive.finder.values import (
    answer_in,
    full_name,
    name_around,
    read_best,
    split_values,
    without_former,
)
from agent.extractive.language.stems import content_stems
from agent.extractive.sources import Sources
from corpus.types import Chunk, Revision
from retrieval.dense.embedders import FunctionEmbedder, shared_embedder
from retrieval.types import Float32Matrix, Hit
from tests.unit.agent.extractive.planning import read as read_plan

WIDTH = 512


def _bags(texts: Sequence[str]) -> Float32Matrix:
    rows = np.full((len(texts), WIDTH), 1e-3, np.float32)
    for row, text in zip(rows, texts, strict=True):
        for word in content_stems(text):
            row[int(hashlib.md5(word.encode()).hexdigest(), 16) % WIDTH] += 1.0
    return rows


BAGS = FunctionEmbedder(_bags, name="bags", dim=WIDTH)
"""Compares texts by the stems they share."""


NOTHING = Sources(None, readable=False)


def hits_of(articles: dict[str, str]) -> list[Hit]:
    """Return one hit for each article, the whole text as one chunk."""
    hits = []
    for rank, (title, text) in enumerate(articles.items(), start=1):
        revision = Revision(
            page_id=rank,
            rev_id=rank * 10,
            title=title,
            timestamp="2024-01-01T00:00:00Z",
            url=f"https://w.example/{rank}",
        )
        chunk = Chunk(
            id=f"{rank}:{rank * 10}:0",
            revision=revision,
            start=0,
            end=len(text),
            section="",
            text=text,
        )
        hits.append(Hit(chunk=chunk, score=1.0, rank=rank, source="test"))
    return hits


ARTICLES = {
    "Vella": (
        "Name: Vella\nCapital: Brod\nPopulation estimate: 1,200,000\nPopulation as of: 2019, rounded\n"
        "Largest city: Port Ilm\nCurrency: Vellan crown\nRivers: Arn, Besk, Col and Dwin\n\n"
        "Vella is a country on the coast. It has three provinces and borders two states."
    ),
    "Brod": (
        "Country: Vella\nPopulation total: 90,000\n\n"
        "Brod is the capital of Vella. About 210,000 people live in the town and some 2 million around it. "
        "See List of towns.\n"
    ),
    "Ann Lee": (
        "Birth name: Ann Maria Lee\nBirth place: Brod, V.L.\nDeath place: Port Ilm\n"
        "Alma mater: Brod Academy\n\n"
        "Ann Lee (/liː/; born 3 May 1902) was a composer. Her son Max (born 1930) sang. "
        "Lee studied harmony at Brod Academy. She wrote 12 operas for the Royal Opera in Port Ilm."
    ),
    "Sea of Glass": (
        "Premiere date: 1 May 1931\nPremiere location: Estates Hall, Brod\n\n"
        "Sea of Glass is an opera by the Vellan composer Ann Lee, written in 1930. "
        "Lee wrote to Karl Bauer about it. It was first sung in Brod by Ida Moor."
    ),
    "Arn": "Source: Glass Lake, Vella\nLength: 210 km\n\nThe Arn is a river of Vella. It flows through Brod.",
    "Besk": "Source: Col Pass, Vella\nLength: 95 km\n\nThe Besk is a river in the south.",
    "Rivers of Vella": (
        "River: Arn | Length (km): 210 | Mouth: Ilm\nRiver: Besk | Length (km): 95 | Mouth: Arn\n"
        "River: Dwin | Length (km): 40 | Mouth: Sea\n"
    ),
    "Flight 9": (
        "Position: Commander | Astronaut: Neil Orr\nPosition: Pilot | Astronaut: Sue Dell\n\n"
        "Flight 9 was a space flight. The Command Module was named Heron."
    ),
    "Orders": (
        "The order gave two prizes:\n- Arn and Besk, for music, in 1950\n- Ann Lee, for song, in 1960\n"
        "- Karl Bauer – for dance\n"
    ),
}
HITS = hits_of(ARTICLES)
FACTS = facts_of(HITS)


def title_of(name: str) -> str | None:
    return name if name in ARTICLES else None


def lead_of(name: str) -> str:
    parts = [p for p in ARTICLES.get(name, "").split("\n\n") if p.rstrip().endswith(".")]
    return parts[0] if parts else ""


def ask(question: str) -> Asked:
    return read_asked(question, title_of)


def answer(question: str, *, titles: Sequence[str] = tuple(ARTICLES)) -> str | None:
    asked = ask(question)
    facts = [fact for fact in FACTS if fact.title in titles]
    best = read_best(asked, facts, BAGS, given_fact(asked, facts))
    return best.value if best is not None else None


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What is the capital of Vella?", "Brod"),
        ("What is the population of Vella?", "1,200,000"),
        ("How many people live in Brod?", "90,000"),
        ("What is the currency of Vella?", "Vellan crown"),
        ("How many rivers does Vella have?", "4"),
        ("Where was Ann Lee born?", "Brod, V.L."),
        ("At which academy did Ann Lee study?", "Brod Academy"),
        ("In which hall was Sea of Glass first performed?", "Estates Hall, Brod"),
        ("When was Sea of Glass first performed?", "1 May 1931"),
        ("How long is the Arn?", "210 km"),
        ("What is the length of Dwin?", "40 km"),
        ("Who commanded Flight 9?", "Neil Orr"),
    ],
)
def test_values_of_every_form(question: str, words: str) -> None:
    assert answer(question) == words


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("When was Ann Lee born?", "Ann Lee (/liː/; born 3 May 1902) was a composer."),
        ("What did Ann Lee study?", "Lee studied harmony at Brod Academy."),
        (
            "How many operas did Ann Lee write?",
            "She wrote 12 operas for the Royal Opera in Port Ilm.",
        ),
    ],
)
def test_a_sentence_is_proposed_whole(question: str, words: str) -> None:
    assert answer(question) == words


def test_nothing_is_made_up() -> None:
    assert answer("Who painted the ceiling of Vella?") is None
    assert answer("When was Karl Bauer crowned?", titles=["Arn"]) is None
    assert read_best(ask("Who wrote Sea of Glass?"), [], BAGS) is None


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        ("What is the capital of Romland?", "Brod is the capital of Vella.", False),
        ("What is the capital of Vella?", "Brod is the capital of Vella.", True),
        ("Who won the Reed Cup in 2018?", "Ann Lee won the Reed Cup in 2013.", False),
        ("Who won the Reed Cup in 2013?", "Ann Lee won the Reed Cup in 2013.", True),
        ("How large is Brod?", "Brod is the largest of four towns on the Arn.", False),
        ("How large is Brod?", "Brod covers an area of 40 km².", True),
    ],
)
def test_what_is_like_it_but_of_another_thing_or_year_is_no_answer(
    question: str, text: str, found: bool
) -> None:
    # An embedder to which all texts mean the same: only the words can tell them apart.
    alike = FunctionEmbedder(
        lambda texts: np.ones((len(texts), 2), np.float32), name="alike", dim=2
    )
    best = read_best(ask(question), facts_of(hits_of({"Almanac": text})), alike)
    assert (best is not None) == found


def test_a_question_in_another_script_keeps_its_mark() -> None:
    assert [step.text for step in read_plan("长江有多长？").steps] == ["长江有多长？"]


def test_a_sentence_about_another_person_is_no_answer() -> None:
    (fact,) = [f for f in FACTS if f.text.startswith("Her son Max")]
    assert fact.kind == "sentence"
    assert answer("When was Ann Lee born?", titles=["Ann Lee"]) != fact.text


def test_what_a_label_is_and_what_a_sentence() -> None:
    labels = {
        fact.label: fact.cells[0][1] for fact in FACTS if fact.title == "Ann Lee" and fact.label
    }
    assert labels["Birth place"] == "Brod, V.L."
    assert not any("See List" in fact.text for fact in FACTS)
    text = "Note: this is said of the river by all who ever wrote of it."
    assert [fact.kind for fact in facts_of(hits_of({"A": text}))] == ["sentence"]


def test_every_fact_is_a_span_of_its_chunk() -> None:
    for fact in FACTS:
        assert fact.hit.chunk.text[fact.start : fact.end] == fact.text


@settings(deadline=None)
@given(st.text(alphabet="AbC1.:|-#\n é中", max_size=200))
def test_facts_of_any_text_are_spans(text: str) -> None:
    for fact in facts_of(hits_of({"T": text})):
        assert fact.hit.chunk.text[fact.start : fact.end] == fact.text
        assert fact.text.strip()


def test_rows_and_tables() -> None:
    assert row_cells("River: Arn | Length (km): 210") == (("River", "Arn"), ("Length (km)", "210"))
    assert row_cells("Arn | 210") == ()
    tables = tables_of(FACTS)
    assert [len(table) for table in tables] == [3, 2, 3]


def members(question: str, count: int | None = None) -> list[str]:
    listing = find_members(ask(question), FACTS, BAGS, count, lead_of)
    return [] if listing is None else [member.name for member in listing.members]


def test_sets_are_found_in_tables_lists_and_labels() -> None:
    assert members("What are the rivers of Vella?") == ["Arn", "Besk", "Dwin"]
    assert members("What are the rivers of Vella that are longer than 60 km?")
    assert members("What are the rivers longer than 90 km of Vella?")


def test_two_names_that_tell_what_was_said_before_them_are_a_list() -> None:
    text = "Kern has two small moons, Arn and Besk. Ann Lee saw both in May, and Bo Orr and Cy Fry later."
    facts = facts_of(hits_of({"Kern": text}))
    asked = read_asked("What are the moons of Kern?", lambda name: None)
    listing = find_members(asked, facts, BAGS)
    assert listing is not None
    assert [member.name for member in listing.members] == ["Arn", "Besk"]


KNOWN = {"Cave Prize": "Cave Prize"}


def test_persons_stand_in_a_column_of_persons() -> None:
    rows = (
        "Year: 1950 | Laureates: Ann Lee, Bo Orr | Awarded for: A map of caves\n"
        "Year: 1951 | Laureates: Cy Fry | Awarded for: Lamps"
    )
    facts = facts_of(hits_of({"Cave Prize": f"Cave Prize\n{rows}"}))
    asked = read_asked("Which people won the Cave Prize from 1950 to 1951?", KNOWN.get)
    listing = find_members(asked, facts, BAGS)
    assert listing is not None
    assert [member.name for member in listing.members] == ["Ann Lee", "Bo Orr", "Cy Fry"]


def test_a_column_that_chooses_rows_does_not_name_them() -> None:
    rows = "No.: 1 | Diver: Ann Lee | Place of birth: Ham, Elm\nNo.: 2 | Diver: Bo Orr | Place of birth: Oak"
    facts = facts_of(
        hits_of({"Lakewalkers": f"{rows}\nNo.: 3 | Diver: Cy Fry | Place of birth: Kern, Elm"})
    )
    asked = read_asked("Which lakewalkers were born in Elm?", lambda name: None)
    listing = find_members(asked, facts, BAGS)
    assert listing is not None
    assert [member.name for member in listing.members] == ["Ann Lee", "Cy Fry"]


def test_a_list_with_the_one_asked_about_is_not_what_they_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lists, "LIST_FROM", 0.0)  # one sentence says little to be near to
    text = "Students include Ann Lee, Bo Orr and Cy Fry; Di Moor is a professor."
    facts = facts_of(hits_of({"Ham College": text}))
    for question, found in (
        ("At which institutions was Orr educated?", False),
        ("Which people are students beside Orr?", True),
    ):
        listing = find_members(read_asked(question, lambda name: None), facts, BAGS)
        assert (listing is not None) is found


def test_the_highest_is_not_all_there_are() -> None:
    facts = facts_of(hits_of({"Elm Hills": "Highest peak: Mount Tarn\nPeaks: Ro, Vo, Zo"}))
    listing = find_members(read_asked("What are the peaks of Elm Hills?", str), facts, BAGS)
    assert listing is not None
    assert [member.name for member in listing.members] == ["Ro", "Vo", "Zo"]
    listing = find_members(read_asked("What are the peaks of Elm Hills?", str), facts[:1], BAGS)
    assert listing is None


def test_rows_are_chosen_by_what_the_question_states() -> None:
    facts = facts_of(
        hits_of(
            {
                "Games": (
                    "Year: 1988 | City: Aa | Nations: 159\nYear: 1992 | City: Bee | Nations: 169\n"
                    "Year: 1996 | City: Cee | Nations: 197\nYear: 2000 | City: Dee | Nations: 199\n"
                )
            }
        )
    )

    def cities(question: str) -> list[str]:
        listing = find_members(read_asked(question, lambda name: None), facts, BAGS)
        return [] if listing is None else [member.name for member in listing.members]

    assert cities("What are the cities of the games from 1990 to 1996?") == ["Bee", "Cee"]
    assert cities("What is the city of the games in 1988?") == ["Aa"]
    assert cities("What are the cities of the games with more than 190 nations?") == ["Cee", "Dee"]
    assert cities("What are the cities of the games before 1995?") in (
        ["Aa", "Bee"],
        ["Aa", "Bee", "Cee", "Dee"],
    )


def test_things_found_by_what_their_articles_say() -> None:
    asked = ask("What are the rivers that rise in Vella?")
    assert asks_for_thing(asked)
    assert [title for title, _ in find_titled(asked, FACTS, lead_of)] == ["Arn", "Besk"]
    which = ask("Which river flows through Brod?")
    assert [title for title, _ in find_titled(which, FACTS, lead_of)] == ["Arn"]
    assert not asks_for_thing(ask("What is the capital of Vella?"))
    assert not asks_for_thing(ask("Which person lives in Vella?"))
    assert find_titled(ask("Who wrote Sea of Glass?"), FACTS, lead_of) == []


@pytest.mark.parametrize(
    ("question", "yes"),
    [
        ("Is Brod the capital of Vella?", True),
        ("Does the Arn flow through Brod?", True),
        ("Does Vella use the Vellan crown as currency?", True),
        ("Did Ann Lee die in Brod?", False),
    ],
)
def test_yes_and_no(question: str, yes: bool) -> None:
    polar = read_polar(ask(question), FACTS, BAGS, NOTHING)
    assert polar is not None
    assert polar.yes is yes


def test_silence_is_no_denial() -> None:
    facts = [fact for fact in FACTS if fact.title == "Arn"]
    assert read_polar(ask("Has Karl Bauer climbed Everest?"), facts, BAGS, NOTHING) is None


@given(st.sampled_from(["Is it?", "Was he?", "Did they do it?"]) | st.text(max_size=40))
def test_a_statement_of_any_words_is_read(said: str) -> None:
    polar = read_polar(ask(said), FACTS[:3], BAGS, NOTHING)
    assert polar is None or polar.fact in FACTS


@pytest.mark.parametrize(
    ("question", "form", "many", "noun"),
    [
        ("How many moons has it?", "number", False, ""),
        ("How old is Ann Lee?", "date", False, ""),
        ("What year was it built?", "date", False, ""),
        ("In which years was it shut?", "list", True, "year"),
        ("What is the birth year of Ann Lee?", "date", False, ""),
        ("What is the year founded of Brod?", "date", False, ""),
        ("What is the orbital year of Vella?", "name", False, "year"),
        ("Where does it rise?", "place", False, ""),
        ("In which city was it?", "place", False, ""),
        ("Whose works are they?", "person", False, ""),
        ("What are the eight planets?", "list", True, "planet"),
        ("Which rivers cross it?", "list", True, "river"),
        ("Is it so?", "yes_no", False, ""),
        ("How does it work?", "text", False, ""),
        ("What is the atomic number of iron?", "number", False, ""),
    ],
)
def test_form_of_the_answer(question: str, form: str, many: bool, noun: str) -> None:
    asked = ask(question)
    assert (asked.form, asked.many, asked.noun) == (form, many, noun)


def test_subjects_fall_apart_where_the_whole_is_no_title() -> None:
    assert ask("Are Vella and Brod near?").subjects == ("Vella", "Brod")
    assert ask("Who wrote Sea of Glass?").subjects == ("Sea of Glass",)
    assert ask("Ann Lee's son?").subjects == ("Ann Lee",)


def fact_of(text: str) -> Fact:
    return facts_of(hits_of({"A": text}))[0]


def test_a_title_may_go_on_with_small_words() -> None:
    titles = {"La serra": "La serra", "La": "La", "Brod program": "Brod program"}
    asked = read_asked("Who sang in La serra for the Brod program?", titles.get)
    assert asked.subjects == ("La serra", "Brod program")
    assert read_asked("Who sang in Brod programs?", titles.get).subjects == ("Brod",)


@pytest.mark.parametrize(
    ("question", "read", "whole"),
    [
        ("What lake did the dam make?", "Nasu", "Lake Nasu"),
        ("What did the dam make?", "Nasu", "Nasu"),  # no kind is asked for that the name could hold
        ("Who was the lake named after?", "Ann", "Ann Holm-Lee"),
        ("Who was the lake named after?", "his sister", "his sister"),
    ],
)
def test_a_name_is_not_cut_short(question: str, read: str, whole: str) -> None:
    text = "The dam made Lake Nasu, called after his sister Ann Holm-Lee in 1970."
    start = text.index(read)
    begin, end = name_around(read_asked(question, lambda _: None), text, start, start + len(read))
    assert text[begin:end] == whole


def test_last_names_are_completed_from_the_article() -> None:
    facts = facts_of(hits_of({"Opera": "Lee wrote it. It is by Ann Lee. The Lee house stands."}))
    assert full_name("Lee", "Opera", facts) == "Ann Lee"
    assert full_name("Moor", "Opera", facts) == "Moor"
    assert full_name("Lee", "Play", facts) == "Lee"


def test_values_fall_into_their_parts() -> None:
    value = fact_of("Rivers: A")
    assert split_values("Arn, Besk and Col", value) == ("Arn", "Besk", "Col")
    assert split_values("Providence, Rhode Island", value) == ("Providence, Rhode Island",)
    assert split_values("Bern (federal city)", value) == ("Bern",)
    # "Peter" alone would be no name of one who shares his brother's.
    asked_two = ("Peter and Fred Kern", "Noel Lee", "Ann Lee")
    assert split_values("Peter and Fred Kern, Noel Lee, Ann Lee", value) == asked_two
    made_by = "Year: 1901 | {}: Ann Lee, Bo Kern"
    authors, town = fact_of(made_by.format("Authors")), fact_of(made_by.format("Author"))
    assert split_values("Ann Lee, Bo Kern", authors) == ("Ann Lee", "Bo Kern")
    assert split_values("Ann Lee, Bo Kern", town) == ("Ann Lee, Bo Kern",)
    sentence = fact_of("It was seen there by all of them in the end.")
    assert split_values(sentence.text, sentence) == ()


def test_a_yes_needs_the_name_that_is_asked_about() -> None:
    polar = read_polar(ask("Was Ann Lee born in Port Ilm?"), FACTS, BAGS, NOTHING)
    assert polar is None or not polar.yes


def test_the_name_of_a_list_elsewhere_is_no_value() -> None:
    facts = facts_of(hits_of({"Ruv Sea": "Basin countries: List of basin countries, ports"}))
    asked = read_asked("Which countries border the Ruv Sea?", lambda name: name)
    assert split_values("List of basin countries, ports", facts[0]) == ()
    assert answer_in(asked, facts[0]) == ""
    assert find_members(asked, facts, BAGS) is None


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        ("Lee Byung-chul", True),
        ("Ann Lee (1938)", True),
        ("1 March 1938 in Daegu, Korea", False),
        ("c. 1850 Brod", False),
        ("June 16, 1911, Endicott, New York", False),
    ],
)
def test_a_date_with_its_place_is_nobody(value: str, fits: bool) -> None:
    asked = read_asked("Who founded Kern?", lambda name: None)
    assert value_fits(asked, value) == fits


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ("Ann Lee (m. 1977–1982; divorced), Bo Lee", "Bo Lee"),
        ("Ann Lee (m. 1977; div. 1982), Bo Lee (m. 1998)", "Bo Lee (m. 1998)"),
        ("Ann Lee (m. 1977; died 1982)", "Ann Lee (m. 1977; died 1982)"),
        ("Ann Lee, Bo Lee", "Ann Lee, Bo Lee"),
        ("", ""),
    ],
)
def test_who_it_was_is_not_who_it_is(value: str, left: str) -> None:
    assert without_former(value) == left


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who is the husband of Kim Berg?", "Bo Lee"),
        ("Who was the husband of Kim Berg?", "Ann Lee (m. 1977–1982), Bo Lee"),
        ("How old was Kim Berg when she died?", "aged 66"),
        ("At what age did Kim Berg die?", "aged 66"),
        ("When did Kim Berg die?", "4 July 1934 (aged 66)"),
    ],
)
def test_a_box_tells_ages_and_who_it_is_now(question: str, value: str) -> None:
    box = "Spouse: Ann Lee (m. 1977–1982), Bo Lee\nDied: 4 July 1934 (aged 66)\nBorn: 1 May 1868"
    facts = facts_of(hits_of({"Kim Berg": box}))
    asked = read_asked(question, lambda name: name if name == "Kim Berg" else None)
    best = read_best(asked, facts, shared_embedder())
    assert best is not None
    assert best.value == value


def test_a_date_of_birth_is_no_age() -> None:
    facts = facts_of(hits_of({"Kim Berg": "Born: 1 May 1868\nDied: 4 July 1934"}))
    asked = read_asked("How old was Kim Berg when she died?", lambda name: name)
    assert read_best(asked, facts, shared_embedder()) is None


def test_a_pointer_to_another_place_is_no_part_of_a_value() -> None:
    facts = facts_of(hits_of({"Ham Show": "Portrayer: Ann Lee, Bo Kern, See below"}))
    asked = read_asked("Who is the portrayer of Ham Show?", lambda name: name)
    assert answer_in(asked, facts[0]) == "Ann Lee, Bo Kern"
    assert split_values("Ann Lee, Bo Kern, See below", facts[0]) == ("Ann Lee", "Bo Kern")


def test_an_enumeration_goes_on_behind_an_article() -> None:
    text = "The League of Ostby has four members: Vik, Moor, the Elm Isles and the Ash Isles."
    facts = facts_of(hits_of({"League of Ostby": text}))
    asked = read_asked("Who are the four members of the League of Ostby?", lambda name: name)
    listing = find_members(asked, facts, shared_embedder(), 4)
    assert listing is not None
    names = [member.name for member in listing.members]
    assert names == ["Vik", "Moor", "Elm Isles", "Ash Isles"]


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ("Ostby Institute of Technology, Vik University", 2),
        ("Ostby, Rhode Island", 1),
        ("Vik University, Ostby", 1),
        ("Elm, Ash and Moor", 3),
    ],
)
def test_two_schools_are_two_and_a_town_in_its_state_is_one(value: str, parts: int) -> None:
    facts = facts_of(hits_of({"Ida Moor": f"Alma mater: {value}"}))
    assert len(split_values(value, facts[0])) == parts


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("When did Ann Lee win the Vik Prize?", "1962"),
        ("In which year did Ann Lee win the prize for baking?", "1954"),
        ("When did Ann Lee win a prize?", "Prize for Baking (1954), Vik Prize (1962)"),
    ],
)
def test_of_several_dated_things_the_one_that_is_named_tells_when(question: str, year: str) -> None:
    box = "Awards: Prize for Baking (1954), Vik Prize (1962)"
    (fact,) = facts_of(hits_of({"Ann Lee": box}))
    assert answer_in(read_asked(question, {"Ann Lee": "Ann Lee"}.get), fact) == year
