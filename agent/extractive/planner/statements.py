"""Statements to be judged: told in a sentence before the question, or in words that add nothing.

"My uncle says that Elm is a town. Is he right?" asks whether Elm is a town, and so do "Is it true
that Elm is a town?" and "Elm is a town, isn't it?".
"""

from __future__ import annotations

import re

from agent.extractive.language import verbs, words
from agent.extractive.language.words import word_set
from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.predicates.question import polar_question

_SAYING = (
    r"(?:says?|said|claims?|claimed|thinks?|thought|believes?|believed|insists?|insisted|"
    r"tells?|told|swears?|swore|heard|reads?|argues?|argued|reckons?|bets?|suppose|assumes?|"
    r"maintains?|wrote|writes)"
)
_RIGHT = r"(?:right|true|correct|so|the case|a fact)"
_TOLD = re.compile(
    rf"(?:[^,.?!]{{1,60}}? )?{_SAYING}(?: (?:me|us|him|her|them))?(?: once)?:? (?:that )?"
    rf"(?P<said>.+?)[.,;!?–—-]+\s*(?:and |but |so )?(?:is|was|are) "
    rf"(?:he|she|it|that|this|they|we|I)(?: really| actually)? {_RIGHT}(?: about (?:it|that))?\W*$",
    re.IGNORECASE,
)
_TRUE = re.compile(
    rf"(?:is|was) it (?:really |actually )?{_RIGHT} that (?P<said>.+?)\W*$|"
    r"true or false\W+(?P<or>.+?)\W*$",
    re.IGNORECASE,
)
_TAG = re.compile(
    r"(?P<said>[A-Z0-9].+?), (?:right|correct|true|or not|"
    r"(?:is|was|are|were|do|does|did|has|have|had|can)n['’]t (?:it|he|she|they|there))\?$"
)
_ADDED = re.compile(
    r",? (?:as well|at all|ever|actually|really|indeed|also|too|by any chance|in fact)\b(?= |\W*$)",
    re.IGNORECASE,
)
_GET_TO = re.compile(r"\b(?:get|manage|happen|come) to (?=(?P<verb>[a-z]+)\b)", re.IGNORECASE)
_EXISTS = re.compile(r"(?:exists?|gives?) there (?:some|any|an?)? ?", re.IGNORECASE)
_OPENED = re.compile(r"(?:is|are|was|were|do|does|did|has|have|had|can|could)\b", re.IGNORECASE)
_BEFORE = re.compile(
    r"[^.!?]+[.!]\s+(?P<asked>(?:is|are|was|were|do|does|did|has|have|had|can|could)\b"
    r"(?!.*\b(?:he|she|it|they|him|her|them|his|its|their|this|that|these|those|there|then|same|one|"
    r"who|which)\b)[^.!?]*\?*)$",
    re.IGNORECASE,
)
"""A question after a sentence that it does not point back to."""
_NAMED = re.compile(r"\s[A-ZÀ-Þ]\w")
_ONE_OF = re.compile(
    r"(?:is|are|was|were)\s+(?!there\b)(?:[^?]*?\S)\s+"
    r"(?:one (?:of|among)|among|an? (?:member|part) of|part of|counted among)\s+[^?]+\?*$",
    re.IGNORECASE,
)
_EXTREME = re.compile(
    r"(?i:is|was) (?:the )?[A-ZÀ-Þ][^?]*? the (?:(?:most|least) \w+|\w{2,}est)(?: [a-z]+)* "
    r"(?:of|in|on) (?:the )?[A-ZÀ-Þ][^,?]*\?*$"
)
_MUTUAL = word_set(
    """related relatives siblings brothers sisters twins friends cousins neighbours neighbors rivals
    relations married unrelated connected"""
)
_BETWEEN = re.compile(
    r"(?:are|were)\s+(?P<one>[^,?]+?) and (?P<other>[^,?]+?) (?P<rest>[a-z][^,?]*)\?*$",
    re.IGNORECASE,
)


def plain_statement(text: str) -> str:
    """Return a question for a statement's truth as one plain sentence, any other as it is."""
    for pattern in (_TOLD, _TRUE, _TAG):
        found = pattern.match(text)
        if found is not None:
            said = next(one for one in found.groups() if one)
            asked = _asked(said.strip(" ,."))
            if asked:
                return plain_statement(asked)
    alone = _BEFORE.match(text)
    if alone is not None and _NAMED.search(alone["asked"]):
        text = alone["asked"]
    if _EXISTS.match(text):
        text = _EXISTS.sub("Is there a ", text, count=1)
    if _OPENED.match(text) is None or re.search(r"[.!?]\s+\w", text):
        return text
    text = _GET_TO.sub(lambda one: "" if verbs.is_base_verb(one["verb"]) else one[0], text)
    return _ADDED.sub("", text)


def is_one_statement(text: str) -> bool:
    """Whether a question asks of two things whether they belong together: a member and its set.

    It has no parts that could be found out first: "Is Elm one of the three towns?", "Is Elm the
    oldest town of Kern?".
    """
    if _OPENED.match(text) is None:
        return False
    if _ONE_OF.match(text) or _EXTREME.match(text):
        return True
    between = _BETWEEN.match(text)
    return between is not None and not _MUTUAL.isdisjoint(between["rest"].lower().split())


def asks_whether(reading: Decomposition) -> bool:
    """Whether a plan is one step that asks whether the question's statement holds."""
    if len(reading.steps) != 1 or reading.members or reading.open_ended:
        return False
    return all(_OPENED.match(text) for text in (reading.question, reading.steps[0].text))


def _asked(said: str) -> str:
    """A statement turned into its question: "Elm has two inns" to "Does Elm have two inns?".

    "" where its verb is not made out.
    """
    parts = said.split()
    for place, word in enumerate(parts[1:], start=1):
        low = word.lower()
        if low in words.RELATIVE and low != "that":
            return ""
        rest = " ".join(parts[place:])
        subject = " ".join(parts[:place])
        auxiliary = low in words.BE | words.MODAL | words.HAVE
        finite = word.islower() and (verbs.is_past(low) or low.endswith("s"))
        if auxiliary or (finite and verbs.verb_base(low) not in (None, low)):
            first, _, others = subject.partition(" ")
            if first.lower() in words.DETERMINER:
                subject = f"{first.lower()} {others}"
            ask = polar_question(rest, subject)
            return ask.text if ask is not None else ""
    return ""
