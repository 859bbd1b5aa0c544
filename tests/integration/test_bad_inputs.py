"""A bad input ends in one line and its exit code: a draw of the cases that `bench/bad_inputs.py` runs."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.trouble.commands import Forks
from tests.trouble.inputs import World, make_cases

DRAWN = 60
BUSY = 20.0
"""Seconds: on a machine that does other things, too. The script holds cases to their real bound."""


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    folder = Path(tempfile.mkdtemp(prefix="fanfold-bad-"))
    yield World(folder)
    (folder / "shut").chmod(0o700)
    shutil.rmtree(folder)


def test_a_draw_of_bad_inputs_over_four_command_lines(world: World) -> None:
    cases = make_cases(world)
    assert len(cases) > 1000
    kinds = sorted({case.kind for case in cases})
    chance = random.Random(19)
    # Some of every kind, and more of those that have more.
    drawn = [chance.choice([case for case in cases if case.kind == kind]) for kind in kinds]
    drawn += chance.sample(cases, DRAWN - len(drawn))
    assert {case.job.program for case in drawn} == {"agent", "corpus", "retrieval", "evals"}
    forks = Forks(world.folder)
    try:
        wrong = {}
        for case in drawn:
            ended = forks.run(case.job)
            if faults := case.faults(ended, BUSY):
                wrong[f"{case.kind}: {case.name}"] = (faults, ended.code, ended.err[-1000:])
    finally:
        forks.close()
    assert not wrong
