"""The vocabulary of evaluation: samples, runs, predictions, scores, and the ports around them.

A run is a folder of records: these dataclasses, verbatim, one a line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic import JsonValue

from agent.types import Answer, Kind, Setting, Style, Usage
from corpus.errors import InputError

Json: TypeAlias = JsonValue
MISSING = "evidence not in the snapshot: "
"""Begins the note of an answer that was given without one of its necessary articles."""
FAILED = "failed"
"""The metric under which a score says why its sample has no answer."""
PAPER = "paper"
"""The prompting that follows a paper's own protocol, without the agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A text that comes with a sample, as its own evidence."""

    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldStep:
    """A sub-question from the data, never from an agent's own decomposition."""

    id: str
    question: str
    answer: Json = None
    depends_on: tuple[str, ...] = ()
    kind: Kind | None = None
    evidence: tuple[str, ...] = ()
    """Titles of the articles that hold the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One question of a benchmark."""

    id: str
    question: str
    reference: Json = None
    """The gold answer; None where the split keeps it secret."""
    evidence: tuple[str, ...] = ()
    """Titles of the necessary articles, for the evidence setting."""
    revisions: Mapping[str, int] = field(default_factory=dict)
    """Title → id of the revision that the gold answer was written from, where the data says."""
    pages: Mapping[str, int] = field(default_factory=dict)
    """Title → Wikipedia's page id, which stays when an article is renamed."""
    passages: tuple[Passage, ...] = ()
    """Given instead of articles where the data carries its own text."""
    steps: tuple[GoldStep, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    """What tables break down by: {"type": "bridge", "hops": "3"}."""
    pair: str = ""
    """Samples that share it differ in one thing alone: a factual item and its counterfactual."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """Everything that changes what a run predicts; its hash is the run's id.

    What a person chooses comes first; `evals.runs.config.pinned` adds what it stands for.
    """

    benchmark: str
    edition: str
    split: str
    data_sha256: str = ""
    snapshot: str = ""
    """The snapshot's fingerprint; empty in the closed setting."""
    setting: Setting
    strategy: str
    model: str
    """The reasoner's name: a model, or "extractive"; "imported: NAME" for others' answers."""
    style: Style
    k: int
    """Chunks an answer may use."""
    retriever: str = ""
    """Mode, analyzer and embedder of the retriever."""
    prompting: str = "vanilla"
    """Benchmark's prompting mode: vanilla, cot, few-shot, …"""
    epochs: int = 1
    seed: int = 31415
    """Of the first epoch; every further epoch counts on by one."""
    temperature: float = 0.0
    context_limit: int | None = None
    max_calls: int | None = None
    max_tokens: int | None = None
    """Budgets of one question."""
    tools: Literal["native", "text", "auto"] = "auto"
    classify: Literal["batch", "each"] = "batch"
    shots: int | None = None
    """Worked examples in prompts that have some; None for as many as each has."""
    mode: Literal["", "bm25", "dense", "hybrid"] = ""
    """How the snapshot is searched; empty leaves it to the indexes that are there."""
    embedder: str = ""
    prompts: Mapping[str, str] = field(default_factory=dict)
    """Name → hash of every prompt file that the answers may depend on; none without a model."""
    options: Mapping[str, Json] = field(default_factory=dict)
    """What only this benchmark knows: with or without sub-questions, language of prompts, …"""

    @property
    def variant(self) -> str:
        """The strategy's name, with what makes a run another method than the paper's."""
        if self.prompting == PAPER:
            return "the paper's protocol"
        own = self.options.get("plan") == "own" and self.strategy not in ("baseline", "agentic")
        return f"{self.strategy} (own plan)" if own else self.strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a system said to one sample."""

    text: str
    """What is scored."""
    parts: Mapping[str, str] = field(default_factory=dict)
    """Answers to the gold steps, by step id, where the benchmark asks for them."""
    chunks: tuple[Passage, ...] = ()
    """What was retrieved, for coverage; of an imported system, what it says it retrieved."""
    answers: tuple[Answer, ...] = ()
    """The agent's full account of every question it was asked for this sample."""
    abstained: bool = False
    asked: Mapping[str, Json] = field(default_factory=dict)
    """How it was asked, where scoring must know: the order of its sub-questions, the language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """One sample's outcome in one epoch: a response or an error, exactly one."""

    sample_id: str
    epoch: int = 0
    response: Response | None = None
    error: str | None = None
    seconds: float = 0.0
    usage: Usage = Usage()

    def __post_init__(self) -> None:
        if (self.response is None) == (self.error is None):
            raise ValueError("a prediction holds a response or an error, exactly one")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One prediction's scores. A metric stands in `values` or in `unscored`, never in both.

    A failed prediction is unscored as `FAILED`; it counts 0 in every metric of its run.
    """

    sample_id: str
    epoch: int = 0
    values: Mapping[str, float] = field(default_factory=dict)
    unscored: Mapping[str, str] = field(default_factory=dict)
    """Metric → why it has no value."""
    abstained: bool = False
    """Whether the system said that it has no answer."""
    detail: Mapping[str, Json] = field(default_factory=dict)
    """What the report shows beside: missing strings, the judge's reasoning, spans, categories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Jury:
    """Which models judge, and how they are asked: enough to ask them again."""

    models: tuple[str, ...] = ()
    """Several are a panel; the first also judges coverage and extracts."""
    base_url: str = ""
    """Their endpoint; empty is OpenAI's own."""
    batch: int | None = None
    """Sub-questions put to the coverage judge in one call; None for the usual number."""
    shots: int | None = None
    """Worked examples that the coverage judge sees; None for all there are."""
    prompts: str = ""
    """Folder of prompt files that replace the packaged ones."""
    temperature: float = 0.0
    seed: int = 31415

    def __post_init__(self) -> None:
        """Refuse a panel that holds one judge twice."""
        if len(set(self.models)) < len(self.models):
            raise InputError(
                "two judges are the same model at the same address: name different ones"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A named table for the report: accuracy by hop, chain categories, win rate by type."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]
    note: str = ""
    plot: tuple[str, ...] = ()
    """Columns that the report draws as bars over the first one; without any, it draws nothing."""
