"""Puts a clause into the order the rules read: relative clauses beside their noun, "that" spelled out."""

from __future__ import annotations

import re

from agent.extractive import verbs, words
from agent.extractive.clauses import form_of
from agent.extractive.phrases import slice_of, tokenise

_THAT_OF = re.compile(
    r"\b(?P<thing>[Tt]he\s+(?:(?!of\b|in\b|for\b|or\b|and\b)[\w'-]+\s+){1,5}?)(?P<of>of|in|for)\s+"
    r"(?P<owner>(?:(?!\b(?:or|and|than)\b)[^,])+?)(?P<link>,?\s+(?:or|and|than)\s+)"
    r"(?:that|those|the ones?)\s+(?=(?:of|in|for)\b)"
)
_APART = words.RELATIVE - {"when", "where"}


_IN_UNIT = re.compile(
    r",\s+(?:given |measured |expressed )?in\s+(?:square\s+|cubic\s+)?"
    r"(?:kilomet(?:re|er)s?|met(?:re|er)s?|miles|feet|km|kilograms?|tonnes|years|days)$",
    re.IGNORECASE,
)


def rephrase(clause: str) -> str:
    """Return a clause that asks the same in the plain order."""
    clause = _IN_UNIT.sub("", clause)
    return _with_thing_repeated(_with_relative_inside(clause))


def _with_thing_repeated(clause: str) -> str:
    """Turn "the capital of France or that of Spain" into "… or the capital of Spain"."""
    return _THAT_OF.sub(
        lambda m: (
            f"{m['thing']}{m['of']} {m['owner']}{m['link']}{m['thing'][0].lower()}{m['thing'][1:]}"
        ),
        clause,
    )


def _with_relative_inside(clause: str) -> str:
    """Turn "Where were the authors born who wrote X" into "Where were the authors who wrote X born"."""
    tokens = tokenise(clause)
    form = form_of(tokens)
    verb = form.end
    if form.kind != "inverted" or verb + 2 >= len(tokens) or tokens[verb + 1].low not in _APART:
        return clause
    if not (verbs.is_participle(tokens[verb].low) or verbs.is_base_verb(tokens[verb].low)):
        return clause
    before = slice_of(clause, tokens[:verb])
    return f"{before} {slice_of(clause, tokens[verb + 1 :])} {tokens[verb].text}"


_BARE_QUESTION = re.compile(
    r"^(?:(?P<prep>in|on|at|from|to|for|by|of|with|under|through)\s+)?"
    r"(?P<wh>which|what|who|whom|when|where)(?:\s+(?P<noun>ones?|[a-z]+))?$",
    re.IGNORECASE,
)
_WH_INVERTED = re.compile(
    r"^(?:(?:in|on|at|from|to|for|by)\s+)?(?:which|what|when|where|who)(?:\s+[a-z]+)??\s+"
    r"(?P<rest>(?:is|was|are|were|does|do|did|has|have)\s+.+)$",
    re.IGNORECASE,
)
_WHO_DID = re.compile(r"^Who\s+(?P<verb>\w+)\s+(?P<thing>\{\w+\}|[^ ].*)$")


def complete(clause: str, earlier: str) -> str | None:
    """Return a question in full that leaves out what the question before it has said.

    "Which of them took a degree at a college, and at which one?" repeats the degree; "Who wrote it,
    and when?" the writing.

    Args:
        clause: such as "at which one".
        earlier: the question before it, about one member.
    """
    match = _BARE_QUESTION.match(clause)
    if match is None:
        return None
    earlier = earlier.rstrip("?")
    said = earlier.split(maxsplit=1)
    if len(said) < 2:
        return None
    opening = " ".join(filter(None, (match["prep"], match["wh"], match["noun"])))
    opening = opening[:1].upper() + opening[1:]
    if said[0].lower() in words.AUXILIARY:
        rest = f"{said[0].lower()} {said[1]}"
        if match["prep"] and (match["noun"] or "").lower() in {"one", "ones"}:
            return _one_of_kind(match["prep"], match["wh"], rest)
        return f"{opening} {rest}"
    if (match["noun"] or "").lower() in {"one", "ones"}:
        same = re.match(rf"{match['prep'] or ''}\s*which\b", earlier, re.IGNORECASE)
        return earlier if same else None
    inverted = _WH_INVERTED.match(earlier)
    if inverted is not None:
        return f"{opening} {inverted['rest']}"
    active = _WHO_DID.match(earlier)
    base = verbs.verb_base(active["verb"]) if active is not None else None
    if active is None or base is None:
        return None
    return f"{opening} was {active['thing']} {verbs.participle(base)}"


def _one_of_kind(preposition: str, wh: str, rest: str) -> str | None:
    """Turn "did X take a degree at a college", asked "at which one", into "at which college did …"."""
    match = re.match(
        rf"(?P<before>.+?)\s+{preposition}\s+an?\s+(?P<kind>[^,]+)$", rest, re.IGNORECASE
    )
    if match is None:
        return None
    return f"{preposition.capitalize()} {wh.lower()} {match['kind']} {match['before']}"


_PHRASE = r"(?:the\s+)?[A-Z0-9\"“Ꭰ-Ꮿ][^,]*?"
_PREPOSITIONS = r"in|at|on|by|for|from|of|to|with"
_ADJUNCTS = re.compile(
    rf"^(?P<head>[^,]+?)\s+(?P<first>(?P<prep>{_PREPOSITIONS})\s+{_PHRASE})"
    rf"(?P<more>(?:,\s+(?:and\s+)?(?P=prep)\s+{_PHRASE})*(?:,?\s+(?:and|or)\s+(?P=prep)\s+{_PHRASE}))$"
)


def split_adjuncts(clause: str) -> tuple[str, tuple[str, ...]] | None:
    """Return what is asked and where, for "Who won in Rome in 1960, in Seoul in 1988 and in …".

    Returns:
        ("Who won in", ("Rome in 1960", "Seoul in 1988", …)), None for any other clause.
    """
    match = _ADJUNCTS.match(clause)
    if match is None:
        return None
    parts = re.split(
        rf"(?:,\s+(?:and\s+)?|,?\s+(?:and|or)\s+)(?={match['prep']}\s)",
        f"{match['first']}{match['more']}",
    )
    members = tuple(part[len(match["prep"]) :].strip() for part in parts if part)
    if len(set(members)) < 2:
        return None
    return f"{match['head']} {match['prep']}", members
