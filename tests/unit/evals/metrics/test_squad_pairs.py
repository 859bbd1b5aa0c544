"""Exact match and F1 against an implementation of their own, written from SQuAD's definition."""

from __future__ import annotations

import random
import re
import string

from evals.metrics.squad import exact_match, normalise, token_score

WORDS = [
    "the",
    "The",
    "a",
    "an",
    "A",
    "theatre",
    "another",
    "Rhine",
    "rhine,",
    "RHINE.",
    "basel's",
    "Zürich",
    "1,234",
    "1234",
    "3.5",
    "(km)",
    "—",
    "–",
    "yes",
    "no",
    "noanswer",
    "YES!",
    "No.",
    "“the”",
    "don't",
    "U.S.",
    "state-of-the-art",
    "北京",
    "café",
    "the,",
    "...",
    "an.",
    "'a'",
]
PAIRS = 10_000


def plain(text: str) -> list[str]:
    """Lower case, then punctuation out letter by letter, then articles as words, then split."""
    letters = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", letters).split()


def f1(prediction: list[str], reference: list[str]) -> float:
    if not prediction or not reference:
        return float(prediction == reference)
    closed = (["yes"], ["no"], ["noanswer"])
    if (prediction in closed or reference in closed) and prediction != reference:
        return 0.0
    left, same = list(reference), 0
    for token in prediction:
        if token in left:
            left.remove(token)
            same += 1
    if same == 0:
        return 0.0
    precision, recall = same / len(prediction), same / len(reference)
    return 2 * precision * recall / (precision + recall)


def test_ten_thousand_random_pairs_agree_to_the_last_digit() -> None:
    chance = random.Random(20)
    exact = partial = 0
    for _ in range(PAIRS):
        words = chance.choices(WORDS, k=chance.randint(0, 6))
        other = chance.choices(WORDS, k=chance.randint(0, 6))
        if chance.random() < 0.4:
            other = [*words[: chance.randint(0, 6)], *other[:1]]
        prediction, reference = " ".join(words), chance.choice((" ", "  ", "\t")).join(other)
        assert normalise(prediction) == " ".join(plain(prediction))
        same = plain(prediction) == plain(reference)
        assert exact_match(prediction, [reference]) == same
        assert token_score(prediction, [reference]).f1 == f1(plain(prediction), plain(reference))
        exact += same
        partial += 0 < f1(plain(prediction), plain(reference)) < 1
    # The draw holds all three kinds of pairs in numbers.
    assert exact > 500
    assert partial > 2_000
