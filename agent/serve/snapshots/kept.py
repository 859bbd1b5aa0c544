"""What was found and answered before, kept for whoever asks the same again.

A snapshot never changes while it is served, and searches and the extractive engine say the same of
it each time: what is kept is as good as what would be made anew. A model's answers are not kept
here, as two of them may differ; its calls are, in the file of calls.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from agent.events import Answered, Event
from agent.types import Answer
from retrieval.types import Hit

T = TypeVar("T")
HEADER = {"Cache-Status": "fanfold; hit"}
"""Of a reply that was kept (RFC 9211)."""
OBJECT_BYTES = 1000
"""Of a hit, a citation or an event, beside its text: objects, references and keys."""
SETTLED = frozenset(("answered", "unsure", "not_found"))
"""What time and budgets have no part in."""


class Kept(Generic[T]):
    """Values by key, those asked for last, up to a number of bytes. Thread-safe.

    Args:
        most: bytes; 0 keeps nothing.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()
        self.size = 0
        """Bytes that are kept, as they were put."""

    def get(self, key: Hashable) -> T | None:
        """Return a value, None where it is not kept."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: T, size: int) -> None:
        """Keep a value of so many bytes; those not asked for longest make room."""
        if size > self._most:
            return
        with self._lock:
            _, before = self._values.pop(key, (None, 0))
            self._values[key] = (value, size)
            self.size += size - before
            while self.size > self._most:
                _, (_, freed) = self._values.popitem(last=False)
                self.size -= freed


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What a search found."""

    hits: list[list[Hit]]
    """One list for each query."""
    kept: bool
    """Nothing had to be searched."""


def size_of_hits(hits: Sequence[Hit]) -> int:
    """Return about how many bytes hits take."""
    return OBJECT_BYTES + sum(OBJECT_BYTES + 2 * len(hit.chunk.text) for hit in hits)


def size_of_events(events: Sequence[Event]) -> int:
    """Return about how many bytes a question's events take, its answer being one of them."""
    size = OBJECT_BYTES * (len(events) + 1)
    for event in events:
        if isinstance(event, Answered):
            answer = event.answer
            quotes = sum(len(citation.quote) for citation in answer.citations)
            parts = len(answer.citations) + 2 * len(answer.sub_answers)
            size += OBJECT_BYTES * parts + 4 * (len(answer.text) + quotes)
    return size


def is_settled(answer: Answer) -> bool:
    """Say whether the same question would be answered the same with any time and luck."""
    return answer.failure is None and all(one.status in SETTLED for one in answer.sub_answers)
