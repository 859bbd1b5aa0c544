"""README and docs: every link leads somewhere, every command exists with every option it names.

What stands in blocks is run by tests/integration/test_pages.py; inline commands are only read here.
"""

from __future__ import annotations

import re
import shlex
from ast import PyCF_ALLOW_TOP_LEVEL_AWAIT
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])
_LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]+))?\)")
_CODE = re.compile(r"```\w*\n(.*?)```|^ {4}(.+)$|`([^`\n]+)`", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(
    r"(?:^|[\s;&])(?:python -m (corpus|retrieval|evals|agent)|python (run_agent\.py)|fanfold (serve|stand-in))\b(.*)"
)
_HOMES = {
    "corpus": "corpus.cli",
    "retrieval": "retrieval.cli",
    "evals": "evals.cli",
    "run_agent.py": "agent.cli",
    "agent": "agent.cli",
    "serve": "agent.serve.cli",
    "stand-in": "agent.stand_in.server",
}


def ids(path: Path) -> str:
    return path.name


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors that a page's headings make, as forges and generators make them."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return frozenset(
        re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles
    )


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_no_link_is_broken(page: Path) -> None:
    for place, anchor in _LINK.findall(page.read_text("utf-8")):
        if "://" in place or place.startswith("mailto:"):
            continue
        target = (page.parent / place).resolve() if place else page
        assert target.exists(), f"{page.name}: {place}"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{page.name}: {place}#{anchor}"


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Every command line of fanfold's on a page: the program, and what follows."""
    for block, indented, inline in _CODE.findall(page.read_text("utf-8")):
        for line in (block or indented or inline).replace("\\\n", " ").splitlines():
            found = _COMMAND.search(line)
            if found:
                yield found[1] or found[2] or found[3], found[4]


@cache
def command_of(program: str) -> Any:
    return get_command(import_module(_HOMES[program]).app)


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_every_command_exists_with_its_options(page: Path) -> None:
    for program, rest in commands(page):
        try:
            words = shlex.split(rest, comments=True)
        except ValueError:
            words = rest.split()
        if program == "agent" and words[:1] in (["serve"], ["stand-in"]):
            program, words = words[0], words[1:]
        command = command_of(program)
        while getattr(command, "commands", None) and words and re.match(r"[a-z]", words[0]):
            for name in words[0].split("|"):
                assert name in command.commands, f"{page.name}: {program}{rest}"
            command, words = command.commands[words[0].split("|")[0]], words[1:]
            command = getattr(command, "command", command)
        if getattr(command, "commands", None):
            continue
        known = {one for option in command.params for one in (*option.opts, *option.secondary_opts)}
        for word in words:
            if word in ("&&", "|", ">", ";", "then", "--"):
                break
            option = re.match(r"\[?(--[a-z][a-z0-9-]*|-[a-z]\b)", word)
            if option and option[1] != "--help":
                assert option[1] in known, f"{page.name}: {program}{rest}: {option[1]}"


def test_every_python_block_compiles() -> None:
    for page in PAGES:
        for block in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            compile(block, page.name, "exec", PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
