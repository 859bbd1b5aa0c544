"""A model put to a builder's questions; what was asked goes into the item's provenance."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from agent.llm.port import LanguageModel, Request
from agent.prompted.fence import fenced
from agent.prompted.templates import Prompts
from evals.builders.types import Item
from evals.judges.verdict import PACKAGED, SEED

Reply = TypeVar("Reply", bound=BaseModel)
MOST_TOKENS = 2048


class Writer:
    """Asks one model by prompt files.

    Args:
        model: that writes or judges.
        prompts: where the files are; the packaged ones by default.
        language: of the prompts: "en", or a folder beside them.
    """

    def __init__(
        self, model: LanguageModel, prompts: Prompts | None = None, language: str = "en"
    ) -> None:
        self._model = model
        self._prompts = prompts or Prompts(language=language, packaged=PACKAGED)
        self._values: dict[str, tuple[str, ...]] = {}

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def ask(
        self,
        prompt: str,
        form: type[Reply],
        data: Mapping[str, str],
        plain: Mapping[str, str] | None = None,
    ) -> Reply:
        """Return the model's reply.

        Args:
            prompt: name of the file.
            form: of the reply.
            data: values that come from texts: each goes into a fence it cannot close.
            plain: values of ours, which go in as they are.

        Raises:
            ModelError: after retries and one repair.
        """
        values = {**(plain or {}), **{name: fenced(text) for name, text in data.items()}}
        self._values[prompt] = tuple(values)
        messages = self._prompts.messages(prompt, **values)
        reply = await self._model.complete(
            Request(messages, schema=form, max_tokens=MOST_TOKENS, seed=SEED)
        )
        assert isinstance(reply.parsed, form), "a repaired model returns the form asked for"
        return reply.parsed

    def text(self, prompt: str) -> str:
        """Return a piece that prompts take in."""
        return self._prompts.text(prompt)

    def sign(self, item: Item, prompt: str) -> Item:
        """Return the item with this model, and a prompt that was put to it, in its provenance."""
        before = item.provenance
        provenance = replace(
            before,
            models=tuple(dict.fromkeys((*before.models, self.name))),
            prompts={**before.prompts, prompt: self._digest(prompt)},
        )
        return replace(item, provenance=provenance)

    def _digest(self, prompt: str) -> str:
        """Return the SHA-256 of a prompt file as it is before it is filled."""
        blank = {name: f"${name}" for name in self._values[prompt]}
        messages = self._prompts.messages(prompt, **blank)
        text = "\n".join(f"{message.role}: {message.content}" for message in messages)
        return hashlib.sha256(text.encode()).hexdigest()
