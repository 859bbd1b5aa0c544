"""What the command line hands on: prompts, seeds, examples, and the judges of an earlier scoring."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.prompted.templates import PACKAGED, Prompts
from corpus.errors import InputError
from evals.cli import app
from evals.runs.folder import RunFolder
from evals.runs.prompt_files import check_prompt_folder, prompt_hashes
from tests.fake_server import FakeServer, serving
from tests.fakes import Asked, FaithfulMind

RUN = ("run", "fanoutqa", "--setting", "closed", "--strategy", "baseline", "--limit", "3")


def evals(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def mind(asked: Asked) -> object:
    """Answers, and as a judge gives a grade by the length of what it is shown."""
    if asked.form:
        return FaithfulMind()(asked)
    return f"Grade: {'ABCDEF'[len(asked.text) % 6]}"


@pytest.fixture
def server() -> FakeServer:  # type: ignore[misc]
    with serving(mind) as running:
        yield running


def test_an_epoch_repeats_no_request_of_another(server: FakeServer, tmp_path: Path) -> None:
    evals(*RUN, "--epochs", 2, "--seed", 7, "--temperature", 0.5, "--model", "m",
          "--base-url", server.url, "--out", tmp_path / "run")  # fmt: skip
    asked = [json.dumps(request, sort_keys=True) for request in server.requests]
    assert len(asked) == len(set(asked)) == 6
    assert {request["seed"] for request in server.requests} == {7, 8}
    assert {request["temperature"] for request in server.requests} == {0.5}


def test_a_scoring_without_judge_keeps_the_verdicts(server: FakeServer, tmp_path: Path) -> None:
    out = tmp_path / "run"
    evals(*RUN, "--model", "m", "--base-url", server.url, "--judge", "j", "--out", out)
    folder = RunFolder.open(out)
    judged = folder.scores()
    assert all("judge" in score.values for score in judged.values())
    asked = len(server.requests)
    evals("score", out)
    assert folder.scores() == judged
    scoring = folder.scoring()
    assert scoring is not None
    assert scoring.judge == "j"
    assert len(server.requests) == asked
    evals("score", out, "--judge", "none")
    assert all("judge" in score.unscored for score in folder.scores().values())


def test_own_prompts_are_sent_and_named(server: FakeServer, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    text = (PACKAGED / "compose_closed.md").read_text(encoding="utf-8")
    (own / "compose_closed.md").write_text(text + "\nOnly this once.\n", encoding="utf-8")
    out = tmp_path / "run"
    evals(*RUN, "--model", "m", "--base-url", server.url, "--prompts", own, "--out", out)
    assert all("Only this once." in str(request["messages"]) for request in server.requests)
    config = json.loads((out / "config.json").read_text(encoding="utf-8"))
    packaged = prompt_hashes(None)
    differing = {n for n, value in config["prompts"].items() if packaged[n] != value}
    assert differing == {"agent/compose_closed"}
    assert config["config"]["prompts"]["agent/compose_closed"] != packaged["agent/compose_closed"]
    again = CliRunner().invoke(
        app, [*RUN, "--model", "m", "--base-url", server.url, "--out", str(out)]
    )
    assert "the prompt agent/compose_closed" in str(again.exception)


def test_a_prompt_that_replaces_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "compsoe.md").write_text("<!-- user -->\n$question", encoding="utf-8")
    with pytest.raises(InputError, match=r"replaces no prompt: is it compose"):
        check_prompt_folder(tmp_path)


def test_examples_are_counted() -> None:
    prompts = Prompts()
    whole = prompts.examples("classify", None)
    assert prompts.examples("classify", 0) == ""
    one = prompts.examples("classify", 1)
    assert whole.startswith(one)
    assert whole.count("Main question:") == 4
    assert one.count("Main question:") == 1
    with pytest.raises(InputError, match="has 4 examples, 9 were asked for"):
        prompts.examples("classify", 9)
