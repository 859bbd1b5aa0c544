"""ROUGE-1, ROUGE-2 and ROUGE-L as FanOutQA reports them, and ROUGE-L recall over given tokens.

    P = overlap / |candidate|   R = overlap / |reference|   F1 = 2PR / (P + R)

Overlap counts common n-grams (clipped), or the longest common subsequence for ROUGE-L (Lin, 2004).
The values are those of Google's `rouge-score` with its stemmer, to the digit; the counting is done
here since scoring thousands of answers spends most of its time in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL")

_NOT_WORD = re.compile(r"[^a-z0-9]+")


def rouge(reference: str, candidate: str) -> dict[str, float]:
    """Return `rouge1_p`, `rouge1_r`, `rouge1_f`, `rouge2_…`, `rougeL_…`, each in [0, 1]."""
    wanted, found = stemmed_tokens(reference), stemmed_tokens(candidate)
    overlaps = {
        "rouge1": _overlap(Counter(wanted), Counter(found)),
        "rouge2": _overlap(_bigrams(wanted), _bigrams(found)),
        "rougeL": (longest_common_subsequence(wanted, found), len(wanted), len(found)),
    }
    values: dict[str, float] = {}
    for name, (common, in_reference, in_candidate) in overlaps.items():
        precision = common / max(in_candidate, 1)
        recall = common / max(in_reference, 1)
        values[f"{name}_p"] = precision
        values[f"{name}_r"] = recall
        values[f"{name}_f"] = (
            2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
        )
    return values


@lru_cache(maxsize=4096)
def stemmed_tokens(text: str) -> tuple[str, ...]:
    """Return a text's words as `rouge-score` cuts them: lower case, ASCII, Porter stems."""
    return tuple(_stem(word) for word in _NOT_WORD.split(text.lower()) if word)


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    return str(_stemmer().stem(word)) if len(word) > 3 else word


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    # The stemmer that rouge-score itself uses, taken from it so that the two never part.
    from rouge_score.tokenizers import DefaultTokenizer

    return DefaultTokenizer(use_stemmer=True)._stemmer


def _bigrams(tokens: Sequence[str]) -> Counter[tuple[str, str]]:
    return Counter(pairwise(tokens))


def _overlap(reference: Counter[Any], candidate: Counter[Any]) -> tuple[int, int, int]:
    common = sum(min(count, candidate[gram]) for gram, count in reference.items())
    return common, reference.total(), candidate.total()


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
