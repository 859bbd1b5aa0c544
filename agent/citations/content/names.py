"""Named things of a text, and whether another text speaks of the same one by its whole name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

from agent.citations.content.dates import MONTHS
from agent.citations.content.figures import NUMBER_WORDS
from agent.citations.content.words import fold, stem, stems_of
from agent.citations.quotes import IDEOGRAPH
from corpus.text import word_set
from corpus.types import Article

Aliases = Callable[[str], Sequence[str]]
"""Returns the other names of what a name stands for: its article's title and redirects."""
Spoken = Literal["whole", "surname", "part", "no"]
"""surname: as the end of a longer name, as people are called; part: before a word that says what it
is or goes on ("Niger River", "Paris Hilton"), which may be another's name."""

_SIGNS = r"\+\+|#"
"""Signs at the end of a name that make it another's: "C", "C++" and "C#"."""
SIGNED_WORD = re.compile(rf"[^\W_]+(?:{_SIGNS})?")
_TOKEN = re.compile(rf"[^\W_]+(?:['’.&-][^\W_]+)*(?:{_SIGNS})?\.?")
_LINK = word_set(
    "of the de la le du des di da do dos del della von van der den ten zu al el bin ibn"
)
_LEADING = word_set(
    """the a an this that these those it its he his him she her they them their theirs we our i you
    your in on at by for from to of with as and or but nor so yet if when while where after before
    during since until although though however because both each every all some many most few several
    no not none only also another other others such there here then thus two three four five six seven
    eight nine ten which who whose what how why according today currently once between among under over
    about around near along against through into upon within without unlike like despite due yes is are
    was were be do does did has have had can could will would may might must should name give list tell
    show compare please"""
)
_CALENDAR = frozenset((*MONTHS, *(month[:3] for month in MONTHS), "sept", *(
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "ad", "bc", "bce", "ce"]
)))  # fmt: skip
_TURNS = word_set(
    """north south east west northern southern eastern western northeast northwest southeast southwest
    new old upper lower great greater little san santa saint st st. port fort mount mt mt. lake river
    cape gulf bay sea isle island equatorial papua inner outer central mid middle el los las la le
    republic democratic people's anti non pre post"""
)
"""Words before a name that make it another place's: "South Georgia" is not Georgia."""
LONG_WORD = 7
"""Letters from which a word is the same name in another form: "Moons" are not the Moon."""
_LEAD = 600
"""Characters of an article in which its other names stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A named thing in a text."""

    text: str
    start: int
    initial: bool = False
    """One word at the beginning of a sentence, where every word has a capital letter."""


@lru_cache(maxsize=512)
def find_names(text: str) -> tuple[Name, ...]:
    """Return the capitalised names of a text in order; months, weekdays and numbers are none."""
    tokens = [found for found in _TOKEN.finditer(text) if not IDEOGRAPH.search(found[0])]
    names: list[Name] = []
    at = 0
    while at < len(tokens):
        if not _opens(tokens[at]):
            at += 1
            continue
        initial = _begins_sentence(text, tokens[at].start())
        if fold(tokens[at][0]) in _LEADING and (initial or len(tokens[at][0]) == 1):
            at += 1
            continue
        end = _extent(text, tokens, at)
        last = tokens[end - 1]
        stop = last.end() - 1 if last[0].endswith(".") and not _is_initial(last[0]) else last.end()
        shown = re.sub(r"['’]s?$", "", text[tokens[at].start() : stop])
        names.append(Name(text=shown, start=tokens[at].start(), initial=initial and end - at == 1))
        at = end
    return tuple(names)


def asked_names(question: str) -> list[Name]:
    """Return what a question names, without its first word where that only asks."""
    return [name for name in find_names(question) if not name.initial or name.start > 0]


def without_names(text: str, *, initial: bool = True) -> str:
    """Return a text without the names in it.

    Args:
        text: a question or a claim.
        initial: whether single words at the beginning of a sentence, which may be no names, go too.
    """
    for name in reversed(find_names(text)):
        if initial or not name.initial:
            text = text[: name.start] + " " + text[name.start + len(name.text) :]
    return text


def _opens(token: re.Match[str]) -> bool:
    word = token[0]
    low = fold(word).rstrip(".")
    return word[0].isupper() and low not in _CALENDAR and low not in NUMBER_WORDS


def _begins_sentence(text: str, position: int) -> bool:
    before = text[:position].rstrip(" \t\"“‘'(*_")
    return not before or before[-1] in ".!?:;。！？：\n|–—-•" or before.endswith(" -")


def _is_initial(word: str) -> bool:
    return len(word) == 2 and word[0].isupper() and word[1] == "."


def _extent(text: str, tokens: Sequence[re.Match[str]], at: int) -> int:
    """Return the index after the last token of the name that begins at `at`."""
    end = at + 1
    look = end
    while look < len(tokens):
        gap = text[tokens[look - 1].end() : tokens[look].start()]
        ended = tokens[look - 1][0].endswith(".") and len(tokens[look - 1][0]) > 4
        if (gap not in (" ", "\u00a0", " & ") and gap.strip() not in ("–", "-")) or ended:
            break
        word = tokens[look][0]
        if tokens[look - 1][0].endswith(("'s", "’s")):
            # "Earth's Moon" names two things.
            break
        if _opens(tokens[look]):
            look += 1
            end = look
        elif word.isdigit() and len(word) <= 3 and look == end and not _goes_on(text, tokens[look]):
            # "Apollo 11", "Voyager 2"; not "the Danube 2,850 km"
            look += 1
            end = look
        elif fold(word) in _LINK:
            look += 1
        else:
            break
    return end


def _goes_on(text: str, number: re.Match[str]) -> bool:
    """Whether digits are the beginning of a longer number."""
    return re.match(r"[.,]\d", text[number.end() :]) is not None


_LONGEST_WORD = 200


_BETWEEN = r"[\s\u00a0-]+(?:[^\W\d_]\.[\s\u00a0]+)?"
"""What may stand between the words of a name: an initial that is left out elsewhere."""


def spoken(name: str, text: str) -> Spoken:
    """Say whether a text speaks of a name: as a whole, as part of a longer name, or not."""
    words = [word for word in re.split(r"[\s\u00a0]+", fold(name)) if word]
    folded = fold_same_length(text)
    # Most texts do not hold most names: making an expression takes longer than looking for words.
    if not words or any(word not in folded for word in words):
        return "no"
    words = [re.escape(word) for word in words]
    ideographic = bool(IDEOGRAPH.search(name))
    edge = ("", "") if ideographic else (r"(?<![^\W_])", rf"(?:'s|')?(?![^\W_]|{_SIGNS})")
    best: Spoken = "no"
    order = ("no", "part", "surname")
    for found in re.finditer(edge[0] + _BETWEEN.join(words) + edge[1], folded):
        kind: Spoken = "whole" if ideographic else _standing(text, found.start(), found.end())
        if kind == "whole":
            return "whole"
        if order.index(kind) > order.index(best):
            best = kind
    return best


@lru_cache(maxsize=512)
def fold_same_length(text: str) -> str:
    """Return folded text whose offsets are those of `text`."""
    if text.isascii():
        return fold(text)
    folded = [fold(one) for one in text]
    return "".join(one if len(one) == 1 else " " * (not one) + one[:1] for one in folded)


def _standing(text: str, start: int, end: int) -> Spoken:
    """Say whether what stands at a place is a name of its own, or part of a longer one."""
    after = re.match(r"[ \u00a0]([^\W_][^\s|,;:.()]*)|([–—-][^\W_]+)", text[end:])
    possessive = text[max(0, end - 2) : end] in ("'s", "’s") or text[max(0, end - 1) : end] in "'’"
    if after and not possessive:
        word = after[1] or after[2][1:]
        upper = word[0].isupper() and fold(word) not in _CALENDAR
        if after[2] and word[0].isalpha() and word[0].isupper():
            return "no"
        if after[1] and upper and fold(word) not in _LEADING:
            return "part"
    # No word is longer: a search with its end given tries every place before it.
    head = text[max(0, start - _LONGEST_WORD) : start]
    before = re.search(r"([^\W_][^\s|,;:()]*)[ \u00a0]$|([^\W_]+[–—-])$", head)
    if before:
        word = before[1] or before[2][:-1]
        upper = (word[0].isupper() and not word.endswith((".", "!", "?"))) or _is_initial(word)
        if before[2] and upper:
            return "no"
        if before[1] and upper and fold(word) not in _LEADING and fold(word) not in _CALENDAR:
            place = start - len(before[0])
            if _begins_sentence(text, place) and not re.search(r"[A-Z]", text[start:end]):
                return "whole"
            return "no" if fold(word).removesuffix("'s") in _TURNS else _after(word)
    return "whole"


def _after(word: str) -> Spoken:
    """Return how a name stands behind another capitalised word: "Galileo's Europa" is whole."""
    return "whole" if word.endswith(("'s", "’s", "s'", "s’")) else "surname"


def same_by_stem(name: str, text: str) -> bool:
    """Say whether a text has a long name in another form: "Summer Olympics" in "Olympic Games"."""
    words = re.findall(r"[^\W_]+", fold(name))
    if not words or len(max(words, key=len)) < LONG_WORD:
        return False
    return frozenset(stem(word) for word in words) <= stems_of(text) and all(
        len(word) > 3 for word in words
    )


def same_name(name: str, title: str) -> bool:
    """Say whether a name is a title's, brackets and what stands behind a comma left out."""
    bare = re.sub(r"\s*\([^()]*\)\s*$", "", title)
    wanted = re.sub(r"^the ", "", fold(name))
    return wanted in (fold(title), re.sub(r"^the ", "", fold(bare)), fold(bare.partition(",")[0]))


class Titles(Protocol):
    """Where names are looked up: a snapshot is one."""

    def find(self, title: str) -> Article | None:
        """Return the article of that title, redirects followed, or None."""
        ...


def aliases_from(titles: Titles) -> Aliases:
    """Return the look-up of other names: the title and redirects of the article a name leads to.

    A redirect may lead to the list that tells of a thing, or to its owner. A name counts as another
    form of a title only where the article's beginning has it, or the two share a telling word or
    their initials.
    """

    @lru_cache(maxsize=512)
    def aliases(name: str) -> tuple[str, ...]:
        article = titles.find(name) if name.strip() else None
        if article is None:
            return _institution(name, titles)
        if article.disambiguation:
            return ()
        title, lead = article.revision.title, article.text[:_LEAD]
        bare = re.sub(r"\s*\([^()]*\)$", "", title)

        def is_form(other: str) -> bool:
            return _related(other, bare) or spoken(other, lead) == "whole"

        if not is_form(name):
            return ()
        forms = (title, bare, *(other for other in article.redirects if is_form(other)))
        return tuple(form for form in dict.fromkeys(forms) if form != name)

    return aliases


INSTITUTIONS = ("University", "College", "Institute", "Museum", "Hospital")
"""What an institution's name may be left without: "Elm", for Elm College."""


def _institution(name: str, titles: Titles) -> tuple[str, ...]:
    """The one institution that a word may be short for which no article is called by: "Elm College"."""
    if not name[:1].isupper() or len(name.split()) != 1:
        return ()
    called = [f"{name} {kind}" for kind in INSTITUTIONS]
    found = [one for one in called if titles.find(one) is not None]
    return tuple(found) if len(found) == 1 else ()


def _related(name: str, title: str) -> bool:
    mine, theirs = (_telling(text) for text in (name, title))
    if not mine or not theirs:
        return False
    if set(mine) == set(theirs) or "".join(mine) == "".join(theirs):
        return True
    initials = ["".join(word[0] for word in words) for words in (mine, theirs)]
    return "".join(mine) == initials[1] or "".join(theirs) == initials[0]


def _telling(text: str) -> list[str]:
    words = re.findall(r"[^\W_]+", fold(text))
    return [word for word in words if word not in _LINK and word not in ("the", "and")]
