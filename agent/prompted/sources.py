"""The numbered sources of one conversation: what was shown, and what fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from agent.llm.tokens import most_tokens
from agent.prompted.fence import enclosed, harmless, quoted_words
from agent.prompted.forms import Quote
from agent.tools import chunk_label
from corpus.types import Chunk
from retrieval.types import Hit

NOTHING = "(none)"
_EACH = 12
"""Tokens that the number and the spacing of a source take beside its text."""


class Sources:
    """Hits numbered from 1 in the order they came, each chunk once."""

    def __init__(self, hits: Iterable[Hit] = ()) -> None:
        self.hits: list[Hit] = []
        self._numbers: dict[str, int] = {}
        self.shown: set[int] = set()
        """Numbers of the sources whose text the model has seen."""
        self.add(hits)

    def add(self, hits: Iterable[Hit]) -> list[int]:
        """Take hits in and return their numbers; a chunk known already keeps its own."""
        numbers = []
        for hit in hits:
            if hit.chunk.id not in self._numbers:
                self.hits.append(hit)
                self._numbers[hit.chunk.id] = len(self.hits)
            numbers.append(self._numbers[hit.chunk.id])
        return list(dict.fromkeys(numbers))

    @property
    def chunks(self) -> list[Chunk]:
        """The chunks, in the order of their numbers."""
        return [hit.chunk for hit in self.hits]

    def number_of(self, chunk_id: str) -> int | None:
        """Return the number of a chunk, or None."""
        return self._numbers.get(chunk_id)

    def show(self, budget: int, count: Callable[[str], int], numbers: Sequence[int] = ()) -> str:
        """Return sources as fenced text of at most `budget` tokens, best first; mark them shown.

        Without `numbers`, all of them. A source that does not fit ends the list: the next one,
        though shorter, is a worse one.
        """
        parts: list[str] = []
        at_most = spent = counted = 0
        for number in numbers or range(1, len(self.hits) + 1):
            chunk = self.hits[number - 1].chunk
            label = harmless(" ".join(chunk_label(chunk).split()))
            if number in self.shown and numbers:
                part = f"[{number}] {label}: shown above"
            else:
                part = f"[{number}] {label}\n{harmless(chunk.text.strip())}"
            at_most += most_tokens(part) + _EACH
            if at_most > budget:
                # Only now has to be known how many they are: counting takes longer than showing.
                spent += sum(count(one) + _EACH for one in (*parts[counted:], part))
                counted = len(parts) + 1
                if spent > budget:
                    break
            self.shown.add(number)
            parts.append(part)
        return enclosed("\n\n".join(parts)) if parts else NOTHING

    def quotes(self, quotes: Iterable[Quote]) -> list[tuple[int, str]]:
        """Return a model's quotes as (number, words), as the chunks have them."""
        return [
            (
                quote.source,
                quoted_words(quote.quote, self.hits[quote.source - 1].chunk)
                if 1 <= quote.source <= len(self.hits)
                else quote.quote,
            )
            for quote in quotes
            if quote.quote.strip()
        ]
