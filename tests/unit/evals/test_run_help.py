"""The help of `evals run` names every benchmark with its promptings and options, in groups."""

from __future__ import annotations

from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from evals.benchmarks import BENCHMARKS
from evals.cli import app


def helps() -> dict[str, str]:
    run: Any = get_command(app).commands["run"].command  # type: ignore[attr-defined]
    return {one.name: one.help or "" for one in run.params}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_is_named_with_what_it_takes(name: str) -> None:
    told, benchmark = helps(), BENCHMARKS[name]
    assert name in told["benchmark"]
    if len(benchmark.promptings) > 1:
        line = told["prompting"].split(f"{name}: ")[1].split(";")[0]
        assert set(line.replace(" and so on", "").split(", ")) <= {*benchmark.promptings}
        assert "and so on" in line or set(line.split(", ")) == {*benchmark.promptings}
    for option, choices in benchmark.options.items():
        assert f"{name}: {option}={'|'.join(choices)}" in told["option"]


def test_options_stand_in_groups() -> None:
    shown = CliRunner().invoke(app, ["run", "--help"]).output
    for group in ("Questions", "System under test", "Model under test", "Judges"):
        assert f" {group} " in shown
