"""A sub-answer judged as a whole, and what may stand for words that its quote does not say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.citations.subanswers import MISCOUNTED, MOSTLY_UNPROVEN, ONLY_QUOTED, judged
from agent.citations.support.answers import examine_answer
from agent.citations.support.faults import Faults
from agent.types import Citation, SubAnswer
from corpus.types import Chunk
from tests.reasoners import chunk

TEXT = "Brod is a town. The flood of 1953 killed 18 people in Brod."


def answer(value: str, quote: str) -> SubAnswer:
    place = chunk(1, TEXT, "Brod")
    start = place.start + TEXT.index(quote)
    citation = Citation(
        number=1, chunk_id=place.id, revision=place.revision, start=start,
        end=start + len(quote), quote=quote,
    )  # fmt: skip
    return SubAnswer(
        sub_question_id="1", status="answered", text=f"{value} [1]", items=(value,),
        citations=(citation,),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "certain", "status"),
    [
        ("How many people died in the flood of 1953 in Brod?", True, "answered"),
        ("How many people died in the flood of 1953 in Brod?", False, "unsure"),
        # Only words may lack: a name or a year that the quote does not speak of proves nothing.
        ("How many people died in the flood of 1953 in Kollau?", True, None),
        ("How many people died in the flood of 1954 in Brod?", True, None),
    ],
)
def test_a_quote_in_words_of_its_own_is_confirmed_or_unsure(
    question: str, certain: bool, status: str | None
) -> None:
    asked: list[tuple[str, str, str]] = []

    def confirms(question: str, value: str, quote: str, place: Chunk) -> bool:
        asked.append((question, value, quote))
        return certain

    quote = "The flood of 1953 killed 18 people in Brod."
    place = chunk(1, TEXT, "Brod")
    found, struck = judged(
        answer("18 people", quote), question, {place.id: place}, confirms=confirms
    )
    if status is None:
        assert asked == []
        assert not found.citations or found.status == "unsure"
        return
    assert asked == [(question, "18 people", quote)]
    assert found.status == status
    assert struck == []
    assert found.citations[0].support == ("supported" if certain else "unsure")


def test_what_its_finder_doubts_stays_unsure_in_the_citation_too() -> None:
    quote = "The flood of 1953 killed 18 people in Brod."
    place = chunk(1, TEXT, "Brod")
    doubted = replace(answer("18 people", quote), status="unsure", error="a guess")
    question = "How many people were killed by the flood of 1953 in Brod?"
    found, _ = judged(doubted, question, {place.id: place}, confirms=lambda *_: True)
    assert (found.status, found.error) == ("unsure", "a guess")
    assert found.citations[0].support == "unsure"


@pytest.mark.parametrize(
    ("certain", "status"), [(("Ann", "Bob"), "answered"), (("Ann",), "unsure")]
)
def test_a_list_is_confirmed_whole_or_not_at_all(certain: tuple[str, ...], status: str) -> None:
    text = "Winner: Ann | Year: 1953\nWinner: Bob | Year: 1954"
    place = chunk(1, text, "Cup of Brod")
    citations = tuple(
        Citation(
            number=1, chunk_id=place.id, revision=place.revision,
            start=place.start + text.index(row), end=place.start + text.index(row) + len(row), quote=row,
        )
        for row in text.splitlines()
    )  # fmt: skip
    found, _ = judged(
        SubAnswer(
            sub_question_id="1", status="answered", text="Ann, Bob [1]", items=("Ann", "Bob"),
            citations=citations,
        ),
        "Who are the winners who triumphed in the Cup of Brod?",
        {place.id: place},
        confirms=lambda question, value, quote, where: value in certain,
    )  # fmt: skip
    assert found.status == status
    assert found.items == ("Ann", "Bob")


def test_no_by_another_value_is_confirmed_or_unsure() -> None:
    quote = "Brod is a town."
    place = chunk(1, TEXT, "Brod")
    for sure, status in ((True, "answered"), (False, "unsure")):
        found, _ = judged(
            answer("No", quote),
            "Is Brod a village?",
            {place.id: place},
            confirms=lambda *_, sure=sure: sure,
        )
        assert found.status == status


LAKES = """Kern is a land.

{caption}

Lake: Ro | Depth (m): 40 | Part of: Great Moor

Lake: Vo | Depth (m): 12 | Part of: Low Moor

Lake: Bo | Depth (m): 9 | Part of: Low Moor"""


@pytest.mark.parametrize(
    ("question", "caption", "status"),
    [
        ("What are the three big lakes of Kern?", "Lakes of Kern", "answered"),
        ("What are the big lakes of Kern?", "Major lakes of Kern", "answered"),
        ("Which lakes of Kern are in the table?", "Lakes of Kern", "answered"),
        ("What are the three frozen lakes of Kern?", "Lakes of Kern", "unsure"),
        # "Great" of one row's cell makes only Ro big: a part of the list would pass for the whole.
        ("What are the big lakes of Kern?", "Lakes of Kern", "unsure"),
    ],
)
def test_how_a_list_was_chosen_is_not_asked_of_its_members(
    question: str, caption: str, status: str
) -> None:
    text = LAKES.format(caption=caption)
    place = chunk(1, text, "Kern")
    rows = [line for line in text.split("\n") if " | " in line]
    citations = tuple(
        Citation(
            number=number, chunk_id=place.id, revision=place.revision,
            start=place.start + text.index(row), end=place.start + text.index(row) + len(row),
            quote=row,
        )
        for number, row in enumerate(rows, start=1)
    )  # fmt: skip
    listed = SubAnswer(
        sub_question_id="1", status="answered", text="Ro, Vo, Bo [1][2][3]",
        items=("Ro", "Vo", "Bo"), citations=citations,
    )  # fmt: skip
    found, _ = judged(listed, question, {place.id: place}, confirms=lambda *_: False)
    assert found.status == status


def test_a_sentence_quoted_whole_is_unsure_unless_it_is_what_is_to_be_quoted() -> None:
    quotes = ("Brod is a town.", "The flood of 1953 killed 18 people in Brod.")
    place = chunk(1, TEXT, "Brod")
    cited = tuple(answer(quote, quote).citations[0] for quote in quotes)
    excerpt = replace(
        answer("", quotes[0]),
        text=" ".join(f"“{quote}”" for quote in quotes), items=quotes, citations=cited,
    )  # fmt: skip
    asked: list[str] = []

    def confirms(question: str, value: str, quote: str, place: Chunk) -> bool:
        asked.append(value)
        return "say about" in question

    # No quote names what is asked about; each is kept as what it is, an excerpt.
    why = "Why was Kollau flooded in 1960?"
    kept, struck = judged(excerpt, why, {place.id: place}, confirms=confirms)
    assert (kept.status, kept.error, struck) == ("unsure", ONLY_QUOTED, [])
    assert [citation.support for citation in kept.citations] == ["supported"] * 2
    section = "What does “Brod” say about floods?"
    proven, _ = judged(excerpt, section, {place.id: place}, confirms=confirms)
    assert proven.status == "answered"
    assert set(asked) == {""}


def test_a_title_between_quotation_marks_is_no_excerpt() -> None:
    text = "The town is called “Brod” after a ford."
    place = chunk(1, TEXT, "Brod")
    named = replace(answer("Brod", "Brod is a town."), text=text)
    found, _ = judged(named, "Which town was flooded in 1960?", {place.id: place})
    assert found.error != ONLY_QUOTED
    assert not any(citation.support == "supported" for citation in found.citations)


CLOSED = "The mill of Brod is closed to carts since 1907."
CLIMBED = "Captain Ives, who drew maps, reached the top of Brod in 1820 with the guide Otto Lang."


@pytest.mark.parametrize(
    ("question", "value", "quote"),
    [
        # What a sentence denies in words of its own, and who is its subject beside another.
        ("Since when are no carts allowed in the mill of Brod?", "1907", CLOSED),
        ("Which guide went up Brod in 1820?", "Otto Lang", CLIMBED),
    ],
)
def test_of_what_a_sentence_speaks_a_certain_reader_settles(
    question: str, value: str, quote: str
) -> None:
    place = chunk(1, quote, "Brod")
    citation = Citation(
        number=1, chunk_id=place.id, revision=place.revision, start=place.start,
        end=place.start + len(quote), quote=quote,
    )  # fmt: skip
    said = replace(answer("18 people", TEXT[16:]), items=(value,), citations=(citation,))
    for certain, status in ((True, "answered"), (False, "unsure")):
        found, _ = judged(said, question, {place.id: place}, confirms=lambda *_, c=certain: c)
        assert found.status == status


def test_of_what_a_box_speaks_no_reader_settles() -> None:
    box = "Currency: none in cash"
    faults = Faults(spoken=["question and quote do not agree in what they deny"])
    assert faults.ruled(prose=True).wording
    assert not faults.ruled(prose=False).wording
    verdict, _ = examine_answer(
        "What is the currency of Brod?", ("none in cash",), box, chunk(1, box, "Brod")
    )
    assert not verdict.wording


@pytest.mark.parametrize(
    ("question", "values", "doubted"),
    [
        ("Which two mills burnt in Brod?", ("Ostmill",), True),
        ("Which two mills burnt in Brod?", ("Ostmill", "Vikmill"), False),
        ("Which three mills burnt in Brod?", ("Ostmill", "Vikmill"), True),
        ("What were the three mills that burnt in Brod?", ("Ostmill", "Vikmill"), True),
        ("What is the two mills of Brod?", ("Ostmill",), True),
        ("Which mills burnt in Brod?", ("Ostmill",), False),
        # Of one wording nobody can say how many it names; "of" says of how many some are asked.
        ("Which two mills burnt in Brod?", ("Ostmill and Vikmill",), False),
        ("Which three of the mills burnt in Brod?", ("Ostmill", "Vikmill"), False),
    ],
)
def test_another_number_than_the_question_says_is_unsure(
    question: str, values: tuple[str, ...], doubted: bool
) -> None:
    text = "Ostmill and Vikmill, mills of Brod, burnt in 1702."
    place = chunk(1, text, "Brod")
    cited = Citation(
        number=1, chunk_id=place.id, revision=place.revision, start=place.start, end=place.end,
        quote=text,
    )  # fmt: skip
    given = SubAnswer(
        sub_question_id="1", status="answered", text=f"{', '.join(values)} [1]", items=values,
        citations=(cited,),
    )  # fmt: skip
    found, _ = judged(given, question, {place.id: place})
    assert (found.error == MISCOUNTED) is doubted
    assert found.status == ("unsure" if doubted else "answered")


@pytest.mark.parametrize(("proven", "status"), [(3, "answered"), (2, "answered"), (1, "unsure")])
def test_a_list_of_which_most_is_not_proven_is_no_answer(proven: int, status: str) -> None:
    names = ("Ostmill", "Vikmill", "Sudmill")
    towns = ["Brod" if number < proven else "Kollau" for number in range(3)]
    rows = [f"Mill: {name} | Town: {town}" for name, town in zip(names, towns, strict=True)]
    place = chunk(1, "\n".join(rows), "Windmill")
    at = [place.start + place.text.index(row) for row in rows]
    cited = tuple(
        Citation(
            number=number, chunk_id=place.id, revision=place.revision, start=start,
            end=start + len(row), quote=row,
        )
        for number, (row, start) in enumerate(zip(rows, at, strict=True), start=1)
    )  # fmt: skip
    given = SubAnswer(
        sub_question_id="1", status="answered", text=f"{', '.join(names)} [1][2][3]", items=names,
        citations=cited,
    )  # fmt: skip
    found, _ = judged(given, "Which mills are in Brod?", {place.id: place})
    assert found.items == names[:proven]
    assert (found.status, found.error == MOSTLY_UNPROVEN) == (status, status == "unsure")
