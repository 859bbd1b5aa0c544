"""Runs as they are named on a command line: each by its folder, or several by the folder of them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

from corpus.errors import InputError
from corpus.terminal import say
from evals.runs.folder import RunFolder


def folders_in(path: Path) -> list[Path]:
    """Return the runs' folders that `path` stands for: its own, or those in it."""
    inside = sorted(config.parent for config in path.glob("*/config.json"))
    return inside if inside and not (path / "config.json").is_file() else [path]


def open_runs(paths: Iterable[Path]) -> list[RunFolder]:
    """Open runs; a folder that is none but holds some stands for all of them.

    Raises:
        InputError: a run is named twice, or a folder neither is a run nor holds one.
    """
    found = [folder for path in paths for folder in folders_in(path)]
    if len({path.resolve() for path in found}) < len(found):
        raise InputError("the same run is named twice: name different runs")
    return [RunFolder.open(path) for path in found]


def scored_runs(runs: Sequence[RunFolder]) -> list[RunFolder]:
    """Return those of several runs that are scored, and name the others with what scores them.

    Raises:
        InputError: none is.
    """
    lacking = [run for run in runs if run.scoring() is None]
    if lacking and len(lacking) == len(runs):
        more = f" (nor are {len(runs) - 1} more)" if len(runs) > 1 else ""
        raise InputError(
            f"{lacking[0].path} is not scored{more}: run `{score_command(lacking[0])}` first"
        )
    for run in lacking:
        say(f"evals: {run.path} is left out, it is not scored: `{score_command(run)}` scores it")
    return [run for run in runs if run not in lacking]


def score_command(run: RunFolder) -> str:
    """Return the command that scores a run."""
    return command("score", run.path)


def command(*words: object) -> str:
    """Return a command of `evals` to copy."""
    return shlex.join(["python", "-m", "evals", *map(str, words)])
