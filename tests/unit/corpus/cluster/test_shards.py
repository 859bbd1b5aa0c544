"""Shards through seats: all of them once, whoever dies; what fails is told."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.cluster import LostError, ThisMachine, map_shards, opened, shards
from corpus.errors import BackendError, InputError
from corpus.machine.packages import missing_package
from tests.seats import FakeSeat


@settings(max_examples=40, deadline=None)
@given(
    streams=st.lists(st.lists(st.integers(0, 99), max_size=12), max_size=4),
    seats=st.integers(1, 4),
    lanes=st.integers(1, 2),
    deaths=st.dictionaries(st.integers(0, 99), st.integers(1, 3), max_size=6),
    absent=st.integers(0, 2),
)
def test_every_shard_has_one_result_whoever_dies(
    streams: list[list[int]], seats: int, lanes: int, deaths: dict[int, int], absent: int
) -> None:
    numbered = [[100 * n + shard for shard in one] for n, one in enumerate(streams)]
    numbered = [list(dict.fromkeys(one)) for one in numbered]
    left = Counter({shard: deaths.get(shard % 100, 0) for one in numbered for shard in one})
    lock = threading.Lock()

    def work(shard: int) -> int:
        with lock:
            left[shard] -= 1
            if left[shard] >= 0:
                raise LostError("it died")
        return -shard

    found = [FakeSeat(work, lanes, absent) for _ in range(seats)]
    results = list(map_shards(numbered, found))
    assert Counter(results) == Counter((shard, -shard) for one in numbered for shard in one)
    assert all(seat.closed for seat in found)


def test_a_shard_of_which_workers_die_is_named() -> None:
    def work(shard: int) -> int:
        if shard == 3:
            raise LostError("SIGKILL")
        return shard

    with pytest.raises(BackendError, match="shard 3: 4 workers died of it, the last: SIGKILL"):
        list(map_shards([range(9)], [FakeSeat(work)], name=lambda shard: f"shard {shard}"))


def test_a_worker_that_dies_while_it_loads_costs_no_shard_a_try() -> None:
    died: list[str] = []

    def work(shard: int) -> int:
        if len(died) < 9 or shard == 5:
            died.append(str(len(died)))
            raise LostError("SIGKILL", worker=died[-1], begun=False)
        return shard

    told: list[str] = []
    seats = [FakeSeat(work), FakeSeat(work)]
    results = map_shards([range(5)], seats, lost=lambda lost: told.append(lost.worker))
    assert sorted(results) == [(n, n) for n in range(5)]
    assert sorted(told) == sorted(died)
    with pytest.raises(
        BackendError, match=r"11 workers died one after another, .* the last: SIGKILL"
    ):
        list(map_shards([[5]], seats))


def test_an_error_ends_all_and_is_raised_as_it_is() -> None:
    def work(shard: int) -> int:
        raise InputError("the source is damaged")

    def broken() -> Iterator[int]:
        yield 1
        raise InputError("the stream is damaged")

    with pytest.raises(InputError, match="the source is damaged"):
        list(map_shards([range(100)], [FakeSeat(work)]))
    with pytest.raises(InputError, match="the stream is damaged"):
        list(map_shards([broken()], [FakeSeat(abs)]))


def test_of_soft_errors_the_first_in_order_is_raised() -> None:
    both = threading.Barrier(2)

    def work(shard: int) -> int:
        if shard < 2:
            both.wait(10)
            raise ValueError(9 - shard)
        return shard

    seats = [FakeSeat(work), FakeSeat(work)]
    with pytest.raises(ValueError, match=r"^8$"):
        list(map_shards([range(9)], seats, soft=ValueError, order=lambda bad: int(str(bad))))


def test_without_any_worker_the_wait_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "PATIENCE", 0.2)
    with pytest.raises(BackendError, match="gave no worker"):
        list(map_shards([range(3)], [FakeSeat(abs, absent=10_000)]))


class Halving:
    """Makes what halves numbers, in a process of its own; odd ones end it once or for good."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self) -> Callable[[int], tuple[int, int]]:
        return self.halve

    def halve(self, shard: int) -> tuple[int, int]:
        if shard < 0:
            raise InputError(f"{shard} is below 0")
        mark = self.folder / str(shard)
        if shard % 2 and not mark.exists():
            mark.touch()
            os._exit(1)
        return shard // 2, os.getpid()


def test_processes_of_this_machine_work_and_are_replaced(tmp_path: Path) -> None:
    seats = ThisMachine(2).seats(Halving(tmp_path))
    results = dict(map_shards([range(8)], seats))
    assert {shard: half for shard, (half, _) in results.items()} == {n: n // 2 for n in range(8)}
    assert os.getpid() not in {pid for _, pid in results.values()}
    with pytest.raises(InputError, match="-1 is below 0"):
        list(map_shards([[-1]], ThisMachine(1).seats(Halving(tmp_path))))


def test_what_names_no_cluster_is_refused() -> None:
    for spec in ("slurm", "ray://", "http://here"):
        with pytest.raises(InputError, match="write ray, or ray://HOST:PORT"), opened(spec):
            pass
    with opened("") as none:
        assert none is None


def test_without_ray_a_cluster_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    for name in [name for name in sys.modules if name.startswith("corpus.cluster.ray")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ModuleNotFoundError) as missing, opened("ray"):
        pass
    assert "'.[ray]'" in str(missing_package(missing.value))


def test_ray_is_loaded_by_nothing_else() -> None:
    program = "import sys, corpus.cli, corpus.cluster, retrieval, agent, evals; print('ray' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True
    )
    assert done.stdout == "False\n"
