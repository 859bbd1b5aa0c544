from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing import Pipe
from pathlib import Path

import pytest

from corpus.builder.extraction import Extracted
from corpus.builder.pool import InProcess, Worker
from corpus.builder.worker import Task, serve
from corpus.errors import BackendError
from corpus.sources.streams import DamagedError
from corpus.sources.types import Batch, Skipped
from corpus.storage.record import decompress
from tests.hostile_source import HostileSource, PlainSource

BASE = "https://en.wikipedia.org/wiki/Main_Page"


def batch(*titles: str) -> Batch:
    return Batch(start=0, end=1, payload=titles, read=1)


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker([HostileSource(())], BASE)
    yield worker
    worker.close()


def test_a_page_that_ends_its_process_costs_only_itself(worker: Worker) -> None:
    done = worker((0, batch("good", "killed", "better", "exits", "deaf", "best")))
    assert [article.title for article in done.articles] == ["good", "better", "best"]
    assert done.skipped == [
        Skipped(reason="ended its worker process (SIGKILL)", title="killed", page_id=2),
        Skipped(reason="ended its worker process (exit status 3)", title="exits", page_id=4),
        Skipped(reason="takes longer than 5 s", title="deaf", page_id=5),
    ]


def test_a_page_that_fails_is_read_in_a_simpler_way(worker: Worker) -> None:
    done = worker((0, batch("good", "fails", "slow", "greedy")))
    texts = [decompress(article.text).decode() for article in done.articles]
    assert texts[0] == "Extracted good."
    assert texts[1:] == [f"The page {name} in plain words." for name in ("fails", "slow", "greedy")]
    assert [article.simplified for article in done.articles] == [0, 1, 1, 1]


def test_what_a_source_says_while_it_is_parsed_comes_through(worker: Worker) -> None:
    with pytest.raises(DamagedError, match="in the worker"):
        worker((0, batch("good", "damaged")))
    assert len(worker((0, batch("good"))).articles) == 1


def test_a_batch_that_cannot_be_parsed_is_given_up(worker: Worker) -> None:
    with pytest.raises(BackendError, match="again and again ended its worker process"):
        worker((0, batch("good", "parser dies")))


def test_an_interrupted_worker_lets_its_caller_go() -> None:
    worker = Worker([HostileSource(())], BASE)
    failures: list[BaseException] = []

    def run() -> None:
        try:
            worker((0, batch("lasts")))
        except EOFError as error:
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while worker._child._connection is None:
        time.sleep(0.01)
    time.sleep(0.2)
    worker.interrupt()
    thread.join(timeout=20)
    assert not thread.is_alive()
    assert len(failures) == 1
    worker.close()


def test_a_worker_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    program = (
        "import os, sys; sys.path.insert(0, sys.argv[1])\n"
        "from corpus.builder.pool import Worker\nfrom tests.hostile_source import HostileSource\n"
        "worker = Worker([HostileSource(())], '')\nworker._child.connect()\n"
        "print(worker._child._process.pid, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    root = str(Path(__file__).parents[4])
    done = subprocess.run(
        [sys.executable, "-c", program, root], stdout=subprocess.PIPE, text=True, check=False
    )
    process = Path(f"/proc/{int(done.stdout)}")
    for _ in range(500):
        # A zombie has ended; whoever inherited it may be slow to bury it.
        if not process.exists() or "(zombie)" in (process / "status").read_text():
            return
        time.sleep(0.02)
    pytest.fail("the worker is still running")


@pytest.fixture
def signals() -> Iterator[None]:
    kinds = (signal.SIGINT, signal.SIGPROF)
    known = [signal.getsignal(kind) for kind in kinds]
    yield
    for kind, handler in zip(kinds, known, strict=True):
        signal.signal(kind, handler)


def test_a_worker_answers_until_its_connection_closes(signals: None) -> None:
    source = PlainSource()
    ours, theirs = Pipe()
    answers: list[object] = []

    def ask() -> None:
        ours.send(([source], BASE))
        for careful in (False, True):
            ours.send(Task(source=0, payload=("A", "B"), failing={1: "bad"}, careful=careful))
            while isinstance(answer := ours.recv(), int):
                answers.append(answer)
            answers.append(answer)
        ours.send(Task(source=0, payload=("damaged",), failing={}, careful=False))
        answers.append(ours.recv())
        ours.close()

    thread = threading.Thread(target=ask)
    thread.start()
    serve(theirs)
    thread.join()
    first, *places, second, damage = answers
    assert first == second
    assert places == [0, 1, 2]
    assert isinstance(first, Extracted)
    assert [article.title for article in first.articles] == ["A"]
    assert [skipped.reason for skipped in first.skipped] == ["bad"]
    assert isinstance(damage, DamagedError)
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_without_processes_the_result_is_the_same(worker: Worker) -> None:
    here = InProcess([HostileSource(())], BASE)
    import corpus.builder.extraction

    known = corpus.builder.extraction._read, corpus.builder.extraction._FAITHFUL_SECONDS
    try:
        assert here.extract(0, batch("a", "b")) == worker((0, batch("a", "b")))
    finally:
        corpus.builder.extraction._read, corpus.builder.extraction._FAITHFUL_SECONDS = known
    here.close()
