"""The planner that a user names: any text-to-text model that writes steps, or a trained writer.

Such a model is given the question and writes the operator and the steps, as bench/data/STEPS_GUIDE.md
has them, each behind a semicolon or on a line of its own:

    count; set: What are the Great Lakes?; is: Does {1} border Canada?

Where what it writes has no such form, the embedded writer plans the question, and a line says so.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from agent.extractive.named import open_named
from agent.extractive.planner.writer.model import (
    REMEMBERED,
    Planner,
    Writer,
    Written,
    embedded_writer,
)
from agent.extractive.planner.writer.program import OPERATORS, STEPLESS, line_of

LONGEST = 512
"""Tokens of what a model reads and of what it writes."""
_LOG = logging.getLogger("fanfold.agent")


class HubPlanner:
    """Plans questions with a model that writes text. Thread-safe.

    Args:
        write: returns what the model writes for a question.
        instead: plans the questions whose plans have no form.
    """

    def __init__(self, write: Callable[[str], str], instead: Planner) -> None:
        self._write = write
        self._instead = instead
        self._lock = threading.Lock()
        self._known = lru_cache(maxsize=REMEMBERED)(self._read)

    def write(self, question: str) -> Sequence[Written]:
        """The plan of a question."""
        with self._lock:
            return self._known(question)

    def _read(self, question: str) -> Sequence[Written]:
        try:
            return (read_plan(self._write(question)),)
        except ValueError as error:
            _LOG.warning("the planner's plan cannot be used (%s): the embedded writer's is", error)
            return self._instead.write(question)


def read_plan(written: str) -> Written:
    """Read what a model wrote: `give; find: Who directed Jaws?; ask: Where was {1} born?`.

    Raises:
        ValueError: says in what it is no plan.
    """
    parts = [part.strip() for part in re.split(r"[;\n]", written) if part.strip()]
    operator = parts[0].lower() if parts else ""
    if operator not in OPERATORS:
        raise ValueError("it does not begin with an operator")
    lines = []
    for part in parts[1:]:
        line = line_of(part)
        if line is None:
            raise ValueError(f"no step: {part[:60]!r}")
        lines.append(line)
    if not lines and operator not in STEPLESS:
        raise ValueError("it has no steps")
    return Written(operator, tuple(lines), 0.0)


def open_planner(name: str) -> Planner:
    """Load a planner from a folder or a hub's name; what bench/train_writer.py wrote needs no torch.

    Raises:
        InputError: nothing there that can be loaded, no model that writes text, or no torch.
    """
    if (Path(name) / "writer.safetensors").is_file():
        return Writer.open(Path(name))
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

    return HubPlanner(write, embedded_writer())
