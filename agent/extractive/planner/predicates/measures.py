"""Conditions and rankings made into questions about one member, and what its answer must be."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.extractive.language import verbs, words
from agent.extractive.language.degrees import degree_of
from agent.extractive.language.verbs import INTRANSITIVE, OFTEN_PASSIVE
from agent.extractive.planner.conditions import Ask, Comparator
from agent.extractive.planner.predicates.question import ask_about
from agent.extractive.planner.predicates.relatives import told_of_part

_NEGATION = re.compile(
    r"\b(?:not|never|no longer|no|without(?: any)?|lacks?|lacking)\b|n['’]t\b", re.IGNORECASE
)
_RELATIVE = re.compile(r"^(?:that|which|who|whose|and|but|the ones?|those)\s+", re.IGNORECASE)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ROUND = re.compile(r"\ban? (hundred|thousand|million|billion|dozen)\b", re.IGNORECASE)
_OPPOSITE: dict[Comparator, Comparator] = {
    ">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "!=", "between": "outside",
}  # fmt: skip


def _lettered(text: str) -> str:
    """A text with letters in its placeholders: their numbers are no quantities."""
    return re.sub(r"\{(\d+)\}", lambda match: f"{{{_LETTERS[int(match[1]) % 26]}}}", text)


def predicate_question(
    said: str,
    subject: str,
    *,
    negated: bool,
    person: bool = False,
    finite: bool = False,
    active: bool = False,
) -> Ask:
    """Ask whether, or how much, a predicate holds of a subject.

    Args:
        said: the words of a condition, "with more than ten moons", "that border Canada".
        subject: a name or a placeholder.
        negated: whether members must not meet it; the negation is among the words.
        person: whether the subject is one; people studied, buildings were built.
        finite: whether the words are a sentence's own predicate ("which of them studied at Yale").
        active: whether the words begin with the verb of what the subject did.
    """
    text = _ROUND.sub(r"one \1", _RELATIVE.sub("", said.strip()))
    text = re.sub(
        r"^(?:ever|also|once|actually|already|still|even|just|later|finally|eventually|soon|now)\s+",
        "",
        text,
        flags=re.IGNORECASE,
    )
    text = _lettered(text)
    back = {
        f"{{{_LETTERS[int(one) % 26]}}}": f"{{{one}}}" for one in re.findall(r"\{(\d+)\}", said)
    }
    if negated:
        without = re.match(r"(?:without|lack(?:s|ing)?)\b", text, re.IGNORECASE)
        text = " ".join(_NEGATION.sub(" ", text).split()) or said.strip()
        text = re.sub(r"^any\s+", "", text)
        if without:
            text = f"has {text}"
    plainly = _without_do(text)
    active, text = active or plainly != text, plainly
    ask = told_of_part(_lettered(said.strip()), subject) if not negated else None
    # Behind "that" stands a finite verb, whatever else its form may be: "that run for 900 km".
    active = active or re.match(r"(?:that|which|who)\s", said.strip(), re.IGNORECASE) is not None
    ask = ask or ask_about(text if active else _finite(text, person=person, finite=finite), subject)
    condition = ask.condition
    if negated and condition.kind in ("yes", "no"):
        condition = replace(condition, kind="no")
    elif negated and condition.kind in ("number", "date") and condition.comparator in _OPPOSITE:
        condition = replace(condition, comparator=_OPPOSITE[condition.comparator])
    asked, than = ask.text, ask.than
    for letter, number in back.items():
        asked, than = asked.replace(letter, number), than.replace(letter, number)
    return replace(ask, text=asked, than=than, condition=condition)


def _without_do(text: str) -> str:
    """A predicate with its own verb finite: "did die in Ulm" told with "died in Ulm"."""
    does = re.match(r"(?P<does>do|does|did)\s+(?P<verb>[a-z]+)\b", text, re.IGNORECASE)
    if does is None or not (does["verb"] == "have" or verbs.verb_base(does["verb"])):
        return text
    base = "have" if does["verb"] == "have" else verbs.verb_base(does["verb"]) or ""
    if does["does"].lower() == "did":
        said = "had" if base == "have" else verbs.past(base)
    else:
        said = "has" if base == "have" else verbs.third_person(base)
    return f"{said}{text[does.end() :]}"


_DONE = re.compile(
    r"by\b|(?:in|on|before|after|since|between|from|during|until|prior to|(?:no )?(?:earlier|later) than)"
    r"\b.*\d"
)


_GOING = re.compile(r"(?!being\b|during\b)[a-z]{2,}ing")


def _finite(text: str, *, person: bool = False, finite: bool = False) -> str:
    """Give words that have no finite verb one: "founded in 1900" becomes "was founded in 1900"."""
    parts = text.split()
    if not parts:
        return text
    first = parts[0].lower()
    rest = " ".join(parts[1:])
    if first in words.BE and rest and _GOING.fullmatch(parts[1]):
        # "Are having less than a million", as learners say it, and "is flowing through".
        return _finite(rest)
    if first in ("with", "having", "containing"):
        return f"has {rest}"
    if first in words.AUXILIARY:
        return text
    if first in words.PREPOSITION or first in words.DETERMINER or degree_of(first):
        return f"is {text}"
    if first in ("more", "most") and len(parts) > 1:
        return f"has {text}" if words.is_plural(parts[1]) else f"is {text}"
    if first.endswith("ing") and len(first) > 5:
        base = verbs.verb_base(first)
        return f"{verbs.third_person(base)} {rest}" if base else f"is {text}"
    if verbs.verb_base(first) in INTRANSITIVE:
        return text
    active = (
        verbs.is_past(first)
        and len(parts) > 1
        and (
            (person and first not in OFTEN_PASSIVE)
            or (finite and first not in OFTEN_PASSIVE and not _DONE.match(rest))
            or not re.match(
                r"(?:by|in|on|at|as|before|after|since|during|between|from|to|for|with|prior|"
                r"(?:no )?(?:earlier|later) than)\b",
                rest,
            )
        )
    )
    if verbs.is_participle(first) and not active:
        return f"was {text}"
    if verbs.verb_base(first) is not None:
        return text
    return f"is {text}"
