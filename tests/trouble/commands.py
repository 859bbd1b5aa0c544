"""Runs the four command lines, each in a process of its own, and says how it ended and how long it took.

`Forks` forks a warm parent (`python -m tests.trouble.commands`): everything but torch and FAISS is
imported once, so that a command costs what it does itself. `run_fresh` starts an interpreter, as a
user does.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import runpy
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).parents[2]
PROGRAMS = {
    "agent": "run_agent",
    "corpus": "corpus",
    "retrieval": "retrieval",
    "evals": "evals",
}
"""What the messages of each command line begin with."""
LONGEST = 60.0
"""Seconds after which a command is ended: it hangs."""
ROOM = 8 << 30
"""Bytes of addresses that any command may use: one that runs wild must not take the machine along."""
NOTICES = (
    " a second, ",
    " is named, the ",
    "no model named, the extractive",
    "run_agent: run ",
    " samples, ",
    "the snapshot will be as of ",
    "the question is asked whole",
    "rules alone make the items",
    "articles that these questions need",
    "writing the answer",
)
"""Parts of lines that say what was not asked for; they are no part of an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One command to run."""

    program: str
    """Key of `PROGRAMS`."""
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)
    unprivileged: bool = False
    """Give up root's right to pass over the bits of files and folders."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """By name without RLIMIT_: "NOFILE", "AS" and "FSIZE" in bytes or descriptors."""
    stdin: str = os.devnull


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a command ended."""

    code: int
    """Exit status, or the negative number of the signal that ended it."""
    out: str
    err: str
    seconds: float
    """By the clock."""
    cpu: float
    """Seconds of the processor."""
    peak: int
    """Most bytes of memory that it held at once."""

    @property
    def told(self) -> list[str]:
        """Lines of standard error without notices, and without what shows how a question goes."""
        lines = self.err.splitlines()
        said = [line for line in lines if not any(notice in line for notice in NOTICES)]
        return [line for line in said if not line.startswith(("plan: ", "  "))]


def become(job: Job, *, fresh: bool) -> NoReturn:
    """Run the command line in this process and leave it."""
    for name, limit in {"AS": ROOM, **job.limits}.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        resource.setrlimit(kind, (limit, resource.getrlimit(kind)[1]))
    if job.unprivileged:
        give_up_privileges()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    status = 1
    try:
        if job.program == "agent":
            sys.argv = ["run_agent.py", *job.argv]
            runpy.run_path(str(ROOT / "run_agent.py"), run_name="__main__")
        else:
            sys.argv = [job.program, *job.argv]
            runpy.run_module(job.program, run_name="__main__", alter_sys=True)
        status = 0
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
        if fresh:
            raise
    except BaseException:
        traceback.print_exc()
        if fresh:
            raise SystemExit(1) from None
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def give_up_privileges() -> None:
    """Drop all capabilities (capset(2)): the bits of files and folders bind root like anyone."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "capset")


def start_fresh(job: Job, out: int, err: int) -> subprocess.Popen[bytes]:
    """Start a command in an interpreter of its own."""
    code = (
        "from tests.trouble.commands import *; become(Job(**json.loads(sys.argv[1])), fresh=True)"
    )
    if job.limits or job.unprivileged:
        command = [sys.executable, "-c", code, json.dumps(_as_json(job))]
    else:
        start = ["run_agent.py"] if job.program == "agent" else ["-m", job.program]
        command = [sys.executable, *start, *job.argv]
    with Path(job.stdin).open("rb") as stdin:
        return subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **job.env},
            stdin=stdin,
            stdout=out,
            stderr=err,
            # A shell that starts things in the background may have told them to ignore Ctrl-C.
            preexec_fn=_heed_signals,
        )


def _heed_signals() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, resource.RLIM_INFINITY))


def run_fresh(
    job: Job,
    folder: Path,
    *,
    begun: Callable[[int], None] = lambda _: None,
    longest: float = LONGEST,
) -> Ended:
    """Run a command in an interpreter of its own; one that hangs is killed.

    Args:
        job: the command.
        folder: for its output.
        begun: called with the id of the process.
        longest: seconds.
    """
    with (folder / "out").open("wb") as out, (folder / "err").open("wb") as err:
        before = time.perf_counter()
        process = start_fresh(job, out.fileno(), err.fileno())
    begun(process.pid)
    code, usage = _wait(process.pid, longest)
    process.returncode = code
    return _ended(folder, code, time.perf_counter() - before, usage)


def _wait(child: int, longest: float) -> tuple[int, resource.struct_rusage]:
    until = time.perf_counter() + longest
    while True:
        found, status, usage = os.wait4(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status), usage
        if time.perf_counter() > until:
            os.kill(child, signal.SIGKILL)
            until = float("inf")
        time.sleep(0.002)


def _ended(folder: Path, code: int, seconds: float, usage: Any) -> Ended:
    return Ended(
        code=code,
        out=(folder / "out").read_bytes().decode("utf-8", "replace"),
        err=(folder / "err").read_bytes().decode("utf-8", "replace"),
        seconds=seconds,
        cpu=usage.ru_utime + usage.ru_stime,
        peak=usage.ru_maxrss * 1024,
    )


class Forks:
    """A warm parent whose forks run commands; ended by `close`.

    Args:
        folder: for their output.
        longest: seconds after which a command is killed.
    """

    def __init__(self, folder: Path, *, longest: float = LONGEST) -> None:
        self._folder = folder
        self._longest = longest
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "tests.trouble.commands"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, job: Job, *, begun: Callable[[int], None] = lambda _: None) -> Ended:
        """Run a command in a fork."""
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        told = _as_json(job) | {"folder": str(self._folder), "longest": self._longest}
        self._parent.stdin.write(json.dumps(told) + "\n")
        self._parent.stdin.flush()
        begun(int(self._parent.stdout.readline()))
        values = json.loads(self._parent.stdout.readline())
        out, err = self._folder / "out", self._folder / "err"
        return Ended(
            out=out.read_bytes().decode("utf-8", "replace"),
            err=err.read_bytes().decode("utf-8", "replace"),
            **values,
        )

    def close(self) -> None:
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.close()
        self._parent.wait(20)
        self._parent.stdout.close()


def _as_json(job: Job) -> dict[str, Any]:
    return {name: getattr(job, name) for name in job.__slots__}


def _serve() -> None:
    for line in sys.stdin:
        values = json.loads(line)
        folder, longest = Path(values.pop("folder")), values.pop("longest")
        job = Job(**values)
        before = time.perf_counter()
        child = os.fork()
        if child == 0:
            for number, name in ((1, "out"), (2, "err")):
                opened = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
                os.dup2(opened, number)
                os.close(opened)
            os.dup2(os.open(job.stdin, os.O_RDONLY), 0)
            os.environ.update(job.env)
            become(job, fresh=False)
        _say(str(child))
        code, usage = _wait(child, longest)
        ended = _ended(folder, code, time.perf_counter() - before, usage)
        values = {"code": code, "seconds": ended.seconds, "cpu": ended.cpu, "peak": ended.peak}
        _say(json.dumps(values))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _import_all() -> None:
    import importlib

    from evals.cli import COMMANDS

    for name in (
        *(
            "agent.agent",
            "agent.cli",
            "agent.terminal.dialogue",
            "agent.graph.assembly",
            "agent.llm.openai",
        ),
        *("agent.graph.planfile", "agent.prompted.reasoner", "agent.extractive", "agent.llm.cache"),
        *(
            "corpus.cli",
            "corpus.builder.snapshot",
            "corpus.store",
            "corpus.proof.difference",
            "corpus.proof.snapshot",
        ),
        *("corpus.builder.download", "corpus.sources.passages", "corpus.sources.mediawiki_xml"),
        *(
            "corpus.sources.mediawiki_api",
            "corpus.sources.multistream",
            "corpus.storage.titlesearch",
        ),
        *("retrieval.cli", "retrieval.build", "retrieval.index", "retrieval.trec"),
        *("retrieval.bm25", "retrieval.evidence", "retrieval.trials", "retrieval.survey"),
        *(
            "evals.cli",
            *(place.partition(":")[0] for place, _ in COMMANDS.values()),
            "evals.runs.samples",
            "evals.runs.matrix",
            "evals.runs.config",
            "evals.runs.replay",
            "evals.humans.agreement",
        ),
        *(
            "evals.runs.exchange.imported",
            "evals.runs.exchange.submission",
            "evals.reports.command",
            "evals.humans.decomposition",
            "evals.humans.weights",
        ),
        *("evals.builders.counterfactual.builder", "evals.builders.fact_chains.builder"),
        *(
            "evals.builders.cq_syn.builder",
            "evals.builders.review",
            "evals.builders.finetune.export",
        ),
        *("httpx", "platformdirs", "huggingface_hub.constants", "rich.console"),
    ):
        importlib.import_module(name)


if __name__ == "__main__":
    _import_all()
    _serve()
