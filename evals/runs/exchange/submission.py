"""Runs as a submission to FanOutQA's leaderboard."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import InputError
from evals.answer_text import scored
from evals.benchmarks.editions import PUBLISHED
from evals.records import write_beside
from evals.runs.exchange.imported import IMPORTED, known_setting
from evals.runs.folder import RunFolder
from evals.runs.samples import find_benchmark, load_samples
from evals.runs.system.open_book import is_native
from evals.types import PAPER, RunConfig

SYSTEM_TYPES = ("FOUNDATION", "FINETUNE", "PROMPT", "OTHER")
"""What FanOutQA's leaderboard tells apart."""
SUBMISSION_SETTINGS = {"closed": "closedbook", "open": "openbook", "evidence": "evidenceprovided"}
"""fanfold's settings by the names of FanOutQA's leaderboard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a submission holds of one setting."""

    setting: str
    """As the leaderboard names it."""
    answers: int
    empty: int
    """Of them, those that say nothing."""
    questions: int | None
    """Of the whole split; None where the data is not there any more."""
    foreign: str = ""
    """What its questions are, where they are none that the leaderboard scores."""

    @property
    def lacks(self) -> str:
        """What it lacks, in words; "" where it is whole."""
        told = []
        if self.questions is not None and self.answers < self.questions:
            told.append(f"{self.answers:,} of the split's {self.questions:,} questions")
        if self.empty:
            told.append(f"{self.empty:,} of its {self.answers:,} answers say nothing")
        return " and ".join(told)


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A submission as it was written."""

    metadata: Path
    held: tuple[Held, ...]


def export_submission(
    runs: Sequence[RunFolder], folder: Path, about: Mapping[str, str], *, allow_empty: bool = False
) -> Submission:
    """Write a FanOutQA leaderboard submission: a file of answers for each setting, and metadata.

    Args:
        runs: runs of FanOutQA's test split by one system, one for each setting at most.
        folder: where the files go.
        about: name, authors, url, citation, details, type (`SYSTEM_TYPES`), context (tokens) and
            function_calling ("yes" or "no"): the leaderboard's words for the system. What is not
            given is taken from the runs.
        allow_empty: write it even where a setting's answers all say nothing.

    Returns:
        The metadata file, and how much of the split each setting holds.

    Raises:
        InputError: a run of another benchmark, with failed or missing samples, two of a setting, one
            whose answers all say nothing, or something that neither was given nor can be told from
            the runs.
    """
    held = _held(runs, allow_empty=allow_empty)
    name = about.get("name") or runs[0].record.config.model.removeprefix(IMPORTED)
    slug = "".join(c if c.isalnum() else "-" for c in name.lower()).strip("-")
    files: dict[str, str] = {}
    folder.mkdir(parents=True, exist_ok=True)
    for run in runs:
        setting = SUBMISSION_SETTINGS[run.record.config.setting]
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
    return Submission(metadata=path, held=held)


def _held(runs: Sequence[RunFolder], *, allow_empty: bool) -> tuple[Held, ...]:
    """Return what each run brings, before anything is written.

    Raises:
        InputError: a run that cannot be submitted.
    """
    found: dict[str, Held] = {}
    for run in runs:
        setting = SUBMISSION_SETTINGS.get(run.record.config.setting, "")
        _check_submittable(run, found, setting)
        texts = [
            scored(one.response).text.strip()
            for one in run.predictions()
            if one.response is not None and one.epoch == 0
        ]
        if not any(texts) and not allow_empty:
            raise InputError(
                f"{run.path}: none of its {len(texts)} answers says anything: a submission of it "
                "would be empty; --allow-empty writes it all the same"
            )
        found[setting] = Held(
            setting=setting,
            answers=len(texts),
            empty=texts.count(""),
            questions=_questions_of(run),
            foreign=_foreign(run.record.config),
        )
    return tuple(found.values())


def _foreign(config: RunConfig) -> str:
    if config.split == "test" and config.edition in PUBLISHED:
        return ""
    return f"the split {config.split} of the edition {config.edition}"


def _questions_of(run: RunFolder) -> int | None:
    """Return how many questions the split of a run has; None where its data cannot be read now."""
    record, config = run.record, run.record.config
    try:
        data = Path(record.data)
        return len(load_samples(find_benchmark("fanoutqa"), data, config.split, config.edition))
    except InputError:
        return None


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


def _check_submittable(run: RunFolder, files: Collection[str], setting: str) -> None:
    config = run.record.config
    if config.benchmark != "fanoutqa":
        raise InputError(
            f"{run.path} is a run of {config.benchmark}: only FanOutQA has a leaderboard"
        )
    if setting in files:
        raise InputError(f"{run.path} is a second run in the {config.setting} setting: name one")
    if known_setting(config) is None:
        raise InputError(
            f"{run.path}: nothing says in which setting its system answered, and a submission is of "
            f"one: {_again(run, '--setting closed, open or evidence', 'setting=')}"
        )
    outcomes = run.outcomes()
    lacking = [key for key in run.wanted() if outcomes.get(key, "missing") is not None]
    if lacking:
        raise InputError(
            f"{run.path}: {len(lacking)} samples are missing or failed, the first {lacking[0][0]!r}: "
            + _again(run, "--answered-only, which leaves them out", "")
        )


def _again(run: RunFolder, imported: str, called: str) -> str:
    """Return how a run is made again: by its import, its call from Python or its command."""
    record = run.record
    if not record.config.model.startswith(IMPORTED):
        return "run the same `evals run` command again"
    if record.answers:
        return f"import {record.answers} again into another folder with {imported}"
    return f"call `evals.run` again{f' for another folder with {called}' if called else ''}"


def _write_whole(path: Path, text: str) -> None:
    def write(beside: Path) -> None:
        beside.write_text(text, encoding="utf-8")

    write_beside(path, write)
