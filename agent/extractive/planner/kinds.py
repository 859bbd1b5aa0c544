"""Core, background or follow-up: a small linear model over a sub-question's form and its siblings.

The model is a softmax regression trained on the labelled examples in `data/kinds.txt` by
`bench/train_kinds.py`. What it sees of a sub-question: how close it is to the question, which of
the question's words it repeats, its question word, a few groups of words ("definition",
"affect", "prevent"), and its wording with the question's own words masked, embedded and taken
relative to the mean of its siblings: a kind is a role within a decomposition, so what sets a
sub-question apart from the others tells more than what it shares with them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agent.extractive.language.stems import content_stems, stem, words_of
from agent.types import Kind
from retrieval.types import Embedder

Float64Array = NDArray[np.float64]
KINDS: tuple[Kind, ...] = ("core", "background", "follow_up")
MODEL = Path(__file__).parent / "data" / "kinds.json"
_WORDING_WEIGHT = 5.0
"""Scale of the embedded wording beside the standardised features, by cross-validation."""
_WIDEST_NEWS = 6
_LONGEST = 20

_CUES = (
    "affect effect impact influence role contribute lead cause change play shape",
    "definition meant mean term defined measured count measure",
    "types kinds type kind components elements parts forms examples exist",
    "history origin invented invent discovered when first introduced developed founded arise built",
    "who where which many much",
    "future new today modern still now later other alternatives alternative others instead replace",
    "can should could prevent reduce improve protect help policies policy laws regulated regulate "
    "governments companies individuals measures strategies steps recommendations limit",
    "why evidence argue arguments studies reasons",
)
_OPENINGS = (
    ("what",),
    ("how",),
    ("why",),
    ("who", "when", "where", "which"),
    ("is", "are", "do", "does", "did", "can", "should", "could", "would"),
)
_PLAIN_WHAT = re.compile(r"what (?:is|are|was|were|is meant by) (?:an? |the )?[\w -]+\??$")
_TOKEN = re.compile(r"\w+(?:'\w+)?|[^\w\s]")


@dataclass(frozen=True, slots=True, kw_only=True)
class KindModel:
    """Weights of the softmax regression."""

    embedder: str
    """Name of the embedder it was trained with."""
    mean: Float64Array
    """[features]."""
    scale: Float64Array
    """[features]."""
    weights: Float64Array
    """[features + embedding, 3]."""
    bias: Float64Array
    """[3]."""

    def scores(self, features: Float64Array, wording: Float64Array) -> Float64Array:
        """Return log-odds, [n, 3], in the order of `KINDS`."""
        inputs = np.hstack([(features - self.mean) / self.scale, wording])
        return np.asarray(inputs @ self.weights + self.bias)


def classify_kinds(question: str, sub_questions: Sequence[str], embedder: Embedder) -> list[Kind]:
    """Say for each sub-question whether it is core, background or follow-up.

    With an embedder other than the one the model was trained with, the embedded default is used.
    """
    if not sub_questions:
        return []
    model = load_model()
    if embedder.name != model.embedder:
        from retrieval.dense.embedders import shared_embedder

        embedder = shared_embedder()
    scores = model.scores(*describe(question, sub_questions, embedder))
    return [KINDS[int(best)] for best in scores.argmax(axis=1)]


@lru_cache(maxsize=1)
def load_model(path: Path = MODEL) -> KindModel:
    """Read the weights that come with the package."""
    stored = json.loads(path.read_text(encoding="utf-8"))
    return KindModel(
        embedder=stored["embedder"],
        mean=np.asarray(stored["mean"]),
        scale=np.asarray(stored["scale"]),
        weights=np.asarray(stored["weights"]),
        bias=np.asarray(stored["bias"]),
    )


def describe(
    question: str, sub_questions: Sequence[str], embedder: Embedder
) -> tuple[Float64Array, Float64Array]:
    """Return what the model sees: features [n, 22] and scaled wording [n, dim]."""
    masked = [_masked(question, text) for text in sub_questions]
    vectors = embedder.encode([question, *sub_questions, *masked]).astype(np.float64)
    n = len(sub_questions)
    asked, own, wording = vectors[0], vectors[1 : n + 1], vectors[n + 1 :]
    closeness = own @ asked
    centre = own.mean(axis=0)
    centre /= np.linalg.norm(centre) + 1e-9
    topic = set(content_stems(question))
    stems = [set(content_stems(text)) for text in sub_questions]
    frequency = Counter(word for words in stems for word in words)
    rows = []
    for i, text in enumerate(sub_questions):
        news = stems[i] - topic
        shared = len(stems[i] & topic)
        repeated = sum(frequency[word] for word in news) / (n * len(news)) if news else 0.0
        rows.append(
            [
                closeness[i],
                closeness[i] - closeness.mean(),
                (closeness < closeness[i]).mean(),
                own[i] @ centre,
                shared / max(1, len(topic)),
                shared / max(1, len(stems[i])),
                min(len(news), _WIDEST_NEWS) / _WIDEST_NEWS,
                repeated,
                min(len(words_of(text)), _LONGEST) / _LONGEST,
                *_form(text, len(news)),
            ]
        )
    if n > 1:
        wording = wording - wording.mean(axis=0)
    return np.asarray(rows, dtype=np.float64), wording * _WORDING_WEIGHT


def _form(text: str, news: int) -> list[float]:
    low = text.lower()
    first = low.split()[0] if low.split() else ""
    stems = {stem(word) for word in words_of(text)}
    return [
        *(float(first in opening) for opening in _OPENINGS),
        *(float(bool(stems & cue)) for cue in _cue_stems()),
        float(news <= 1 and _PLAIN_WHAT.match(low) is not None),
    ]


@lru_cache(maxsize=1)
def _cue_stems() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem, cue.split())) for cue in _CUES)


def _masked(question: str, text: str) -> str:
    """Return a sub-question with the question's own words replaced by "it"."""
    topic = set(content_stems(question))
    out: list[str] = []
    for word in _TOKEN.findall(text):
        if word.lower() not in {"how", "what"} and stem(word) in topic:
            if not out or out[-1] != "it":
                out.append("it")
        else:
            out.append(word)
    return " ".join(out)
