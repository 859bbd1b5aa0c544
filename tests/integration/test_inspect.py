"""fanfold in inspect_ai: the same numbers as `evals run`, to the last digit."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from agent.terminal.answer import STATUS_MARKS
from evals.cli import app
from evals.records import from_json
from evals.types import Prediction, Response
from tests.fake_server import serving
from tests.fakes import FaithfulMind

inspect_ai = pytest.importorskip("inspect_ai", reason="inspect_ai is not installed")

from inspect_ai.log import EvalLog, resolve_sample_attachments  # noqa: E402
from inspect_ai.model import Model, get_model  # noqa: E402
from inspect_ai.solver import TaskState  # noqa: E402

from evals.integrations.inspect import tasks, tools  # noqa: E402
from evals.integrations.inspect.account import plain  # noqa: E402
from evals.integrations.inspect.scorer import prediction_of  # noqa: E402
from evals.integrations.inspect.solver import PREDICTION  # noqa: E402

ROOT = Path(__file__).parents[2]
LIMIT = 2
NAMES = ("fanoutqa", "subquestion", "compound", "cofca", "ccmor")
# Inspect leaves streams of its own to be collected.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def evaluate(task: Any, logs: Path, model: Model | str | None = None, **options: Any) -> EvalLog:
    """Run a task; its log."""
    [log] = inspect_ai.eval(
        task, model=model, log_dir=str(logs), display="none", limit=LIMIT, **options
    )
    assert log.status == "success", log.error
    return log


def means(log: EvalLog) -> dict[str, float]:
    """The numbers that Inspect prints, without the counts beside them."""
    assert log.results is not None
    [score] = log.results.scores
    found = {name: metric.value for name, metric in score.metrics.items()}
    return {name: value for name, value in found.items() if name not in ("failed", "unscored")}


def stored(log: EvalLog, place: int) -> Response:
    """What a sample's store keeps for programs."""
    assert log.samples is not None
    kept = from_json(Prediction, json.dumps(log.samples[place].store[PREDICTION])).response
    assert kept is not None
    return kept


def run(out: Path, *arguments: object) -> Mapping[str, Any]:
    """`evals run` on the same questions, then what `evals score --json` says."""
    said = ["run", "fanoutqa", "--out", out, "--limit", LIMIT, *arguments]
    done = CliRunner().invoke(app, list(map(str, said)))
    assert done.exit_code == 0, (done.output, done.exception)
    scored = CliRunner().invoke(app, ["score", str(out), "--json"])
    found: Mapping[str, Any] = json.loads(scored.stdout)
    return found


def test_the_offline_engine_scores_as_evals_run_does(tmp_path: Path) -> None:
    log = evaluate(tasks.fanoutqa(), tmp_path / "logs")
    assert means(log) == run(tmp_path / "run")["metrics"]
    assert log.samples is not None
    spans = [event for event in log.samples[0].events if event.event == "span_begin"]
    steps = [span.name for span in spans if span.type == "sub_question"]
    [answer] = stored(log, 0).answers
    answers = {one.sub_question_id: one for one in answer.sub_answers}
    status = {one.id: STATUS_MARKS["not_asked"] for one in answer.sub_questions}
    status |= {name: STATUS_MARKS[one.status] for name, one in answers.items()}
    assert steps == [f"{status[one.id]} {one.id} {one.text}" for one in answer.sub_questions]
    events = resolve_sample_attachments(log.samples[0], True).events
    shown = [event.data for event in events if event.event == "info"]
    assert len(shown) >= len(steps) >= 2
    for step, text in zip(answer.sub_questions, shown, strict=False):
        assert isinstance(text, str)
        known = answers.get(step.id)
        told = known.status.replace("_", " ") if known is not None else "not asked"
        assert text.startswith(f"**{told}**")
        for cited in known.citations if known is not None else ():
            assert plain(cited.quote) in text
            assert f"](<{cited.revision.url}>)" in text
    assert any(known.citations for known in answer.sub_answers)


def test_what_articles_say_is_no_markup() -> None:
    assert plain("<img src=x onerror=alert(1)> **x**\n# y") == (
        r"\<img src\=x onerror\=alert\(1\)\> \*\*x\*\* \# y"
    )


def test_a_model_of_inspects_scores_as_evals_run_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRIPTED_API_KEY", "none")
    with serving(FaithfulMind()) as server:
        model = get_model("openai-api/scripted/faithful", base_url=server.url)
        log = evaluate(tasks.fanoutqa(), tmp_path / "logs", model)
        theirs = run(tmp_path / "run", "--model", "faithful", "--base-url", server.url)
    assert means(log) == theirs["metrics"]
    assert log.samples is not None
    calls = [event for event in log.samples[0].events if event.event == "model"]
    assert calls, "the agent's calls stand in the log"


def test_any_solver_is_scored_by_what_it_said(tmp_path: Path) -> None:
    assert tasks.in_words({"Io": ["Galilei", 1610], "rings": True}) == (
        "Io: Galilei; 1610; rings: true"
    )
    state = TaskState(
        model=get_model("mockllm/model").name,  # type: ignore[arg-type]
        sample_id="1",
        epoch=2,
        input="?",
        messages=[],
    )
    state.output.completion = "Paris."
    prediction = prediction_of(state)
    assert prediction.response is not None
    assert (prediction.response.text, prediction.epoch) == ("Paris.", 1)


async def test_the_snapshot_is_a_tool_of_any_model() -> None:
    found = json.loads(await tools.search(k=3)("largest moon of Saturn"))
    assert [hit["rank"] for hit in found] == [1, 2, 3]
    assert all(hit["timestamp"] < "2026-11-01T23:59:59Z" for hit in found)
    assert "Titan" in json.dumps(found)
    text = await tools.read()("Saturn")
    assert "Saturn" in text[:200]


def test_every_benchmark_is_found_by_name() -> None:
    from inspect_ai._util.registry import registry_lookup

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    import_module(project["entry-points"]["inspect_ai"]["fanfold"])
    for name in NAMES:
        assert registry_lookup("task", f"fanfold/{name}") is not None
        assert len(getattr(tasks, name)().dataset) > 0
