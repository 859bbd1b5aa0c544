"""Plans of questions by SmolLM2 with low-rank updates, trained by bench/train_planner.py."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from agent.extractive.planner.smollm2.beam import written
from agent.extractive.planner.smollm2.gguf import carried_file, open_gguf
from agent.extractive.planner.smollm2.model import CausalModel
from agent.extractive.planner.smollm2.rows import sayings_of
from agent.extractive.planner.smollm2.tokens import tokenizer_of
from agent.extractive.planner.smollm2.updates import read_updates
from agent.extractive.planner.writer.forms import words_in
from agent.extractive.planner.writer.model import REMEMBERED, Written, plans_in, ranked
from agent.extractive.weights.store import FOLDER

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONGEST = 400
"""Tokens of a question that are read; the rest of a longer one is not."""


class SmolPlanner:
    """Writes plans. Thread-safe."""

    def __init__(self, model: CausalModel, tokenizer: Tokenizer, vocabulary: Sequence[str]) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._vocabulary = vocabulary
        self._encode = lru_cache(8192)(self._tokens)
        self._known = lru_cache(REMEMBERED)(self._plans)

    @classmethod
    def open(cls, folder: Path = FOLDER) -> SmolPlanner:
        """Load the updates of a folder over the carried model.

        Raises:
            InputError: the model is not installed.
        """
        updates = read_updates(folder / "planner.safetensors")
        listed = (FOLDER / "writer_words.txt").read_text(encoding="utf-8").split("\n")[:-1]
        tokenizer = tokenizer_of(open_gguf(carried_file()))
        return cls(CausalModel.open(updates), tokenizer, listed)

    def write(self, question: str) -> Sequence[Written]:
        """The likeliest plans of a question, the likeliest first; none of a text without words."""
        return self._known(question)

    def _tokens(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def _plans(self, question: str) -> Sequence[Written]:
        words = words_in(question)
        if not words:
            return ()
        sayings = sayings_of(words, self._vocabulary)
        tokens = self._encode(question)[:LONGEST]
        rows = written(self._model, tokens, sayings, self._encode)
        return ranked(words, plans_in(rows))
