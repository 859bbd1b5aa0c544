"""Labels and column heads: how well they name what is asked for, and the cell that answers."""

from __future__ import annotations

import re

from agent.citations.content.words import KINDS_OF_THING
from agent.citations.quotes import is_translation
from agent.citations.support.kinds import opposes
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.attributes import described, embedded_matcher, value_kind
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.forms import value_fits, with_unit
from agent.extractive.finder.parts import (
    GENERIC,
    asks_of_part,
    asks_what_it_has,
    dates_another,
    is_generic,
    is_narrowed,
    is_one_of_several,
    is_part_of_noun,
    words_said,
)
from agent.extractive.language.degrees import extreme_of
from agent.extractive.language.names import bare_title, holds_name
from agent.extractive.language.stems import content_stems, related, stem
from agent.extractive.language.verbs import is_participle
from agent.extractive.language.words import is_plural, word_set

GIVEN_FROM = 0.8
"""Score from which a label gives what is asked for."""
MATCHED_FROM = 0.9
"""Probability from which a label that shares no word with the step gives what is asked for."""
RIVALLED_FROM = 0.95
"""The same where a label beside it is as likely to as not: "Operator" beside "Crew" for who commanded."""
APART_FROM = 0.75
"""The same where no label beside it is likely to."""
_BESIDE_BELOW = 0.3
"""Probability below which a label beside it is not likely to."""
_RIVAL_FROM = 0.6
"""Probability from which a label beside it is a rival."""
_NONE_FROM = 0.5
"""Probability below which a label is about something else."""
_NO_LESS_FROM = 0.97
"""Probability from which a word before the label's own takes nothing away: a nickname is "sports nickname"
enough, a commander no "backup commander"."""
SAME_MATTER_FROM = 0.7
"""Score from which a label is about what a statement says; its value then has to be named in it."""
_MEASURING = frozenset(map(stem, word_set("number total value estimate census count time")))
_GROUP = frozenset(map(stem, word_set(
    "women woman girls female men boys children students slaves"
)))  # fmt: skip
"""Whom a date or a number is about only where its label says so."""
_ITEM = re.compile(r"\s*[,;]\s*")
_ACRONYM = re.compile(r"[A-Z]{2,6}")
_TRANSLATED = re.compile(r"\benglish\b|\btranslat|\bmean", re.IGNORECASE)
_NO_PERSON = re.compile(
    r"\b(?:as|in|at|(?:awarded|known|noted|credited|nominated) for|place|location|coordinates|occupation|profession|module|vehicle|site)$",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    r"how (?:wide|long|high|tall|deep|far|heavy|thick|fast)\b|"
    r"what (?:is|was) the (?:[a-z]+ )?(?:width|length|height|depth|diameter|radius|mass|weight)\b",
    re.IGNORECASE,
)
_NAMED_AFTER = re.compile(r"\bnamed\b", re.IGNORECASE)
_NAME_OF = re.compile(r"\bnames? of\b(?!.*\b(?:named|after|honou?r)\b)", re.IGNORECASE)
_AS_OF = re.compile(r"\b(?:as of|ref|note|footnotes?|rank|source)$", re.IGNORECASE)


def head_score(asked: Asked, fact: Fact, column: int = 0) -> float:
    """How well a label or a column's head gives what is asked for, by its words or by its meaning.

    Args:
        asked: the step.
        fact: a value of a box, or a row.
        column: of its cells.
    """
    head, value = fact.cells[column]
    if asked.form == "person" and _NO_PERSON.search(head):
        return 0.0  # "Founded as" names no founder, nor does "Occupation"
    if head.endswith(" of") and asks_what_it_has(asked):
        return 0.0  # "Satellite of: Jupiter" names no satellite that it has
    if _is_translation(head, asked.text):
        return 0.0
    if head.casefold().endswith(("name", "names")) and _NAMED_AFTER.search(asked.text):
        return 0.0  # what something is called is not what it is called after
    if _NAME_OF.search(asked.text) and _NAMED_AFTER.search(head):
        return 0.0
    if _MEASURED.match(asked.text) and value_kind(value) == "a number" and is_plural(head):
        return 0.0  # "Satellites: 1" counts, and measures nothing
    if opposes(asked.text, head) or dates_another(asked, fact, column):
        return 0.0  # "Mouth location" is not where a river rises
    # The thing itself is not what is asked of it; whether it is another that is named may be asked.
    named = 1 if asked.form == "yes_no" else None
    known = (*asked.subjects[:named], *asked.names[:named])
    if not value or value.casefold() in {name.casefold() for name in known}:
        return 0.0
    if asked.form != "yes_no" and " or " not in asked.text and _is_said(value, asked.text):
        return 0.0  # who asks which college has brown and red asks for no colours
    if is_part_of_noun(asked, head) or is_one_of_several(asked, fact, column):
        return 0.0
    said = naming_score(asked, head)
    if said and _only_its_kind(asked, fact, head):
        return said / 2  # "Cities" gives none that lies at its mouth where another label is "Mouth"
    if said and _is_object(asked, fact, column):
        return 0.0
    if not asked.about or not head or _AS_OF.search(head) or _says_another(asked, fact, column):
        return said
    if asked.form in ("date", "number") and _GROUP & asked.stems - {*content_stems(head)}:
        return said  # when women were let in is not when it was founded
    # "Operator: NASA" is near to who commanded: who asks for a person, if for once for a body.
    body = asked.form == "person" and _ACRONYM.fullmatch(value) is not None
    return max(said, GIVEN_FROM * min(1.1, matched(asked.about, fact, column, rivalled=body)))


def _is_said(value: str, text: str) -> bool:
    """Whether a question says a value of some words as it stands."""
    return " " in value and holds_name(text.casefold(), value)


def _only_its_kind(asked: Asked, fact: Fact, head: str) -> bool:
    """Whether a label says only of what kind the things are, and another one what is asked of them."""
    kind = stem(asked.kind or asked.noun)
    others = {one for label, _ in fact.beside for one in content_stems(label)}
    return {kind} == set(content_stems(head)) and bool(others & asked.stems - {kind} - GENERIC)


def _says_another(asked: Asked, fact: Fact, column: int) -> bool:
    """Whether a word of the step is that of another cell, and not of the one that is looked at.

    "Who detected methane on it?" is not about the box's discoverer where its atmosphere is methane,
    nor "how many live in its capital?" about its population.
    """
    if asked.form == "yes_no":
        return False  # what it states may be any cell's
    own = {*content_stems(" ".join(fact.cells[column])), *GENERIC}
    telling = {
        one
        for one in asked.stems - own - asked.hints
        if one not in KINDS_OF_THING and not related(one, own)
    }
    others = (*fact.beside, *fact.cells[:column], *fact.cells[column + 1 :])
    items = [item for _, value in others for item in _ITEM.split(value) if " " not in item]
    nouns = [head.split()[-1] for head, _ in others if head]
    said = " ".join([*nouns, *(one for one in items if one.islower())])
    return not telling.isdisjoint(content_stems(said))


def matched(about: str, fact: Fact, column: int = 0, *, rivalled: bool = False) -> float:
    """How likely a label answers, as a share of what is needed: from 1 on it gives what is asked for.

    What is told apart from its neighbours may be less like the words of a step than what is not:
    "Highest mountain" gives the loftiest peak where the next best label is the elevation. 0 for a
    label that answers less likely than none.

    Args:
        about: the step, with "it" for its thing.
        fact: a value of a box, or a row.
        column: of its cells.
        rivalled: whether as much is needed as beside a rival, whatever stands there.
    """
    chance, likeliest = chances(about, fact, column)
    if chance < _NONE_FROM:
        return 0.0
    rival = 1.0 if rivalled else likeliest
    if rival < _BESIDE_BELOW:
        return chance / APART_FROM
    return chance / (MATCHED_FROM if rival < _RIVAL_FROM else RIVALLED_FROM)


def chances(about: str, fact: Fact, column: int) -> tuple[float, float]:
    """How likely a label answers a step rather than none, and the likeliest of those beside it."""
    own = fact.cells[column]
    beside = (*fact.beside, *fact.cells[:column], *fact.cells[column + 1 :])
    # Between two labels with one value there is nothing to choose.
    others = [
        (head, value)
        for head, value in beside
        if head and value != own[1] and not _is_translation(head, about)
    ]
    labels = tuple(dict.fromkeys(described(*cell) for cell in (own, *others)))
    chance, *near = embedded_matcher().chances(about, labels)
    return chance, max(near, default=0.0)


def _is_translation(head: str, text: str) -> bool:
    """Whether a label gives in English what a question asks for as it is: "Motto in English"."""
    return is_translation(head) and _TRANSLATED.search(text) is None


def _is_object(asked: Asked, fact: Fact, column: int) -> bool:
    """Whether a label whose words a step says is but that of which the step asks something.

    "Mascot: Fuwa" names nobody who designed the mascot, and "Lunar module" no company that built it.
    """
    head, value = fact.cells[column]
    named = asked.stems & {*content_stems(head)[-1:]} - GENERIC
    # "Born" is no thing; what a label lists is counted where a question asks how many there are.
    spared = "how many" in asked.text.lower() or (named and is_participle(head.split()[-1].lower()))
    if not named or not asked.about or asked.form == "yes_no" or spared:
        return False
    chance, rival = chances(asked.about, fact, column)
    if chance < _NONE_FROM or rival > chance:
        return True
    called = content_stems(f"{head} {value}")
    return bool(asked.kind) and stem(asked.kind) not in called and chance < MATCHED_FROM


def naming_score(asked: Asked, head: str) -> float:
    """How well a label or a column's head names what is asked for.

    A label that shares only "place" or "date" with the question is about something else, and so
    mostly is one whose last word the question lacks: "Command module" names no commander.
    """
    stems = [one for one in content_stems(head) if not one.isdigit()]
    if not stems or _AS_OF.search(head):
        return 0.0
    telling = [one for one in stems if one not in GENERIC]
    if telling and not any(fits_word(asked, one) for one in telling):
        return 0.0
    weight = 1.0 if not telling or fits_word(asked, telling[-1]) else 0.5
    hit = [
        1.0 if one in asked.stems else 0.85 if fits_word(asked, one) else 0.0
        for one in stems
        # "Population total": a word of measure that the question lacks takes nothing away.
        if one not in _MEASURING or not telling or fits_word(asked, one)
    ]
    return weight * sum(hit) / len(hit) if any(hit) else 0.0


def fits_word(asked: Asked, one: str) -> bool:
    """Whether a stem is one of the question's, or says the same in a label."""
    return (
        one in asked.stems
        or one in asked.hints
        or related(one, asked.stems)
        or _same_extreme(one, asked)
    )


def _same_extreme(one: str, asked: Asked) -> bool:
    """Whether a label's superlative is the question's: "largest" where the biggest is asked for."""
    extreme = extreme_of(one)
    return extreme is not None and any(extreme == extreme_of(word) for word in asked.stems)


def row_name(fact: Fact) -> str:
    """Return what a row is about: its first cell with words."""
    return next((v.casefold() for _, v in fact.cells if re.search(r"[^\W\d_]{2}", v)), "")


def names_attribute(asked: Asked, fact: Fact) -> bool:
    """Whether a label names what is asked for."""
    return bool(fact.cells) and head_score(asked, fact) >= GIVEN_FROM


def gives(asked: Asked, fact: Fact, value: str) -> bool:
    """Whether the cell that holds a value has a label that gives what is asked for."""
    return any(
        (value in said or value == with_unit(head, said))
        and head_score(asked, fact, column) >= GIVEN_FROM
        and not is_narrower(asked, fact, column)
        # "Year: 2011 | Laureate: Ann Lee" does not say when she died.
        and not (fact.kind == "row" and is_generic(head))
        for column, (head, said) in enumerate(fact.cells)
    )


def is_narrower(asked: Asked, fact: Fact, column: int) -> bool:
    """Whether a question asks for a narrower thing than a cell's label gives: its "backup commander"."""
    narrowed = is_narrowed(asked, fact.cells[column][0])
    return narrowed and chances(asked.about, fact, column)[0] < _NO_LESS_FROM


def is_own_cell(asked: Asked, fact: Fact) -> bool:
    """Whether a box or row is about the first thing asked about, and a label of it says what is asked."""
    if not asked.names or not fact.cells:
        return False
    if asks_of_part(asked):
        return False
    column = best_column(asked, fact)
    if is_about(asked, fact):
        return column is not None and head_score(asked, fact, column) > 0
    # A crew's row says what its person was, in the crew's own article.
    crew = asked.form == "person" and beside_role(asked, fact) is not None
    names = map(bare_title, (asked.names[0], *asked.subjects[:1]))
    return crew and fact.kind == "row" and bare_title(fact.title) in names


def is_about(asked: Asked, fact: Fact) -> bool:
    """Whether a line of a box, or a row, is of the first thing asked about."""
    names = map(bare_title, (*asked.names[:1], *asked.subjects[:1]))
    return (bare_title(fact.title) if fact.kind == "value" else row_name(fact)) in names


def best_column(asked: Asked, fact: Fact) -> int | None:
    """Return the cell of a row that answers: the one whose head fits best, if any fits."""
    scores = []
    for position, (head, value) in enumerate(fact.cells):
        fits = 1.0 if value_fits(asked, value) else 0.6
        scores.append(
            (head_score(asked, fact, position) * fits, words_said(asked, head), -position)
        )
    best, _, position = max(scores, default=(0.0, 0, 0))
    if best > 0:
        return -position
    return beside_role(asked, fact) if fact.kind == "row" and asked.form == "person" else None


def beside_role(asked: Asked, fact: Fact) -> int | None:
    """Return the person's cell of a row that says what they did: "Position: Commander | …"."""
    roles = [
        i
        for i, (_, value) in enumerate(fact.cells)
        if len(value.split()) == 1 and any(fits_word(asked, one) for one in content_stems(value))
    ]
    persons = [
        i for i, (_, value) in enumerate(fact.cells) if i not in roles and value_fits(asked, value)
    ]
    return persons[0] if roles and persons else None
