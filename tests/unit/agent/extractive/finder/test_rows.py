"""Rows of a table that a set's condition chooses."""

from __future__ import annotations

import pytest

from agent.extractive.finder.asked import read_asked
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.finder.labels import naming_score
from agent.extractive.finder.rows import between_named, bound_in_words, filtered, tells_of_member
from agent.extractive.planner.sets import told_of_member
from tests.unit.agent.extractive.finder.test_values import hits_of

CASTLES = facts_of(
    hits_of(
        {
            "Castles": (
                "Castle: Ro | Height (m): 40 | Towers: 3 | Population: 200 (1990) | Completed: 1201\n"
                "Castle: Vo | Height (m): 25 | Towers: 12 | Population: 4,000 (1990) | Completed: 1380\n"
                "Castle: Bo | Height (m): 31 | Towers: 7 | Population: 210 (1990) | Completed: 1522"
            )
        }
    )
)
FAIRS = facts_of(
    hits_of(
        {
            "Fairs": "\n".join(
                f"Year: {year} | City: C{year} | Stands: 9" for year in range(1990, 2010)
            )
        }
    )
)


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("Which castles have more than 6 towers?", ["Vo", "Bo"]),
        ("Which castles have fewer than 300 population?", ["Ro", "Bo"]),
        ("Which castles have a height above 30 m?", ["Ro", "Bo"]),
        ("Which castles were completed before 1400?", ["Ro", "Vo"]),
        # No column tells how many paintings there are: the table does not tell which castles are meant.
        ("Which castles have over 20 paintings?", []),
        ("Which castles are there?", ["Ro", "Vo", "Bo"]),
    ],
)
def test_a_column_settles_a_bound(question: str, chosen: list[str]) -> None:
    kept = filtered(read_asked(question, lambda name: None), CASTLES)
    assert [row.cells[0][1] for row in kept] == chosen


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("Which fairs were held from C1997 to C1999?", ["C1997", "C1998", "C1999"]),
        ("What are the fairs from C2008 through C2009?", ["C2008", "C2009"]),
    ],
)
def test_two_names_mean_all_rows_between_them(question: str, chosen: list[str]) -> None:
    kept = filtered(read_asked(question, lambda name: None), FAIRS)
    assert [row.cells[1][1] for row in kept] == chosen


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What are the castles from Ro to Vo?", CASTLES[::-1]),  # the other way round
        ("What are the castles from Ro to Ham?", CASTLES),
        ("What are the castles with Ro and Bo?", CASTLES),
        ("What are the fairs from C1997 to C1999?", [*FAIRS[10:], *FAIRS[:10]]),  # in no order
    ],
)
def test_a_span_needs_both_its_ends_and_an_order(question: str, rows: list[Fact]) -> None:
    assert between_named(question, rows) == ((), rows)


@pytest.mark.parametrize(
    ("question", "in_words"),
    [
        ("Which castles have fewer than six towers?", True),
        ("Which castles are taller than Ro?", True),
        ("What are the castles whose towers number above ten?", True),
        ("Which castles lie above the Ro?", False),
        ("Which castles have fewer than 6 towers?", False),
        ("Which castles have six towers?", False),
    ],
)
def test_a_bound_in_words_is_told_from_a_number(question: str, in_words: bool) -> None:
    assert bound_in_words(read_asked(question, lambda name: None)) is in_words


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What are the castles owned by Ida Kern?", True),
        ("What are the castles built by Ida Kern?", False),
        ("What are the castles owned by Otto Kern?", False),
    ],
)
def test_a_row_tells_of_a_member_what_its_set_is_told_by(question: str, told: bool) -> None:
    asked = read_asked(question, lambda name: None)
    row = facts_of(hits_of({"Castles": "Castle: Ro | Towers: 3 | Owner: Ida Kern"}))[0]
    of_each = told_of_member(question, "it")
    assert of_each is not None
    assert tells_of_member(asked, row, "Ro", *of_each) is told


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What are the castles that were finished in 1431?", True),
        ("What are the hill castles that were finished in 1431?", True),
        ("What are the water castles that were finished in 1431?", False),
        ("What are the castles that were sold in 1431?", False),
        ("What are the castles that were finished in 1433?", False),
        ("What are the castles that were burnt in 1502?", False),
    ],
)
def test_a_year_ties_a_set_where_its_head_says_what_happened(question: str, told: bool) -> None:
    asked = read_asked(question, lambda name: None)
    row = facts_of(hits_of({"Hill castles": "Castle: Ro | Completed: 1431 | Year: 1502"}))[0]
    of_each = told_of_member(question, "it")
    assert of_each is not None
    assert tells_of_member(asked, row, "Ro", *of_each) is told


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("What are the fairs from 1992 to 1994?", (1992, 1994)),
        ("What are the fairs between 1992 and 1994?", (1992, 1994)),
        ("What are the fairs from 1992 thru 1994?", (1992, 1994)),
        ("What are the fairs of 1992–1994?", (1992, 1994)),
        ("What are the fairs since 2006?", (2006, 2009)),
    ],
)
def test_years_choose_rows(question: str, years: tuple[int, int]) -> None:
    kept = filtered(read_asked(question, lambda name: None), FAIRS)
    assert [int(row.cells[0][1]) for row in kept] == list(range(years[0], years[1] + 1))


@pytest.mark.parametrize(
    ("question", "head", "named"),
    [
        ("What is the biggest satellite of Kern?", "Largest satellite", True),
        ("What is the tallest mountain of Kern?", "Highest mountain", True),
        ("What is the smallest satellite of Kern?", "Largest satellite", False),
        ("What is the oldest satellite of Kern?", "Largest satellite", False),
    ],
)
def test_superlatives_of_one_scale_name_the_same(question: str, head: str, named: bool) -> None:
    asked = read_asked(question, lambda name: name)
    assert (naming_score(asked, head) >= 0.8) == named
