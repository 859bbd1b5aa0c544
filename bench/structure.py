"""How the source is laid out: folders, functions, parameters, repeated lines, names, start of `--help`.

    python bench/structure.py [--no-start]

Prints each figure beside its bound, and below it what exceeds it. tests/unit/test_structure.py
holds the tree to the bounds; only the start of the command lines, seconds of the processor as the
best of five, is measured here alone.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("corpus", "retrieval", "agent", "evals")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
MOST_MODULES = 14
"""Modules of a folder, without its `__init__`."""
LONGEST_FILE = 320
"""Lines of a module."""
LONGEST_FUNCTION = 60
"""Lines of a function below its signature and its docstring."""
MOST_PARAMETERS = 12
"""Of a function that is not a command."""
LONG = {
    "evals/commands/run.py: run_command": "forty options become one configuration, in one place",
}
"""Functions that are longer, and why."""
LONGEST_RUN = 12
"""Lines that may stand the same in two places."""
LONGEST_START = 0.25
"""Seconds of the processor until `--help` is printed."""
COMMANDS = {"cli.py", "command.py", "commands.py"}
"""Modules of commands, beside those of a folder `commands`: their parameters are options."""
FRONTS = {
    "agent/agent.py: Agent.__init__": "the command line's options as keywords, for Python",
    "corpus/builder/snapshot.py: build_snapshot": "`corpus build` as keywords, for Python",
    "retrieval/index.py: open_retriever": "the ways to search as keywords, for Python",
}
"""What may have as many parameters as a command, and why."""
NOUNS = {
    "casing", "ranking", "rounding", "spelling", "staging", "training", "wording",
}  # fmt: skip
"""Names in -ing that are nouns of the field."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def place(path: Path) -> str:
    """Return where a module lies, from the root on."""
    return path.relative_to(ROOT).as_posix()


def folders() -> dict[str, list[str]]:
    """Return the modules of each folder, without its `__init__`."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        if path.name != "__init__.py":
            found[place(path.parent)].append(path.stem)
    return found


@cache
def parsed(path: Path) -> ast.Module:
    """Return the tree of a module."""
    return ast.parse(path.read_text("utf-8"))


@cache
def functions() -> list[tuple[str, Path, Function]]:
    """Return every function and method: its name with that of its class, its module, its tree."""

    def below(tree: ast.AST, path: Path, owner: str) -> Iterator[tuple[str, Path, Function]]:
        for node in ast.iter_child_nodes(tree):
            inside = owner
            if isinstance(node, ast.ClassDef):
                inside = f"{owner}{node.name}."
            elif isinstance(node, Function):
                yield f"{owner}{node.name}", path, node
            yield from below(node, path, inside)

    return [found for path in MODULES for found in below(parsed(path), path, "")]


def body_lines(function: Function) -> int:
    """Return the lines of a function below its signature and its docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def long_functions() -> list[str]:
    """Return the functions that fit no screen."""
    return [
        f"{place(path)}: {name}: {body_lines(function)} lines"
        for name, path, function in functions()
        if body_lines(function) > LONGEST_FUNCTION and f"{place(path)}: {name}" not in LONG
    ]


def long_signatures() -> list[str]:
    """Return functions with too many parameters, which are neither commands nor named in `FRONTS`."""
    found = []
    for name, path, function in functions():
        arguments = function.args
        count = len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs)
        told = f"{place(path)}: {name}"
        is_command = path.name in COMMANDS or "commands" in path.parts
        if count > MOST_PARAMETERS and not is_command and told not in FRONTS:
            found.append(f"{told}: {count} parameters")
    return found


@cache
def own_lines(path: Path) -> list[str]:
    """The lines of a module but for imports and signatures: what has a port has its signatures."""
    text = path.read_text("utf-8")
    left_out: set[int] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, Function):
            left_out.update(range(node.lineno, node.body[0].lineno))
    lines = (line.strip() for n, line in enumerate(text.splitlines(), 1) if n not in left_out)
    return [line for line in lines if line]


def repeated_runs() -> list[str]:
    """Return where a run of lines stands a second time, in another module or in the same."""
    seen: dict[tuple[str, ...], tuple[str, int]] = {}
    found = []
    for path in MODULES:
        lines = own_lines(path)
        runs = zip(*(islice(lines, n, None) for n in range(LONGEST_RUN + 1)), strict=False)
        for number, run in enumerate(runs):
            before, start = seen.setdefault(run, (place(path), number))
            if before != place(path) or number - start > LONGEST_RUN:
                found.append(f"{before} and {place(path)}: {run[0]}")
    return found


def names_in_ing() -> list[str]:
    """Return modules named for an activity."""
    return [place(path) for path in MODULES if path.stem.endswith("ing") and path.stem not in NOUNS]


def names_used_again() -> dict[str, list[str]]:
    """Return the names that several modules bear, with where these lie."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        if not path.stem.startswith("__"):
            found[path.stem].append(place(path))
    return {name: places for name, places in found.items() if len(places) > 1}


def maps_of_files() -> list[str]:
    """Return rows of tables in README and docs that only say which modules of ours do something."""
    stems = {path.name for path in MODULES}
    found = []
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for row in page.read_text("utf-8").splitlines():
            named = set(re.findall(r"`(?:\w+/)*(\w+\.py)`", row)) & stems
            if row.startswith("|") and named:
                found.append(f"{place(page)}: {row[:80]}")
    return found


def contracts() -> list[str]:
    """Return the names of the contracts on imports."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    return [contract["name"] for contract in tables["contracts"]]


def help_seconds(command: list[str]) -> float:
    """Return seconds of the processor until a command has printed its help, the best of five."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    took = []
    for _ in range(5):
        before = os.times()
        subprocess.run(
            [sys.executable, *command, "--help"],
            cwd=ROOT,
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        after = os.times()
        used = after.children_user + after.children_system
        took.append(used - before.children_user - before.children_system)
    return min(took)


def main() -> None:
    """Read the command line and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--no-start", action="store_true", help="leave the command lines out")
    arguments = parser.parse_args()
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in MODULES)
    held = folders()
    again = names_used_again()
    sizes = {place(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    print(f"lines of source: {lines:,} in {len(MODULES)} modules of {len(held)} folders")
    rows: dict[str, list[str]] = {
        f"folders of more than {MOST_MODULES} modules": [
            f"{name}: {len(stems)}" for name, stems in held.items() if len(stems) > MOST_MODULES
        ],
        f"modules of more than {LONGEST_FILE} lines": [
            f"{name}: {size}" for name, size in sizes.items() if size > LONGEST_FILE
        ],
        f"functions of more than {LONGEST_FUNCTION} lines": long_functions(),
        f"signatures of more than {MOST_PARAMETERS} parameters outside commands": long_signatures(),
        f"identical runs of more than {LONGEST_RUN} lines": repeated_runs(),
        "modules named for an activity": names_in_ing(),
        "rows of docs that map files": maps_of_files(),
        "packages without py.typed": [
            package for package in PACKAGES if not (ROOT / package / "py.typed").is_file()
        ],
    }
    for title, found in rows.items():
        print(f"{title}: {len(found)} (bound 0)", *found, sep="\n  ")
    named = {**LONG, **FRONTS}
    print(f"named exceptions: {len(named)}", *map(": ".join, named.items()), sep="\n  ")
    print(f"contracts on imports: {len(contracts())}", *contracts(), sep="\n  ")
    print(f"names that several modules bear: {len(again)}")
    if not arguments.no_start:
        programs = [["run_agent.py"], *(["-m", package] for package in PACKAGES)]
        for program in programs:
            took = help_seconds(program)
            print(f"{' '.join(program)} --help: {took:.2f} s (bound {LONGEST_START})")


if __name__ == "__main__":
    main()
