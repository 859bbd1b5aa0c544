"""What the labels of English infoboxes mean, in words: a question, a phrase and a sentence each.

Labels are those that Wikipedia's commonest infoboxes show. One that is not listed here is not
used: a phrase made from an unknown label would often be no English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from evals.synthesis.facts import BoxFact, Entity

Sort = Literal["thing", "place", "date", "quantity", "person"]
MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
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

    def value_of(self, entity: Entity) -> str:
        """Return the value as it stands in a sentence; "" where there is none that is plain."""
        fact = entity.facts.get(self.label)
        return "" if fact is None else self.read(fact)

    def read(self, fact: BoxFact) -> str:
        """Return what a fact states if it is one thing, of this relation's sort; else ""."""
        if self.sort in ("date", "quantity"):
            return self.read_text(fact.value)
        first = fact.parts[0].text
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
        bare = self.unit and re.fullmatch(r"[\d,.]+", text)
        return f"{text} {self.unit}" if bare else text

    def target_of(self, entity: Entity) -> str:
        """Return the title of the article that the value leads to, or ""."""
        fact = entity.facts.get(self.label)
        if fact is None or self.sort in ("date", "quantity") or not self.read(fact):
            return ""
        return fact.parts[0].target

    def sentence(self, entity: Entity, value: str, pronoun: str = "") -> str:
        """Return the fact as a sentence, its subject by name or as "he", "she" or "it"."""
        on = "on" if FULL_DATE.fullmatch(value) else "in"
        form = with_pronoun(self.state, pronoun) if pronoun else self.state
        text = form.format(s=entity.shown, o=_with_article(entity, value), on=on)
        text = text.removesuffix(".") if text.endswith("..") else text
        return text[0].upper() + text[1:]

    def stated_in(self, sentence: str) -> str:
        """Return the value that a sentence of this relation states, whatever its subject, or ""."""
        forms = [self.state, *(with_pronoun(self.state, said) for said in _POSSESSIVE)]
        for form in forms:
            pattern = re.escape(form).replace(r"\{on\}", "(?:on|in)").replace(r"\{s\}", ".+?")
            found = re.fullmatch(pattern.replace(r"\{o\}", "(.+?)"), sentence, re.IGNORECASE)
            if found is not None:
                return found[1]
        return ""


_POSSESSIVE = {"he": "His", "she": "Her", "it": "Its"}
_OBJECT = {"he": "him", "she": "her", "it": "it"}
_NEEDS_THE = re.compile(
    r"(?:Sea|Ocean|Channel|Gulf of .*|Bay of .*|(?:University|College|Institute) of .*|.* States)$"
)


def with_pronoun(state: str, pronoun: str) -> str:
    """Return a sentence's form with a pronoun for its subject: "Its capital is {o}."."""
    if state.startswith("{s} "):
        return pronoun.capitalize() + state.removeprefix("{s}")
    possessive = re.sub(r"^The (\w[\w ]*?) of \{s\}", rf"{_POSSESSIVE[pronoun]} \1", state)
    return possessive.replace("{s}", _OBJECT[pronoun])


def _with_article(entity: Entity, value: str) -> str:
    """Return a value as the article names it: with "the" where it does so."""
    said_so = re.search(rf"\bthe {re.escape(value)}(?!\w| [A-Z])", entity.prose) is not None
    return f"the {value}" if said_so or _NEEDS_THE.search(value) else value


def _thing(label: str, ask: str, noun: str, state: str, sort: Sort = "thing") -> Relation:
    return Relation(label=label, sort=sort, ask=ask, noun=noun, state=state)


def _maker(label: str, verb: str, noun: str) -> Relation:
    """A person or body that made the article's subject."""
    return Relation(
        label=label,
        sort="person",
        ask=f"Who {verb} {{s}}?",
        noun=f"{noun} of {{s}}",
        state=f"The {noun.removeprefix('the ')} of {{s}} was {{o}}.",
    )


def _date(label: str, verb: str, who: str) -> Relation:
    """A date; `verb` such as "was born", `who` asks for the subject."""
    ask = "When did {s} die?" if verb == "died" else f"When was {{s}} {verb.removeprefix('was ')}?"
    return Relation(
        label=label,
        sort="date",
        ask=ask,
        state=f"{{s}} {verb} {{on}} {{o}}.",
        two=f"{who} {verb} earlier, {{a}} or {{b}}?",
        many=f"{who} {verb} earliest: {{list}}?",
    )


def _quantity(
    label: str, what: str, more: str, most: str, unit: str = "", state: str = ""
) -> Relation:
    """A number with a unit; `what` such as "the length"."""
    return Relation(
        label=label,
        sort="quantity",
        ask=f"What is {what} of {{s}}?",
        state=state or f"{what[0].upper()}{what[1:]} of {{s}} is {{o}}.",
        unit=unit,
        two=f"Which {more}, {{a}} or {{b}}?",
        many=f"Which {most}: {{list}}?",
    )


_ALL = (
    # People
    _thing(
        "Birth place",
        "Where was {s} born?",
        "the birthplace of {s}",
        "{s} was born in {o}.",
        "place",
    ),
    _thing(
        "Death place",
        "Where did {s} die?",
        "the place of death of {s}",
        "{s} died in {o}.",
        "place",
    ),
    _date("Birth date", "was born", "Who"),
    _date("Death date", "died", "Who"),
    _thing(
        "Alma mater",
        "At which university or college did {s} study?",
        "the alma mater of {s}",
        "{s} studied at {o}.",
    ),
    _thing(
        "Workplaces",
        "At which institution did {s} work?",
        "the workplace of {s}",
        "{s} worked at {o}.",
    ),
    _thing(
        "Spouse",
        "To whom was {s} married?",
        "the spouse of {s}",
        "{s} was married to {o}.",
        "person",
    ),
    # Works
    _maker("Composer", "composed", "the composer"),
    _maker("Librettist", "wrote the libretto of", "the librettist"),
    _maker("Author", "wrote", "the author"),
    _maker("Director", "directed", "the director"),
    _maker("Designer", "designed", "the designer"),
    _maker("Architect", "designed", "the architect"),
    _maker("Developer", "developed", "the developer"),
    _maker("Publisher", "published", "the publisher"),
    _date("Premiere date", "was first performed", "Which"),
    _thing(
        "Premiere location",
        "In which theatre was {s} first performed?",
        "the theatre of the first performance of {s}",
        "The first performance of {s} was given at {o}.",
        "place",
    ),
    _date("Released", "was released", "Which"),
    _date("Publication date", "was published", "Which"),
    # Bodies in space
    _maker("Discoverer", "discovered", "the discoverer"),
    _date("Discovered", "was discovered", "Which"),
    _thing(
        "Satellite of",
        "Which planet does {s} orbit?",
        "the planet orbited by {s}",
        "{s} orbits {o}.",
    ),
    _thing(
        "Largest satellite",
        "What is the largest satellite of {s}?",
        "the largest satellite of {s}",
        "The largest satellite of {s} is {o}.",
    ),
    _quantity(
        "Mean diameter",
        "the mean diameter",
        "has the larger mean diameter",
        "has the largest mean diameter",
    ),
    # Universities, companies
    _maker("Founder", "founded", "the founder"),
    _date("Established", "was established", "Which"),
    _date("Founded", "was founded", "Which"),
    _thing(
        "City",
        "In which town or city is {s}?",
        "the town or city that is home to {s}",
        "{s} lies in {o}.",
    ),
    _thing(
        "Headquarters",
        "Where are the headquarters of {s}?",
        "the seat of {s}",
        "The headquarters of {s} are in {o}.",
        "place",
    ),
    # Places
    _thing(
        "State",
        "In which state is {s}?",
        "the home state of {s}",
        "{s} is in the state of {o}.",
    ),
    _thing(
        "Country",
        "In which country is {s}?",
        "the country of {s}",
        "The country of {s} is {o}.",
    ),
    _thing(
        "Capital", "What is the capital of {s}?", "the capital of {s}", "The capital of {s} is {o}."
    ),
    _thing(
        "Highest point",
        "What is the highest point of {s}?",
        "the highest point of {s}",
        "The highest point of {s} is {o}.",
    ),
    _thing(
        "River",
        "Which river flows through {s}?",
        "the river flowing through {s}",
        "The river flowing through {s} is {o}.",
    ),
    _thing(
        "Host city",
        "Which city hosted {s}?",
        "the host city of {s}",
        "The host city of {s} was {o}.",
        "place",
    ),
    _thing(
        "Range",
        "To which range does {s} belong?",
        "the mountain range of {s}",
        "{s} is a part of {o}.",
    ),
    _thing(
        "Mouth", "Into what does {s} flow?", "the water at the mouth of {s}", "{s} flows into {o}."
    ),
    _thing(
        "Source1 location",
        "Where is the source of {s}?",
        "the place of the source of {s}",
        "The source of {s} is at {o}.",
        "place",
    ),
    _thing(
        "Outflow", "What is the outflow of {s}?", "the outflow of {s}", "The outflow of {s} is {o}."
    ),
    _thing("Currency", "What is the currency of {s}?", "", "The currency of {s} is {o}."),
    _quantity(
        "Population total",
        "the population",
        "has the larger population",
        "has the largest population",
        "inhabitants",
    ),
    _quantity("Area km2", "the area", "has the larger area", "has the largest area", "km²"),
    _quantity("Area", "the area", "has the larger area", "has the largest area"),
    _quantity("Elevation m", "the elevation", "is higher", "is the highest", "m"),
    _quantity("Length", "the length", "is longer", "is the longest"),
    _quantity("Max-depth", "the greatest depth", "is deeper", "is the deepest"),
    # Flights
    _date("Launch date", "was launched", "Which"),
    _thing(
        "Landing site", "What is the landing site of {s}?", "", "The landing site of {s} is {o}."
    ),
    _quantity(
        "Sample mass",
        "the sample mass",
        "has the larger sample mass",
        "has the largest sample mass",
    ),
)
RELATIONS = {relation.label: relation for relation in _ALL}
"""By label."""
