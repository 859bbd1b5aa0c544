"""Clients that ask a server without a pause, and the server as a process: what the load benches share."""

from __future__ import annotations

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
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

CLIENTS = 200
SAMPLED = 2.0
"""Seconds between two looks at the server's memory."""


@dataclass(slots=True)
class Tally:
    """What clients saw, and what that took."""

    seconds: list[float] = field(default_factory=list)
    """Of replies with status 200."""
    lengths: list[int] = field(default_factory=list)
    """Bytes of the bodies of replies in one piece."""
    first: list[float] = field(default_factory=list)
    """To the first event of a stream, as seen by the client."""
    statuses: Counter[str] = field(default_factory=Counter)
    elapsed: float = 0.0
    """Seconds by the clock."""
    clients: float = 0.0
    """Seconds of processor that the clients took."""
    server: float = 0.0
    """Seconds of processor that all processes of the server took."""
    megabytes: list[float] = field(default_factory=list)
    """The server's memory, every few seconds."""
    connections: list[int] = field(default_factory=list)
    """Of each process that serves, as they were last dealt out."""

    @property
    def per_second(self) -> float:
        """Replies with status 200."""
        return len(self.seconds) / self.elapsed

    @property
    def server_ms(self) -> float:
        """Milliseconds of the server's processor that a reply took."""
        return 1000 * self.server / max(1, sum(self.statuses.values()))

    def add(self, other: Tally) -> None:
        """Count what another saw, too; of connections only that is told."""
        for name in ("seconds", "lengths", "first", "megabytes"):
            getattr(self, name).extend(getattr(other, name))
        self.statuses += other.statuses
        for name in ("elapsed", "clients", "server"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.connections = other.connections

    def figures(self) -> dict[str, object]:
        """Return rates, percentiles, processors and the connections of each process."""
        told: dict[str, object] = {
            "per_second": round(self.per_second, 1),
            "statuses": dict(self.statuses),
            **percentiles("", self.seconds),
            "processor": {
                "clients": round(self.clients / self.elapsed, 2),
                "server": round(self.server / self.elapsed, 2),
                "server_ms_a_reply": round(self.server_ms, 2),
            },
            "connections": self.connections,
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
    def connections(self) -> list[int]:
        """Connections that are open, of each process that has any."""
        open_ = (
            sum(1 for one in process.net_connections("tcp") if one.status == "ESTABLISHED")
            for process in self.processes
        )
        return sorted(filter(None, open_), reverse=True)

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
    tally: Tally | None = None,
) -> Tally:
    """Let clients ask for a while, each as soon as it has its reply.

    Args:
        port: of the server, on this machine.
        duration: seconds.
        one: sends a request and returns the status of its reply.
        clients: at once, each with a connection of its own.
        seed: of what they draw.
        rate: requests a second, at most; 0 for any number.
        tally: what was seen before, to which this is added.
    """
    tally = tally or Tally()
    end = time.perf_counter() + duration
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
    tally.elapsed += time.perf_counter() - begun
    return tally


async def watched(server: Server, work: Awaitable[Tally]) -> Tally:
    """Return what clients saw, with the memory and the processors that it took."""
    samples: list[float] = []
    connections: list[int] = []
    watching = asyncio.create_task(_watch(server, samples, connections))
    mine, theirs = seconds(psutil.Process()), server.processor
    tally = await work
    watching.cancel()
    tally.clients += seconds(psutil.Process()) - mine
    tally.server += server.processor - theirs
    tally.megabytes += samples
    tally.connections = connections
    return tally


async def _watch(server: Server, samples: list[float], connections: list[int]) -> None:
    """Look at the server's memory and connections, every few seconds.

    Says the memory once a minute, as a long run may be ended before its time.
    """
    while True:
        await asyncio.sleep(SAMPLED)
        samples.append(round(server.megabytes, 1))
        # The last look may come when most clients have gone.
        connections[:] = max(connections, server.connections, key=sum)
        if len(samples) % round(60 / SAMPLED) == 0:
            told = round(len(samples) * SAMPLED / 60)
            print(f"minute {told}: {samples[-1]} MB", file=sys.stderr)
