"""Picks the answering words out of a sentence: a person, a name, a place, what was done."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.forms import PERSON
from agent.extractive.language import verbs, words
from agent.extractive.language.stems import content_stems, related, stem

_CAPITALS = re.compile(
    r"(?<![\w])[A-ZÀ-Þ][\w'’.\-]*(?:\s+(?:(?:of|de|da|di|van|von|der|la|le|the)\s+){0,2}[A-ZÀ-Þ][\w'’.\-]*)*"
)
_PLACE = re.compile(
    r"\b(?P<prep>in|at|near|from|to|on)\s+(?:the\s+|(?:then|what was then)[- ]+)?"
    r"(?P<name>[A-ZÀ-Þ][\w'’.\-]*(?:\s+(?:(?:of|de|da|di|am|an|the)\s+)?[A-ZÀ-Þ][\w'’.\-]*)*(?:,\s+[A-ZÀ-Þ][\w'’.\-]*(?:\s+[A-ZÀ-Þ][\w'’.\-]*)*)?)"
)
_MONTH = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_SUBJECT_PRONOUN = re.compile(r"(?:He|She|It|They)\b")
_BORDER = re.compile(r"[;:]|,\s+(?:and|but|which|who)\b|\b(?:and|but)\s+$")
"""Of clauses: a word right after "and" begins one of its own ("joined in 2004 and adopted …")."""
_OTHER_CLAUSE = re.compile(
    r"[;)]|\b(?:is|was|are|were|who|which|and (?:had|has|grew|went|moved))\b"
)
_ROLE = re.compile(
    r"who\s+(?:is|was|are|were)\s+(?:the\s+)?(?:[\w-]+\s+)*?(?P<role>[\w-]+)\s+of\b", re.I
)
_BESIDE_ROLE = (
    words.AUXILIARY | words.DETERMINER | words.word_set("of in for named called his her its")
)
"""Words that may stand between a role and the name of who has it."""
_NEAR_BY = 60
"""Characters between a verb and the "by" that goes with it."""
_WORD = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"\([^()]*\)")


def position_of_attribute(asked: Asked, text: str) -> int | None:
    """Return where a sentence says the attribute, for picking the value that stands nearest."""
    for match in _WORD.finditer(text):
        if match.start() and match[0][0].isupper():
            # "The Command Module": part of a name, which says nothing of who commanded.
            continue
        one = stem(match[0])
        if one in asked.stems or one in asked.hints or related(one, asked.stems):
            return match.start()
    return None


def name_in(asked: Asked, fact: Fact) -> str:
    """Return the name in a sentence that stands nearest to the words of the question.

    A name that carries the noun asked for ("university") goes before others. Asked who did
    something, the doer stands before the verb or after "by". Where the sentence says "he" or
    begins with the last word of the article's title, the title is a name in it.
    """
    known = {name.casefold() for name in (*asked.subjects, *asked.names)}
    names = [
        (start, end, name)
        for start, end, name in _names_with_places(asked, fact)
        if name.casefold() not in known and _can_be_asked(asked, name)
    ]
    if not names:
        return ""
    noun = stem(asked.noun) if asked.noun else ""
    called = [one for one in names if noun and noun in content_stems(one[2])]
    role = _ROLE.match(asked.text)
    if role is not None and verbs.is_person_noun(words.singular(role["role"].lower())):
        names = [one for one in names if _stands_by(role["role"], asked, fact.text, one)]
        if not names:
            return ""
    anchor = position_of_attribute(asked, fact.text)
    if asked.form == "person" and _asks_for_doer(asked.text):
        doers = [one for one in names if _is_doer(fact.text, anchor, one[0], one[1])]
        if not doers:
            return ""
        if anchor is not None and not verbs.is_past(_WORD.match(fact.text, anchor)[0]):  # type: ignore[index]
            # "To words by …": beside a noun, who stands after "by" did it.
            doers = [one for one in doers if one[0] > anchor] or doers
        called = called or doers
    if anchor is None:
        return (called or names)[0][2]
    return min(called or names, key=lambda n: distance(fact.text, anchor, n[0], n[1]))[2]


def _names_with_places(asked: Asked, fact: Fact) -> list[tuple[int, int, str]]:
    names = []
    title = _BRACKETS.sub("", fact.title).strip()
    opening = _SUBJECT_PRONOUN.match(fact.text) or re.match(
        rf"{re.escape(title.split()[-1])}\b", fact.text
    )
    if opening is not None:
        names.append((opening.start(), opening.end(), title))
    pattern = PERSON if asked.form == "person" else _CAPITALS
    for match in pattern.finditer(fact.text):
        name = match[0].rstrip(".,'’")
        first, _, rest = name.partition(" ")
        if match.start() == 0 and first.lower() in words.FUNCTION_WORDS:
            name = rest
        if name and not _MONTH.match(name) and (opening is None or match.start() > 0):
            names.append((match.start(), match.end(), name))
    if asked.form == "person":
        taken = [(start, end) for start, end, _ in names]
        for match in re.finditer(r"\b([A-ZÀ-Þ][\w'’\-]+)\s+(?=[a-z]+ed\b|[a-z]+)", fact.text):
            inside = any(start <= match.start() < end for start, end in taken)
            verb = fact.text[match.end() :].split(maxsplit=1)[0]
            if (
                not inside
                and verbs.is_past(verb)
                and match[1].lower() not in words.FUNCTION_WORDS
                and not _MONTH.match(match[1])
            ):
                names.append((match.start(1), match.end(1), match[1]))
    return names


def _can_be_asked(asked: Asked, name: str) -> bool:
    """Whether a name is not just the question's own words, or a number, in capitals."""
    stems = content_stems(name)
    asking = frozenset(content_stems(asked.text)) - {stem(asked.noun)}
    if words.number_of(name) is not None or (stems and asking >= set(stems)):
        return False
    # A person does not share a name with the thing asked about: "Summer Olympics".
    return asked.form != "person" or not any(one in asking for one in stems)


_WHO_DID = re.compile(r"^Who\s+(?:first\s+|also\s+)?(?P<verb>\w+)\s+\S", re.IGNORECASE)


def _asks_for_doer(text: str) -> bool:
    match = _WHO_DID.match(text)
    return (
        match is not None
        and match["verb"].lower() not in words.AUXILIARY
        and verbs.is_past(match["verb"])
    )


def _is_doer(text: str, anchor: int | None, start: int, end: int) -> bool:
    """Whether a name stands where the doer does: before an active verb, or after "by"."""
    by = re.search(r"\b[Bb]y\s+(?:[a-zà-ÿ\-]+\s+){0,6}$", text[:start])
    if by is not None and (anchor is None or 0 <= by.start() - anchor < _NEAR_BY):
        return True
    if anchor is None:
        return False
    if anchor < start and not text[anchor:start].partition(" ")[2].strip():
        # "Commander Neil Armstrong": a noun of the deed, right before the name.
        return True
    if end > anchor:
        return False
    return not re.search(r"\b(?:was|were|is|are|been|be)\b", text[end:anchor])


def _stands_by(role: str, asked: Asked, text: str, name: tuple[int, int, str]) -> bool:
    """Whether a name stands right by the word for who it is: "her mother, Eva Orr".

    "Led by his mother, he went to the Brod School" names somebody else's school.
    """
    start, end, _ = name
    own = {one.lower() for said in asked.names for one in _WORD.findall(said)}
    for match in re.finditer(rf"\b{re.escape(role)}\b", text, re.IGNORECASE):
        low, high = (end, match.start()) if end <= match.start() else (match.end(), start)
        said = [one.lower() for one in _WORD.findall(text[low:high])]
        if all(one in own or one in _BESIDE_ROLE for one in said) and ";" not in text[low:high]:
            return True
    return False


def distance(text: str, anchor: int, start: int, end: int) -> int:
    """How far a value stands from a word; the other side of a clause's border is far away."""
    low, high = (end, anchor) if end <= anchor else (anchor, start)
    border = 60 if _BORDER.search(text[low:high]) else 0
    return min(abs(start - anchor), abs(end - anchor)) + border


def place_in(asked: Asked, text: str) -> str:
    """Return the place that a sentence gives for what is asked, in the same clause."""
    plain = _BRACKETS.sub(lambda match: " " * len(match[0]), text)
    known = {name.casefold() for name in (*asked.subjects, *asked.names)}
    places = [
        match
        for match in _PLACE.finditer(plain)
        if match["name"].casefold() not in known and not _MONTH.match(match["name"])
    ]
    anchor = position_of_attribute(asked, plain)
    if anchor is None:
        return "" if asked.stems or not places else places[0]["name"].rstrip(".,")
    near_by = [
        match
        for match in places
        if not _OTHER_CLAUSE.search(plain[min(anchor, match.end()) : max(anchor, match.start())])
    ]
    if not near_by:
        return ""
    # What stands after the verb is its place; before it only where nothing follows. "In" tells
    # where more often than "on" and "from".
    nearest = min(
        near_by,
        key=lambda m: (
            m.start() < anchor,
            m["prep"] not in ("in", "at", "near"),
            abs(m.start() - anchor),
        ),
    )
    return nearest["name"].rstrip(".,")


_WHAT_DID = re.compile(r"^What\s+(?:did|does|do)\s+.+?\s(?P<verb>[a-z]+)$", re.IGNORECASE)


def object_in(asked: Asked, text: str) -> str:
    """Return what follows the verb, for "What did X study?": "physics"."""
    match = _WHAT_DID.match(asked.text.rstrip("?"))
    base = verbs.verb_base(match["verb"]) if match is not None else None
    if base is None:
        return ""
    forms = "|".join(
        map(re.escape, {base, verbs.past(base), verbs.participle(base), verbs.third_person(base)})
    )
    said = re.search(
        rf"\b(?:{forms})\s+(?P<what>(?!(?:at|in|for|under|with|from|to)\b)[^,.;()]+?)"
        r"(?=\s+(?:from|at|in|on|to|with|under|until|before|after|and (?:then|was))\b|[,.;()]|$)",
        text,
    )
    return said["what"].strip() if said is not None and len(said["what"].split()) <= 8 else ""


def full_name(name: str, fact: Fact, facts: Sequence[Fact]) -> str:
    """Return the full name that the same article gives for a last name, the name itself without."""
    counted: Counter[str] = Counter()
    for other in facts:
        if other.title == fact.title:
            for match in re.finditer(
                rf"\b(?:[A-ZÀ-Þ][\w'’\-]+\.?\s+){{1,3}}{re.escape(name)}\b", other.text
            ):
                said = match[0].split()
                while said and said[0].lower() in words.FUNCTION_WORDS:
                    said = said[1:]
                if len(said) > 1:
                    counted[" ".join(said)] += 1
    return counted.most_common(1)[0][0] if counted else name
