"""What of a thing is asked: itself, something that belongs to it, or something that it is of."""

from __future__ import annotations

import re

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.finder.asked import Asked
from agent.extractive.language import words
from agent.extractive.language.stems import content_stems
from agent.extractive.language.verbs import is_participle, verb_base
from agent.extractive.language.words import is_superlative

_PART = r"(?:(?P<owns>['’]s?)\s+(?P<owned>[a-z][\w-]+)|\s+(?P<part>[a-z][\w-]+)(?=\s+(?P<done>[a-z]+)\b))"
_OF_PART = re.compile(r"(?:how (?!many|much)\w+|when|where|who|by whom)\b", re.IGNORECASE)


_ADVERBS = words.word_set("now then first last once again already still today later well best")


def asks_of_part(asked: Asked) -> bool:
    """Whether a step asks of something that belongs to the first thing it names, not of that thing.

    "When was the Yale library founded?" and "How old is Hall's house?" are answered by no box of
    Yale or Hall; "Who was Hall's wife?" is.
    """
    if not asked.names or _OF_PART.match(asked.text) is None:
        return False
    name = re.escape(asked.names[0])
    if owned := re.search(rf"(?<=\bthe )(?P<part>[a-z]+) of (?:the )?{name} \w", asked.text):
        # "Where was the mother of Ann Lee born?" is not about Ann Lee.
        return owned["part"] not in words.FUNCTION_WORDS | KINDS_OF_THING
    if one := re.search(rf"\bthe (?P<end>\w+est|most \w+|least \w+) {name} [a-z]", asked.text):
        # The newest Ivy League university is not the Ivy League.
        return is_superlative(one["end"].split()[0])
    found = re.search(rf"(?<!\w){name}{_PART}", asked.text)
    if found is None:
        return False
    part = found["owned"] or found["part"]
    if found["owns"]:
        # What stands behind an owned thing, or asks how old it is, is said of it.
        rest = content_stems(asked.text[found.end() :]) or asked.text[:4].lower() == "how "
        return bool(rest)
    plain = part in words.FUNCTION_WORDS | KINDS_OF_THING | _ADVERBS or part.endswith("ly")
    return not plain and verb_base(part) is None and is_participle(found["done"])


def asks_what_it_has(asked: Asked) -> bool:
    """Whether a step asks for something of a thing, not what it is of: "the moons of Io", "Io's moon"."""
    name = re.escape(asked.names[0]) if asked.names else ""
    said = rf"\bof (?:the )?{name}\b|\b{name}['’]|\b(?:do|does|did)\b.*{name} have\b"
    return bool(name) and re.search(said, asked.text) is not None
