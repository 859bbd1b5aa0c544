"""A step-wise multi-hop item as CofCA has it, factual and counterfactual (paper, section 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from evals.builders.types import Made
from evals.types import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The question and its passage in one world."""

    passage: str
    question: str
    answer: str
    sub_questions: tuple[str, ...]
    sub_answers: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All of it, passage first."""
        return (self.passage, self.question, self.answer, *self.sub_questions, *self.sub_answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class CofcaItem(Made):
    """One item through all stages."""

    type: str
    """bridge or comparison."""
    hops: int
    pattern: str
    """Labels of the facts, in order."""
    factual: Version
    names: tuple[str, ...]
    """Names the snapshot has for what the passage is about: none may survive."""
    people: tuple[tuple[str, str], ...]
    """Names of people, each with "he", "she" or ""."""
    turned: Version | None = None
    """Of a comparison that another wins in the counterfactual world: the version with the values of
    two exchanged, from which that world is made."""
    counterfactual: Version | None = None
    asked_by: str = ""
    """The model that wrote question, sub-questions and answers; empty where facts did."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Words of names with their new forms."""

    @property
    def text(self) -> str:
        """The question and the answers on the way to its own, as they really are."""
        return "\n".join((self.factual.question, *self.factual.sub_answers))

    @property
    def told(self) -> Version:
        """The counterfactual version.

        Raises:
            ValueError: it has not been made yet.
        """
        if self.counterfactual is None:
            raise ValueError(f"{self.id} has no counterfactual version yet")
        return self.counterfactual

    def published(self, source: str) -> dict[str, Json]:
        """Return the item as data files have it; `source` is factual or counterfactual."""
        version = self.factual if source == "factual" else self.told
        return {
            "id": f"{self.id}-{source}",
            "pair": self.id,
            "source": source,
            "type": self.type,
            "hops": self.hops,
            "passage": version.passage,
            "question": version.question,
            "answer": version.answer,
            "sub_questions": list(version.sub_questions),
            "sub_answers": list(version.sub_answers),
            "split": self.split,
        }
