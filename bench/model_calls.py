"""What a model call costs beside the model, and what becomes of calls when a server fails at random.

The first table is processor time a call, against a server in another process that answers at once:
the project's client beside the openai package and its HTTP library. The second sends the same calls
to a server that fails a share of them in every way servers do, beside the openai package with its
own retries, as it comes (2) and raised to as many as ours.

python bench/model_calls.py [--calls 400]
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import httpx2  # noqa: E402
import openai  # noqa: E402

from agent.llm import open_model  # noqa: E402
from agent.llm.limits import Limits  # noqa: E402
from agent.llm.port import Message, Request  # noqa: E402
from agent.llm.replies.schema import strict_schema  # noqa: E402
from agent.llm.retries import RetryPolicy  # noqa: E402
from agent.prompted.forms import OneKindReply  # noqa: E402

TALK = (
    Message(role="system", content="Sort sub-questions, in JSON. " * 20),
    Message(role="user", content="A chunk of an article, again and again. " * 200),
)
WIRE = [{"role": message.role, "content": message.content} for message in TALK]
FORMAT = {
    "type": "json_schema",
    "json_schema": {"name": "Kind", "strict": True, "schema": dict(strict_schema(OneKindReply))},
}
AT_ONCE = 20
RETRIES = 6


def serve(port: Any, share: float) -> None:
    """Run the fake server until the process is ended."""
    from tests.fake_server import FakeServer
    from tests.faults import failing_at_random

    said = {"reason": "", "kind": "core"}
    with FakeServer(lambda _: said, trouble=failing_at_random(1, share)) as server:
        port.put(server.url)
        time.sleep(3600)


@contextmanager
def serving(share: float) -> Iterator[str]:
    """A server in a process of its own."""
    context = multiprocessing.get_context("spawn")
    port = context.Queue()
    process = context.Process(target=serve, args=(port, share), daemon=True)
    process.start()
    try:
        yield port.get(timeout=60)
    finally:
        process.terminate()
        process.join()


Call = Callable[[int], Awaitable[bool]]
Client = AbstractAsyncContextManager[Call]


@asynccontextmanager
async def ours(url: str, **options: Any) -> AsyncIterator[Call]:
    """The project's client."""
    model = open_model("m", url, limits=Limits(concurrency=AT_ONCE), **options)

    async def call(seed: int) -> bool:
        reply = await model.complete(Request(TALK, schema=OneKindReply, seed=seed))
        return isinstance(reply.parsed, OneKindReply)

    yield call


@asynccontextmanager
async def package(url: str, retries: int, timeout: float = 60) -> AsyncIterator[Call]:
    """The openai package, its own retries, its reply parsed."""
    async with openai.AsyncOpenAI(
        api_key="x", base_url=url, max_retries=retries, timeout=timeout
    ) as client:

        async def call(seed: int) -> bool:
            reply = await client.chat.completions.create(
                model="m", messages=WIRE, max_tokens=1024, temperature=0, seed=seed,
                response_format=FORMAT,
            )  # fmt: skip
            OneKindReply.model_validate_json(reply.choices[0].message.content or "")
            return True

        yield call


@asynccontextmanager
async def plain(url: str) -> AsyncIterator[Call]:
    """The HTTP library alone."""
    async with httpx2.AsyncClient() as client:

        async def call(seed: int) -> bool:
            body = {"model": "m", "messages": WIRE, "max_tokens": 1024, "seed": seed}
            reply = await client.post(f"{url}/chat/completions", json=body)
            OneKindReply.model_validate_json(reply.json()["choices"][0]["message"]["content"])
            return True

        yield call


async def timed(client: Client, calls: int, rounds: int) -> tuple[float, int]:
    """Return the milliseconds of processor a call took in the best round, and how many went well."""
    places = asyncio.Semaphore(AT_ONCE)
    best, well = float("inf"), 0
    async with client as call:

        async def one(number: int) -> bool:
            async with places:
                return await call(number)

        await asyncio.gather(one(-1), return_exceptions=True)
        for number in range(rounds):
            used = time.process_time()
            outcomes = await asyncio.gather(
                *map(one, range(number * calls, (number + 1) * calls)), return_exceptions=True
            )
            best = min(best, (time.process_time() - used) / calls * 1e3)
            well += sum(outcome is True for outcome in outcomes)
    return best, well


def overhead(calls: int) -> None:
    """Print the first table; the best of three rounds, as others measure the machine's other work."""
    with serving(0.0) as url, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "calls.sqlite"
        rows: dict[str, Callable[[], Client]] = {
            "httpx2 alone": lambda: plain(url),
            "openai package": lambda: package(url, 2),
            "fanfold": lambda: ours(url),
            "fanfold, recording": lambda: ours(url, cache=file),
            "fanfold, replaying": lambda: ours(url, cache=file, replay=True),
        }
        print(f"{'no failures':28}{'CPU ms a call':>14}{'against package':>17}")
        found = {name: asyncio.run(timed(make(), calls, 3))[0] for name, make in rows.items()}
        for name, cost in found.items():
            print(f"{name:28}{cost:14.2f}{cost / found['openai package']:17.2f}")


def endurance(calls: int, share: float) -> None:
    """Print the second table."""
    policy = RetryPolicy(retries=RETRIES, first_wait=0.05, longest_wait=1.0)
    rows: dict[str, Callable[[str], Client]] = {
        "openai package, 2 retries": lambda url: package(url, 2, 1.0),
        f"openai package, {RETRIES} retries": lambda url: package(url, RETRIES, 1.0),
        f"fanfold, {RETRIES} retries": lambda url: ours(url, policy=policy, timeout=1.0),
    }
    print(f"\n{f'{share:.0%} of calls fail':28}{'ended well':>14}{'seconds':>17}")
    for name, make in rows.items():
        with serving(share) as url:
            begun = time.perf_counter()
            well = asyncio.run(timed(make(url), calls, 1))[1]
            print(f"{name:28}{well:>8} / {calls}{time.perf_counter() - begun:17.1f}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=400)
    parser.add_argument("--share", type=float, default=0.3)
    given = parser.parse_args()
    overhead(given.calls)
    endurance(given.calls, given.share)


if __name__ == "__main__":
    main()
