"""What a real server does with requests that no client in its right mind sends.

    python bench/serve_hostile.py --requests 2000

Sizes, encodings, headers, half-sent bodies, slow senders, wrong tokens, foreign Hosts, injected
questions (`tests/hostile_requests.py`). Counted are replies by kind and status, and faults: a
status that is not documented, a stack trace, a path or the token in a reply, a wait over its limit.
Afterwards the server must answer as before, hold no more descriptors and end with 0.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
import urllib.request
from collections import Counter
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.serve_clients import Server
from tests.hostile_clients import strike
from tests.hostile_requests import TOKEN

LIMIT = 30.0
"""Seconds: the server waits 10 for a request, and a question here may take 2."""


def ask(port: int) -> str:
    """Return the answer to a question in good order."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/ask",
        json.dumps({"question": "Who discovered Titan?"}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"},
    )
    with urllib.request.urlopen(request, timeout=60) as reply:
        answer: str = json.load(reply)["answer"]
    return answer


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["FANFOLD_TOKEN"] = TOKEN
    server = Server()
    process = psutil.Process(server.process.pid)
    before, files = ask(server.port), process.num_fds()
    begun = time.perf_counter()
    borne = asyncio.run(strike(server.port, options.requests, seed=options.seed, limit=LIMIT))
    elapsed = time.perf_counter() - begun
    time.sleep(2)
    told = {
        "requests": options.requests,
        "seconds": round(elapsed, 1),
        "longest_wait": round(borne.longest, 1),
        "by_status": dict(
            sorted(Counter(key.split()[1] for key in borne.statuses.elements()).items())
        ),
        "same_answer_after": ask(server.port) == before,
        "descriptors": [files, process.num_fds()],
        "megabytes": round(server.megabytes),
        "faults": len(borne.faults),
        "exit_code": server.stop(),
    }
    for fault in borne.faults[:20]:
        print(fault, file=sys.stderr)
    print(json.dumps(told))
    raise SystemExit(1 if borne.faults else 0)


if __name__ == "__main__":
    main()
