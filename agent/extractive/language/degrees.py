"""Degrees of adjectives: which word a superlative comes from, and which end of its scale it is."""

from __future__ import annotations

import re

ADJECTIVES = {
    "long": 1, "tall": 1, "high": 1, "deep": 1, "wide": 1, "broad": 1, "large": 1, "big": 1,
    "heavy": 1, "fast": 1, "old": 1, "hot": 1, "warm": 1, "great": 1, "strong": 1, "rich": 1,
    "thick": 1, "dense": 1, "expensive": 1, "populous": 1, "bright": 1, "massive": 1, "far": 1,
    "short": -1, "low": -1, "shallow": -1, "narrow": -1, "small": -1, "light": -1, "slow": -1,
    "young": -1, "new": -1, "cold": -1, "cool": -1, "cheap": -1, "near": -1, "close": -1,
    "little": -1, "few": -1, "thin": -1, "poor": -1, "weak": -1,
}  # fmt: skip
"""Gradable adjectives, with the end of their scale."""
SCALE_OF = {
    "short": "long", "low": "high", "shallow": "deep", "narrow": "wide", "small": "large",
    "big": "large", "light": "heavy", "slow": "fast", "young": "old", "new": "old",
    "cold": "hot", "cool": "hot", "warm": "hot", "cheap": "expensive", "near": "far",
    "close": "far", "thin": "thick", "poor": "rich", "weak": "strong", "little": "large",
}  # fmt: skip
_IRREGULAR_DEGREES = {
    "more": "many", "most": "many", "less": "little", "least": "little", "fewer": "few",
    "fewest": "few", "better": "good", "best": "good", "worse": "bad", "worst": "bad",
    "further": "far", "farther": "far", "furthest": "far", "farthest": "far", "older": "old",
    "oldest": "old", "elder": "old", "eldest": "old",
}  # fmt: skip


def degree_of(word: str) -> tuple[str, int] | None:
    """Return (adjective, +1 or -1) for a comparative or superlative: "shortest" → ("short", -1)."""
    low = word.lower()
    base = _IRREGULAR_DEGREES.get(low)
    if base is None:
        base = next((option for option in _bases(low) if option in ADJECTIVES), None)
    if base is None or base in {"good", "bad"}:
        return None
    return base, ADJECTIVES.get(base, 1)


def _bases(word: str) -> list[str]:
    """The adjectives that a word may be a degree of: "tiniest" of "tini", "tinie" or "tiny"."""
    ending = next((one for one in ("est", "er") if word.endswith(one)), "")
    stem = word.removesuffix(ending)
    if not ending:
        return []
    found = [stem, stem + "e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem]
    return [*found, stem[:-1] + "y"] if stem.endswith("i") else found


_SELDOM = {
    "tiny": "small", "teeny": "small", "huge": "large", "vast": "large", "mighty": "large",
    "fat": "wide", "lofty": "high", "hefty": "heavy", "weighty": "heavy", "swift": "fast",
}  # fmt: skip


def usual_degree(word: str) -> str:
    """Return a degree of a seldom adjective as most people say it: "smallest" of "tiniest"."""
    low = word.lower()
    usual = next((_SELDOM[one] for one in _bases(low) if one in _SELDOM), None)
    if usual is None:
        return word
    ending = "est" if low.endswith("est") else "er"
    return (
        usual.removesuffix("e") + ending if usual[-1] == "e" else re.sub("y$", "i", usual) + ending
    )


_ALIKE = {"tall": "high", "great": "large"}
"""Adjectives that measure the same of things."""


def extreme_of(word: str) -> tuple[str, int] | None:
    """The scale and the end of it that a superlative names, None for any other word."""
    degree = degree_of(word) if word.endswith("est") else None
    if degree is None:
        return None
    return scale_of(degree[0]), degree[1]


def scale_of(adjective: str) -> str:
    """The adjective that names the scale another one is on: "deep" of "shallow", "high" of "tall"."""
    scale = SCALE_OF.get(adjective, adjective)
    return _ALIKE.get(scale, scale)
