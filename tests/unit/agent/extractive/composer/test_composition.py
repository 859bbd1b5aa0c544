"""Lines of members: what is shown, what is open, what was not found, and what rests on unsure values."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from agent.citations import check
from agent.extractive.composer.composition import compose_found
from agent.extractive.composer.lines import (
    MemberLine,
    full_name,
    other_title,
    with_article,
    year_of_row,
)
from agent.extractive.composer.members import MISCOUNTED
from agent.extractive.composer.sub_answers import value_of
from agent.reasoner import Composed
from agent.types import Citation, Status, Style, SubAnswer, SubQuestion
from tests.reasoners import chunk
from tests.unit.agent.extractive.planning import planned

Found = tuple[str, str, Status, tuple[str, ...]]
"""Id and text of a step, its status, its items."""


def composed(
    lines: tuple[str, ...],
    found: list[Found],
    style: Style = "long",
    *,
    operator: str = "give",
    answers: Sequence[SubAnswer] = (),
    guessed: bool = False,
) -> Composed:
    """Compose what was found; `answers` stand in place of those with their ids."""
    given = {answer.sub_question_id: answer for answer in answers}
    steps = [SubQuestion(id=id_, text=text, kind="core") for id_, text, _, _ in found]
    made = [
        given.get(id_)
        or SubAnswer(sub_question_id=id_, status=status, text=", ".join(items), items=items)
        for id_, _, status, items in found
    ]
    reading = planned("Which of them?", operator, *lines)
    return compose_found(reading, steps, made, [], style, guessed=guessed)


def test_a_member_that_stays_open_stands_last_and_is_marked() -> None:
    made = composed(
        ("set: What are the planets?", "not: Does {1} have moons?"),
        [
            ("1", "What are the planets?", "answered", ("Mercury", "Venus", "Mars")),
            ("2.1", "Does Mercury have moons?", "not_found", ()),
            ("2.2", "Does Venus have moons?", "answered", ("No",)),
            ("2.3", "Does Mars have moons?", "answered", ("Yes",)),
        ],
    )
    assert made.text.splitlines() == [
        "1 of 3 are shown to meet the condition, 1 stay open (Mercury):",
        "- Venus: No",
        "Open:",
        "- Mercury: not found",
    ]
    assert check(made.text, [], computed=made.computed).uncited == ("Venus: No",)


def test_what_is_not_sure_to_fail_stays_open_and_is_told_so() -> None:
    made = composed(
        ("set: What are the planets?", "is: Does {1} have moons?", "ask: How wide is {1}?"),
        [
            ("1", "What are the planets?", "answered", ("Venus", "Mars", "Earth")),
            ("2.1", "Does Venus have moons?", "answered", ("No",)),
            ("2.2", "Does Mars have moons?", "answered", ("Yes",)),
            ("2.3", "Does Earth have moons?", "unsure", ("No",)),
            ("3.2", "How wide is Mars?", "answered", ("6,779 km",)),
            ("3.3", "How wide is Earth?", "answered", ("12,742 km",)),
        ],
        "short",
    )
    assert made.text.splitlines() == ["Mars: Yes; 6,779 km", "Open:", "Earth: 12,742 km"]


def test_what_nothing_is_found_of_does_not_make_up_the_number() -> None:
    made = composed(
        ("set: What are the two planets?", "is: Does {1} have moons?"),
        [
            ("1", "What are the planets?", "answered", ("Venus", "Mars", "Earth")),
            ("2.1", "Does Venus have moons?", "not_found", ()),
            ("2.2", "Does Mars have moons?", "answered", ("Yes",)),
            ("2.3", "Does Earth have moons?", "not_found", ()),
        ],
        "short",
    )
    assert (made.text, made.withheld) == ("", MISCOUNTED)


@pytest.mark.parametrize(
    ("told", "said"),
    [("the two planets", True), ("the planets", True), ("the four planets", False)],
)
def test_another_number_than_the_question_says_of_those_meant_is_not_told(
    told: str, said: bool
) -> None:
    made = composed(
        (f"set: What are {told}?", "is: Does {1} have moons?"),
        [
            ("1", "What are the planets?", "answered", ("Venus", "Mars", "Earth")),
            ("2.1", "Does Venus have moons?", "answered", ("No",)),
            ("2.2", "Does Mars have moons?", "answered", ("Yes",)),
            ("2.3", "Does Earth have moons?", "answered", ("Yes",)),
        ],
    )
    assert bool(made.text) is said
    assert (made.withheld == MISCOUNTED) is not said


def test_what_is_asked_of_what_was_found_for_a_member_may_name_another_member() -> None:
    told = {
        "1": ("What are the lakes?", ("Ash", "Elm", "Oak"), ()),
        "2.1": ("Into which lake does Ash flow?", ("Elm",), ("1",)),
        "2.2": ("Into which lake does Elm flow?", ("Oak",), ("1",)),
        "3.1": ("Which town lies on Elm?", ("Brod",), ("2.1",)),
        "3.2": ("Which town lies on Oak?", ("Ayr",), ("2.2",)),
    }
    made = compose_found(
        planned(
            "Which towns?", "give", "set: What are the lakes?",
            "find: Into which lake does {1} flow?", "ask: Which town lies on {2}?",
        ),
        [
            SubQuestion(id=id_, text=text, kind="core", depends_on=needed)
            for id_, (text, _, needed) in told.items()
        ],
        [
            SubAnswer(sub_question_id=id_, status="answered", text=items[0], items=items)
            for id_, (_, items, _) in told.items()
        ],
        [],
        "long",
    )  # fmt: skip
    assert made.text.splitlines() == ["- Ash: Elm; Brod", "- Elm: Oak; Ayr", "- Oak: not found"]


def test_what_was_not_found_says_so_and_is_nothing_said_without_a_source() -> None:
    made = composed(
        (
            "names: the Atlantic Ocean | the Arctic Ocean | the Pacific Ocean",
            "most: How deep is {1}?",
        ),
        [
            ("1", "How deep is the Atlantic Ocean?", "answered", ("3,646 m",)),
            ("2", "How deep is the Arctic Ocean?", "answered", ("1,205 m",)),
            ("3", "How deep is the Pacific Ocean?", "not_found", ()),
        ],
    )
    said, *lines = made.text.splitlines()
    assert said == "Not every value that this compares was found; what was found of each:"
    assert lines == [
        "- Atlantic Ocean: 3,646 m", "- Arctic Ocean: 1,205 m", "- Pacific Ocean: not found",
    ]  # fmt: skip
    checked = check(made.text, [], computed=made.computed)
    assert not any("Pacific" in one for one in checked.uncited)


def test_a_comparison_with_an_unsure_value_is_unsure() -> None:
    compared: list[Found] = [
        ("1", "When did Alabama join its country?", "answered", ("December 14, 1819",)),
        ("2", "When did Alberta join its country?", "unsure", ("1966",)),
    ]
    lines = ("names: Alabama | Alberta", "least: When did {1} join its country?")
    assert composed(lines, compared).text.splitlines() == [
        "Unsure, since 1 of the compared values is (Alberta):",
        "- Alabama: December 14, 1819",
    ]
    assert composed(lines, compared, "short").text == "Alabama: December 14, 1819\n(unsure)"
    sure = [(id_, text, "answered", items) for id_, text, _, items in compared]
    assert composed(lines, sure).text == "- Alabama: December 14, 1819"  # type: ignore[arg-type]


def test_a_thing_that_was_found_is_shown_as_what_it_was_found_to_be() -> None:
    made = composed(
        ("find: Who directed Alien?", "names: Bo Lee | {1}", "least: When was {2} born?"),
        [
            ("1", "Who directed Alien?", "answered", ("Ann Dahl",)),
            ("2", "When was Bo Lee born?", "answered", ("1946",)),
            ("3", "When was Ann Dahl born?", "answered", ("1937",)),
        ],
    )
    assert "Ann Dahl" in made.text
    assert "1937" in made.text
    assert "{" not in made.text


def test_members_are_not_held_against_a_bound_that_is_unsure() -> None:
    def made(status: Status) -> Composed:
        return composed(
            (
                "set: What are the fells of Uri?",
                "find: How high is Gross?",
                "> {2}: How high is {1}?",
            ),
            [
                ("1", "What are the fells of Uri?", "answered", ("Rund", "Spitz")),
                ("2", "How high is Gross?", status, ("800 m",)),
                ("3.1", "How high is Rund?", "answered", ("700 m",)),
                ("3.2", "How high is Spitz?", "answered", ("900 m",)),
            ],
        )

    assert made("answered").text.splitlines()[1:] == ["- Spitz: 900 m"]
    assert made("unsure").text == ""
    assert "compared with" in made("unsure").withheld


def test_a_name_is_shown_as_the_title_that_is_cited_for_it_has_it() -> None:
    assert full_name("lee", {"Ann Lee"}) == "Ann Lee"
    assert full_name("Ann Lee", {"Ann Lee"}) == "Ann Lee"
    assert full_name("Lee", {"Leeds"}) == "Lee"
    assert full_name("Lee", {"Ann Lee", "Bob Lee"}) == "Lee"
    assert full_name("Lee", ()) == "Lee"
    assert full_name("Lee", {"List of paintings by Ann Lee"}) == "Lee"
    assert full_name("Lee", {"Golden Cup", "Ann Lee", "1990"}) == "Ann Lee"


def test_a_name_that_is_not_its_articles_is_shown_with_the_title() -> None:
    title_of = {"Lom Tech": "Lom Institute", "Lee": "Ann Lee", "Ham": "Ham (town)"}.get
    assert other_title("Lom Tech", {"Lom Institute"}, title_of) == "Lom Institute"
    assert other_title("Lom Tech", {"Ham"}, title_of) == ""  # it is not cited
    assert other_title("Lee", {"Ann Lee"}, title_of) == ""  # the title says the name
    assert other_title("Ham", {"Ham"}, title_of) == ""
    assert other_title("Vik", {"Vik"}, title_of) == ""
    assert (
        MemberLine(name="Lom Tech", title="Lom Institute").shown_name == "Lom Tech (Lom Institute)"
    )


def test_a_name_has_the_article_of_its_title() -> None:
    title_of = {"The Elm": "The Elm", "The Oak": "Oak", "Ham": "Ham", "The Ham": "The Ham"}.get
    assert [with_article(name, title_of) for name in ("Elm", "Oak", "Ham", "Vik")] == [
        "The Elm", "Oak", "Ham", "Vik",
    ]  # fmt: skip


def test_values_of_different_things_are_told_apart_by_their_names() -> None:
    def made(second: str) -> list[str]:
        found: list[Found] = [
            ("1", "How long is the Elm?", "answered", ("90 km",)),
            ("2", second, "answered", ("80 km",)),
        ]
        lines = ("ask: How long is the Elm?", f"ask: {second}")
        return composed(lines, found, "short").text.splitlines()

    assert made("How long is the Oak?") == ["Elm: 90 km", "Oak: 80 km"]
    assert made("How wide is the Elm?") == ["90 km", "80 km"]


def test_a_member_that_stands_for_its_row_is_shown_with_the_row_s_year() -> None:
    rows = [
        f"Year: {year} | City: {city} | Stands: 9" for year, city in ((1990, "Ro"), (1994, "Vo"))
    ]
    place = chunk(1, "\n".join(rows), "Fairs")
    citations = tuple(
        Citation(
            number=number, chunk_id=place.id, revision=place.revision, start=0, end=len(row), quote=row
        )
        for number, row in enumerate(rows, start=1)
    )  # fmt: skip
    found = SubAnswer(sub_question_id="1", status="answered", citations=citations)
    assert year_of_row("What are the fairs?", found, "Vo") == "1994"
    assert year_of_row("What are the cities of the fairs?", found, "Vo") == ""
    assert year_of_row("What are the cities of the fairs from 1990 to 1994?", found, "Vo") == "1994"


@pytest.mark.parametrize(
    ("quote", "shown"),
    [
        ("Year: 2004 | Mascot: Ida and Otto | Town: Ham", "Ida and Otto"),
        ("Mascots: Ida, Otto", "Ida, Otto"),
        ("Ida was one, and Otto the other", "Ida, Otto"),
    ],
)
def test_several_values_are_told_as_their_quote_joins_them(quote: str, shown: str) -> None:
    cited = Citation(
        number=1,
        chunk_id="c",
        revision=chunk(1, quote).revision,
        start=0,
        end=len(quote),
        quote=quote,
    )
    answer = SubAnswer(
        sub_question_id="1", status="answered", text="", citations=(cited,), items=("Ida", "Otto")
    )
    assert value_of(answer) == shown
