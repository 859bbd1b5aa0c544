"""A thing put in place of the words of a question that point back at it."""

from __future__ import annotations

import re

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.language import verbs, words
from agent.extractive.language.nouns import before_preposition
from agent.extractive.language.stems import content_stems
from agent.extractive.language.verbs import is_person_noun
from agent.extractive.planner.sentences.introductions import Thing, person_asked

NUMBER = "|".join(words.NUMBER_WORDS)
_ONE = re.compile(
    r"\b(?:(?P<own>its|his|her(?= [a-z]))|(?P<thing>it|he|she|him|her)|(?P<there>(?:from )?there)(?! (?:is|are|was|were)\b)|"
    r"(?:this|that|the) (?P<noun>[a-z]+)(?= (?:is|was|has|had|did|does|[a-z]+ed)\b|[?,]))\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    rf"\b(?P<of>(?:each|which|all|both|any|one|none|how many|who) of )(?:them|these|those|the (?:{NUMBER}))"
    rf"(?: (?:{NUMBER}))?(?: (?P<of_noun>(?!has\b|was\b|is\b|does\b)[a-z]+s)\b)?|"
    rf"\b(?P<these>these|those)(?: (?:{NUMBER}))? (?P<noun>[a-z]+s)\b(?= |[?,]|$)|"
    rf"\b(?P<which>which)(?: ones?)?(?= (?:is|was|has|had|came|took|won|[a-z]+ed)\b)|"
    r"(?P<degree>\bthe \w+er(?: one)?)(?: of (?:them|the two))?(?=[?,]|$)|"
    r"\b(?P<their>their)(?= [a-z])|\b(?P<they>they|them)\b",
    re.IGNORECASE,
)
_MANY = re.compile(rf"\b(?:they|them|their|these|those|each|both|all|any|the (?:{NUMBER}))\b", re.I)
_NAMED = re.compile(r"\s[A-ZÀ-Þ][a-z]")
_LATE = re.compile(
    r" (?:(?:rather|very|only|quite) )?(?:late|early|often|once|twice|later|recently)$"
)


def put_in(asked: str, thing: Thing) -> str:
    """Return a question with a thing named in it, "" where nothing of it points at such a thing."""
    return _put_several(asked, thing) if thing.many else _put(asked, thing)


def without_late(told: str) -> str:
    """What was done without a word at its end that says how: "rather late"."""
    return _LATE.sub("", told)


def _put(asked: str, thing: Thing) -> str:
    """A question with a thing in place of the first word that points at it, "" where none does."""
    pointing = [one for one in _ONE.finditer(asked) if not _is_dummy(asked, one)]
    if thing.person:
        pointing = [one for one in pointing if one[0].lower() in ("he", "she", "his", "her", "him")]
    if not pointing:
        return ""
    first = pointing[0]
    said = set(content_stems(first["noun"] or "")) & set(content_stems(thing.text))
    if first["noun"] and not said and first["noun"] not in _KINDS:
        return ""
    owner = first["own"] and re.match(r"the [a-z].* (?:of|in|on|at|from|by|over) ", thing.text)
    if thing.clause or owner:
        if first["there"]:
            return ""
        return f"{thing.text}: {asked[:1].lower()}{asked[1:]}"
    stands = thing.text
    if first["own"]:
        stands = f"{stands}'s"
    elif first["there"]:
        place = thing.place or stands
        stands = f"from {place}" if " " in first["there"] else f"in {place}"
    elif thing.object and first[0].lower() == "it" and not person_asked(asked):
        stands = thing.object
    rest = asked[first.end() :]
    if thing.object and first[0].lower() != "it":
        rest = re.sub(r"\bit\b", lambda _: thing.object, rest, count=1)
    return f"{asked[: first.start()]}{stands}{rest}"


_KINDS = KINDS_OF_THING | {"man", "woman"}


def _is_dummy(asked: str, pointer: re.Match[str]) -> bool:
    """Whether "it" stands for nothing: "is it true that"."""
    if pointer[0].lower() != "it":
        return False
    if re.search(r"\b(?:is|was)\s+$", asked[: pointer.start()]) and re.match(
        r"\W*$", asked[pointer.end() :]
    ):
        return re.match(r"how\b|where\b", asked, re.IGNORECASE) is None
    return (
        re.match(r"\s+(?:true|the case|known|said|so|correct)\b", asked[pointer.end() :])
        is not None
    )


def _put_several(asked: str, thing: Thing) -> str:
    """The same for several things: "which of them" is which of these."""
    group = thing.text
    asked = _done(asked, thing)
    found = _SEVERAL.search(asked)
    if found is None and _MANY.search(asked) is None:
        return ""
    if found is not None and (found["they"] or found["their"]) and _NAMED.search(asked):
        return ""  # it may be what the question names itself that they do it to
    if found is None or found["they"] or found["their"]:
        return f"{group}: {asked[:1].lower()}{asked[1:]}"
    noun = found["of_noun"] or found["noun"]
    if noun and not thing.listed and _is_of_other_kind(noun, group):
        return ""
    if found["of"] and thing.listed and found["of"].lower().startswith("each"):
        return f"{group}: {asked[:1].lower()}{asked[1:]}"
    if found["of"]:
        return f"{asked[: found.start()]}{found['of']}{group}{asked[found.end() :]}"
    if found["which"]:
        if found.start() > 0:
            return f"{group}: {asked[:1].lower()}{asked[1:]}"
        return f"{found['which']} of {group}{asked[found.end() :]}"
    if found["degree"]:
        return f"{group}: {asked[:1].lower()}{asked[1:]}"
    return f"{asked[: found.start()]}{group}{asked[found.end() :]}"


def _is_of_other_kind(noun: str, group: str) -> bool:
    """Whether a noun cannot call a group: "these persons" no moons."""
    head = before_preposition(re.sub(r"^the ", "", group))[-1]
    persons = [is_person_noun(words.singular(one)) for one in (noun.lower(), head.lower())]
    return persons[0] != persons[1]


def _done(asked: str, thing: Thing) -> str:
    """A question with "to do so" told in the words of what several things do."""
    verb, _, rest = thing.done.removeprefix("all ").removeprefix("both ").partition(" ")
    base = verbs.verb_base(verb)
    if not rest or base is None:
        return asked
    rest = without_late(rest)
    asked = re.sub(r"\bdo (?:so|it|that)\b", f"{base} {rest}", asked)
    return re.sub(r"\bit\b", rest, asked) if re.match("(?:the|an?) ", rest) else asked
