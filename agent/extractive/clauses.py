"""A question cut into clauses, and the form of each: what is asked, of what, by which verb."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent.extractive import verbs, words
from agent.extractive.phrases import Token, inverted_verb, main_verb, tokenise

_OPENERS = re.compile(
    r"^(?:(?:hi|hello|hey|please|kindly|ok|okay|so|well)\b[\s,!.]*"
    r"|(?:can|could|would|will) (?:you|someone|anyone) (?:please )?(?=tell|give|list|name|show|find|provide|explain)"
    r"|(?:i (?:would like|'d like|want|need|am trying|wish) to (?:know|find out|learn|understand)|"
    r"i wonder|i am curious|i'm curious|do you know|tell (?:me|us)|let me know|explain to me)\b[\s,:]*(?:about )?)+",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"^(?:list|name|find|compare|contrast|identify|give|state|provide|enumerate|specify|show|determine|look up|tell)"
    r"(?:\s+out)?(?:\s+(?:me|us))?\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_WH_START = re.compile(
    r"^(?:(?:in|on|at|from|to|for|by|of|with|under|through|into|during|near)\s+)?"
    r"(?:what|which|who|whom|whose|when|where|why|how)\b",
    re.IGNORECASE,
)
_WH_LATER = (
    r"(?:(?:approximately|about|roughly|exactly)\s+)?(?:(?:in|on|at|from|to|for|by|of|with|under|through|into)\s+)?"
    r"(?:what|which|who|whom|whose|when|where|why|how)\b"
)
_BOUNDARY = re.compile(
    rf"\s*[;?]\s+(?:and\s+)?|,?\s+(?:and|but)\s+(?:also\s+)?(?={_WH_LATER})"
    r"|,?\s+(?:and|with|along with|together with|as well as|plus)\s+(?:what\s+)?(?=(?:their|its|his|her)\b)"
    r"|,?\s+and\s+(?=the\s+(?:[\w-]+\s+){1,4}(?:of|for|in)\s+(?:each|every|those|these|them|their|its)\b)"
    r"|,?\s+and\s+(?=the\s+(?:(?!of\b)[\w-]+\s+){1,4}(?:they|it|he|she|each)\s+\w+)"
    r"|,?\s+and\s+(?=(?:list|name|give|provide|specify|state|identify|tell me)\b)"
    r"|,?\s+and\s+(?=(?:is|are|was|were|do|does|did|has|have)\s+(?:it|he|she|they)\b)",
    re.IGNORECASE,
)
_COMMA_WH = re.compile(
    rf",\s+(?={_WH_LATER}[^,?]*?\b(?:is|are|was|were|do|does|did|has|have)\b)", re.IGNORECASE
)
_SENTENCE_END = re.compile(
    r"(?<=[^\s.][a-z0-9)\"”'][.!?])(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bJr\.)"
    r"(?<!\bSr\.)(?<!\bMt\.)(?<!\bvs\.)(?<!\bNo\.)(?<!\bGen\.)(?<!\bProf\.)\s+(?=[\"“(]?[A-Z])"
)
_REMARK = re.compile(
    r"\s*\((?=[^()]*\b(?:sort|order|list|answer|round|include|including|not|excluding|please|if|use)\b)[^()]*\)",
    re.IGNORECASE,
)


_FOLLOWING = re.compile(
    r"\bthe following(?:\s+[a-z][\w -]*?)?(\s+[^:]*?)?:\s*([^:?]+)(?=$|\?)", re.IGNORECASE
)
"""“have the following teams won: A, B and C” is read as “have A, B and C won”."""


def clean(question: str) -> str:
    """Return a question without politeness, remarks in brackets and the final mark."""
    text = " ".join(question.split())
    text = text.replace("’", "'").replace("‘", "'")
    text = _OPENERS.sub("", text).strip()
    text = _REMARK.sub("", text)
    text = _FOLLOWING.sub(r"\2\1", text)
    return text.rstrip(" ?!.").strip() or " ".join(question.split())


def split_clauses(question: str) -> list[str]:
    """Cut a cleaned question into clauses that each ask for something."""
    clauses: list[str] = []
    for sentence in _SENTENCE_END.split(question):
        parts = [part for part in _BOUNDARY.split(_shielded(sentence)) if part.strip(" ,?.")]
        if len(parts) > 1 or _COMMA_WH.search(sentence):
            # A comma alone also opens a relative clause: it divides only where others do.
            cut = [piece for part in parts for piece in _COMMA_WH.split(part)]
            parts = cut if len(parts) > 1 else parts
        clauses.extend(_unshielded(part).strip(" ,?.") for part in parts)
    return _rejoined([clause for clause in clauses if clause])


_HALF = re.compile(
    r"^(?:what|who)\s+(?:is|are|was|were)\s+the\s+(?:(?!of\b|in\b|for\b)[\w-]+\s*){1,4}$",
    re.IGNORECASE,
)


def _rejoined(clauses: list[str]) -> list[str]:
    """Put "What is the population" and "the area of each …" together again."""
    out: list[str] = []
    for clause in clauses:
        if out and _HALF.match(out[-1]) and clause.lower().startswith("the "):
            out[-1] = f"{out[-1]} and {clause}"
        else:
            out.append(clause)
    return out


_QUOTED = re.compile(r"[\"“«《][^\"”»》]*[\"”»》]")


def _shielded(text: str) -> str:
    """Hide the blanks inside quoted titles, so that no boundary is found in them."""
    return _QUOTED.sub(lambda match: match[0].replace(" ", "\x00"), text)


def _unshielded(text: str) -> str:
    return text.replace("\x00", " ")


def as_question(clause: str) -> str:
    """Turn "List the moons of Mars" and a bare noun phrase into a question."""
    match = _IMPERATIVE.match(clause)
    if match is not None:
        rest = match["rest"]
        rest = re.sub(
            r"^(?:an?|the)\s+(?:full\s+|complete\s+)?list\s+of\s+", "", rest, flags=re.IGNORECASE
        )
        if _WH_START.match(rest):
            return rest[:1].upper() + rest[1:]
        return f"What {'is' if re.match(r'an? ', rest) else 'are'} {rest}"
    first = clause.split()[0].lower() if clause.split() else ""
    if _WH_START.match(clause) or first in words.AUXILIARY:
        return clause
    if first in {"their", "its", "his", "her"}:
        return f"What is {clause}"
    if re.match(r"the\s+(?:[\w-]+\s+){1,3}(?:each|they|it|he|she)\s+\w+", clause, re.IGNORECASE):
        return f"What is {clause}"
    tokens = tokenise(clause)
    if first in words.DETERMINER and main_verb(tokens) >= len(tokens):
        return f"What is {clause}"
    return clause


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
