"""Rows of a table that a question chooses by what stands in them, rather than by their own name.

"Who lit the flame at the 1992 Barcelona Olympics?" is answered by the row that holds 1992 and
Barcelona, in a table of the Olympics, under the head that says who lit it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from agent.citations.content.words import content_words, missing_words, stems_of
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.attributes import about_it
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.forms import value_fits
from agent.extractive.finder.labels import GIVEN_FROM, head_score, row_name
from agent.extractive.finder.parts import GENERIC
from agent.extractive.finder.rows import spans_years
from agent.extractive.language.stems import content_stems

_YEAR = re.compile(r"\b[12]\d{3}\b")
_KEYS_ENOUGH = 2
"""Cells that choose a row though none of them names it."""
_LONGEST_KEY = 60
"""Characters of a cell that can be what chooses its row."""


def keyed_row(
    asked: Asked, facts: Sequence[Fact], facts_at: Callable[[str], Sequence[Fact]]
) -> tuple[Fact, int] | None:
    """Return the one row that a question chooses by its cells, and the cell that answers.

    Args:
        asked: a question for one value, or for the several that one cell lists.
        facts: of the hits.
        facts_at: returns all facts of a title's article: a year may choose other rows of its
            table, too, which were not found.
    """
    if spans_years(asked.text):
        return None  # "since 1988" is about more rows than that of 1988
    best: tuple[float, Fact, int] | None = None
    for fact in facts:
        if fact.kind != "row" or not _is_chosen(asked, fact):
            continue
        score, column = _answering(asked, fact)
        if score < GIVEN_FROM or (best is not None and score <= best[0]):
            continue
        others = [one for one in (*facts, *facts_at(fact.title)) if _same_table(one, fact)]
        if not any(one.text != fact.text and _is_chosen(asked, one) for one in others):
            best = score, fact, column
    return best[1:] if best is not None else None


def _same_table(one: Fact, other: Fact) -> bool:
    heads = [head for head, _ in one.cells]
    return (
        one.kind == "row"
        and one.title == other.title
        and heads == [head for head, _ in other.cells]
    )


def keys_in(asked: Asked, fact: Fact) -> list[int]:
    """Return the cells of a row whose values the question says: a year, a name."""
    said = f" {asked.text.casefold()} "
    found = []
    for column, (_, value) in enumerate(fact.cells):
        low = value.casefold().strip(" .")
        if not low or len(low) > _LONGEST_KEY:
            continue
        years = _YEAR.findall(low)
        named = re.search(r"[^\W\d_]{2}", low) and re.search(
            rf"(?<!\w){re.escape(re.sub(r',.*', '', low))}(?!\w)", said
        )
        if named or (
            len(years) == 1
            and years[0] in _YEAR.findall(said)
            and len(low) <= len("31 September 1999")
        ):
            found.append(column)
    return found


def _is_said(asked: Asked, fact: Fact, key: int) -> bool:
    """Whether a question says the head of a cell that it says the value of."""
    head = {*content_stems(fact.cells[key][0])} - GENERIC
    return bool(head) and head <= asked.stems


def _is_chosen(asked: Asked, fact: Fact) -> bool:
    """Whether a row's cells and what its table is about hold all that a question names."""
    keys = keys_in(asked, fact)
    # A name in another cell than those that name the row tells of another thing than the row does,
    # unless it is said what it is to it: "the Games with Cobi as the mascot".
    names_row = 0 in keys or any(fact.cells[key][1].casefold() == row_name(fact) for key in keys)
    if not (names_row or len(keys) >= _KEYS_ENOUGH or any(_is_said(asked, fact, k) for k in keys)):
        return False
    years = set(_YEAR.findall(asked.text))
    if years and not years <= set(_YEAR.findall(fact.text)):
        return False
    about = stems_of(f"{fact.title} {fact.hit.chunk.section} {fact.caption}")
    row = stems_of(fact.text)
    if any(missing_words(content_words(name), about | row) for name in asked.names):
        return False
    # The table must be about what the question says, not only hold its key.
    return not about.isdisjoint(content_stems(asked.text))


def _answering(asked: Asked, fact: Fact) -> tuple[float, int]:
    """The score and the place of the cell whose head says what is asked, and whose value fits."""
    keys = keys_in(asked, fact)
    said = [part for key in keys for part in _said_of(fact.cells[key][1])]
    # "Who won it in 2014?" and "Who won the prize in it?" both ask who won.
    ways = [
        replace(asked, about=_without(said, asked.about)),
        replace(asked, about=_without(said[:-1], about_it(asked.text, said[-1:]))),
    ]
    scored = [
        (max(head_score(way, fact, column) for way in ways), -column)
        for column, (_, value) in enumerate(fact.cells)
        if column not in keys and value and value_fits(asked, value)
    ]
    score, place = max(scored, default=(0.0, 0))
    return score, -place


def _said_of(key: str) -> list[str]:
    """What a question says of a cell that chooses its row: its year, or its name."""
    return _YEAR.findall(key) or [re.sub(r",.*", "", key).strip(" .")]


def _without(said: Sequence[str], text: str) -> str:
    """A step without words that only choose a row, and the small words before them."""
    for one in said:
        text = re.sub(
            r"\s*\b(?:(?:in|at|of|on|during|from|for|by)\s+)?(?:the\s+)?(?:year\s+)?"
            rf"(?<!\w){re.escape(one)}(?!\w)",
            "",
            text,
            flags=re.IGNORECASE,
        )
    return text
