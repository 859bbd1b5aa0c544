"""Names without what stands before or behind them."""

from __future__ import annotations

import re


def without_article(name: str) -> str:
    """Return a name without a leading article; "The" in capitals is part of a title."""
    return re.sub(r"^the\s+", "", name)


def without_owning(word: str) -> str:
    """Return a word without the ending that makes it an owner: "Saturn" of "Saturn's"."""
    return re.sub(r"['’]s$", "", word)


def without_bracket(title: str) -> str:
    """Return a name without the bracket at its end that tells it from others: "Mercury (planet)"."""
    return re.sub(r"\s*\([^()]*\)$", "", title)


def bare_title(name: str) -> str:
    """A title without what tells it from others: "titania" of "Titania (moon)"."""
    return without_bracket(name).casefold()


def holds_name(text: str, name: str) -> bool:
    """Whether a name stands in a text, in lower case, as a whole: "Titan" is not in "Titania"."""
    return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", text) is not None
