"""Data sets that others read: `datasets` and Croissant load them, `evals run` reads them back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corpus.errors import InputError
from evals.benchmarks import BENCHMARKS
from evals.cli import app
from evals.datafiles import SAMPLE_DATA
from evals.integrations.croissant import About
from evals.integrations.dataset import write_dataset
from evals.parquet import read_samples
from evals.runs.folder import RunFolder

pytest.importorskip("pyarrow")
ABOUT = About(name="sample", description="Questions.", license="apache-2.0", citation="none")


def evals(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == code, (done.output, done.exception)
    return done.output


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A run over two of the sample's questions, and the data set of it."""
    place = tmp_path_factory.mktemp("runs")
    evals("run", "fanoutqa", "--out", place / "run", "--limit", 2)
    evals(
        "export", place / "run", "--format", "parquet", "--out", place / "set",
        "--license", "apache-2.0", "--name", "two questions",
    )  # fmt: skip
    return place / "run", place / "set"


@pytest.mark.parametrize("name", BENCHMARKS)
def test_samples_of_every_benchmark_come_back_as_they_were(name: str, tmp_path: Path) -> None:
    benchmark = BENCHMARKS[name]
    edition = "sample" if "sample" in benchmark.editions else benchmark.editions[0]
    split = benchmark.splits[0]
    samples = benchmark.load(SAMPLE_DATA, split, edition)
    write_dataset(tmp_path / "set", ABOUT, name, edition, {split: samples})
    assert read_samples(tmp_path / "set", name, split) == samples


def test_the_datasets_package_loads_it_offline(
    exported: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    run, folder = exported
    cache = str(tmp_path / "cache")
    samples = datasets.load_dataset(str(folder), split="dev", cache_dir=cache)
    answers = datasets.load_dataset(str(folder), "answers", split="dev", cache_dir=cache)
    kept = list(RunFolder.open(run).predictions())
    assert samples["id"] == list(RunFolder.open(run).record.sample_ids)
    told = {one["id"]: one for one in answers}
    for prediction in kept:
        row = told[prediction.sample_id]
        assert prediction.response is not None
        assert row["answer"] == prediction.response.text
        assert len(row["citations"]) == len(prediction.response.answers[0].citations)
        scores = RunFolder.open(run).scores()[prediction.sample_id, 0]
        assert {s["metric"]: s["value"] for s in row["scores"]} == scores.values


@pytest.mark.filterwarnings("ignore")
def test_croissant_validates_and_reads_the_rows(exported: tuple[Path, Path]) -> None:
    croissant = pytest.importorskip("mlcroissant")
    folder = exported[1]
    dataset = croissant.Dataset(jsonld=folder / "croissant.json")
    assert not dataset.metadata.ctx.issues.errors
    assert not dataset.metadata.ctx.issues.warnings
    [first, *_] = dataset.records(record_set="samples-dev")
    known = read_samples(folder, "fanoutqa", "dev")[0]
    assert first["samples-dev/question"].decode() == known.question


def test_evals_run_reads_it_back(exported: tuple[Path, Path], tmp_path: Path) -> None:
    run, folder = exported
    evals("run", "fanoutqa", "--out", tmp_path / "again", "--data", folder)
    first, again = (
        json.loads(evals("score", path, "--json").splitlines()[-1])
        for path in (run, tmp_path / "again")
    )
    assert again == first
    with pytest.raises(InputError, match="samples of fanoutqa, not of cofca"):
        read_samples(folder, "cofca", "dev")


def test_what_is_no_data_set_is_refused(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(InputError, match="not empty and no data set"):
        write_dataset(tmp_path, ABOUT, "fanoutqa", "sample", {"dev": []})


def test_what_synth_makes_is_published_by_splits(tmp_path: Path) -> None:
    evals(
        "synth", "counterfactual", "--out", tmp_path / "made", "--items", 6, "--hops", "2",
        "--embedder", "none",
    )  # fmt: skip
    evals("synth", "publish", tmp_path / "made")
    folder = tmp_path / "made/data-set"
    splits = {path.stem for path in (folder / "samples").glob("*.parquet")}
    read = [one for split in splits for one in read_samples(folder, "cofca", split)]
    loaded = BENCHMARKS["cofca"].load(tmp_path / "made/cofca.json", "test", "cofca")
    assert sorted(one.id for one in read) == sorted(one.id for one in loaded)
    assert "dev" in splits
    assert "Known faults" in (folder / "README.md").read_text("utf-8")
