from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corpus.errors import InputError
from evals.cli import app
from evals.humans.raters import compare_with_people, read_labels, verdicts_of
from evals.runs.folder import RunFolder, Scoring
from evals.runs.samples import keep_samples
from evals.types import Prediction, Response, Sample, Score
from tests.unit.evals.runs.test_folder import CONFIG, make_record

VERDICTS = {
    "judge-1": {("q1", ""): "A>B", ("q2", ""): "A=B", ("q3", ""): None, ("q4", ""): "A>B"},
    "judge-2": {("q1", ""): "B>A"},
    "silent": {("q9", ""): "A>B"},
}
LABELS = {
    ("q1", ""): ["A>B", "A>B", "A=B"],
    ("q2", ""): ["A>B", "A>B", "B>A"],
    ("q3", ""): ["A=B", "A=B", "A=B"],
    ("q4", ""): ["A>B", "A=B", "B>A"],
}


def test_judges_are_held_against_the_majority_of_people() -> None:
    found = compare_with_people(VERDICTS, LABELS)
    assert (found.labelled, found.undecided) == (4, 1)
    first, second = found.judges
    # q1 right, q2 wrong, q3 unreadable, q4 undecided among people.
    assert (first.judge, first.n, first.accuracy, first.unscored) == ("judge-1", 2, 0.5, 1)
    assert (second.judge, second.n, second.accuracy) == ("judge-2", 1, 0.0)
    assert found.people_kappa is not None


def test_one_label_counts_as_it_is_and_gives_no_kappa_of_people() -> None:
    found = compare_with_people(VERDICTS, {("q1", ""): ["A>B"]})
    assert found.judges[0].accuracy == 1.0
    assert found.people_kappa is None


def test_labels_that_fit_no_verdict_are_refused() -> None:
    with pytest.raises(InputError, match="no judge of this run"):
        compare_with_people(VERDICTS, {("other", ""): ["A>B"]})


def make_run(path: Path) -> Path:
    record = make_record(CONFIG, ("q1", "q2"))
    folder = RunFolder.begin(path, record)
    folder.lock()
    keep_samples(
        folder,
        [
            Sample(id="q1", question="How tall?", reference="41 m"),
            Sample(id="q2", question="Who?", reference=["Odo", "Ulv"]),
        ],
    )
    for sample_id in ("q1", "q2"):
        folder.predictions_file.append(
            Prediction(sample_id=sample_id, response=Response(text=f"answer of {sample_id}"))
        )
    folder.close()
    labels = {"judge-1": {"": "A>B"}}
    scores = [
        Score(sample_id=i, values={"loose": 1.0}, detail={"labels": labels}) for i in ("q1", "q2")
    ]
    folder.replace_scores(scores, Scoring(judge="judge-1"))
    return path


def test_the_command_makes_a_sheet_and_reads_it_back(tmp_path: Path) -> None:
    run, sheet = make_run(tmp_path / "run"), tmp_path / "sheet.csv"
    made = CliRunner().invoke(app, ["people", str(run), "--sheet", str(sheet)])
    assert made.exit_code == 0, made.output
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert rows[1][:5] == ["q1", "", "How tall?", "answer of q1", "41 m"]
    assert json.loads(rows[2][4]) == ["Odo", "Ulv"]
    rows[1][5], rows[2][5] = "A>B; A>B; A=B", "B>A;B>A;A=B"
    with sheet.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    done = CliRunner().invoke(app, ["people", str(run), "--labels", str(sheet), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["labelled"] == 2
    assert found["judges"][0]["accuracy"] == 0.5
    shown = CliRunner().invoke(app, ["people", str(run), "--labels", str(sheet)])
    assert "judge-1" in shown.stdout
    assert "accuracy 0.500" in shown.stdout


def test_without_labels_or_sheet_it_says_what_to_name(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    refused = CliRunner().invoke(app, ["people", str(run)])
    assert isinstance(refused.exception, InputError)
    assert "--labels FILE" in str(refused.exception)
    assert verdicts_of(run) == {"judge-1": {("q1", ""): "A>B", ("q2", ""): "A>B"}}


def test_faulty_labels_name_the_line_and_the_field(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text('{"id": "q1", "labels": ["A>B"]}\n{"id": "q2", "labels": []}\n')
    with pytest.raises(InputError, match="line 2: field 'labels' is empty"):
        read_labels(path)
    path.write_text('{"id": "q1", "part": 2, "labels": ["A>B"]}\n')
    assert read_labels(path) == {("q1", "2"): ["A>B"]}
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("id,question\nq1,x\n")
    with pytest.raises(InputError, match="line 1: field 'labels' is missing"):
        read_labels(sheet)
