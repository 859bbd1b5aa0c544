"""Clients that send hostile requests and note how a server bears them."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.hostile_requests import TOKEN, Attack, attacks

DOCUMENTED = frozenset(
    (
        *(200, 202, 204, 206, 304, 400, 401, 403, 404, 405, 406, 408, 413, 415, 421, 422, 429, 431),
        503,
        504,
    )
)
TELLTALES = (
    *(b"Traceback", b'File "', b"site-packages", b"agent/serve", b"sqlite"),
    *(str(Path.home()).encode(), str(Path.cwd()).encode(), TOKEN.encode()),
)
_GO_ON = re.compile(rb"\AHTTP/1\.1 100 [^\r]*\r\n\r\n")
"""Comes before the reply where a client waits for leave to send its body."""
_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) [^\r]*\r\n(.*?)\r\n\r\n", re.DOTALL)


@dataclass(slots=True)
class Borne:
    """What came of the attacks."""

    statuses: Counter[str] = field(default_factory=Counter)
    """By kind of attack and status; "closed" where the server closed without a word."""
    faults: list[str] = field(default_factory=list)
    """What should not have happened."""
    longest: float = 0.0
    """Seconds until a connection was answered or closed."""


async def strike(port: int, number: int, *, seed: int, limit: float, at_once: int = 32) -> Borne:
    """Send so many hostile requests, `limit` seconds being the longest any may be kept waiting."""
    draw, borne = random.Random(seed), Borne()
    kinds = attacks(seed)
    turn = asyncio.Semaphore(at_once)

    async def one(attack: Attack) -> None:
        async with turn:
            await _one(port, attack, borne, limit)

    await asyncio.gather(*(one(kinds[n % len(kinds)](draw)) for n in range(number)))
    return borne


async def _one(port: int, attack: Attack, borne: Borne, limit: float) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    begun, reply = time.perf_counter(), b""
    whole = False
    try:
        async with asyncio.timeout(limit):
            try:
                for part in attack.parts:
                    writer.write(part)
                    await writer.drain()
                    await asyncio.sleep(attack.pause)
                if attack.deaf:
                    await asyncio.sleep(0.3)
                    return
                if attack.name == "half" and not attack.stall:
                    return
                bodiless = attack.parts[0].startswith(b"HEAD ")
                while not _whole(reply, bodiless) and (part := await reader.read(65536)):
                    reply += part
            except (ConnectionError, OSError):
                pass
            whole = True
    except TimeoutError:
        borne.faults.append(
            f"{attack.name}: kept waiting for {limit:g} s: {attack.parts[0][:80]!r}"
        )
    finally:
        writer.close()
        if whole:
            borne.longest = max(borne.longest, time.perf_counter() - begun)
        _note(attack, reply, borne)


def _whole(reply: bytes, bodiless: bool) -> bool:
    """Say whether a reply is there in full; one without a length ends with its last piece.

    A client that takes a reply without a body for half a reply waits until the connection is idle
    for too long.
    """
    head, ended, body = reply.partition(b"\r\n\r\n")
    if head.startswith(b"HTTP/1.1 100"):
        return _whole(body, bodiless)
    if bodiless or head[9:12] in (b"204", b"304"):
        return bool(ended)
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    return len(body) >= int(length[1]) if length else body.endswith(b"0\r\n\r\n")


def _note(attack: Attack, reply: bytes, borne: Borne) -> None:
    found = _STATUS.findall(_GO_ON.sub(b"", reply))
    if not found:
        borne.statuses[f"{attack.name} {'deaf' if attack.deaf else 'closed'}"] += 1
        return
    status, headers = int(found[0][0]), found[0][1].lower()
    borne.statuses[f"{attack.name} {status}"] += 1
    sent = attack.parts[0][:120]
    if status not in DOCUMENTED:
        borne.faults.append(f"{attack.name}: status {status} for {sent!r}: {reply[:300]!r}")
    elif (
        status >= 400
        and b"/mcp" not in sent.partition(b"\r\n")[0]
        and b"application/problem+json" not in headers
    ):
        borne.faults.append(f"{attack.name}: no problem for {sent!r}: {reply[:300]!r}")
    if attack.name in ("token", "host") and status < 400 and b"evil" in sent:
        borne.faults.append(f"{attack.name}: let in {sent!r}")
    for telltale in TELLTALES:
        if telltale in reply:
            borne.faults.append(f"{attack.name}: {telltale!r} in the reply to {sent!r}")
