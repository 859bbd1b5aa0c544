from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import InputError
from evals.records import RecordFile, from_json, to_json, write_beside
from evals.runs.folder import RunFolder, RunRecord, Scoring, describe_difference, run_id
from evals.types import Prediction, Response, RunConfig, Score

CONFIG = RunConfig(
    benchmark="fanoutqa",
    edition="sample",
    split="dev",
    data_sha256="00",
    snapshot="11",
    setting="open",
    strategy="baseline",
    model="extractive",
    style="short",
    k=10,
)


def make_record(config: RunConfig = CONFIG, ids: tuple[str, ...] = ("a", "b")) -> RunRecord:
    return RunRecord(
        id=run_id(config),
        config=config,
        data="questions.json",
        snapshot={"name": "sample"},
        sample_ids=ids,
        tool_version="0",
    )


def said(sample_id: str, text: str = "yes", epoch: int = 0) -> Prediction:
    return Prediction(sample_id=sample_id, epoch=epoch, response=Response(text=text))


@given(st.text(), st.dictionaries(st.text(), st.text()))
def test_records_survive_the_round_trip(text: str, parts: dict[str, str]) -> None:
    prediction = Prediction(sample_id="a", response=Response(text=text, parts=parts))
    line = to_json(prediction)
    assert "\n" not in line
    assert from_json(Prediction, line) == prediction


def test_prediction_holds_exactly_one_of_response_and_error() -> None:
    with pytest.raises(ValueError, match="exactly one"):
        Prediction(sample_id="a")
    with pytest.raises(ValueError, match="exactly one"):
        Prediction(sample_id="a", response=Response(text=""), error="both")


def test_not_a_number_never_reaches_the_disk() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        to_json(Score(sample_id="a", values={"loose": float("nan")}))


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_torn_last_line_is_repaired(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "predictions.jsonl"
    file = RecordFile(path, Prediction)
    file.append(said("a"))
    file.append(said("b"))
    file.close()
    path.write_bytes(path.read_bytes()[:-cut])
    assert [p.sample_id for p in RecordFile(path, Prediction)] == ["a"]
    again = RecordFile(path, Prediction)
    again.append(said("c"))
    again.close()
    assert [p.sample_id for p in again] == ["a", "c"]


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"sample_id": 3}\n')
    with pytest.raises(InputError, match="line 1: sample_id"):
        list(RecordFile(path, Prediction))


def test_same_command_goes_on_and_adds_samples(tmp_path: Path) -> None:
    folder = RunFolder.begin(tmp_path / "run", make_record())
    folder.predictions_file.append(said("a"))
    folder.close()
    again = RunFolder.begin(tmp_path / "run", make_record(ids=("b", "c")))
    assert again.record.sample_ids == ("a", "b", "c")
    assert again.outcomes() == {("a", 0): None}
    assert RunFolder.open(tmp_path / "run").record == again.record


def test_another_configuration_is_refused_with_the_difference(tmp_path: Path) -> None:
    RunFolder.begin(tmp_path / "run", make_record())
    other = dataclasses.replace(CONFIG, strategy="e2e", k=5)
    with pytest.raises(InputError, match="strategy: 'baseline' → 'e2e', k: 10 → 5"):
        RunFolder.begin(tmp_path / "run", make_record(other))
    assert describe_difference(CONFIG, CONFIG) == ""
    assert run_id(CONFIG) != run_id(other)


def test_foreign_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty"):
        RunFolder.begin(tmp_path, make_record())
    with pytest.raises(InputError, match="no run folder"):
        RunFolder.open(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="not a run's configuration"):
        RunFolder.open(tmp_path)


def test_the_last_record_of_a_retried_sample_counts(tmp_path: Path) -> None:
    folder = RunFolder.begin(tmp_path / "run", make_record())
    folder.predictions_file.append(Prediction(sample_id="a", error="time-out"))
    folder.predictions_file.append(said("b"))
    folder.predictions_file.append(said("a", "better"))
    folder.predictions_file.append(said("stranger"))
    predictions = list(folder.predictions())
    assert [(p.sample_id, p.error) for p in predictions] == [("b", None), ("a", None)]
    assert folder.outcomes()["a", 0] is None


def test_two_processes_cannot_write_one_run(tmp_path: Path) -> None:
    first = RunFolder.begin(tmp_path / "run", make_record())
    first.lock()
    second = RunFolder.open(tmp_path / "run")
    with pytest.raises(InputError, match="another process"):
        second.lock()
    first.close()
    second.lock()
    second.close()


def test_scores_are_replaced_whole(tmp_path: Path) -> None:
    folder = RunFolder.begin(tmp_path / "run", make_record())
    assert folder.scoring() is None
    scoring = Scoring(judge="judge-1", lemmatiser="simplemma")
    folder.replace_scores([Score(sample_id="a", values={"loose": 0.5})], scoring)
    folder.replace_scores([Score(sample_id="b", values={"loose": 1.0})], scoring)
    assert list(folder.scores()) == [("b", 0)]
    assert folder.scoring() == scoring


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    path.write_text("old")

    def fail(beside: Path) -> None:
        beside.write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_beside(path, fail)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["scores.jsonl"]
