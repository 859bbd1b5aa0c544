"""Dates, quantities, infobox facts and their sentences."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.sample import sample_snapshot
from corpus.store import Snapshot
from evals.builders.infobox.facts import Factbook
from evals.builders.infobox.labels import RELATIONS
from evals.builders.infobox.quantities import PATTERN, UNSAFE, Shift, amount_of, days_of, scale
from evals.builders.infobox.relations import with_pronoun


@pytest.fixture(scope="module")
def book() -> Factbook:
    return Factbook(Snapshot.open(sample_snapshot("en")))


def shift(text: str, years: int = -40, factor: str = "1.5", *, in_name: bool = False) -> str:
    moved = Shift(years=years, factor=Decimal(factor), ordinal=4)
    return PATTERN.sub(lambda m: moved.change(m, in_name=in_name), text)


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("15 February 1564", "15 February 1524"),
        ("February 15, 1564", "February 15, 1524"),
        ("on July 20, while", "on July 20, while"),
        ("in the 1650s", "in the 1610s"),
        ("(1754–1784)", "(1714–1744)"),
        ("the season 1998–99", "the season 1958–59"),
        ("at 4,806 m, in 1760", "at 7,209 m, in 1720"),
        ("an 11.6 km tunnel", "an 17.4 km tunnel"),
        ("384,400 km away", "576,600 km away"),
        ("a 2000 km river", "a 3000 km river"),
        ("aged 77, at 36, when she was 29", "aged 77, at 36, when she was 29"),
        ("only 17 days after, 3 acts, its 2nd", "only 17 days after, 3 acts, its 2nd"),
        ("at 465 °C", "at 698 °C"),
        ("about 71 percent", "about 47 percent"),
        ("8,804,190 people", "13,206,285 people"),
        ("1.41 billion inhabitants", "2.12 billion inhabitants"),
        ("about 800 km", "about 1,200 km"),
    ],
)
def test_numbers_move_together_and_keep_their_form(text: str, moved: str) -> None:
    assert shift(text) == moved


def test_the_number_in_a_name_moves_by_itself() -> None:
    assert shift("11", in_name=True) == "15"
    assert shift("1992", in_name=True) == "1952"


@given(
    st.lists(st.integers(10, 99_999), min_size=2, unique=True), st.sampled_from(["0.62", "1.47"])
)
def test_order_of_quantities_stays(numbers: list[int], factor: str) -> None:
    moved = [float(scale(f"{n:,}", Decimal(factor)).replace(",", "")) for n in sorted(numbers)]
    assert moved == sorted(moved)


@given(st.dates(), st.dates(), st.sampled_from([-60, -20, 30]))
def test_order_of_dates_stays(one: object, other: object, years: int) -> None:
    texts = [f"{d:%d} {d:%B} {max(1100, d.year % 900 + 1100)}" for d in (one, other)]  # type: ignore[str-format]
    before = [days_of(text.lstrip("0")) for text in texts]
    after = [days_of(shift(text.lstrip("0"), years)) for text in texts]
    assert None not in (*before, *after)
    if before[0] != before[1]:
        assert (before[0] < before[1]) == (after[0] < after[1])  # type: ignore[operator]


def test_dates_and_amounts_are_read() -> None:
    assert days_of("May 1970") == (719_283, 719_313)
    assert days_of("1970") == (719_163, 719_528)
    assert days_of("in May") is None
    assert amount_of("1,230 km") == (1230.0, "km")
    assert amount_of("9.1 million") == (9.1, "million")
    assert amount_of("long") is None


@pytest.mark.parametrize(
    "text", ["in the 19th century", "753 BC", "a ratio of 3:2", "24 h 37 min", "the X-15", "B2"]
)
def test_what_cannot_be_moved_is_told(text: str) -> None:
    assert UNSAFE.search(text)


def test_facts_have_parts_articles_and_chunks(book: Factbook) -> None:
    cornell = book.entity("Cornell University")
    assert cornell is not None
    city = cornell.facts["City"]
    assert [(part.text, part.target) for part in city.parts] == [
        ("Ithaca, New York", "Ithaca, New York")
    ]
    assert "City: Ithaca" in book.snapshot.chunk(city.chunk).text
    assert [part.text for part in cornell.facts["Founder"].parts] == [
        "Ezra Cornell",
        "Andrew Dickson White",
    ]
    assert book.entity("Mercury (disambiguation)") is None
    assert book.entity("Opera") is None
    assert book.entity("No such page") is None
    rhine = book.entity("Rhine")
    assert rhine is not None
    assert rhine.shown == "the Rhine"
    assert "Ganymede" in (book.entity("Ganymede (moon)") or rhine).aliases


def test_every_relation_reads_back_the_sentence_it_writes(book: Factbook) -> None:
    checked = 0
    for title in book.titles():
        entity = book.entity(title)
        for label in entity.facts if entity else ():
            relation = RELATIONS.get(label)
            if entity is None or relation is None or not (value := relation.value_of(entity)):
                continue
            for pronoun in ("", "he", "she", "it"):
                sentence = relation.sentence(entity, value, pronoun)
                stated = relation.stated_in(sentence)
                assert stated.removeprefix("the ") == value.removesuffix("."), sentence
                assert sentence[0].isupper()
                assert not sentence.endswith("..")
                checked += 1
    assert checked > 2000


def test_pronouns_stand_where_the_subject_stood() -> None:
    forms = {label: with_pronoun(RELATIONS[label].state, "it") for label in RELATIONS}
    assert forms["Capital"] == "Its capital is {o}."
    assert forms["River"] == "The river flowing through it is the {o}."
    assert forms["City"] == "It lies in {o}."
    assert with_pronoun(RELATIONS["Birth place"].state, "she") == "She was born in {o}."
    assert all("{s}" not in form for form in forms.values())


def test_values_that_are_not_one_thing_are_not_read(book: Factbook) -> None:
    neptune, mont_blanc = book.entity("Neptune"), book.entity("Mont Blanc")
    gosling = book.entity("James Gosling")
    assert neptune is not None
    assert mont_blanc is not None
    assert gosling is not None
    assert RELATIONS["Discoverer"].value_of(neptune) == ""
    assert RELATIONS["Birth place"].value_of(gosling) == ""
    assert RELATIONS["Elevation m"].value_of(mont_blanc) == "4,806 m"
    assert RELATIONS["Elevation m"].target_of(mont_blanc) == ""
    assert RELATIONS["Length"].read_text("quite long") == ""
    assert RELATIONS["Composer"].read_text("1790") == ""
    assert re.fullmatch(r"[A-Z].*", RELATIONS["Range"].sentence(mont_blanc, "Alps"))


def test_a_large_snapshot_is_sampled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import random

    from evals.builders.infobox import facts

    monkeypatch.setattr(facts, "POOL", 20)
    large = Factbook(Snapshot.open(sample_snapshot("en")))
    first, second = (large.shuffled(random.Random(n)) for n in (1, 2))
    assert len(first) == 20
    assert first != second
    assert set(first) == set(second)
    assert len(large.titles()) > 200


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("Alps", "the Alps"), ("Netherlands", "the Netherlands"), ("Valdai Hills", "the Valdai Hills"),
        ("Highlands of Zambia", "the Highlands of Zambia"), ("Gangotri Glacier", "the Gangotri Glacier"),
        ("Burgtheater", "the Burgtheater"),
        ("Theater auf der Wieden", "the Theater auf der Wieden"), ("Vienna", "Vienna"),
        ("La Scala", "La Scala"),
    ],
)  # fmt: skip
def test_names_that_take_the_have_it(book: Factbook, value: str, told: str) -> None:
    entity = book.entity("Aida")
    assert entity is not None
    sentence = RELATIONS["Premiere location"].sentence(entity, value)
    assert sentence.endswith(f"given at {told}.")


def test_a_river_has_the_once(book: Factbook) -> None:
    entity = book.entity("Berlin")
    assert entity is not None
    for value in ("Spree", "Han River"):
        sentence = RELATIONS["River"].sentence(entity, value)
        assert sentence == f"The river flowing through Berlin is the {value}."
