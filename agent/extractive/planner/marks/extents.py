"""Extents of marks brought in line with the guide where the tagger cut them short.

A span ends with no preposition, a clause that is asked takes in its verb, a list all of its names,
what follows a set without a mark of its own narrows it, and nothing named is left outside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.language import words
from agent.extractive.language.spelling import is_clause
from agent.extractive.language.verbs import is_past, verb_base
from agent.extractive.planner.marks.types import Mark

THINGS = frozenset(["S", "M", "B"])
_WORD = re.compile(r"[^\W_][^\s,;:?!()\[\]–—/=]*")
_LISTED = re.compile(r"\s*(?:,\s*(?:and|or|&|n)?|\band\b|\bor\b|&|\+|\bn\b)\s*(?:the\s+)?", re.I)
_NEGATED = re.compile(r"\b(?:not|never|no|without|nor)\b|n['’]t\b", re.IGNORECASE)
_JOINS = frozenset(["and", "or", "but", "plus", "n", "also", "then", "&"])
_STOPS = _JOINS | words.WH | {"if", "wen", "hw", "with", "w"}
"""Words that begin what is no longer part of a clause."""
_HANGING = (words.PREPOSITION | words.DETERMINER | words.RELATIVE | _JOINS) - {
    "each", "all", "both", "those", "these", "her", "that", "any", "some",
}  # fmt: skip
"""Words that no span ends with."""
_SUBORDINATE = frozenset(
    ["before", "after", "while", "although", "because", "until", "since", "if"]
)
_COUNTING = re.compile(
    r"\bhow (?:many|much)(?: [a-z][\w-]*){0,3} (?:do|does|did|is|are|was|were|has|have|had) $",
    re.IGNORECASE,
)
_POINTING = frozenset(["that", "this", "these", "those"])


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question and where it stands."""

    text: str
    start: int
    end: int


def words_of(question: str) -> list[Word]:
    """The words of a question, without the punctuation around them."""
    found = []
    for match in _WORD.finditer(question):
        said = match[0].rstrip(".'\"”’")
        if said:
            found.append(Word(said, match.start(), match.start() + len(said)))
    return found


def completed(question: str, marks: Sequence[Mark], *, several: bool) -> list[Mark]:
    """Marks whose extents hold to the guide.

    Args:
        question: the marked text.
        marks: of the tagger.
        several: whether the values of several things are computed with.
    """
    return _Extents(question, list(marks)).completed(several)


def left_out(question: str, marks: Sequence[Mark]) -> list[str]:
    """Names and numbers of a question that stand outside every mark.

    The first word counts only where it is a number: any word may open a question.
    """
    found = []
    for place, word in enumerate(words_of(question)):
        if any(mark.start <= word.start and word.end <= mark.end for mark in marks):
            continue
        named = word.text[:1].isupper() and place and word.text.lower() not in _COMMON
        if (named and not _opens(question, word)) or re.search(r"\d", word.text):
            found.append(word.text)
    return found


_COMMON = words.WH | words.AUXILIARY | words.DETERMINER | words.PREPOSITION | {"i", "i'm", "i'd"}


def _opens(question: str, word: Word) -> bool:
    """Whether a word begins a sentence."""
    return re.search(r"(?:^|[.?!:;–—-])\s*$", question[: word.start]) is not None


def said_of(mark: Mark, marks: Sequence[Mark]) -> bool:
    """Whether a mark is the last of the things of a question."""
    return mark.end == max(one.end for one in marks)


def is_finite(word: str) -> bool:
    """Whether a word may be the verb of a predicate."""
    return is_past(word) or verb_base(word) is not None


class _Extents:
    def __init__(self, question: str, marks: list[Mark]) -> None:
        self.question = question
        self.words = words_of(question)
        self.marks = marks

    def completed(self, several: bool) -> list[Mark]:
        for mark in sorted(self.marks, key=lambda mark: mark.start):
            if mark not in self.marks:
                continue
            asks = mark.label == "A" and is_clause(self._said(mark))
            whole = asks or (mark.label[0] == "C" and self._is_root(mark))
            longer = self._clause(mark) if whole else self._unhanged(mark)
            if mark.label == "A" and not asks and self._is_root(mark):
                if self._said(mark).split()[0].lower() in _SUBORDINATE:
                    self.marks.remove(mark)  # "before it was named after coffee": asks nothing
                    continue
                longer = self._counting(longer)
            if longer.label == "S":
                longer = self._related(longer)
            if longer.label in THINGS:
                longer = self._subject(longer)
            if longer.label == "M":
                longer = self._named(longer)
            if longer.label.startswith("R"):
                longer = self._pointing(longer)
            if longer.label[0] == "K":
                longer = self._ranked(longer)
            self._put(mark, longer)
        self._pointers()
        self._relabelled()
        asked = any(mark.label[0] in "ACK" for mark in self.marks)
        for mark in [one for one in self.marks if one.label in THINGS and self._is_root(one)]:
            if (mark.label == "S" and not several) or (
                asked is False and said_of(mark, self.marks)
            ):
                condition = self._narrowing(mark)
                if condition is not None and self._said(condition).lower().startswith("of "):
                    self._put(mark, replace(mark, end=condition.end))  # "the moons of Saturn"
                elif condition is not None:
                    self.marks.append(condition)
        return self.marks

    def _pointers(self) -> None:
        """Two words that point at the same with "of" between as one: "each of them"."""
        pointers = sorted((m for m in self.marks if m.label[0] == "R"), key=lambda m: m.start)
        for one, other in pairwise(pointers):
            if self.question[one.end : other.start].strip().lower() == "of":
                self.marks.remove(other)
                self._put(one, replace(one, end=other.end))

    def _counting(self, mark: Mark) -> Mark:
        """A clause from its question words: "how many days did [travellers have to wait]"."""
        opening = _COUNTING.search(self.question[: mark.start])
        if opening is None or any(
            one.start < mark.start and opening.start() < one.end for one in self.marks
        ):
            return mark
        return replace(self._clause(replace(mark, start=opening.start())), start=opening.start())

    def _relabelled(self) -> None:
        """A predicate that follows its set is a condition; a description that is a set, a set."""
        for mark in list(self.marks):
            said = self._said(mark).split()[0].lower()
            if mark.label == "A" and not is_clause(self._said(mark)) and self._is_root(mark):
                before = [one for one in self.marks if one.label == "S" and one.end < mark.start]
                before.sort(key=lambda one: one.end)
                gap = self.question[before[-1].end : mark.start] if before else "?"
                if not gap.strip() and self._is_root(before[-1]) and is_finite(said):
                    self._put(mark, replace(mark, label="C"))
            elif mark.label == "A" and self._is_root(mark) and said in ("which", "what"):
                opened = mark.start + len(said) + 1
                inner = self._mark_at(opened)
                after = self._next(inner.end) if inner is not None else None
                if inner is not None and inner.label == "S" and after and after.start < mark.end:
                    # "Which [S lakes] [C touch Canada]" keeps members.
                    self._put(mark, replace(mark, label="C", start=after.start))
            elif mark.label == "B":
                for inner in self.marks:
                    if inner.label == "S" and inner.start == mark.start and inner.end < mark.end:
                        self.marks.remove(mark)
                        self._put(inner, replace(inner, end=mark.end))
                        break

    def _put(self, old: Mark, new: Mark) -> None:
        if new != old:
            self.marks[self.marks.index(old)] = new

    def _said(self, mark: Mark) -> str:
        return self.question[mark.start : mark.end]

    def _is_root(self, mark: Mark) -> bool:
        return self._around(mark) is None

    def _around(self, mark: Mark) -> Mark | None:
        """The narrowest mark around a mark."""
        around = [
            other for other in self.marks
            if other is not mark and other.start <= mark.start and mark.end <= other.end
            and (other.start, other.end) != (mark.start, mark.end)
        ]  # fmt: skip
        return min(around, key=lambda other: other.end - other.start, default=None)

    def _next(self, end: int) -> Word | None:
        """The word right after a place, None where punctuation or the end comes first."""
        following = next((word for word in self.words if word.start >= end), None)
        if following is None or self.question[end : following.start].strip(" \"“”'’"):
            return None
        return following

    def _mark_at(self, place: int) -> Mark | None:
        """The widest mark that begins at a place."""
        begun = [mark for mark in self.marks if mark.start == place]
        return max(begun, key=lambda mark: mark.end, default=None)

    def _unhanged(self, mark: Mark) -> Mark:
        """A span that does not end with a preposition, an article or "and"."""
        while True:
            last = self._said(mark).split()[-1].lower()
            following = self._next(mark.end)
            if last not in _HANGING or following is None or len(self._said(mark).split()) == 1:
                return mark
            marked = self._mark_at(following.start)
            noun = following.text[:1].isupper() or following.text.lower() in words.DETERMINER
            named = noun or (marked is not None and marked.label in THINGS)
            if last in words.PREPOSITION and not named:
                return mark  # "the plant that rubber comes from"
            mark = replace(mark, end=self._name_from(following))

    def _name_from(self, word: Word) -> int:
        """Where the thing ends that begins with a word: its mark, its list, its capitals."""
        marked = self._mark_at(word.start)
        if marked is not None and marked.label in THINGS:
            return self._list_from(marked)
        end = word.end
        following = self._next(end)
        while word.text[:1].isupper() and following is not None and following.text[:1].isupper():
            end = following.end
            following = self._next(end)
        return end

    def _list_from(self, mark: Mark) -> int:
        """Where a list of marked things ends."""
        end = mark.end
        while True:
            joined = _LISTED.match(self.question, end)
            following = self._mark_at(joined.end()) if joined and joined.end() > end else None
            if following is None or following.label not in THINGS:
                return end
            end = following.end

    def _clause(self, mark: Mark) -> Mark:
        """A clause with what it asks about and its verb."""
        end = mark.end
        listed = [one for one in self.marks if one.end == end and one.label in THINGS]
        if listed:
            end = self._list_from(listed[0])
        while (following := self._next(end)) is not None:
            if following.text.lower() in _STOPS:
                break
            marked = self._mark_at(following.start)
            if marked is None:
                after = self._next(following.end)
                led = self._mark_at(after.start) if after is not None else None
                if mark.label[0] == "C" and led is not None and led.label[0] in "AR":
                    break  # "made of iron with [A spans]"
                end = following.end
            elif marked.label in THINGS or marked.label.startswith("R"):
                end = self._list_from(marked) if marked.label in THINGS else marked.end
            else:
                break
        return replace(mark, end=max(end, mark.end))

    def _subject(self, mark: Mark) -> Mark:
        """The subject of a clause with its prepositional phrases, up to its verb."""
        around = self._around(mark)
        before = self.question[: mark.start].split()[-1:]
        following = self._next(mark.end)
        if around is None or around.label != "A" or following is None or not before:
            return mark
        if before[0].lower() not in words.AUXILIARY or following.end >= around.end:
            return mark
        if following.text.lower() not in words.PREPOSITION:
            return mark
        named = self._next(following.end)
        if named is None or not named.text[:1].isupper():
            return mark
        end = self._name_from(named)
        return replace(mark, end=end) if end < around.end else mark

    def _pointing(self, mark: Mark) -> Mark:
        """A word that points back with its noun: "that person", "each one"."""
        following = self._next(mark.end)
        if following is not None and following.text.lower() in ("one", "ones"):
            return replace(mark, end=following.end)
        if self._said(mark).lower() not in _POINTING or following is None:
            return mark
        noun = following.text.lower() in KINDS_OF_THING and self._mark_at(following.start) is None
        return replace(mark, end=following.end) if noun else mark

    def _ranked(self, mark: Mark) -> Mark:
        """A superlative with the noun it ranks by: "has the larger population, X or Y"."""
        before = self.question[: mark.start].split()[-1:]
        if not before or before[0].lower() not in words.HAVE:
            return mark
        while (following := self._next(mark.end)) is not None:
            marked = self._mark_at(following.start) is not None
            if marked or not following.text.islower() or following.text in words.FUNCTION_WORDS:
                break
            mark = replace(mark, end=following.end)
        return mark

    def _named(self, mark: Mark) -> Mark:
        """A name with the capitals before it: "The Marriage of Figaro"."""
        before = [
            word for word in self.words
            if word.end <= mark.start
            and not any(one.start > word.start and one.end <= mark.start for one in self.marks)
        ]  # fmt: skip
        start = mark.start
        for word in reversed(before):
            between = self.question[word.end : start]
            joins = word.text.lower() in ("of", "the", "de")
            capital = word.text[:1].isupper() and not _opens(self.question, word)
            taken = any(one.start <= word.start < one.end <= mark.start for one in self.marks)
            if between.strip() or taken or not (capital or joins):
                break
            if capital:
                mark, start = replace(mark, start=word.start), word.start
            else:
                start = word.start
        return mark

    def _related(self, mark: Mark) -> Mark:
        """A set inside a description with the relative clause that ends it."""
        around = self._around(mark)
        following = self._next(mark.end)
        if around is None or around.label != "B" or following is None:
            return mark
        if following.text.lower() in ("that", "which", "who") and following.end < around.end:
            return replace(mark, end=around.end)
        return mark

    def _narrowing(self, mark: Mark) -> Mark | None:
        """What stands after a set, unmarked, as the condition that it is."""
        following = self._next(mark.end)
        if following is None or following.text.lower() in _JOINS | words.WH:
            return None
        if self._mark_at(following.start) is not None:
            return None
        start, end = following.start, following.end
        said = [following.text.lower()]
        while (following := self._next(end)) is not None:
            marked = self._mark_at(following.start)
            if following.text.lower() in _JOINS or (marked and marked.label not in THINGS):
                break
            end = self._list_from(marked) if marked is not None else following.end
            said.append(following.text.lower())
        after = self._mark_at(self._start_after(end))
        if after is not None and after.label[0] in "ACK" and said[-1] in words.AUXILIARY:
            return None
        telling = [one for one in said if one not in _EMPTY]
        if not telling or _SPEAKERS & set(said):
            return None
        label = "C-" if _NEGATED.search(self.question[start:end]) else "C"
        return Mark(label=label, start=start, end=end, sure=mark.sure)

    def _start_after(self, end: int) -> int:
        following = self._next(end)
        return following.start if following is not None else -1


_SPEAKERS = frozenset(["me", "us", "you", "please", "i", "we"])
"""Words of those who talk, not of what is talked about."""
_EMPTY = (
    words.AUXILIARY | words.WH | words.DETERMINER | words.PREPOSITION | words.CONJUNCTION
    | words.word_set("there please exist existing today now ones one them they it total together")
)  # fmt: skip
