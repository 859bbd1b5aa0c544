"""What speaks against a claim, and the ruling that it comes to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Ruling = Literal["supported", "unsure", "unsupported"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A ruling, and why it is not "supported"."""

    ruling: Ruling
    reason: str = ""
    wording: bool = False
    """Unsure for nothing but words of what is asked that the quote does not say."""


SUPPORTED = Verdict(ruling="supported")


@dataclass(slots=True)
class Faults:
    """What speaks against a claim."""

    hard: list[str] = field(default_factory=list)
    """Unsupported."""
    soft: list[str] = field(default_factory=list)
    """Unsure."""
    wording: list[str] = field(default_factory=list)
    """Unsure, as long as nothing shows that the quote says it in words of its own."""

    @property
    def verdict(self) -> Verdict:
        """The ruling that the faults come to, with the first of them."""
        if self.hard:
            return Verdict(ruling="unsupported", reason=self.hard[0])
        if self.soft:
            return Verdict(ruling="unsure", reason=self.soft[0])
        if self.wording:
            return Verdict(ruling="unsure", reason=self.wording[0], wording=True)
        return SUPPORTED


def shown(quote: str, limit: int = 60) -> str:
    """Return a quote short enough for a line."""
    folded = " ".join(quote.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"
