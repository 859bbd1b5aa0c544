"""Labels that an article carries more than once: a value proves only what is said of its box."""

from __future__ import annotations

import pytest

from agent.citations import check
from agent.citations.register import Known
from agent.citations.support.answers import examine_answer
from agent.citations.support.boxes import doubt_of, other_values
from agent.citations.support.roles import in_role, roles_in
from agent.types import Citation
from tests.reasoners import hit

SHOW = """Name: The Mill
Genre: Drama

Type: tv series
Director: Ann Lee
Episodes: 12
First: 3 May 1990

Type: tv series
Title: The Mill Returns
Director: Bo Orm
Episodes: 24
First: 5 June 1994

Type: film
Director: Ann Lee
Released: 1996

The Mill is a drama.

## Awards

Year: 1991 | Prize: Golden Cup | Result: Won
Year: 1995 | Prize: Golden Cup | Result: Lost
Year: 1995 | Prize: Silver Cup | Result: Won"""
CHUNK = hit(1, SHOW, "The Mill").chunk


@pytest.mark.parametrize(
    ("said", "quote", "others"),
    [
        ("How many episodes does The Mill have?", "Episodes: 12", ("24",)),
        ("How many episodes does The Mill Returns have?", "Episodes: 24", ()),
        ("How many episodes does The Mill Returns have?", "Episodes: 12", ("24",)),
        ("How many episodes did the series of 1994 have?", "Episodes: 24", ()),
        ("Who directed the film The Mill?", "Director: Bo Orm", ("Ann Lee",)),
        ("What is the genre of The Mill?", "Genre: Drama", ()),
        ("The Mill is a drama.", "The Mill is a drama.", ()),
    ],
)
def test_other_boxes_with_another_value(said: str, quote: str, others: tuple[str, ...]) -> None:
    assert other_values(said, quote, "", CHUNK, SHOW) == others


def test_a_row_must_be_told_from_rows_of_the_same_name() -> None:
    won = "Year: 1991 | Prize: Golden Cup | Result: Won"
    assert other_values("Which result did the Golden Cup have?", won, "Won", CHUNK, "") == ("Lost",)
    assert not other_values("Which result did the Golden Cup of 1991 have?", won, "Won", CHUNK, "")
    silver = "Year: 1995 | Prize: Silver Cup | Result: Won"
    assert not other_values("Which result did the Silver Cup have?", silver, "Won", CHUNK, "")


def test_the_whole_article_counts_and_not_the_chunk_alone() -> None:
    chunk = hit(1, "Type: tv series\nEpisodes: 12", "The Mill").chunk
    question = "How many episodes does The Mill have?"
    assert doubt_of(question, "Episodes: 12", "12", chunk, None) == ""
    whole = f"{chr(10) * chunk.start}{chunk.text}\n\nType: radio play\nEpisodes: 40"
    doubt = doubt_of(question, "Episodes: 12", "12", chunk, lambda _: whole)
    assert "“40”" in doubt
    assert doubt_of("How many times was it sung?", "It was sung twice.", "", chunk, None) == ""


def test_one_value_said_in_more_words_is_the_same() -> None:
    text = "Born: Riga\nDied: 1901\n\nName: Ann\nBorn: Riga, Latvia\nDied: 3 May 1901"
    chunk = hit(1, text, "Ann Lee").chunk
    assert not other_values("Where was Ann Lee born?", "Born: Riga", "Riga", chunk, text)
    assert not other_values("When did Ann Lee die?", "Died: 1901", "1901", chunk, text)


RELATIVES = "Relatives: Ann Lee (aunt), Bo Lee (uncle), Cy Orm (great-uncle)"


def test_of_things_listed_with_roles_the_one_asked_for() -> None:
    assert in_role("Who is the uncle of Dan?", RELATIVES.partition(": ")[2]) == ["Bo Lee"]
    assert in_role("Who is the great-uncle of Dan?", RELATIVES.partition(": ")[2]) == ["Cy Orm"]
    assert in_role("Who is the brother of Dan?", RELATIVES) == []
    assert roles_in("Eve (m. 1914; div. 1928), Fay (1930)") == []


def test_a_whole_line_of_relatives_is_no_uncle() -> None:
    chunk = hit(1, RELATIVES, "Dan Lee").chunk
    question = "Who is the uncle of Dan Lee?"
    verdict, _ = examine_answer(question, ["Bo Lee"], RELATIVES, chunk)
    assert verdict.ruling == "supported"
    verdict, _ = examine_answer(question, ["Ann Lee", "Bo Lee"], RELATIVES, chunk)
    assert (verdict.ruling, "ann lee" in verdict.reason) == ("unsure", True)


def test_a_quote_of_two_questions_proves_the_one_it_was_judged_for() -> None:
    chunk = hit(1, "Length: 90 km", "Mere").chunk
    cited = Citation(
        number=1, chunk_id=chunk.id, revision=chunk.revision, start=chunk.start, end=chunk.end,
        quote=chunk.text,
    )  # fmt: skip
    doubted = Citation(
        number=2, chunk_id=chunk.id, revision=chunk.revision, start=chunk.start, end=chunk.end,
        quote=chunk.text, support="unsure",
    )  # fmt: skip
    known = [
        Known(citation=cited, said="How long is Mere? 90 km"),
        Known(citation=doubted, said="How wide is Mere? 90 km"),
    ]
    text = "- How long is Mere? 90 km [1]\n- How wide is Mere? 90 km [1]"
    checked = check(text, [chunk], quotes=[(1, "Length: 90 km")], known=known)
    assert checked.text.splitlines() == [
        "- How long is Mere? 90 km [1]",
        "- How wide is Mere? 90 km [1] (unsure)",
    ]
    row = check("Mere: 90 km [1]", [chunk], quotes=[(1, "Length: 90 km")], known=known)
    assert "(unsure)" in row.text


def test_what_was_struck_says_so_in_the_text() -> None:
    chunk = hit(1, "Mere is a lake. It is 90 km long.", "Mere").chunk
    text = "Mere is a lake [1]. The Swedes burnt Riga in 1702 [1]."
    checked = check(text, [chunk], quotes=[(1, "Mere is a lake.")])
    assert "burnt Riga in 1702 (unsupported)" in checked.text
    assert "lake [1]" in checked.text
    assert checked.uncited


def test_roles_stand_in_brackets_or_behind_a_dash() -> None:
    value = "Ann Lee-Kern - mother, Bo Kern – father, Cy Kern - half-brother"
    assert in_role("Who was his mother?", value) == ["Ann Lee-Kern"]
    assert in_role("Who was his brother?", value) == []
    assert roles_in("Brod - Kollau, 1957-58 - 3rd") == []
