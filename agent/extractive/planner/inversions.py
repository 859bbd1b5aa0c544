"""Questions put out of their usual order, or told at length, as they are asked most plainly.

"Who did build the tower" asks who built it, "how long the river is that runs through Lyon" how long
the river that runs through Lyon is, "how much is the height of" what the height is.
"""

from __future__ import annotations

import re

from agent.extractive.language.verbs import is_base_verb, is_person_noun, past, verb_base

_DID = re.compile(
    r"\b(?P<wh>(?:[Ww]ho|(?:[Ww]hich|[Ww]hat)(?: (?!did\b)[a-z]+){0,2})) did (?P<verb>[a-z]+) "
    r"(?=(?:the|an?|its|his|her|their|this|these|[\"“A-ZÀ-Þ\d])|(?:first|all|most|both|in|at|for|from|to) )"
)
"""What learners say of the one who did it: who did order the opera."""
_HOW_MUCH = re.compile(
    r"\b[Hh]ow (?:much|many|big|high|large) (?P<be>is|are|was|were) (?=the (?:[a-z]+ ){0,2}?"
    r"(?:height|depth|length|width|breadth|weight|mass|area|size|diameter|distance|population|speed|"
    r"age|elevation|altitude|surface|volume|number|percentage|share|temperature|price|cost|capacity|"
    r"budget|salary)\b)"
)
_NAME_OF = re.compile(
    r"\b[Ww]hat (?P<be>is|was) the (?:full |real |first |last )?name of (?P<who>(?:the |his |her |their )?(?P<noun>[a-z]+))(?= )"
)
_THE_PERSON = re.compile(
    r"\b(?P<who>[Ww]ho) (?:is|was) (?:it|the (?:person|human|one|guy)|somebody|someone) (?:who|that) "
    r"(?!first|last)(?=[a-z])"
)
_EXTRAPOSED = re.compile(
    r"\b(?P<how>[Hh]ow [a-z]+) (?P<thing>(?:the|that|this) [a-z]+(?: [a-z]+)?) (?P<be>is|are|was|were) "
    r"(?P<clause>(?:that|which|where|who) [^?]+?)(?=\s*\??$)"
)


_LIES = re.compile(
    r"^(?P<where>(?:in|into|on|at|from|through|near) (?:which|what) [a-z]+) (?P<verb>[a-z]+s) "
    r"(?P<thing>(?:the (?:[a-z]+ )?)?[A-ZÀ-Þ][^?,]*?)(?=\s*\?*$)",
    re.IGNORECASE,
)


def in_order(text: str) -> str:
    """Return a question in the plainest order of its words; other texts stay as they are."""
    text = _EXTRAPOSED.sub(r"\g<how> \g<be> \g<thing> \g<clause>", text)
    text = _THE_PERSON.sub(r"\g<who> ", _HOW_MUCH.sub(_what, text))
    return _LIES.sub(_does, _NAME_OF.sub(_who, _DID.sub(_done, text)))


def _what(match: re.Match[str]) -> str:
    return f"{'W' if match[0][0] == 'H' else 'w'}hat {match['be']} "


def _done(match: re.Match[str]) -> str:
    """The deed in the past, unless another verb ends the question: "which prize did play at X win"."""
    last = match.string.rstrip(" ?.").split()[-1]
    if not is_base_verb(match["verb"]) or is_base_verb(last):
        return match[0]
    return f"{match['wh']} {past(match['verb'])} "


def _does(match: re.Match[str]) -> str:
    """The verb behind its subject: "in which state lies Ham"."""
    base, thing = verb_base(match["verb"]), match["thing"]
    name = thing.removeprefix("the ").split(" ")
    if base is None or base == match["verb"] or not all(n[:1].isupper() for n in name[1:]):
        return match[0]
    return f"{match['where']} does {thing} {base}"


def _who(match: re.Match[str]) -> str:
    """A person by name is who it is; a ship or a moon is not."""
    if not is_person_noun(match["noun"]):
        return match[0]
    return f"{'W' if match[0][0] == 'W' else 'w'}ho {match['be']} {match['who']}"
