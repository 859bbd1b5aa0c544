"""Folders of runs of which some are not scored: what is printed to copy works as it stands."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

import evals
from corpus.errors import InputError
from evals.cli import app
from evals.metrics.summary import summarise
from evals.reports.printout import print_table
from evals.runs.folder import RunFolder
from evals.runs.several import open_runs, score_command
from tests.unit.evals.report_runs import make_run


def unscored(path: Path) -> RunFolder:
    run = make_run(path, strategy="e2e")
    (path / "scoring.json").unlink()
    (path / "scores.jsonl").unlink()
    return run


def printed(runs: Sequence[RunFolder], out: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The command to copy that a table of runs ends with."""
    print_table([(run, summarise(list(run.scores().values()), "loose")) for run in runs], out)
    (told,) = re.findall(r"(?:compare them|its report): python -m evals (.*?)(?: writes .*)?\n",
                         capsys.readouterr().err)  # fmt: skip
    return shlex.split(told)


def test_a_folder_with_an_unscored_run_is_compared_without_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scored = [make_run(tmp_path / "a"), make_run(tmp_path / "b", strategy="agentic")]
    lost = unscored(tmp_path / "c")
    told = CliRunner().invoke(app, ["compare", str(tmp_path), "--format", "json"])
    assert told.exit_code == 0, told.output
    assert f"{lost.path} is left out" in told.stderr
    assert f"`{score_command(lost)}` scores it" in told.stderr
    labels = {row["run"] for row in json.loads(told.stdout)["runs"]}
    assert labels == {"agentic", "baseline"}
    assert {run.path for run in evals.compare(tmp_path).runs} == {run.path for run in scored}
    with pytest.raises(InputError, match=r"c is not scored: run `python -m evals score .*c` first"):
        evals.compare(lost.path)
    report = tmp_path / "report.html"
    assert CliRunner().invoke(app, printed(scored, tmp_path, capsys)).exit_code == 0
    assert report.is_file()


def test_a_folder_that_holds_other_runs_too_is_compared_by_the_runs_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    those = [make_run(tmp_path / "a"), make_run(tmp_path / "b", strategy="agentic")]
    assert printed(those, tmp_path, capsys)[1:2] == [str(tmp_path)]
    make_run(tmp_path / "of another day", strategy="e2e")
    command = printed(those, tmp_path, capsys)
    assert command[1:3] == [str(run.path) for run in those]
    assert CliRunner().invoke(app, command).exit_code == 0
    alone = printed(those[:1], tmp_path, capsys)
    assert alone == ["report", str(those[0].path)]
    assert CliRunner().invoke(app, alone).exit_code == 0
    assert (those[0].path / "report.html").is_file()


def test_a_folder_of_runs_is_exported_by_the_one_that_is_scored(tmp_path: Path) -> None:
    make_run(tmp_path / "a")
    lost = unscored(tmp_path / "b")
    told = CliRunner().invoke(app, ["export", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert [json.loads(line)["id"] for line in told.stdout.splitlines()] == [
        f"id{number}" for number in range(4)
    ]
    assert f"{lost.path} is left out" in told.stderr
    make_run(tmp_path / "c", strategy="agentic")
    told = CliRunner().invoke(app, ["export", str(tmp_path)])
    assert isinstance(told.exception, InputError)
    assert "takes one run, not 2: name one of" in str(told.exception)


def test_a_run_named_twice_is_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path / "a")
    with pytest.raises(InputError, match="named twice"):
        open_runs([tmp_path, run.path])
