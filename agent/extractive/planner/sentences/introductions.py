"""What the sentences before a question introduce: the thing that the question points back at.

"I'm going to see Tosca next week. Who composed it?" speaks of Tosca, "A baker burned the town down.
In what year did he die?" of the baker who did that, "Oslo has an old fort. Who built it?" of Oslo's
old fort.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.extractive.language import verbs, words
from agent.extractive.language.nouns import before_preposition
from agent.extractive.language.phrases import main_verb, tokenise
from agent.extractive.language.stems import content_stems
from agent.extractive.language.verbs import is_person_noun
from agent.extractive.planner.sentences.names import (
    DAYS,
    NAME,
    OPENINGS,
    listed_in,
    names_in,
)

_SPEAKS = re.compile(
    r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur|[Ss]ome(?:one|body)|[Ee]very(?:one|body)|[Ll]et (?:me|us))\b"
)
_TELLS = re.compile(
    r"\b(?:that|who|whom|whose|which|where|when|how|what|why|whether|if|says?|said|knows?|thinks?|believe)\b"
)
_FRAME = re.compile(
    r"(?:(?:I|we)(?:['’]ve| have)? (?:just |once |been )?(?:heard|read|know|learn(?:ed|t)|understand|saw|told)|"
    r"every(?:one|body) knows|people say|it is (?:well )?known|as (?:everyone|everybody|you) knows?,?|"
    r"I am told)(?: that)? (?!about |of |an? )",
    re.IGNORECASE,
)
_FRAMED = re.compile(
    r",? (?:I (?:understand|believe|think|know|am told|have (?:heard|read))|as (?:everyone|everybody) knows)$"
)
_TALK = frozenset(content_stems(
    "question fact facts data information thesis trip tour visit journey holiday vacation weekend walk flight talk quiz project report paper essay "
    "book article film movie documentary programme program lecture lesson class course exam test table "
    "chart list map ticket tickets photo picture fan overview poster presentation exhibition idea story"
))  # fmt: skip
"""Stems of nouns by which people speak of what they do, not of what they ask about."""
_OWNER = re.compile(
    r"\b(?:the|an?|this|my|our) (?P<np>(?:[a-z][\w-]* ){0,2}?(?P<noun>[a-z][\w-]+)) "
    r"(?P<prep>of|in|by|at|near|from|on|about|to|for|with) $"
)
_MENTIONED = re.compile(
    r"\b(?:mention(?:s|ed)?|heard (?:of|about)|(?:read|told (?:me|us)|learn(?:ed|t)|know|talk(?:s|ed)?|write|writing|"
    r"reading|spoke) about|interested in) (?P<det>the |an? )?(?P<np>[a-z][^,.;:]+)$"
)
_HAS = re.compile(
    rf"^(?P<who>(?:the |The )?{NAME}) (?P<had>has|had|have|owns|owned|keeps) "
    rf"(?P<count>an?|some|several|many|{'|'.join(words.NUMBER_WORDS)}) (?P<np>[\w' -]+)$"
)
_INDEFINITE = re.compile(
    rf"^(?P<det>An?|One|Some|Several|Many|(?:The |All )?(?:{'|'.join(one.capitalize() for one in words.NUMBER_WORDS)}|"
    rf"{'|'.join(words.NUMBER_WORDS)})) (?P<rest>.+)$"
)
_PERSONS = frozenset(["he", "she", "him", "his", "her", "hers"])
_POINTER = re.compile(
    r"\b(?:it|its|he|she|him|his|her|hers|there|they|them|their|each|both|these|those|two|three|one|ones)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Thing:
    """What was introduced."""

    text: str
    many: bool = False
    person: bool = False
    """Whether it can only be meant by "he", "she" and the like."""
    done: str = ""
    """What several things do: "all won the cup"."""
    listed: bool = False
    """Whether it is several things by name."""
    clause: bool = False
    """Whether it is told by a relative clause."""
    place: str = ""
    """The name in it, which "there" means."""
    object: str = ""
    """What belongs to the person, and "it" may mean."""


def things_of(before: Sequence[str], asked: str) -> list[Thing]:
    """What some sentences introduce, the likeliest first.

    Args:
        before: the sentences before the question.
        asked: the question.
    """
    told = [unframed(one.rstrip(" .!")) for one in before]
    spoken = _spoken(told, asked) if any(_SPEAKS.search(one) for one in told) else None
    found = (spoken, _among(told), _had(told, asked), _indefinite(told), _subject(told, asked))
    return [one for one in found if one is not None]


def unframed(sentence: str) -> str:
    """A sentence without the words that somebody heard or knows it."""
    plain = _FRAMED.sub("", _FRAME.sub("", sentence, count=1))
    return plain[:1].upper() + plain[1:]


def _spoken(told: Sequence[str], asked: str) -> Thing | None:
    """The one thing named where people speak of themselves: "My aunt sailed on the Fram"."""
    naming = [one for one in told if names_in(one)]
    mentioned = _MENTIONED.search(told[-1])
    clause = mentioned is not None and _TELLS.search(mentioned["np"]) is not None
    if mentioned is not None and (clause or not naming):
        head = before_preposition(mentioned["np"])[-1]
        many = words.is_plural(head)
        said = f"the {mentioned['np']}" if mentioned["det"] or many else mentioned["np"]
        return Thing(said, many=many, clause=clause)
    if not naming:
        return None
    last = naming[-1]
    groups = names_in(last)
    if len(groups) != 1 or _TELLS.search(last) or not (_SPEAKS.search(last) or last is told[-1]):
        return None
    if len(naming) > 1 and not listed_in(groups[0]):
        return None
    left = last[: last.find(groups[0])]
    owner = _OWNER.search(left)
    if owner is not None:
        many = words.is_plural(owner["noun"])
        person = person_asked(asked) and not (many and _ALL.search(asked))
        talk = set(content_stems(owner["noun"])) <= _TALK or is_person_noun(owner["noun"])
        if not person and not talk:
            said = f"the {owner['np']} {owner['prep']} {groups[0]}"
            return Thing(said, many=many, place=groups[0])
    return _listing(groups[0])


_ALL = re.compile(r"\b(?:them|they|these|those|their)\b")


def person_asked(asked: str) -> bool:
    """Whether a question points at a person: "he", "her"."""
    return bool(_PERSONS & set(re.findall(r"[a-z]+", asked.lower())))


def _listing(group: str) -> Thing:
    """A list of names, or one name."""
    listed = listed_in(group)
    text = f"{', '.join(listed[:-1])} and {listed[-1]}" if listed else group
    return Thing(text, many=bool(listed), listed=bool(listed))


def _among(told: Sequence[str]) -> Thing | None:
    """Things that are named one by one: "One is called X, the other Y", "X, Y and Z all have kings"."""
    for sentence in reversed(told):
        groups = names_in(sentence)
        for group in groups:
            if listed_in(group) and sentence.lower().startswith(group.lower()):
                thing = _listing(group)
                done = re.match(
                    r" (?:all |both )?(?P<verb>[a-z]+) (?P<rest>[^,;]+)$", sentence[len(group) :]
                )
                return replace(thing, done=done[0].strip() if done else "")
        two = re.match(
            rf"One (?:is|was)(?: called| named)? (?P<one>(?:the )?{NAME}),? (?:and )?the other(?: one)?"
            rf"(?: is| was)?(?: called| named)? (?P<two>(?:the )?{NAME})",
            sentence,
        ) or re.match(
            rf"There (?:is|are|was|were) (?P<one>(?:the )?{NAME})(?: (?:from|in|of|at|near|by) (?:the )?{NAME})?,? "
            rf"and (?P<two>(?:the )?{NAME})",
            sentence,
        )
        if two is not None:
            return _listing(f"{two['one']} and {two['two']}")
    return None


def _had(told: Sequence[str], asked: str) -> Thing | None:
    """What somebody or something has: "Oslo has an old fort"."""
    match = _HAS.match(told[-1])
    if match is None or re.search(r"\b(?:to|for|with|who|that|which|him|her|it)\b", match["np"]):
        return None
    who = match["who"]
    if who.lower() in words.PRONOUN:
        before = (
            re.match(rf"(?:(?:The|the) )?{NAME}(?= [a-z])", told[-2]) if len(told) > 1 else None
        )
        if before is None:
            return None
        who = before[0]
    who = re.sub(r"^The ", "the ", who)
    plain = re.sub(r"^(?:certain|particular|special) ", "", match["np"])
    head = before_preposition(plain)[-1]
    many = words.is_plural(head)
    person = person_asked(asked) and not is_person_noun(words.singular(head))
    if person or (match["had"] == "had" and re.search(r"\bits\b", asked)):
        return Thing(who)  # "the Fram had an accident: who was its captain"
    count = match["count"] if match["count"] in words.NUMBER_WORDS else ""
    return Thing(f"{who}'s {count} {plain}".replace("  ", " "), many=many)


def _indefinite(told: Sequence[str]) -> Thing | None:
    """What is told of one that is not named: "A baker burned the town down"."""
    match = _INDEFINITE.match(told[-1])
    if match is None or (len(told) > 1 and _POINTER.search(told[-1])):
        return None
    tokens = tokenise(match["rest"])
    verb = main_verb(tokens)
    if verb >= len(tokens) or verb > 6 or _TELLS.search(told[-1]):
        return None
    noun = match["rest"][: tokens[verb].start].strip()
    head = before_preposition(noun)[-1]
    person = is_person_noun(words.singular(head))
    low = match["det"].lower()
    many = words.is_plural(head) or low not in ("a", "an", "one")
    if low != "one" and noun.startswith("of "):
        return None
    if low == "one" and (
        among := re.fullmatch(
            r"of (?:the |these )?(?P<nouns>[a-z][\w -]*?)(?P<also> later| once)?", noun
        )
    ):
        noun, many = words.singular(among["nouns"]), False
        person = is_person_noun(noun)
    count = (
        ""
        if low in ("a", "an", "one", "some", "several", "many")
        else f"{low.removeprefix('the ')} "
    )
    told_of = match["rest"][tokens[verb].start :]
    text = f"the {count}{noun} {'who' if person else 'that'} {told_of}"
    return Thing(text, many=many, clause=True)


def _subject(told: Sequence[str], asked: str) -> Thing | None:
    """Who or what a sentence is about: "Bell Labs was once famous"."""
    person = person_asked(asked)
    for sentence in dict.fromkeys((told[-1], told[0])):
        name, verb = _subject_of(sentence)
        if not name or (verb in words.BE and re.search(r"\bthere\b", asked)):
            continue
        around = told if sentence is told[0] else [sentence]
        others = [one for part in around for one in names_in(part) if one not in name]
        another = re.search(r"\b(?:an?|one) [a-z]", sentence[len(name) :]) is not None
        named = sentence is told[-1] and verb in words.BE
        if (others or another) and not (person or named):
            continue
        owned = re.search(r"\b(?:his|her|its) (?P<np>(?:(?:[\w-]+) ){0,2}[\w-]+)$", sentence)
        thing = f"{name}'s {owned['np']}" if owned else ""
        return Thing(name, person=bool(others) and not named, object=thing)
    return None


def _subject_of(sentence: str) -> tuple[str, str]:
    """The subject of a sentence that begins with a name or with "the", and its verb; "" for none."""
    match = _ABOUT.match(sentence)
    if match is not None and match["name"].lower() not in OPENINGS | words.FUNCTION_WORDS:
        verb = match["verb"]
        known = verb in words.AUXILIARY or verbs.is_past(verb) or verb.endswith("s")
        return (re.sub(r"^The ", "the ", match["name"]), verb) if known else ("", "")
    if re.match(r"The [a-z]", sentence) is None:
        return "", ""
    tokens = tokenise(sentence)
    at = main_verb(tokens)
    if not 1 < at < min(len(tokens), 8):
        return "", ""
    said = sentence[: tokens[at].start].rstrip()
    plural = words.is_plural(before_preposition(said[4:])[-1])
    return ("", "") if plural else (f"the {said[4:]}", tokens[at].low)


_ABOUT = re.compile(
    rf"(?P<name>(?:The )?(?!(?:{DAYS})\b){NAME})"
    r"(?: (?:never|also|once|first|later|often|even))? (?P<verb>[a-z]+)\b"
)
