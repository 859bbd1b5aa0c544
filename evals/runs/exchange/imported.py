"""Another system's answers as a run, to score and compare it like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from agent.types import Setting
from corpus.errors import InputError
from corpus.files import sha256_of
from corpus.storage.manifest import TOOL_VERSION
from corpus.terminal import say
from evals.datafiles import field, read_json_list
from evals.ports import Benchmark
from evals.runs.folder import Key, RunFolder, RunRecord, run_id
from evals.runs.samples import keep_samples, load_samples
from evals.runs.sources import data_digest
from evals.types import Json, Passage, Prediction, Response, RunConfig, Sample

IMPORTED = "imported: "
Given = TypeVar("Given")
MOST_EPOCHS = 1000
"""More than anybody asks a question again: a larger number is a slip, and would be a large run."""
SETTING = "setting"
"""Option of an import that says in which setting its system answered; without it nobody knows."""
UNANSWERED = "the system gave no answer"
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
    limit: int | None = None,
    setting: str = "",
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
        limit: the first so many samples.
        setting: closed, open or evidence, as it answered; "" where nobody knows.

    Raises:
        InputError: an unknown setting, faulty data or answers, or the folder holds another run.
    """
    chosen, said = read_setting(setting)
    samples = load_samples(benchmark, data, split, edition)
    found = read_answers(answers, samples, system)
    samples = samples[:limit]
    predictions = {(one.sample_id, one.epoch): one for one in found}
    if answered_only:
        those = {one.sample_id for one in found if one.response is not None}
        samples = [sample for sample in samples if sample.id in those]
    config = RunConfig(
        benchmark=benchmark.name,
        edition=edition,
        split=split,
        data_sha256=data_digest(data),
        snapshot="",
        setting=chosen,
        strategy="baseline",
        model=IMPORTED + name,
        style=benchmark.style,
        k=0,
        epochs=1 + max((one.epoch for one in found), default=0),
        options=said
        | {
            "answers_sha256": sha256_of(answers),
            "answered_only": answered_only,
            **({} if limit is None else {"limit": limit}),
        },
    )
    record = RunRecord(
        id=run_id(config),
        config=config,
        data=str(data),
        snapshot={},
        sample_ids=tuple(sample.id for sample in samples),
        tool_version=TOOL_VERSION,
        answers=str(answers),
        system=system,
    )
    folder = RunFolder.begin(out, record)
    folder.lock()
    try:
        keep_samples(folder, samples)
        known = folder.outcomes()
        for key in folder.wanted():
            if key not in known:
                unanswered = Prediction(sample_id=key[0], epoch=key[1], error=UNANSWERED)
                folder.predictions_file.append(predictions.get(key, unanswered))
    finally:
        folder.close()
    return folder


def read_setting(given: str) -> tuple[Setting, dict[str, Json]]:
    """Return the setting of another system's run, and the option that keeps that somebody said it.

    Raises:
        InputError: there is none of that name; "" is nobody's word, and closed.
    """
    if not given:
        return "closed", {}
    for setting in get_args(Setting):
        if setting == given:
            return setting, {SETTING: given}
    raise InputError(f"unknown setting {given!r}: choose {', '.join(get_args(Setting))}")


def known_setting(config: RunConfig) -> Setting | None:
    """Return the setting of a run; None of another system's answers where nobody said it."""
    imported = config.model.startswith(IMPORTED)
    return None if imported and SETTING not in config.options else config.setting


def told(folder: RunFolder, whole: int) -> str:
    """Say what became of the questions of an import.

    Args:
        folder: of the run.
        whole: questions of the whole split.

    Returns:
        "310 questions: 280 answered, 12 abstained, 18 without an answer (they count 0)", or "…, 18
        left out (no answer, or null)".
    """
    counts = {"answered": 0, "abstained": 0, "without an answer (they count 0)": 0}
    for one in folder.predictions():
        if one.response is None:
            counts["without an answer (they count 0)"] += 1
        else:
            counts["abstained" if one.response.abstained else "answered"] += 1
    left = whole - len(folder.record.sample_ids)
    parts = [f"{n:,} {what}" for what, n in counts.items() if n or what == "answered"]
    epochs = folder.record.config.epochs
    asked = f"{whole:,} questions" + (f", {epochs} answers each" if epochs > 1 else "")
    return f"{asked}: {', '.join(parts + ([f'{left:,} left out (no answer, or null)'] if left else []))}"


def read_answers(path: Path, samples: Sequence[Sample], system: str = "") -> list[Prediction]:
    """Read another system's answers.

    Args:
        path: JSON Lines, `{"id", "qid" or "question", "answer", "abstained"?, "chunks"?, "parts"?}`
            each; a chunk is a text or `{"title", "text"}`, parts are answers to the gold
            sub-questions by their number. An answer that abstained, or is empty, says nothing and is
            scored so; null is no answer, as a missing line is, for the reason in `error` if that is there. What `evals
            export` adds, `epoch` and `asked`, is read as well.
        samples: the benchmark's samples; an answer names one by id or by its question's words.
        system: of a file with the answers of several, this one's: the lines whose `system` it is.

    Raises:
        InputError: a line names no sample or the same as another, a field is of a wrong type, or
            the system is not in the file.
    """
    by_id = {sample.id: sample.id for sample in samples}
    by_question = {_folded(sample.question): sample.id for sample in samples}
    found: dict[Key, Prediction] = {}
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
        if "answer" in item and item["answer"] is None and not item.get("error"):
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
        prediction = _prediction(item, sample_id, where)
        if (sample_id, prediction.epoch) in found:
            several = f"; name one of {', '.join(systems)} with --system" if systems[1:] else ""
            raise InputError(f"{where}: a second answer to the sample {sample_id!r}{several}")
        found[sample_id, prediction.epoch] = prediction
    if len(strangers) > STRANGERS * len(items):
        raise InputError(strangers[0])
    for stranger in strangers:
        say(f"evals: {stranger}: left out")
    epochs = sorted({epoch for _, epoch in found})
    keys = ((sample.id, epoch) for epoch in epochs for sample in samples)
    return [found[key] for key in keys if key in found]


def _prediction(item: Mapping[str, Any], sample_id: str, where: str) -> Prediction:
    def given(name: str, kind: type[Given], default: Given) -> Given:
        return field(item, name, kind, where) if item.get(name) is not None else default

    epoch = given("epoch", int, 0)
    if not 0 <= epoch < MOST_EPOCHS:
        raise InputError(f"{where}: field 'epoch' must be below {MOST_EPOCHS}, not {epoch}")
    if "answer" in item and item["answer"] is None:
        return Prediction(sample_id=sample_id, epoch=epoch, error=given("error", str, UNANSWERED))
    text = field(item, "answer", str, where)
    parts = given("parts", dict, {})
    return Prediction(
        sample_id=sample_id,
        epoch=epoch,
        response=Response(
            text=text,
            chunks=tuple(_chunk(chunk, where) for chunk in given("chunks", list, [])),
            parts={str(step): field(parts, step, str, f"{where}, field 'parts'") for step in parts},
            abstained=given("abstained", bool, False) or not text.strip(),
            asked=given("asked", dict, {}),
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
