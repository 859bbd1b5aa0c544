"""The reader that a user names: any extractive question-answering model, or a trained one of ours."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.named import open_named
from agent.extractive.reader.certainty import Pointed
from agent.extractive.reader.span import (
    LONGEST,
    EmbeddedReader,
    Reader,
    Span,
    Titled,
    best_first,
    best_span,
    titled,
)
from agent.extractive.reader.windows import Window
from corpus.errors import InputError
from retrieval.dense.runtime import Array

if TYPE_CHECKING:
    from tokenizers import Encoding

BATCH = 16
"""Windows of one pass."""


class HubReader:
    """Reads with a model that gives scores of starts and ends. Thread-safe.

    Args:
        model: of `AutoModelForQuestionAnswering`, trained with questions that have no answer (SQuAD
            2.0): what its first piece gets is read as "not here".
        tokenizer: the model's own, of the fast kind: offsets are needed.
    """

    alone_from = 2.0
    """Margin from which its words answer though nothing else found them."""

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._lock = threading.Lock()

    def is_sure(self, asked: Asked, text: str, fact: Fact, pointed: Pointed) -> bool:
        """Whether its words answer though nothing else found them: by their margin."""
        return pointed.margin >= self.alone_from

    def read(self, question: str, windows: Sequence[Window]) -> list[Span]:
        """Return the best span of every window that has one inside a fact, best first."""
        return best_first(best_span(*made) for made in self._scored(question, windows))

    def read_titles(self, question: str, windows: Sequence[Window]) -> list[Titled]:
        """Return how likely the title of each window answers what its facts tell, best first."""
        return best_first(titled(*made) for made in self._scored(question, windows))

    def _scored(
        self, question: str, windows: Sequence[Window]
    ) -> Iterator[tuple[Array, Encoding, Window]]:
        """The scores of every window's word pieces, with these."""
        import torch

        for start in range(0, len(windows), BATCH):
            part = windows[start : start + BATCH]
            made = self._tokenizer(
                [question] * len(part), [window.text for window in part], padding=True,
                truncation="only_second", max_length=2 * LONGEST, return_tensors="pt",
                padding_side="right",
            )  # fmt: skip
            with self._lock, torch.inference_mode():
                scores = self._model(**made)
            both = torch.stack([scores.start_logits, scores.end_logits], dim=-1).float().numpy()
            for row, window in enumerate(part):
                kept = int(made["attention_mask"][row].sum())
                yield np.asarray(both[row, :kept]), made.encodings[row], window


def open_reader(name: str) -> Reader:
    """Load a reader from a folder or a hub's name; what bench/train_reader.py wrote needs no torch.

    Raises:
        InputError: nothing there that can be loaded, no model that finds spans, or no torch.
    """
    trained = Path(name) / "reader.safetensors"
    if trained.is_file():
        return EmbeddedReader.open(trained)
    tokenizer, model, missing = open_named(name, "reader", "AutoModelForQuestionAnswering")
    if any("qa_outputs" in key for key in missing):
        raise InputError(
            f"{name}: it was not trained to find answers (no qa_outputs): a reader is an extractive "
            "question-answering model, such as one trained on SQuAD 2.0"
        )
    if not tokenizer.is_fast:
        raise InputError(f"{name}: its tokenizer keeps no offsets: name a model with a fast one")
    return HubReader(model, tokenizer)
