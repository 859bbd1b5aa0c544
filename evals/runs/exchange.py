"""Answers in and out: other systems' answers become runs, runs become files others read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.terminal import say
from evals.answer_text import scored
from evals.datafiles import field, read_json_list
from evals.records import write_beside
from evals.runs.folder import RunFolder
from evals.runs.open_book import is_native
from evals.types import PAPER, Passage, Prediction, Response, RunConfig, Sample

STRANGERS = 0.01
"""Share of answers that may be to questions which this edition of the data no longer has."""
SYSTEM_TYPES = ("FOUNDATION", "FINETUNE", "PROMPT", "OTHER")
"""What FanOutQA's leaderboard tells apart."""
SUBMISSION_SETTINGS = {"closed": "closedbook", "open": "openbook", "evidence": "evidenceprovided"}
"""fanfold's settings by the names of FanOutQA's leaderboard."""


def read_answers(path: Path, samples: Sequence[Sample], system: str = "") -> list[Prediction]:
    """Read another system's answers.

    Args:
        path: JSON Lines, `{"id" or "question", "answer", "chunks"?, "parts"?}` each; a chunk is a
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
        if "id" in item:
            sample_id = by_id.get(str(item["id"]))
            named = f"id {item['id']!r}"
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


def export_jsonl(run: RunFolder) -> Iterator[str]:
    """Yield one JSON object a sample: id, epoch, answer or error, scores."""
    scores = run.scores()
    for prediction in run.predictions():
        score = scores.get((prediction.sample_id, prediction.epoch))
        record = {
            "id": prediction.sample_id,
            "epoch": prediction.epoch,
            "answer": prediction.response.text if prediction.response else None,
            "error": prediction.error,
            "scores": dict(score.values) if score else {},
        }
        yield json.dumps(record, ensure_ascii=False)


def export_csv(run: RunFolder) -> Iterator[str]:
    """Yield the lines of a table with one row a sample: id, epoch, error, then every metric."""
    scores = run.scores()
    metrics = list(dict.fromkeys(name for score in scores.values() for name in score.values))
    yield _csv_line(["id", "epoch", "error", "answer", *metrics])
    for prediction in run.predictions():
        score = scores.get((prediction.sample_id, prediction.epoch))
        values = [score.values.get(name, "") if score else "" for name in metrics]
        answer = prediction.response.text if prediction.response else ""
        yield _csv_line(
            [prediction.sample_id, prediction.epoch, prediction.error or "", answer, *values]
        )


def _csv_line(cells: Sequence[object]) -> str:
    buffer = io.StringIO()
    # A cell that begins like a formula would be run by a spreadsheet: it is data.
    safe = [f"'{cell}" if str(cell)[:1] in ("=", "@", "\t") else cell for cell in cells]
    # The writer quotes a cell for a line break only where its own lines end in one.
    csv.writer(buffer, lineterminator="\n").writerow(safe)
    return buffer.getvalue().removesuffix("\n")


def export_submission(runs: Sequence[RunFolder], folder: Path, about: Mapping[str, str]) -> Path:
    """Write a FanOutQA leaderboard submission: a file of answers for each setting, and metadata.

    Args:
        runs: runs of FanOutQA's test split by one system, one for each setting at most.
        folder: where the files go.
        about: name, authors, url, citation, details, type (`SYSTEM_TYPES`), context (tokens) and
            function_calling ("yes" or "no"): the leaderboard's words for the system. What is not
            given is taken from the runs.

    Returns:
        The metadata file.

    Raises:
        InputError: a run of another benchmark, with failed or missing samples, two of a setting, or
            something that neither was given nor can be told from the runs.
    """
    name = about.get("name") or runs[0].record.config.model
    slug = "".join(c if c.isalnum() else "-" for c in name.lower()).strip("-")
    files: dict[str, str] = {}
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        setting = SUBMISSION_SETTINGS[run.record.config.setting]
        _check_submittable(run, files, setting)
        file = f"results-{setting}-{slug}.jsonl"
        lines = [
            json.dumps({"id": p.sample_id, "answer": scored(p.response).text}, ensure_ascii=False)
            for p in run.predictions()
            # A submission holds one answer to a question: the first epoch's.
            if p.response is not None and p.epoch == 0
        ]
        _write_whole(folder / file, "\n".join(lines) + "\n")
        files[setting] = file
    config = runs[0].record.config
    metadata = {
        "name": name,
        "authors": about.get("authors", ""),
        "url": about.get("url", ""),
        "citation": about.get("citation", ""),
        "type": _type_of(config, about.get("type", "")),
        "context": _context_of(config, about.get("context", "")),
        "is_trained_for_function_calling": _calls_functions(
            runs, about.get("function_calling", "")
        ),
        "details": about.get("details") or f"{config.model}, fanfold, {config.variant}",
        **{
            f"{setting}_generations": files.get(setting) for setting in SUBMISSION_SETTINGS.values()
        },
    }
    path = folder / f"{slug}.json"
    _write_whole(path, json.dumps(metadata, ensure_ascii=False, indent=2) + "\n")
    return path


def _type_of(config: RunConfig, given: str) -> str:
    if given and given not in SYSTEM_TYPES:
        raise InputError(f"unknown --type {given!r}: choose {', '.join(SYSTEM_TYPES)}")
    if given:
        return given
    if config.prompting == PAPER:
        return "FOUNDATION"
    # The hashes of prompts are those of what a model was asked in.
    return "PROMPT" if config.prompts else "OTHER"


def _context_of(config: RunConfig, given: str) -> int:
    if given and not given.isdecimal():
        raise InputError(f"--context {given!r}: give the number of tokens")
    context = int(given) if given else config.context_limit
    if context is None:
        raise InputError("the leaderboard names the model's context: say it with --context TOKENS")
    return context


def _calls_functions(runs: Sequence[RunFolder], given: str) -> bool:
    if given not in ("", "yes", "no"):
        raise InputError(f"--function-calling {given!r}: say yes or no")
    if given:
        return given == "yes"
    tools = {run.record.config.tools for run in runs}
    if tools <= {"native", "text"}:
        return "native" in tools
    used = {
        native
        for run in runs
        for prediction in run.predictions()
        if prediction.response is not None
        for answer in prediction.response.answers
        if (native := is_native(answer)) is not None
    }
    if not used:
        raise InputError(
            "the leaderboard says whether a model is trained for function calling, and no run "
            "shows it: say --function-calling yes or no"
        )
    return True in used


def _check_submittable(run: RunFolder, files: Mapping[str, str], setting: str) -> None:
    config = run.record.config
    if config.benchmark != "fanoutqa":
        raise InputError(
            f"{run.path} is a run of {config.benchmark}: only FanOutQA has a leaderboard"
        )
    if setting in files:
        raise InputError(f"{run.path} is a second run in the {config.setting} setting: name one")
    outcomes = run.outcomes()
    lacking = [key for key in run.wanted() if outcomes.get(key, "missing") is not None]
    if lacking:
        raise InputError(
            f"{run.path}: {len(lacking)} samples are missing or failed, the first {lacking[0][0]!r}: "
            "run the same `evals run` command again"
        )


def _write_whole(path: Path, text: str) -> None:
    def write(beside: Path) -> None:
        beside.write_text(text, encoding="utf-8")

    write_beside(path, write)
