"""Every way a command line ends, in a process of its own: exit code, and what is on which stream."""

from __future__ import annotations

import io
import os
import re
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from corpus.progress import progress_bar
from corpus.terminal import one_line, run_app, say, waiting

ROOT = Path(__file__).parents[3]

APP = """
import errno, os, sys, time
import typer
from corpus.errors import BackendError, InputError, NothingFoundError
from corpus.progress import progress_bar
from corpus.terminal import run_app, say

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

@app.command()
def go(what: str, count: int = 1) -> int | None:
    if what == "input": raise InputError("first\\n  second: \\t mend")
    if what == "nothing": raise NothingFoundError("not in there")
    if what == "backend": raise BackendError("gone")
    if what == "full": raise OSError(errno.ENOSPC, "No space left on device", "/data/x")
    if what == "odd": raise OSError(errno.EDEADLK, "Resource deadlock avoided", "/data/x")
    if what == "fault": raise ZeroDivisionError("a fault of ours")
    if what == "exit": raise typer.Exit(3)
    if what == "abort": raise typer.Abort()
    if what == "code": return 4
    if what == "wait":
        say("waiting")
        time.sleep(60)
    if what == "much":
        for number in range(200_000): print(number)
    if what == "bar":
        with progress_bar("pages") as bar: bar.update(bar.add_task("x", total=2), completed=1)
    print("result")

if __name__ == "__main__":
    run_app(app, name="demo", resume_hint=lambda: "demo again")
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("terminal") / "demo.py"
    path.write_text(APP)
    return path


@dataclass(frozen=True)
class Ended:
    code: object
    out: str
    err: str


@pytest.fixture
def run(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ended]:
    app = runpy.run_path(str(script))["app"]

    def ended(*arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", [str(script), *arguments])
        with pytest.raises(SystemExit) as end:
            run_app(app, name="demo", resume_hint=lambda: "demo again")
        captured = capsys.readouterr()
        return Ended(end.value.code, captured.out, captured.err)

    return ended


@pytest.mark.parametrize(
    ("what", "code", "said"),
    [
        ("input", 2, "demo: first second: mend\n"),
        ("nothing", 3, "demo: not in there\n"),
        ("backend", 4, "demo: gone\n"),
        ("exit", 3, ""),
        ("abort", 130, "demo: interrupted; to go on: demo again\n"),
        ("code", 4, ""),
    ],
)
def test_each_end_has_its_code_and_one_line(
    run: Callable[..., Ended], what: str, code: int, said: str
) -> None:
    assert run(what) == Ended(code, "", said)


def test_a_result_is_all_there_is_on_standard_output(run: Callable[..., Ended]) -> None:
    assert run("bar") == Ended(0, "result\n", "")


def test_a_full_disk_names_the_file_and_the_mend(run: Callable[..., Ended]) -> None:
    ended = run("full")
    assert ended.code == 2
    assert ended.err.startswith(
        "demo: the disk is full (/data/x): free some space and run the same"
    )
    assert "/data/x" in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("input", "--nope"), "No such option: --nope"),
        ((), "Missing argument"),
        (("input", "--count", "many"), "valid integer"),
    ],
)
def test_bad_usage_is_one_line(
    run: Callable[..., Ended], arguments: tuple[str, ...], part: str
) -> None:
    ended = run(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert part in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize(("what", "kind"), [("odd", OSError), ("fault", ZeroDivisionError)])
def test_a_fault_of_our_own_is_not_dressed_up(
    script: Path, monkeypatch: pytest.MonkeyPatch, what: str, kind: type[Exception]
) -> None:
    app = runpy.run_path(str(script))["app"]
    hook = sys.excepthook
    monkeypatch.setattr(sys, "argv", [str(script), what])
    with pytest.raises(kind):
        run_app(app, name="demo")
    assert sys.excepthook is hook


def test_ctrl_c_says_how_to_go_on(script: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, str(script), "wait"], stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == "demo: interrupted; to go on: demo again\n"
        assert process.wait() == 130


def test_a_reader_that_leaves_early_is_no_error(script: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, str(script), "much"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "0\n"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


def test_importing_the_shared_part_loads_nothing_heavy() -> None:
    program = "import sys, corpus.terminal; assert not {'typer', 'rich'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)


def test_sigterm_ends_a_command_as_ctrl_c_does(script: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    # Started by a shell in the background, Ctrl-C is ignored: SIGTERM is heeded all the same.
    for ignored in (False, True):
        with subprocess.Popen(
            [sys.executable, str(script), "wait"],
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) if ignored else None,
        ) as process:
            assert process.stderr is not None
            assert process.stderr.readline() == "waiting\n"
            process.send_signal(signal.SIGTERM)
            assert process.stderr.read() == "demo: interrupted; to go on: demo again\n"
            assert process.wait() == 130


LATE = """
import os, signal, sys, threading, time
from corpus.terminal import beginning
with beginning("demo"):
    if sys.argv[1] == "import":
        print("there", flush=True)
        time.sleep(60)
    if sys.argv[1] == "memory":
        raise ImportError("libx.so: failed to map segment from shared object")
    if sys.argv[1] == "threads":
        threading.Thread(target=time.sleep, args=(60,)).start()
    print("there", flush=True)
    sys.exit(3)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(("when", "code"), [("import", 130), ("threads", 3)])
def test_a_signal_before_and_after_the_work_is_no_trace(
    tmp_path: Path, number: int, when: str, code: int
) -> None:
    script = tmp_path / "late.py"
    script.write_text(LATE)
    with subprocess.Popen(
        [sys.executable, str(script), when],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "there\n"
        time.sleep(0.3)
        process.send_signal(number)
        assert process.wait(20) == code
        assert process.stderr.read() == ("demo: interrupted\n" if when == "import" else "")


def test_memory_that_ends_while_modules_load_is_one_line(tmp_path: Path) -> None:
    script = tmp_path / "late.py"
    script.write_text(LATE)
    done = subprocess.run(
        [sys.executable, str(script), "memory"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("demo: no memory is left: raise the limit")


def test_what_is_long_or_cannot_be_printed_is_shortened_and_escaped() -> None:
    line = one_line("no\n such \x1b[31mthing " + "x" * 100_000 + " name another")
    assert line.startswith("no such \\x1b[31mthing xxx")
    assert line.endswith("xxx name another")
    assert len(line) < 700
    assert line.isprintable()


def test_a_wait_is_spoken_of_while_nothing_else_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with waiting(lambda: "opening"):
        say("at work")
    assert capsys.readouterr().err == "at work\n"
    monkeypatch.setattr("corpus.terminal.PATIENCE", 0.2)
    with waiting(lambda: "opening"):
        time.sleep(0.8)
    told = capsys.readouterr().err.splitlines()
    assert told
    assert all(re.fullmatch(r"opening \(\d+ s\)", line) for line in told)
    assert "waiting" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.parametrize("total", [None, 0, 3])
def test_a_bar_counts_what_has_a_count(total: int | None) -> None:
    bar = progress_bar("pages")
    bar.add_task("reading", total=total)
    shown = io.StringIO()
    Console(file=shown, width=100).print(bar.make_tasks_table(bar.tasks))
    counted = re.search(r"\d+/\S+|\d:\d\d:\d\d", shown.getvalue())
    assert (counted is not None) == bool(total)
