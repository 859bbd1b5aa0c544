"""How long the commands of docs/walk.md are silent: nothing should be for five seconds.

    python bench/silence.py [--dump FILE] [--terminal] [--only WORDS]

Runs each command of the page in a process and a folder of its own making, against the stand-in for
a model, and prints its seconds, its exit code, the longest time without a word before, between and
after what it says, and what it had said last. `--terminal` gives it a terminal, on which bars are
drawn: there a bar that moves is no silence.
"""

from __future__ import annotations

import argparse
import os
import pty
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from string import Template
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from agent.stand_in import NAME  # noqa: E402
from tests.exports import page, write_export  # noqa: E402
from tests.pages import blocks  # noqa: E402

PORT = 8766
"""Of the stand-in for a model, by default."""


class Heard(NamedTuple):
    """One command, as it was heard."""

    seconds: float
    code: int
    longest: float
    """Seconds of the longest silence."""
    after: str
    """What was said last before it."""


def listen(words: list[str], folder: Path, *, terminal: bool) -> Heard:
    """Run a command and listen to its standard error and output together."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    began = last = time.monotonic()
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        words, cwd=folder, env=env, stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL
    )
    os.close(theirs)
    longest, after, said = 0.0, "", ""
    while True:
        try:
            heard = os.read(ours, 65_536)
        except OSError:  # a terminal whose last user has left
            heard = b""
        now = time.monotonic()
        if now - last > longest:
            longest, after = now - last, said
        last, said = now, heard.decode(errors="replace").strip().rpartition("\n")[2] or said
        if not heard:
            break
    os.close(ours)
    code = process.wait()
    return Heard(time.monotonic() - began, code, max(longest, time.monotonic() - last), after)


def main() -> None:
    """Run the page's commands and print how long each was silent."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dump", type=Path, help="a real dump; else an export of two pages")
    parser.add_argument("--terminal", action="store_true")
    parser.add_argument("--only", default="", help="commands that hold these words")
    chosen = parser.parse_args()
    lines = [line for b in blocks(ROOT / "docs/walk.md") if b.kind == "sh" for line in b.lines()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump = chosen.dump.resolve() if chosen.dump else folder / "pages.xml"
        if not chosen.dump:
            write_export(
                dump, page("Lighthouse of Orm", 1, "It is 41 m tall."), page("Ulv", 2, "x")
            )
        names = {"MODEL": NAME, "BASE_URL": f"http://127.0.0.1:{PORT}/v1", "DUMP": str(dump)}
        (folder / "run_agent.py").symlink_to(ROOT / "run_agent.py")
        server = subprocess.Popen(
            [sys.executable, "-m", "agent", "stand-in"],
            cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            for line in lines:
                if chosen.only not in line:
                    continue
                if line.startswith("printf"):
                    subprocess.run(line, shell=True, cwd=folder, check=True)
                    continue
                words = [sys.executable, *shlex.split(Template(line).substitute(names))[1:]]
                heard = listen(words, folder, terminal=chosen.terminal)
                print(
                    f"{heard.longest:5.1f} s of {heard.seconds:6.1f} s, exit {heard.code}: {line[:90]}"
                    + (f"\n        after: {heard.after[:100]}" if heard.longest >= 5 else ""),
                    flush=True,
                )
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
