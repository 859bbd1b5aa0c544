"""The retriever by itself, in as many processes as serve: what a search costs with nothing around it."""

from __future__ import annotations

import os
import random
import re
import statistics
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from agent.serve.processes.workers import share_of_processors

K = 10


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


class BareRetrievers:
    """Retrievers of the sample in processes of their own, which wait between two measurements.

    They are given as many threads as a server's worker is.

    Args:
        mode: of the search.
        processes: so many.
        seed: of the queries.
    """

    def __init__(self, mode: str, processes: int, seed: int) -> None:
        from corpus.sample import sample_snapshot
        from retrieval.index import ensure_built

        ensure_built(sample_snapshot("en"))
        os.environ.setdefault("OMP_NUM_THREADS", str(share_of_processors(processes)))
        context = get_context("spawn")
        self._ends: list[Connection[Any, Any]] = []
        self._processes = []
        for number in range(processes):
            mine, theirs = context.Pipe()
            process = context.Process(target=_search, args=(theirs, mode, seed + number))
            process.start()
            self._ends.append(mine)
            self._processes.append(process)
        for end in self._ends:
            end.recv()

    def measure(self, size: int, duration: float) -> tuple[float, float]:
        """Let all of them search at once.

        Args:
            size: queries of one search.
            duration: seconds.

        Returns:
            Queries a second of all together, and milliseconds of processor that one takes.
        """
        for end in self._ends:
            end.send((size, duration))
        told = [end.recv() for end in self._ends]
        return sum(rate for rate, _ in told), statistics.fmean(took for _, took in told)

    def close(self) -> None:
        """End the processes."""
        for end in self._ends:
            end.send(None)
        for process in self._processes:
            process.join()


def _search(end: Connection[Any, Any], mode: str, seed: int) -> None:
    """Search as often as the other end wants it: runs in a process."""
    from corpus.sample import sample_snapshot
    from retrieval import open_retriever

    words, draw = phrases(), random.Random(seed)
    retriever = open_retriever(sample_snapshot("en"), mode)  # type: ignore[arg-type]
    retriever.search([queries(words, draw) for _ in range(64)], K)
    end.send(None)
    while (asked := end.recv()) is not None:
        size, duration = asked
        done, took, begun = 0, 0.0, time.perf_counter()
        while time.perf_counter() - begun < duration:
            drawn = [queries(words, draw) for _ in range(size)]
            before = time.process_time()
            retriever.search(drawn, K)
            # Drawing a query is the clients' work.
            took += time.process_time() - before
            done += size
        end.send((done / (time.perf_counter() - begun), 1000 * took / done))
