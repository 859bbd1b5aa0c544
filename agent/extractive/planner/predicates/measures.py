"""Conditions and rankings made into questions about one member, and what its answer must be."""

from __future__ import annotations

import re
from dataclasses import replace

from agent.extractive.language import verbs, words
from agent.extractive.language.degrees import degree_of
from agent.extractive.language.verbs import INTRANSITIVE, OFTEN_PASSIVE
from agent.extractive.planner.conditions import Ask, Comparator, Condition
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
_ORDER = re.compile(
    r"\b(?:the\s+)?(first|earliest|earlier|last|latest|later|most recently|soonest|before)\b", re.I
)

_EARLIEST_OF = re.compile(
    r"(?:(?:has|have|had|with|having)\s+)?the\s+(?:earliest|latest|most recent|first|last)\s+"
    r"(?P<noun>(?:[a-z]+\s+)?(?:dates?|years?|days?|time|birthday|"
    r"(?P<event>birth|death|launch|\w{3,}(?:ion|ment|ning)))(?:\s+of\s+[a-z ]+)?)",
    re.IGNORECASE,
)
"""What is ranked by when it happened, told by a noun: "the earliest date of birth"."""


_REACHED = re.compile(
    r"(?:(?:reached|attained|lived to|died at|had)\s+(?:the |an? )?(?P<age>\w+)\s+age|"
    r"lived (?:the )?(?P<lived>long(?:er|est)|short(?:er|est))|"
    r"(?:had|led) the (?P<life>long(?:er|est)|short(?:er|est)) life|"
    r"(?:got|became|grew|died)(?: the)? (?P<grew>old(?:er|est)|young(?:er|est)))"
    r"(?: (?:when (?:he|she|they) died|at death))?",
    re.IGNORECASE,
)
"""What is ranked by how old it became: "reached the greater age", "lived longer"."""


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


def ranking_question(said: str, subject: str, *, most: bool) -> Ask:
    """Ask for the value that members are ranked by.

    Args:
        said: the words of a superlative or an ordering, "the largest area", "was founded first".
        subject: a name or a placeholder.
        most: whether the largest or latest is wanted.
    """
    kind = Condition(kind="max" if most else "min")
    text = _RELATIVE.sub("", said.strip())
    reached = _REACHED.fullmatch(text)
    degree = degree_of(next(filter(None, reached.groups()))) if reached is not None else None
    if degree is not None:
        return Ask(
            text=f"At what age did {subject} die?",
            condition=Condition(kind="max" if degree[1] > 0 else "min"),
        )
    noun = _EARLIEST_OF.fullmatch(text)
    if noun is not None:
        opening = "When was" if noun["event"] else "What is"
        return Ask(text=f"{opening} the {noun['noun']} of {subject}?", condition=kind)
    order = _ORDER.search(text)
    degrees = [word for word in text.split() if degree_of(word) and not _ORDER.fullmatch(word)]
    if order is not None and not degrees:
        verb = " ".join((text[: order.start()] + text[order.end() :]).split())
        verb = re.sub(r"^(?:to|is|was|were|be)\s+(?:the\s+)?$", "", verb)
        if not verb or verb.lower() in ("is", "was", "are", "were", "came", "one"):
            asked = f"How old is {subject}?" if verb == "came" else f"When was {subject}?"
            return Ask(text=asked, condition=kind)
        verb = re.sub(r"^to be\s+", "was ", re.sub(r"^to\s+(?!be\b)", "", verb))
        ask = ask_about(f"{_finite(verb)} first", subject)
        return Ask(text=ask.text, condition=kind)
    parts = re.sub(r"^(?:is|are|was|were)\s+", "", text).split()
    bare = [p for p in parts if p.lower() not in ("the", "a", "an") and words.number_of(p) is None]
    if len(bare) == 1 or (len(bare) == 2 and bare[0].lower() in ("most", "least", "more", "less")):
        # "Most" before one word is the degree of an adjective, or the count of a plural.
        if len(bare) == 2 and words.is_plural(bare[1]):
            text = f"has {' '.join(bare)}"
        else:
            text = f"is the {' '.join(bare)}"
    elif not re.match(r"(?:has|have|had|is|are|was|were)\b", text, re.IGNORECASE):
        head = bare[0].lower() if bare else ""
        text = f"has the {' '.join(bare)}" if degree_of(head) else _finite(text)
    ask = ask_about(text, subject)
    if ask.condition.kind not in ("max", "min"):
        return Ask(text=ask.text, condition=kind)
    # "Oldest" is the least date and the most years: the marks say which end of dates is meant.
    aged = ask.condition.dimension == "age"
    return Ask(
        text=ask.text, condition=replace(kind, dimension="" if aged else ask.condition.dimension)
    )
