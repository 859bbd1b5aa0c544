"""What was found of each thing of an answer, every value with the marks of what it is cited for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from agent.extractive.finder.facts import row_cells
from agent.extractive.finder.forms import YEAR
from agent.extractive.language.names import holds_name, without_bracket
from agent.extractive.language.stems import content_stems
from agent.types import SubAnswer
from retrieval.types import Hit

LONGEST_NAME = 4
"""Most words of a title that is shown in place of a name."""


@dataclass(slots=True)
class Cell:
    """What was found for one member by one step."""

    value: str
    marks: tuple[int, ...]
    sure: bool = True
    """Whether its citation proves it."""


@dataclass(slots=True)
class MemberLine:
    """One member of a set with everything found for it."""

    name: str
    marks: tuple[int, ...] = ()
    when: str = ""
    """The year of its row, where it stands for a row that has one: the Games of a city."""
    title: str = ""
    """Of its article, where the question calls it by another name."""
    cells: dict[str, list[Cell]] = field(default_factory=dict)
    """By the step as it was planned ("2"), whatever it was filled to ("2.3")."""

    @property
    def shown_name(self) -> str:
        """The name, with its article's title or the year that tells which of its like is meant."""
        told = self.title or self.when
        return f"{self.name} ({told})" if told else self.name

    def text_of(self, step_id: str) -> str:
        """Return the values of one step, joined."""
        return ", ".join(self.values_of(step_id))

    def values_of(self, step_id: str) -> list[str]:
        """Return the values of one step, each once."""
        return list(dict.fromkeys(cell.value for cell in self.cells.get(step_id, ())))

    def is_sure(self, step_id: str) -> bool:
        """Whether the values of one step were found and are proven by what they cite."""
        cells = self.cells.get(step_id, ())
        return bool(cells) and all(cell.sure for cell in cells)

    def shown(self, step_id: str) -> str:
        """Return the values of one step, each with its marks."""
        values = {
            cell.value: f"{cell.value}{shown_marks(cell.marks)}" for cell in self.cells[step_id]
        }
        return ", ".join(values.values())


class Marks:
    """Turns citations into marks `[n]` that count the hits, and remembers the quotes."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._number = {hit.chunk.id: number for number, hit in enumerate(hits, start=1)}
        self._title = {hit.chunk.id: hit.chunk.revision.title for hit in hits}
        self.quotes: list[tuple[int, str]] = []

    def of(self, answer: SubAnswer, value: str = "") -> tuple[int, ...]:
        """Return the marks of an answer's citations whose chunks are among the hits.

        With a value, those whose quotes hold it, where there are any.
        """
        marks = []
        holding = [
            one for one in answer.citations if value and holds_name(one.quote.casefold(), value)
        ]
        for citation in holding or answer.citations:
            number = self._number.get(citation.chunk_id)
            if number is not None:
                marks.append(number)
                self.quotes.append((number, citation.quote))
        return tuple(dict.fromkeys(marks))

    def named_by(self, answer: SubAnswer) -> set[str]:
        """Return what an answer's citations may name in full: their titles, and the cells of their rows."""
        cited = {self._title.get(one.chunk_id, "") for one in answer.citations}
        cells = {value for one in answer.citations for _, value in row_cells(one.quote)}
        return {without_bracket(name) for name in cited | cells}


def full_name(name: str, named: Collection[str]) -> str:
    """Return the one longer form of a thing's name among what was cited for it, else the name.

    What was typed "lindahl" is shown as "Tomas Lindahl".
    """
    longer = [
        one
        for one in named
        if holds_name(one.casefold(), name) and len(one.split()) <= LONGEST_NAME
    ]
    return longer[0] if len(longer) == 1 else name


def other_title(name: str, named: Collection[str], title_of: Callable[[str], str | None]) -> str:
    """Return the title that a name leads to, "" where it says that name or was not cited.

    "Bodensee" is shown with "Lake Constance".
    """
    title = without_bracket(title_of(name) or "")
    return title if title in named and not holds_name(title.casefold(), name) else ""


def with_article(name: str, title_of: Callable[[str], str | None]) -> str:
    """Return a name with the article that its title begins with: "The Hague"."""
    whole = f"The {name}"
    return whole if title_of(name) is None and title_of(whole) == whole else name


def year_of_row(question: str, answer: SubAnswer, name: str) -> str:
    """Return the year of the one row that names a member, where the question asks for rows by it.

    Asked for "the Games from 2000 to 2012", a city stands for the Games that were there; asked for
    host cities, it stands for itself.
    """
    rows = [
        cells
        for one in answer.citations
        if holds_name(one.quote.casefold(), name) and len(cells := row_cells(one.quote)) > 1
    ]
    if len(rows) != 1 or not YEAR.fullmatch(rows[0][0][1]):
        return ""
    heads = " ".join(head for head, value in rows[0] if holds_name(value.casefold(), name))
    itself = set(content_stems(heads)) & set(content_stems(question))
    return "" if itself and not YEAR.search(question) else rows[0][0][1]


def shown_marks(marks: Sequence[int]) -> str:
    """Return marks as text, with the space before them."""
    return "".join(f" [{number}]" for number in dict.fromkeys(marks))
