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
    """Unsure for nothing but what a reader who is certain of the value settles: words of what is asked
    that the quote does not say, or of what a sentence of prose says it."""


SUPPORTED = Verdict(ruling="supported")


@dataclass(slots=True)
class Faults:
    """What speaks against a claim."""

    hard: list[str] = field(default_factory=list)
    """Unsupported."""
    soft: list[str] = field(default_factory=list)
    """Unsure."""
    spoken: list[str] = field(default_factory=list)
    """Unsure, as long as nobody reads of what a sentence of prose says it, and whether it denies it."""
    wording: list[str] = field(default_factory=list)
    """Unsure, as long as nothing shows that the quote says it in words of its own."""

    def add(self, others: Faults) -> None:
        """Add what else speaks against it."""
        self.hard += others.hard
        self.soft += others.soft
        self.spoken += others.spoken
        self.wording += others.wording

    @property
    def verdict(self) -> Verdict:
        """The ruling that the faults come to, with the first of them."""
        return self.ruled(prose=False)

    def ruled(self, *, prose: bool) -> Verdict:
        """Return the same of an answer; of what a sentence of prose speaks, a reader may settle."""
        soft = self.soft if prose else [*self.soft, *self.spoken]
        wording = [*self.spoken, *self.wording] if prose else self.wording
        if self.hard:
            return Verdict(ruling="unsupported", reason=self.hard[0])
        if soft:
            return Verdict(ruling="unsure", reason=soft[0])
        if wording:
            return Verdict(ruling="unsure", reason=wording[0], wording=True)
        return SUPPORTED


def shown(quote: str, limit: int = 60) -> str:
    """Return a quote short enough for a line."""
    folded = " ".join(quote.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"
