"""One label of an English infobox in words: read as a value, asked for, stated as a sentence.

`evals.builders.infobox.labels` is the table of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from corpus.text import MONTHS
from evals.builders.infobox.facts import BoxFact, Entity

Sort = Literal["thing", "place", "date", "quantity", "person"]
MONTH = rf"(?:{'|'.join(MONTHS)})"
FULL_DATE = re.compile(rf"\d{{1,2}} {MONTH} \d{{3,4}}|{MONTH} \d{{1,2}}, \d{{3,4}}")
MONTH_AND_YEAR = re.compile(rf"{MONTH} \d{{3,4}}")
YEAR = re.compile(r"1\d{3}|20\d{2}")
QUANTITY = re.compile(r"\d[\d,]*(?:\.\d+)?(?: [a-zA-Z°²³/]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """What one label says of its article."""

    label: str
    sort: Sort
    """What the value is."""
    ask: str
    """Question for the value; `{s}` is the article's name."""
    noun: str = ""
    """What the value is called from the article; empty where it only ends a chain."""
    state: str
    """The fact as a sentence; `{o}` is the value, `{on}` is "on" or "in" before a date."""
    unit: str = ""
    """Added to a number that stands without one."""
    two: str = ""
    """Question which of `{a}` and `{b}` has the smaller date or the larger quantity."""
    many: str = ""
    """The same of a `{list}`."""
    of_places: bool = False
    """Boxes of people and works have the label as well, and mean something else by it."""

    def value_of(self, entity: Entity) -> str:
        """Return the value as it stands in a sentence; "" where there is none that is plain."""
        fact = self._fact_of(entity)
        return "" if fact is None else self.read(fact)

    def _fact_of(self, entity: Entity) -> BoxFact | None:
        if self.of_places and not _OF_PEOPLE_AND_WORKS.isdisjoint(entity.facts):
            return None
        return entity.facts.get(self.label)

    def read(self, fact: BoxFact) -> str:
        """Return what a fact states if it is one thing, of this relation's sort; else ""."""
        if self.sort in ("date", "quantity"):
            return self.read_text(fact.value)
        first = fact.parts[0].text.rstrip(" ,;")
        if self.sort != "place" and len(fact.parts) > 1:
            return ""
        # A lower-case beginning is a description ("near Calgary"), not a name.
        named = first[:1].isupper() and " by " not in first and " and " not in first
        return first if named and len(first) <= 60 else ""

    def read_text(self, text: str) -> str:
        """Return a date or quantity as it stands in a sentence; "" where the text is none."""
        if self.sort == "date":
            whole = any(p.fullmatch(text) for p in (FULL_DATE, MONTH_AND_YEAR, YEAR))
            return text if whole else ""
        if self.sort != "quantity" or not QUANTITY.fullmatch(text):
            return ""
        text = re.sub(r"^\d{5,}", lambda digits: f"{int(digits[0]):,}", text)
        bare = self.unit and re.fullmatch(r"[\d,.]+", text)
        return f"{text} {self.unit}" if bare else text

    def target_of(self, entity: Entity) -> str:
        """Return the title of the article that the value leads to, or ""."""
        fact = self._fact_of(entity)
        if fact is None or self.sort in ("date", "quantity") or not self.read(fact):
            return ""
        return fact.parts[0].target

    def sentence(self, entity: Entity, value: str, pronoun: str = "") -> str:
        """Return the fact as a sentence, its subject by name or as "he", "she" or "it"."""
        on = "on" if FULL_DATE.fullmatch(value) else "in"
        form = with_pronoun(self.state, pronoun) if pronoun else self.state
        told = self._with_article(entity, value)
        text = form.format(s=entity.shown, o=told, on=on).replace(" the the ", " the ")
        text = text.removesuffix(".") if text.endswith("..") else text
        return text[0].upper() + text[1:]

    def _with_article(self, entity: Entity, value: str) -> str:
        """Return a value as the article names it: with "the" where it does so."""
        named = re.findall(rf"(\bthe )?(?<!\w){re.escape(value)}(?!\w| [A-Z])", entity.prose)
        # "The Tirana region" does not make a town "the Tirana".
        said_so = 2 * sum(map(bool, named)) > len(named)
        # "the Villeblevin cemetery" does not make a village "the Villeblevin".
        the = _NEEDS_THE.search(value) or (said_so and self.sort == "thing")
        return f"the {value}" if the else value

    def stated_in(self, sentence: str) -> str:
        """Return the value that a sentence of this relation states, whatever its subject, or ""."""
        forms = [self.state, *(with_pronoun(self.state, said) for said in _POSSESSIVE)]
        for form in forms:
            pattern = re.escape(form).replace(r"\{on\}", "(?:on|in)").replace(r"\{s\}", ".+?")
            found = re.fullmatch(pattern.replace(r"\{o\}", "(.+?)"), sentence, re.IGNORECASE)
            if found is not None:
                return found[1]
        return ""


_OF_PEOPLE_AND_WORKS = frozenset(
    ["Birth date", "Birth place", "Director", "Author", "Composer", "Publisher", "Released"]
)
_POSSESSIVE = {"he": "His", "she": "Her", "it": "Its"}
_OBJECT = {"he": "him", "she": "her", "it": "it"}
_NEEDS_THE = re.compile(
    r"(?:Sea|Ocean|Channel|Gulf of .*|Bay of .*|(?:University|College|Institute) of .*|.* (?:States|Plateau|Mountains|River|Desert|Islands|Academy|Republic|Kingdom|Union|Hills|Highlands|Glacier)"
    r"|(?:Highlands|Andes|Alps) of .*|.* region(?: of .*)?|.*\b\w*[Tt]heat(?:er|re)\b.*|Opéra.*|.* Opera House"
    r"|Alps|Andes|Himalayas?|Pyrenees|Carpathians|Apennines|Rockies|Netherlands|Philippines|Maldives"
    r"|Bahamas|Vatican)$"
)


def with_pronoun(state: str, pronoun: str) -> str:
    """Return a sentence's form with a pronoun for its subject: "Its capital is {o}."."""
    if state.startswith("{s} "):
        return pronoun.capitalize() + state.removeprefix("{s}")
    possessive = re.sub(r"^The (\w[\w ]*?) of \{s\}", rf"{_POSSESSIVE[pronoun]} \1", state)
    return possessive.replace("{s}", _OBJECT[pronoun])
