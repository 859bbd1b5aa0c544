"""Words that are left to be understood, written out: of a shared clause, of "the biggest one".

"When and where was Ann Lee born": each of the two asks, so the clause is written out for the first,
and the others follow it as halves that the steps complete. "Planets with over ten moons, and the
biggest one of each": the one is a moon.
"""

from __future__ import annotations

import re

from agent.extractive.language import words
from agent.extractive.language.quantities import find_quantities
from agent.extractive.language.verbs import is_past, verb_base

_PREPOSITION = r"(?:in|on|at|by|from|to|for|with|under|through|of)"
_NOUN = rf"(?: (?!(?:{'|'.join(sorted(words.AUXILIARY))})\b)[a-z]+)"
_ASKING = (
    rf"(?:(?:{_PREPOSITION} )?(?:which|what){_NOUN}?|(?:{_PREPOSITION} )?whom|"
    rf"how (?:many|much){_NOUN}|how{_NOUN}?|when|where|why)"
)
_SHARED = re.compile(
    rf"(?<!\w)(?P<first>{_ASKING})(?P<more>(?:,\s+{_ASKING})*),?\s+(?:and|or|&)\s+"
    rf"(?P<last>{_ASKING})\s+(?P<rest>(?!(?:and|or)\b)[^,;?!]*?\w.*?)"
    rf"(?P<end>\s*(?:[;?!]|\.?$|,?\s+(?:and|or|but)\s+(?={_ASKING}\b|who\b|whose\b)))",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"{_ASKING}", re.IGNORECASE)
_ONE = re.compile(
    r"\b(?P<the>the (?:\w+est|most \w+|least \w+) )one(?= (?:of|in|on|for|around|belonging)\b)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"\b(?:than|over|under|least|most|exactly|only) (?P<much>(?:\d[\d,.]*|{'|'.join(words.NUMBER_WORDS)}) "
    r"(?:(?!and|or)[a-z]+ )?(?P<noun>[a-z]+s))\b"
)


_AGAIN = re.compile(
    r"(?P<clause>(?P<wh>(?:\w+ )?(?:who|when|where|which|what|how(?: many| much)?)\b)[^,?]*?),? and (?P=wh) "
    r"(?P<tail>(?P<prep>in|at|on|for|from|by|during|after|before) [^,?]+|(?:the )?[A-ZÀ-Þ][^,?]*)\?",
    re.IGNORECASE,
)
_WAS_THAT = re.compile(
    rf"(?:\?|,)\s+and (?P<half>(?:{_PREPOSITION} )?(?:which|what) [a-z]+|when|where|why)"
    r" (?:was|is|did) (?:that|this|it)(?: happen| be| done)?\?",
    re.IGNORECASE,
)


def _repeated(text: str) -> str:
    """A question with a clause said again for another thing: "who won in 2010 and who in 2014"."""
    match = _AGAIN.fullmatch(text)
    if match is None or any(_is_verb(word) for word in re.findall(r"\b[a-z]+", match["tail"])):
        return text
    clause, tail = match["clause"], match["tail"]
    if match["prep"]:
        at = re.search(rf" {match['prep']} ", clause, re.IGNORECASE)
        again = f"{clause[: at.start()]} {tail}" if at else ""
    else:
        named = re.findall(r"(?<=\s)(?:the )?[A-ZÀ-Þ][\w'’-]*(?: [A-ZÀ-Þ][\w'’-]*)*", clause)
        again = clause.replace(named[0], tail) if len(named) == 1 else ""
    return f"{clause} and {again[:1].lower()}{again[1:]}?" if again else text


def written_out(text: str) -> str:
    """Return a question with what is left to be understood written out (`_shared_out`).

    "Who won in 2010 and who in 2014?" says what they won twice, "And in what year was that?" is "and
    in what year", which the steps complete.
    """
    return _shared_out(_repeated(_WAS_THAT.sub(lambda half: f", and {half['half']}?", text)))


def _shared_out(text: str) -> str:
    """Return a question in which one question word stands before a shared clause, the other after.

    "When and where was Ann Lee born?" becomes "When was Ann Lee born, and where?". A text without
    two question words before one clause stays as it is.
    """

    def apart(match: re.Match[str]) -> str:
        rest = match["rest"]
        if not any(_is_verb(word) for word in re.findall(r"[a-z]+", rest)):
            return match[0]
        others = [*filter(None, match["more"].split(", ")), match["last"]]
        halves = ", and ".join(one[:1].lower() + one[1:] for one in others)
        return f"{match['first']} {rest}, and {halves}{match['end']}"

    return _SHARED.sub(apart, text)


def with_ones_named(text: str) -> str:
    """Return a question in which "the biggest one of each" is called what was counted before it.

    "Planets with over ten moons, and who found the biggest one of each" asks for the biggest moon. A
    measure is nothing that has a biggest one; a text without a count before stays as it is.
    """

    def named(match: re.Match[str]) -> str:
        counted = [
            one["noun"]
            for one in _COUNTED.finditer(text, 0, match.start())
            if not any(quantity.dimension for quantity in find_quantities(one["much"]))
        ]
        return f"{match['the']}{words.singular(counted[-1]) if counted else 'one'}"

    return _ONE.sub(named, text)


def asks_alone(step: str) -> bool:
    """Whether a step is a question word and no clause: "When?"."""
    return _ALONE.fullmatch(step.strip(" ?.")) is not None


def _is_verb(word: str) -> bool:
    return word in words.AUXILIARY or is_past(word) or verb_base(word) is not None
