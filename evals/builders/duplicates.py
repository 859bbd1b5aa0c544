"""Items that say the same: by their normalised text, and by the nearness of their embeddings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from evals.builders.types import Item, Rejected, Step
from retrieval.types import Embedder

NEAR = 0.985
"""Cosine from which two items count as one.

Composed questions share their wording. With the embedded model, of 180 planned counterfactual
items two different questions came within 0.974 of each other, and a question with what it compares
turned round stayed within 0.990 of itself. Chinese the model tells apart less well: chains that
differ in their last step alone reach 0.995 and count as one.
"""
STAGE = "duplicates"


def normalise(text: str) -> str:
    """Return text with neither case, width, punctuation nor spaces."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())


def drop_duplicates(
    items: Sequence[Item], embedder: Embedder | None, near: float = NEAR
) -> Step[Item]:
    """Return the items without those that repeat an earlier one.

    Args:
        items: in order of preference.
        embedder: None compares normalised texts alone.
        near: least cosine of two items' texts at which the later one is dropped.
    """
    rejected: list[Rejected[Item]] = []
    seen: dict[str, str] = {}
    fresh: list[Item] = []
    for item in items:
        key = normalise(item.text)
        if key in seen:
            reason = f"same text as {seen[key]}"
            rejected.append(Rejected(item=item, stage=STAGE, reason=reason))
        else:
            seen[key] = item.id
            fresh.append(item)
    if embedder is None or not fresh:
        return Step(input="", kept=tuple(fresh), rejected=tuple(rejected))
    rows = embedder.encode([item.text for item in fresh])
    kept: list[int] = []
    for number, item in enumerate(fresh):
        closeness = rows[kept] @ rows[number] if kept else []
        best = max(range(len(kept)), key=lambda i: float(closeness[i]), default=None)
        if best is not None and float(closeness[best]) >= near:
            reason = f"means the same as {fresh[kept[best]].id}"
            rejected.append(Rejected(item=item, stage=STAGE, reason=reason))
        else:
            kept.append(number)
    return Step(input="", kept=tuple(fresh[i] for i in kept), rejected=tuple(rejected))
