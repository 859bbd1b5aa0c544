"""A compound question as Compound-QA has it (section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from evals.builders.types import Made
from evals.types import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class CompoundItem(Made):
    """One compound question through all stages."""

    type: str
    """As in the names of the files: Factual_Statement, …"""
    dimension: str
    context: str
    original: str
    """The single question it is built on."""
    question: str = ""
    reference: str = ""

    @property
    def text(self) -> str:
        """The question, or what it will be made of."""
        return self.question or f"{self.type}\n{self.original}\n{self.context}"

    def published(self) -> dict[str, Json]:
        """Return the item as data files have it."""
        return {
            "ID": self.id,
            "context": self.context,
            "com_question": self.question,
            "com_reference": self.reference,
            "split": self.split,
        }
