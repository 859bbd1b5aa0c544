from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import agent.cli
import agent.options
from corpus import Snapshot
from retrieval.index import ensure_built, export_index
from tests.fake_server import FakeServer, Misbehaviour, serving
from tests.fakes import FaithfulMind
from tests.unit.retrieval.wiki import small_snapshot

ROOT = Path(__file__).parents[3]
QUESTION = "Who discovered Titan, and which planets have rings?"
MIND = FaithfulMind(
    plan=["Who discovered Titan?", "Which planets have rings?", "How old is Titan?"],
    kinds={"How old": "follow-up"},
    answers={"discovered Titan": "Huygens"},
)
Run = Callable[..., int]


@pytest.fixture
def run(
    tmp_path: Path,
    sample: Snapshot,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Run:
    """Run the command line in this process, with a state folder of its own; return its exit code."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("FANFOLD_MODEL", "FANFOLD_BASE_URL", "FANFOLD_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(agent.options, "_cache_folder", lambda: tmp_path / "cache")

    def call(*arguments: str) -> int:
        monkeypatch.setattr(agent.cli, "_begun", [])
        monkeypatch.setattr(sys, "argv", ["run_agent.py", *arguments])
        with pytest.raises(SystemExit) as left:
            agent.cli.main()
        assert isinstance(left.value.code, int)
        return left.value.code

    return call


@pytest.fixture
def server() -> Iterator[FakeServer]:
    with serving(MIND) as running:
        yield running


def at(server: FakeServer) -> list[str]:
    return ["--model", "m", "--base-url", server.url]


def test_json_is_all_there_is_on_standard_output(
    run: Run, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(QUESTION, "--json", *at(server)) == 0
    printed = capsys.readouterr()
    value = json.loads(printed.out)
    assert printed.out.count("\n") == 1
    assert value["question"] == QUESTION
    assert value["model"] == "m"
    assert [step["status"] for step in value["sub_questions"]] == [
        "answered",
        "unsure",
        "not_asked",
    ]
    assert value["usage"]["calls"] == 5
    assert "run_agent: run " in printed.err
    assert "5 model calls" in printed.err
    # Asked again, nothing is paid for twice.
    assert run(QUESTION, "--json", *at(server)) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["usage"]["cached"] == 5
    assert again["answer"] == value["answer"]
    assert len(server.requests) == 5
    assert run(QUESTION, "--json", "--replay", *at(server)) == 0
    assert run("A question of another kind?", "--replay", *at(server)) == 4


def test_the_vectors_may_lie_in_a_store(
    run: Run,
    server: FakeServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("qdrant_client")
    wiki = small_snapshot(tmp_path / "wiki")
    ensure_built(wiki)
    spec = f"qdrant:{tmp_path / 'store'}"
    asked = [QUESTION, "--snapshot", str(wiki)]
    assert run(*asked, "--retriever", spec) == 2
    assert f"retrieval export DIR --to {spec}" in capsys.readouterr().err
    assert run(*asked, "--retriever", spec, "--setting", "closed") == 2
    assert "no meaning in the closed setting" in capsys.readouterr().err
    export_index(wiki, spec)
    answers = []
    for options in ([], ["--retriever", spec]):
        assert run(*asked, "--json", *options, *at(server)) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0]["answer"] == answers[1]["answer"]
    assert answers[0]["citations"] == answers[1]["citations"]


def test_the_endpoint_may_be_named_in_the_environment(
    run: Run,
    server: FakeServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FANFOLD_MODEL", "m")
    monkeypatch.setenv("FANFOLD_BASE_URL", server.url)
    monkeypatch.setenv("FANFOLD_API_KEY", "sk-secret")
    server.key = "sk-secret"
    assert run(QUESTION, "-v") == 0
    printed = capsys.readouterr()
    assert "Sources" in printed.out
    assert "You could ask next" in printed.out
    assert " s  plan  {" in printed.err
    assert "sk-secret" not in printed.out + printed.err


def test_a_key_for_openai_alone_calls_nobody(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-this")
    assert run("hi", "--model", "gpt-4o") == 2
    assert "OPENAI_API_KEY is never used" in capsys.readouterr().err
    assert run("Who discovered Titan?", "--json") == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["model"] == "extractive"
    assert "no model is named, the extractive engine answers" in printed.err
    assert "no snapshot is named, the embedded sample answers" in printed.err


def test_a_wrong_key_is_a_backends_failure_and_is_not_shown(
    run: Run,
    server: FakeServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.key = "sk-right"
    monkeypatch.setenv("FANFOLD_API_KEY", "sk-wrong-123")
    assert run(QUESTION, "--json", *at(server)) == 4
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "sub-questions failed, the first because" in printed.err
    assert "sk-wrong-123" not in printed.err


def test_nothing_found_has_its_own_exit_code(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    found_nothing = {"found": False, "answer": "", "items": [], "quotes": []}

    def mind(asked: object) -> object:
        form = asked.form  # type: ignore[attr-defined]
        return found_nothing if form == "AnswerReply" else MIND(asked)  # type: ignore[arg-type]

    with serving(mind) as server:
        assert run(QUESTION, "--json", *at(server)) == 3
    value = json.loads(capsys.readouterr().out)
    assert value["abstained"] is True
    assert value["citations"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["?"], "the question is empty"),
        ([], "no question"),
        (["x" * 100_000], "100,000 characters"),
        (["hi", "--snapshot", "/nowhere/at/all"], "no snapshot at /nowhere/at/all"),
        (["hi", "--snapshot", str(ROOT)], "is not a snapshot"),
        (["hi", "--strategy", "clever"], "choose baseline"),
        (["hi", "--setting", "evidence"], "--evidence TITLE"),
        (["hi", "--setting", "evidence", "--evidence", "Nowhere Land"], "no article is called"),
        (["hi", "--plan", "/nowhere.json"], "the plan cannot be read"),
        (["hi", "--max-calls", "0"], "allows nothing"),
        (["hi", "--max-calls", "many"], "--max-calls"),
        (["hi", "--no-such-option"], "no-such-option"),
        (["--resume", "nothing"], "no run 'nothing' to resume"),
        (["hi", "--resume", "x"], "leave the question out"),
        (["hi", "--replay"], "add --model"),
        (["hi", "--rpm", "60"], "--rpm is about model calls"),
        (["hi", "--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--tpm", "0"], "--tpm is 0"),
        (
            ["hi", "--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--max-cost", "1"],
            "name its price with --prices FILE",
        ),
        (
            ["hi", "--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--classify", "all"],
            "choose batch, each",
        ),
        (["hi", "--model", "m", "--base-url", "ftp://x"], "is no address"),
        (
            ["hi", "--model", "m", "--base-url", "http://127.0.0.1:1/v1", "--concurrency", "0"],
            "more than 0",
        ),
    ],
)
def test_bad_input_is_one_clear_line(
    run: Run, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = [line for line in printed.err.splitlines() if " is named, the " not in line]
    assert len(lines) == 1
    assert words in lines[0]
    assert len(lines[0]) < 500


def test_a_plan_waits_where_nobody_can_be_asked(
    run: Run, server: FakeServer, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(QUESTION, "--approve", *at(server)) == 130
    printed = capsys.readouterr()
    assert printed.out == ""
    how = printed.err.splitlines()[-1]
    assert "the plan waits; to go on: python run_agent.py --resume " in how
    run_id = how.split("--resume ")[1].split()[0]
    assert run("--resume", run_id, "--strategy", "e2e") == 2
    assert "--strategy has no meaning with --resume" in capsys.readouterr().err
    plan = tmp_path / "plan.json"
    plan.write_text('[{"text": "Who discovered Titan?"}]')
    assert run("--resume", run_id, "--plan", str(plan), "--json") == 0
    value = json.loads(capsys.readouterr().out)
    assert [step["text"] for step in value["sub_questions"]] == ["Who discovered Titan?"]
    # The answer of a finished run is there to be read again.
    assert run("--resume", run_id, "--json") == 0
    assert json.loads(capsys.readouterr().out)["answer"] == value["answer"]


def test_a_state_folder_that_cannot_be_written_costs_only_the_resumption(
    run: Run,
    server: FakeServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert run(QUESTION, "--json", *at(server)) == 0
    assert "an interruption would lose this question" in capsys.readouterr().err
    assert run("--resume", "abc") == 2


def test_ctrl_c_says_how_to_go_on(tmp_path: Path, sample: Snapshot) -> None:
    import os
    import signal

    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path), "FANFOLD_API_KEY": "k"}
    with serving(MIND, trouble=lambda number, body: Misbehaviour(stall=20.0)) as server:
        process = subprocess.Popen(
            [
                *(sys.executable, "run_agent.py", QUESTION),
                *(*at(server), "--calls", str(tmp_path / "calls.sqlite")),
            ],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        end = time.monotonic() + 60
        while not server.requests and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    last = err.splitlines()[-1]
    assert last.startswith("run_agent: interrupted; to go on: python run_agent.py --resume ")


def test_help_loads_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "run_agent.py", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "--resume" in done.stdout
    assert done.stderr == ""


def test_options_of_model_calls_reach_the_server(
    run: Run, server: FakeServer, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"m": {"in": 1000, "out": 0}}')
    options = ["--classify", "each", "--stream", "--prices", str(prices), "--rpm", "1000"]
    assert run(QUESTION, "--json", *at(server), *options) == 0
    usage = json.loads(capsys.readouterr().out)["usage"]
    assert all(request["stream"] is True for request in server.requests)
    forms = [
        (request.get("response_format") or {}).get("json_schema", {}).get("name")
        for request in server.requests
    ]
    assert forms.count("OneKindReply") == 3
    assert "KindsReply" not in forms
    assert usage["cost_usd"] == pytest.approx(usage["tokens_in"] / 1000)
    assert server.faults == []


def test_calls_a_minute_hold_calls_back(
    run: Run, server: FakeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    # The bucket holds a minute's worth: of five calls at three a minute two would wait 20 s each,
    # longer than the question may take.
    options = ["--rpm", "3", "--max-seconds", "5"]
    assert run(QUESTION, "--json", *at(server), *options) == 0
    value = json.loads(capsys.readouterr().out)
    assert len(server.requests) == 3
    failed = [step for step in value["sub_questions"] if step["status"] == "failed"]
    assert len(failed) == 1


def test_prompts_follow_the_snapshots_language(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def mind(one: object) -> object:
        asked.extend(str(m["content"]) for m in one.messages if m["role"] == "system")  # type: ignore[attr-defined]
        return "{}"

    with serving(mind) as server:
        assert run("长江有多长？", "--language", "zh", *at(server), "--max-calls", "2") in (3, 4)
    assert asked
    assert all("只" in text or "问题" in text for text in asked)
