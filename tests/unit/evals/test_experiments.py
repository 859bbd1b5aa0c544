"""Experiments from Python: any system, through the folders of the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import evals
from corpus.errors import InputError
from evals.runs.samples import find_benchmark
from evals.types import Passage

ROOT = Path(__file__).parents[3]


def titan(question: str) -> str:
    return "Titan"


def test_any_callable_is_run_scored_and_compared(tmp_path: Path) -> None:
    asked: list[str] = []

    async def counting(question: str) -> str:
        asked.append(question)
        return f"{question} Titan"

    first = evals.run("fanoutqa", titan, tmp_path / "a", limit=3)
    second = evals.run("fanoutqa", counting, tmp_path / "b", limit=3, name="counts")
    assert len(asked) == 3
    evals.run("fanoutqa", counting, tmp_path / "b", limit=3, name="counts")
    assert len(asked) == 3
    scored = [evals.score(one) for one in (first, second)]
    records = scored[0].records()
    assert [record["answer"] for record in records] == ["Titan"] * 3
    assert {"id", "question", "category", "loose", "strict"} <= set(records[0])
    frame = scored[0].frame()
    kept = (first.path / "metrics.txt").read_text(encoding="utf-8")
    assert "3 questions, 0 abstained, 0 failed" in kept
    assert float(frame["loose"].mean()) == pytest.approx(scored[0].summary.metrics["loose"].mean)
    compared = evals.compare(tmp_path)
    assert {row["run"] for row in compared.records()} == {"titan", "counts"}
    assert compared.differences()[0]["metric"] == "loose"
    assert "Headline" in compared.figures()
    assert "booktabs" in compared.latex()
    compared.report(tmp_path / "report.html")
    assert "<title>fanoutqa dev (sample)" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_what_a_system_raises_fails_that_question_alone(tmp_path: Path) -> None:
    def fails_once(question: str, seen: list[str] = []) -> str:  # noqa: B006 - its memory
        seen.append(question)
        if len(seen) == 1:
            raise KeyError("no such thing")
        return "Titan"

    folder = evals.run("fanoutqa", fails_once, tmp_path / "r", limit=3, concurrency=1)
    errors = [prediction.error for prediction in folder.predictions()]
    assert errors == ["KeyError: 'no such thing'", None, None]
    assert evals.score(folder).summary.failed == 1


@pytest.mark.parametrize("benchmark", ["fanoutqa", "subquestion", "compound", "cofca", "ccmor"])
def test_a_system_that_fails_at_everything_counts_0_everywhere(
    benchmark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def boom(question: str) -> str:
        raise RuntimeError("no service")

    failed = evals.run(benchmark, boom, tmp_path / "a", limit=2)
    assert "every question failed and counts 0, the first because: RuntimeError: no service" in (
        capsys.readouterr().err
    )
    scored = evals.score(failed)
    headline = find_benchmark(benchmark).headline
    zero = scored.summary.metrics[headline]
    assert (zero.mean, zero.n, scored.summary.failed) == (0.0, 2, 2)
    assert not any(interval.mean for interval in scored.summary.metrics.values())
    assert f"{headline} " in (failed.path / "metrics.txt").read_text(encoding="utf-8")
    evals.score(evals.run(benchmark, titan, tmp_path / "b", limit=2))
    compared = evals.compare(tmp_path)
    rows = [row for row in compared.records() if (row["metric"], row["group"]) == (headline, "all")]
    assert {row["run"]: row["mean"] for row in rows}["boom"] == 0.0
    assert [pair["n"] for pair in compared.differences()] == [2]


def test_a_withheld_answer_is_no_0_where_every_question_failed(tmp_path: Path) -> None:
    def boom(question: str) -> str:
        raise RuntimeError("no service")

    failed = evals.run("fanoutqa", boom, tmp_path / "a", split="test", limit=2)
    assert evals.score(failed).summary.metrics == {}


def test_a_system_is_given_the_passages_it_asks_for(tmp_path: Path) -> None:
    given: list[int] = []

    def reads(question: str, passages: Sequence[Passage]) -> str:
        given.append(len(passages))
        return passages[0].text

    folder = evals.run("cofca", reads, tmp_path / "r", limit=1)
    assert evals.score(folder).summary.failed == 0
    assert min(given) > 0


def test_what_cannot_be_asked_is_refused(tmp_path: Path) -> None:
    system: Any = 7
    with pytest.raises(InputError, match="cannot be asked"):
        evals.run("fanoutqa", system, tmp_path / "r")
    # A folder that was begun would be named by every later comparison as one to be scored.
    assert not (tmp_path / "r").exists()
    with pytest.raises(InputError, match="unknown setting 'ajar': choose closed, open, evidence"):
        evals.run("fanoutqa", titan, tmp_path / "r", setting="ajar")
    with pytest.raises(InputError, match="nothing to compare"):
        evals.compare()


def test_the_example_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/evaluation.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "docs/evaluation.md", "exec"), {"__name__": "page"})
    assert (tmp_path / "headline.pdf").read_bytes().startswith(b"%PDF-")
