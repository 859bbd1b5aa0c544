"""Takes the answer to one sub-question out of a longer answer (Compound-QA, appendix E).

Two extractors: one asks a model, one chooses sentences by embeddings. What is taken out stands in
the answer; where nothing does, the sub-question was left out.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from agent.errors import ModelError
from agent.llm.port import Request
from agent.prompted.fence import fenced
from agent.prompted.templates import Prompts
from corpus.terminal import one_line
from corpus.text import STOP, split_sentences
from evals.judges.verdict import PACKAGED, SEED
from evals.ports import Extracted

if TYPE_CHECKING:
    from agent.llm.port import LanguageModel
    from retrieval.types import Embedder

NOTHING = re.compile(r"^\W*(?:none|not found|无|没有)\W*$", re.IGNORECASE)
"""What a model says where the answer holds nothing."""
LEAST = 0.35
"""Least cosine of a sentence and the question it is taken to answer."""
NEAR = 0.85
"""A neighbour this near to the best sentence, as a share of its cosine, belongs to the answer."""
_NUMBERING = re.compile(r"\(?\d{1,2}[.)]")


class PromptedExtractor:
    """Asks a model, one sub-question a call, as the paper does.

    Args:
        model: the extracting model.
        prompts: where `extract.md` is; the packaged one by default.
    """

    def __init__(self, model: LanguageModel, prompts: Prompts | None = None) -> None:
        self._model = model
        self._prompts = prompts or Prompts(packaged=PACKAGED)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def extract(self, question: str, text: str) -> Extracted:
        """Return the part of `text` that answers `question`."""
        if not text.strip():
            return Extracted(text="")
        messages = self._prompts.messages("extract", question=fenced(question), text=fenced(text))
        try:
            reply = await self._model.complete(Request(messages, max_tokens=1024, seed=SEED))
        except ModelError as error:
            return Extracted(text="", unscored=one_line(str(error)))
        said = reply.text.strip()
        return Extracted(text="" if NOTHING.match(said) else said)


class SentenceExtractor:
    """Chooses the sentence most like the question, and neighbours that are nearly as like it.

    Args:
        embedder: compares a sentence with the question.
        least: see `LEAST`.
    """

    def __init__(self, embedder: Embedder, *, least: float = LEAST) -> None:
        self._embedder = embedder
        self._least = least

    @property
    def name(self) -> str:
        """Says that no model reads: sentences are chosen by embeddings."""
        return f"embedding-based ({self._embedder.name})"

    async def extract(self, question: str, text: str) -> Extracted:
        """Return the part of `text` that answers `question`."""
        return await asyncio.to_thread(self._extract, question, text)

    def _extract(self, question: str, text: str) -> Extracted:
        sentences = cut_statements(text)
        if not sentences:
            return Extracted(text="")
        vectors = self._embedder.encode([question, *sentences])
        cosines = (vectors[1:] @ vectors[0]).tolist()
        best = max(range(len(sentences)), key=cosines.__getitem__)
        if cosines[best] < self._least:
            return Extracted(text="")
        first = last = best
        bound = NEAR * cosines[best]
        while first > 0 and cosines[first - 1] >= bound:
            first -= 1
        while last + 1 < len(sentences) and cosines[last + 1] >= bound:
            last += 1
        return Extracted(text=" ".join(sentences[first : last + 1]))


def cut_sentences(text: str) -> list[str]:
    """Return a text's sentences and list lines, trimmed; marks and numbers of lists left out."""
    return [
        piece
        for piece in split_sentences(text, end=STOP)
        if any(letter.isalnum() for letter in piece) and not _NUMBERING.fullmatch(piece)
    ]


def cut_statements(text: str) -> list[str]:
    """Return the sentences that ask nothing: one that repeats the question is no answer to it."""
    return [one for one in cut_sentences(text) if not one.rstrip('*_"”’) ').endswith(("?", "？"))]
