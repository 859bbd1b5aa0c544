"""A cross-encoder trained on entailment that rules on top of the rules, where a user names one."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from agent.citations.support.faults import SUPPORTED, Verdict
from corpus.errors import InputError
from corpus.types import Chunk

SURE_FROM = 0.5
"""Share of a label from which it is the model's ruling."""


class Encoder(Protocol):
    """What is used of `sentence_transformers.CrossEncoder`."""

    def predict(self, sentences: Any, **options: Any) -> Any:
        """Return a row of scores for each pair."""
        ...


class Verifier:
    """Rules on claims by a model of natural language inference.

    What the rules refuse stays refused: a model misses digits. What they let pass needs the model's
    entailment; what they leave open becomes supported by it.

    Args:
        encoder: scores (quote, claim) pairs, a column for each label.
        labels: names of the columns, by number, as the model's configuration has them.
        name: as messages say it.

    Raises:
        InputError: no label is an entailment.
    """

    def __init__(self, encoder: Encoder, labels: Mapping[int, str], name: str) -> None:
        self._encoder = encoder
        self._columns = {
            meaning: number
            for number, label in labels.items()
            for meaning in ("entail", "contradict")
            if label.casefold().startswith(meaning)
        }
        if "entail" not in self._columns or len(labels) < 2:
            raise InputError(
                f"{name}: its labels are {', '.join(labels.values()) or 'unnamed'}: a verifier is a "
                "cross-encoder trained on entailment, with labels such as entailment and contradiction"
            )
        self._lock = threading.Lock()

    def __call__(self, verdict: Verdict, claim: str, quote: str, chunk: Chunk) -> Verdict:
        """Return the ruling on a claim, given that of the rules."""
        if verdict.ruling == "unsupported":
            return verdict
        about = f"{chunk.revision.title}: {quote}"
        with self._lock:
            scores = self._encoder.predict([(about, claim)], show_progress_bar=False)
        shares = _softmax([float(score) for score in scores[0]])
        if shares[self._columns["entail"]] >= SURE_FROM:
            return SUPPORTED
        against = self._columns.get("contradict")
        if against is not None and shares[against] >= SURE_FROM:
            return Verdict(ruling="unsupported", reason="the verifier reads the opposite")
        return Verdict(
            ruling="unsure", reason=verdict.reason or "the verifier does not read it there"
        )


def open_verifier(name: str) -> Verifier:
    """Load a cross-encoder from a folder or a hub's name; the order of its labels is its own.

    Raises:
        InputError: nothing there that can be loaded, or no model of entailment.
    """
    from sentence_transformers import CrossEncoder

    if Path(name).exists() and not (Path(name) / "config.json").is_file():
        raise InputError(f"{name}: no model there (it has no config.json)")
    try:
        encoder = CrossEncoder(name)
    except (OSError, ValueError) as error:
        reason = str(error).split("\n")[0]
        raise InputError(f"{name}: the verifier cannot be loaded ({reason})") from error
    labels = {int(number): str(label) for number, label in encoder.config.id2label.items()}
    return Verifier(encoder, labels, name)


def _softmax(scores: Sequence[float]) -> list[float]:
    from math import exp

    most = max(scores)
    weights = [exp(score - most) for score in scores]
    return [weight / sum(weights) for weight in weights]
