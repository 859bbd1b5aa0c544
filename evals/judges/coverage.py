"""Coverage: which sub-questions a text answers, and with which words.

Xie et al. (2024), section 3.2: a text covers a sub-question where any part of it answers it, and
the judge must name that part. A named part that does not stand in the text proves nothing: that
sub-question is unscored, with the reason.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from agent.errors import ModelError
from agent.llm.port import LanguageModel, Request
from agent.prompted.fence import fenced
from agent.prompted.templates import Prompts
from corpus.terminal import one_line
from evals.judges.verdict import PACKAGED, SEED
from evals.ports import CoverageJudge, Covered

NOT_COVERED = Covered(covered=False)
BATCH = 10
"""Sub-questions put to the model in one call."""


_AROUND = " \t\n\"'“”‘’«».…"
_ALIKE = {
    sign: f"[{re.escape(group)}]"
    for group in ("'‘’ʼ`", '"“”„«»', "-‐‑–—", "[⟦", "]⟧", "【⦗", "】⦘", "<‹")
    for sign in group
}
"""Signs that a model writes for one another, and the look-alikes that the fence shows it."""


class OneCoverageReply(BaseModel):
    """The judgment of one sub-question."""

    model_config = ConfigDict(extra="forbid")

    number: int
    answered: bool
    fragment: str


class CoverageReply(BaseModel):
    """What the coverage judge replies."""

    model_config = ConfigDict(extra="forbid")

    judgments: list[OneCoverageReply]


class PromptedCoverage:
    """Asks a model, several sub-questions a call or one each as the paper does.

    Args:
        model: the judging model.
        prompts: where `covers.md` is; the packaged one by default.
        batch: sub-questions a call.
        shots: worked examples shown; None for all there are.
    """

    def __init__(
        self,
        model: LanguageModel,
        prompts: Prompts | None = None,
        *,
        batch: int = BATCH,
        shots: int | None = None,
    ) -> None:
        self._model = model
        self._prompts = prompts or Prompts(packaged=PACKAGED)
        self._batch = batch
        self._examples = self._prompts.examples("covers", shots)

    @property
    def name(self) -> str:
        """The judging model's name."""
        return self._model.name

    async def covers(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        """Judge one text against several sub-questions, in their order."""
        if not text.strip():
            return [NOT_COVERED] * len(sub_questions)
        batches = [
            sub_questions[start : start + self._batch]
            for start in range(0, len(sub_questions), self._batch)
        ]
        judged = await asyncio.gather(*(self._judge(text, batch) for batch in batches))
        return [covered for batch in judged for covered in batch]

    async def _judge(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        numbered = "\n".join(f"{n}. {' '.join(q.split())}" for n, q in enumerate(sub_questions, 1))
        messages = self._prompts.messages(
            "covers",
            text=fenced(text),
            sub_questions=fenced(numbered),
            examples=self._examples,
        )
        try:
            reply = await self._model.complete(
                Request(
                    messages,
                    schema=CoverageReply,
                    max_tokens=200 + 150 * len(sub_questions),
                    seed=SEED,
                )
            )
        except ModelError as error:
            return [_unscored(one_line(str(error)))] * len(sub_questions)
        parsed = reply.parsed
        by_number = (
            {judgment.number: judgment for judgment in parsed.judgments}
            if isinstance(parsed, CoverageReply)
            else {}
        )
        return [_read(text, by_number.get(n)) for n in range(1, len(sub_questions) + 1)]


def _read(text: str, judgment: OneCoverageReply | None) -> Covered:
    if judgment is None:
        return _unscored("the reply passes over this sub-question")
    if not judgment.answered:
        return NOT_COVERED
    span = find_fragment(judgment.fragment, text)
    if span is None:
        return _unscored("the fragment named is not in the text")
    return Covered(covered=True, start=span[0], end=span[1])


def _unscored(reason: str) -> Covered:
    return Covered(covered=None, unscored=reason)


def find_fragment(fragment: str, text: str) -> tuple[int, int] | None:
    """Return the offsets of a fragment in a text.

    Any white space equals any other, so do the forms of a quotation mark or a dash, and upper and
    lower case; quotation marks and dots around the fragment need not be in the text. Its words do.
    """
    words = fragment.strip(_AROUND).split() or fragment.split()
    if not words:
        return None
    pattern = r"\s+".join("".join(_ALIKE.get(c, re.escape(c)) for c in word) for word in words)
    found = re.search(pattern, text) or re.search(pattern, text, re.IGNORECASE)
    return found.span() if found else None


def word_position(text: str, start: int) -> float:
    """Return where a fragment starts, counted in words, as a share of the text's words.

    20 % is the 20th word of a text of 100 (section 3.3, metric #6).
    """
    words = len(text.split())
    return len(text[:start].split()) / words if words else 0.0


async def covers_all(
    judge: CoverageJudge, texts: Sequence[str], sub_questions: Sequence[str]
) -> list[list[Covered]]:
    """Judge every text against every sub-question: [texts][sub-questions]."""
    return list(await asyncio.gather(*(judge.covers(text, sub_questions) for text in texts)))
