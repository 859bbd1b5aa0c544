"""What the agent adds to its model: a question of 20 sub-questions against its critical path.

    python bench/agent_overhead.py [--latency 0.5] [--repeat 5] [--alone]

A server on loopback, in a process of its own, answers each call after `--latency` seconds. The
critical path is the least time that the calls, one after the other where one needs the other, can
take: plan, classify, answer (all at once, or as many as the limit allows), compose. Beside it, on
the same server and over the same index, LlamaIndex's SubQuestionQueryEngine (asynchronous), which
plans, answers and composes without classifying and without checking a citation. The engines are
asked in turn, so that other work on the machine slows all of them, and the best time of each
counts. Every sub-question is answered at the first call: its mind quotes what the sample says of the
body asked for, and a run with more calls, or with fewer answers, is refused. Last, the agent's own
time: a model that replies at once, a retriever that has its hits at hand.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

SUB_QUESTIONS = 20
PEER = "LlamaIndex SubQuestionQueryEngine"
QUESTION = "What are the twenty largest facts about the planets and moons?"
BODIES = (
    *("Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune", "Titan"),
    *("Rhea", "Io", "Europa", "Ganymede", "Callisto", "Triton", "Titania", "Oberon"),
    *("Phobos", "Deimos", "Miranda"),
)
PLAN = [f"What is {body}?" for body in BODIES]
NUMBERS = (
    *("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa"),
    *("Lambda", "Mu", "Nu", "Xi", "Omicron", "Rho", "Sigma", "Tau", "Upsilon", "Phi"),
)


def serve(latency: float) -> None:
    """Run the server until standard input is closed; its address goes to standard output."""
    from tests.fake_server import FakeServer
    from tests.fakes import Asked, FaithfulMind, best_sentence

    faithful = FaithfulMind(plan=PLAN)

    def mind(asked: Asked) -> object:
        if asked.form == "AnswerReply":
            body = FaithfulMind.question(asked).removeprefix("What is ").rstrip("?")
            found = best_sentence(f"{body} is ", asked.sources, whole=True)
            assert found is not None, body
            number, sentence = found
            quotes = [{"source": number, "quote": sentence}]
            answer = f"{sentence} [{number}]"
            return {"found": True, "answer": answer, "items": [], "quotes": quotes}
        if asked.form:
            return faithful(asked)
        if "a list of relevant sub-questions" in asked.text:
            items = [{"sub_question": text, "tool_name": "wikipedia"} for text in PLAN]
            return "```json\n" + json.dumps({"items": items}) + "\n```"
        return "It is so."

    with FakeServer(mind, latency=latency) as server:
        print(server.url, flush=True)
        sys.stdin.read()


def critical_path(latency: float, limit: int, before: int, after: int) -> float:
    """Return the least seconds: calls before the fan-out, its waves, calls after it."""
    return latency * (before + math.ceil(SUB_QUESTIONS / limit) + after)


def open_retriever() -> Any:
    """Return BM25+ over the sample: retrieval is not what is measured."""
    from corpus.sample import sample_snapshot
    from retrieval.index import ensure_built
    from retrieval.index import open_retriever as open_index

    folder = sample_snapshot("en")
    ensure_built(folder, "bm25")
    return open_index(folder, "bm25")


def fanfold(url: str, limit: int, retriever: Any, checkpoints: Path | None) -> Any:
    """Return an agent over the server."""
    from agent import Agent
    from agent.llm import open_model
    from agent.llm.limits import Limits
    from corpus import Snapshot
    from corpus.sample import sample_snapshot

    return Agent(
        snapshot=Snapshot.open(sample_snapshot("en")),
        model=open_model("m", url, limits=Limits(concurrency=limit)),
        retriever=retriever,
        checkpoints=checkpoints,
    )


def llama_engine(client: Any, limit: int, retriever: Any) -> Any:
    """Return LlamaIndex's engine over the same server and index, at most `limit` calls at once."""
    from llama_index.core import get_response_synthesizer
    from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
    from llama_index.core.query_engine import RetrieverQueryEngine, SubQuestionQueryEngine
    from llama_index.core.question_gen import LLMQuestionGenerator
    from llama_index.core.tools import QueryEngineTool

    from retrieval.llamaindex import FanfoldRetriever

    gate = asyncio.Semaphore(limit)

    class Served(CustomLLM):
        @property
        def metadata(self) -> LLMMetadata:
            return LLMMetadata(model_name="m", context_window=32_000)

        def complete(self, prompt: str, **_: Any) -> CompletionResponse:
            raise RuntimeError("the asynchronous engine alone is measured")

        def stream_complete(self, prompt: str, **_: Any) -> Any:
            raise RuntimeError("the asynchronous engine alone is measured")

        async def acomplete(self, prompt: str, **_: Any) -> CompletionResponse:
            async with gate:
                reply = await client.chat.completions.create(
                    model="m", messages=[{"role": "user", "content": prompt}], max_tokens=1024
                )
            return CompletionResponse(text=reply.choices[0].message.content or "")

    model = Served()
    engine = RetrieverQueryEngine.from_args(FanfoldRetriever(retriever, k=10), llm=model)
    return SubQuestionQueryEngine.from_defaults(
        query_engine_tools=[
            QueryEngineTool.from_defaults(engine, name="wikipedia", description="facts")
        ],
        question_gen=LLMQuestionGenerator.from_defaults(llm=model),
        response_synthesizer=get_response_synthesizer(llm=model, use_async=True),
        llm=model,
        use_async=True,
        verbose=False,
    )


async def time_in_turn(
    url: str, limit: int, retriever: Any, checkpoints: Path, repeat: int
) -> dict[str, list[tuple[float, float]]]:
    """Return (wall, processor) seconds of each question by engine, after one each to warm up."""
    import openai

    agents = {
        "fanfold": fanfold(url, limit, retriever, None),
        "fanfold, checkpoints": fanfold(url, limit, retriever, checkpoints),
    }
    taken: dict[str, list[tuple[float, float]]] = {**{name: [] for name in agents}, PEER: []}
    async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:
        peer = llama_engine(client, limit, retriever)
        for _ in range(repeat + 1):
            for name, agent in agents.items():
                begun, used = time.perf_counter(), time.process_time()
                answer = await agent.aask(QUESTION)
                taken[name].append((time.perf_counter() - begun, time.process_time() - used))
                check_whole(answer)
            begun, used = time.perf_counter(), time.process_time()
            response = await peer.aquery(QUESTION)
            taken[PEER].append((time.perf_counter() - begun, time.process_time() - used))
            assert len(response.source_nodes) >= SUB_QUESTIONS
    return {name: each[1:] for name, each in taken.items()}


def check_whole(answer: Any) -> None:
    """Refuse a run that asked for something twice, or did not answer all: another one is timed."""
    left = [one.error for one in answer.sub_answers if one.status != "answered"]
    assert len(answer.sub_answers) == SUB_QUESTIONS, answer.notes
    assert not left, left
    assert answer.usage.calls == SUB_QUESTIONS + 3, answer.usage


def agent_alone(checkpoints: Path | None) -> Any:
    """Return an agent whose model replies at once and whose retriever has ten hits at hand."""
    from agent import Agent
    from agent.llm.port import Completion
    from agent.types import Usage
    from corpus import Snapshot
    from corpus.sample import sample_snapshot
    from tests.fakes import Asked, FaithfulMind, ScriptedModel
    from tests.reasoners import WordRetriever, chunk

    plan = [f"What is quantity {one} of the list?" for one in NUMBERS]
    faithful = FaithfulMind(plan=plan)

    def mind(asked: Asked) -> Completion:
        return Completion(text=json.dumps(faithful(asked)), usage=Usage(calls=1))

    class AtHand:
        """Ten passages of a thousand characters for each sub-question, its own the first."""

        def __init__(self) -> None:
            said = [f"Quantity {one} of the list is {7 * n}." for n, one in enumerate(NUMBERS, 1)]
            rest = " Further down, the list goes on with what is of no account here." * 15
            chunks = [chunk(n, one + rest) for n, one in enumerate(said, 1)]
            self.hits = {
                question: WordRetriever([*chunks[n:], *chunks[:n]]).search(["quantity"], 10)[0]
                for n, question in enumerate(plan)
            }

        def search(self, queries: Sequence[str], k: int) -> list[Any]:
            return [self.hits.get(query, self.hits[plan[0]]) for query in queries]

    return Agent(
        snapshot=Snapshot.open(sample_snapshot("en")),
        model=ReadByForm(ScriptedModel(mind)),
        retriever=AtHand(),
        checkpoints=checkpoints,
    )


def time_alone(repeat: int) -> dict[str, tuple[list[float], list[float]]]:
    """Return wall and processor seconds of the agent alone, without and with checkpoints."""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, file in (("no checkpoints", None), ("checkpoints", Path(folder) / "runs.sqlite")):
            agent = agent_alone(file)
            agent.ask(QUESTION)
            wall, busy = [], []
            for _ in range(repeat * 3):
                begun, used = time.perf_counter(), time.process_time()
                answer = agent.ask(QUESTION)
                wall.append(time.perf_counter() - begun)
                busy.append(time.process_time() - used)
                check_whole(answer)
            results[name] = (wall, busy)
    return results


class ReadByForm:
    """Reads a scripted reply by the form asked for, as a client does.

    What is said is worked out once: the fake's own thinking is not the agent's time.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._known: dict[tuple[str, ...], Any] = {}
        self.name = "m"

    async def complete(self, request: Any) -> Any:
        """Pass the call on the first time, and read its reply every time."""
        from dataclasses import replace

        from agent.llm.replies.schema import read_reply

        asked = tuple(message.content for message in request.messages)
        if asked not in self._known:
            self._known[asked] = await self._model.complete(request)
        reply = self._known[asked]
        schema = request.schema
        parsed = read_reply(reply.text, schema)[0] if schema is not None else None
        return replace(reply, parsed=parsed)


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--latency", type=float, default=0.5)
    options.add_argument("--repeat", type=int, default=5)
    options.add_argument("--alone", action="store_true", help="the agent's own time and no more")
    options.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.serve:
        serve(chosen.latency)
        return
    if not chosen.alone:
        compare(chosen)
    print(f"{'the agent alone, a question':30} {'best':>10} {'median':>10} {'processor':>10}")
    for name, (wall, busy) in time_alone(chosen.repeat).items():
        print(
            f"{name:30} {min(wall) * 1e3:7.0f} ms {statistics.median(wall) * 1e3:7.0f} ms "
            f"{statistics.median(busy) * 1e3:7.0f} ms"
        )


def compare(chosen: argparse.Namespace) -> None:
    """Print the table of the engines on one server."""
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve", "--latency", str(chosen.latency)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert server.stdin is not None
    url = server.stdout.readline().strip()
    print(
        f"{SUB_QUESTIONS} sub-questions, {chosen.latency:g} s a call, best of {chosen.repeat} in turn\n"
    )
    print(
        f"{'':46} {'bound':>7} {'best':>7} {'ratio':>6} {'over':>8} {'median':>8} {'processor':>10}"
    )
    retriever = open_retriever()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for limit in (SUB_QUESTIONS, 5):
                runs = Path(folder) / f"runs{limit}.sqlite"
                taken = asyncio.run(time_in_turn(url, limit, retriever, runs, chosen.repeat))
                for name, each in taken.items():
                    before = 1 if name == PEER else 2
                    bound = critical_path(chosen.latency, limit, before=before, after=1)
                    line(f"{name}, {limit} at once", bound, each)
    finally:
        server.stdin.close()
        server.wait(10)
    print()


def line(name: str, bound: float, taken: Sequence[tuple[float, float]]) -> None:
    """Print one row."""
    seconds = [wall for wall, _ in taken]
    best, median = min(seconds), statistics.median(seconds)
    busy = statistics.median(used for _, used in taken)
    print(
        f"{name:46} {bound:6.2f}s {best:6.2f}s {best / bound:6.2f} {(best - bound) * 1e3:5.0f} ms "
        f"{median:7.2f}s {busy * 1e3:7.0f} ms",
        flush=True,
    )


if __name__ == "__main__":
    main()
