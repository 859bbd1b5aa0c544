from __future__ import annotations

from pathlib import Path

import pytest

from agent.budget import Budget
from agent.graph.record import runlog
from agent.graph.record.runlog import RunLog, check_same, new_id
from agent.settings import Settings
from corpus import Snapshot
from corpus.errors import InputError
from tests.reasoners import core


def test_a_run_is_found_as_it_was_begun(tmp_path: Path) -> None:
    log = RunLog(tmp_path / "deep" / "runs.sqlite")
    settings = Settings(strategy="e2e", k=3)
    log.begin("abc1", "Why?", settings, "print", [core("1", "x")])
    run = log.find("abc1")
    assert (run.question, run.settings, run.fingerprint) == ("Why?", settings, "print")
    assert run.plan == (core("1", "x"),)
    assert run.answer is None
    log.end("abc1", ("form", b"\x00bytes"))
    assert log.find("abc1").answer == ("form", b"\x00bytes")


def test_an_unknown_run_names_the_latest(tmp_path: Path) -> None:
    log = RunLog(tmp_path / "runs.sqlite")
    with pytest.raises(InputError, match="no run 'zz' to resume: there is none"):
        log.find("zz")
    log.begin("a1", "First?", Settings(), "")
    log.begin("a2", "Second?", Settings(), "")
    with pytest.raises(InputError, match=r"the latest is a2 \(Second\?\)"):
        log.find("zz")
    with pytest.raises(InputError, match="exists already"):
        log.begin("a1", "Again?", Settings(), "")
    with pytest.raises(InputError, match="no id of a run"):
        log.begin("../x", "?", Settings(), "")


def test_the_oldest_runs_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runlog, "KEPT", 2)
    log = RunLog(tmp_path / "runs.sqlite")
    assert log.begin("a", "?", Settings(), "") == []
    assert log.begin("b", "?", Settings(), "") == []
    assert log.begin("c", "?", Settings(), "") == ["a"]
    with pytest.raises(InputError):
        log.find("a")


def test_another_programs_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    file.write_text("this is no database, but a longer text than the header of one " * 9)
    with pytest.raises(InputError, match="runs cannot be kept here"):
        RunLog(file).begin("a", "?", Settings(), "")


def test_another_snapshot_cannot_take_a_run_over(tmp_path: Path, sample: Snapshot) -> None:
    log = RunLog(tmp_path / "runs.sqlite")
    log.begin("a", "?", Settings(), "the print of another")
    with pytest.raises(InputError, match="begun on another snapshot"):
        check_same(log.find("a"), Settings(), sample.manifest)
    log.begin("b", "?", Settings(), sample.manifest.fingerprint)
    check_same(log.find("b"), Settings(budget=Budget(calls=900)), sample.manifest)
    with pytest.raises(InputError, match="begun with k 10, this agent has 3"):
        check_same(log.find("b"), Settings(k=3), sample.manifest)


def test_ids_are_short_and_fresh() -> None:
    assert len({new_id() for _ in range(100)}) == 100
    assert len(new_id()) == 8
