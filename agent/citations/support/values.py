"""Whether a quote holds the value of an answer, and whether that is of the kind asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from agent.citations.content.dates import date_held, find_dates
from agent.citations.content.figures import NOTHING, NUMBER_WORDS, find_figures
from agent.citations.content.names import find_names, spoken, without_names
from agent.citations.content.other_names import other_names
from agent.citations.content.words import content_words, missing_ideographs, missing_words, stems_of
from agent.citations.quotes import IDEOGRAPH, cells_of
from agent.citations.support.clauses import (
    aside_of_another,
    by_another,
    in_place_of,
    narrower,
    not_the_doer,
    only_a_companion,
)
from agent.citations.support.faults import Faults, shown
from agent.citations.support.grounds import Evidence
from agent.citations.support.kinds import is_the_other, label_of_another
from agent.citations.support.moments import dates_another
from agent.citations.support.subjects import name_kind

HELD = ("whole", "surname")
"""How a name stands in a quote that speaks of it; see `name_kind`."""


def value_held(value: str, evidence: Evidence) -> bool:
    """Whether a quote holds a value: in its words, or by the names, figures and dates of it."""
    bare = " ".join(value.split()).strip(' .;,“”"')
    whole = " ".join(evidence.quote.split())
    if re.search(rf"(?<![^\W_]){re.escape(bare)}(?![^\W_])", whole, re.IGNORECASE):
        return True
    if IDEOGRAPH.search(bare):
        return bare in whole or missing_ideographs(bare, whole) <= 0.1
    names = find_names(bare)
    figures, dates = find_figures(bare), find_dates(bare)
    if evidence.is_title(bare):
        return True
    if not all(name_kind(name.text, evidence) in HELD for name in names if not name.initial):
        return False
    if any(evidence.holds_figure(figure) == "no" for figure in figures):
        return False
    if not all(date_held(date, evidence.dates, evidence.framing_dates) for date in dates):
        return False
    words = [word for word in content_words(bare) if word not in NUMBER_WORDS]
    # A first word may have its capital from standing there: it counts as a word, not as a name.
    names_words = {word for n in names if not n.initial for word in content_words(n.text)}
    units = {word for figure in figures for word in content_words(figure.text)}
    months = {word for date in dates for word in content_words(date.text)}
    left = [word for word in words if word not in names_words | units | months]
    return not missing_words(left, evidence.stems)


def names_article(word: str, evidence: Evidence) -> bool:
    """Whether a word is another name of the quote's article or of what the quote names, typed small."""
    others = other_names(word)
    texts = (evidence.quote, *evidence.frame, evidence.place.caption)
    return evidence.title in evidence.forms(word) or any(
        spoken(other, text) in HELD for other in others for text in texts
    )


def in_pieces(name: str, evidence: Evidence) -> bool:
    """Whether "University of Oxford" stands there as its telling parts, "Oslo Games" as its words.

    Of the words of a name without small ones, one at least is a name in the quote, or the place of
    the event that its article is about, and the others say what article, section or table are about.
    """
    pieces = re.split(r"\s+(?:of|the|and|de|du|von|van|&)\s+(?:the\s+)?", name)
    texts = (evidence.quote, *evidence.frame)
    if len(pieces) > 1:
        return all(
            evidence.names(piece, texts) in HELD
            or evidence.was_held_in(piece)
            or not missing_words(content_words(piece), stems_of(evidence.quote))
            for piece in pieces
        )
    words = name.split()
    here = [
        word
        for word in words
        if evidence.names(word, (evidence.values,)) in HELD or evidence.was_held_in(word)
    ]
    rest = [word for word in words if word not in here]
    about = stems_of(" ".join((*evidence.frame, evidence.place.caption)))
    told = not any(missing_words(content_words(word), about) for word in rest)
    return evidence.place.structured and bool(here and rest) and told


def says_none(question: str, values: Collection[str]) -> bool:
    """Whether values say that there is none of what a question counts: "Satellites: None"."""
    counted = "how many" in question.casefold()
    return counted and bool(values) and all(one.casefold().strip(" .") in NOTHING for one in values)


def check_kind(question: str, held: frozenset[str], faults: Faults) -> None:
    """Doubt a value that is not of the kind asked for: a date, a number."""
    low = question.casefold()
    if re.match(r"(?:in |since |until )?(?:when|(?:what|which) years?)\b", low):
        if not any(find_dates(value) for value in held):
            faults.soft.append("the value is no date")
    elif re.match(
        r"how (?:many|much|tall|long|far|high|deep|old|large|big|wide|heavy|fast)\b", low
    ):
        if not says_none(question, held) and not any(
            find_figures(value) or find_dates(value) for value in held
        ):
            faults.soft.append("the value is no number")
    elif re.match(r"(?:by )?whom?\b", low):
        if all(_is_no_name(value) for value in held):
            faults.soft.append("the value is no name")
        defined = re.match(r"who (?:is|was|are|were) (?!the\b)", low)
        if not defined and any(_OFFICE.fullmatch(value) for value in held):
            faults.soft.append("the value is an office, and names nobody")
        if any(_OUTCOME.search(value) for value in held):
            faults.soft.append("the value is what came of it, and names nobody")


_OFFICE = re.compile(
    r"(?:the\s+)?(?:king|queen|emperor|empress|president|prime minister|duke|duchess|count|governor|"
    r"mayor|arch?bishop|bishop|pope|chancellor|chairman|director|minister|prince|princess|sultan|shah|"
    r"khan|caliph|senator|ambassador)\s+of\s+[^,()]*",
    re.IGNORECASE,
)
_OUTCOME = re.compile(
    r"\s(?:victory|defeat|draw|stalemate|truce|ceasefire|abolished|dissolved)(?=$|[,;])"
)
_NOWHERE = re.compile(
    r"(?:see (?:below|above|also|text|list)|various|several|others?)\b.*", re.IGNORECASE
)


def points_elsewhere(value: str) -> bool:
    """Whether a value names nothing itself: "See below", "Various"."""
    return _NOWHERE.fullmatch(value.strip()) is not None


def is_adjective(value: str, sentence: str) -> bool:
    """Whether a sentence has a value of one word only before what it describes: "an Elmish novel"."""
    word = re.escape(value)
    named = re.findall(rf"(?<!\w){word}(?!\w)", sentence)
    describing = re.findall(rf"\b[Aa]n?\s+{word}\s+[a-z]", sentence)
    return " " not in value and bool(named) and len(named) == len(describing)


_REFERRING = re.compile(
    r"(?:references?|external links|further reading|see also|notes|citations|sources|footnotes)$",
    re.IGNORECASE,
)
_WRITINGS = re.compile(r"(?:.*\s)?(?:bibliography|literature|works cited)$", re.IGNORECASE)
_WRITTEN = re.compile(
    r"\b(?:books?|novels?|works?|writ\w+|wrote|publi\w+|papers?|essays?)\b", re.IGNORECASE
)


def only_referred(question: str, section: str) -> bool:
    """Whether a section, its path by " > ", lists references, and a question asks for no writings."""
    section = section.rpartition(" > ")[2]
    return bool(_REFERRING.match(section)) or (
        bool(_WRITINGS.match(section)) and not _WRITTEN.search(question)
    )


_COUNTED = re.compile(r"\b(?:how many|number of)\s+(?P<noun>[^\W\d_]+)", re.IGNORECASE)
_LISTED_ALL = stems_of("country countries nation nations state states child children")
"""Of which a label names all there are; the cities on a river it names are only the larger ones."""


def is_count(question: str, value: str, evidence: Evidence) -> bool:
    """Whether a value is how many things a label of the quote lists: two, of "Countries: Mali, Niger"."""
    counted = _COUNTED.search(question)
    if not counted or not value.isdecimal() or not stems_of(counted["noun"]) <= _LISTED_ALL:
        return False
    listed = [
        said
        for head, said in cells_of(" ".join(evidence.quote.split()))
        if not missing_words(content_words(counted["noun"]), stems_of(head))
    ]
    parts = [re.split(r",\s+|\s+and\s+", re.sub(r"\s*\([^()]*\)", "", one)) for one in listed]
    named = (one for one in parts if all(part[:1].isupper() for part in one))
    return any(len(one) == int(value) for one in named)


def counts_another(question: str, value: str, sentence: str) -> str:
    """Return what a number counts in a sentence that names what is asked for elsewhere, "" if not.

    "The undergraduates live in fourteen colleges" gives no number of undergraduates, nor "five
    presidents studied there" of students.
    """
    asked = _COUNTED.search(question)
    number = re.escape(value)
    found = re.search(
        rf"(?<!\w){number}\s+(?P<noun>(?:[a-z-]+\s+)??[a-z]+s)\b", sentence
    ) or re.search(
        rf"(?P<noun>(?:[a-z-]+\s+)??[a-z]+s),?\s+of which there (?:are|were)\s+(?:\w+\s+)?{number}\b",
        sentence,
    )
    if asked is None or found is None:
        return ""
    elsewhere = stems_of(sentence[: found.start()] + " " + sentence[found.end() :])
    wanted = content_words(asked["noun"])
    counts_it = not missing_words(wanted, stems_of(found["noun"]))
    return "" if counts_it or missing_words(wanted, elsewhere) else found["noun"]


def counts_nothing(claim: str) -> bool:
    """Whether a claim has a number and, names aside, no word for what it is a number of."""
    rest = without_names(claim)
    figures = find_figures(rest)
    words = [word for word in content_words(rest) if word not in NUMBER_WORDS]
    return bool(figures) and not find_dates(rest) and not any(word.isalpha() for word in words)


def _is_no_name(value: str) -> bool:
    """Whether a value is a date, with its place or without, or holds no letter."""
    dates = find_dates(value)
    return (bool(dates) and dates[0].start <= 4) or not re.search(r"[^\W\d_]", value)


_LIFE = re.compile(
    r"\b(?:birth|birthday|birthplace|death|age) of (?:the|his|her)\b|"
    r"\b(?:was|were|did) (?:the|a) [^?]*\b(?:born|die|died)\b",
    re.IGNORECASE,
)
"""Asks for dates of someone who is described: those stand in an aside on whom the article is about."""


def check_place(
    question: str, value: str, named: Sequence[str], evidence: Evidence, faults: Faults
) -> None:
    """Doubt a value that stands in its sentence or under its label as what is not asked for."""
    sentence = evidence.place.sentence
    owner = aside_of_another(named, value, sentence)
    if owner and not (_LIFE.search(question) and evidence.is_title(owner)):
        faults.soft.append(f"it is said in an aside about {owner}")
    if is_the_other(question, value):
        faults.soft.append("the value is not of the kind asked for")
    if only_referred(question, evidence.chunk.section):
        faults.soft.append("it stands in a list of references")
    if in_place_of(question, value, sentence) or by_another(question, value):
        faults.soft.append(f"the quote says of {shown(value)} what is asked of another")
    if evidence.place.structured:
        if label := label_of_another(question, value, evidence):
            faults.soft.append(f"the quote gives it as “{shown(label)}”")
        return
    if counted := counts_another(question, value, sentence):
        faults.soft.append(f"the quote counts {counted}")
    if date := dates_another(question, value, sentence):
        faults.soft.append(f"the quote gives it the date {date}")
    if not_the_doer(question, value, sentence) or only_a_companion(question, value, sentence):
        faults.spoken.append(f"the quote does not say that {shown(value)} did it")
    if thing := narrower(question, sentence):
        faults.spoken.append(f"the quote speaks of {shown(thing)}")
    if question.casefold().startswith(("who", "by who")) and is_adjective(value, sentence):
        faults.soft.append(f"“{shown(value)}” names nobody in the quote")
