"""How many requests a second a real server answers to 200 clients at once, and what it costs to serve.

    python bench/serve_load.py search          # requests a second, percentiles, beside the bare retriever
    python bench/serve_load.py ask             # one-step questions a second; time to the first event
    python bench/serve_load.py mixed --seconds 600   # memory after the first minute and at the end

The server is a process of its own, the clients are one event loop in this one, so both share the
machine's cores. Queries are words of the sample's own chunks, no two alike; `--seed` draws others.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil

CLIENTS = 200
K = 10


@dataclass(slots=True)
class Tally:
    """What clients saw."""

    seconds: list[float] = field(default_factory=list)
    """Of replies with status 200."""
    first: list[float] = field(default_factory=list)
    """To the first event of a stream, as seen by the client."""
    statuses: Counter[str] = field(default_factory=Counter)

    def figures(self, elapsed: float) -> dict[str, object]:
        """Return rates and percentiles."""
        told: dict[str, object] = {
            "per_second": round(len(self.seconds) / elapsed, 1),
            "statuses": dict(self.statuses),
            **percentiles("", self.seconds),
        }
        return {**told, **percentiles("first_event_", self.first)} if self.first else told


def percentiles(name: str, seconds: list[float]) -> dict[str, float]:
    """Return p50 and p99, in seconds."""
    if len(seconds) < 2:
        return {}
    cuts = statistics.quantiles(seconds, n=100)
    return {f"{name}p50": round(cuts[49], 3), f"{name}p99": round(cuts[98], 3)}


@dataclass(slots=True)
class Wire:
    """One client: a connection that is kept, and opened again where it was closed."""

    port: int
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def post(self, path: str, body: dict[str, object], tally: Tally) -> int:
        """Send a request, read the whole reply, note how long it took."""
        begun = time.perf_counter()
        if self.writer is None or self.writer.is_closing():
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader is not None
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        self.writer.write(head.encode() + content)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        status = int(answer[9:12])
        length = re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)
        if length:
            await self.reader.readexactly(int(length[1]))
        else:
            first, last = True, b""
            while size := int(await self.reader.readline(), 16):
                last = await self.reader.readexactly(size + 2)
                if first:
                    tally.first.append(time.perf_counter() - begun)
                    first = False
            await self.reader.readline()
            if not last.startswith(b"event: answer"):
                # Told in the stream, which had begun with 200.
                told = re.search(rb'"status":(\d+)', last)
                status = int(told[1]) if told else 0
        if status == 200:
            tally.seconds.append(time.perf_counter() - begun)
        tally.statuses[str(status)] += 1
        if b"connection: close" in answer.lower():
            self.close()
        return status

    def close(self) -> None:
        """Close the connection."""
        if self.writer is not None:
            self.writer.close()
            self.writer = None


class Server:
    """`python -m agent serve` as a process."""

    def __init__(self, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "agent", "serve", "--port", "0", *options],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            found = re.search(r"at http://[^/]*:(\d+)/", line)
            if found:
                self.port = int(found[1])
                return
        raise SystemExit("the server did not start")

    @property
    def megabytes(self) -> float:
        """Resident memory."""
        return psutil.Process(self.process.pid).memory_info().rss / 1e6

    def stop(self) -> int:
        """End it with SIGTERM; return its exit code."""
        self.process.terminate()
        return self.process.wait(60)


async def load(
    port: int,
    seconds: float,
    one: Callable[[Wire, Tally, random.Random], Awaitable[int]],
    *,
    clients: int = CLIENTS,
    seed: int = 0,
) -> dict[str, object]:
    """Let clients ask for a while, each as soon as it has its reply; return the figures."""
    tally, end = Tally(), time.perf_counter() + seconds

    async def client(number: int) -> None:
        wire, draw = Wire(port), random.Random(seed * 1000 + number)
        while time.perf_counter() < end:
            try:
                status = await one(wire, tally, draw)
            except (OSError, asyncio.IncompleteReadError) as error:
                tally.statuses[type(error).__name__] += 1
                wire.close()
                status = 0
            if status == 429:
                await asyncio.sleep(draw.uniform(0.5, 1.5))
        wire.close()

    begun = time.perf_counter()
    await asyncio.gather(*(client(number) for number in range(clients)))
    return tally.figures(time.perf_counter() - begun)


def phrases() -> list[list[str]]:
    """Return the words of each of the sample's chunks."""
    from corpus import Snapshot
    from corpus.sample import sample_snapshot

    with Snapshot.open(sample_snapshot("en")) as snapshot:
        return [re.findall(r"\w+", f"{one.revision.title} {one.text}") for one in snapshot.chunks()]


def queries(words: list[list[str]], draw: random.Random) -> str:
    """Return five to nine words of one chunk."""
    chosen = draw.choice(words)
    return " ".join(draw.sample(chosen, min(len(chosen), draw.randint(5, 9))))


def one_step(words: list[list[str]], draw: random.Random) -> str:
    """Return a question about one thing, of a word that stands in a chunk."""
    return f"Where is {' '.join(draw.choice(words)[:2])} {draw.randint(0, 10**6)}?"


def bare(words: list[list[str]], seconds: float, seed: int) -> dict[str, object]:
    """Return what the retriever does by itself: a query after the other, and 32 at once."""
    from corpus.sample import sample_snapshot
    from retrieval import open_retriever

    retriever, draw = open_retriever(sample_snapshot("en")), random.Random(seed)
    retriever.search([queries(words, draw)], K)
    told: dict[str, object] = {}
    for name, size in (("bare_one_by_one", 1), ("bare_32_together", 32)):
        done, begun = 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            retriever.search([queries(words, draw) for _ in range(size)], K)
            done += size
        told[f"{name}_per_second"] = round(done / (time.perf_counter() - begun), 1)
    return told


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("search", "ask", "mixed"))
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mode", default="hybrid")
    options = parser.parse_args()
    words = phrases()

    async def search(wire: Wire, tally: Tally, draw: random.Random) -> int:
        body = {"queries": [queries(words, draw)], "k": K, "mode": options.mode}
        return await wire.post("/v1/search", body, tally)

    async def ask(wire: Wire, tally: Tally, draw: random.Random) -> int:
        return await wire.post("/v1/ask/stream", {"question": one_step(words, draw)}, tally)

    async def mixed(wire: Wire, tally: Tally, draw: random.Random) -> int:
        return await (ask if draw.random() < 0.05 else search)(wire, tally, draw)

    figures: dict[str, object] = {"what": options.what, "clients": options.clients}
    if options.what == "search":
        figures |= bare(words, min(10, options.seconds), options.seed + 100)
    server = Server("--waiting", "64")
    try:
        if options.what == "mixed":
            warm = asyncio.run(load(server.port, 60, mixed, clients=options.clients, seed=99))
            before = server.megabytes
            figures["first_minute"] = warm
            asked = mixed
        else:
            asked = search if options.what == "search" else ask
            asyncio.run(load(server.port, 3, asked, clients=8, seed=98))
            before = server.megabytes
        figures |= asyncio.run(
            load(server.port, options.seconds, asked, clients=options.clients, seed=options.seed)
        )
        figures |= {"megabytes_before": round(before), "megabytes_after": round(server.megabytes)}
    finally:
        figures["exit_code"] = server.stop()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
