from __future__ import annotations

import csv
import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import InputError
from evals.answer_text import scored
from evals.reports.provenance import commands_of
from evals.runs.exchange.exported import export_csv, export_jsonl
from evals.runs.exchange.imported import import_run, read_answers, told
from evals.runs.exchange.submission import Held, export_submission
from evals.runs.folder import RunFolder, Scoring
from evals.runs.samples import find_benchmark, load_samples
from evals.types import Passage, Prediction, Response, RunConfig, Sample, Score
from tests.unit.evals.runs.test_folder import CONFIG, make_record, said

SAMPLES = [Sample(id="a", question="Which rivers?"), Sample(id="b", question="Which lakes?")]

WORDS = st.text(alphabet=st.characters(codec="utf-8"), max_size=8)
RESPONSES = st.builds(
    Response,
    text=WORDS.map(lambda text: text + "."),
    parts=st.dictionaries(st.sampled_from(["1", "2"]), WORDS),
    chunks=st.lists(st.builds(Passage, title=WORDS, text=WORDS), max_size=2).map(tuple),
    abstained=st.booleans(),
    asked=st.dictionaries(st.sampled_from(["order", "language"]), WORDS),
)
KEYS = {"sample_id": st.sampled_from(["a", "b"]), "epoch": st.integers(0, 1)}
PREDICTIONS = st.one_of(
    st.builds(Prediction, **KEYS, response=RESPONSES),
    st.builds(Prediction, **KEYS, error=st.text("abc", min_size=1)),
)


def write_lines(path: Path, *items: object) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def make_run(path: Path, config: RunConfig = CONFIG) -> RunFolder:
    run = RunFolder.begin(path, make_record(config))
    run.predictions_file.append(said("b", '=Erie, "Huron"'))
    return run


def test_answers_are_found_by_id_or_by_question(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "answers.jsonl",
        {
            "question": "which  LAKES?",
            "answer": "Erie",
            "chunks": ["t", {"title": "x", "text": "y"}],
        },
        {"id": "a", "answer": "Rhine"},
    )
    first, second = read_answers(path, SAMPLES)
    assert (first.sample_id, second.sample_id) == ("a", "b")
    assert second.response is not None
    assert [chunk.text for chunk in second.response.chunks] == ["t", "y"]


@pytest.mark.parametrize(
    ("item", "fault"),
    [
        ({"id": "z", "answer": ""}, "no sample of this split has the id 'z'"),
        ({"question": "Which seas?", "answer": ""}, "has the question 'Which seas"),
        ({"answer": ""}, "field 'question' is missing"),
        ({"id": "a"}, "field 'answer' is missing"),
        ({"id": "a", "answer": 3}, "field 'answer' must be str, not int"),
        ({"id": "a", "answer": "", "chunks": [3]}, "a chunk must be a text or an object"),
        ({"id": "a", "answer": "x", "abstained": "no"}, "field 'abstained' must be bool, not str"),
        ({"id": "a", "answer": "x", "epoch": 10**9}, "field 'epoch' must be below 1000"),
    ],
)
def test_faults_are_named(tmp_path: Path, item: object, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read_answers(write_lines(tmp_path / "answers.jsonl", item), SAMPLES)


def test_a_second_answer_is_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.jsonl", *[{"id": "a", "answer": "1"}] * 2)
    with pytest.raises(InputError, match="item 2: a second answer"):
        read_answers(path, SAMPLES)


def test_export_of_records_and_table(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    run.predictions_file.append(Prediction(sample_id="a", error="cut off"))
    run.replace_scores([Score(sample_id="b", values={"loose": 0.5})], Scoring())
    records = [json.loads(line) for line in export_jsonl(run)]
    assert [r["id"] for r in records] == ["b", "a"]
    assert records[0]["scores"] == {"loose": 0.5}
    assert records[1] == {"id": "a", "epoch": 0, "answer": None, "error": "cut off", "scores": {}}
    rows = list(csv.reader(io.StringIO("\n".join(export_csv(run)))))
    assert rows[0] == ["id", "epoch", "error", "abstained", "answer", "loose"]
    # A spreadsheet must not take an answer for a formula.
    assert rows[1] == ["b", "0", "", "false", '\'=Erie, "Huron"', "0.5"]


@given(st.lists(PREDICTIONS, max_size=4, unique_by=lambda one: (one.sample_id, one.epoch)))
def test_what_is_exported_is_imported_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, said: list[Prediction]
) -> None:
    folder = tmp_path_factory.mktemp("round")
    config = dataclasses.replace(CONFIG, epochs=2)
    run = RunFolder.begin(folder / "run", make_record(config))
    for one in said:
        run.predictions_file.append(one)
    run.close()
    file = folder / "answers.jsonl"
    file.write_text("".join(f"{line}\n" for line in export_jsonl(run)), encoding="utf-8")
    again = {(one.sample_id, one.epoch): one for one in read_answers(file, SAMPLES)}
    assert again == {(one.sample_id, one.epoch): one for one in said}


def test_an_abstention_from_elsewhere_says_nothing(tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "answers.jsonl",
        {"id": "a", "answer": "No river was found on 2026-11-01.", "abstained": True},
        {"id": "b", "answer": " "},
    )
    for one in read_answers(path, SAMPLES):
        assert one.response is not None
        assert one.response.abstained
        assert scored(one.response).text == ""


def test_submission(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    run.predictions_file.append(said("a", "Rhine"))
    about = {"name": "My System", "authors": "Me"}
    with pytest.raises(InputError, match="--context TOKENS"):
        export_submission([run], tmp_path / "out", about)
    about |= {"context": "128000"}
    with pytest.raises(InputError, match="--function-calling yes or no"):
        export_submission([run], tmp_path / "out", about)
    about |= {"function_calling": "no", "citation": "Me, 2026"}
    path = export_submission([run], tmp_path / "out", about).metadata
    metadata = json.loads(path.read_text())
    assert metadata["type"] == "OTHER"
    assert (metadata["context"], metadata["citation"]) == (128_000, "Me, 2026")
    assert metadata["is_trained_for_function_calling"] is False
    assert metadata["name"] == "My System"
    assert metadata["openbook_generations"] == "results-openbook-my-system.jsonl"
    assert metadata["closedbook_generations"] is None
    lines = (tmp_path / "out" / metadata["openbook_generations"]).read_text().splitlines()
    assert sorted(json.loads(line)["id"] for line in lines) == ["a", "b"]
    example = Path(__file__).parents[4] / "../shared/data/fanoutqa/example-submission/gpt-4o.json"
    if example.exists():
        assert metadata.keys() == json.loads(example.read_text()).keys()


def test_what_cannot_be_submitted(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with pytest.raises(InputError, match="1 samples are missing or failed, the first 'a'"):
        export_submission([run], tmp_path / "out", {})
    run.predictions_file.append(said("a"))
    with pytest.raises(InputError, match="second run in the open setting"):
        export_submission([run, run], tmp_path / "out", {})
    other = make_run(tmp_path / "other", dataclasses.replace(CONFIG, benchmark="cofca"))
    with pytest.raises(InputError, match="only FanOutQA"):
        export_submission([other], tmp_path / "out", {})


def test_a_submission_says_what_it_lacks(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    run.predictions_file.append(said("a", "Rhine"))
    about = {"name": "My System", "context": "8000", "function_calling": "no"}
    made = export_submission([run], tmp_path / "out", about)
    assert [(one.setting, one.answers) for one in made.held] == [("openbook", 2)]
    held = Held(setting="openbook", answers=2, empty=1, questions=724)
    assert held.lacks == "2 of the split's 724 questions and 1 of its 2 answers say nothing"
    assert Held(setting="openbook", answers=724, empty=0, questions=724).lacks == ""


def test_an_import_is_submitted_in_the_setting_that_was_said(tmp_path: Path) -> None:
    data = Path(__file__).parents[4] / "evals/sample"
    benchmark = find_benchmark("fanoutqa")
    ids = [sample.id for sample in load_samples(benchmark, data, "test", "sample")]
    answers = write_lines(
        tmp_path / "results-openbook.jsonl", *({"id": i, "answer": "Titan"} for i in ids[:-1])
    )

    def imported(name: str, **given: Any) -> RunFolder:
        return import_run(
            benchmark, data, "test", "sample", answers, "theirs", tmp_path / name, **given
        )

    about = {"context": "8000", "function_calling": "no"}
    with pytest.raises(InputError, match=r"in which setting .* with --setting closed, open or ev"):
        export_submission([imported("unsaid", answered_only=True)], tmp_path / "out", about)
    with pytest.raises(InputError, match=r"openbook\.jsonl again .* with --answered-only, which"):
        export_submission([imported("whole", setting="open")], tmp_path / "out", about)
    with pytest.raises(InputError, match="unknown setting 'ajar'"):
        imported("ajar", setting="ajar")
    run = imported("said", answered_only=True, setting="open")
    made = export_submission([run], tmp_path / "out", about)
    assert json.loads(made.metadata.read_text())["closedbook_generations"] is None
    assert (tmp_path / "out/results-openbook-theirs.jsonl").is_file()
    assert [one.foreign for one in made.held] == ["the split test of the edition sample"]
    assert "--setting open" in next(commands_of([run]))


def test_an_empty_submission_is_refused_unless_wanted(tmp_path: Path) -> None:
    folder = RunFolder.begin(tmp_path / "run", make_record(CONFIG))
    for one in ("a", "b"):
        folder.predictions_file.append(said(one, " "))
    about = {"name": "My System", "context": "8000", "function_calling": "no"}
    with pytest.raises(InputError, match="--allow-empty"):
        export_submission([folder], tmp_path / "out", about)
    assert not (tmp_path / "out").exists()
    made = export_submission([folder], tmp_path / "out", about, allow_empty=True)
    assert made.held[0].empty == 2


def test_an_import_is_told_with_what_was_left_out(tmp_path: Path) -> None:
    folder = RunFolder.begin(tmp_path / "run", make_record(CONFIG))
    folder.predictions_file.append(said("a", "Rhine"))
    folder.predictions_file.append(Prediction(sample_id="b", error="none"))
    assert told(folder, 3) == (
        "3 questions: 1 answered, 1 without an answer (they count 0), 1 left out (no answer, or null)"
    )


@pytest.mark.parametrize("answered_only", [False, True])
def test_null_is_no_answer_as_a_missing_line_is(tmp_path: Path, answered_only: bool) -> None:
    data = Path(__file__).parents[4] / "evals/sample"
    benchmark = find_benchmark("fanoutqa")
    ids = [sample.id for sample in load_samples(benchmark, data, "dev", "sample", limit=4)]
    answers = write_lines(
        tmp_path / "answers.jsonl",
        {"id": ids[0], "answer": "Titan"},
        {"id": ids[1], "answer": None},
        {"id": ids[2], "answer": "none known", "abstained": True},
        {"id": ids[3], "answer": "beyond the limit"},
    )
    folder = import_run(
        benchmark, data, "dev", "sample", answers, "theirs", tmp_path / "run",
        answered_only=answered_only, limit=3,
    )  # fmt: skip
    rest = (
        "1 left out (no answer, or null)" if answered_only else "1 without an answer (they count 0)"
    )
    assert told(folder, 3) == f"3 questions: 1 answered, 1 abstained, {rest}"
    command = next(commands_of([folder]))
    assert "--limit 3" in command
    assert ("--answered-only" in command) is answered_only
