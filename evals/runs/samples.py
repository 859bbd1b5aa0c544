"""What the command line does, as functions: choose, run, score, sum up."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from corpus.errors import InputError
from corpus.machine.loops import run_to_end
from evals.benchmarks import BENCHMARKS
from evals.benchmarks.editions import PUBLISHED
from evals.datafiles import SAMPLE_DATA
from evals.judges.verdict import JUDGE_PROMPTS
from evals.metrics.lemma import default_lemmatiser
from evals.metrics.summary import Summary, summarise
from evals.parquet import dataset_files, is_dataset, read_origin, read_samples
from evals.ports import Benchmark, Judges
from evals.records import RecordFile, to_json, write_beside
from evals.runs.folder import RunFolder, Scoring
from evals.runs.predict import score
from evals.runs.prompt_files import digest_of, prompt_hashes
from evals.types import Json, Jury, Sample

WHOLE = "all"
"""Split of a data set that `evals synth` made, of all its items."""
SAMPLES = "samples.jsonl"
"""The samples of a run, kept in its folder: scoring, replay and the report need nothing else."""


def find_benchmark(name: str) -> Benchmark:
    """Return a benchmark by name.

    Raises:
        InputError: there is none of that name.
    """
    if name not in BENCHMARKS:
        raise InputError(f"unknown benchmark {name!r}: choose {', '.join(BENCHMARKS)}")
    return BENCHMARKS[name]


def made_splits(data: Path) -> dict[str, Path]:
    """Return the files of the splits of a data set that `evals synth` made; {} of other data."""
    return {path.stem: path for path in sorted((data / "splits").glob("*.json"))}


def choose_split(benchmark: Benchmark, data: Path, given: str) -> str:
    """Return the split asked for; by default all of a made data set, else the benchmark's first."""
    return given or (WHOLE if made_splits(data) else benchmark.splits[0])


def choose_edition(benchmark: Benchmark, data: Path, split: str, given: str) -> str:
    """Return the edition asked for, the sample's own, the one that the data shows, or the first.

    Raises:
        InputError: the file is of another published edition than the one asked for.
    """
    if is_dataset(data):
        return given or read_origin(dataset_files(data)[0]).edition
    if not given and data == SAMPLE_DATA and "sample" in benchmark.editions:
        return "sample"
    shown = benchmark.edition_of(data, split) if benchmark.edition_of is not None else None
    if not given:
        return shown or benchmark.editions[0]
    if data.is_file() and shown in PUBLISHED and given in PUBLISHED and shown != given:
        raise InputError(
            f"{data} holds the edition {shown}, not {given}: leave --edition out, or name the file "
            f"of {given}"
        )
    return given


def load_samples(
    benchmark: Benchmark,
    data: Path,
    split: str,
    edition: str,
    *,
    limit: int | None = None,
    ids: Sequence[str] = (),
) -> list[Sample]:
    """Read a benchmark's samples and choose among them.

    Raises:
        InputError: unknown split or edition, an id that no sample has, or faulty data.
    """
    tabular, made = is_dataset(data), made_splits(data)
    for name, value, choices in (
        ("split", split, (WHOLE, *made) if made else benchmark.splits),
        ("edition", edition, benchmark.editions),
    ):
        if value not in choices and not tabular:
            whose = f"{data}" if made and name == "split" else benchmark.name
            raise InputError(f"{whose} has no {name} {value!r}: choose {', '.join(choices)}")
    if tabular:
        samples = read_samples(data, benchmark.name, split)
    elif made:
        samples = benchmark.load(made.get(split, data), benchmark.splits[0], edition)
    else:
        samples = benchmark.load(data, split, edition)
    if ids:
        known = {sample.id: sample for sample in samples}
        unknown = [sample_id for sample_id in ids if sample_id not in known]
        if unknown:
            raise InputError(f"{data}: no sample has the id {unknown[0]!r}")
        samples = [known[sample_id] for sample_id in ids]
    samples = samples[:limit]
    if not samples:
        raise InputError(f"{data}: no samples to run")
    return samples


def keep_samples(folder: RunFolder, samples: Sequence[Sample]) -> None:
    """Write the run's samples into its folder, adding to those that are there."""
    kept = {sample.id: sample for sample in RecordFile(folder.path / SAMPLES, Sample)}
    kept.update((sample.id, sample) for sample in samples)
    text = "".join(to_json(sample) + "\n" for sample in kept.values())

    def write(beside: Path) -> None:
        beside.write_text(text, encoding="utf-8")

    write_beside(folder.path / SAMPLES, write)


def kept_samples(folder: RunFolder) -> list[Sample]:
    """Return the samples of a run, from its folder."""
    return list(RecordFile(folder.path / SAMPLES, Sample))


def score_run(
    folder: RunFolder, judges: Judges, jury: Jury | None = None, *, concurrency: int = 8
) -> Summary:
    """Score every prediction of a run and write the scores; nothing is asked of the system.

    Args:
        folder: the run.
        judges: who scores what rules do not.
        jury: the models among them, to be remembered.
        concurrency: most predictions scored at once.
    """
    benchmark = find_benchmark(folder.record.config.benchmark)
    if benchmark.offline is not None:
        judges = benchmark.offline(judges)
    scores = run_to_end(
        score(
            benchmark,
            kept_samples(folder),
            folder.predictions(),
            judges,
            concurrency=concurrency,
        )
    )
    folder.replace_scores(scores, scoring_of(judges, jury or Jury()))
    return summarise(scores, benchmark.headline)


def scoring_of(judges: Judges, jury: Jury) -> Scoring:
    """Return the names of everything that makes two runs' scores comparable."""
    hashes = prompt_hashes(Path(jury.prompts) if jury.prompts else None)
    judging = {name: hashes[name] for name in JUDGE_PROMPTS}
    return Scoring(
        judge=judges.judge.name if judges.judge else "",
        panel=tuple(judge.name for judge in judges.panel),
        coverage=judges.coverage.name if judges.coverage else "",
        extractor=judges.extractor.name if judges.extractor else "",
        lemmatiser=default_lemmatiser().name,
        batch=jury.batch,
        shots=jury.shots,
        prompts=digest_of(judging) if jury.models else "",
        jury=jury if jury.models else None,
    )


def summary_json(folder: RunFolder, summary: Summary) -> dict[str, Json]:
    """Return what `evals score --json` prints."""
    config = folder.record.config
    return {
        "benchmark": config.benchmark,
        "split": config.split,
        "edition": config.edition,
        "n": summary.n,
        "scored": summary.scored,
        "unscored": summary.unscored,
        "failed": summary.failed,
        "metrics": {name: interval.mean for name, interval in summary.metrics.items()},
        "intervals": {
            name: [interval.low, interval.high] for name, interval in summary.metrics.items()
        },
    }
