"""Words that point back: "each of them", "their", "those countries", "it"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agent.extractive import words
from agent.extractive.decompose import Draft
from agent.extractive.phrases import tokenise

_STOP = words.PREPOSITION | words.AUXILIARY | words.RELATIVE | words.CONJUNCTION


def resolve(clause: str, draft: Draft) -> str:
    """Put placeholders where a clause points back at what earlier clauses found."""
    if not draft.steps and not draft.members:
        return clause
    if not draft.subject and _POINTS_AT_MANY.search(clause):
        _promote_last(draft)
    clause = re.sub(r"\b[Rr]espective(?:ly)?\s*", "", clause).strip()
    subject = draft.subject
    if subject:
        clause = _plural(clause, draft, subject)
    return _singular(clause, draft)


_POINTS_AT_MANY = re.compile(r"\b(?:each|every|they|them|their|these|those)\b", re.IGNORECASE)


def _promote_last(draft: Draft) -> None:
    """Take what the last clause asked for as the set that this one points back at."""
    last = draft.steps[-1] if draft.steps else None
    if last is None or last.member or last.role != "value":
        return
    draft.steps[-1] = replace(last, role="set")
    draft.set_id = last.id
    draft.set_noun = last.noun


def _plural(clause: str, draft: Draft, subject: str) -> str:
    clause = re.sub(r"\bthe following\b", "these", clause, flags=re.IGNORECASE)
    clause = re.sub(
        r"\b(?:each|all|both|every one|any)\s+(?:one\s+)?of\s+them\b",
        lambda _: subject,
        clause,
        flags=re.IGNORECASE,
    )
    clause = re.sub(
        r"\b(?:they|them|these|those)\s+each\b|\beach one\b", subject, clause, flags=re.IGNORECASE
    )
    clause = _pointing(clause, draft, subject)
    clause = re.sub(r"\b(?:they|them)\b", subject, clause, flags=re.IGNORECASE)
    return re.sub(r"\btheir(?:\s+own)?\b", f"{subject}'s", clause, flags=re.IGNORECASE)


def _pointing(clause: str, draft: Draft, subject: str) -> str:
    """Replace "those countries", "each winning car", "each" by the step whose noun they name."""
    tokens = tokenise(clause)
    pieces: list[str] = []
    last = 0
    i = 0
    while i < len(tokens):
        low = tokens[i].low
        start = i
        if low in {"each", "all", "every"} and i + 1 < len(tokens) and tokens[i + 1].low == "of":
            i += 2
            low = tokens[i].low if i < len(tokens) else ""
        if low not in {"these", "those", "each", "every", "the"} or i >= len(tokens):
            i = start + 1
            continue
        head = _noun_end(tokens, i + 1)
        noun = words.singular(tokens[head - 1].low) if head > i + 1 else ""
        target = _step_of(noun, draft)
        if low == "the" and (
            not target
            or head != i + 2
            or not words.is_plural(tokens[head - 1].low)
            or (head < len(tokens) and tokens[head].low in {"of", "that", "which", "who", "in"})
        ):
            i = start + 1
            continue
        if low in {"these", "those"} and head == i + 1:
            i = start + 1
            continue
        if (
            low in {"each", "every"}
            and noun in {"year", "month", "day", "time", "game", "season"}
            and not target
        ):
            i = start + 1
            continue
        pieces.append(clause[last : tokens[start].start] + (target or subject))
        last = tokens[max(head - 1, i)].end
        if tokens[max(head - 1, i)].text.endswith("'s"):
            pieces.append("'s")
        i = max(head, i + 1)
    return "".join(pieces) + clause[last:]


def _noun_end(tokens: list, start: int) -> int:  # type: ignore[type-arg]
    """Return the index after the noun that a pointing word goes with, `start` for none."""
    from agent.extractive import verbs

    i = start
    while i < len(tokens) and i < start + 4:
        low = tokens[i].low
        if not tokens[i].is_word or low in _STOP or tokens[i].text.startswith("{"):
            break
        if i > start and (
            verbs.is_participle(low) or verbs.is_base_verb(low) or low in {"first", "last"}
        ):
            break
        if i == start and (low in {"first", "last"} or verbs.is_participle(low)):
            return start
        i += 1
        if words.is_plural(low):
            break
    return i


def _step_of(noun: str, draft: Draft) -> str:
    """Return the placeholder of the latest step that asks for such a noun."""
    if not noun:
        return ""
    for step in reversed(draft.steps):
        if step.noun == noun and not step.member:
            return f"{{{step.id}}}"
    return draft.subject if noun == draft.set_noun else ""


def _singular(clause: str, draft: Draft) -> str:
    last = next((step for step in reversed(draft.steps) if not step.member), None)
    person = f"{{{last.id}}}" if last is not None and last.role != "set" else ""
    thing = draft.topic or draft.subject or person
    person = person or draft.subject
    own = {
        "its": thing,
        "his": person or draft.topic,
        "her": person or draft.topic,
        "their": person or thing,
    }
    alone = {
        "it": thing, "he": person or draft.topic, "she": person or draft.topic,
        "him": person or draft.topic, "they": person or thing, "them": person or thing,
    }  # fmt: skip
    for word, meant in own.items():
        if meant:
            clause = re.sub(
                rf"\b{word}(?:\s+own)?\b", _constant(f"{meant}'s"), clause, flags=re.IGNORECASE
            )
    for word, meant in alone.items():
        if meant:
            clause = re.sub(rf"\b{word}\b", _constant(meant), clause, flags=re.IGNORECASE)
    return clause


def _constant(text: str) -> Callable[[re.Match[str]], str]:
    return lambda _: text
