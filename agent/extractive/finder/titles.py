"""Finds things by what their own articles say: "the rivers that rise in X", "which college was founded by Y"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.kinds import definition
from agent.extractive.finder.parts import GENERIC
from agent.extractive.language.clauses import form_of
from agent.extractive.language.names import without_bracket
from agent.extractive.language.phrases import tokenise
from agent.extractive.language.stems import content_stems, related, stem, words_of

ANYBODY = frozenset(["person", "man", "woman", "people", "thing", "place"])
"""Nouns that no article calls its subject by."""
_DESCRIBES = re.compile(
    r"^(?:what|who|which)\s+(?:are|were|is|was)\s+(?:the\s+)?[^,]+?\s+"
    r"(?:that|which|who|whose|[a-z]+ed)\s+",
    re.IGNORECASE,
)


_ROLE = re.compile(
    r"(?:what|who|which [a-z]+)\s+(?P<verb>is|was)\s+the\s+(?P<role>[a-z][a-z -]*)\s+of\s+"
    r"(?:the\s+)?(?P<thing>[^?]+)\?",
    re.IGNORECASE,
)


_FIRST = re.compile(
    r"[Ww]ho (?:is|was) the (?P<which>first|second|third|fourth|fifth|sixth|last|only) "
    r"(?P<noun>person|human|human being|man|woman|guy) (?P<where>on|in|at) (?:the )?"
    r"(?P<thing>[A-ZÀ-Þ][^?]*)\?"
)


def asks_for_thing(asked: Asked) -> bool:
    """Say whether a thing is asked for by what it does or is: "Which river flows …"."""
    if not asked.noun or not asked.names or asked.noun in ANYBODY:
        return False
    tokens = tokenise(asked.text.rstrip("?"))
    form = form_of(tokens)
    if form.kind == "subject":
        return tokens[0].low in {"which", "what"}
    return form.kind == "copular" and bool(_DESCRIBES.match(asked.text))


def find_titled(
    asked: Asked, facts: Sequence[Fact], lead_of: Callable[[str], str]
) -> list[tuple[str, Fact]]:
    """Return (title, the fact that says it) of the articles that fit what a question describes.

    An article fits where its beginning calls it what the question calls it, one of its facts holds
    a name and a word of the question, and the other names stand somewhere in what was read of it.

    Args:
        asked: the sub-question.
        facts: of the hits.
        lead_of: returns how the article of a title begins.
    """
    if not asks_for_thing(asked):
        return []
    by_title: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.title not in asked.subjects:
            by_title.setdefault(fact.title, []).append(fact)
    noun = stem(asked.noun)
    said = (asked.stems - {noun}) | (asked.hints if asked.stems - {noun} else frozenset())
    # "Death place: Houston, Texas" tells no place of birth.
    said -= GENERIC
    found = []
    for title, own in by_title.items():
        if not _is_called(asked.noun, lead_of(title)):
            continue
        everything = " ".join(fact.text for fact in own).casefold()
        if not all(name.casefold() in everything for name in asked.names):
            continue
        telling = next((one for one in own if _says(asked, one, said)), None)
        if telling is not None:
            found.append((without_bracket(title), telling))
    return found


def _is_called(noun: str, lead: str) -> bool:
    """Whether the beginning of an article calls its subject by a noun: one river, not ten countries."""
    named = {word.lower() for word in words_of(lead)}
    return noun in named or stem(noun) in map(stem, definition(lead))


def find_called(asked: Asked, facts: Sequence[Fact]) -> tuple[str, Fact] | None:
    """Return the thing whose own article calls it what is asked for: "Oslo is the capital of Norway".

    Returns:
        Its title, and the sentence; None where no article says so, or two do.
    """
    said = _role_said(asked.text) or _first_said(asked.text)
    if said is None:
        return None
    found: dict[str, Fact] = {}
    for fact in facts:
        title = without_bracket(fact.title)
        rest = fact.text.removeprefix("The ").removeprefix(title)
        if fact.kind == "sentence" and rest != fact.text and said.match(rest):
            found.setdefault(title, fact)
    return next(iter(found.items())) if len(found) == 1 else None


def _role_said(question: str) -> re.Pattern[str] | None:
    """How an article goes on after its title that says whose role a thing has."""
    role = _ROLE.fullmatch(question)
    if role is None:
        return None
    return re.compile(
        rf"\s+{role['verb']}\s+the\s+(?:[a-z ]+\s+and\s+(?:the\s+)?)?{re.escape(role['role'])}"
        rf"(?:\s+and\s+(?:the\s+)?[a-z ]+)?\s+of\s+(?:the\s+)?{re.escape(role['thing'])}(?!\s+[A-Z])\b"
    )


def _first_said(question: str) -> re.Pattern[str] | None:
    """How an article goes on after its title that says of whom it is the first somewhere.

    The first man on the Moon is "the first person to walk on the Moon".
    """
    first = _FIRST.fullmatch(question)
    if first is None:
        return None
    noun = "woman" if first["noun"] == "woman" else "(?:person|human|human being|man)"
    return re.compile(
        rf"[^.]*?\s+(?:is|was)\s+[^.]*?\bthe {first['which'].lower()} {noun} (?:to [a-z]+ )?"
        rf"{first['where']} (?:the )?{re.escape(first['thing'])}(?!\s+[A-Z])\b"
    )


def _says(asked: Asked, fact: Fact, said: frozenset[str]) -> bool:
    low = fact.text.casefold()
    if fact.kind in ("row", "item") or not any(name.casefold() in low for name in asked.names):
        return False
    stems = content_stems(fact.text)
    return not said or any(one in said or related(one, said) for one in stems)
