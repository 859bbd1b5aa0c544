"""The source can be found one's way in: no folder is a drawer, nothing is written twice."""

from __future__ import annotations

import ast
from collections import defaultdict
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = sorted(
    path for package in ("corpus", "retrieval", "agent", "evals")
    for path in (ROOT / package).rglob("*.py")
)  # fmt: skip
MOST_MODULES = 14
LONGEST_RUN = 12
"""Lines that may stand the same in two places."""


def test_no_folder_is_a_drawer() -> None:
    folders: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        if path.name != "__init__.py":
            folders[str(path.parent.relative_to(ROOT))].append(path.stem)
    assert len(folders) > 30
    assert {one: held for one, held in folders.items() if len(held) > MOST_MODULES} == {}


def own_lines(path: Path) -> list[str]:
    """The lines of a module but for imports and signatures: what has a port has its signatures."""
    text = path.read_text("utf-8")
    left_out: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            left_out.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            left_out.update(range(node.lineno, node.body[0].lineno))
    lines = (line.strip() for n, line in enumerate(text.splitlines(), 1) if n not in left_out)
    return [line for line in lines if line]


def test_nothing_is_written_twice() -> None:
    seen: dict[tuple[str, ...], str] = {}
    twice: list[str] = []
    for path in MODULES:
        lines = own_lines(path)
        runs = zip(*(islice(lines, n, None) for n in range(LONGEST_RUN + 1)), strict=False)
        for run in runs:
            before = seen.setdefault(run, str(path))
            if before != str(path):
                twice.append(f"{before} and {path}: {run[0]}")
    assert len(seen) > 10_000
    assert twice == []
