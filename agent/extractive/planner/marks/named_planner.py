"""The planner that a user names: any text-to-text model that marks questions, or a trained tagger.

Such a model is given the question and writes the operator, a colon, and the question with its marks
in it, as bench/data/PLANNER_GUIDE.md has them:

    count: How many of [S the Great Lakes] [C border Canada]?

What it writes is believed where it is the question, word for word, with marks that nest. Where it is
not, the embedded tagger marks the question, and a line says so.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from agent.extractive.named import open_named
from agent.extractive.planner.marks.tagger import Planner, Tagged, Tagger, embedded_tagger
from agent.extractive.planner.marks.types import OPERATORS, parse

LONGEST = 512
"""Tokens of what a model reads and of what it writes."""
REMEMBERED = 256
"""Questions whose marks are kept: one question is planned, composed and accounted for."""
_LOG = logging.getLogger("fanfold.agent")


class HubPlanner:
    """Marks questions with a model that writes text. Thread-safe.

    Args:
        write: returns what the model writes for a question.
        instead: marks the questions whose marks cannot be believed.
    """

    def __init__(self, write: Callable[[str], str], instead: Planner) -> None:
        self._write = write
        self._instead = instead
        self._lock = threading.Lock()
        self._known = lru_cache(maxsize=REMEMBERED)(self._read)

    def tag(self, question: str) -> Tagged:
        """Mark one question."""
        with self._lock:
            return self._known(question)

    def _read(self, question: str) -> Tagged:
        written = self._write(question)
        try:
            return read_marked(question, written)
        except ValueError as error:
            _LOG.warning(
                "the planner's marks cannot be used (%s): the embedded tagger's are", error
            )
            return self._instead.tag(question)


def read_marked(question: str, written: str) -> Tagged:
    """Read what a model wrote: `give: What is [A the length] of [M the Elbe]?`.

    Raises:
        ValueError: says in what it is no marked form of the question.
    """
    operator, colon, marked = written.strip().partition(":")
    known = next((one for one in OPERATORS if one == operator.strip().lower()), None)
    if not colon or known is None:
        raise ValueError("it does not begin with an operator")
    text, marks = parse(marked.strip())
    if text != question.strip():
        raise ValueError("without its marks it is another question")
    if not marks and known != "none":
        raise ValueError("nothing is marked")
    ahead = len(question) - len(question.lstrip())
    moved = tuple(
        type(mark)(label=mark.label, start=mark.start + ahead, end=mark.end + ahead)
        for mark in marks
    )
    return Tagged(question=question, marks=moved, operator=known, sure=1.0)


def open_planner(name: str) -> Planner:
    """Load a planner from a folder or a hub's name; what bench/train_planner.py wrote needs no torch.

    Raises:
        InputError: nothing there that can be loaded, no model that writes text, or no torch.
    """
    trained = Path(name) / "planner.safetensors"
    if trained.is_file():
        return Tagger.open(trained)
    tokenizer, model, _ = open_named(name, "planner", "AutoModelForSeq2SeqLM")
    import torch

    def write(question: str) -> str:
        made = tokenizer(question, return_tensors="pt", truncation=True, max_length=LONGEST)
        with torch.inference_mode():
            found = model.generate(
                input_ids=made["input_ids"],
                attention_mask=made["attention_mask"],
                max_new_tokens=LONGEST,
                do_sample=False,
            )
        return str(tokenizer.decode(found[0], skip_special_tokens=True))

    return HubPlanner(write, embedded_tagger())
