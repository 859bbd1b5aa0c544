"""Questions that nobody answered, for a teacher to say what answers them.

A question with a word exchanged, beside the same text, often has another answer or none; so has a
question beside the other windows of its article that hold its words (after Jiao et al. 2020, section
3, who exchange words by a language model's guesses and their neighbours).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from weighing import weighed

from corpus.text import word_set
from reader_data.encoded import UNKNOWN, Encoded, encode
from reader_data.examples import Example
from reader_data.prose import pooled, squad_cases

TIMES = {
    "squad": 5, "squad none": 3, "squad other": 0.5, "written": 0.25, "written none": 0.15,
    "table": 2, "table written": 0.3, "table written none": 0.2, "fetaqa": 4,
}  # fmt: skip
"""How often examples of a source are varied."""
BESIDE = 4
"""Windows beside its own that a question is read with."""
_NEIGHBOURS = 9
_SMALL = word_set(
    """the of and a an in to is was were are be been being by for on at with from as it its this that
    these those which who whom whose what when where why how many much did does do has have had not no
    or but than then there here he she his her they their them also most more first last any all each
    both into over under between during after before about such can could would will may might must"""
)
"""Words that are never exchanged: a question without them is another form of question."""


class Varier:
    """Exchanges words of questions, and some of their texts.

    Args:
        tokenizer: of the embedded encoder.
        vectors: of its word pieces, [pieces, dimensions]: a word's neighbours among them stand for it.
    """

    def __init__(self, tokenizer: Tokenizer, vectors: torch.Tensor) -> None:
        self._pieces = {number: piece for piece, number in tokenizer.get_vocab().items()}
        self._vectors = torch.nn.functional.normalize(vectors, dim=1)
        self._separator = tokenizer.token_to_id("[SEP]")
        self._hidden = tokenizer.token_to_id("[MASK]")
        self._near: dict[int, list[int]] = {}

    def vary(self, one: Encoded, rng: random.Random) -> Encoded:
        """An example with one to three words of its question exchanged, answered by nobody."""
        ids = list(one.ids)
        end = ids.index(self._separator)
        asked, told = self._words(ids, 1, end), self._words(ids, end + 1, len(ids) - 1)
        many = 1 + (rng.random() < 0.4) + (rng.random() < 0.15)
        for place in rng.sample(asked, min(len(asked), many)):
            way = rng.random()
            others = [ids[i] for i in told if ids[i] != ids[place]]
            if way < 0.6 or not others:
                ids[place] = self._neighbour(ids[place], rng)
            else:
                ids[place] = rng.choice(others) if way < 0.9 else self._hidden
        if told and rng.random() < 0.35:
            for place in rng.sample(told, max(1, len(told) // 14)):
                ids[place] = self._neighbour(ids[place], rng)
        return Encoded(ids, UNKNOWN, UNKNOWN)

    def _words(self, ids: list[int], start: int, end: int) -> list[int]:
        """Places of whole words that tell something."""
        return [
            place
            for place in range(start, end)
            if (piece := self._pieces[ids[place]]).isalnum()
            and (len(piece) > 2 or piece.isdigit())
            and piece not in _SMALL
            and not self._pieces[ids[place + 1]].startswith("##")
        ]

    def _neighbour(self, number: int, rng: random.Random) -> int:
        if number not in self._near:
            like = (self._vectors @ self._vectors[number]).topk(_NEIGHBOURS + 5).indices.tolist()
            words = [other for other in like if other != number and self._pieces[other].isalnum()]
            self._near[number] = words[:_NEIGHBOURS] or [number]
        return rng.choice(self._near[number])


def unanswered(
    groups: Mapping[str, Sequence[Example]],
    squad: Path,
    tokenizer: Tokenizer,
    vectors: torch.Tensor,
    rng: random.Random,
) -> list[Encoded]:
    """All that only a teacher can answer: varied questions, and people's beside other windows.

    Args:
        groups: answered examples by their source.
        squad: SQuAD's file.
        tokenizer: of the embedded encoder.
        vectors: of its word pieces, [pieces, dimensions].
        rng: draws what is varied, and how.
    """
    varier = Varier(tokenizer, vectors)
    made = []
    for source, times in TIMES.items():
        drawn = weighed({source: groups.get(source, ())}, [f"{source}={times}"], rng)
        made += [varier.vary(one, rng) for one in encode(drawn, tokenizer)]
    others = encode(list(beside(squad)), tokenizer)
    return [*made, *(one._replace(first=UNKNOWN, last=UNKNOWN) for one in others)]


def beside(path: Path) -> Iterator[Example]:
    """SQuAD's questions with the windows of their article that hold most of their words.

    Args:
        path: of SQuAD's file.
    """
    for case in pooled(list(squad_cases(path, "train")), BESIDE):
        for window in case.windows:
            yield Example(case.question, window.text, -1, -1, "squad beside")
