"""Tokens of a question, and where its main verb stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.extractive.language import verbs, words
from agent.extractive.language.names import without_owning

_TOKEN = re.compile(
    r"\{[\w.]+\}(?:'s\b)?|\"[^\"]+\"|“[^”]+”|«[^»]+»|《[^》]+》|\([^()]*\)"
    r"|(?:[A-Z]\.){2,}|[$€£]?\d[\d,.]*\d%?(?![^\W\d_])|[^\W_](?:['’.&/+#\-]*[^\W_])*[+#]*|\S"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a quoted title, a bracketed remark or a mark of punctuation."""

    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """The word in lower case, a possessive ending removed."""
        return without_owning(self.text.lower())

    @property
    def is_name(self) -> bool:
        """Whether it is written as a name: capitalised, quoted, or a placeholder."""
        first = self.text[0]
        if first in '"“«《{':
            return True
        return (first.isupper() or words.is_cjk(self.text)) and self.low not in _NEVER_NAMES

    @property
    def is_word(self) -> bool:
        """Whether it is more than punctuation or a bracketed remark."""
        return self.text[0] not in "(" and any(char.isalnum() for char in self.text)


_NEVER_NAMES = words.WH | words.AUXILIARY | words.DETERMINER | words.word_set("i and or if")


def tokenise(text: str) -> list[Token]:
    """Split a question into tokens; offsets refer to `text`."""
    return [Token(m.group(), m.start(), m.end()) for m in _TOKEN.finditer(text)]


def main_verb(tokens: Sequence[Token], start: int = 0) -> int:
    """Return the index of the finite verb after a subject that begins at `start`.

    Relative clauses and participle phrases inside the subject are stepped over. Returns
    `len(tokens)` where no verb follows.
    """
    open_relative = False
    seen_head = False
    i = start
    while i < len(tokens):
        token = tokens[i]
        if not token.is_word or token.low in words.CONJUNCTION:
            i += 1
            continue
        if token.low in words.RELATIVE and seen_head:
            open_relative = True
        elif token.low in words.AUXILIARY:
            if not open_relative:
                return i
            i = _group_end(tokens, i)
            open_relative = False
            continue
        elif seen_head and _finite(tokens, i):
            if not open_relative:
                reduced = verbs.is_participle(token.low) and _verb_follows(tokens, i + 1)
                if not reduced:
                    return i
            open_relative = False
        elif (
            token.low not in words.FUNCTION_WORDS and not words.is_superlative(token.low)
        ) or token.low in {"each", "one", "ones", "it", "they", "he", "she"}:
            seen_head = True
        i += 1
    return len(tokens)


def _group_end(tokens: Sequence[Token], i: int) -> int:
    """Step over a verb group: "have ever won", "is located", "was first held"."""
    i += 1
    while i < len(tokens) and (
        tokens[i].low in words.AUXILIARY
        or tokens[i].low in {"not", "never", "ever", "also", "first", "last", "been", "currently"}
    ):
        i += 1
    if i < len(tokens) and verbs.verb_base(tokens[i].low) and not tokens[i].is_name:
        i += 1
    return i


def _finite(tokens: Sequence[Token], i: int) -> bool:
    """Say whether the token can be a finite verb where it stands, after a noun."""
    token = tokens[i]
    before = tokens[i - 1] if i else None
    if token.is_name or verbs.verb_base(token.low) is None or token.low.endswith("ing"):
        return False
    if i + 1 < len(tokens) and tokens[i + 1].low in words.AUXILIARY - {"do"}:
        return False
    if words.is_plural(token.low) and i + 1 < len(tokens) and verbs.is_base_verb(tokens[i + 1].low):
        # "The Baltic states use": a plural before its verb.
        return False
    if before is None or before.low in words.DETERMINER | words.PREPOSITION:
        return False
    year = len(before.low) == 4 and before.low.isdigit()
    if words.is_superlative(before.low) or (words.number_of(before.low) is not None and not year):
        return False
    if verbs.is_past(token.low):
        return True
    # "Which of the cantons lies": of several, one.
    one_of = [token.low for token in tokens[:2]] == ["which", "of"]
    after_plural = words.is_plural(before.low) or before.low in words.PRONOUN
    if token.low in verbs.BASE_VERBS:
        return after_plural or before.is_name
    # "flows", "borders": a verb's -s form is a plural noun as well.
    return (
        (not after_plural or one_of)
        and (before.is_name or before.low not in words.FUNCTION_WORDS)
        and (i + 1 < len(tokens))
    )


def _verb_follows(tokens: Sequence[Token], start: int) -> bool:
    """Say whether another finite verb stands after `start`, outside relative clauses."""
    relative = False
    for i in range(start, len(tokens)):
        low = tokens[i].low
        if low in words.RELATIVE:
            relative = True
        elif low in words.AUXILIARY or (i > start and _finite(tokens, i)):
            if not relative:
                return True
            relative = False
    return False


def inverted_verb(tokens: Sequence[Token], start: int, auxiliary: str) -> int:
    """Return the index of the predicate's verb in an inverted clause ("did the X … attend Y").

    `start` is the first token after the auxiliary. Returns `len(tokens)` where the clause is
    copular and has no further verb.
    """
    low_aux = auxiliary.lower()
    found = len(tokens)
    relative = False
    for i in range(start, len(tokens)):
        token = tokens[i]
        if token.low in words.RELATIVE and i > start:
            relative = True
            continue
        if token.is_name or not token.is_word:
            continue
        if low_aux in words.BE | words.HAVE:
            fits = verbs.is_participle(token.low) and token.low != "limited"
        else:
            fits = verbs.is_base_verb(token.low) or token.low in {"have", "be", "do"}
        if not fits or i == start:
            if relative and (
                (low_aux in words.DO and token.low in words.AUXILIARY - {"do"})
                or (token.low in words.HAVE and not _takes_participle(tokens, i))
            ):
                # In "where X is located", the next base form belongs to the question again.
                relative = False
            elif relative and token.low not in words.AUXILIARY and _finite(tokens, i):
                relative = False
            continue
        before = tokens[i - 1].low
        if relative:
            relative = False
            continue
        if before in {"to", "most", "least", "more", "less", "best", "not"} | words.DETERMINER:
            continue
        counted = words.number_of(before) is not None and i + 1 < len(tokens)
        if before in words.PREPOSITION or counted:
            continue
        if low_aux in words.BE and i + 1 < len(tokens) and _is_modifier(tokens, i):
            continue
        if i + 1 < len(tokens) and tokens[i + 1].low in {"each", "all", "both", "have"}:
            continue
        found = i
        if low_aux in words.DO | words.MODAL:
            break
    return found


def _takes_participle(tokens: Sequence[Token], i: int) -> bool:
    """Say whether "have" is an auxiliary: "had been", "has won"."""
    after = tokens[i + 1].low if i + 1 < len(tokens) else ""
    return after in words.AUXILIARY or verbs.is_participle(after)


def _is_modifier(tokens: Sequence[Token], i: int) -> bool:
    """Say whether a participle stands before the noun it describes ("the animated films")."""
    after = tokens[i + 1]
    return (
        after.is_word
        and not after.is_name
        and after.low not in words.FUNCTION_WORDS
        and not after.low.endswith("ly")
        and words.number_of(after.low) is None
    )
