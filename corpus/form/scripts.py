"""Raised and lowered text as plain characters."""

from __future__ import annotations

_RAISED = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_RAISABLE = frozenset("0123456789+-−n")


def superscript(text: str) -> str:
    """Return raised text: digits and signs as Unicode superscripts (km², 10⁶), words as they are.

    Ordinal endings and trade marks (1st, 2e) read best unraised; a single letter is an exponent.
    """
    text = text.strip()
    if text and _RAISABLE.issuperset(text):
        return text.translate(_RAISED)
    return f"^{text}" if len(text) == 1 and text.isalpha() and text not in "aeo" else text
