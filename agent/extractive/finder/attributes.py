"""Which label of a box, or column of a table, gives what a step asks: a trained bi-encoder.

The step, with "it" for its thing, and the labels go through the embedded encoder whose upper layers
were trained further; the cosine of the two, scaled, stands against a score of "none of them"
(bench/train_labels.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np

from agent.extractive.language.quantities import begins_with_date, find_quantities
from agent.extractive.weights.store import FOLDER, encoder_of, open_tokenizer, read_layers
from agent.extractive.weights.vectors import KnownVectors
from retrieval.dense.bert import BertEncoder
from retrieval.dense.runtime import Array

IT = "it"
"""Stands for the thing that a step asks about."""
LONGEST = 48
"""Word pieces of a step or a label that are read."""
KEPT = 5_000
"""Labels and steps whose vectors are kept: 8 MB."""


class AttributeMatcher:
    """Says how likely a label gives what a step asks. Thread-safe."""

    def __init__(self, encoder: BertEncoder, heads: dict[str, Array]) -> None:
        self._vectors = KnownVectors(encoder.encode, KEPT)
        self._scale = float(heads["scale"][0])
        self._none = heads["none.weight"][0], float(heads["none.bias"][0])
        # The rows of a table ask the same of the same heads.
        self._kept = lru_cache(KEPT)(self._chances)

    @classmethod
    def open(cls, path: Path = FOLDER / "labels.safetensors") -> AttributeMatcher:
        """Load the matcher's layers."""
        state = read_layers(path)
        encoder = BertEncoder(
            name="labels",
            weights=encoder_of(state),
            tokenizer=open_tokenizer(),
            pooling="mean",
            limit=LONGEST,
        )
        return cls(encoder, {n: v for n, v in state.items() if not n.startswith("encoder.")})

    def chance(self, step: str, label: str) -> float:
        """Return the probability, in [0, 1], that a label answers a step rather than none.

        Args:
            step: with "it" for its thing (`about_it`).
            label: of a box, or a column's head.
        """
        return self.chances(step, (label,))[0]

    def chances(self, step: str, labels: tuple[str, ...]) -> tuple[float, ...]:
        """Return for each of some labels the probability that it answers a step rather than none."""
        return self._kept(step, labels)

    def _chances(self, step: str, labels: tuple[str, ...]) -> tuple[float, ...]:
        asked, *given = self._vectors([step, *labels])
        weight, bias = self._none
        none = float(asked @ weight) + bias
        odds = self._scale * (np.stack(given) @ asked) - none
        return tuple(map(float, 1 / (1 + np.exp(-odds))))

    def prepare(self, labels: Iterable[str]) -> None:
        """Encode labels together: one pass over a table's is much cheaper than one for each."""
        if wanted := list(dict.fromkeys(labels)):
            self._vectors(wanted)


_KINDS_READ = 120
"""Characters of a value that are read for its kind."""
_YEAR = re.compile(r"\d{4}(?:\s*\([^()]*\))?")


def described(label: str, value: str) -> str:
    """A label with the kind of the value that it stands before: "Orbital period: a time".

    Kinds are few, so that what is encoded of a table is little more than its heads.
    """
    kind = value_kind(value)
    return f"{label}: {kind}" if kind else label


@lru_cache(maxsize=8192)
def value_kind(value: str) -> str:
    """What kind of value words are: a date, a measure, a number, one name or several, words."""
    said = value.strip()[:_KINDS_READ]
    if not said:
        return ""
    if begins_with_date(said):
        return "a year" if _YEAR.fullmatch(said) else "a date"
    quantities = find_quantities(said)
    if quantities and quantities[0].start <= 4:
        return f"a {quantities[0].dimension}" if quantities[0].dimension else "a number"
    if not re.search(r"[A-ZÀ-Þ]", said):
        return "words"
    several = said.count(",") + said.count(";") + len(re.findall(r"\band\b", said)) > 1
    return "names" if several else "a name"


@lru_cache(maxsize=1)
def embedded_matcher() -> AttributeMatcher:
    """The matcher of the weights in this package, loaded once a process."""
    return AttributeMatcher.open()


def about_it(question: str, names: Iterable[str]) -> str:
    """Return a step with "it" for the first of some names that stands in it."""
    for name in names:
        found = re.search(rf"(?<!\w)(?:the )?{re.escape(name)}(?!\w)", question, re.IGNORECASE)
        if found:
            return question[: found.start()] + IT + question[found.end() :]
    return question
