"""The form of a question: what is asked, of what, by which verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent.extractive.language import verbs, words
from agent.extractive.language.phrases import Token, inverted_verb, main_verb

FormKind = Literal["copular", "inverted", "subject", "polar", "other"]


@dataclass(frozen=True, slots=True)
class Form:
    """Where the parts of a clause stand, as indices of its tokens."""

    kind: FormKind
    auxiliary: int
    """The auxiliary or the finite verb; `len(tokens)` where none was found."""
    start: int
    """Where the subject begins (in a copular clause, what is asked for)."""
    end: int
    """After the subject; the predicate reaches from here to the end."""


def form_of(tokens: Sequence[Token]) -> Form:
    """Return the form of a clause."""
    size = len(tokens)
    i = 1 if size > 1 and tokens[0].low in words.PREPOSITION and tokens[1].low in words.WH else 0
    if size < i + 2:
        return Form("other", size, 0, size)
    if tokens[0].low in words.AUXILIARY:
        return Form("polar", 0, 1, _polar_subject_end(tokens))
    if tokens[i].low not in words.WH:
        return Form("other", size, 0, size)
    verb = i + 1 if _verb_at_once(tokens, i) else main_verb(tokens, i + 1)
    if tokens[i].low == "how" and verb < size and tokens[verb].low not in words.AUXILIARY:
        # "How many rivers cross": the noun itself may look like a verb.
        verb = next((j for j in range(i + 1, size) if tokens[j].low in words.AUXILIARY), verb)
    if verb >= size:
        return Form("other", size, i + 1, size)
    after = verb + 1
    if verb == i + 1 and tokens[i].low in {"what", "who", "which"} and tokens[verb].low in words.BE:
        passive = (
            after < size
            and verbs.is_participle(tokens[after].low)
            and (after + 1 >= size or tokens[after + 1].low in words.PREPOSITION)
        )
        return Form("subject", verb, i + 1, verb) if passive else Form("copular", verb, after, size)
    if tokens[verb].low in words.AUXILIARY and _inverts(tokens, i, verb):
        end = inverted_verb(tokens, after, tokens[verb].low)
        return Form("inverted", verb, after, end)
    return Form("subject", verb, i + 1, verb)


def _verb_at_once(tokens: Sequence[Token], wh: int) -> bool:
    """Say whether the verb stands right after the question word: "who won", "what is"."""
    after = tokens[wh + 1]
    if after.low in words.AUXILIARY:
        return True
    base = verbs.verb_base(after.low)
    if after.is_name or base is None or tokens[wh].low not in {"who", "what", "which"}:
        return False
    following = tokens[wh + 2].low if wh + 2 < len(tokens) else ""
    if following in words.AUXILIARY:
        return False
    return verbs.is_past(after.low) or (tokens[wh].low == "who" and after.low != base)


def _inverts(tokens: Sequence[Token], wh: int, verb: int) -> bool:
    """Say whether a subject follows the auxiliary."""
    if wh == 1 or tokens[verb].low in words.DO or tokens[wh].low in {"when", "where", "why"}:
        return True
    if tokens[wh].low == "how" and (wh + 1 >= verb or tokens[wh + 1].low not in {"many", "much"}):
        return True
    if verb + 1 >= len(tokens) or (wh + 1 < len(tokens) and tokens[wh + 1].low == "of"):
        return False
    after = tokens[verb + 1]
    opens = (
        after.is_name
        or after.low in words.DETERMINER | words.PRONOUN | {"most", "top"}
        or words.number_of(after.low) is not None
    )
    if tokens[verb].low in words.HAVE:
        return opens and inverted_verb(tokens, verb + 1, tokens[verb].low) < len(tokens)
    if tokens[verb].low in words.BE and after.low in {"the", "a", "an"}:
        # "Which river is the longest": a superlative without a noun of its own is no subject.
        return inverted_verb(tokens, verb + 1, tokens[verb].low) < len(tokens)
    return opens


def _polar_subject_end(tokens: Sequence[Token]) -> int:
    """Return where the subject of a yes-no question ends."""
    end = inverted_verb(tokens, 1, tokens[0].low)
    last_name = 0
    for i in range(1, end):
        if tokens[i].is_name:
            last_name = i
        elif last_name and tokens[i].low not in {"and", "or", ",", "of", "the", "de", "&"}:
            return last_name + 1
    if last_name:
        return last_name + 1
    for i in range(2, end):
        if tokens[i].low in words.DETERMINER | words.PREPOSITION | {"more", "less", "as", "both"}:
            return i
    return end
