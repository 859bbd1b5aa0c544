"""What goes wrong on a user's machine ends in one line and the right exit code, on real processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from corpus.sample import sample_snapshot
from retrieval.index import ensure_built
from tests.fake_server import FakeServer, Misbehaviour, refusal, serving
from tests.fakes import FaithfulMind

ROOT = Path(__file__).parents[2]
QUESTION = "Who discovered Titan, and which planets have rings?"
MIND = FaithfulMind(
    plan=["Who discovered Titan?", "Which planets have rings?"],
    answers={"discovered Titan": "Huygens"},
)
HTML = Misbehaviour(body="<html><title>Sign in to the hotel's network</title></html>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """How a process ended."""

    code: int
    out: str
    err: str

    @property
    def told(self) -> list[str]:
        """Standard error without what is said of defaults."""
        return [line for line in self.err.splitlines() if " is named, the " not in line]


class Machine:
    """A machine with a home of its own, on which command lines are run."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._warm = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.cli_in_forks"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.snapshot = home / "snapshot"
        self.pid = 0

    def run(
        self,
        *argv: str,
        env: Mapping[str, str] | None = None,
        begun: Callable[[int], None] = lambda _: None,
        **job: Any,
    ) -> Done:
        assert self._warm.stdin is not None
        assert self._warm.stdout is not None
        out, err = self.home / "out", self.home / "err"
        out.unlink(missing_ok=True)
        err.unlink(missing_ok=True)
        whole = {"XDG_STATE_HOME": str(self.home / "state"), **(env or {})}
        whole.setdefault("XDG_CACHE_HOME", str(self.home / "cache"))
        told = {"argv": argv, "env": whole, "out": str(out), "err": str(err), **job}
        self._warm.stdin.write(json.dumps(told) + "\n")
        self._warm.stdin.flush()
        self.pid = int(self._warm.stdout.readline())
        begun(self.pid)
        code = int(self._warm.stdout.readline())
        return Done(code=code, out=out.read_text("utf-8"), err=err.read_text("utf-8"))

    def close(self) -> None:
        assert self._warm.stdin is not None
        self._warm.stdin.close()
        self._warm.wait(20)
        assert self._warm.stdout is not None
        self._warm.stdout.close()


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    home = Path(tempfile.mkdtemp(prefix="fanfold-"))
    running = Machine(home)
    try:
        built = sample_snapshot("en")
        ensure_built(built, "bm25")
        ignored = shutil.ignore_patterns("dense*", "*.lock", "lock")
        shutil.copytree(built, running.snapshot, ignore=ignored)
        yield running
    finally:
        running.close()
        shutil.rmtree(home)


@pytest.fixture
def here(machine: Machine) -> Iterator[Machine]:
    """The machine with nothing kept of what was asked before."""
    yield machine
    for name in ("state", "cache"):
        shutil.rmtree(machine.home / name, ignore_errors=True)


def one_line(done: Done, code: int, words: str) -> None:
    assert done.code == code, done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    assert len(done.told) == 1, done.err
    assert done.told[0].startswith("run_agent: ")
    assert words in done.told[0]
    assert len(done.told[0]) < 500


def test_an_empty_question(here: Machine) -> None:
    one_line(here.run("  "), 2, "the question is empty")


def test_a_question_of_a_hundred_thousand_characters(here: Machine) -> None:
    one_line(here.run("why " * 25_000), 2, "99,999 characters")


def test_a_snapshot_that_is_not_there(here: Machine) -> None:
    one_line(here.run("why?", "--snapshot", "/nowhere"), 2, "no snapshot at /nowhere")


def test_a_folder_of_another_program(here: Machine, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "a web site"}')
    one_line(here.run("why?", "--snapshot", str(tmp_path)), 2, str(tmp_path))


def test_a_snapshot_whose_articles_are_no_database(here: Machine, tmp_path: Path) -> None:
    shutil.copy(here.snapshot / "manifest.json", tmp_path)
    (tmp_path / "articles.sqlite").write_text("no database " * 100)
    one_line(here.run("why?", "--snapshot", str(tmp_path)), 2, str(tmp_path))


def test_an_index_of_another_snapshot(here: Machine, tmp_path: Path) -> None:
    folder = tmp_path / "mixed"
    shutil.copytree(here.snapshot, folder)
    other = sample_snapshot("zh")
    ensure_built(other, "bm25")
    shutil.rmtree(folder / "indexes")
    shutil.copytree(other / "indexes", folder / "indexes")
    one_line(here.run("Who discovered Titan?", "--snapshot", str(folder)), 2, "another snapshot")


def test_folders_that_may_not_be_written(here: Machine) -> None:
    shut = here.home / "shut"
    shut.mkdir(mode=0o555, exist_ok=True)
    shut_in: dict[str, Any] = {"env": {"XDG_CACHE_HOME": str(shut)}, "unprivileged": True}
    one_line(here.run("Who discovered Titan?", **shut_in), 2, str(shut))
    # Asked of a snapshot, the question is answered: only its resumption is lost.
    with serving(MIND) as server:
        asked = [QUESTION, "--snapshot", str(here.snapshot), *at(server)]
        one_line(here.run(*asked, **shut_in), 2, str(shut))
        asked += ["--calls", str(here.home / "calls.sqlite"), "--json"]
        done = here.run(*asked, env={"XDG_STATE_HOME": str(shut)}, unprivileged=True)
    # Replay reads where nothing may be written.
    shelf = here.home / "shelf"
    shelf.mkdir()
    shutil.copy(here.home / "calls.sqlite", shelf)
    shelf.chmod(0o555)
    asked[-2] = str(shelf / "calls.sqlite")
    replayed = here.run(*asked, "--replay", unprivileged=True)
    assert replayed.code == 0, replayed.err
    assert json.loads(replayed.out)["answer"] == json.loads(done.out)["answer"]
    assert len(list(shelf.iterdir())) == 1
    assert done.code == 0, done.err
    assert json.loads(done.out)["citations"]
    assert "an interruption would lose this question" in done.told[0]
    assert list(shut.iterdir()) == []


def test_a_full_disk_while_the_sample_is_made(here: Machine) -> None:
    done = here.run("Who discovered Titan?", largest_file=60_000)
    assert done.code == 2
    assert "Traceback" not in done.err
    assert "free some space" in done.told[-1]
    folder = here.home / "cache" / "fanfold"
    assert [one for one in folder.glob("sample-en-*") if (one / "manifest.json").is_file()] == []


ROOM_TO_BEGIN = 160_000
"""Bytes of a file in which tables can be made, and a question cannot be kept: ten of their pages."""


def test_a_full_disk_where_calls_are_kept(here: Machine, tmp_path: Path) -> None:
    calls = tmp_path / "calls.sqlite"
    with serving(MIND) as server:
        asked = [QUESTION, "--snapshot", str(here.snapshot), *at(server), "--calls", str(calls)]
        done = here.run(*asked, largest_file=1000)
        assert (done.code, done.out) == (2, "")
        assert "calls cannot be recorded in " in done.told[-1]
        assert server.requests == []
        # It may also fill up later.
        done = here.run(*asked, "--json", largest_file=ROOM_TO_BEGIN)
        assert done.code == 4
        assert done.out == ""
        assert "Traceback" not in done.err
        assert str(calls) in done.told[-1] or "runs.sqlite" in done.told[-1]
        assert here.run(*asked, "--json").code == 0


def test_a_full_disk_where_runs_are_kept_costs_a_resumption(here: Machine, tmp_path: Path) -> None:
    with serving(MIND) as server:
        asked = [QUESTION, "--snapshot", str(here.snapshot), *at(server)]
        asked += ["--calls", str(tmp_path / "calls.sqlite"), "--json"]
        whole = json.loads(here.run(*asked).out)
        shutil.rmtree(here.home / "state")
        # From here on calls are only read, so that runs alone meet the full disk.
        done = here.run(*asked, "--replay", largest_file=2000)
        assert done.code == 0, done.err
        assert "an interruption would lose this question" in done.told[0]
        shutil.rmtree(here.home / "state")
        filled = here.run(*asked, "--replay", largest_file=ROOM_TO_BEGIN)
        assert (filled.code, filled.out) == (4, ""), filled.err
        assert "Traceback" not in filled.err
        assert "free some space" in filled.told[-1]
        run_id = filled.told[-1].rpartition(" ")[2]
        resumed = here.run("--resume", run_id, "--calls", str(tmp_path / "calls.sqlite"), "--json")
    assert resumed.code == 0, resumed.err
    assert json.loads(resumed.out)["answer"] == whole["answer"]


def at(server: FakeServer) -> list[str]:
    return ["--model", "m", "--base-url", server.url]


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (HTML, "not a chat completion"),
        (Misbehaviour(status=404, body="<html>no such page</html>"), "HTTP 404"),
        (Misbehaviour(status=502, body="<html>bad gateway</html>"), "HTTP 502"),
        (refusal(401, "You didn't provide an API key."), "HTTP 401: You didn't provide an API key"),
        (refusal(429, "You exceeded your quota", code="insufficient_quota"), "exceeded your quota"),
    ],
    ids=["html", "wrong path", "bad gateway", "needs a key", "used up"],
)
def test_an_endpoint_that_is_none(here: Machine, how: Misbehaviour, words: str) -> None:
    with serving(MIND, trouble=lambda number, body: how) as server:
        asked = [QUESTION, "--snapshot", str(here.snapshot), *at(server), "--retries", "0"]
        failed(here.run(*asked), words)


def test_an_endpoint_that_is_down(here: Machine) -> None:
    for address in ("http://127.0.0.1:9/v1", "http://nowhere.invalid/v1"):
        asked = [QUESTION, "--snapshot", str(here.snapshot), "--model", "m", "--base-url", address]
        done = here.run(*asked)
        assert (done.code, done.out) == (4, ""), done.err
        assert f"model 'm' at {address}: the server cannot be reached" in done.told[-1]
        assert "the question is asked whole" not in done.err


def failed(done: Done, words: str) -> None:
    assert done.code == 4, done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    assert done.told[-1].startswith("run_agent: 1 of 1 sub-questions failed, the first because: ")
    assert words in done.told[-1]
    assert "<html>" not in done.err or words.startswith("HTTP")


@pytest.mark.parametrize("form", ["PlanReply", "KindsReply", "AnswerReply", "ComposedReply"])
def test_ctrl_c_says_how_to_go_on_and_going_on_ends_the_same(here: Machine, form: str) -> None:
    reached = threading.Event()
    halted: list[str] = []

    def trouble(_: int, request: Mapping[str, Any]) -> Misbehaviour | None:
        name = (request.get("response_format") or {}).get("json_schema", {}).get("name")
        if (name or "AnswerReply") == form and not halted:
            halted.append(form)
            reached.set()
            return Misbehaviour(stall=30)
        return None

    def interrupt(pid: int) -> None:
        assert reached.wait(30)
        os.kill(pid, signal.SIGINT)

    with serving(MIND, trouble=trouble) as server:
        asked = ["--snapshot", str(here.snapshot), *at(server), "--json"]
        done = here.run(QUESTION, *asked, begun=interrupt)
        assert done.code == 130, done.err
        assert done.out == ""
        assert "Traceback" not in done.err
        hint = "run_agent: interrupted; to go on: python run_agent.py --resume "
        assert done.told[-1].startswith(hint)
        before = len(server.requests)
        resumed = here.run("--resume", done.told[-1].removeprefix(hint), "--json")
        assert resumed.code == 0, resumed.err
        sent = len(server.requests)
        whole = here.run(QUESTION, *asked)
    assert before + sent > 0
    assert json.loads(resumed.out)["answer"] == json.loads(whole.out)["answer"]
    # Everything had been kept: asked anew, nothing is sent.
    assert len(server.requests) == sent


def test_ctrl_c_before_anything_was_begun(here: Machine) -> None:
    fifo = here.home / "plan.json"
    os.mkfifo(fifo)

    def interrupt(pid: int) -> None:
        # Opening for writing waits until the command line reads its plan.
        with fifo.open("w"):
            os.kill(pid, signal.SIGINT)

    done = here.run(QUESTION, "--plan", str(fifo), begun=interrupt)
    fifo.unlink()
    one_line(done, 130, "run_agent: interrupted")
    assert not (here.home / "state").exists()
