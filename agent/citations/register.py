"""Citations as they are entered: quotes numbered in order of first use, and the text they hold up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from agent.types import Citation, Support
from corpus.types import Chunk


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A text whose marks all hold."""

    text: str
    citations: tuple[Citation, ...]
    """Those that this text carries, each once, in order of appearance."""
    struck: tuple[str, ...]
    """What was taken out, with the reason."""
    unsure: tuple[str, ...] = ()
    """What is shown as unsure, with the reason."""
    uncited: tuple[str, ...] = ()
    """Sentences, or closing parts of them, that state something and carry no mark that holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A citation that was judged before, with the words that it was judged for."""

    citation: Citation
    said: str
    """Question and values: a claim that says no more than they do need not be judged again."""

    @property
    def span(self) -> tuple[int, int]:
        """Offsets in the article."""
        return self.citation.start, self.citation.end


@dataclass(slots=True)
class Register:
    """Numbers quotes in order of first use, one number for each span of an article."""

    citations: list[Citation] = field(default_factory=list)
    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)

    def enter(
        self, chunk: Chunk, span: tuple[int, int], support: Support = "supported"
    ) -> Citation:
        """Return the citation of `span` (offsets in the article), numbered on first use.

        A span that is used several times has the support of its weakest use.
        """
        start, end = span
        key = (chunk.id, start, end)
        if key not in self._numbers:
            self._numbers[key] = len(self.citations) + 1
            self.citations.append(
                Citation(
                    number=len(self.citations) + 1,
                    chunk_id=chunk.id,
                    revision=chunk.revision,
                    start=start,
                    end=end,
                    quote=chunk.text[start - chunk.start : end - chunk.start],
                    support=support,
                )
            )
        at = self._numbers[key] - 1
        if support == "unsure":
            self.citations[at] = replace(self.citations[at], support=support)
        return self.citations[at]
