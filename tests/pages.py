"""The blocks of README and docs, and how a line of one is run in this process.

A block of `sh` or `python` is run as it stands, top to bottom of its page. One that cannot be run
here has a comment on the line before it that says why:

    <!-- needs a running server -->
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from typer import Typer
from typer.testing import CliRunner

import agent.cli
import corpus.cli
import evals.cli
import retrieval.cli

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
APPS: dict[str, Typer] = {
    "-m evals": evals.cli.app,
    "-m corpus": corpus.cli.app,
    "-m retrieval": retrieval.cli.app,
    "run_agent.py": agent.cli.app,
}
_BLOCK = re.compile(
    r"^(?:<!-- needs (?P<needs>.+?) -->\n+)?```(?P<kind>sh|python)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_PLACEHOLDER = re.compile(r"[A-Z][A-Z_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One block of a page."""

    page: str
    line: int
    """Of its first line on the page, from 1."""
    kind: str
    """sh or python."""
    text: str
    needs: str
    """Why it is not run; "" where it is."""

    def lines(self) -> list[str]:
        """Return its commands, each in one line."""
        joined = re.sub(r"\\\n\s*", "", self.text)
        return [line for line in joined.splitlines() if line.strip()]


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page in order."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page=page.name,
            line=text.count("\n", 0, found.start("text")) + 1,
            kind=found["kind"],
            text=found["text"],
            needs=found["needs"] or "",
        )
        for found in _BLOCK.finditer(text)
    ]


def do(
    line: str,
    names: Mapping[str, str] | None = None,
    *,
    added: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """Run one line of a page in this process; return all that it said.

    Args:
        line: `printf … > FILE`, or a command of fanfold's.
        names: what stands for words in capitals.
        added: by how a command begins, an option and its value, where it has not that option: a
            page's run of everything is a test's run of little.

    Raises:
        AssertionError: the command failed, or is none of those.
    """
    words = shlex.split(line, comments=True)
    words = [(names or {})[one] if _PLACEHOLDER.fullmatch(one) else one for one in words]
    if words[0] == "printf":
        text, arrow, name = words[1:]
        assert arrow == ">"
        Path(name).write_text(text.replace("\\n", "\n").replace("\\t", "\t"), encoding="utf-8")
        return ""
    assert words[0] == "python", f"nothing here runs {line!r}"
    taken = 1 if words[1] == "run_agent.py" else 2
    app, words = APPS[" ".join(words[1 : 1 + taken])], words[1 + taken :]
    into = None
    if ">" in words:
        *words, arrow, into = words
        assert arrow == ">"
    for beginning, option in (added or {}).items():
        first = beginning.split()
        if words[: len(first)] == first and option[0] not in words:
            words += option
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, (line, done.output, done.exception)
    if into is not None:
        Path(into).write_text(done.stdout, encoding="utf-8")
    return done.output
