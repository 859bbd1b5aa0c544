"""Writes the steps of questions: the encoder over a question, the decoder over its states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from agent.extractive.language.stems import content_stems
from agent.extractive.planner.writer.decoder import Decoder
from agent.extractive.planner.writer.forms import Word, cases, forms_of, words_in
from agent.extractive.planner.writer.program import STEPLESS, Line, plan_in
from agent.extractive.weights.store import FOLDER, encoder_of, open_tokenizer, read_layers
from retrieval.dense.runtime import Array
from retrieval.dense.transformer import Encoder

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONGEST = 160
"""Word pieces of a question that are read; what follows is not."""
LOST = 1.0
"""What a plan loses against others, of the logarithm of its probability, for a word left out."""
_BIRTH = frozenset(content_stems("born birth"))
_AGE = frozenset(content_stems("old older oldest young younger youngest"))
"""What a plan says by asking when somebody was born."""
REMEMBERED = 256
"""Questions whose plans are kept: a question is planned, composed and accounted for."""


@dataclass(frozen=True, slots=True)
class Written:
    """A plan as it was written."""

    operator: str
    lines: tuple[Line, ...]
    score: float
    """The logarithm of its probability, together with those that differ from it in little words."""


class Planner(Protocol):
    """Writes plans of questions."""

    def write(self, question: str) -> Sequence[Written]:
        """The likeliest plans of a question, the likeliest first."""
        ...


class Writer:
    """Writes plans. Thread-safe."""

    def __init__(
        self, encoder: Encoder, decoder: Decoder, written: Array, tokenizer: Tokenizer
    ) -> None:
        self._encoder = encoder
        self._decoder = decoder
        self._cases = written
        """[CASES, hidden]: what is added to the embedding of a piece for how its word is written."""
        self._tokenizer = tokenizer
        self._known = lru_cache(REMEMBERED)(self._plans)

    @classmethod
    def open(cls, folder: Path = FOLDER) -> Writer:
        """Load the layers and the vocabulary of a folder."""
        state = read_layers(folder / "writer.safetensors")
        listed = (folder / "writer_words.txt").read_text(encoding="utf-8").split("\n")[:-1]
        decoder = Decoder({n: v for n, v in state.items() if not n.startswith("encoder.")}, listed)
        return cls(Encoder(encoder_of(state)), decoder, state["cases.weight"], open_tokenizer())

    def write(self, question: str) -> Sequence[Written]:
        """The likeliest plans of a question, the likeliest first; none of a text without words."""
        return self._known(question)

    def operator(self, question: str) -> str:
        """What is made of the values that a question asks for, at a tenth of the cost of a plan."""
        read = self._read(question)
        return plan_in([self._decoder.first(*read)])[0] if read is not None else "none"

    def _plans(self, question: str) -> Sequence[Written]:
        read = self._read(question)
        if read is None:
            return ()
        found: dict[object, Written] = {}
        for row, score in self._decoder.write(*read):
            plan = Written(*plan_in(row), score)
            if len(set(plan.lines)) < len(plan.lines):
                continue  # a step said twice stands where another was meant
            same = found.setdefault(_content(plan), plan)
            if same is not plan:
                together = float(np.logaddexp(same.score, plan.score))
                found[_content(plan)] = replace(same, score=together)
        lost = {plan: LOST * left_out(read[1], plan) for plan in found.values()}
        return tuple(sorted(found.values(), key=lambda plan: lost[plan] - plan.score))

    def _read(self, question: str) -> tuple[Array, Sequence[Word], list[list[int]]] | None:
        encoding = self._tokenizer.encode(question)
        ids, offsets = encoding.ids, encoding.offsets
        if len(ids) > LONGEST:
            ids, offsets = [*ids[: LONGEST - 1], ids[-1]], [*offsets[: LONGEST - 1], offsets[-1]]
        words = [word for word in words_in(question) if word.start < offsets[-2][1]]
        if not words:
            return None
        pieces = self._encoder.states([ids], self._cases[cases(question, offsets)])
        return pieces, words, pieces_of(words, offsets)


def pieces_of(words: Sequence[Word], offsets: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The word pieces of each word of a question; the first piece where it has none."""
    inner = range(1, len(offsets) - 1)
    return [
        [i for i in inner if offsets[i][0] < word.end and offsets[i][1] > word.start] or [0]
        for word in words
    ]


def left_out(question: Sequence[Word], plan: Written) -> int:
    """How many words of content of a question a plan with steps does not say in any form."""
    if plan.operator in STEPLESS:
        return 0
    said = {stem for line in plan.lines for stem in content_stems(f"{line.bound} {line.said}")}
    if _BIRTH & said:
        said |= _AGE  # who was born first is the oldest
    return sum(
        bool(content_stems(word.text))
        and not any(form and said & set(content_stems(form)) for form in forms_of(word.text))
        for word in question
    )


def _content(plan: Written) -> object:
    """What two plans that differ in little words alone have in common."""
    lines = (
        (line.kind, line.bound.casefold(), tuple(sorted(content_stems(line.said))))
        for line in plan.lines
    )
    return plan.operator, tuple(lines)


@lru_cache(maxsize=1)
def embedded_writer() -> Writer:
    """The writer of the weights in this package, loaded once a process."""
    return Writer.open()
