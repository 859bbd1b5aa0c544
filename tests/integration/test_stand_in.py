"""Runs with a model, by the documented command, where there is no model: they go, and say so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.stand_in import NAME, SAID_BY
from tests.pages import do


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "agent", "stand-in", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        assert "this is no model, and its figures mean nothing" in line
        found = re.search(rf"--model {NAME} --base-url (\S+)", line)
        assert found is not None
        yield found[1]
        server.terminate()
        assert server.wait(10) == 130


def test_strategies_with_a_model_are_tried_without_one(address: str, tmp_path: Path) -> None:
    model = f"--model {NAME} --base-url {address}"
    out = do(
        f"python -m evals run fanoutqa --strategy baseline,agentic {model} --judge {NAME} --limit 1 "
        f"--out {tmp_path / 'runs'}"
    )
    assert f"{NAME} is a stand-in that quotes by script" in out
    assert f"{NAME} is asked 1 question of one call and 1 question of several calls" in out
    for strategy in ("baseline", "agentic"):
        kept = (tmp_path / f"runs/{strategy}-open/metrics.txt").read_text()
        assert f"{NAME}: 1 questions, 0 abstained, 0 failed" in kept
        assert re.search(r"judge +unscored 1 ×", kept)
        said = (tmp_path / f"runs/{strategy}-open/predictions.jsonl").read_text()
        assert json.loads(said)["response"]["text"].startswith(SAID_BY)
    do(f"python -m evals compare {tmp_path / 'runs'} --out {tmp_path / 'report.html'}")
    assert NAME in (tmp_path / "report.html").read_text()


def test_a_question_is_asked_of_it(address: str) -> None:
    model = f"--model {NAME} --base-url {address}"
    out = do(
        f'python run_agent.py "What is the largest moon of Saturn?" {model} --strategy baseline'
    )
    assert SAID_BY in out
