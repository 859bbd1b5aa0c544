"""Question words as people type them, and whether words are a question of their own."""

from __future__ import annotations

import re

from agent.extractive.language import words

_SLIPS = {
    word[:i] + word[i + 1 :]: word
    for word in sorted(words.WH)
    for i in range(len(word))
    if len(word) > 3 and word[:i] + word[i + 1 :] not in words.WH
} | {"hw": "how", "hwo": "who", "waht": "what", "whcih": "which", "wats": "what is"}
"""Question words with a letter left out."""
_CONTRACTED = {
    f"{word}{ending}": f"{word} {verb}"
    for word in ("what", "who", "where", "when", "how", "why")
    for ending, verb in (("s", "is"), ("d", "did"))
}


def respelled(text: str) -> str:
    """A clause with its question word written as it is spelled: "wat", "wich", "were was"."""
    first, _, rest = text.partition(" ")
    slip = _SLIPS.get(first.lower()) or _CONTRACTED.get(re.sub("['’]", "", first.lower()))
    if first.lower() == "were" and rest.split(" ")[0].lower() in words.AUXILIARY:
        slip = "where"
    said = f"{slip} {rest}" if slip and rest else text
    return _CLEFT.sub(r"\1 ", said)


def with_apostrophes(text: str) -> str:
    """A text with the apostrophes of its denials: "which arent sung" as "which aren't sung"."""
    return _BARE_NOT.sub(r"\1n't", text)


_BARE_NOT = re.compile(
    r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should)nt\b", re.IGNORECASE
)
_CLEFT = re.compile(r"^(wh\w+|how) (?:it (?:is|was)|(?:is|was) it) that\s", re.IGNORECASE)
"""The head of "when it was that she left"."""


def is_clause(text: str) -> bool:
    """Whether words are a question of their own ("in which year was it built"), no noun phrase."""
    parts = respelled(text).lower().split()
    if not parts:
        return False
    if parts[0] in words.PREPOSITION and len(parts) > 1:
        parts = parts[1:]
    first = parts[0].removesuffix("'s").removesuffix("’s")
    return first in words.WH | words.AUXILIARY or re.sub("['’]", "", parts[0]) in _CONTRACTED
