"""The ports of evaluation: judges, the system under test, and a benchmark as data over both."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from agent.types import Answer, Setting, Style, SubQuestion
from evals.types import Json, Passage, Prediction, Response, RunConfig, Sample, Score, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a judge says of one question put to it."""

    choice: str | None
    """One of the offered choices; None is unscored."""
    reasoning: str = ""
    unscored: str | None = None
    """Why, where there is no choice: no readable verdict, a refusal, a failed call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """Whether a text answers a sub-question, and where."""

    covered: bool | None
    """None is unscored."""
    start: int = -1
    """Offsets of the answering fragment in the text; −1 where it does not answer."""
    end: int = -1
    unscored: str | None = None


class Judge(Protocol):
    """Chooses. Prompted over a model, or embedding-based where that is honest."""

    @property
    def name(self) -> str:
        """As reports print it."""
        ...

    async def choose(
        self, prompt: str, choices: Sequence[str], fields: Mapping[str, str]
    ) -> Verdict:
        """Fill the prompt file `prompt` with `fields` and return the last choice offered."""
        ...

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        """Say which answer is better in this order: "A", "B" or "TIE"."""
        ...


class CoverageJudge(Protocol):
    """Says which sub-questions a text answers."""

    @property
    def name(self) -> str:
        """As reports print it."""
        ...

    async def covers(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        """Judge one text against several sub-questions, in their order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """The part of a text that answers one question."""

    text: str
    """Empty where no part does."""
    unscored: str | None = None
    """Why it cannot be told."""


class Extractor(Protocol):
    """Takes the answer to one sub-question out of the answer to a compound question."""

    @property
    def name(self) -> str:
        """As reports print it."""
        ...

    async def extract(self, question: str, text: str) -> Extracted:
        """Return the part of `text` that answers `question`."""
        ...


class Asker(Protocol):
    """A system under test, with the run's configuration, as a benchmark sees it."""

    @property
    def config(self) -> RunConfig:
        """The run's configuration."""
        ...

    async def ask(
        self,
        question: str,
        *,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        pages: Mapping[str, int] | None = None,
        plan: Sequence[SubQuestion] = (),
        epoch: int = 0,
    ) -> Answer:
        """Put one question to the agent.

        `evidence` and `passages` replace the snapshot as the only source in the evidence setting;
        an article that the snapshot lacks is noted in the answer, as `MISSING` and its title.
        `pages` finds articles that were renamed. `plan` replaces the agent's own decomposition.
        """
        ...

    async def prompt(
        self,
        name: str,
        question: str,
        *,
        fields: Mapping[str, str] | None = None,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        pages: Mapping[str, int] | None = None,
        history: Sequence[tuple[str, str]] = (),
        language: str = "en",
        reply_tokens: int = 1024,
        epoch: int = 0,
    ) -> Answer:
        """Put one of the benchmark's own prompts to the model alone, as the papers do.

        The prompt file `name` is filled with the question, `fields`, and what the setting allows as
        sources: nothing, the best chunks of the snapshot for the question, or the given evidence.
        `history` holds the earlier questions and replies of one conversation; `reply_tokens` are
        kept for the reply.
        """
        ...

    async def research(
        self, question: str, *, fields: Mapping[str, str] | None = None, epoch: int = 0
    ) -> Answer:
        """Let the model look articles up by itself until it answers (FanOutQA, open book)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges:
    """The judges a scorer may use; None where the person named none and none is embedded."""

    judge: Judge | None = None
    panel: tuple[Judge, ...] = ()
    """Different judges whose majority counts (CCMOR); empty where there is only `judge`."""
    coverage: CoverageJudge | None = None
    extractor: Extractor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """One benchmark as data over shared helpers: how to load it, ask it, score it, sum it up."""

    name: str
    citation: str
    splits: tuple[str, ...]
    editions: tuple[str, ...]
    style: Style
    headline: str
    """The metric that comparisons sort by and test first."""
    load: Callable[[Path, str, str], list[Sample]]
    """(path, split, edition) → samples; InputError names the file, the line and the field."""
    respond: Callable[[Asker, Sample, int], Awaitable[Response]]
    """(asker, sample, epoch) → response."""
    score: Callable[[Sample, Response, Judges], Awaitable[Score]]
    tables: Callable[[Sequence[Sample], Sequence[Prediction], Sequence[Score]], list[Table]]
    """Breakdowns beside the means, which the runner takes of every metric over the questions."""
    options: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    """What `RunConfig.options` may hold for it, with the choices; the first is the default."""
    language: str = "en"
    setting: Setting = "open"
    """Where none is named: "evidence" for data that carries its own passages."""
    fills_context: bool = False
    """Whether the paper's protocol fills the model's context, which must then be known."""
    promptings: tuple[str, ...] = ("vanilla",)
    """Ways to ask, the default first; all but the first put prompts to a model, without the agent."""
    edition_of: Callable[[Path, str], str | None] | None = None
    """(path, split) → the edition that the data itself shows; None where it shows none."""
    offline: Callable[[Judges], Judges] | None = None
    """Fills in, by rules and embeddings, the judges that nobody named and that it can do without."""
    main: tuple[str, ...] = ()
    """Metrics that tables show side by side, the headline first; none for the headline alone."""
