"""A benchmark's own prompts, put to the model alone: how the papers ask, with no agent between.

The prompt file is filled with the question and with sources, as the setting allows: none (closed),
the best chunks for the question (open), or the sample's own evidence, whole (evidence).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from agent.llm.port import Message
from agent.llm.tokens import Estimate
from agent.prompted.fence import fenced
from agent.prompted.prompts import Prompts
from agent.types import Answer
from evals.judge import PACKAGED

if TYPE_CHECKING:
    from agent.llm.port import LanguageModel
    from evals.types import RunConfig
    from retrieval.types import Hit

REPLY_TOKENS = 1024
"""As Compound-QA's experiments allow (section 4)."""


async def ask_model(
    model: LanguageModel,
    config: RunConfig,
    name: str,
    question: str,
    *,
    hits: Sequence[Hit],
    fields: Mapping[str, str],
    history: Sequence[tuple[str, str]],
    language: str,
) -> Answer:
    """Return the model's reply as an answer that cites nothing.

    Args:
        model: the model under test.
        config: seed, temperature and context limit of the run.
        name: of the prompt file, which opens the conversation with the first question.
        question: asked now; the first one where there is no history.
        hits: the sources, best first.
        fields: further values of the prompt file.
        history: earlier questions of the conversation and what was replied.
        language: of the prompt.

    Raises:
        ModelError: after its bounded retries.
    """
    prompts = Prompts(language=language, packaged=PACKAGED)
    sources = _fitting([f"{hit.chunk.revision.title}\n{hit.chunk.text}" for hit in hits], config)
    shown = prompts.text("sources", sources=fenced("\n\n".join(sources))) if sources else ""
    first = history[0][0] if history else question
    messages = prompts.messages(name, question=first, sources=shown, **fields)
    for position, (_, said) in enumerate(history):
        following = history[position + 1][0] if position + 1 < len(history) else question
        messages.append(Message(role="assistant", content=said))
        messages.append(Message(role="user", content=following))
    reply = await model.complete(
        messages, max_tokens=REPLY_TOKENS, temperature=config.temperature, seed=config.seed
    )
    return Answer(
        question=question,
        text=reply.text.strip(),
        abstained=not reply.text.strip(),
        sub_questions=(),
        sub_answers=(),
        citations=(),
        suggestions=(),
        usage=reply.usage,
        hits=tuple(hits[: len(sources)]),
    )


def _fitting(texts: Sequence[str], config: RunConfig) -> list[str]:
    """Return as many sources, best first, as the context leaves room for beside prompt and reply."""
    if config.context_limit is None:
        return list(texts)
    count = Estimate()
    room = config.context_limit - 2 * REPLY_TOKENS
    kept: list[str] = []
    for text in texts:
        room -= count(text)
        if room < 0 and kept:
            break
        kept.append(text)
    return kept
