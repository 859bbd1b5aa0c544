"""What is off before a run starts: said at once, not after an hour of failed questions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.budget import Budget, counted
from agent.stand_in import NAME
from agent.types import Answer, Usage
from corpus.errors import BackendError
from corpus.machine.loops import run_to_end
from corpus.store import Snapshot
from evals.ports import Benchmark
from evals.runs.models import EXTRACTIVE, Endpoint
from evals.runs.sources import Sources, lacks_vectors
from evals.runs.system.articles import find_article
from evals.types import RunConfig, Sample

CIRCULAR, WORDS, AT_ONCE = "circular", "words alone", "asked at once"
"""What caveats begin with."""
_REMEDIES = {
    CIRCULAR: "name a model",
    WORDS: "`python -m retrieval build {}` adds them",
    AT_ONCE: "name a model",
}
NOT_IN_TURN = ("e2e", "retrieval", "query-subquestion")
"""Strategies that do not answer a sub-question before they word the next."""
RULES_ALONE = "Written and checked by rules alone"
"""Stands in the card of a data set that a builder made without a model."""
ONE_CALL = ("baseline", "query-definition")
"""Strategies without sub-questions: one call writes the answer."""
REACHED = 5.0
"""Seconds in which an endpoint must take a connection."""
OPENAI = "https://api.openai.com/v1"


def preflight(
    runs: Sequence[tuple[RunConfig, Sequence[Sample]]],
    sources: Sources,
    snapshot: Snapshot,
    articles: tuple[int, int],
) -> Iterator[str]:
    """Yield a line for everything that a person should know before these runs start.

    Args:
        runs: of each its configuration and what it has still to ask, a sample once for each epoch;
            all are of one benchmark and one model.
        sources: what they draw on.
        snapshot: what they search.
        articles: how many of those that the questions need it holds, and how many they are.
    """
    if any(config.setting != "closed" for config, _ in runs):
        yield from _gold_articles(sources, snapshot, *articles)
    told = dict.fromkeys(line for one, _ in runs for line in caveats(one, sources, snapshot))
    for line in told:
        yield f"{line}; {_REMEDIES[line.partition(':')[0]].format(snapshot.folder)}"
    model = runs[0][0].model
    if model == EXTRACTIVE:
        return
    if model == NAME:
        yield f"{NAME} is a stand-in that quotes by script: the figures of these runs mean nothing"
    asked = [(config, _asked(sources.benchmark, config, left)) for config, left in runs]
    yield f"{model} is asked {_calls_of(asked)}{_priced(model, sources.endpoint)}"


def caveats(config: RunConfig, sources: Sources, snapshot: Snapshot) -> tuple[str, ...]:
    """Return what makes the figures of a run say less than they seem to: its tables repeat it."""
    found = []
    if config.model == EXTRACTIVE and _made_by_rules(sources.data):
        found.append(
            f"{CIRCULAR}: the questions were made by rules, and the extractive engine reads by the "
            "same ones, so that its scores here say nothing"
        )
    if config.model == EXTRACTIVE and config.strategy in NOT_IN_TURN and config.setting != "closed":
        found.append(
            f"{AT_ONCE}: without a model {config.strategy} words all its sub-questions before any "
            "is answered, so that its scores say little about the strategy"
        )
    if config.setting == "open" and lacks_vectors(config, sources, snapshot):
        found.append(
            f"{WORDS}: the snapshot {snapshot.manifest.name} has no vectors, and is searched by "
            "BM25+, not as hybrid"
        )
    return tuple(found)


@dataclass(slots=True)
class _Counter:
    """Counts what a benchmark asks, and answers nothing; see `evals.ports.Asker`."""

    config: RunConfig
    samples: int
    single: int = 0
    """Questions of one call each."""
    several: int = 0
    """Questions that take as many calls as they take."""

    async def ask(self, question: str, **_: Any) -> Answer:
        """Count a question to the agent."""
        self._count(1 if self.config.strategy in ONE_CALL else 0)
        return _nothing(question)

    async def prompt(self, name: str, question: str, **_: Any) -> Answer:
        """Count a prompt to the model."""
        self._count(1)
        return _nothing(question)

    async def research(self, question: str, **_: Any) -> Answer:
        """Count a question that the model looks up by itself."""
        self._count(0)
        return _nothing(question)

    def _count(self, single: int) -> None:
        self.single += single
        self.several += 1 - single


def _nothing(question: str) -> Answer:
    return Answer(
        question=question, text="", abstained=True, sub_questions=(), sub_answers=(), citations=(),
        suggestions=(), usage=Usage(),
    )  # fmt: skip


def _asked(benchmark: Benchmark, config: RunConfig, samples: Sequence[Sample]) -> _Counter:
    """Return how many questions a run puts to the model, a sample's sub-questions among them."""
    counter = _Counter(config, len(samples))

    async def ask() -> None:
        for sample in samples:
            await benchmark.respond(counter, sample, 0)

    run_to_end(ask())
    return counter


def _calls_of(asked: Sequence[tuple[RunConfig, _Counter]]) -> str:
    single = sum(counter.single for _, counter in asked)
    several = sum(counter.several for _, counter in asked)
    budgets = [config.max_calls or Budget().calls for config, one in asked if one.several]
    most = max(filter(None, budgets), default=None)
    parts = [f"{counted(single, 'question')} of one call"] if single else []
    if several:
        bound = f", at most {most} each (--max-calls)" if most else ""
        parts.append(f"{counted(several, 'question')} of several calls{bound}")
    samples = sum(counter.samples for _, counter in asked)
    beside = (
        f" ({counted(samples, 'sample')} with sub-questions)" if single + several > samples else ""
    )
    return (" and ".join(parts) or "nothing") + beside


def held_articles(snapshot: Snapshot, samples: Sequence[Sample]) -> tuple[int, int]:
    """Return how many of the articles that questions need a snapshot holds, and how many they are."""
    asked = [sample for sample in samples if sample.evidence and not sample.passages]
    pages = {title: page for sample in asked for title, page in sample.pages.items()}
    titles = dict.fromkeys(title for sample in asked for title in sample.evidence)
    held = sum(
        # Only a renamed article has to be read to be known.
        snapshot.holds(title) or (title in pages and bool(find_article(snapshot, title, pages)))
        for title in titles
    )
    return held, len(titles)


def _gold_articles(sources: Sources, snapshot: Snapshot, held: int, needed: int) -> Iterator[str]:
    if held == needed:
        return
    manifest = snapshot.manifest
    said = (
        f"the snapshot {manifest.name} ({manifest.date}) holds {held:,} of the {needed:,} "
        "articles that these questions need"
    )
    if sources.snapshot is None:
        yield f"{said}: this is the embedded sample; name one with --snapshot"
    else:
        yield f"{said}; `python -m evals audit` names the others"


def _made_by_rules(data: Path) -> bool:
    # A split's file lies a folder below the card.
    cards = (folder / "card.md" for folder in (data, data.parent, data.parent.parent))
    card = next((path for path in cards if path.is_file()), None)
    if card is None:
        return False
    return RULES_ALONE in card.read_text(encoding="utf-8", errors="replace")


def _priced(model: str, endpoint: Endpoint | None) -> str:
    from agent.llm.prices import PriceTable

    table = (endpoint.prices if endpoint is not None else None) or PriceTable()
    given = table.cost(model, Usage(calls=1, tokens_in=1_000_000))
    taken = table.cost(model, Usage(calls=1, tokens_out=1_000_000))
    if given is None or taken is None:
        return "; its price is not known (--prices FILE): tokens will be told, and no cost"
    return f"; ${given:.2f} and ${taken:.2f} a million tokens in and out; what it cost is told at the end"


def check_endpoint(model: str, base_url: str | None) -> None:
    """Knock once where a model is said to be served; any reply will do.

    Raises:
        BackendError: nothing takes a connection there.
    """
    import httpx

    address = (base_url or OPENAI).rstrip("/")
    try:
        httpx.get(f"{address}/models", timeout=httpx.Timeout(REACHED))
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        # Without credentials, which an address may hold.
        shown = httpx.URL(address).copy_with(userinfo=b"")
        raise BackendError(
            f"nothing answers at {shown}, where {model} should be ({error or 'no connection'}): "
            "start the server, or name another with --base-url"
        ) from None
    except httpx.HTTPError:
        # Something is there: how well it answers is for the calls to find out.
        return
