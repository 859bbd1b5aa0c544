"""Lemmatisers for the string metrics: spaCy's where its model is installed, simplemma's otherwise.

A score made with one is not comparable to a score made with the other to the last digit, so every
score carries the name of the one that made it.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

SPACY_MODEL = "en_core_web_sm"

# As spaCy's English rules cut: numbers keep their points and commas; apostrophes and hyphens stand
# alone, so "left-hander" and "left - hander" are the same. Sentence punctuation gives no token: the
# metric deletes it, and a token of its own would leave a stray space behind.
_TOKEN = re.compile(r"\d[\d.,]*\d|\w+|[^\w\s,.?!:;]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lemmatiser:
    """Maps a text to its lemmas, separated by single spaces."""

    name: str
    """As scores record it, with the version."""
    lemmatise: Callable[[str], str]


def simplemma_lemmatiser() -> Lemmatiser:
    """Return the embedded lemmatiser, which needs no download."""
    from importlib.metadata import version

    import simplemma

    @lru_cache(maxsize=1 << 18)
    def lemma(word: str) -> str:
        # simplemma writes names with a capital; the metric compares in lower case.
        return simplemma.lemmatize(word, lang="en").lower() if word.isalpha() else word

    def lemmatise(text: str) -> str:
        return " ".join(lemma(token) for token in _TOKEN.findall(text))

    return Lemmatiser(name=f"simplemma {version('simplemma')}", lemmatise=lemmatise)


def spacy_lemmatiser() -> Lemmatiser:
    """Return the public scorer's lemmatiser; its package and model must be installed."""
    spacy: Any = importlib.import_module("spacy")
    pipeline = spacy.load(SPACY_MODEL, disable=["parser", "ner"])

    @lru_cache(maxsize=4096)
    def lemmatise(text: str) -> str:
        return " ".join(token.lemma_ for token in pipeline(text))

    version = pipeline.meta["version"]
    return Lemmatiser(name=f"spacy {SPACY_MODEL} {version}", lemmatise=lemmatise)


@lru_cache(maxsize=1)
def default_lemmatiser() -> Lemmatiser:
    """Return spaCy's where it is installed, as the public scorer uses it; simplemma's otherwise."""
    if importlib.util.find_spec("spacy") and importlib.util.find_spec(SPACY_MODEL):
        return spacy_lemmatiser()
    return simplemma_lemmatiser()
