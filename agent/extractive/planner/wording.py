"""A question in the words that others use for the same, before its plan is written."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.citations.content.dates import MONTHS
from agent.extractive.language.degrees import usual_degree
from agent.extractive.language.verbs import is_base_verb, past
from corpus.text import CARDINALS, word_set

_ORDINALS = {"1st": "first", "2nd": "second", "3rd": "third"}
_ORDINAL = re.compile(r"\b(?:1st|2nd|3rd)\b(?= [a-z])")
_DID = re.compile(
    r"\b(?P<who>[Ww]ho|(?:[Ww]hat|[Ww]hich) [a-z]+) did (?P<verb>[a-z]+)"
    r"(?= (?:the|an?|his|her|its) |\s[A-ZÀ-Þ])"
)
_CALLED = re.compile(
    r"\b(?:the|that|this|its|their|an?) (?:[a-z'’-]+ ){1,3}(?:of (?:the )?[A-ZÀ-Þ][\w'’-]* )?"
    r"(?:called|named) (?P<name>[A-ZÀ-Þ][\w'’.-]*(?: [A-ZÀ-Þ][\w'’.-]*)*)"
)
_NUMBERED = re.compile(
    r"\b(?P<series>[A-ZÀ-Þ][\w'’-]*) (?P<first>\d+)(?P<more>(?:(?:, (?:and |or )?| and | or | vs\.? | to | through | thru )\d+)+)\b"
)
_FELLOW = re.compile(
    r"\b(?P<which>first|second|third|last|only) (?:guy|bloke|chap|fellow|human)(?= (?:on|in|to|at)\b)"
)
_NAME = r"(?:the )?[A-ZÀ-Þ][\w'’.-]*(?: (?:of |de )?[A-ZÀ-Þ][\w'’.-]*)*"
_CORRECTED = re.compile(
    rf"\b(?!(?:Is|Are|Was|Were|Do|Does|Did|Has|Have|Had|In|On|At|Of|From)\b){_NAME},? (?:(?:sorry|no|wait|er|um|oh),? )*I mea(?:n|nt),? (?P<right>{_NAME})(?:,(?= [a-z]))?"
)
_WHAT_IS = re.compile(r"\b(?P<wh>[Ww]hat|[Ww]ho|[Ww]here|[Ww]hen)s(?= )")
_POLITE = re.compile(
    rf"\b(?:(?:Mr|Mrs|Ms|Mister|Dr|Prof|Professor)\.? )+(?P<name>(?:(?:van|von|de|der|den|da|di|du|la) )*{_NAME})"
)
_DEGREE = re.compile(r"\b[a-z]{2,}(?:est|er)\b")
_OURS = re.compile(r"\bour (?:own )?(?P<body>moon|sun)\b")
_PROPER = re.compile(r"\bolympics?\b")
_FEW = re.compile(
    r"(?P<before>(?:^|\b[a-z’']+ ))(?P<number>[2-9]|1[0-2])(?= (?!(?:"
    + "|".join(MONTHS)
    + r")\b)[a-z]{3,}| [A-ZÀ-Þ][\w'’-]+ [a-z]{3,}s\b)"
)
_BOUNDING = word_set(
    "than least most over under above below top first last to and or between exactly"
)
_SHORT_YEAR = re.compile(r"(?<![\w'’])['’](?P<year>\d\d)(?![\w'’])")
_UP_TO = re.compile(r"(?<=\b\d{4}) (?:up to|up until|all the way to) (?=\d{4}\b)")
_LATEST = 40
"""Two digits up to which a year is of this century: "'08", not "'92"."""
_AGAIN = re.compile(r"(?<=\b(?:called|titled)) again\b")


_TYPED_SHORT = {
    "b4": "before", "ppl": "people", "prog": "programming", "lang": "language",
    "langs": "languages", "mtn": "mountain", "mtns": "mountains", "bday": "birthday",
    "bdays": "birthdays", "univ": "university", "uni": "university", "unis": "universities",
    "smth": "something", "smb": "somebody", "thru": "through", "n": "and", "w/": "with",
    "w": "with", "w/o": "without", "yrs": "years", "u": "you", "ur": "your", "r": "are",
    "diff": "difference", "avg": "average", "approx": "approximately", "govt": "government",
    "diam": "diameter", "chem": "chemistry",
}  # fmt: skip
_TYPED = re.compile(r"(?<![\w'’./+-])[a-z][a-z/]{0,5}\d?\.?(?![\w'’/+-])")


def spelt_out(text: str) -> str:
    """Return a question with the words that people type short in full: "b4", "ppl", "w/", "n"."""
    return _TYPED.sub(lambda found: _TYPED_SHORT.get(found[0].rstrip("."), found[0]), text)


def plainly(text: str, title_of: Callable[[str], str | None]) -> str:
    """Return a question with its turns of phrase as most people put them.

    "Who did order it" is who ordered it, "the small moon of Mars called Deimos" is Deimos, "Apollo 12
    or 14" names two flights, "Mars, no, I mean Venus" is Venus, "Mr Puccini" Puccini, "whats" what is,
    "the tiniest" the smallest, "'92" 1992, "1988 up to 2024" 1988 to 2024, our own moon the Moon, "in 10 days" in ten days, as articles write it,
    and the Olympics are written with a capital.

    Args:
        text: a question, its names in capitals.
        title_of: returns the title of the article that a name leads to, None where there is none.
    """
    text = _ORDINAL.sub(lambda match: _ORDINALS[match[0]], text)
    text = _DEGREE.sub(lambda match: usual_degree(match[0]), text)
    text = _OURS.sub(lambda match: f"the {match['body'].capitalize()}", text)
    text = _PROPER.sub(lambda match: match[0].capitalize(), text)
    text = _FEW.sub(_in_words, _AGAIN.sub("", text))
    text = _UP_TO.sub(" to ", _SHORT_YEAR.sub(lambda match: whole_year(match["year"]), text))
    text = _WHAT_IS.sub(r"\g<wh> is", text)
    text = _FELLOW.sub(r"\g<which> person", text)
    text = _DID.sub(_in_the_past, text)
    text = _CORRECTED.sub(lambda match: match["right"], text)

    def by_name(match: re.Match[str]) -> str:
        known = title_of(match[0]) is None and title_of(match["name"]) is not None
        return match["name"] if known else match[0]

    def without_courtesy(match: re.Match[str]) -> str:
        return match["name"] if title_of(match[0]) is None else match[0]

    def in_full(match: re.Match[str]) -> str:
        numbers = re.findall(r"\d+", match["more"])
        if not all(title_of(f"{match['series']} {number}") for number in numbers):
            return match[0]
        more = re.sub(r"\d+", lambda number: f"{match['series']} {number[0]}", match["more"])
        return f"{match['series']} {match['first']}{more}"

    text = _POLITE.sub(without_courtesy, _CALLED.sub(by_name, text))
    return _NUMBERED.sub(in_full, text)


def whole_year(digits: str) -> str:
    """Return the year that two digits are said for: 1992 of "92", 2008 of "08"."""
    return f"{'20' if int(digits) <= _LATEST else '19'}{digits}"


def _in_words(match: re.Match[str]) -> str:
    """A small number as a word, where it only counts things: bounds are compared as numbers."""
    bounding = match["before"].strip() in _BOUNDING
    return match[0] if bounding else f"{match['before']}{CARDINALS[int(match['number'])]}"


def _in_the_past(match: re.Match[str]) -> str:
    verb = match["verb"]
    return f"{match['who']} {past(verb)}" if is_base_verb(verb.lower()) else match[0]


_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\s[-–—]+\s")
"""Between the sentences of a question, or before what stands behind a dash."""


_BRACKETED = re.compile(
    r"\s*\((?![^()]*\b(?:not?|but|except\w*|exclu\w*|without|besides|minus|only)\b)[^()]*\)"
)
"""An aside; not one that excepts something."""
_CLAUSES = re.compile(r"(?P<first>[^,.!?;:]+), (?P<second>[^,.!?;:]+)(?P<mark>[.!?]?)")


def other_wordings(text: str) -> list[str]:
    """Return a question as others would put it.

    What is told first stands last, sentence or clause, what stands in brackets is left out, and it is
    asked in haste and as a request.
    """
    first, *rest = _SENTENCE.split(text)
    turned = [" ".join((*rest, first))] if rest else []
    if clauses := _CLAUSES.fullmatch(text):
        turned.append(f"{clauses['second']}, {clauses['first']}{clauses['mark']}")
    bare = _BRACKETED.sub("", text)
    turned += [bare] if bare != text else []
    return [*turned, text[:1].lower() + text[1:].rstrip("?.!"), f"Please tell me: {text}"]
