"""What a quote brings to a claim: its own words, and those around it that count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.citations.content.dates import Date, find_dates
from agent.citations.content.figures import (
    Figure,
    figures_and_years,
    find_figures,
    labelled_figures,
)
from agent.citations.content.names import (
    INSTITUTIONS,
    Aliases,
    Name,
    Spoken,
    find_names,
    same_by_stem,
    same_name,
    spoken,
)
from agent.citations.content.other_names import other_names
from agent.citations.content.rounding import figure_held
from agent.citations.content.words import stems_of
from agent.citations.quotes import Place, cells_of, is_translation, label_in_words, place_of
from corpus.text import word_set
from corpus.types import Chunk

_OF_INSTITUTIONS = re.compile(
    r"alma mater|education|training|work\s?places?|work institutions?|employers?", re.IGNORECASE
)
"""Labels under which schools and employers stand: there "Elm" is Elm College."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One quote in its chunk."""

    quote: str
    chunk: Chunk
    place: Place
    question: str = ""
    aliases: Aliases | None = None
    also: tuple[str, ...] = ()
    """Quotes that the same words are cited for."""
    opening: str = ""
    """How the article begins, where that was retrieved: it says what its tables and lists hold."""

    @classmethod
    def of(
        cls, quote: str, chunk: Chunk, question: str | None, aliases: Aliases | None,
        also: Sequence[str] = (),
        opening: str = "",
    ) -> Evidence | None:  # fmt: skip
        """Return the evidence, None where the chunk does not hold the quote."""
        place = place_of(quote, chunk)
        if place is None:
            return None
        return cls(
            quote=quote, chunk=chunk, place=place, question=question or "", aliases=aliases,
            also=tuple(also),
            opening=opening,
        )  # fmt: skip

    @property
    def title(self) -> str:
        """Title of the article."""
        return self.chunk.revision.title

    @property
    def texts(self) -> tuple[str, ...]:
        """The quotes."""
        return (self.quote, *self.also)

    @property
    def frame(self) -> tuple[str, ...]:
        """What tells of whom the quote speaks: title, section, row's head."""
        sections = tuple(part for part in self.chunk.section.split(" > ") if part)
        heading = (self.place.heading,) if self.place.heading else ()
        return (self.title, *sections, *heading, *self.place.row_heads)

    @property
    def values(self) -> str:
        """The quote without the heads of a table's columns and the label of a box's line."""
        cells = cells_of(" ".join(self.quote.split()))
        return " | ".join(value for _, value in cells) if cells else self.quote

    @property
    def figures(self) -> list[Figure]:
        """Numbers of the quotes, with the units that heads name."""
        found: list[Figure] = []
        for text in self.texts:
            cells = cells_of(" ".join(text.split()))
            found += labelled_figures(cells) if cells else figures_and_years(text)
        return found

    @property
    def dates(self) -> list[Date]:
        """Dates of the quotes."""
        return [date for text in self.texts for date in find_dates(text)]

    @property
    def framing_dates(self) -> list[Date]:
        """Dates of title, section, row's head, caption and question."""
        around = (*self.frame, self.place.caption, self.question, *self._dated_beside())
        return [date for text in around for date in find_dates(text)]

    def _dated_beside(self) -> list[str]:
        """What a box says beside the quoted line of its time: "Population as of: 2020 census"."""
        matter = self.place.label.split(" ", 1)[0]
        if not matter:
            return []
        dating = rf"^{re.escape(matter)} (?:[^:\n]+ )?(?:as of|date|year|census): (.+)$"
        return re.findall(dating, self.chunk.text, re.MULTILINE | re.IGNORECASE)

    @property
    def stems(self) -> frozenset[str]:
        """Stems of the quotes, the title, the section, the caption of a table, what dates a box's line."""
        label = label_in_words(self.place.label)
        meant = "meaning translation" if is_translation(label) else ""
        around = (label, meant, *self.frame, self.place.caption, *self._dated_beside())
        return frozenset().union(*(stems_of(text) for text in (*self.texts, *around)))

    def holds_figure(self, figure: Figure) -> str:
        """Say "yes", "unsure" or "no": whether a number stands in the quotes or their frame."""
        held = figure_held(figure, self.figures, self.dates)
        if held == "yes":
            return held
        around = [one for text in (*self.frame, self.question) for one in find_figures(text)]
        framed = figure_held(figure, around, self.framing_dates)
        return "yes" if framed == "yes" else held if held != "no" else framed

    def forms(self, name: str) -> tuple[str, ...]:
        """Return a name and its other names."""
        known = self.aliases(name) if self.aliases is not None else ()
        prize = name if _PRIZE.fullmatch(self.title.removeprefix(name)) else ""
        at = INSTITUTIONS if _OF_INSTITUTIONS.fullmatch(self.place.label) else ()
        schools = (f"{name} {kind}" for kind in at)
        return (name, *known, *other_names(name), *schools, *([self.title] if prize else []))

    def names(self, name: str, texts: Sequence[str]) -> Spoken:
        """Say how texts speak of a name or of one of its aliases."""
        best: Spoken = "no"
        order = ("no", "part", "surname", "whole")
        for form in self.forms(name):
            for text in texts:
                kind = spoken(form, text)
                if order.index(kind) > order.index(best):
                    best = kind
        return best

    def is_title(self, name: str) -> bool:
        """Say whether a name is the article's title, by a redirect another name of it, or its place and kind.

        The article "1992 Summer Olympics" is about the Barcelona Olympics.
        """
        place, _, event = name.rpartition(" ")
        return (
            same_by_stem(name, self.title)
            or any(same_name(form, self.title) for form in self.forms(name))
            or (bool(place) and is_event(self.title, event) and self.was_held_in(place))
        )

    def only_lies_in(self, name: str) -> bool:
        """Say whether nothing but the title has a name, and only as the place that its thing lies in.

        What "Hanover, New Hampshire" has is not New Hampshire's. An article that calls its thing by
        the whole title is of what is named so: "University of California, Berkeley".
        """
        thing, _, place = self.title.partition(", ")
        if not same_name(name, place) or self.title in self.opening:
            return False
        return self.names(name, (self.values, thing, *self.frame[1:])) != "whole"

    def introduces(self, name: str) -> bool:
        """Say whether the quote calls by its last word what its chunk calls by its whole name.

        Not where the chunk has others of the same last word: of two Herschels, or two universities,
        the word alone tells none.
        """
        last = name.split()[-1]
        if last == name or spoken(last, self.values) not in ("whole", "surname"):
            return False
        alike = {one.text for one in find_names(self.chunk.text) if one.text.endswith(f" {last}")}
        return spoken(name, self.chunk.text) == "whole" and all(
            one.endswith(name) or name.endswith(one) for one in alike
        )

    def was_held_in(self, name: str) -> bool:
        """Say whether the article is of an event of a year, and its box has it where a name says."""
        held = venues_of(self.title, self.chunk.text)
        return any(spoken(form, place) == "whole" for place in held for form in self.forms(name))

    def own_subject(self) -> Name | None:
        """Return the name that a quoted sentence begins with, None where it begins otherwise."""
        if self.place.structured:
            return None
        sentence = without_fronted(self.place.sentence)
        names = find_names(sentence)
        if not names or names[0].start > len("The "):
            return None
        return names[0]


_OF_A_YEAR = re.compile(r"\b[12]\d{3}\b")
_HELD_IN = re.compile(
    r"^(?:Host(?: city| country)?|Venue|Location|Place|City|Country|Site|Stadium): (.+)$",
    re.MULTILINE,
)


def is_event(title: str, called: str) -> bool:
    """Say whether an event is called by a noun: the 1992 Summer Olympics are games, too."""
    noun = title.split()[-1]
    return called == noun or (called == "Games" and noun == "Olympics")


def venues_of(title: str, text: str) -> tuple[str, ...]:
    """Return where the box of an event of a year has it: "Barcelona, Spain", of "1992 Summer Olympics"."""
    return tuple(match[1] for match in _HELD_IN.finditer(text)) if _OF_A_YEAR.search(title) else ()


_PRIZE = re.compile(r" (?:Prize|Award|Medal|Trophy|Cup)(?: (?:in|for) .+)?")
"""What is left out of the name of a prize: "his Turing"."""


def without_fronted(sentence: str) -> str:
    """Return a sentence without a phrase of place or time before its subject."""
    first = sentence.split(" ", 1)[0].casefold()
    head, comma, rest = sentence.partition(", ")
    if comma and first in _FRONTING and len(head) <= 80 and rest:
        return rest
    return sentence


_FRONTING = word_set(
    """in on at by from to of with after before during since until for as under over between among
    within when while although though following despite through throughout near along across around
    about according"""
)
