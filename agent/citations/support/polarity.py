"""Whether a claim says yes where what is quoted says yes: negation and doubt, word by word.

A negating word turns what follows it in its clause. Claim and quote disagree where a word that
both hold is turned in one and not in the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from agent.citations.content.words import content_words, stem
from agent.citations.quotes import IDEOGRAPH

_NEGATION = re.compile(
    r"\b(?:not(?! only\b)|never|no(?![.:]|\s*\d)|none|neither|nor|nobody|nothing|nowhere|without|cannot|"
    r"unable to|fail(?:s|ed|ing)? to|lack(?:s|ed|ing)?|refus(?:es|ed|ing) to|declin(?:es|ed|ing) to|"
    r"instead of|rather than|hardly|denie[sd]|deny)\b|\b\w+n['’]t\b",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:may|might|could|would|possibly|perhaps|probably|reportedly|allegedly|supposedly|rumou?red|"
    r"planned|proposed|intended|expected|scheduled|attempt(?:s|ed)? to|hoped to|if|unless|"
    r"falsely|wrongly|mistakenly|incorrectly|myth|hoax|fictional|(?:was|were|is|are) to (?:be|have))\b"
)
"""In small letters only: May is a month."""
_CLAUSE = re.compile(
    r"[,;:.()!?|—–]|\b(?:but|although|though|however|while|whereas|because|since|which|who|whose|when|"
    r"until|before|after|yet|so that|in order)\b",
    re.IGNORECASE,
)
_CALLED_OFF = re.compile(
    r"\b(?:called off|cancell?ed|aborted|scrubbed|abolish(?:ed|es)|disband(?:ed|s)|scrapped)\b",
    re.IGNORECASE,
)
_DOES_AWAY = re.compile(
    r"\b(?:(?:do(?:es|ne)?|did) away|g[eo]t\w* rid|rid \w+sel(?:f|ves))\b", re.IGNORECASE
)
"""Words in which a claim says that something was called off."""
_UNTIL = re.compile(r"\bnot\b[^,;.]{0,60}\buntil\b", re.IGNORECASE)
_NOT_ONLY = re.compile(r"不仅|不但|不只|不过|不久|不断|不同|未来|无论|非常|无线|不少")
_HAN_NEGATION = re.compile(r"没有|沒有|不|未|无|無|非|从未|沒|没|莫|勿|否")


def turned_words(text: str, pattern: re.Pattern[str] = _NEGATION) -> frozenset[str]:
    """Return the stems of the words that a text's negations turn."""
    return _turned(text, pattern)


@lru_cache(maxsize=512)
def _turned(text: str, pattern: re.Pattern[str]) -> frozenset[str]:
    # "was not finished until 1990" says that it was finished.
    text = _UNTIL.sub(lambda found: found[0].replace("not", "   ", 1), text)
    stems: set[str] = set()
    for found in pattern.finditer(text):
        end = _CLAUSE.search(text, found.end())
        scope = text[found.end() : end.start() if end else len(text)]
        stems.update(stem(word) for word in content_words(scope))
    return frozenset(stems)


def polarity_differs(claim: str, quote: str, same: Callable[[str, frozenset[str]], bool]) -> bool:
    """Say whether a claim denies what the quote states, or states what it denies.

    Args:
        claim: one sentence.
        quote: the sentence around what is quoted.
        same: tells whether a word of one stands among the stems of another, synonyms included.
    """
    if IDEOGRAPH.search(claim) and IDEOGRAPH.search(quote):
        return _han_denials(claim) != _han_denials(quote)
    mine, theirs = turned_words(claim), turned_words(quote)
    if not mine and not theirs:
        return bool(_bare_negation(claim)) != bool(_bare_negation(quote))
    claimed = frozenset(stem(word) for word in content_words(claim))
    quoted = frozenset(stem(word) for word in content_words(quote))
    denied = any(not same(one, theirs) and same(one, quoted - theirs) for one in mine)
    stated = any(
        same(one, claimed - mine) and not same(one, mine) and one not in quoted - theirs
        for one in theirs
    )
    # A claim that denies where nothing of the quote is denied cannot rest on it.
    return denied or stated or bool(mine and not theirs)


def denied_in(name: str, claim: str, quote: str) -> bool:
    """Say whether all that a quote tells of a name that a claim states is something that it denies."""
    words = frozenset(stem(word) for word in content_words(name))
    turned = turned_words(quote) - turned_words(claim)
    clauses = [frozenset(map(stem, content_words(one))) for one in _CLAUSE.split(quote)]
    return bool(words) and words <= turned and sum(words <= clause for clause in clauses) == 1


def doubt_dropped(claim: str, quote: str) -> bool:
    """Say whether a quote only supposes what the claim states."""
    doubted = turned_words(quote, _DOUBT) - turned_words(claim, _DOUBT)
    if not (_CALLED_OFF.search(claim) or _DOES_AWAY.search(claim)):
        doubted |= _called_off(quote)
    stated = frozenset(stem(word) for word in content_words(claim))
    return bool(doubted & stated)


def _called_off(quote: str) -> frozenset[str]:
    """Return the stems of the clauses that say of something that it was called off."""
    clauses = (clause for clause in _CLAUSE.split(quote) if _CALLED_OFF.search(clause))
    return frozenset(stem(word) for clause in clauses for word in content_words(clause))


def supposed(value: str, question: str, quote: str) -> bool:
    """Say whether the clause that names a value supposes it, and the question asks for no guess."""
    if _DOUBT.search(question):
        return False
    clauses = _CLAUSE.split(quote)
    return any(value in clause and _DOUBT.search(clause) for clause in clauses)


def _bare_negation(text: str) -> bool:
    """Whether a text denies something that carries no word of its own: "It has none."."""
    return any(True for _ in _NEGATION.finditer(_UNTIL.sub("", text)))


def _han_denials(text: str) -> bool:
    return bool(_HAN_NEGATION.search(_NOT_ONLY.sub("", text)))


_COMPARED = re.compile(
    r"\b(?:\w{2,}er|more|less|worse|further|rather|else|otherwise)\b[^.;]*\bthan\b", re.IGNORECASE
)
_OTHER = re.compile(
    r"\b(?:another|others?|different|elsewhere|except|besides|apart from|(?:any|some)(?:one|body|thing) but)\b",
    re.IGNORECASE,
)
"""Than what is not said: "Language: Italian" is another one to somebody who means German."""


def compares_nothing(claim: str, quote: str) -> bool:
    """Whether a claim says "than" and not what is more or less, or "another" and its quote does not.

    Cut off, it holds of anything.
    """
    apart = _OTHER.search(claim)
    if apart is not None and apart[0].lower() not in quote.lower():
        return True
    return re.search(r"\bthan\b", claim) is not None and _COMPARED.search(claim) is None


def only_compared(name: str, values: Sequence[str], question: str, sentence: str) -> bool:
    """Whether a sentence names something only to compare another thing with it.

    "It has 134 members, fewer than Ostby and Vik" does not say how many Vik has.
    """
    before, than, behind = sentence.casefold().partition(" than ")
    if not than or re.search(r"\bthan\b", question, re.IGNORECASE):
        return False
    told = any(value.casefold() in behind for value in values)
    low = name.casefold()
    if re.search(rf"{re.escape(low)}['’]", question.casefold()):
        return False  # "Earth's moon": something of it is asked about
    return low in behind and low not in before and not told
