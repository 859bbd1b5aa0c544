"""Statements that call something the most of its kind: there is one, and articles say which.

"Is Brod the largest city of Elm?" is settled by "Ham is the largest city of Elm", and not by "Ham is
the second largest", nor by "Ham is one of the largest".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.names import same_name
from agent.citations.content.words import missing_words, stem
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.statements.sets import Library
from agent.extractive.language.degrees import SCALE_OF, degree_of
from agent.extractive.language.names import bare_title
from agent.extractive.language.words import is_superlative

_NAME = r"[A-ZÀ-Þ][\w'’.-]*(?: (?:of |the |de |la )?[A-ZÀ-Þ][\w'’.-]*)*"
_MOST = (
    r"(?:(?:most|least) [a-z]+|[a-z]{2,}est)(?:(?:, | and |, and )(?:most [a-z]+|[a-z]{2,}est))*"
)
_EXTREME = (
    rf"the (?P<most>{_MOST})(?: known| natural)?(?: (?P<noun>[a-z]+(?: [a-z]+)?))? "
    rf"(?:of|in|on) (?:the )?(?P<whole>{_NAME})"
)
_ASKED = re.compile(rf"is (?:the )?(?P<name>\S.*?) {_EXTREME}\W*$", re.IGNORECASE)
_TOLD = re.compile(_EXTREME)
_NOT_ALL = re.compile(r"\W*(?:after|except|but for|apart|outside|besides|to|by)\b")
_IS = re.compile(r"(?P<name>.+?)(?:\s*\([^()]*\))?,? (?:is|are)(?: (?:also|still|thus|today))? $")
_ASIDE = re.compile(rf"(?P<name>{_NAME}), $")
_IT = frozenset(["it", "he", "she"])


def of_an_extreme(asked: Asked, facts: Sequence[Fact], known: Library) -> tuple[bool, Fact] | None:
    """Return whether a thing is the most of its kind, and what says so of it or of another.

    None where no sentence says it of anything, or sentences do not agree.

    Args:
        asked: a yes-or-no question about what is: "Is Ham the largest city of Elm?".
        facts: of the hits; what else the articles of its names say is read.
        known: reads them.
    """
    wanted = _ASKED.match(asked.text)
    if wanted is None or not asked.names or not wanted["whole"][:1].isupper():
        return None
    name = wanted["name"]
    title = known.subject_of(name) or name
    own = [fact for one in asked.subjects for fact in known.facts_at(one)]
    found: dict[bool, Fact] = {}
    for fact in (*facts, *own):
        holder = _holder(wanted, fact)
        if holder:
            same = _is_same(holder, name) or known.subject_of(holder) == title
            found.setdefault(same or bare_title(holder) == bare_title(title), fact)
    if len(found) != 1:
        return None
    return next(iter(found.items()))


def _is_same(holder: str, name: str) -> bool:
    holder, name = holder.rstrip("."), name.rstrip(".")
    return same_name(holder, name) or same_name(name, holder)


def _holder(wanted: re.Match[str], fact: Fact) -> str:
    """What a sentence calls the extreme thing that is meant, "" where it calls nothing so."""
    if fact.kind != "sentence":
        return _boxed(wanted, fact)
    for told in _TOLD.finditer(fact.text):
        if not _same_extreme(wanted, told) or _NOT_ALL.match(fact.text, told.end()):
            continue
        before = fact.text[: told.start()]
        subject = _IS.fullmatch(before) or _ASIDE.search(before)
        if subject is None:
            continue
        name = re.sub(r"^(?:The|the) ", "", subject["name"])
        if name.lower() in _IT or bare_title(fact.title).endswith(name.casefold()):
            return fact.title
        if re.fullmatch(_NAME, name):
            return name
    return ""


def _boxed(wanted: re.Match[str], fact: Fact) -> str:
    """What a box of the whole gives under "Largest city"."""
    if fact.kind != "value" or not _is_same(fact.title, wanted["whole"]):
        return ""
    label, value = fact.cells[0]
    most, _, noun = label.lower().partition(" ")
    if not is_superlative(most) or not wanted["noun"] or re.search(r"[,;(]| and ", value):
        return ""
    known = not missing_words([wanted["noun"].lower()], frozenset({stem(noun)}))
    return value if known and _degrees(most) == _degrees(wanted["most"]) else ""


def _same_extreme(wanted: re.Match[str], told: re.Match[str]) -> bool:
    """Whether two phrases mean the same: "the biggest city in Elm", "the largest city of Elm"."""
    if not _is_same(told["whole"], wanted["whole"]):
        return False
    nouns = [(one["noun"] or "").lower() for one in (wanted, told)]
    alike = nouns[0] == nouns[1] or (
        all(nouns) and not missing_words([nouns[0]], frozenset({stem(nouns[1])}))
    )
    return alike and _degrees(wanted["most"]) <= _degrees(told["most"])


def _degrees(said: str) -> frozenset[tuple[str, int]]:
    """The ends of scales that superlatives name: of "largest and most big" both are one."""
    found = set()
    for one in re.split(r", and |, | and ", said.lower()):
        word = one.split()[-1]
        degree = degree_of(word)
        if degree is None or one.startswith(("most ", "least ")):
            sign = -1 if one.startswith("least ") else 1
            degree = (word, sign)
            if degree_of(f"{word}er") is not None:
                degree = degree_of(f"{word}er") or degree
        base = degree[0]
        found.add((SCALE_OF.get(base, base), degree[1]))
    return frozenset(found)
