"""Predicates about time: "was built first", "joined the union after 2003"."""

from __future__ import annotations

import re

from agent.extractive.language import verbs, words
from agent.extractive.language.quantities import Moment, find_dates
from agent.extractive.planner.conditions import Ask, Comparator, Condition

_FIRST = re.compile(r"\s*\b(first|earliest|earlier|last|latest|later|most recently)$")
_WHEN = re.compile(
    r"\s+(?P<rel>before|after|since|prior to|earlier than|later than|no later than|not later than|"
    r"by|until|up to|in|from|during|between|on|(?<=back )to)\s+"
    r"(?P<when>[A-Z][a-z]+\s+\d{1,2},\s+\d{4}.*|(?:the\s+)?(?:year\s+|early\s+|late\s+|mid-?)?(?:the\s+)?[^,]*?\d{3,4}.*|"
    r"(?:the\s+)?\d{1,2}(?:st|nd|rd|th)\s+century.*)$"
)


def ordered(said: str, subject: str) -> Ask | None:
    """Read "was built first", "came out later", "was the last to join the union"."""
    infinitive = re.match(
        r"(?:is|are|was|were)\s+the\s+(?P<order>first|last|earliest|latest)\s+(?:\w+\s+)?to\s+(?:(?P<be>be)\s+)?(?P<rest>.+)$",
        said,
        re.IGNORECASE,
    )
    if infinitive is not None:
        late = infinitive["order"].lower() in {"last", "latest"}
        rest = infinitive["rest"]
        text = f"When was {subject} {rest}?" if infinitive["be"] else f"When did {subject} {rest}?"
        return Ask(text=text, condition=Condition(kind="max" if late else "min"))
    match = _FIRST.search(said)
    if match is None:
        return None
    when = when_question(said[: match.start()], subject)
    if when is None:
        return None
    late = match[1] in {"last", "latest", "later", "most recently"}
    return Ask(text=when, condition=Condition(kind="max" if late else "min"))


_DATES = re.compile(r"(?:(?:is|are|was|were)\s+)?dat(?:es?|ing|ed)(?:\s+back)?", re.IGNORECASE)
"""A verb that only says that a date follows: "dating from 1995"."""


def dated(said: str, subject: str) -> Ask | None:
    """Read "was built before 1900", "joined the union after 2003"."""
    match = _WHEN.search(said)
    if match is None:
        return None
    if _DATES.fullmatch(said[: match.start()]):
        when: str | None = f"When does {subject} date from?"
    else:
        when = when_question(said[: match.start()], subject)
    condition = date_condition(match["rel"].lower(), match["when"])
    return None if condition is None or when is None else Ask(text=when, condition=condition)


def date_condition(relation: str, when: str) -> Condition | None:
    """The condition that a preposition and a time make: "before" and "the 1990s".

    Args:
        relation: "before", "since", "in", "between", ….
        when: the words with the time, or both times.

    Returns:
        None where the words hold no date, or one that tells no more than its year.
    """
    dates = find_dates(when)
    if not dates:
        return None
    if dates[0].month:
        return _exact(relation, dates[0])
    year = float(dates[0].year)
    if relation in {"between", "from"} and len(dates) > 1:
        upper = float(dates[1].year)
        return Condition(kind="date", comparator="between", bound=year, upper=upper)
    if relation in {"in", "during", "on", "between", "from", "to"}:
        decade = re.search(r"\d{3}0s\b", when)
        span = 99.0 if "century" in when.lower() else 9.0 if decade else 0.0
        return Condition(kind="date", comparator="between", bound=year, upper=year + span)
    return Condition(kind="date", comparator=_COMPARATORS[relation], bound=year)


_COMPARATORS: dict[str, Comparator] = {
    "before": "<", "prior to": "<", "earlier than": "<", "by": "<=", "until": "<=",
    "up to": "<=", "no later than": "<=", "not later than": "<=", "after": ">",
    "later than": ">", "since": ">=",
}  # fmt: skip
_MONTH = 1 / 12
_DAY = 1 / 372


def _exact(relation: str, moment: Moment) -> Condition | None:
    """A day or a month as the bound: "on 4 March 1875", "before July 1969"."""
    if moment.month == 1 and moment.day <= 1:
        return None  # its ordinal is the year's own
    comparator = _COMPARATORS.get(relation)
    span = _DAY if moment.day else _MONTH
    bound, upper = moment.ordinal - _DAY / 2, moment.ordinal + span - _DAY / 2
    if comparator is None:
        return Condition(kind="date", comparator="between", bound=bound, upper=upper)
    late = comparator in (">", "<=")
    return Condition(kind="date", comparator=comparator, bound=upper if late else bound)


_LASTING = words.word_set(
    "known considered regarded believed located situated inhabited spoken populated visible active"
)
"""Participles of what holds for a time: it has no date."""


def when_question(verb_phrase: str, subject: str) -> str | None:
    """Turn "was built by the king" into "When was X built by the king?"."""
    head = verb_phrase.split()[0].lower() if verb_phrase.split() else ""
    told = verb_phrase.split()
    if head in words.BE and len(told) > 1 and told[1].lower() in _LASTING:
        return None
    if head not in words.AUXILIARY and not verbs.is_past(head) and verbs.verb_base(head) != head:
        # "Borders", "flows": what holds now has no date.
        return None
    return open_question("When", verb_phrase, subject)


_WHEN_DONE = words.word_set("first originally once officially finally last formally")
"""Adverbs between "was" and its participle."""


def open_question(opening: str, verb_phrase: str, subject: str) -> str | None:
    """Turn "In which place" and "stands" into "In which place does X stand?"; None for no verb."""
    parts = verb_phrase.split()
    if not parts:
        return None
    head = parts[0].lower()
    done = parts[2:] if parts[1:2] and parts[1].lower() in _WHEN_DONE else parts[1:]
    if head in words.BE and done and verbs.is_participle(done[0]):
        be = "was" if head in {"was", "were", "been"} else "is"
        return f"{opening} {be} {subject} {' '.join(parts[1:])}?"
    if head in words.HAVE and len(parts) > 1 and verbs.is_participle(parts[1]):
        return (
            f"{opening} did {subject} {verbs.verb_base(parts[1])} {' '.join(parts[2:])}".rstrip()
            + "?"
        )
    base = verbs.verb_base(head)
    if base is None:
        return None
    does = "did" if verbs.is_past(head) or (opening == "When" and head == base) else "does"
    return f"{opening} {does} {subject} {' '.join([base, *parts[1:]])}?"
