"""Lines of a plan held against the question's own words: which end is meant, of whom, of what kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.language.degrees import ADJECTIVES, degree_of, extreme_of, scale_of
from agent.extractive.language.stems import words_of
from agent.extractive.language.words import is_superlative, number_of, plural
from agent.extractive.planner.writer.program import Line

RANKING = frozenset(["most", "least"])
DATED = re.compile(
    r"(?:when|(?:in |since |from )?(?:what|which) (?:year|decade|century|date|day)|"
    r"(?:on |at )?(?:what|which) (?:date|day)|how old|what (?:is|was) the (?:[a-z]+ )?(?:date|year|birthday))\b",
    re.IGNORECASE,
)
"""Questions that a date answers."""
_REFERENCE = re.compile(r"\{(\d+)\}")
AGED = re.compile(r"how (?:old|young)\b", re.IGNORECASE)


def repaired(question: str, lines: Sequence[Line]) -> list[Line]:
    """Lines that agree with what the question says in so many words."""
    found = _without_names([_in_the_plural(_said_once(question, line)) for line in lines])
    found = [_of_whom(found, place) for place in range(len(found))]
    found = [_bounded(_dated(_aged(_by_no_other(_flowing(line))))) for line in found]
    if _OF_EACH.search(question):
        found = list(map(_asked_of_each, found))
    return [_to_its_end(question, _on_its_scale(question, line)) for line in found]


_TWICE = re.compile(r"\b([a-z]+)(?: \1\b)+")


def _said_once(question: str, line: Line) -> Line:
    """A line that says no word twice in a row where the question does not."""
    return line if _TWICE.search(question) else replace(line, said=_TWICE.sub(r"\1", line.said))


_SET = re.compile(
    r"(?P<are>(?:what|which) (?:are|were) the (?:(?!(?:of|at|in|on|from|by|to|with)\b)[\w'’-]+ ){0,3})"
    r"(?P<kind>[a-z]+)\?",
    re.IGNORECASE,
)


_WHO_HAS = re.compile(r"who ha(?:s|ve)(?! (?:the|an?)\b)(?= [a-z]+ )", re.IGNORECASE)
_WHO_WON = re.compile(
    r"who(?= (?:won|got|received|earned)\b.*\b\d{4} (?:to|and|until|through) \d{4}\b)",
    re.IGNORECASE,
)
"""What others win each time, in the years between two."""


def _in_the_plural(line: Line) -> Line:
    """A set whose kind was typed as of one thing: "Which great lake …?" asks for "the great lakes"."""
    if line.kind != "set":
        return line
    if _WHO_HAS.match(line.said):
        return replace(line, said=_WHO_HAS.sub("Which people have", line.said, count=1))
    if _WHO_WON.match(line.said):
        return replace(line, said=_WHO_WON.sub("Which people", line.said, count=1))
    match = _SET.fullmatch(line.said)
    if match is None or match["kind"].lower() not in KINDS_OF_THING:
        return line
    return replace(line, said=f"{match['are']}{plural(match['kind'])}?")


_NAME_OF = re.compile(
    r"(?:what|which) (?:is|are|was|were) (?:the names? of \{(?P<of>\d+)\}|\{(?P<called>\d+)\} (?:called|named))\?",
    re.IGNORECASE,
)


def _without_names(lines: Sequence[Line]) -> list[Line]:
    """Lines without those at the end that ask for the name of what was found, which is found by it."""
    asked = {
        number: int(match["of"] or match["called"])
        for number, line in enumerate(lines, 1)
        if line.kind == "ask" and (match := _NAME_OF.fullmatch(line.said))
    }
    kept = len(lines) - len(asked)
    if not asked or min(asked) != kept + 1 or max(asked.values()) > kept:
        return list(lines)
    return [
        replace(line, kind="ask") if line.kind == "find" and number in asked.values() else line
        for number, line in enumerate(lines[:kept], 1)
    ]


_FLOWING = re.compile(
    r"in(?= (?:which|what) (?:\w+ )?(?:lake|sea|ocean|gulf|bay|river) do(?:es)? .*\b(?:flow|empty|drain|end|run|discharge)\b)",
    re.IGNORECASE,
)


def _flowing(line: Line) -> Line:
    """A line that asks where water goes: into a lake, not out of it."""
    return replace(line, said=_FLOWING.sub("Into", line.said, count=1))


_BUT = re.compile(
    r"\b(?:some|any)(?:one|body|thing) (?:(?:other|else) than|except|but|besides) ", re.IGNORECASE
)


def _by_no_other(line: Line) -> Line:
    """A condition that excludes one thing, as the denial of that thing: "found by somebody but Ann".

    What the writer denies already it denies of that thing alone.
    """
    if line.kind not in ("is", "not") or _BUT.search(line.said) is None:
        return line
    return replace(line, kind="not", said=_BUT.sub("", line.said))


_OF_AGE = re.compile(r"at (?:what|which) age (?P<be>is|was) (?P<who>\{\d+\})\?", re.IGNORECASE)


def _aged(line: Line) -> Line:
    """A line that asks for an age in the words that others do: "At what age is {1}?"."""
    match = _OF_AGE.fullmatch(line.said)
    return line if match is None else replace(line, said=f"How old {match['be']} {match['who']}?")


_DONE = re.compile(
    r"(?P<did>did|was|were)\s+(?P<told>.*\{\w+\}.*?)\s+"
    r"(?P<when>(?:in|before|after|since|during|by|until)\s+(?:the\s+)?(?:year\s+)?"
    r"(?:\d{3,4}s?|\d{1,2}(?:st|nd|rd|th)\s+century)(?:\s+b\.?c\.?e?)?)\?",
    re.IGNORECASE,
)
_KINDS = {
    "in": "=", "during": "=", "before": "<", "after": ">", "since": ">=", "by": "<=", "until": "<=",
}  # fmt: skip


def _dated(line: Line) -> Line:
    """A line that asks for a date, and holds it against a year, where its yes-no question tells one."""
    match = _DONE.fullmatch(line.said) if line.kind == "is" else None
    if match is None:
        return line
    relation, bound = match["when"].split(maxsplit=1)
    return Line(_KINDS[relation.lower()], bound, f"When {match['did'].lower()} {match['told']}?")


_HAVING = re.compile(
    r"(?P<do>does|do|did)\s+(?P<who>\{\d+\})\s+have\s+(?:an?\s+|the\s+)?(?P<what>[a-z][a-z -]*?)\s+(?:of\s+)?"
    r"(?P<how>above|over|exceeding|(?:more|greater|larger|higher|longer) than|"
    r"below|under|(?:less|fewer|smaller|lower|shorter) than|at least|at most)\s+"
    r"(?P<bound>\d[\d.,]*(?:\s+[^\d\W][\w ]*)?)\?",
    re.IGNORECASE,
)
_COUNTING = re.compile(
    r"(?P<do>does|do|did)\s+(?P<who>\{\d+\})\s+have\s+"
    r"(?P<how>(?:more|fewer|less) than|over|under|at least|at most)\s+(?P<bound>\w+)\s+(?P<what>[a-z][a-z -]*)\?",
    re.IGNORECASE,
)
_SIDES = {"at least": ">=", "at most": "<="}
_LESS = re.compile(r"below|under|(?:less|fewer|smaller|lower|shorter) than", re.IGNORECASE)


def _bounded(line: Line) -> Line:
    """A line that asks for an amount, and holds it against a bound, where its yes-no question tells one."""
    having = _HAVING.fullmatch(line.said) if line.kind == "is" else None
    counting = _COUNTING.fullmatch(line.said) if line.kind == "is" else None
    match = having or counting
    if match is None or (counting and number_of(counting["bound"]) is None):
        return line
    side = _SIDES.get(match["how"].lower(), "<" if _LESS.fullmatch(match["how"]) else ">")
    if having:
        be = "was" if having["do"].lower() == "did" else "is"
        return Line(side, having["bound"], f"What {be} the {having['what']} of {having['who']}?")
    did = match["do"].lower()
    return Line(side, match["bound"], f"How many {match['what']} {did} {match['who']} have?")


_OF_EACH = re.compile(r"\b(?:each|every|respective|respectively)\b", re.IGNORECASE)


def _asked_of_each(line: Line) -> Line:
    """A line that asks a measure, where it would choose by one that is the most already.

    "Each lake with its greatest depth" asks for depths; the deepest lake is chosen by "how deep".
    """
    chosen = line.kind in RANKING and not line.bound
    extreme = chosen and any(map(is_superlative, line.said.split()))
    return replace(line, kind="ask") if extreme else line


_HOW = re.compile(
    r"how (?P<adjective>[a-z]+)(?P<rest> (?:is|was|are|were) \{\d+\}\?)", re.IGNORECASE
)
_AT_AGE = re.compile(r"at what age (?=did )", re.IGNORECASE)
_AGES = re.compile(r"\b(?:aged?|ages|old\w*|young\w*|long\w*|years?)\b", re.IGNORECASE)


def _on_its_scale(question: str, line: Line) -> Line:
    """A line that ranks by what the question's superlative measures, told from the larger end.

    The shallowest lake is found by how deep each is: values are told so, whatever is asked for. Who
    "died most recently" is found by when.
    """
    if line.kind not in RANKING:
        return line
    if _AT_AGE.match(line.said) and not _AGES.search(question):
        return replace(line, said=_AT_AGE.sub("When ", line.said))
    measured = _HOW.fullmatch(line.said)
    asked = words_of(question.lower())
    compared = {scale_of(degree[0]) for word in asked if (degree := degree_of(word))}
    scales = {extreme[0] for word in asked if (extreme := extreme_of(word))}
    if measured is None or AGED.match(line.said) or len(scales) > 1:
        return line
    adjective = measured["adjective"].lower()
    scale = scale_of(adjective)
    meant = next(iter(scales), scale)
    if meant != scale and {meant, scale} <= _PLAIN and scale not in compared:
        line = replace(line, said=f"How {meant}{measured['rest']}")
    if ADJECTIVES.get(adjective) == -1:
        # Whoever asks how shallow each is wants the shallowest.
        return replace(line, kind="least", said=f"How {scale}{measured['rest']}")
    return line


_PLAIN = frozenset(["long", "high", "deep", "wide", "large", "heavy", "hot", "thick"])
"""Scales that are measured each by its own number."""


_EARLIER = frozenset(["first", "earliest", "oldest", "soonest"])
_LATER = frozenset(["last", "latest", "newest", "youngest", "recent", "recently"])
_MEASURING = re.compile(r"how|what (?:is|was|are|were) the ", re.IGNORECASE)
_DEGREE = re.compile(r"\b(?P<degree>most|least) (?P<adjective>[a-z]+)", re.IGNORECASE)


def _to_its_end(question: str, line: Line) -> Line:
    """A line that chooses the most or the least, as the question's superlative says.

    "Which reached the stage first?" asks for the earliest date, "the shallowest" for the least of how
    deep each is. Where the question has words for both ends, or for none, the line stands.
    """
    if line.kind not in RANKING or AGED.match(line.said):
        return line
    said = {word.lower() for word in words_of(line.said)}
    if DATED.match(line.said):
        if said & (_EARLIER | _LATER):
            return line
        asked = {word.lower() for word in words_of(question)}
        ends = {-1} if asked & _EARLIER else set()
        ends |= {1} if asked & _LATER else set()
    elif not _MEASURING.match(line.said) or any(map(is_superlative, said)):
        return line
    else:
        measured = re.match(r"how ([a-z]+)", line.said, re.IGNORECASE)
        sign = ADJECTIVES.get(measured[1].lower(), 1) if measured else 1
        ends = {end * sign for end in _ends(question)}
    if len(ends) != 1:
        return line
    return replace(line, kind="most" if ends == {1} else "least")


_RANKED = re.compile(
    r"\b(?:rank|sort|order|arrange)(?:ed|ing)?\b.*?\b(?:(?P<low>last|bottom)|first|top)\b",
    re.IGNORECASE | re.DOTALL,
)
_ASCENDING = re.compile(r"\b(?:ascending|increasing|rising|upwards?)\b", re.IGNORECASE)


def _ends(question: str) -> set[int]:
    """Of which ends of their scales a question has superlatives, or places in a ranking: 1, -1."""
    found = set()
    if (ranked := _RANKED.search(question)) and not _ASCENDING.search(question):
        found.add(-1 if ranked["low"] else 1)
    for match in _DEGREE.finditer(question):
        end = ADJECTIVES.get(match["adjective"].lower(), 1)
        found.add(end if match["degree"].lower() == "most" else -end)
    for word in words_of(_DEGREE.sub(" ", question)):
        degree = degree_of(word) if is_superlative(word) else None
        if degree is not None:
            found.add(degree[1])
    return found


_PERSONAL = re.compile(
    r"\b(?:birth(?:place|day| place| date)?|alma mater|nationality|wife|husband) of \{"
    r"|\}['’]s (?:birth|alma mater|nationality|wife|husband)|\} (?:born|stud(?:y|ied)|graduated?|married)\b",
    re.IGNORECASE,
)
"""What is told of persons alone."""
_WHOM = re.compile(
    r"(?:who|by whom)\b|(?:what|which) (?:person|man|woman|people)\b|"
    r"(?:what|who) (?:is|was|are|were) the (?:name of the )?\w+(?:er|or|ist|ian|ant)s? of\b",
    re.IGNORECASE,
)
"""Questions that persons answer."""


def _of_whom(lines: Sequence[Line], place: int) -> Line:
    """A line that asks of a person what it asks of a thing, where another line finds the person.

    "Who walked on the Moon on {1}? What is the birth date of {1}?" has persons behind it, not {1}.
    """
    line = lines[place]
    references = _REFERENCE.findall(line.said)
    if line.kind == "names" or len(references) != 1 or not _PERSONAL.search(line.said):
        return line
    at = int(references[0]) - 1
    if at >= place or lines[at].kind == "names" or _WHOM.match(lines[at].said):
        return line
    of_it = f"{{{at + 1}}}"
    persons = [
        number
        for number, one in enumerate(lines[:place], 1)
        if one.kind in ("ask", "find") and _WHOM.match(one.said) and of_it in one.said
    ]
    if len(persons) != 1:
        return line
    return replace(line, said=line.said.replace(of_it, f"{{{persons[0]}}}"))
