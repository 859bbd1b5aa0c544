"""What the labels of English infoboxes mean, in words: a question, a phrase and a sentence each.

Labels are those that Wikipedia's commonest infoboxes show. One that is not listed here is not
used: a phrase made from an unknown label would often be no English.
"""

from __future__ import annotations

from evals.builders.infobox.relations import Relation, Sort


def _thing(
    label: str, ask: str, noun: str, state: str, sort: Sort = "thing", *, of_places: bool = False
) -> Relation:
    return Relation(label=label, sort=sort, ask=ask, noun=noun, state=state, of_places=of_places)


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
        of_places=True,
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
        "The river flowing through {s} is the {o}.",
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
        "The source of {s} is {o}.",
        "place",
    ),
    _thing(
        "Outflow", "What is the outflow of {s}?", "the outflow of {s}", "The outflow of {s} is {o}."
    ),
    _thing("Currency", "What is the currency of {s}?", "", "The currency of {s} is the {o}."),
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
