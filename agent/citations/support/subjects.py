"""Of whom a quote speaks, and whether that is the subject of the claim."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.dates import find_dates
from agent.citations.content.figures import find_figures
from agent.citations.content.names import SIGNED_WORD, Name, find_names, spoken
from agent.citations.content.words import (
    content_words,
    fold,
    is_listed,
    missing_words,
    stem,
    stems_of,
)
from agent.citations.quotes import cells_of
from agent.citations.support.clauses import clause_opened_by
from agent.citations.support.faults import Faults, shown
from agent.citations.support.grounds import Evidence, without_fronted

PRONOUN = re.compile(
    r"(?:it|its|he|his|she|her|they|their|this|these|that|those|there)\b", re.IGNORECASE
)
_PASSIVE = re.compile(
    r"\b(?:is|was|are|were|been|being)\s+(?:\w+ly\s+)?\w+(?:ed|en|wn|lt|nd|de|rn|ung|ught)\b"
)
"""A claim in the passive may leave out who did it."""
_OBJECT = re.compile(r"\b(?:it|him|her|them|its|his|their)\b")


def name_kind(name: str, evidence: Evidence) -> str:
    """Say how quote, title, section, row's head or question speak of a name."""
    kind = evidence.names(name, (*evidence.texts, *evidence.frame))
    if kind in ("whole", "surname"):
        return kind
    if evidence.is_title(name) or evidence.introduces(name):
        return "whole"
    if evidence.question and spoken(name, evidence.question) in ("whole", "surname"):
        return "whole"
    return kind


def is_word(text: str, evidence: Evidence) -> bool:
    """Whether what has a capital letter in the claim is a plain word of the evidence."""
    words = content_words(text)
    if not words and len(text) == 1:
        return text in "AI"  # "C" is a name
    return all(not missing_words([word], evidence.stems) for word in words) and all(
        re.search(rf"(?<![^\W_]){re.escape(word[:5])}", " ".join(evidence.texts)) for word in words
    )


def check_subject(
    claim: str, subject: str | None, names: Sequence[Name], evidence: Evidence, faults: Faults
) -> None:
    """Ask that the quote speaks of the claim's subject: in its words, its row's head or its title."""
    about = subject if subject and (not names or PRONOUN.match(claim.strip())) else None
    if about is None:
        rest = without_fronted(claim)
        fronted = len(claim) - len(rest)
        own = [name for name in names if name.start >= fronted] or list(names)
        if PRONOUN.match(rest.strip()) or not own:
            check_row(claim, evidence, faults)
            return
        if own[0].initial and is_word(own[0].text, evidence):
            own = own[1:]
        if not own:
            check_row(claim, evidence, faults)
            return
        about = own[0].text
    if not speaks_of(about, claim, evidence, faults):
        faults.hard.append(f"the sentence is about “{about}”, which the quote does not name")


def speaks_of(
    about: str, claim: str, evidence: Evidence, faults: Faults, *, chosen: bool = False
) -> bool:
    """Say whether a quote speaks of a subject; note where it speaks rather of another.

    With `chosen`, a table's row may be about anything where one of its cells names the subject:
    "whose operas were first performed in Rome?" chooses rows by it (`check_chosen_row`).
    """
    held = ("whole", "surname")
    if evidence.names(about, (evidence.values, *evidence.also)) in held or evidence.introduces(
        about
    ):
        if not chosen:
            check_row(claim, evidence, faults)
        if not _PASSIVE.search(claim):
            _check_own_subject(claim, evidence, faults)
        return True
    if evidence.names(about, evidence.place.row_heads) in held:
        return True
    framed = evidence.is_title(about) or evidence.names(about, evidence.frame) in held
    if not framed:
        return (
            evidence.names(about, (evidence.place.sentence,)) in held
            and not evidence.place.structured
        )
    check_row(claim, evidence, faults)
    _check_own_subject(claim, evidence, faults)
    return True


def _check_own_subject(claim: str, evidence: Evidence, faults: Faults) -> None:
    if _PASSIVE.search(claim) and _OBJECT.search(evidence.quote):
        return
    own = evidence.own_subject()
    if own is not None and not _is_about(own, claim, evidence):
        faults.spoken.append(f"the quote speaks of {own.text}")


def check_row(claim: str, evidence: Evidence, faults: Faults) -> None:
    """Doubt a table's row that is about something the claim does not name."""
    heads = evidence.place.row_heads
    if not heads:
        return
    said = f"{claim} {evidence.question}"
    if any(_mentions(said, head, evidence) for head in heads):
        return
    telling = heads[-1]
    fault = f"the row quoted is about {shown(telling)}"
    if find_names(telling) and not same_kind_of_title(telling, evidence.title):
        faults.hard.append(fault)
    else:
        faults.soft.append(fault)


def check_chosen_row(about: Sequence[str], claim: str, evidence: Evidence, faults: Faults) -> None:
    """Doubt a row of another thing than the claim names, unless it says what the rows are.

    Args:
        about: names of the claim that the row's cells hold.
        claim: a question and what answers it.
        evidence: the row.
        faults: takes the doubt.
    """
    heads = evidence.place.row_heads
    if any(evidence.names(one, evidence.frame) in ("whole", "surname") for one in about):
        return
    named = [head for head in heads if find_names(head)]
    if not named or any(
        _mentions(f"{claim} {evidence.question}", head, evidence) for head in heads
    ):
        return
    labels = [label for label, value in cells_of(evidence.place.line) if value in named]
    if not any(stems_of(label) & stems_of(claim) for label in labels):
        faults.soft.append(f"the row quoted is about {shown(named[-1])}")


def _mentions(text: str, head: str, evidence: Evidence) -> bool:
    if spoken(head, text) in ("whole", "surname") or same_kind_of_title(head, evidence.title):
        return True
    figures, dates = find_figures(head), find_dates(head)
    if dates and any(
        date.holds(other) or other.holds(date) for date in find_dates(text) for other in dates
    ):
        return True
    if figures and not find_names(head):
        return any(one.value == other.value for one in find_figures(text) for other in figures)
    words = content_words(head)
    return bool(words) and not missing_words(words, stems_of(text))


def same_kind_of_title(name: str, title: str) -> bool:
    """Say whether a name is the title or a longer or shorter form of it."""
    return spoken(name, title) in ("whole", "surname") or spoken(title, name) in (
        "whole",
        "surname",
    )


def _is_about(own: Name, claim: str, evidence: Evidence) -> bool:
    if own.initial and (is_listed(own.text) or fold(own.text) in fold(evidence.chunk.text).split()):
        lower = re.search(
            rf"(?<![^\W_]){re.escape(own.text.lower())}(?![^\W_])", evidence.chunk.text
        )
        if lower or is_listed(own.text):
            return True
    words = {word for word in SIGNED_WORD.findall(fold(own.text)) if len(word) > 2}
    title = set(SIGNED_WORD.findall(fold(evidence.title)))
    spoken_of = set(SIGNED_WORD.findall(fold(f"{claim} {evidence.question}")))
    return bool(words & title) or bool(words & spoken_of) or evidence.is_title(own.text)


def box_of_another(question: str, names: Sequence[Name], evidence: Evidence) -> str:
    """Say whose box is quoted where a question names nothing, or nothing by its form, as "C"."""
    if names or not evidence.place.label:
        return ""
    unsaid = missing_words(content_words(evidence.title), stems_of(question))
    return f"the box quoted is about {shown(evidence.title)}" if unsaid else ""


_IS_A = re.compile(r"(?!.*\b(?:have|has|had)\b).+? (?:an?|the) (?P<kind>[\w-]+)")
"""What a thing is said to be: "Austria a currency"."""


def says_what_it_has(claim: str, evidence: Evidence) -> bool:
    """Whether a claim says what a thing is by the label of what it has: "Currency: Euro"."""
    kind = _IS_A.fullmatch(claim)
    label = stems_of(evidence.place.label) - stems_of(evidence.values)
    return kind is not None and stem(fold(kind["kind"])) in label


def says_of(subject: str, values: Sequence[str], evidence: Evidence) -> bool:
    """Whether a clause that a name opens holds the values, or "here" means the article that they are."""
    clause = clause_opened_by(subject, evidence.place.sentence)
    here = re.search(r"\b(?:here|there)\b", evidence.place.sentence) is not None
    return bool(clause and values) and all(
        value in clause or (here and evidence.is_title(value)) for value in values
    )
