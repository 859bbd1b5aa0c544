"""ROUGE-1, ROUGE-2 and ROUGE-L as FanOutQA reports them, and ROUGE-L recall over given tokens.

    P = overlap / |candidate|   R = overlap / |reference|   F1 = 2PR / (P + R)

Overlap counts common n-grams (clipped), or the longest common subsequence for ROUGE-L (Lin, 2004).
The English scores come from Google's `rouge-score`, with its stemmer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL")


def rouge(reference: str, candidate: str) -> dict[str, float]:
    """Return `rouge1_p`, `rouge1_r`, `rouge1_f`, `rouge2_…`, `rougeL_…`, each in [0, 1]."""
    scores = _scorer().score(reference, candidate)
    values: dict[str, float] = {}
    for name in ROUGE_TYPES:
        values[f"{name}_p"] = float(scores[name].precision)
        values[f"{name}_r"] = float(scores[name].recall)
        values[f"{name}_f"] = float(scores[name].fmeasure)
    return values


@lru_cache(maxsize=1)
def _scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer
    from rouge_score.tokenizers import DefaultTokenizer

    class CachedTokenizer(DefaultTokenizer):  # type: ignore[misc]
        """Remembers what it stemmed: one text is scored against several others."""

        def __init__(self) -> None:
            super().__init__(use_stemmer=True)
            self._remembered = lru_cache(maxsize=4096)(super().tokenize)

        def tokenize(self, text: str) -> list[str]:
            return list(self._remembered(text))

    return RougeScorer(ROUGE_TYPES, tokenizer=CachedTokenizer())


_HAN_OR_WORD = re.compile(
    r"[㐀-䶿一-鿿豈-﫿\U00020000-\U0003134f]|[぀-ヿ]|[^\W_]+?(?=[㐀-鿿豈-﫿぀-ヿ])|[^\W_]+"
)


def mixed_tokens(text: str) -> list[str]:
    """Split a text into single CJK characters and whole words of other scripts, lower case.

    Punctuation and white space give no tokens (CCMOR, section 5.1: ROUGE-L over Chinese).
    """
    return _HAN_OR_WORD.findall(text.lower())


def rouge_l_recall(reference: Sequence[str], candidate: Sequence[str]) -> float:
    """Return LCS(reference, candidate) / |reference|.

    Raises:
        ValueError: where the reference has no tokens: recall is then undefined.
    """
    if not reference:
        raise ValueError("the reference has no tokens")
    return longest_common_subsequence(reference, candidate) / len(reference)


def longest_common_subsequence(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length of the longest common subsequence, in O(|a||b| / word size).

    The bit-parallel recurrence of Hyyrö (2004): one bit for each token of `a`.
    """
    positions: dict[str, int] = {}
    for index, token in enumerate(a):
        positions[token] = positions.get(token, 0) | (1 << index)
    mask = (1 << len(a)) - 1
    rows = mask
    for token in b:
        matches = rows & positions.get(token, 0)
        rows = ((rows + matches) | (rows - matches)) & mask
    return len(a) - rows.bit_count()
