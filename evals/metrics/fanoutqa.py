"""FanOutQA's string accuracy (Zhu et al., 2024, section 4.1, equations 1 and 2).

    loose(R, g)  = (n − missing) / n        strict(R, g) = 1 where nothing is missing, else 0

R is a reference (primitive, list or dict, nested at will), g a generated text, n the number of
strings that R's top level counts and `missing` the strings of R, at any depth, that g lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from evals.metrics.lemma import Lemmatiser, default_lemmatiser

Reference: TypeAlias = (
    "str | int | float | bool | Sequence[Reference] | Mapping[str, Reference] | None"
)

_THOUSANDS = re.compile(r"(\d+,)+\d+(\.\d+)?")
_PUNCTUATION = re.compile(r"[,.?!:;]")
_WHITE_SPACE = re.compile(r"\s+")
_NEEDS_NO_FIXING = re.compile(r"[\t\n\x20-\x25\x27-\x7e]*")
"""Printable ASCII without `&`: ftfy returns it as it is, after a costly look at every character."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StringAccuracy:
    """How much of a reference a text holds."""

    loose: float
    """Share of the reference's strings found; below 0 only where a nested list misses more strings
    than its parent counts elements, as in the public scorer."""
    strict: bool
    missing: tuple[str, ...]
    """The normalised strings not found, in the order of the reference."""


def normalise(text: object, lemmatiser: Lemmatiser | None = None) -> str:
    """Return a text as the metric compares it.

    Lower case, mended encoding (ftfy), no thousands commas, lemmas, none of `, . ? ! : ;`, single
    spaces. Stop words stay, as in the public scorer, although the paper says that they go.
    """
    folded = fix_encoding(str(text).lower())
    folded = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), folded)
    folded = (lemmatiser or default_lemmatiser()).lemmatise(folded)
    return _WHITE_SPACE.sub(" ", _PUNCTUATION.sub("", folded))


def fix_encoding(text: str) -> str:
    """Return a text with broken encodings mended, as `ftfy.fix_text` does."""
    if _NEEDS_NO_FIXING.fullmatch(text):
        return text
    import ftfy

    return str(ftfy.fix_text(text))


def string_accuracy(
    reference: Reference, generation: str, lemmatiser: Lemmatiser | None = None
) -> StringAccuracy:
    """Score one generation against its reference.

    Args:
        reference: a primitive, a list or a dict; `True` and `False` count as "yes" and "no".
        generation: the answer's text; an unanswered question is the caller's 0.
        lemmatiser: spaCy's where installed, else simplemma's.

    Raises:
        ValueError: where a list or dict of the reference is empty, which nothing can be scored by.
    """
    lemmatiser = lemmatiser or default_lemmatiser()
    text = normalise(generation, lemmatiser)
    missing = tuple(_missing(reference, text, lemmatiser))
    n = count_strings(reference)
    if n == 0:
        raise ValueError("the reference is an empty list or dict")
    return StringAccuracy(loose=(n - len(missing)) / n, strict=not missing, missing=missing)


def count_strings(reference: Reference) -> int:
    """Return n: elements of a list, keys and values of a dict, 1 for a primitive."""
    if isinstance(reference, Mapping):
        return 2 * len(reference)
    if isinstance(reference, Sequence) and not isinstance(reference, str):
        return len(reference)
    return 1


def _missing(reference: Reference, text: str, lemmatiser: Lemmatiser) -> Iterable[str]:
    if isinstance(reference, Mapping):
        for part in (*reference.keys(), *reference.values()):
            yield from _missing(part, text, lemmatiser)
    elif isinstance(reference, Sequence) and not isinstance(reference, str):
        for part in reference:
            yield from _missing(part, text, lemmatiser)
    else:
        if isinstance(reference, bool):
            reference = "yes" if reference else "no"
        pattern, wanted = _word_bounded(str(reference), lemmatiser)
        if not pattern.search(text):
            yield wanted


@lru_cache(maxsize=1 << 16)
def _word_bounded(reference: str, lemmatiser: Lemmatiser) -> tuple[re.Pattern[str], str]:
    wanted = normalise(reference, lemmatiser)
    return re.compile(rf"\b{re.escape(wanted)}\b"), wanted


def reference_text(reference: Reference) -> str:
    """Return a reference as text, for ROUGE, BLEURT and the judge.

    Lists give one element a line, dicts `key - value` lines, booleans "yes" and "no", None nothing.
    """
    if isinstance(reference, Mapping):
        return "\n".join(
            f"{reference_text(key)} - {reference_text(value)}" for key, value in reference.items()
        )
    if isinstance(reference, Sequence) and not isinstance(reference, str):
        return "\n".join(reference_text(part) for part in reference)
    if isinstance(reference, bool):
        return "yes" if reference else "no"
    return "" if reference is None else str(reference)
