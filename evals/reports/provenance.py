"""How figures came about: the commands that make them again, and the versions that made them."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib.metadata import PackageNotFoundError, version

from corpus.storage.manifest import TOOL_VERSION
from evals.datafiles import SAMPLE_DATA
from evals.reports.labels import is_imported
from evals.runs.exchange.imported import IMPORTED, known_setting
from evals.runs.folder import RunFolder, RunRecord
from evals.types import Jury, RunConfig

PACKAGES = ("numpy", "scipy", "rouge-score", "simplemma")
"""Packages that the figures of a table depend on."""
EXTRACTIVE = "extractive"
_OPTIONS = {
    "model": "--model", "k": "-k", "prompting": "--prompting", "epochs": "--epochs",
    "seed": "--seed", "temperature": "--temperature", "context_limit": "--context-limit",
    "max_calls": "--max-calls", "max_tokens": "--max-tokens", "tools": "--tools",
    "classify": "--classify", "shots": "--shots", "mode": "--mode", "embedder": "--embedder",
}  # fmt: skip
"""Fields of a configuration that stand in a command only where they are not the default."""
_DEFAULTS = {one.name: one.default for one in fields(RunConfig)} | {"model": EXTRACTIVE, "k": 10}
_JURY = {
    "batch": "--coverage-batch", "shots": "--shots", "prompts": "--prompts",
    "temperature": "--temperature", "seed": "--seed",
}  # fmt: skip
_JURY_DEFAULTS = {one.name: one.default for one in fields(Jury)}


def commands_of(runs: Sequence[RunFolder]) -> Iterator[str]:
    """Yield the commands that make each run and score it, without keys or prices.

    A run that was made from Python is told as the call, with SYSTEM for what was asked.
    """
    for run in runs:
        record, imported = run.record, is_imported(run.record.config)
        if imported and "answers_sha256" not in record.config.options:
            yield _call_of(run)
        else:
            words = _import_words(record) if imported else _run_words(record)
            yield _line([*words, "--out", str(run.path)])
        scoring = run.scoring()
        jury = scoring.jury if scoring is not None else None
        if imported or jury is not None:
            yield _line(["score", str(run.path), *_jury_words(jury or Jury())])


def compare_command(folders: Sequence[str], metrics: Sequence[str], allow: Sequence[str]) -> str:
    """Return the command that compares runs in these metrics, whatever differs."""
    words = ["compare", *folders]
    for option, values in (("--metric", metrics), ("--allow", allow)):
        words += [word for value in values for word in (option, value)]
    return _line(words)


def _line(words: Sequence[str]) -> str:
    return shlex.join(["python", "-m", "evals", *words])


def _data_words(record: RunRecord) -> list[str]:
    config = record.config
    data = [] if record.data == str(SAMPLE_DATA) else ["--data", record.data]
    return [*data, "--split", config.split, "--edition", config.edition]


def _run_words(record: RunRecord) -> list[str]:
    config = record.config
    words = ["run", config.benchmark, *_data_words(record)]
    if record.selection == "first":
        words += ["--limit", str(len(record.sample_ids))]
    elif record.selection != "all":
        words += ["--ids", ",".join(record.sample_ids)]
    if config.snapshot and not record.snapshot.get("embedded"):
        words += ["--snapshot", str(record.snapshot.get("folder", ""))]
    words += ["--setting", config.setting, "--strategy", config.strategy]
    for name, option in _OPTIONS.items():
        value = getattr(config, name)
        if value != _DEFAULTS.get(name):
            words += [option, str(value)]
    words += ["--base-url", record.base_url] if record.base_url else []
    words += ["--prompts", record.prompts_folder] if record.prompts_folder else []
    for name, choice in config.options.items():
        words += ["--option", f"{name}={choice}"]
    return words + (["--label", record.label] if record.label else [])


def _import_words(record: RunRecord) -> list[str]:
    config = record.config
    name = config.model.removeprefix(IMPORTED)
    answers = ["--answers", record.answers or "FILE"]
    words = ["import", config.benchmark, *_data_words(record), *answers, "--label", name]
    words += ["--system", record.system] if record.system else []
    words += ["--limit", str(limit)] if (limit := config.options.get("limit")) else []
    words += ["--setting", config.setting] if known_setting(config) else []
    return words + (["--answered-only"] if config.options.get("answered_only") else [])


def _jury_words(jury: Jury) -> list[str]:
    words = [word for model in jury.models for word in ("--judge", model)]
    words += ["--judge-base-url", _public(jury.base_url)] if jury.base_url else []
    for name, option in _JURY.items():
        value = getattr(jury, name)
        if value != _JURY_DEFAULTS[name]:
            words += [option, str(value)]
    return words


def _call_of(run: RunFolder) -> str:
    record, config = run.record, run.record.config
    given: dict[str, object] = {"name": config.model.removeprefix(IMPORTED)}
    if record.data != str(SAMPLE_DATA):
        given["data"] = record.data
    given |= {"split": config.split, "edition": config.edition}
    if record.selection == "first":
        given["limit"] = len(record.sample_ids)
    elif record.selection != "all":
        given["ids"] = list(record.sample_ids)
    if known_setting(config):
        given["setting"] = config.setting
    named = ", ".join(f"{name}={value!r}" for name, value in given.items())
    return f"evals.run({config.benchmark!r}, SYSTEM, {str(run.path)!r}, {named})"


def _public(url: str) -> str:
    from agent.llm.shared import public_url

    return public_url(url)


def versions() -> str:
    """Return the versions of fanfold, of Python and of the packages that compute the figures."""
    found = [f"fanfold {TOOL_VERSION}", f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
