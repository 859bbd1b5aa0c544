"""Another system's answers as a run, to score and compare it like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.files import sha256_of
from corpus.storage.manifest import TOOL_VERSION
from corpus.terminal import say
from evals.datafiles import field, read_json_list
from evals.ports import Benchmark
from evals.runs.folder import RunFolder, RunRecord, run_id
from evals.runs.samples import keep_samples, load_samples
from evals.runs.sources import data_digest
from evals.types import Passage, Prediction, Response, RunConfig, Sample

IMPORTED = "imported: "
STRANGERS = 0.01
"""Share of answers that may be to questions which this edition of the data no longer has."""


def import_run(
    benchmark: Benchmark,
    data: Path,
    split: str,
    edition: str,
    answers: Path,
    name: str,
    out: Path,
    *,
    answered_only: bool = False,
    system: str = "",
) -> RunFolder:
    """Make a run of another system's answers.

    Args:
        benchmark: whose samples were answered.
        data: the benchmark's data.
        split: of the data.
        edition: of the data.
        answers: the file of answers; see `read_answers`.
        name: the system's.
        out: the run's folder.
        answered_only: leave samples without an answer out of the run; otherwise they are failed
            and count 0.
        system: of a file with the answers of several, this one's.

    Raises:
        InputError: faulty data or answers, or the folder holds another run.
    """
    samples = load_samples(benchmark, data, split, edition)
    predictions = {found.sample_id: found for found in read_answers(answers, samples, system)}
    if answered_only:
        samples = [sample for sample in samples if sample.id in predictions]
    config = RunConfig(
        benchmark=benchmark.name,
        edition=edition,
        split=split,
        data_sha256=data_digest(data),
        snapshot="",
        setting="closed",
        strategy="baseline",
        model=IMPORTED + name,
        style=benchmark.style,
        k=0,
        options={"answers_sha256": sha256_of(answers), "answered_only": answered_only},
    )
    record = RunRecord(
        id=run_id(config),
        config=config,
        data=str(data),
        snapshot={},
        sample_ids=tuple(sample.id for sample in samples),
        tool_version=TOOL_VERSION,
    )
    folder = RunFolder.begin(out, record)
    folder.lock()
    try:
        keep_samples(folder, samples)
        known = folder.outcomes()
        for sample in samples:
            if (sample.id, 0) not in known:
                unanswered = Prediction(sample_id=sample.id, error="the system gave no answer")
                folder.predictions_file.append(predictions.get(sample.id, unanswered))
    finally:
        folder.close()
    return folder


def read_answers(path: Path, samples: Sequence[Sample], system: str = "") -> list[Prediction]:
    """Read another system's answers.

    Args:
        path: JSON Lines, `{"id", "qid" or "question", "answer", "chunks"?, "parts"?}` each; a chunk is a
            text or `{"title", "text"}`, parts are answers to the gold sub-questions by their
            number.
        samples: the benchmark's samples; an answer names one by id or by its question's words.
        system: of a file with the answers of several, this one's: the lines whose `system` it is.

    Raises:
        InputError: a line names no sample or the same as another, a field is of a wrong type, or
            the system is not in the file.
    """
    by_id = {sample.id: sample.id for sample in samples}
    by_question = {_folded(sample.question): sample.id for sample in samples}
    found: dict[str, Prediction] = {}
    items = read_json_list(path)
    systems = sorted({str(item["system"]) for item in items if "system" in item})
    if system and system not in systems:
        known = f"it has {', '.join(systems)}" if systems else "no line has a field system"
        raise InputError(f"{path}: holds no answers of {system!r}: {known}")
    strangers: list[str] = []
    for number, item in enumerate(items, start=1):
        where = f"{path}, item {number}"
        if system and item.get("system") != system:
            continue
        if "answer" in item and item["answer"] is None:
            continue  # as leaderboards' files say that a system gave none
        if "id" in item or "qid" in item:
            given = item["id"] if "id" in item else item["qid"]
            sample_id = by_id.get(str(given))
            named = f"id {given!r}"
        else:
            question = field(item, "question", str, where)
            sample_id = by_question.get(_folded(question))
            named = f"question {question[:60]!r}"
        if sample_id is None:
            strangers.append(f"{where}: no sample of this split has the {named}")
            continue
        if sample_id in found:
            several = f"; name one of {', '.join(systems)} with --system" if systems[1:] else ""
            raise InputError(f"{where}: a second answer to the sample {sample_id!r}{several}")
        found[sample_id] = _prediction(item, sample_id, where)
    if len(strangers) > STRANGERS * len(items):
        raise InputError(strangers[0])
    for stranger in strangers:
        say(f"evals: {stranger}: left out")
    return [found[sample.id] for sample in samples if sample.id in found]


def _prediction(item: Mapping[str, Any], sample_id: str, where: str) -> Prediction:
    chunks = field(item, "chunks", list, where) if item.get("chunks") is not None else []
    parts = field(item, "parts", dict, where) if item.get("parts") is not None else {}
    return Prediction(
        sample_id=sample_id,
        response=Response(
            text=field(item, "answer", str, where),
            chunks=tuple(_chunk(chunk, where) for chunk in chunks),
            parts={str(step): field(parts, step, str, f"{where}, field 'parts'") for step in parts},
        ),
    )


def _chunk(chunk: object, where: str) -> Passage:
    if isinstance(chunk, str):
        return Passage(title="", text=chunk)
    if isinstance(chunk, dict):
        return Passage(title=str(chunk.get("title", "")), text=field(chunk, "text", str, where))
    raise InputError(f"{where}: a chunk must be a text or an object with title and text")


def _folded(question: str) -> str:
    return " ".join(question.casefold().split())
