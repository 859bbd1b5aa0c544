"""How many requests a second a real server answers to 200 clients at once, and what it costs to serve.

    python bench/serve_load.py search --workers 2   # requests a second, beside the bare retriever's
    python bench/serve_load.py search --mode bm25 --workers 2
    python bench/serve_load.py search --pool 1000 --workers 2   # some are asked far more than others
    python bench/serve_load.py ask --workers 2      # one-step questions a second; the first event
    python bench/serve_load.py ask --about words --workers 2   # that the sample does not answer
    python bench/serve_load.py mixed --minutes 60   # memory from the fifth minute to the last
    python bench/serve_load.py mixed --minutes 60 --rate 15   # on a machine that others use, too

The server's processes share the machine's cores with the clients, which are one event loop here:
`processor` says how many of them either took, and how many milliseconds of one the server took for
a reply: beside the bare retriever's that is what serving costs (`overhead`), whatever else the
machine does, and beside a server's that does nothing (`floor`) what it could cost at least.
Queries are words of the sample's own chunks, no two alike, so that nothing is found among what the
server keeps; with `--pool N` they are drawn from N of them by Zipf's law (the n-th as often as 1/n),
as people's are. `--seed` draws others. With `--rate` all clients together send so many requests a
second at most, evenly.

Questions are of the sample's own boxes, "What is the LABEL of TITLE?", each asked once, some thousand
of them; with `--about words` they are of the first words of a chunk and a number, which nothing
answers: more passages are read before the engine says so.

`mixed` ends with 1 where memory in any minute after the fifth (of a shorter run, after the middle)
is more than 5 % above that minute's, by the median of a minute's samples, or where a reply was
neither 200 nor a 429 of a full queue. `megabytes_by_minute` has all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

import psutil

CLIENTS = 200
K = 10


@dataclass(slots=True)
class Tally:
    """What clients saw."""

    seconds: list[float] = field(default_factory=list)
    """Of replies with status 200."""
    lengths: list[int] = field(default_factory=list)
    """Bytes of the bodies of replies in one piece."""
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
        if self.lengths:
            told["bytes"] = round(statistics.fmean(self.lengths))
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
    pause: int = 1
    """Seconds that it was told to wait, when it last was."""

    async def post(self, path: str, body: dict[str, object], tally: Tally) -> int:
        """Send a request, read the whole reply, note how long it took."""
        begun = time.perf_counter()
        if self.writer is None or self.reader is None or self.reader.at_eof():
            # Begun, or closed by the server because it was idle.
            self.close()
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        content = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n"
        )
        self.writer.write(head.encode() + content)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        status = int(answer[9:12])
        told = re.search(rb"retry-after: (\d+)", answer, re.IGNORECASE)
        if told:
            self.pause = int(told[1])
        length = re.search(rb"content-length: (\d+)", answer, re.IGNORECASE)
        if length:
            await self.reader.readexactly(int(length[1]))
            tally.lengths.append(int(length[1]))
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
    """`python -m agent serve` as a process, or another command that says where it serves."""

    def __init__(self, *options: str, command: Sequence[str] = ("-m", "agent", "serve")) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command, "--port", "0", *options],
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
    def processes(self) -> list[psutil.Process]:
        """The server's process and its workers."""
        first = psutil.Process(self.process.pid)
        return [first, *first.children(recursive=True)]

    @property
    def megabytes(self) -> float:
        """Memory of its own (USS): what the processes share counts for none of them."""
        return sum(one.memory_full_info().uss for one in self.processes) / 1e6

    @property
    def processor(self) -> float:
        """Seconds of processor so far."""
        return sum(seconds(one) for one in self.processes)

    def stop(self) -> int:
        """End it with SIGTERM; return its exit code."""
        self.process.terminate()
        return self.process.wait(60)


def seconds(process: psutil.Process) -> float:
    """Return the seconds of processor that a process took."""
    times = process.cpu_times()
    return float(times.user + times.system)


class Pace:
    """Spreads what all clients send evenly over time.

    Args:
        rate: requests a second, at most; 0 for any number.
    """

    def __init__(self, rate: float) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._next = 0.0

    async def turn(self) -> None:
        """Wait until it is the caller's turn to send."""
        if self._gap:
            now = time.perf_counter()
            self._next = max(self._next + self._gap, now)
            await asyncio.sleep(self._next - now)


async def load(
    port: int,
    duration: float,
    one: Callable[[Wire, Tally, random.Random], Awaitable[int]],
    *,
    clients: int = CLIENTS,
    seed: int = 0,
    rate: float = 0,
) -> dict[str, object]:
    """Let clients ask for a while, each as soon as it has its reply; return the figures."""
    tally, end = Tally(), time.perf_counter() + duration
    pace = Pace(rate)

    async def client(number: int) -> None:
        wire, draw = Wire(port), random.Random(seed * 1000 + number)
        while time.perf_counter() < end:
            await pace.turn()
            try:
                status = await one(wire, tally, draw)
            except (OSError, asyncio.IncompleteReadError) as error:
                tally.statuses[type(error).__name__] += 1
                wire.close()
                status = 0
            if status == 429:
                await asyncio.sleep(wire.pause * draw.uniform(1, 1.5))
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


def attributes() -> list[str]:
    """Return a question about each value of the boxes of the sample's articles."""
    from agent.extractive.finder.facts import facts_of
    from corpus import Snapshot
    from corpus.sample import sample_snapshot
    from retrieval.types import Hit

    with Snapshot.open(sample_snapshot("en")) as snapshot:
        hits = [Hit(chunk=one, score=0.0, rank=1, source="") for one in snapshot.chunks()]
    values = {(one.label, one.title): None for one in facts_of(hits) if one.kind == "value"}
    return [f"What is the {label.lower()} of {title}?" for label, title in values]


def bare(mode: str, size: int, duration: float, seed: int) -> tuple[float, float]:
    """Return what a retriever does by itself, asked so many queries at once.

    Returns:
        Queries a second, and milliseconds of processor that one takes.
    """
    from corpus.sample import sample_snapshot
    from retrieval import open_retriever

    words, draw = phrases(), random.Random(seed)
    retriever = open_retriever(sample_snapshot("en"), mode)  # type: ignore[arg-type]
    retriever.search([queries(words, draw)], K)
    done, begun, took = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - begun < duration:
        retriever.search([queries(words, draw) for _ in range(size)], K)
        done += size
    took = time.process_time() - took
    return done / (time.perf_counter() - begun), 1000 * took / done


def bare_rates(mode: str, duration: float, workers: int, seed: int) -> dict[str, object]:
    """Return what the retrievers of so many processes do together, nothing served."""
    from corpus.sample import sample_snapshot
    from retrieval.index import ensure_built

    ensure_built(sample_snapshot("en"))
    told: dict[str, object] = {}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for size in (1, 64):
            rates = [pool.submit(bare, mode, size, duration, seed + n) for n in range(workers)]
            found = [rate.result() for rate in rates]
            told[f"bare_{size}_at_once"] = {
                "per_second": round(sum(rate for rate, _ in found), 1),
                "processor_ms": round(statistics.fmean(took for _, took in found), 2),
            }
    return told


def pooled(words: list[list[str]], size: int) -> tuple[list[str], list[float]]:
    """Return queries and how often each is asked, by Zipf's law."""
    draw = random.Random(0)
    weights = list(itertools.accumulate(1 / rank for rank in range(1, size + 1)))
    return [queries(words, draw) for _ in range(size)], weights


async def sampled(server: Server, every: float) -> list[float]:
    """Return the server's megabytes at every so many seconds, until this is cancelled.

    Says them once a minute, as a long run may be ended before its time.
    """
    found: list[float] = []
    try:
        while True:
            await asyncio.sleep(every)
            found.append(round(server.megabytes, 1))
            if len(found) % round(60 / every) == 0:
                print(f"minute {round(len(found) * every / 60)}: {found[-1]} MB", file=sys.stderr)
    except asyncio.CancelledError:
        return found


SAMPLED = 5.0
"""Seconds between two looks at the server's memory."""


def by_minute(samples: list[float]) -> list[float]:
    """Return the median of each minute's samples, of the last that is begun, too."""
    minute = round(60 / SAMPLED)
    return [
        statistics.median(samples[start : start + minute])
        for start in range(0, len(samples), minute)
    ]


async def watched(server: Server, work: Awaitable[dict[str, object]]) -> dict[str, object]:
    """Return a load's figures, with the memory and the processor that the server took meanwhile."""
    samples = asyncio.create_task(sampled(server, SAMPLED))
    # Begun, so that its end is one in good order.
    await asyncio.sleep(0)
    mine, theirs, begun = seconds(psutil.Process()), server.processor, time.perf_counter()
    figures = await work
    elapsed = time.perf_counter() - begun
    samples.cancel()
    took = server.processor - theirs
    shares = {
        "clients": round((seconds(psutil.Process()) - mine) / elapsed, 2),
        "server": round(took / elapsed, 2),
        "server_ms_a_reply": round(1000 * took / max(1, sum(figures["statuses"].values())), 2),
    }
    return {**figures, "processor": shares, "megabytes": await samples}


def floor(
    search: Callable[[Wire, Tally, random.Random], Awaitable[int]],
    size: int,
    *,
    duration: float,
    workers: int,
    clients: int,
) -> dict[str, object]:
    """Return what the same requests cost a server that does nothing, see bench/serve_floor.py.

    Args:
        search: sends one.
        size: bytes of a reply's body.
        duration: seconds.
        workers: processes.
        clients: at once.
    """
    file = str(Path(__file__).with_name("serve_floor.py"))
    server = Server("--workers", str(workers), "--bytes", str(size), command=(file,))
    try:
        asyncio.run(load(server.port, 1, search, clients=8, seed=98))
        work = load(server.port, duration, search, clients=clients)
        figures = asyncio.run(watched(server, work))
    finally:
        server.stop()
    shares: dict[str, float] = figures["processor"]  # type: ignore[assignment]
    return {
        "per_second": figures["per_second"],
        "processor_ms": shares["server_ms_a_reply"],
        "clients": shares["clients"],
    }


def compared(figures: dict[str, object]) -> dict[str, float]:
    """Return what serving takes beyond searching, and an empty route alone, as shares of searching."""
    search: float = figures["bare_64_at_once"]["processor_ms"]  # type: ignore[index]
    served: float = figures["processor"]["server_ms_a_reply"]  # type: ignore[index]
    empty: float = figures["floor"]["processor_ms"]  # type: ignore[index]
    return {
        "overhead": round(served / search - 1, 2),
        "overhead_ms": round(served - search, 2),
        "overhead_of_an_empty_route": round(empty / search, 2),
    }


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("search", "ask", "mixed"))
    parser.add_argument("--seconds", type=float, default=20, help="of search and ask")
    parser.add_argument("--minutes", type=float, default=10, help="of mixed")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--pool", type=int, default=0)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--rate", type=float, default=0, help="requests a second, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mode", default="hybrid")
    parser.add_argument("--about", choices=("boxes", "words"), default="boxes")
    options = parser.parse_args()
    words = phrases()
    pool, weights = pooled(words, options.pool)

    def query(draw: random.Random) -> str:
        return draw.choices(pool, cum_weights=weights)[0] if pool else queries(words, draw)

    async def search(wire: Wire, tally: Tally, draw: random.Random) -> int:
        body = {"queries": [query(draw)], "k": K, "mode": options.mode}
        return await wire.post("/v1/search", body, tally)

    asked_once = attributes()
    random.Random(options.seed).shuffle(asked_once)

    async def ask(wire: Wire, tally: Tally, draw: random.Random) -> int:
        boxes = options.what == "ask" and options.about == "boxes" and asked_once
        question = asked_once.pop() if boxes else one_step(words, draw)
        status = await wire.post("/v1/ask/stream", {"question": question}, tally)
        if boxes and status == 429:
            asked_once.insert(0, question)
        return status

    async def mixed(wire: Wire, tally: Tally, draw: random.Random) -> int:
        return await (ask if draw.random() < 0.05 else search)(wire, tally, draw)

    figures: dict[str, object] = {
        "what": options.what,
        "clients": options.clients,
        "workers": options.workers,
    }
    if options.what == "search":
        figures |= {"mode": options.mode, "pool": options.pool}
        figures |= bare_rates(
            options.mode, min(10, options.seconds), options.workers, options.seed + 100
        )
    faults = 0
    asked = {"search": search, "ask": ask, "mixed": mixed}[options.what]
    duration = options.minutes * 60 if options.what == "mixed" else options.seconds
    server = Server("--waiting", "64", "--workers", str(options.workers))
    try:
        asyncio.run(load(server.port, 3, asked, clients=8, seed=98))
        begun = load(
            server.port,
            duration,
            asked,
            clients=options.clients,
            seed=options.seed,
            rate=options.rate,
        )
        figures |= asyncio.run(watched(server, begun))
        samples: list[float] = figures.pop("megabytes")  # type: ignore[assignment]
        if options.what == "mixed":
            minutes = by_minute(samples)
            settled = minutes[min(5, len(minutes) // 2) :]
            grown = max(settled) / settled[0] - 1
            figures |= {"megabytes_by_minute": minutes, "grown": round(grown, 3)}
            faults += grown > 0.05
        figures["megabytes_most"] = max(samples)
        faults += bool(set(figures["statuses"]) - {"200", "429"})  # type: ignore[call-overload]
    finally:
        figures["exit_code"] = server.stop()
    if options.what == "search":
        figures["floor"] = floor(
            search,
            figures["bytes"],  # type: ignore[arg-type]
            duration=min(8, options.seconds),
            workers=options.workers,
            clients=options.clients,
        )
        figures |= compared(figures)
    print(json.dumps(figures))
    raise SystemExit(1 if faults or figures["exit_code"] else 0)


if __name__ == "__main__":
    main()
