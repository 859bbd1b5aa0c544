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
a reply.

`search` asks the server and the bare retriever in turn, `--rounds` times: as many processes of
either, and as many queries in a search of the bare one as a batch of the server's had on average.
What a core does in a millisecond changes with what else the machine does, and hardly from one turn to
the next. `overhead` is what a reply takes of the server's processors beyond what a search takes of
the bare retriever's, as a share of that: the median of the rounds, and each. `overhead_by_clock`
compares the rates by the clock: what the clients take of the same cores counts for the server there,
and so does a core that waits. `floor` is what the same requests cost a server that does nothing.

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
import random
import re
import statistics
import sys
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.serve_bare import BareRetrievers, K, phrases, queries
from bench.serve_clients import CLIENTS, SAMPLED, Server, Tally, Wire, load, watched

Send = Callable[[Wire, Tally, random.Random], Awaitable[int]]


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


def pooled(words: list[list[str]], size: int) -> tuple[list[str], list[float]]:
    """Return queries and how often each is asked, by Zipf's law."""
    draw = random.Random(0)
    weights = list(itertools.accumulate(1 / rank for rank in range(1, size + 1)))
    return [queries(words, draw) for _ in range(size)], weights


def by_minute(samples: list[float]) -> list[float]:
    """Return the median of each minute's samples, of the last that is begun, too."""
    minute = round(60 / SAMPLED)
    return [
        statistics.median(samples[start : start + minute])
        for start in range(0, len(samples), minute)
    ]


def batches(server: Server) -> tuple[float, float]:
    """Return how many queries the server has searched, in how many batches."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics") as reply:
        told = reply.read().decode()
    found = dict(re.findall(r"^fanfold_batch_queries_(sum|count) (\S+)", told, re.MULTILINE))
    return float(found["sum"]), float(found["count"])


def searched(server: Server, search: Send, options: argparse.Namespace) -> dict[str, object]:
    """Return the figures of a server that searches, beside the bare retriever's."""
    tally, rounds, turn = Tally(), [], options.seconds / options.rounds
    bare = BareRetrievers(options.mode, options.workers, options.seed + 100)
    try:
        alone = bare.measure(1, min(3, turn))
        for number in range(options.rounds):
            before = batches(server)
            mine = Tally()
            work = load(
                server.port,
                turn,
                search,
                clients=options.clients,
                seed=options.seed + number * 1000,
                tally=mine,
            )
            asyncio.run(watched(server, work))
            queries_, times = (b - a for a, b in zip(before, batches(server), strict=True))
            size = max(1, round(queries_ / max(1, times)))
            rate, took = bare.measure(size, turn)
            rounds.append(
                {
                    "batch": size,
                    "bare_per_second": round(rate, 1),
                    "bare_ms": round(took, 2),
                    "per_second": round(mine.per_second, 1),
                    "server_ms": round(mine.server_ms, 2),
                    "p99": mine.figures()["p99"],
                    "connections": mine.connections,
                    "overhead": round(mine.server_ms / took - 1, 3),
                    "overhead_by_clock": round(rate / mine.per_second - 1, 3),
                }
            )
            tally.add(mine)
            print(json.dumps(rounds[-1]), file=sys.stderr)
    finally:
        bare.close()
    figures = tally.figures()
    return {
        **figures,
        "megabytes_most": max(tally.megabytes),
        "bare_1_at_once": {"per_second": round(alone[0], 1), "processor_ms": round(alone[1], 2)},
        "rounds": rounds,
        **{
            name: round(statistics.median(one[name] for one in rounds), 3)
            for name in ("bare_ms", "overhead", "overhead_by_clock")
        },
        "floor": floor(search, figures["bytes"], options),  # type: ignore[arg-type]
    }


def floor(search: Send, size: int, options: argparse.Namespace) -> dict[str, object]:
    """Return what the same requests cost a server that does nothing, see bench/serve_floor.py.

    Args:
        search: sends one.
        size: bytes of a reply's body.
        options: name workers, clients and seconds.
    """
    file = str(Path(__file__).with_name("serve_floor.py"))
    server = Server("--workers", str(options.workers), "--bytes", str(size), command=(file,))
    try:
        asyncio.run(load(server.port, 1, search, clients=8, seed=98))
        work = load(server.port, min(6, options.seconds), search, clients=options.clients)
        tally = asyncio.run(watched(server, work))
    finally:
        server.stop()
    return {
        "per_second": round(tally.per_second, 1),
        "processor_ms": round(tally.server_ms, 2),
        "clients": round(tally.clients / tally.elapsed, 2),
    }


def grown(samples: list[float]) -> dict[str, object]:
    """Return memory by the minute, and by how much it grew after the fifth."""
    minutes = by_minute(samples)
    settled = minutes[min(5, len(minutes) // 2) :]
    return {"megabytes_by_minute": minutes, "grown": round(max(settled) / settled[0] - 1, 3)}


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("search", "ask", "mixed"))
    parser.add_argument("--seconds", type=float, default=20, help="of search and ask")
    parser.add_argument("--rounds", type=int, default=4, help="into which those of search are cut")
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
    asked = {"search": search, "ask": ask, "mixed": mixed}[options.what]
    server = Server("--waiting", "64", "--workers", str(options.workers))
    try:
        asyncio.run(load(server.port, 3, asked, clients=8, seed=98))
        if options.what == "search":
            figures |= {"mode": options.mode, "pool": options.pool}
            figures |= searched(server, search, options)
        else:
            duration = options.minutes * 60 if options.what == "mixed" else options.seconds
            work = load(
                server.port,
                duration,
                asked,
                clients=options.clients,
                seed=options.seed,
                rate=options.rate,
            )
            tally = asyncio.run(watched(server, work))
            figures |= tally.figures()
            figures["megabytes_most"] = max(tally.megabytes)
            if options.what == "mixed":
                figures |= grown(tally.megabytes)
    finally:
        figures["exit_code"] = server.stop()
    print(json.dumps(figures))
    strange = set(figures["statuses"]) - {"200", "429"}  # type: ignore[call-overload]
    too_much = figures.get("grown", 0) > 0.05  # type: ignore[operator]
    raise SystemExit(1 if strange or too_much or figures["exit_code"] else 0)


if __name__ == "__main__":
    main()
