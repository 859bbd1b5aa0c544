"""A chain of facts as CCMOR has it (section 2)."""

from __future__ import annotations

from dataclasses import dataclass

from evals.builders.types import Made
from evals.types import Json

SEPARATOR = " / "
"""Between valid answers where people or models are shown them; data files have lists."""


def _told(answers: tuple[str, ...]) -> Json:
    return answers[0] if len(answers) == 1 else [*answers]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The article that states an answer."""

    pageid: int
    revid: int
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One step of a chain."""

    question: str
    answers: tuple[str, ...]
    """All that are valid; the first is asked on from."""
    evidence: Evidence | None = None
    domain: str = ""
    """Of the step itself, where it is told apart from the chain's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainItem(Made):
    """One chain through all stages; it grows a link at a time where models write it."""

    domain: str
    chain: tuple[Link, ...]
    question: str = ""
    """The chain as one question; empty until it is composed."""

    @property
    def text(self) -> str:
        """The question, or the last one while there is none of all, with the answers."""
        answers = (SEPARATOR.join(link.answers) for link in self.chain)
        return "\n".join((self.question or self.chain[-1].question, *answers))

    @property
    def answer(self) -> str:
        """The valid answers of the last step."""
        return SEPARATOR.join(self.chain[-1].answers)

    def published(self) -> dict[str, Json]:
        """Return the item as data files have it."""
        chain: list[Json] = [
            {
                "question": link.question,
                "answer": _told(link.answers),
                "domain": link.domain or self.domain,
                "evidence": None
                if link.evidence is None
                else {
                    "pageid": link.evidence.pageid,
                    "revid": link.evidence.revid,
                    "title": link.evidence.title,
                },
            }
            for link in self.chain
        ]
        first = self.chain[0]
        return {
            "id": self.id,
            "domain": self.domain,
            "hops": len(self.chain),
            "seed": {"question": first.question, "answer": _told(first.answers)},
            "chain": chain,
            "question": self.question,
            "answer": _told(self.chain[-1].answers),
            "split": self.split,
        }
