"""The names in a question, each with the article that it leads to."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.citations.content.words import fold
from agent.extractive.language import words
from agent.extractive.language.quantities import unit_of
from agent.extractive.language.stems import words_of

_WORD = r"[A-ZÀ-Þ][\w'’.\-]*"
_NAME = re.compile(
    # Behind a longer word a point ends the sentence: "the Aare. What …".
    rf"{_WORD}(?:(?<!\w{{4}}\.)\s+(?:(?:of|de|da|di|du|la|von|van|der|the|and|in|for|&)\s+){{0,2}}(?:{_WORD}|\d+\b))*"
)
_OPENING = re.compile(r"(?:^|[.!?:;]\s+)$")
"""What stands before the first word of a sentence."""
_OWNED = re.compile(r"\w['’]s\s+\w")
_JOINER = re.compile(r"\s+(?:and|in|for|of the|the)\s+")


def subjects_of(text: str, find_title: Callable[[str], str | None]) -> list[tuple[str, str]]:
    """Return (as said, title) of the names in a question.

    A name may hold small words ("Nobel Prize in Chemistry"); where the whole leads to no article
    it falls apart at them.
    """
    found: list[tuple[str, str]] = []
    owners = 0
    end = 0
    while match := _NAME.search(text, end):
        said = match[0]
        called = found and _OWNER.search(text[:end]) and _CALLED.fullmatch(text, end, match.start())
        if _OPENING.search(text, 0, match.start()):
            first, _, rest = said.partition(" ")
            if first.lower() in words.WH | words.AUXILIARY | words.PREPOSITION | _IMPERATIVES:
                said = re.sub(r"^(?:the|an?)\s+", "", rest)
        if unit_of(said) is not None and _HOW_MANY.search(text, 0, match.start()):
            end = match.end()
            continue
        said = _whole_title(said, text[match.end() :], find_title)
        behind = _place_behind(said, text[match.end() :], find_title)
        said += behind
        names = _dated(said, text[: match.start()], find_title) or _resolve(said, find_title)
        # "Jupiter's moon Callisto" is Callisto first of all.
        place = len(found) - owners if called and names else len(found)
        found[place:place] = names
        owners, end = len(names), match.end() + len(behind)
    return found


_HOW_MANY = re.compile(r"\bhow many $", re.IGNORECASE)
"""What stands before a unit: "how many MW"."""
_OWNER = re.compile(r"['’]s?$")
_CALLED = re.compile(r"\s+(?:(?:[a-z]+est|first|last)\s+)?[a-z]+\s+")
"""What something is called between its owner and its name: "'s largest moon "."""


_SMALL_WORD = re.compile(r"\s+[\w'’-]+")
_LONGER = 2
"""Words typed small that a title may go on with."""


def _whole_title(said: str, after: str, find_title: Callable[[str], str | None]) -> str:
    """Return a name with the small words that its title goes on with: "La traviata", "Apollo program"."""
    longest, end = said, 0
    for _ in range(_LONGER):
        word = _SMALL_WORD.match(after, end)
        if word is None or not said:
            break
        end = word.end()
        longer = said + after[:end]
        title = find_title(longer)
        if title is not None and title.casefold().startswith(longer.casefold()):
            longest = longer
    return longest


_BEHIND = re.compile(rf",\s+{_WORD}(?:\s+{_WORD})*")


def _place_behind(said: str, after: str, find_title: Callable[[str], str | None]) -> str:
    """What stands behind a name and its comma where an article is called by both: ", New Jersey"."""
    behind = _BEHIND.match(after)
    longer = said + behind[0].rstrip(".") if behind is not None else said
    return longer[len(said) :] if behind is not None and find_title(longer) == longer else ""


_YEAR_BEFORE = re.compile(r"\b(?P<year>[12]\d{3}) $")


def _dated(
    said: str, before: str, find_title: Callable[[str], str | None]
) -> list[tuple[str, str]]:
    """A name with the year that stands before it where its title begins so: "1992 Summer Olympics"."""
    year = _YEAR_BEFORE.search(before)
    title = find_title(f"{year['year']} {said}") if year is not None else None
    if year is None or title is None or not title.startswith(year["year"]):
        return []
    return [(f"{year['year']} {said}", title)]


_YEAR_AT_END = re.compile(r"\s+[12]\d{3}$")
_IMPERATIVES = frozenset(["name", "list", "give", "tell", "the"])


def _resolve(said: str, find_title: Callable[[str], str | None]) -> list[tuple[str, str]]:
    said = re.sub(r"['’]s?$", "", said.strip(" .'’")).strip()
    if len(said) < 2 or not said[0].isupper():
        return []
    title = find_title(said)
    if title is not None:
        return [(said, title)]
    undated = _YEAR_AT_END.sub("", said)
    if undated != said and (title := find_title(undated)) is not None:
        return [(undated, title)]
    owner, owns, thing = (
        re.split(r"(['’]s)\s+", said, maxsplit=1) if _OWNED.search(said) else ("", "", "")
    )
    if owns and find_title(thing) is not None:
        # "Earth's Moon" is the Moon first of all.
        return [*_resolve(thing, find_title), *_resolve(owner, find_title)]
    parts = _longest_titles(said, find_title)
    several = said.split(" & ")
    if len(parts) == 1 < len(several) and all(find_title(part) is not None for part in several):
        parts = several  # "Saturn & Jupiter" are two, "Marks & Spencer" is one
    if len(parts) > 1:
        return [name for part in parts for name in _resolve(part, find_title)]
    before, _, last = said.rpartition(" ")
    if before and (title := find_title(last)) is not None:
        # "Barcelona Olympics": those Olympics that were in Barcelona.
        return [(last, title), *_resolve(before, find_title)]
    return [(said, said)]


def _longest_titles(said: str, find_title: Callable[[str], str | None]) -> list[str]:
    """A name that leads to no article, apart at its small words: titles are kept as long as can be.

    "Nobel Prize in Chemistry in 2014" is the prize and a year, not a prize and a science.
    """
    joiners = [(one.start(), one.end()) for one in _JOINER.finditer(said)]
    for end, after in reversed(joiners):
        if find_title(said[:end]) is not None:
            return [said[:end], *_longest_titles(said[after:], find_title)]
    if not joiners:
        return [said]
    end, after = joiners[0]
    return [part for part in (said[:end], *_longest_titles(said[after:], find_title)) if part]


_NAMED = re.compile(r"(?<!\w)[A-ZÀ-Þ][\w'’-]{3,}")
_AGAINST = re.compile(
    r"\bthan (?:the )?(?:[A-ZÀ-Þ]\S*,? (?:and )?)*$|(?:\w+est|most \w+)\b[^.;]*, after (?:the )?$"
)
"""What stands before a name that something is held against: "fewer than Elm, Ham and"."""


def is_held_against(question: str, title: str, sentence: str) -> bool:
    """Whether a sentence has what a question names only for others to be held against.

    "It has about 134,000 inhabitants, fewer than Elm and Ham" does not say how many live in Ham.

    Args:
        question: names may be typed in it without capitals.
        title: of the article that the sentence is of.
        sentence: its text.
    """
    asked = set(map(fold, words_of(question))) - set(map(fold, words_of(title)))
    named = [one for one in _NAMED.finditer(sentence) if one.start() and fold(one[0]) in asked]
    compared = re.search(r"\b(?:than|after)\b", question) is not None
    return (
        bool(named)
        and not compared
        and all(_AGAINST.search(sentence, 0, one.start()) for one in named)
    )
