"""Examples as the encoder reads them, in batches of like length."""

from __future__ import annotations

import random
from typing import NamedTuple

from tokenizers import Tokenizer

from agent.extractive.reader.span import LONGEST
from reader_data.examples import Example

UNKNOWN = -1
"""Where the answer of a question stands that nobody answered."""


class Encoded(NamedTuple):
    """An example as the encoder reads it."""

    ids: list[int]
    first: int
    """Token of the answer; 0 where there is none, `UNKNOWN` where only a teacher can say."""
    last: int


def encode(found: list[Example], tokenizer: Tokenizer) -> list[Encoded]:
    """The examples as the encoder reads them, without those whose answer the cut takes away."""
    encoded = []
    for example, pair in zip(
        found, tokenizer.encode_batch([(e.question, e.text) for e in found]), strict=True
    ):
        ids = pair.ids[:LONGEST]
        first = last = 0
        if example.start >= 0:
            for i in range(len(ids)):
                if pair.sequence_ids[i] != 1:
                    continue
                start, end = pair.offsets[i]
                if start < example.end and end > example.start:
                    first = first or i
                    last = i
            if not first:
                continue
        encoded.append(Encoded(ids, first, last))
    return encoded


def batches(data: list[Encoded], size: int, rng: random.Random) -> list[list[Encoded]]:
    """Batches of like length in a random order; `size` is in tokens."""
    order = sorted(data, key=lambda one: len(one.ids) + rng.random() * 16)
    made: list[list[Encoded]] = [[]]
    for one in order:
        if made[-1] and (len(made[-1]) + 1) * len(one.ids) > size:
            made.append([])
        made[-1].append(one)
    rng.shuffle(made)
    return made
