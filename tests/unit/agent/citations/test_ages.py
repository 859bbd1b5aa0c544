"""How old somebody became, by the dates behind a name."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.citations.content.ages import age_at_death, whose_age_at_death
from agent.citations.support.answers import examine_answer
from tests.reasoners import chunk

LEAD = "Ann Lee (7 March 1850 – 2 May 1901) was a painter."
DAYS = st.dates(date(1000, 1, 1), date(2020, 12, 28))


@given(DAYS, DAYS)
def test_an_age_is_the_whole_years_between_two_dates(one: date, other: date) -> None:
    born, died = sorted((one, other))
    text = f"Ann Lee ({born:%-d %B %Y} – {died:%-d %B %Y}) was a painter."
    whole = died.year - born.year - ((died.month, died.day) < (born.month, born.day))
    assert age_at_death(text) == (whole if born < died else None)


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee (1850 – 1901) was a painter.",
        "Ann Lee (born 7 March 1950) is a painter.",
        "Ann Lee (March 1850 – 2 May 1901) was a painter.",
        "Ann Lee was born on 7 March 1850 and died on 2 May 1901.",
        "Gaius Lee (12 July 100 BC – 15 March 44 BC) was a general.",
        "Ann Lee (7 March 1850, baptised 9 March 1850 – 2 May 1901) was a painter.",
    ],
)
def test_dates_that_are_not_whole_or_not_two_tell_no_age(text: str) -> None:
    assert age_at_death(text) is None


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("How old was Ann Lee when she died?", "Ann Lee"),
        ("How old was Ann Lee when Ann Lee died?", "Ann Lee"),
        ("At what age did Ann Lee pass away?", "Ann Lee"),
        ("What age did Ann Lee reach?", "Ann Lee"),
        ("How old did Ann Lee get?", "Ann Lee"),
        ("How long did Ann Lee live?", "Ann Lee"),
        ("What is the age at death of Ann Lee?", "Ann Lee"),
        ("How old was Ann Lee when she won the prize?", ""),
        ("How long did Ann Lee live in Ham?", ""),
        ("How old is Ann Lee?", ""),
        ("At what age did Ann Lee marry?", ""),
    ],
)
def test_whose_age_at_death_is_asked_for(question: str, who: str) -> None:
    assert whose_age_at_death(question) == who


@pytest.mark.parametrize(
    ("question", "value", "ruling"),
    [
        ("How old was Ann Lee when she died?", "51", "supported"),
        ("What age did Ann Lee reach?", "51 years", "supported"),
        ("How old was Ann Lee when she died?", "50", "unsupported"),
        ("How old was Bo Orr when he died?", "51", "unsupported"),
        ("How old was Ann Lee when she won the prize?", "51", "unsupported"),
    ],
)
def test_both_dates_prove_an_age_and_no_other(question: str, value: str, ruling: str) -> None:
    assert examine_answer(question, [value], LEAD, chunk(1, LEAD, "Ann Lee"))[0].ruling == ruling


@pytest.mark.parametrize(
    ("lead", "ruling"),
    [
        ("Ann Lee Jr. (7 March 1850 – 2 May 1901) was a painter.", "supported"),
        ("Bo Orr (7 March 1850 – 2 May 1901) married Ann Lee.", "unsupported"),
        ("Ann Lee's husband (7 March 1850 – 2 May 1901) was a painter.", "unsupported"),
    ],
)
def test_the_dates_behind_another_name_prove_no_age(lead: str, ruling: str) -> None:
    asked = "What age did Ann Lee reach?"
    assert examine_answer(asked, ["51"], lead, chunk(1, lead, "Ann Lee"))[0].ruling == ruling
