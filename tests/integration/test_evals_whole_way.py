"""`python -m evals` as a person uses it, on the sample, with nothing configured: every command once."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.datafiles import SAMPLE_DATA

LIMIT = 2


def evals(*arguments: object, code: int = 0) -> str:
    """Run a command in this process; return what it wrote to standard output."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == code, (done.output, done.exception)
    return done.stdout


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    out = tmp_path_factory.mktemp("runs") / "matrix"
    said = evals(
        "run", "fanoutqa", "--out", out, "--limit", LIMIT, "--strategy", "agentic",
        "--setting", "open,evidence",
    )  # fmt: skip
    head, *rows = said.splitlines()
    assert head.split()[:3] == ["run", "loose", "strict"]
    assert sorted(row.split()[0] for row in rows) == ["evidence", "open"]
    assert all(row.endswith(f"0 of {LIMIT}") for row in rows)
    for folder in out.iterdir():
        kept = (folder / "metrics.txt").read_text(encoding="utf-8")
        assert f"{LIMIT} questions, 0 abstained, 0 failed" in kept
    yield out
    shutil.rmtree(out)


def test_a_matrix_is_one_folder_for_each_combination(runs: Path) -> None:
    assert {folder.name for folder in runs.iterdir()} == {"agentic-open", "agentic-evidence"}


def test_the_same_command_asks_nothing_twice(runs: Path) -> None:
    folder = runs / "agentic-open"
    before = (folder / "predictions.jsonl").read_bytes()
    evals("run", "fanoutqa", "--out", folder, "--limit", LIMIT)
    assert (folder / "predictions.jsonl").read_bytes() == before


def test_score_gives_the_agreed_json(runs: Path) -> None:
    scored = json.loads(evals("score", runs / "agentic-open", "--json"))
    assert (scored["benchmark"], scored["edition"], scored["split"]) == (
        "fanoutqa",
        "sample",
        "dev",
    )
    assert (scored["n"], scored["scored"], scored["unscored"], scored["failed"]) == (LIMIT, 2, 0, 0)
    low, high = scored["intervals"]["loose"]
    assert 0 <= low <= scored["metrics"]["loose"] <= high <= 1
    assert {"strict", "rouge1_f", "rougeL_r", "plan_recall"} <= set(scored["metrics"])


def test_exports_hold_every_question(runs: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in evals("export", runs / "agentic-open").splitlines()]
    rows = list(csv.DictReader(io.StringIO(
        evals("export", runs / "agentic-open", "--format", "csv")
    )))  # fmt: skip
    assert len(lines) == len(rows) == LIMIT
    submission = ["--format", "fanoutqa", "--out", tmp_path, "--name", "us"]
    evals(
        "export",
        runs / "agentic-open",
        *submission,
        "--context",
        "8192",
        "--function-calling",
        "no",
    )
    answers = [
        json.loads(line)
        for file in tmp_path.rglob("*.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    assert [set(answer) for answer in answers] == [{"id", "answer"}] * LIMIT


def test_other_formats_and_unknown_ones(runs: Path) -> None:
    folder = runs / "agentic-evidence"
    assert "| loose |" in evals("report", folder, "--format", "md")
    compared = evals(
        "compare", runs / "agentic-open", folder, "--format", "md", "--metric", "strict"
    )
    assert "p (Holm)" in compared
    assert "no difference shown" in compared
    done = CliRunner().invoke(app, ["export", str(folder), "--format", "xml"])
    assert (
        str(done.exception)
        == "unknown format 'xml': choose fanoutqa, jsonl, csv, parquet or browsecomp-plus"
    )


def test_a_folder_of_runs_comes_out_for_other_programs(runs: Path, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(evals("compare", runs, "--format", "csv"))))
    assert {row["run"] for row in rows} == {"open", "evidence"}
    assert {"loose", "plan_recall"} <= {row["metric"] for row in rows}
    assert "booktabs" in evals("compare", runs, "--format", "latex")
    found = json.loads(evals("compare", runs, "--format", "json", "--figures", tmp_path))
    assert len(found["differences"]) == 1
    assert {path.suffix for path in tmp_path.iterdir()} == {".svg", ".pdf"}


def test_the_report_is_written_beside_the_run(runs: Path) -> None:
    evals("report", runs / "agentic-evidence")
    report = (runs / "agentic-evidence" / "report.html").read_text(encoding="utf-8")
    assert "<title>fanoutqa dev (sample)" in report


def test_replay_gives_the_same_answers(runs: Path) -> None:
    replayed = json.loads(evals("replay", runs / "agentic-open", "--json"))
    assert replayed == {"same": LIMIT, "different": []}


def test_imported_answers_become_a_run_that_is_scored(tmp_path: Path) -> None:
    gold = json.loads((SAMPLE_DATA / "fanoutqa-dev.json").read_text(encoding="utf-8"))
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        "".join(
            json.dumps({"id": item["id"], "answer": json.dumps(item["answer"])}) + "\n"
            for item in gold[:3]
        ),
        encoding="utf-8",
    )
    evals(
        "import", "fanoutqa", "--data", SAMPLE_DATA, "--edition", "sample", "--answers", answers,
        "--out", tmp_path / "theirs",
    )  # fmt: skip
    scored = json.loads(evals("score", tmp_path / "theirs", "--json"))
    assert scored["failed"] == len(gold) - 3
    # Three right answers; every question without one counts 0.
    assert scored["metrics"]["loose"] == pytest.approx(3 / len(gold))

    evals(
        "import", "fanoutqa", "--data", SAMPLE_DATA, "--edition", "sample", "--answers", answers,
        "--out", tmp_path / "some", "--answered-only",
    )  # fmt: skip
    assert json.loads(evals("score", tmp_path / "some", "--json"))["metrics"]["loose"] == 1.0
