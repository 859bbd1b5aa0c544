"""A question with its words and its marks: which stands where, and what is left outside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.extractive.language import words
from agent.extractive.planner.marks.types import Mark, around

THINGS = frozenset(["S", "M", "B"])
CAPITALS = r"[A-Z][\w'’.-]*(?:\s+(?:(?:of|the|de|la)\s+)?[A-Z\d][\w'’.-]*)*"
"""A name, by its capitals."""
_WORD = re.compile(r"[^\W_][^\s,;:?!()\[\]–—/=]*")
LISTED = re.compile(r"\s*(?:,\s*(?:and|or|&|n)?|\band\b|\bor\b|&|\+|\bn\b)\s*(?:the\s+)?", re.I)


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


def left_out(question: str, marks: Sequence[Mark]) -> list[str]:
    """Names and numbers of a question that stand outside every mark.

    The first word counts only where it is a number: any word may open a question.
    """
    found = []
    for place, word in enumerate(words_of(question)):
        if any(mark.start <= word.start and word.end <= mark.end for mark in marks):
            continue
        named = word.text[:1].isupper() and place and word.text.lower() not in _COMMON
        if (named and not opens(question, word)) or re.search(r"\d", word.text):
            found.append(word.text)
    return found


_COMMON = words.WH | words.AUXILIARY | words.DETERMINER | words.PREPOSITION | {"i", "i'm", "i'd"}


def opens(question: str, word: Word) -> bool:
    """Whether a word begins a sentence."""
    return re.search(r"(?:^|[.?!:;–—-])\s*$", question[: word.start]) is not None


class MarkedQuestion:
    """A question and its marks, which may be put in place of one another."""

    def __init__(self, question: str, marks: list[Mark]) -> None:
        self.question = question
        self.words = words_of(question)
        self.marks = marks

    def put(self, old: Mark, new: Mark) -> None:
        """Put one mark in place of another."""
        if new != old:
            self.marks[self.marks.index(old)] = new

    def said(self, mark: Mark) -> str:
        """The words of a mark."""
        return self.question[mark.start : mark.end]

    def is_root(self, mark: Mark) -> bool:
        """Whether a mark stands inside no other."""
        return self.around(mark) is None

    def around(self, mark: Mark) -> Mark | None:
        """The narrowest mark around a mark."""
        return around(mark, self.marks)

    def word_after(self, end: int) -> Word | None:
        """The word right after a place, None where punctuation or the end comes first."""
        following = next((word for word in self.words if word.start >= end), None)
        if following is None or self.question[end : following.start].strip(" \"“”'’"):
            return None
        return following

    def mark_at(self, place: int) -> Mark | None:
        """The widest mark that begins at a place."""
        begun = [mark for mark in self.marks if mark.start == place]
        return max(begun, key=lambda mark: mark.end, default=None)

    def name_from(self, word: Word) -> int:
        """Where the thing ends that begins with a word: its mark, its list, its capitals."""
        marked = self.mark_at(word.start)
        if marked is not None and marked.label in THINGS:
            return self.list_from(marked)
        end = word.end
        following = self.word_after(end)
        while word.text[:1].isupper() and following is not None and following.text[:1].isupper():
            end = following.end
            following = self.word_after(end)
        return end

    def list_from(self, mark: Mark) -> int:
        """Where a list of marked things ends."""
        end = mark.end
        while True:
            joined = LISTED.match(self.question, end)
            following = self.mark_at(joined.end()) if joined and joined.end() > end else None
            if following is None or following.label not in THINGS:
                return end
            end = following.end

    def start_after(self, end: int) -> int:
        """Where the word right after a place begins, −1 where there is none."""
        following = self.word_after(end)
        return following.start if following is not None else -1
