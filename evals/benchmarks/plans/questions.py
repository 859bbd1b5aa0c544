"""What a step asks for: somebody, a time, a place, a number, or the thing that it names.

Two questions of the same names and nouns lie near each other whatever they ask: "Who built it?" and
"When was it built?". The interrogatives of a language are few and have a grammar, which tells them
apart: one that asks who never asks how many.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

Kind = Literal["one", "time", "place", "number", "manner", "thing"]
Near = Callable[[str, str], bool]
"""Whether two words mean nearly the same."""
_WORD = re.compile(r"\{[\w.]+\}|[^\W_][\w'’.-]*[^\W_]|[^\W_]|[,;]")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BE = _set("is are was were be been")
_AUXILIARIES = _BE | _set("do does did has have had can could will would may might")
_LEADING = _set("the a an its their his her each of these those current currently")
_ENDS = _AUXILIARIES | _set(
    "of in on at by to for from with that which who whom whose when where and or , ; the a an into "
    "under over through between during after before than as"
)
_TIMES = _set("year date day month decade centuri birthday birthdat")
"""As stems."""
_NUMBERS = _set("number amount quantiti")
"""As stems."""
_NAMED = _NUMBERS | {"name"}
"""Of something else, which is what is asked for."""
_INTERROGATIVES: dict[str, Kind] = {
    "who": "one", "whom": "one", "whose": "one", "when": "time", "where": "place", "why": "manner",
    "how": "manner", "what": "thing", "which": "thing",
}  # fmt: skip
_RELATIVE = frozenset(("who", "whom", "whose", "which", "where", "when"))
_APART: frozenset[frozenset[Kind]] = frozenset(
    frozenset(pair)
    for pair in (
        ("one", "time"), ("one", "place"), ("one", "number"), ("one", "manner"), ("time", "place"),
        ("time", "number"), ("time", "thing"), ("time", "manner"), ("place", "number"),
        ("place", "manner"), ("number", "manner"),
    )
)  # fmt: skip
"""What no question asks for at once."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that a question asks for."""

    kinds: frozenset[Kind]
    nouns: tuple[str, ...] = ()
    """The words that name it, as stems: "largest", "moon"; of somebody, what they do."""
    head: str = ""
    """The noun among them: "moon"."""
    verb: str = ""
    """What somebody who is asked for does, as it is written: "discovered"."""


def ask_the_same(first: str, second: str, near: Near) -> bool:
    """Whether two questions may ask for the same; true where one has no interrogative.

    Args:
        first: a question.
        second: another of the same names.
        near: tells whether two words mean nearly the same.
    """
    one, other = asked_for(first), asked_for(second)
    if not one or not other:
        return True
    words, others = _stems(first), _stems(second)
    return any(_agree(a, b, words, others, near) for a in one for b in other)


def asked_for(question: str) -> tuple[Asked, ...]:
    """Return what a question asks for; a relative clause asks for nothing."""
    words = _WORD.findall(question)
    found: list[Asked] = []
    for place, word in enumerate(words):
        bare = word.casefold()
        if bare not in _INTERROGATIVES or (found and _is_relative(words, place)):
            continue
        # "The city in which" has a relative, "In which city" has not.
        if not found and bare in _RELATIVE and _is_relative(words, place):
            continue
        found.append(_asked(bare, words[place + 1 :]))
    return tuple(found)


def _is_relative(words: list[str], place: int) -> bool:
    """Whether an interrogative stands behind a noun, directly or with a preposition between."""
    if words[place].casefold() not in _RELATIVE:
        return False
    before = [word.casefold() for word in words[:place]]
    while before and before[-1] in _ENDS - {",", ";", "and", "or"}:
        before.pop()
    return bool(before) and before[-1] not in (",", ";", "and", "or")


def _asked(word: str, after: list[str]) -> Asked:
    kind = _INTERROGATIVES[word]
    rest = [one.casefold() for one in after]
    first = rest[0] if rest else ""
    if word == "how":
        if first == "old":
            return Asked(frozenset(("number", "time")))
        if not first or first in _AUXILIARIES:
            return Asked(frozenset(("manner",)))
        return _named("number", after[1:] if first in ("many", "much") else after)
    if word in ("who", "whom"):
        if first in _BE and not (rest[1:] and rest[1].endswith("ed")):
            return _named(kind, after[1:])
        done = (one for one in rest if one not in _AUXILIARIES and one not in _LEADING)
        verb = next(done, "")
        # Who designed it is its designer.
        return Asked(frozenset((kind,)), _stem(verb), verb=verb)
    if kind != "thing":
        return Asked(frozenset((kind,)))
    found = _named(kind, after[1:] if first in _AUXILIARIES else after)
    while found.head in _NAMED and "of" in rest:
        after = after[rest.index("of") + 1 :]
        rest = rest[rest.index("of") + 1 :]
        found = _named("number" if found.head in _NUMBERS else kind, after)
    return found if _TIMES.isdisjoint(found.nouns) else Asked(frozenset(("time",)))


def _named(kind: Kind, words: list[str]) -> Asked:
    """Return what the phrase that words begin with names: no names, numbers or articles."""
    nouns: list[str] = []
    begun, end = False, ""
    for word in words:
        bare = word.casefold()
        if not begun and (bare in _LEADING or word.startswith("{")):
            continue
        if bare in _ENDS:
            end = bare
            break
        begun = True
        if word[0].islower():
            nouns += _stem(bare)
    # Before a verb of its own the noun is not the last word: "which novels won".
    head = nouns[-1 if end in _AUXILIARIES or end in ("of", "", ",") else 0] if nouns else ""
    return Asked(frozenset((kind,)), tuple(nouns), head)


def _agree(a: Asked, b: Asked, words: set[str], others: set[str], near: Near) -> bool:
    if all(frozenset((x, y)) in _APART for x in a.kinds for y in b.kinds):
        return False
    # "Which of the lakes is the deepest" names nothing before its verb.
    unnamed = any(not one.nouns and "thing" in one.kinds for one in (a, b))
    if unnamed or not set(a.nouns).isdisjoint(b.nouns):
        return True
    # What one asks for, the other speaks of and asks for something else.
    if a.head in others or b.head in words:
        return False
    return a.kinds == b.kinds or all(
        any(near(asked.verb, word) for word in said)
        for asked, said in ((a, others), (b, words))
        if asked.verb
    )


def _stems(text: str) -> set[str]:
    return {stem for word in _WORD.findall(text) if word[0].islower() for stem in _stem(word)}


@cache
def _stem(word: str) -> tuple[str, ...]:
    from retrieval.terms.analyzers import analyzer

    return tuple(analyzer("en")(word))
