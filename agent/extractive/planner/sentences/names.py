"""The names in a sentence."""

from __future__ import annotations

import re

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.language import verbs, words

NAME = r"[A-ZÀ-Þ](?:[\w'’-]|\.(?=\w))*(?: (?:of (?:the )?|de (?:la )?)?(?:[A-ZÀ-Þ](?:[\w'’-]|\.(?=\w))*|\d{1,2}\b))*"
DAYS = (
    "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|"
    "July|August|September|October|November|December|Christmas|Easter|I|I['’]\\w+|English|Internet"
)
_GROUP = re.compile(
    rf"(?:the )?\b(?!(?:{DAYS})\b){NAME}"
    rf"(?:(?:,| and| or| &|, and) (?:(?:at|in|to|of|for) )?(?:the )?{NAME})*"
    rf"(?: (?:in|of|at|near) (?:the )?{NAME})?"
)
_LISTED = re.compile(r",(?: and)? |\s+(?:and|or|&) ")
_BUILT = KINDS_OF_THING | words.word_set(
    """tunnel tower pass palace castle canal valley dam glacier temple war railway line theatre theater
    hall house cathedral abbey monastery pyramid wall telescope mission spacecraft probe rocket ship
    treaty prize award cup race strait falls desert forest park hospital library"""
)
"""Nouns that end a name that is written with one: "the Gotthard tunnel"."""
OPENINGS = words.word_set(
    """yesterday today tomorrow last next this that there once recently lately now everybody everyone
    someone somebody people nobody printing seven two three four five several some many most only"""
)


def names_in(sentence: str) -> list[str]:
    """The names of a sentence, those of a list as one."""
    sentence = re.sub(r"^The (?=[A-ZÀ-Þ])", "the ", sentence)
    opening = re.match(r"\S+", sentence)
    first = opening[0] if opening else ""
    common = first.lower() in words.FUNCTION_WORDS or re.match(r"\S+ [A-Z]", sentence) is None
    subject = first[:1].isupper() and common and _is_subject(sentence, first)
    start = len(first) if common and not subject and first != "the" else 0
    found = []
    for match in _GROUP.finditer(sentence, start):
        kind = (
            re.match(r" ([a-z]+)", sentence[match.end() :]) if match[0].startswith("the ") else None
        )
        found.append(f"{match[0]} {kind[1]}" if kind and kind[1] in _BUILT else match[0])
    return found


def _is_subject(sentence: str, first: str) -> bool:
    """Whether a sentence's first word is a name: a verb, or more names of a list, follow it."""
    if first.lower() in words.FUNCTION_WORDS or first.rstrip(",").lower() in OPENINGS:
        return False
    after = sentence[len(first) :].split()[:1]
    listed = first.endswith(",") or (bool(after) and after[0] in ("and", "or"))
    return listed or (bool(after) and (after[0] in words.AUXILIARY or verbs.is_past(after[0])))


def listed_in(group: str) -> tuple[str, ...]:
    """The names of a list, () for one name."""
    parts = [re.sub(r"^(?:at|in|to|of|for) ", "", one) for one in _LISTED.split(group)]
    return tuple(parts) if len(parts) > 1 else ()
