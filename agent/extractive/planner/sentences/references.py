"""Questions whose pointing words are replaced by what the sentences before them introduced."""

from __future__ import annotations

import re

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.language import verbs, words
from agent.extractive.language.degrees import degree_of
from agent.extractive.language.phrases import main_verb, tokenise
from agent.extractive.language.stems import content_stems
from agent.extractive.planner.sentences.introductions import things_of, unframed
from agent.extractive.planner.sentences.names import NAME, listed_in, names_in
from agent.extractive.planner.sentences.substitution import NUMBER, put_in, without_late

_SENTENCE = re.compile(r"(?<=[a-z\d)\"”'’][.!])\s+(?=[A-ZÀ-Þ])")
_ASKS = re.compile(
    rf"(?:(?:and|but|so|now),? )?(?:(?:{'|'.join(sorted(words.PREPOSITION))}) )?"
    rf"(?:{'|'.join(sorted(words.WH | words.AUXILIARY))}|(?:please )?(?:tell me|name|list|give me))\b",
    re.IGNORECASE,
)
_ALSO = re.compile(r"^(?:and|but|so|now),? (?=\w)", re.IGNORECASE)
_POINTS = re.compile(
    r"\b(?:it|its|he|she|his|her|hers|him|they|them|their|theirs|this|these|those|there|one|ones|then|"
    r"such|same|former|latter|others?|another|that (?:one|[a-z]+\??$)|"
    rf"the (?:{'|'.join(sorted(KINDS_OF_THING))})(?=[?,]|$)|"
    r"the (?:two|three|four|five|first|second|last)(?= (?:is|was|has|had|did|are|were|one)\b|[?,]|$)|"
    r"(?:each|both|either|neither|all)(?! of (?:the (?!two|three)|[A-Z])))\b",
    re.IGNORECASE,
)
_HANGS = re.compile(
    r"\b(?:others?|another|such|same|former|latter|then|"
    r"the (?:first|second|third|last|other|prize|medal|award)(?: one)?(?=[?,]|$))\b",
    re.IGNORECASE,
)
"""What hangs on more of an introduction than on the thing it names."""
_EACH_ITS_OWN = re.compile(r"\beach\b.* (?:somebody|someone|one (?!of\b)[a-z]+)\b")
"""Others that are introduced with the things named: "A and B were each built by somebody"."""
_ABOUT = re.compile(
    rf"(?:and )?(?:(?:what|how) about |the same for )(?P<rest>(?:(?:its|the|his|her) (?:[a-z]+ )?)?{NAME})\??$",
    re.IGNORECASE,
)
_HALF = re.compile(
    rf"(?:(?:could|can|would) you (?:please )?tell me |do you know )?"
    rf"(?P<wh>(?:{'|'.join(sorted(words.PREPOSITION))}) (?:which|what) (?!ones?\b)[a-z]+|when|where|why)"
    r"(?: (?:was|did) (?:that|this|it)(?: happen| be)?)?\??",
    re.IGNORECASE,
)
_WHICH_ONES = re.compile(
    r"^(?:which(?: ones)?(?: (?:are|were) (?:they|these|those))?|"
    r"what (?:are|were) (?:they|these|those)(?: called)?|what (?:are|were) their names)(?=\?|, and )",
    re.IGNORECASE,
)
_COUNT = rf"(?:several|some|many|a number of|a few|{NUMBER})"
_MADE = re.compile(
    rf"(?P<who>.+?) (?:also )?(?P<verb>[a-z]+)(?P<prep> [a-z]+)? {_COUNT} (?P<noun>[a-z][\w -]*)"
)
_DO = re.compile(rf"{_COUNT} (?P<rest>[a-z].+)", re.IGNORECASE)


def pointed_out(text: str) -> str:
    """Return a question without the sentences before it, what it points back at named in it.

    A question that points at nothing and names its own thing stands alone; where it is not made out
    what is meant, the text stays as it is.
    """
    *before, asked = _SENTENCE.split(text)
    judged = re.search(r"\b(?:right|true|correct|(?<!do )so|the case|possible)\W*$", asked)
    if not before or judged or not _ASKS.match(asked) or any("?" in one for one in before):
        return text
    asked = _ALSO.sub("", asked)
    asked = asked[:1].upper() + asked[1:]
    made = _which_made(before, asked) or _both(before, asked) or _happened(before, asked)
    if made:
        return made
    if _points_back(asked) is None:
        return _alone(before, asked) or text
    if _HANGS.search(asked) or any(_EACH_ITS_OWN.search(one) for one in before):
        return text
    for thing in things_of(before, asked):
        put = put_in(asked, thing)
        if put:
            return put if put.startswith(f"{thing.text}: ") else put[:1].upper() + put[1:]
    return text


def _points_back(asked: str) -> re.Match[str] | None:
    """The first word that points at something before the question: nothing in it that it may mean."""
    bare = re.match(
        r"(?:which|who)(?: (?:is|was|has|had) (?:the )?\w+)?\b(?!.*(?:\bthan\b| [A-Z]))",
        asked,
        re.I,
    )
    if bare is not None and " or " not in asked:
        return bare
    for found in _POINTS.finditer(asked):
        before = asked[: found.start()]
        many = found[0].lower() in ("they", "their", "them")
        named = re.search(rf"(?<=\s)(?:the )?{NAME}", before) if not many else None
        several = re.search(rf"\bthe (?:{NUMBER}) \w| and (?:the )?[A-Z]", before) if many else None
        if not (named or several) or found[0].lower() not in _MEANT:
            return found
    return None


_MEANT = frozenset(["it", "its", "he", "she", "his", "her", "they", "their", "them", "there"])
"""Words that may mean what stands before them in the same question."""


def _alone(before: list[str], asked: str) -> str:
    """A question that points at nothing, "" where it may still hang on what was told before."""
    own = re.search(
        rf"(?<!\bin )(?<!\bat )(?<!\bfrom )(?<!\bby )\b{NAME}|\bthe [a-z]+(?: [a-z]+)? (?:in|at|from|by) (?:the )?{NAME}",
        asked[1:],
    )
    told = " ".join(before)
    plain = re.sub(NAME, " ", asked)
    meant = re.findall(r"\b(?:the|this|that|these|those) (?:[a-z]+ )?([a-z]+)\b(?! of\b)", plain)
    shared = set(content_stems(told)) & set(content_stems(" ".join(meant)))
    if own is None or shared:
        return ""
    compared = [
        one for one in re.findall(r"[a-z]+", plain) if one.endswith("er") and degree_of(one)
    ]
    if not compared or re.search(r"\bthan\b|\bor\b|\bthe \w+er\b", asked):
        return asked
    groups = [group for sentence in before for group in names_in(sentence)]
    others = [one for group in groups for one in listed_in(group) or (group,)]
    rivals = {
        one for one in others if not any(part in asked for part in one.split() if part != "the")
    }
    owned = "that of " if re.search(r"['’]s [a-z]", asked) else ""
    return "" if len(rivals) != 1 else f"{asked.rstrip(' ?')} than {owned}{rivals.pop()}?"


def _which_made(before: list[str], asked: str) -> str:
    """What "which ones were they" asks after "Ann Lee wrote several plays": which plays she wrote."""
    ones = _WHICH_ONES.match(asked)
    said = unframed(before[-1].rstrip(" ."))
    told, done = _MADE.fullmatch(said), _DO.fullmatch(said)
    if ones is not None and done is not None:
        return f"Which {done['rest']}{asked[ones.end() :]}"
    if ones is None or told is None:
        return ""
    who = told["who"]
    if who.lower() in ("he", "she", "it", "they"):
        named = [one for sentence in before[:-1] for one in names_in(sentence)]
        who = named[0] if named else ""
    base = verbs.verb_base(told["verb"])
    if not who or base is None:
        return ""
    does = "did" if verbs.is_past(told["verb"]) else "does"
    who = re.sub(r"^The ", "the ", who)
    noun, *when = re.split(r"(?= (?:in|during|between|from) (?:the )?\d)", told["noun"], maxsplit=1)
    rest = f"{told['prep'] or ''}{''.join(when)}{asked[ones.end() :]}"
    return f"Which {noun} {does} {who} {base}{rest}"


def _both(before: list[str], asked: str) -> str:
    """What was asked of one thing before, asked of another as well: "And what about the Po?"."""
    about = _ABOUT.fullmatch(asked)
    told = re.search(rf"\b(?P<asks>(?:{'|'.join(words.WH)})\b.+)$", before[-1].rstrip(" ."))
    if about is None or told is None:
        return ""
    named, other = names_in(f"x {told['asks']}"), names_in(f"x {about['rest']}")
    if len(named) != 1 or len(other) != 1:
        return ""
    asks = told["asks"]
    return f"{asks[:1].upper()}{asks[1:]} and {asks.replace(named[0], other[0])}?"


def _happened(before: list[str], asked: str) -> str:
    """When or where what was told happened: "The Fram sank. In what year was that?"."""
    half = _HALF.fullmatch(asked)
    told = unframed(before[-1].rstrip(" ."))
    tokens = tokenise(told)
    verb = main_verb(tokens)
    if half is None or not 0 < verb < len(tokens):
        return ""
    who = told[: tokens[verb].start].rstrip()
    rest = without_late(told[tokens[verb].end :])
    also = re.search(r" (?:also|even|once|first)$", who)
    who = who[: also.start()] if also else who
    low = tokens[verb].low
    if who.lower() in words.PRONOUN | words.DETERMINER:
        return ""
    who = (
        who
        if re.match(NAME, who) and not re.match(r"(?:The|An?) ", who)
        else who[:1].lower() + who[1:]
    )
    if low in words.BE | words.MODAL | words.HAVE:
        return f"{half['wh']} {low} {who}{rest}?"
    base = verbs.verb_base(low)
    does = "did" if verbs.is_past(low) else "does"
    return f"{half['wh']} {does} {who} {base}{rest}?" if base else ""
