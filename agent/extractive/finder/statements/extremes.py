"""What is the most of its kind: there is one, and articles say which, or a list of all that there are.

"Is Brod the largest city of Elm?" is settled by "Ham is the largest city of Elm", and not by "Ham is
the second largest", nor by "Ham is one of the largest". The shallowest of five lakes is told by a table
of all five with their depths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.names import same_name
from agent.citations.content.words import missing_words, stem
from agent.extractive.finder.asked import Asked, hints_of
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.statements.sets import Library, Whole, wholes
from agent.extractive.language.degrees import SCALE_OF, degree_of, extreme_of, scale_of
from agent.extractive.language.names import bare_title
from agent.extractive.language.quantities import find_dates, find_quantities
from agent.extractive.language.stems import content_stems
from agent.extractive.language.words import is_superlative, plural

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


_END = r"(?P<most>least [a-z]+|[a-z]{2,}est)"
_THE_MOST = re.compile(
    rf"(?:what|which|who)\b[^?]*?\b(?:is|was) the {_END} (?P<of>[^,?]+?)\W*$", re.IGNORECASE
)
_WHICH_OF = re.compile(
    rf"(?:what|which|who)(?: one)? (?P<of>(?:of|among) [^,?]+?) (?:is|was) the {_END}\W*$",
    re.IGNORECASE,
)
_OF = re.compile(r"^(?:(?:one|member) )?(?:of|in|among) (?:all )?(?:the )?", re.IGNORECASE)


def most_of_whole(asked: Asked, known: Library) -> tuple[str, Fact] | None:
    """Return the member that is the most of a set that is listed whole, and the row that tells of it.

    None where no such table has one column of what the most is sought of, with a value for each.

    Args:
        asked: "What is the shallowest Great Lake?", "Which is the least deep of the Great Lakes?"
        known: reads the article of the set.
    """
    wanted = _most_asked(asked)
    if wanted is None:
        return None
    degree = _end_of(wanted["most"].lower())
    name = _OF.sub("", wanted["of"])
    title = next(filter(None, map(known.subject_of, (name, plural(name)))), None)
    if degree is None or title is None:
        return None
    for whole in wholes(known.facts_at(title)):
        values = _measured(whole, degree[0])
        if not values:
            continue
        ordered = sorted(
            zip(values, whole.members, whole.lines, strict=True), key=lambda one: one[0]
        )
        first, second = ordered[:2] if degree[1] < 0 else ordered[:-3:-1]
        return (first[1], first[2]) if first[0] != second[0] else None
    return None


def asks_for_the_most(asked: Asked) -> bool:
    """Return whether one thing is asked for that is the most of its kind."""
    return _most_asked(asked) is not None


def _most_asked(asked: Asked) -> re.Match[str] | None:
    return _THE_MOST.match(asked.text) or _WHICH_OF.match(asked.text)


def _end_of(most: str) -> tuple[str, int] | None:
    """The adjective of the scale that a superlative is the end of, and which end."""
    least, _, word = most.rpartition(" ")
    if not least:
        return extreme_of(word)
    return (scale_of(word), -1) if hints_of(scale_of(word)) else None


def _measured(whole: Whole, scale: str) -> list[float]:
    """What each row of a list has under the only head that says a measure; none where one lacks."""
    heads = [head for head, _ in whole.lines[0].cells] if whole.lines else []
    places = [at for at, head in enumerate(heads) if hints_of(scale) & set(content_stems(head))]
    if len(places) != 1:
        return []
    cells = [row.cells[places[0]][1] for row in whole.lines if places[0] < len(row.cells)]
    found = [find_quantities(cell)[:1] for cell in cells if not find_dates(cell)]
    told = [one[0] for one in found if one]
    alike = len({one.dimension for one in told}) == 1
    return [one.base for one in told] if alike and len(told) == len(whole.lines) else []
