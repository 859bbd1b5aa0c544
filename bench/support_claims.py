"""The ways in which `support_pairs` says a passage in other words: the claim stays true to it.

Each maker takes a page (and, where it needs them, the other pages) and yields (claim, quote, chunk).
`held` chooses the templates: those of the held-out set are others than those of the dev set wherever
there is a choice, so that nothing can be fitted to a wording.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from support_sentences import FINITE, MONTH, NAME, Fact, Page, Sentence, is_clause

from corpus.types import Chunk

Made = tuple[str, str, Chunk]
Maker = Callable[[Page, list[Page], Random, bool], Iterator[Made]]

HEDGED = re.compile(r"\b(?:not|no|never|nor|only|without|hardly|rarely|few|unless|until|if)\b|n't")
YEAR = re.compile(
    r"(?<![\d–,.-])(?:1[0-9]\d\d|20[0-2]\d)(?![\ds–,.-]|, \d)(?=[ ,.)]|$)|(?<![\d–,.-])(?:1[0-9]\d\d|20[0-2]\d)(?=\.$|, [a-z])"
)
_ABOUT = re.compile(
    r"(?:about|approximately|around|nearly|almost|over|under|than|roughly|some|exactly|only|least|most|to|and|between|from|the|an?|[$€£])\s?$",
    re.IGNORECASE,
)
_TANGLED = re.compile(
    r"\b(?:and|or|but|that|which|who|where|when|while|than|as|because|after|before|had|near|since|until"
    r"|only|with|compared|due|\w+ing)\b|\b(?:in|of|to|for)$|^(?:In|On|At|By|After|From|With)\b"
)
_PLAIN_VERB = re.compile(
    r"\b(?:was|were|is|are) (?:\w+ly )?(?:\w+ed|born|built|won|held|made|found|given|sold|begun|written)\b"
    r"|\b(?:died|moved|lived|worked|opened|began|returned|became|joined|won|founded)\b"
)


def _lower(text: str) -> str:
    """Lower the first letter of a sentence that moves inside, unless it may be a name's."""
    return text[0].lower() + text[1:] if re.match(r"(?:The|An?|In|On) ", text) else text


def plain(page: Page) -> Iterator[Sentence]:
    """Yield the sentences that begin with a name or a noun."""
    return (sentence for sentence in page.sentences if not sentence.pronoun)


# True to the passage


def clause(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """The sentence cut to its main clause."""
    if held:
        patterns = (
            (r"^(.{30,}?),? (?:although|while|whereas|because|after|before|when) .+\.$", r"\1."),
            (
                rf"^({NAME}), (?:who|which|an?|the) [^,]{{5,90}}, ((?:was|is|were|are|had|has|became|began|made|won|wrote|took|held|led) .+)\.$",
                r"\1 \2.",
            ),
        )
    else:
        patterns = (
            (r"^([^,]{30,}), (?:which|who|where|whose|whom) .+\.$", r"\1."),
            (r"^(.{12,}) \([^()]{3,}\)([^(]{20,})$", r"\1\2"),
        )
    for sentence in plain(page):
        for pattern, made in patterns:
            claim = re.sub(pattern, made, sentence.text)
            if claim != sentence.text and is_clause(claim[:-1]) and not HEDGED.search(claim):
                yield claim, sentence.text, sentence.chunk
                break


def reordered(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A date or place moved to the front, or from the front to the end."""
    date = rf"(?:(?:{MONTH}) )?(?:\d{{1,2}},? )?\d{{4}}"
    for sentence in plain(page):
        if held:
            found = re.match(
                rf"^((?:In|On|By|During|At|From) (?:{date}|the [^,]{{4,30}}|{NAME}|{MONTH})), ([^,]+)\.$",
                sentence.text,
            )
            if found and not re.match(r"(?:s?he|its?|his|her|th(?:ey|is|ese|ere))\b", found[2]):
                body, phrase = found[2], found[1][0].lower() + found[1][1:]
                claim = f"{body[0].upper()}{body[1:]} {phrase}."
            else:
                continue
        else:
            found = re.match(rf"^([^,]+) (in {date}|in {NAME})\.$", sentence.text)
            if not found:
                continue
            body, first = found[1], found[1].split()[0]
            if first not in ("The", "A", "An") and f" {first.lower()} " in page.article.text:
                continue
            claim = f"{found[2][0].upper()}{found[2][1:]}, {_lower(body)}."
        # A phrase that hangs on a noun cannot move, and of two clauses one does not know which it
        # belongs to: only short sentences of one plain verb are taken.
        verb = FINITE if held else _PLAIN_VERB
        if len(body.split()) <= 14 and not _TANGLED.search(body) and verb.search(body):
            yield claim, sentence.text, sentence.chunk


def pronoun(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """The pronoun at the head resolved to the article's subject, where it can mean nothing else."""
    for sentence in page.sentences:
        word = sentence.pronoun
        person = page.sort == "person"
        if not (word and sentence.about) or person != (word in ("He", "She", "His", "Her")):
            continue
        if re.match(
            r"It (?:is|was|has been) .*\b(?:that|to)\b|It (?:seems|appears|takes|follows)",
            sentence.text,
        ):
            continue
        owned = word in ("His", "Her", "Its")
        if owned == held or (held and person):
            name = page.subject.split()[-1] if held and person and not owned else page.subject
            yield (
                (name + ("'s" if owned else "")) + sentence.text[len(word) :],
                sentence.text,
                sentence.chunk,
            )


def rounded(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A number rounded, or said in a larger unit."""
    for sentence in plain(page):
        text = sentence.text
        unit = re.search(
            r"(?<![\d,.–$-])(\d{1,2},\d{3}|[1-9]\d{3}) (m|metres|meters)\b(?: \([^()]*\))?", text
        )
        if held and unit and not _ABOUT.search(text[: unit.start()]):
            value = int(unit[1].replace(",", "")) / 1000
            yield (
                text[: unit.start()] + f"about {value:.1f} km" + text[unit.end() :],
                text,
                sentence.chunk,
            )
            continue
        found = re.search(r"(?<![\d,.–$€£-])\d{1,3}(?:,\d{3})+(?![\d,.]?\d|[–-])", text)
        if (
            not found
            or _ABOUT.search(text[: found.start()])
            or "(" in text[found.end() : found.end() + 20]
        ):
            continue
        value = int(found[0].replace(",", ""))
        digits = len(str(value)) - 2
        below = value // 10**digits * 10**digits
        near = round(value, -digits)
        if below == value:
            continue
        said = f"more than {_say(below)}" if held else f"about {_say(near)}"
        yield text[: found.start()] + said + text[found.end() :], text, sentence.chunk


def _say(value: int) -> str:
    return f"{value / 1e6:g} million" if value >= 1_000_000 else f"{value:,}"


_LABELS = {
    "Birth date": ("{x} was born on {v}.", "The birth date of {x} is {v}."),
    "Birth place": ("{x} was born in {v}.", "The birthplace of {x} is {v}."),
    "Death date": ("{x} died on {v}.", "The death of {x} was on {v}."),
    "Death place": ("{x} died in {v}.", "The place where {x} died is {v}."),
    "Capital": ("The capital of {x} is {v}.", "{v} is the capital of {x}."),
    "Alma mater": ("{x} studied at {v}.", "The alma mater of {x} is {v}."),
    "Author": ("{x} was written by {v}.", "{v} is the author of {x}."),
    "Director": ("{x} was directed by {v}.", "{v} directed {x}."),
}
_NOUNS = [
    "Population estimate",
    "Population census",
    "Population total",
    "Area",
    "Area km2",
    "Elevation m",
    "Currency",
    "Nationality",
    "Occupation",
    "Publisher",
    "Number of rooms",
    "Architect",
    "Owner",
    "Operator",
    "Revenue",
    "Founder",
    "Founders",
    "Opening date",
    "Release date",
    "Height",
    "Length",
    "Runtime",
    "Num episodes",
    "Num employees",
    "Headquarters",
    "Largest city",
    "National anthem",
    "Demonym",
    "Calling code",
    "Government type",
    "Official languages",
    "Predecessor",
    "Successor",
    "Spouse",
    "Creator",
    "Developer",
    "Producer",
    "Genre",
    "Location",
    "Symbol",
    "Atomic number",
    "Known for",
    "Resting place",
    "Religion",
    "Motto",
    "Country",
    "Language",
    "First aired",
    "Network",
    "Industry",
]


def say_fact(fact: Fact, held: bool, subject: str | None = None) -> str:
    """Say an infobox line as a sentence, about its own subject or another."""
    x, v = subject or fact.subject, re.sub(r" \((?:aged|age) [^()]*\)$", "", fact.value).rstrip(".")
    if fact.column in _LABELS:
        return _LABELS[fact.column][held].format(x=x, v=v)
    label = fact.column[0].lower() + fact.column[1:].replace("Num ", "number of ")
    label = re.sub(r"^num ", "number of ", label)
    label = re.sub(r" (km2|m)$", "", label)
    unit = {"Area km2": " km2", "Elevation m": " m"}.get(fact.column, "")
    if held:
        return (
            f"{v}{unit} is the {label} of {x}."
            if label.startswith("number")
            else f"{x} has {v}{unit} as its {label}."
        )
    many = fact.column in ("Official languages", "Founders")
    return f"The {label} of {x} {'are' if many else 'is'} {v}{unit}."


def facts(page: Page) -> Iterator[Fact]:
    """Yield the infobox lines that one knows how to say."""
    wanted = {*_LABELS, *_NOUNS}
    for fact in page.infobox:
        date = fact.column.endswith("date") and not re.search(r"\d{4}", fact.value)
        if (
            fact.column in wanted
            and not date
            and not re.search(r"[{}<>=]|\bunknown\b|^[a-z]", fact.value)
        ):
            yield fact


def infobox(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """An infobox line said as a sentence."""
    for fact in facts(page):
        yield say_fact(fact, held), fact.line, fact.chunk


def table_cell(page: Page, others: list[Page], random: Random, held: bool) -> Iterator[Made]:
    """A table's cell said with its row's head."""
    for fact in page.cells:
        column = fact.column[0].lower() + fact.column[1:]
        claim = (
            f"For {fact.subject}, the {column} is {fact.value}."
            if held
            else f"The {column} of {fact.subject} is {fact.value}."
        )
        yield claim, fact.line, fact.chunk


TRUE: dict[str, Maker] = {
    "clause": clause,
    "reordered": reordered,
    "pronoun": pronoun,
    "rounded": rounded,
    "infobox": infobox,
    "table cell": table_cell,
}
