"""Splits of a data set that `evals synth` made, by the name that its folder gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpus.errors import InputError
from evals.benchmarks import BENCHMARKS
from evals.datafiles import SAMPLE_DATA
from evals.runs.samples import choose_split, load_samples
from tests.unit.evals.made_sets import make_cofca

COFCA = BENCHMARKS["cofca"]


def test_a_split_is_read_by_its_name_and_all_without_one(tmp_path: Path) -> None:
    made = make_cofca(tmp_path / "made", items=6)
    assert choose_split(COFCA, made, "") == "all"
    assert choose_split(COFCA, made, "dev") == "dev"
    assert choose_split(COFCA, SAMPLE_DATA, "") == "test"

    def ids(split: str) -> list[str]:
        return [sample.id for sample in load_samples(COFCA, made, split, "cofca")]

    assert sorted(ids("dev") + ids("test")) == sorted(ids("all"))
    dev = json.loads((made / "splits" / "dev.json").read_text(encoding="utf-8"))
    assert ids("dev") == [item["id"] for item in dev]
    with pytest.raises(InputError, match=r"made has no split 'train': choose all, dev, test$"):
        ids("train")
    with pytest.raises(InputError, match=r"cofca has no split 'train': choose test$"):
        load_samples(COFCA, SAMPLE_DATA, "train", "sample")
