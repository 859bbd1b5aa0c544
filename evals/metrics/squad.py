"""Exact match and token F1 as SQuAD and HotpotQA define them (CofCA, section 4).

EM = 1 where normalise(prediction) = normalise(reference)
P = common / |prediction tokens|   R = common / |reference tokens|   F1 = 2PR / (P + R)
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_ARTICLES = re.compile(r"\b(a|an|the)\b", re.UNICODE)
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenScore:
    """Precision, recall and F1 of a prediction's tokens, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def normalise(text: str) -> str:
    """Return a text in lower case, without punctuation and articles, with single spaces."""
    without = text.lower().translate(_WITHOUT_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", without).split())


def exact_match(prediction: str, references: Sequence[str]) -> bool:
    """Return whether the prediction equals any of the references once both are normalised."""
    wanted = normalise(prediction)
    return any(normalise(reference) == wanted for reference in references)


def token_score(prediction: str, references: Sequence[str]) -> TokenScore:
    """Return the token score against the reference with the best F1.

    A side with no tokens scores 1 against another with none and 0 against any other. As in
    HotpotQA, "yes", "no" and "noanswer" match themselves only.

    Raises:
        ValueError: without a reference.
    """
    if not references:
        raise ValueError("a token score needs at least one reference")
    return max((_score(prediction, reference) for reference in references), key=lambda s: s.f1)


_CLOSED_ANSWERS = frozenset({"yes", "no", "noanswer"})
_NOTHING = TokenScore(precision=0.0, recall=0.0, f1=0.0)
_ALL = TokenScore(precision=1.0, recall=1.0, f1=1.0)


def _score(prediction: str, reference: str) -> TokenScore:
    predicted, wanted = normalise(prediction), normalise(reference)
    if predicted == wanted:
        return _ALL
    if predicted in _CLOSED_ANSWERS or wanted in _CLOSED_ANSWERS:
        return _NOTHING
    predicted_tokens, wanted_tokens = predicted.split(), wanted.split()
    common = (Counter(predicted_tokens) & Counter(wanted_tokens)).total()
    if common == 0:
        return _NOTHING
    precision, recall = common / len(predicted_tokens), common / len(wanted_tokens)
    return TokenScore(
        precision=precision, recall=recall, f1=2 * precision * recall / (precision + recall)
    )
