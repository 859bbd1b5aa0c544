"""The vocabulary of the builders: what is made, where it comes from, why something was rejected."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What one check said of an item."""

    name: str
    passed: bool
    by: str = "rules"
    """"rules", or the name of the model that judged."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where an item comes from."""

    chunks: tuple[str, ...] = ()
    """Ids of the chunks whose text or facts it uses, `page:rev:ordinal`."""
    models: tuple[str, ...] = ()
    """Models that wrote or judged a part of it; none where rules alone made it."""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Name of every prompt file used, to the SHA-256 of its text."""
    checks: tuple[Check, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What every builder's item has."""

    id: str
    kind: str
    """What quotas count: "3 hops, bridge"."""
    articles: tuple[str, ...]
    """Titles of the articles it is made of: what splits go by."""
    split: str = ""
    provenance: Provenance = Provenance()

    @property
    def text(self) -> str:
        """What two items are compared by to find duplicates."""
        raise TypeError(f"{type(self).__name__} says nothing to compare it by")


Item = TypeVar("Item", bound=Made)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected(Generic[Item]):
    """An item that was not kept."""

    item: Item
    stage: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Generic[Item]):
    """What one stage made of one input: a line of the stage's file."""

    input: str
    """The input's id; empty for a stage over all items at once."""
    kept: tuple[Item, ...] = ()
    rejected: tuple[Rejected[Item], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Each(Generic[Item]):
    """A stage that takes one item at a time; it goes on after the items already done."""

    name: str
    work: Callable[[Item], Awaitable[Step[Item]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Every(Generic[Item]):
    """A stage over all items at once; its file is written whole or not at all."""

    name: str
    work: Callable[[Sequence[Item]], Step[Item]]


Stage = Each[Item] | Every[Item]


def keep(item: Item) -> Step[Item]:
    """Return the step that kept an item."""
    return Step(input=item.id, kept=(item,))


def reject(item: Item, stage: str, reason: str) -> Step[Item]:
    """Return the step that rejected an item."""
    return Step(input=item.id, rejected=(Rejected(item=item, stage=stage, reason=reason),))


def with_checks(item: Item, checks: Sequence[Check]) -> Item:
    """Return an item with more verdicts in its provenance."""
    provenance = replace(item.provenance, checks=(*item.provenance.checks, *checks))
    return replace(item, provenance=provenance)


def judge(item: Item, stage: str, checks: Sequence[Check]) -> Step[Item]:
    """Return the item kept with its verdicts, or rejected for the first check that failed."""
    item = with_checks(item, checks)
    failed = next((check for check in checks if not check.passed), None)
    if failed is None:
        return keep(item)
    return reject(item, stage, failed.name + (f": {failed.reason}" if failed.reason else ""))
