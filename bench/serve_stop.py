"""What clients are told when a server under load is stopped: SIGTERM at random moments.

    python bench/serve_stop.py --times 20

Each time a server is started, 24 clients ask, stream and search without a pause, and SIGTERM comes
after a random while. Every request that was begun must end in an answer in full, or in a clear end:
a problem (503), a stream's last event `error`, or a connection closed before a byte of a reply. A
reply cut off in the middle, or one that never ends, is a fault; so is an exit code other than 0.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.serve_clients import Server

CLIENTS = 24
LIMIT = 60.0
"""Seconds for one request: 20 of grace, and a busy machine."""
_ASKED = {"question": "Who discovered Titan?"}
_REQUESTS = (
    ("/v1/ask", _ASKED),
    ("/v1/ask/stream", _ASKED),
    ("/v1/search", {"queries": ["rings of Saturn"]}),
)


async def ask(port: int, path: str, body: dict[str, object]) -> str:
    """Send one request and return how it ended."""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return "refused"
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n"
    )
    reply = b""
    try:
        async with asyncio.timeout(LIMIT):
            writer.write(head.encode() + content)
            while part := await reader.read(65536):
                reply += part
    except TimeoutError:
        return "FAULT: never ended"
    except OSError:
        pass
    finally:
        writer.close()
    return ending(reply)


def ending(reply: bytes) -> str:
    """Return how a reply ended: answered, told, closed, or a fault."""
    if not reply:
        return "closed before a reply"
    head, _, body = reply.partition(b"\r\n\r\n")
    status = head[9:12].decode()
    if b"chunked" in head.lower():
        if b"event: answer" in body and body.endswith(b"0\r\n\r\n"):
            return "answered"
        return "told" if b"event: error" in body and body.endswith(b"0\r\n\r\n") else "FAULT: cut"
    try:
        json.loads(body)
    except ValueError:
        return "FAULT: cut"
    return {"200": "answered", "503": "told", "429": "told"}.get(status, f"FAULT: {status}")


async def stop_once(draw: random.Random) -> tuple[Counter[str], float]:
    """Start, load and stop a server; return how requests ended and the seconds the stop took."""
    server = await asyncio.to_thread(Server, "--grace", "5")
    ends: Counter[str] = Counter()
    stopped = asyncio.Event()

    async def client() -> None:
        while not stopped.is_set():
            ends[await ask(server.port, *draw.choice(_REQUESTS))] += 1

    clients = [asyncio.create_task(client()) for _ in range(CLIENTS)]
    await asyncio.sleep(draw.uniform(0.1, 4.0))
    begun = time.perf_counter()
    server.process.terminate()
    # Clients go on asking for a moment: those that come too late are told, too.
    await asyncio.sleep(0.5)
    stopped.set()
    code = await asyncio.to_thread(server.process.wait, LIMIT)
    took = time.perf_counter() - begun
    await asyncio.gather(*clients)
    if code != 0:
        ends[f"FAULT: exit code {code}"] += 1
    return ends, took


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    ends: Counter[str] = Counter()
    longest = 0.0
    for _ in range(options.times):
        found, took = asyncio.run(stop_once(draw))
        ends += found
        longest = max(longest, took)
    faults = sum(count for end, count in ends.items() if end.startswith("FAULT"))
    told = {"times": options.times, "ends": dict(ends), "faults": faults}
    print(json.dumps({**told, "longest_stop_seconds": round(longest, 1)}))
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
