"""The source can be found one's way in: no folder is a drawer, nothing is written twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bench import structure
from tests.conftest import LONG


def test_no_folder_is_a_drawer() -> None:
    held = structure.folders()
    assert len(held) > 30
    most = structure.MOST_MODULES
    assert {name: stems for name, stems in held.items() if len(stems) > most} == {}


@pytest.mark.parametrize(
    "exceeding",
    [
        structure.long_functions,
        structure.long_signatures,
        structure.repeated_runs,
        structure.names_in_ing,
        structure.maps_of_files,
    ],
    ids=lambda measure: measure.__name__,
)
def test_nothing_exceeds_its_bound(exceeding: Callable[[], list[str]]) -> None:
    assert exceeding() == []


def test_the_measures_see_what_they_count(monkeypatch: pytest.MonkeyPatch) -> None:
    for bound in ("LONGEST_FUNCTION", "MOST_PARAMETERS", "LONGEST_RUN"):
        monkeypatch.setattr(structure, bound, 3)
    assert len(structure.long_functions()) > 1_000
    assert len(structure.long_signatures()) > 100
    assert len(structure.repeated_runs()) > 50
    monkeypatch.setattr(structure, "NOUNS", set())
    assert len(structure.names_in_ing()) > 3


def test_the_files_that_are_tested_first_exist() -> None:
    assert set(LONG) <= {path.stem for path in (structure.ROOT / "tests").rglob("test_*.py")}


def test_every_stage_has_its_contract() -> None:
    named = " ".join(structure.contracts())
    for package in structure.PACKAGES:
        assert f"{package}: the stages" in named
