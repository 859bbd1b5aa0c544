"""Everything that is served: snapshots, models, agents; opened once, shared by HTTP, MCP and the page."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from agent.agent import Agent
from agent.events import Answered, Event
from agent.serve.access.gate import Gate
from agent.serve.access.tokens import Doorkeeper, Rooms
from agent.serve.agents import EXTRACTIVE, Agents, settings_of
from agent.serve.metrics import Metrics
from agent.serve.options import Options
from agent.serve.problems import Problem
from agent.serve.questions import Asked, Question, Retold
from agent.serve.shapes import Choice
from agent.serve.snapshots.kept import Kept, is_settled, size_of_events
from agent.serve.snapshots.library import Library
from agent.settings import (
    LONGEST_QUESTION,
    check_question,
)
from corpus.cluster import join
from corpus.errors import InputError
from retrieval.dense.embedders import shared_embedder
from retrieval.types import Embedder, Hit

DEFAULT_MODEL = "fanfold"
"""What chat clients call the default engine; others are `fanfold:NAME`."""


class Service:
    """The application.

    Args:
        options: what whoever runs it chose.
        say: told what takes a while.
        metrics: folder in which processes that serve together count.
        rooms: of the tokens' rates, which they share.

    Raises:
        InputError: a snapshot, a model or a setting that cannot be used.
    """

    def __init__(
        self,
        options: Options,
        say: Callable[[str], None] = lambda _: None,
        *,
        metrics: Path | None = None,
        rooms: Rooms | None = None,
    ) -> None:
        self.options = options
        self.metrics = Metrics(metrics)
        self.doorkeeper = Doorkeeper(options.tokens, rooms=rooms)
        self.gates = {
            # The extractive engine is all arithmetic: more questions at once than processors only
            # take each other's caches, memory and time.
            True: Gate(own_places(options), options.waiting, on_change=self._count),
            False: Gate(options.places, options.waiting, on_change=self._count),
        }
        """Where questions take their places: those that rules answer, and the others."""
        room = options.kept_bytes // 2
        self._found: Kept[list[Hit]] = Kept(room)
        self._answers: Kept[tuple[Event, ...]] = Kept(room)
        self.libraries: dict[str, Library] = {}
        self._cluster = join(options.cluster)
        for folder in options.snapshots:
            library = Library(
                folder,
                language=options.settings.language,
                say=say,
                on_batch=self.metrics.batch_queries.observe,
                kept=self._found,
                store=options.retriever,
                store_key=options.wiring.store_key,
                cluster=self._cluster,
            )
            if library.name in self.libraries:
                raise InputError(
                    f"two snapshots are called {library.name!r}: name one of them once, or serve "
                    "them from two servers"
                )
            self.libraries[library.name] = library
        self.embedder: Embedder = shared_embedder()
        self.embedding_model = self.embedder.name.partition(" ")[0]
        self.models: Sequence[str] = tuple(name or EXTRACTIVE for name in options.models)
        """Names of the engines, the default first."""
        self.chat_models = {
            DEFAULT_MODEL: self.models[0],
            **{f"{DEFAULT_MODEL}:{name}": name for name in self.models},
        }
        """Engines by the names that chat clients know."""
        self._agents = Agents(options, self.libraries, self.embedder)
        self._searching = 0
        self.stopping = False
        self._ending: asyncio.Future[Problem] | None = None
        self._questions: set[asyncio.Task[None]] = set()
        # What every question without choices is asked of is opened now: what is wrong with the
        # settings is said before anybody asks.
        self._agents.get(
            self.default_library.name, self.models[0], settings_of(Choice(), options.settings)
        )

    @property
    def default_library(self) -> Library:
        """The first snapshot."""
        return next(iter(self.libraries.values()))

    @property
    def running(self) -> int:
        """Questions that are worked on now."""
        return sum(gate.running for gate in self.gates.values())

    @property
    def waiting(self) -> int:
        """Questions that wait now."""
        return sum(gate.waiting for gate in self.gates.values())

    def _count(self) -> None:
        self.metrics.set_questions(self.running, self.waiting)

    @property
    def told(self) -> str:
        """What is served, in a few words."""
        manifest = self.default_library.snapshot.manifest
        return f"{manifest.name} of {manifest.date}, {self.models[0]}"

    def start(self) -> None:
        """Begin to serve, on the running event loop."""
        loop = asyncio.get_running_loop()
        loop.set_default_executor(
            ThreadPoolExecutor(self.options.places + 4, thread_name_prefix="work")
        )
        self._ending = loop.create_future()

    def library(self, name: str | None) -> Library:
        """Return a snapshot by its name, the default where none is named.

        Raises:
            Problem: 404, names those there are.
        """
        if name is None:
            return self.default_library
        if name not in self.libraries:
            raise Problem(
                status=404,
                detail=f"no snapshot is called {name!r} here",
                where="snapshot",
                mend=f"choose {' or '.join(map(repr, self.libraries))}",
            )
        return self.libraries[name]

    async def ask(self, question: str, choice: Choice, model: str | None = None) -> Asked:
        """Begin to answer a question, or tell anew what was answered before.

        Raises:
            Problem: what was chosen is not there, too many wait, or the server stops.
            ArticleNotFound: a title of the evidence leads to no article.
        """
        self.check_open()
        question = checked(question)
        library = self.library(choice.snapshot)
        if model is not None and model not in self.models:
            raise Problem(
                status=404,
                detail=f"no model is called {model!r} here",
                where="model",
                mend=f"choose {' or '.join(map(repr, self.models))}",
            )
        settings = settings_of(choice, self.options.settings)
        agent = await asyncio.to_thread(
            self._agents.get, library.name, model or self.models[0], settings
        )
        assert self._ending is not None
        own = self.options.budget
        limit = min(own.seconds or self.options.seconds, self.options.seconds)
        budget = replace(
            own,
            seconds=min(choice.max_seconds or limit, limit),
            sub_questions=min(choice.max_sub_questions or own.sub_questions, own.sub_questions),
        )
        key = (library.name, model or self.models[0], settings, budget, question)
        told = self._answers.get(key)
        if told is not None:
            self.metrics.questions.labels("kept").inc()
            return Retold(agent, told)
        gate = self.gates[self._by_rules(agent)]
        asked = Question(agent, question, budget=budget, gate=gate, ending=self._ending)
        self._questions.add(asked.task)
        asked.task.add_done_callback(lambda task: self._ended(task, asked, key))
        return asked

    def _ended(self, task: asyncio.Task[None], asked: Question, key: Hashable) -> None:
        self._questions.discard(task)
        if task.cancelled():
            outcome = "left"
        else:
            # Read, so that asyncio does not report it a second time.
            outcome = "answered" if task.exception() is None else "failed"
            self._keep(asked, key)
        self.metrics.questions.labels(outcome).inc()

    def _keep(self, asked: Question, key: Hashable) -> None:
        """Keep the answer of an engine that gives the same each time."""
        last = asked.told[-1] if asked.told else None
        if self._by_rules(asked.agent) and isinstance(last, Answered) and is_settled(last.answer):
            # What was retrieved and how long each step took is sent to nobody.
            lean = Answered(answer=replace(last.answer, hits=(), trace=()))
            told = (*asked.told[:-1], lean)
            self._answers.put(key, told, size_of_events(told))

    def _by_rules(self, agent: Agent) -> bool:
        return agent.engine == EXTRACTIVE and self.options.wiring.reasoner is None

    @contextmanager
    def searched(self) -> Iterator[None]:
        """Count a search while the block lasts.

        Raises:
            Problem: too many wait, or the server stops.
        """
        self.check_open()
        if self._searching >= self.options.searches:
            raise Problem(
                status=429,
                detail=f"{self._searching} searches wait already",
                mend="ask again after 1 s",
                headers={"Retry-After": "1"},
            )
        self._searching += 1
        try:
            yield
        finally:
            self._searching -= 1

    def check_open(self) -> None:
        """Refuse new work once the server stops.

        Raises:
            Problem: 503.
        """
        if self.stopping:
            raise stopped()

    async def stop(self, grace: float) -> None:
        """Take no more questions, let those under way end, and end what is left after `grace` seconds."""
        self.stopping = True
        if self._questions:
            await asyncio.wait(self._questions, timeout=grace)
        if self._ending is not None and not self._ending.done():
            self._ending.set_result(stopped())
        if self._questions:
            await asyncio.wait(self._questions, timeout=5)

    def close(self) -> None:
        """Close all that was opened."""
        self._agents.close()
        for library in self.libraries.values():
            library.close()
        if self._cluster is not None:
            self._cluster.close()


def own_places(options: Options) -> int:
    """Return how many questions the extractive engine works on at once in one process.

    One more than its share of the processors: questions wait for the disk and for one another.
    """
    return min(options.places, 1 + (os.cpu_count() or 1) // options.workers)


def checked(question: str) -> str:
    """Return a question with its white space folded.

    Raises:
        Problem: empty or too long.
    """
    try:
        return check_question(question)
    except InputError as error:
        raise Problem(
            status=422,
            detail=str(error),
            where="question",
            mend=f"ask in words, in at most {LONGEST_QUESTION:,} characters",
        ) from error


def stopped() -> Problem:
    """Return what clients of a server that stops are told."""
    return Problem(
        status=503,
        detail="the server stops",
        mend="ask again in a moment",
        headers={"Retry-After": "5"},
    )
