"""Extents of marks brought in line with the guide where the tagger cut them short.

A span ends with no preposition, a clause that is asked takes in its verb, a list all of its names,
what follows a set without a mark of its own narrows it, and nothing named is left outside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.language import words
from agent.extractive.language.degrees import degree_of
from agent.extractive.language.spelling import is_clause
from agent.extractive.language.verbs import is_past, verb_base
from agent.extractive.planner.marks.question import (
    THINGS,
    MarkedQuestion,
    opens,
)
from agent.extractive.planner.marks.types import Mark

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


def completed(question: str, marks: Sequence[Mark], *, several: bool) -> list[Mark]:
    """Marks whose extents hold to the guide.

    Args:
        question: the marked text.
        marks: of the tagger.
        several: whether the values of several things are computed with.
    """
    said = [mark for mark in marks if question[mark.start : mark.end].strip()]
    return _Extents(question, said).completed(several)


def said_of(mark: Mark, marks: Sequence[Mark]) -> bool:
    """Whether a mark is the last of the things of a question."""
    return mark.end == max(one.end for one in marks)


def is_finite(word: str) -> bool:
    """Whether a word may be the verb of a predicate."""
    return is_past(word) or verb_base(word) is not None


class _Extents(MarkedQuestion):
    def completed(self, several: bool) -> list[Mark]:
        for mark in sorted(self.marks, key=lambda mark: mark.start):
            if mark not in self.marks:
                continue
            asks = mark.label == "A" and is_clause(self.said(mark))
            whole = asks or (mark.label[0] == "C" and self.is_root(mark))
            longer = self._clause(mark) if whole else self._unhanged(mark)
            if mark.label == "A" and not asks and self.is_root(mark):
                if self.said(mark).split()[0].lower() in _SUBORDINATE:
                    self.marks.remove(mark)  # "before it was named after coffee": asks nothing
                    continue
                longer = self._counting(longer)
            longer = self._extreme(longer)
            if longer.label == "S":
                longer = self._related(longer)
            if longer.label in THINGS:
                longer = self._subject(longer)
            longer = self._of_kind(longer)
            if longer.label == "M":
                longer = self._named(longer)
            if longer.label.startswith("R"):
                longer = self._pointing(longer)
            if longer.label[0] == "K":
                longer = self._ranked(longer)
            self.put(mark, longer)
        self._pointers()
        self._relabelled()
        asked = any(mark.label[0] in "ACK" for mark in self.marks)
        for mark in [one for one in self.marks if one.label in THINGS and self.is_root(one)]:
            if (mark.label == "S" and not several) or (
                asked is False and said_of(mark, self.marks)
            ):
                condition = self._narrowing(mark)
                if condition is not None and self.said(condition).lower().startswith("of "):
                    self.put(mark, replace(mark, end=condition.end))  # "the moons of Saturn"
                elif condition is not None:
                    self.marks.append(condition)
        return self.marks

    def _pointers(self) -> None:
        """Two words that point at the same with "of" between as one: "each of them"."""
        pointers = sorted((m for m in self.marks if m.label[0] == "R"), key=lambda m: m.start)
        for one, other in pairwise(pointers):
            if self.question[one.end : other.start].strip().lower() == "of":
                self.marks.remove(other)
                self.put(one, replace(one, end=other.end))

    def _counting(self, mark: Mark) -> Mark:
        """A clause from its question words: "how many days did [travellers have to wait]"."""
        opening = _COUNTING.search(self.question[: mark.start])
        if opening is None or any(
            one.start < mark.start and opening.start() < one.end for one in self.marks
        ):
            return mark
        return replace(self._clause(replace(mark, start=opening.start())), start=opening.start())

    def _extreme(self, mark: Mark) -> Mark:
        """What is asked with the noun of its superlative: "[A highest] mountain of each"."""
        if mark.label != "A" or not all(map(words.is_superlative, self.said(mark).split())):
            return mark
        while (following := self.word_after(mark.end)) is not None:
            marked = self.mark_at(following.start) is not None
            if marked or not following.text.islower() or following.text in words.FUNCTION_WORDS:
                break
            mark = replace(mark, end=following.end)
        return mark

    def _relabelled(self) -> None:
        """A predicate that follows its set is a condition; a description that is a set, a set."""
        for mark in list(self.marks):
            said = self.said(mark).split()[0].lower()
            predicate = said in words.AUXILIARY or not is_clause(self.said(mark))
            if mark.label == "A" and predicate and self.is_root(mark):
                before = [one for one in self.marks if one.label == "S" and one.end < mark.start]
                before.sort(key=lambda one: one.end)
                gap = self.question[before[-1].end : mark.start] if before else "?"
                if (
                    not gap.strip()
                    and self.is_root(before[-1])
                    and (said in words.AUXILIARY or is_finite(said))
                ):
                    self.put(mark, replace(mark, label="C"))
            elif mark.label == "A" and self.is_root(mark) and said in ("which", "what"):
                opened = mark.start + len(said) + 1
                inner = self.mark_at(opened)
                after = self.word_after(inner.end) if inner is not None else None
                if inner is not None and inner.label == "S" and after and after.start < mark.end:
                    # "Which [S lakes] [C touch Canada]" keeps members.
                    self.put(mark, replace(mark, label="C", start=after.start))
            elif mark.label == "B":
                for inner in self.marks:
                    if inner.label == "S" and inner.start == mark.start and inner.end < mark.end:
                        self.marks.remove(mark)
                        self.put(inner, replace(inner, end=mark.end))
                        break

    def _unhanged(self, mark: Mark) -> Mark:
        """A span that does not end with a preposition, an article or "and"."""
        while True:
            last = self.said(mark).split()[-1].lower()
            following = self.word_after(mark.end)
            if last not in _HANGING or following is None or len(self.said(mark).split()) == 1:
                return mark
            marked = self.mark_at(following.start)
            noun = following.text[:1].isupper() or following.text.lower() in words.DETERMINER
            named = noun or (marked is not None and marked.label in THINGS)
            if last in words.PREPOSITION and not named:
                return mark  # "the plant that rubber comes from"
            mark = replace(mark, end=self.name_from(following))

    def _clause(self, mark: Mark) -> Mark:
        """A clause with what it asks about and its verb."""
        end = mark.end
        listed = [one for one in self.marks if one.end == end and one.label in THINGS]
        if listed:
            end = self.list_from(listed[0])
        while (following := self.word_after(end)) is not None:
            if following.text.lower() in _STOPS:
                break
            marked = self.mark_at(following.start)
            if marked is None:
                after = self.word_after(following.end)
                led = self.mark_at(after.start) if after is not None else None
                if mark.label[0] == "C" and led is not None and led.label[0] in "AR":
                    break  # "made of iron with [A spans]"
                end = following.end
            elif marked.label in THINGS or marked.label.startswith("R"):
                end = self.list_from(marked) if marked.label in THINGS else marked.end
            else:
                break
        return replace(mark, end=max(end, mark.end))

    def _subject(self, mark: Mark) -> Mark:
        """The subject of a clause with its prepositional phrases, up to its verb."""
        around = self.around(mark)
        before = self.question[: mark.start].split()[-1:]
        following = self.word_after(mark.end)
        if around is None or around.label != "A" or following is None or not before:
            return mark
        if before[0].lower() not in words.AUXILIARY or following.end >= around.end:
            return mark
        if following.text.lower() not in words.PREPOSITION:
            return mark
        named = self.word_after(following.end)
        if named is None or not named.text[:1].isupper():
            return mark
        end = self.name_from(named)
        return replace(mark, end=end) if end < around.end else mark

    def _pointing(self, mark: Mark) -> Mark:
        """A word that points back with its noun: "that person", "each one", "the older one"."""
        following = self.word_after(mark.end)
        if following is not None and self.said(mark).lower() == "the":
            compared = degree_of(following.text)
            one = self.word_after(following.end) if compared else None
            if one is not None and one.text.lower() in ("one", "ones"):
                return replace(mark, end=one.end)
        if following is not None and following.text.lower() in ("one", "ones"):
            return replace(mark, end=following.end)
        if self.said(mark).lower() not in _POINTING or following is None:
            return mark
        noun = following.text.lower() in KINDS_OF_THING and self.mark_at(following.start) is None
        return replace(mark, end=following.end) if noun else mark

    def _ranked(self, mark: Mark) -> Mark:
        """A superlative with the noun it ranks by: "has the larger population, X or Y"."""
        before = self.question[: mark.start].split()[-1:]
        if not before or before[0].lower() not in words.HAVE:
            return mark
        while (following := self.word_after(mark.end)) is not None:
            marked = self.mark_at(following.start) is not None
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
            capital = word.text[:1].isupper() and not opens(self.question, word)
            taken = any(one.start <= word.start < one.end <= mark.start for one in self.marks)
            if between.strip() or taken or not (capital or joins):
                break
            if capital:
                mark, start = replace(mark, start=word.start), word.start
            else:
                start = word.start
        following = self.word_after(mark.end)
        if following is not None and re.fullmatch(r"\d{1,3}|[IVX]+", following.text):
            numbered = self.mark_at(following.start) is None and self.said(mark).split()[-1]
            if numbered and numbered[:1].isupper():
                return replace(mark, end=following.end)  # "Apollo | 17"
        return mark

    def _of_kind(self, mark: Mark) -> Mark:
        """A kind of thing with the name that it stands before, as one name: "the planet | Mercury"."""
        kind = re.fullmatch(r"(?:the )?([a-z]+)", self.said(mark))
        following = self.word_after(mark.end)
        if mark.label != "B" or kind is None or kind[1] not in KINDS_OF_THING or not following:
            return mark
        if not following.text[:1].isupper() or self.mark_at(following.start) is not None:
            return mark
        return replace(mark, label="M", end=self.name_from(following), sure=1.0)

    def _related(self, mark: Mark) -> Mark:
        """A set inside a description with the relative clause that ends it."""
        around = self.around(mark)
        following = self.word_after(mark.end)
        if around is None or around.label != "B" or following is None:
            return mark
        if following.text.lower() in ("that", "which", "who") and following.end < around.end:
            return replace(mark, end=around.end)
        return mark

    def _narrowing(self, mark: Mark) -> Mark | None:
        """What stands after a set, unmarked, as the condition that it is."""
        following = self.word_after(mark.end)
        if following is None or following.text.lower() in _JOINS | words.WH:
            return None
        if self.mark_at(following.start) is not None:
            return None
        start, end = following.start, following.end
        said = [following.text.lower()]
        while (following := self.word_after(end)) is not None:
            marked = self.mark_at(following.start)
            if following.text.lower() in _JOINS or (marked and marked.label not in THINGS):
                break
            end = self.list_from(marked) if marked is not None else following.end
            said.append(following.text.lower())
        after = self.mark_at(self.start_after(end))
        if after is not None and after.label[0] in "ACK" and said[-1] in words.AUXILIARY:
            return None
        telling = [one for one in said if one not in _EMPTY]
        if not telling or _SPEAKERS & set(said):
            return None
        label = "C-" if _NEGATED.search(self.question[start:end]) else "C"
        return Mark(label=label, start=start, end=end, sure=mark.sure)


_SPEAKERS = frozenset(["me", "us", "you", "please", "i", "we"])
"""Words of those who talk, not of what is talked about."""
_EMPTY = (
    words.AUXILIARY | words.WH | words.DETERMINER | words.PREPOSITION | words.CONJUNCTION
    | words.word_set("there please exist existing today now ones one them they it total together")
)  # fmt: skip
