"""Words that point back: "each of them", "their", "those countries", "it"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agent.extractive import verbs, words
from agent.extractive.clauses import form_of
from agent.extractive.degrees import is_amount
from agent.extractive.phrases import Token, slice_of, tokenise
from agent.extractive.reading import Draft, Step
from agent.extractive.sets import plural_head

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
        clause = _plural(clause, draft, _meant_by_each(clause, draft) or subject)
    return _singular(clause, draft)


def note_focus(draft: Draft, begun: int) -> None:
    """Remember what a clause asked for; `begun` is the number of steps before it was read."""
    asked = [step for step in draft.steps[begun:] if step.role == "value" and not step.member]
    if asked:
        draft.focus = asked[-1].id if asked[-1].condition is None else ""


def _focus(draft: Draft) -> Step | None:
    return next((step for step in draft.steps if step.id == draft.focus), None)


def _asks_for_many(text: str) -> bool:
    """Say whether a question asks for several things: "Which astronauts walked on {1}?"."""
    tokens = tokenise(text.rstrip("?"))
    form = form_of(tokens)
    if form.kind == "copular":
        return bool(plural_head(slice_of(text, tokens[form.start : form.end])))
    between = tokens[: form.auxiliary]
    return len(between) > 1 and words.is_plural(between[-1].low) and between[0].low != "how"


_LIFE = re.compile(r"\b(?:born|die|died|study|studied|educated|married|buried|live|lived)\b")


def _meant_by_each(clause: str, draft: Draft) -> str:
    """Return what "each" and "they" stand for where it is not the set: what was asked of each."""
    focus = _focus(draft)
    if focus is None or draft.subject not in focus.text or focus.noun == draft.set_noun:
        return ""
    persons = verbs.is_person_noun(focus.noun) or focus.text.startswith("Who ")
    if persons and not verbs.is_person_noun(draft.set_noun) and _LIFE.search(clause):
        return f"{{{focus.id}}}"
    return f"{{{focus.id}}}" if _asks_for_many(focus.text) else ""


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


def _noun_end(tokens: list[Token], start: int) -> int:
    """Return the index after the noun that a pointing word goes with, `start` for none."""
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
        if i == start and verbs.is_base_verb(low) and _inverted_before(tokens, start):
            return start
        i += 1
        if words.is_plural(low):
            break
    return i


def _inverted_before(tokens: list[Token], start: int) -> bool:
    """Say whether a verb is due: "did each | land"."""
    return any(token.low in words.DO for token in tokens[max(0, start - 3) : start])


def _step_of(noun: str, draft: Draft) -> str:
    """Return the placeholder of the latest step that asks for such a noun."""
    if not noun:
        return ""
    for step in reversed(draft.steps):
        if not step.member and (step.noun == noun or _does(step.text, noun)):
            return f"{{{step.id}}}"
        if step.column and _does(step.text, noun):
            # Of listed members the first stands for all; the others follow it.
            first = next(other for other in draft.steps if other.column == step.column)
            return f"{{{first.id}}}"
    return draft.subject if noun == draft.set_noun else ""


def _does(text: str, noun: str) -> bool:
    """Say whether a noun names who did it: "designer" after "Who designed {1}?"."""
    match = re.match(r"Who (?:first )?(\w+) ", text)
    base = verbs.verb_base(match[1]) if match is not None else None
    if base is None or not noun.endswith(("er", "or")):
        return base == "write" and noun == "author"
    return noun[:-2] in {base, base.rstrip("e"), verbs.participle(base).removesuffix("ed")}


_IN_IT = re.compile(r"\b(?:in|on|at|to|from|through|of) it\b|\bit\b", re.IGNORECASE)


def _thing_of(clause: str, draft: Draft) -> str:
    """Return what "it" stands for after "What is the capital of each": the capital.

    "Its" stands for it only where something is measured: a capital has a population, but the
    currency is the country's.
    """
    focus = _focus(draft)
    match = focus and re.match(r"(?:What|Which) (?:is|was) the (.+?) of ", focus.text)
    if focus is None or not match or is_amount(match[1]) or not focus.noun:
        return ""
    own = re.search(r"\bits\s+([\w ]+)", clause, re.IGNORECASE)
    if own is not None and not is_amount(own[1]):
        return ""
    return f"{{{focus.id}}}" if own or _IN_IT.search(clause) else ""


_THAT_NOUN = re.compile(r"\b(?:that|this)\s+(?:same\s+)?(?P<noun>[a-z]+)\b", re.IGNORECASE)


def _singular(clause: str, draft: Draft) -> str:
    clause = _THAT_NOUN.sub(
        lambda match: _step_of(match["noun"].lower(), draft) or match[0], clause
    )
    last = next((step for step in reversed(draft.steps) if not step.member), None)
    person = f"{{{last.id}}}" if last is not None and last.role != "set" else ""
    thing = _thing_of(clause, draft) or draft.topic or draft.subject or person
    asks_who = last is not None and (
        last.text.startswith("Who ") or verbs.is_person_noun(last.noun) or not draft.topic
    )
    person = (person if asks_who else draft.topic) or draft.subject
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
