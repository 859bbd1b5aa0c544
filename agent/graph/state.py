"""What the graph remembers between its nodes, and what the nodes work with.

`State` is what a checkpoint holds; `Context` is what a process opens anew.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any

from agent.budget import Meter
from agent.citations.content.names import Aliases
from agent.citations.resolution import Reread
from agent.citations.subanswers import Confirms
from agent.citations.support.boxes import Texts
from agent.events import Event
from agent.graph.record.hits import NO_HITS, Hits
from agent.prompted.templates import Prompts
from agent.reasoner import Composed, Confirming, Reasoner
from agent.settings import Settings
from agent.tools import Toolbox
from agent.types import Answer, SubAnswer, SubQuestion, TraceStep, Usage
from corpus.articles import Articles
from retrieval.types import Embedder, Retriever

Tell = Callable[[Event], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A step that replanning made of one whose placeholders were filled."""

    id: str
    filled: Mapping[str, str]
    """What stands for each placeholder, by its id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One sub-question on its way to the reasoner, with the hits gathered for it."""

    sub_question: SubQuestion
    hits: Hits
    fault: str | None = None
    """Why there are none, where the retriever failed."""
    doubted: str = ""
    """Why what it finds is unsure, whatever its quotes say: what fills it was not found for certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tasks:
    """What one node answers: a single task where each result is kept as it comes, else a round."""

    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What became of one sub-question: a `Finding`, checked."""

    sub_answer: SubAnswer
    hits: Hits = NO_HITS
    struck: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    """What was taken for the answer and stands in what was cited, though no quote bears it out: told
    to nobody, gone on with where there is nothing better."""
    backend: bool = False
    """Whether it failed because a model or an index did."""


def _merge(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    return {**first, **second}


def _extend(first: Sequence[Any], second: Sequence[Any]) -> tuple[Any, ...]:
    return (*first, *second)


def _later(first: float, second: float) -> float:
    return max(first, second)


_ADDED: Mapping[str, Callable[[Any, Any], Any]] = {
    "found": _merge,
    "notes": _extend,
    "trace": _extend,
    "usage": operator.add,
    "elapsed": _later,
}


def together(updates: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the updates of nodes that ran side by side come to, in their order."""
    whole = dict(updates[0])
    for update in updates[1:]:
        for name, value in update.items():
            whole[name] = _ADDED[name](whole[name], value)
    return whole


@dataclass(kw_only=True)
class State:
    """One question on its way through a graph; every part is added to by a node."""

    question: str = ""
    steps: tuple[SubQuestion, ...] = ()
    """The plan, in order; filled steps stand where the step with the placeholder stood."""
    branches: Mapping[str, tuple[Branch, ...]] = field(default_factory=dict)
    """By id of a step that was filled, what it became."""
    found: Annotated[dict[str, Found], _merge] = field(default_factory=dict)
    """By id of a sub-question."""
    ready: tuple[SubQuestion, ...] = ()
    """Steps of the present round."""
    round: int = 0
    """Of the plan that is asked."""
    hits: Hits = NO_HITS
    """What the composer may cite."""
    composed: Composed | None = None
    notes: Annotated[tuple[str, ...], _extend] = ()
    """For the reader: what was altered in the plan, steps of the whole that failed."""
    failure: str | None = None
    """Why there is nothing at all to answer with, where a model or an index failed."""
    trace: Annotated[tuple[TraceStep, ...], _extend] = ()
    usage: Annotated[Usage, operator.add] = field(default_factory=Usage)
    """Of finished steps."""
    elapsed: Annotated[float, _later] = 0.0
    """Seconds at the end of the last finished step."""
    answer: Answer | None = None

    @property
    def answers(self) -> dict[str, SubAnswer]:
        """By id of a sub-question, what it was answered with so far."""
        return {id_: found.sub_answer for id_, found in self.found.items()}


@dataclass(frozen=True, kw_only=True)
class Context:
    """What the nodes work with; opened by `agent.graph.parts`, never stored."""

    reasoner: Reasoner
    retriever: Retriever
    settings: Settings
    meter: Meter
    articles: Articles | None = None
    """Where titles named in a sub-question are looked up."""
    toolbox: Toolbox | None = None
    embedder: Embedder | None = None
    """Tells repeated sub-questions apart, ranks chunks by what they cover."""
    prompts: Prompts = field(default_factory=Prompts)
    """Words that a strategy adds to what is searched for."""
    aliases: Aliases | None = None
    """Other names of a name, by the snapshot's redirects: what citations are checked with."""
    reread: Reread | None = None
    """Rules on citations on top of the rules: the verifier that was named."""
    texts: Texts | None = None
    """Whole texts of the articles that are cited: whether a label stands there once."""
    source: str = "the snapshot"
    """What an abstaining answer says it looked in."""
    kept: bool = True
    """Whether what a node returns is kept as it ends, for a resumption: then each sub-question has a
    node of its own. Where nothing is kept, one node answers all of a round, at once: LangGraph's
    work for twenty nodes takes as long as a third of the agent's own."""
    tell: Tell = lambda _: None
    """Told what happens. Not LangGraph's own stream, through which an event goes by the loop's
    selector: 2 ms a question of 20 sub-questions."""

    @cached_property
    def confirms(self) -> Confirms | None:
        """What tells whether a quote answers in words of its own, where the reasoner can."""
        return self.reasoner.confirms if isinstance(self.reasoner, Confirming) else None
