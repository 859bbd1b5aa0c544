"""Titles inside a question, kept whole while its clauses are cut."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.extractive.language.phrases import tokenise

_WIDEST = 12
"""Most words of a title that is looked for."""
_MARKS = "ᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩ"
"""Capital letters of a script that no question of ours is written in."""


def protect_titles(text: str, is_title: Callable[[str], bool] | None) -> tuple[str, dict[str, str]]:
    """Replace titles that hold small words or "and" by one-letter stand-ins.

    Quoted titles are replaced as they stand. Of unquoted ones only those are looked up that begin
    with a capital and hold a lower-case word, "&" or a comma: others are read as names anyway.

    Returns:
        The text, and what each stand-in means.
    """
    meanings: dict[str, str] = {}

    def stand_in(title: str) -> str:
        mark = _MARKS[len(meanings)]
        meanings[mark] = title
        return mark

    def quoted(match: re.Match[str]) -> str:
        return stand_in(match[0]) if len(meanings) < len(_MARKS) else match[0]

    text = re.sub(r"[\"“«《][^\"”»》]{2,120}[\"”»》]", quoted, text)
    if is_title is None:
        return text, meanings
    tokens = tokenise(text)
    i = 0
    while i < len(tokens) and len(meanings) < len(_MARKS):
        if not tokens[i].is_name or tokens[i].text[0] in _MARKS:
            i += 1
            continue
        for j in range(min(len(tokens), i + _WIDEST), i + 2, -1):
            piece = text[tokens[i].start : tokens[j - 1].end]
            inner = [
                token
                for token in tokens[i:j]
                if not token.is_name and (token.is_word or token.text in "&,")
            ]
            if not inner or not tokens[j - 1].is_word:
                continue
            owns = piece.endswith(("'s", "’s"))
            name = piece[:-2] if owns else piece
            if is_title(name):
                changed = text[: tokens[i].start] + stand_in(name) + ("'s" if owns else "")
                text = changed + text[tokens[j - 1].end :]
                tokens = tokenise(text)
                break
        i += 1
    return text, meanings


def without_article(name: str) -> str:
    """Return a name without a leading article; "The" in capitals is part of a title."""
    return re.sub(r"^the\s+", "", name)
