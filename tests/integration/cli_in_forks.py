"""Runs command lines in forked processes of one warm parent: `python -m tests.integration.cli_in_forks`.

Reads one JSON object a line: `argv`, `env` (set beside this process's own), `out` and `err` (files),
`unprivileged` (permissions hold for root, too), `largest_file` (bytes; what a full disk does to a
file). Writes the process's id in a line, and its exit code in another.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import sys
import traceback
from typing import Any, NoReturn

import agent.agent
import agent.cli
import agent.graph.assembly
import agent.graph.planfile
import agent.llm.openai
import agent.prompted.reasoner
import agent.terminal.dialogue
import corpus.sample
import corpus.store
import retrieval.evidence
import retrieval.index

IMPORTED = (
    *(
        agent.agent,
        agent.terminal.dialogue,
        agent.graph.assembly,
        agent.llm.openai,
        agent.graph.planfile,
    ),
    *(agent.prompted.reasoner, corpus.sample, corpus.store),
    *(retrieval.evidence, retrieval.index),
)


def run(job: dict[str, Any]) -> NoReturn:
    """Become the process that the job asks for."""
    for number, name in ((1, "out"), (2, "err")):
        file = os.open(job[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.update(job.get("env", {}))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if "largest_file" in job:
        resource.setrlimit(resource.RLIMIT_FSIZE, (job["largest_file"], resource.RLIM_INFINITY))
    if job.get("unprivileged"):
        give_up_privileges()
    sys.argv = ["run_agent.py", *job["argv"]]
    status = 1
    try:
        agent.cli.main()
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def give_up_privileges() -> None:
    """Drop all capabilities (capset(2)): the bits of files and folders bind root like anyone."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    if libc.capset(header, (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "capset")


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(json.loads(line))
        say(child)
        _, status = os.waitpid(child, 0)
        say(os.waitstatus_to_exitcode(status))


def say(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
