"""How often a training reads each source, and the mean of what several wrote (bench/weighing.py)."""

from __future__ import annotations

import importlib
import random
from pathlib import Path
from types import ModuleType

import pytest
import torch

GROUPS = {"steps_a": list(range(8)), "steps_zb": list(range(10, 14))}


@pytest.fixture
def weighing(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2] / "bench")
    return importlib.import_module("weighing")


@pytest.mark.parametrize(
    ("given", "first", "second"),
    [
        ([], 8, 4),
        (["steps_zb=2"], 8, 8),
        (["steps_zb=0", "steps_=0.5"], 4, 0),
        (["steps_=0.5", "steps_zb=0"], 4, 2),
        (["steps_a=1.25"], 10, 4),
    ],
)
def test_a_source_is_read_as_often_as_the_first_that_fits_says(
    weighing: ModuleType, given: list[str], first: int, second: int
) -> None:
    taken = weighing.weighed(GROUPS, given, random.Random(0))
    assert (sum(one < 10 for one in taken), sum(one >= 10 for one in taken)) == (first, second)


def test_the_mean_is_taken_weight_by_weight(weighing: ModuleType) -> None:
    made = weighing.mean_of([{"a": torch.tensor([0.0, 4.0])}, {"a": torch.tensor([2.0, 0.0])}])
    assert made["a"].tolist() == [1.0, 2.0]
