"""The public names: all are documented, and every documented example runs."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from bench import structure

ROOT = Path(__file__).parents[2]
PACKAGES = ("corpus", "retrieval", "agent", "evals")
PAGE = (ROOT / "docs/api.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_loads_and_stands_on_the_page(package: str) -> None:
    module = import_module(package)
    for name in module.__all__:
        assert getattr(module, name) is not None
        assert f"`{name}`" in PAGE
        assert any(re.search(rf"\b{name}\b", example) for example in EXAMPLES)
    assert (ROOT / package / "py.typed").is_file()
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing  # noqa: B018


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    names: dict[str, object] = {"__name__": "api"}
    for number, example in enumerate(EXAMPLES, start=1):
        exec(compile(example, f"docs/api.md, example {number}", "exec"), names)


def test_what_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    listed = [
        *project["dependencies"],
        *(one for name in extras if name != "test" for one in extras[name]),
    ]
    declared = {_name(re.split(r"[\[<>=;]", one)[0]) for one in listed}
    owners = packages_distributions()
    missing = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for name in _imported(path) - sys.stdlib_module_names - {*PACKAGES, "_typeshed"}:
                if not {_name(owner) for owner in owners.get(name, [name])} & (declared | BY_HAND):
                    missing.add((name, str(path.relative_to(ROOT))))
    assert missing == set()


BY_HAND = {"bleurt", "spacy", "openvino"}
"""Used where a person has installed them; no extra brings them."""


def _imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(structure.parsed(path)):
        if isinstance(node, ast.Import):
            found.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def _name(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution.strip()).lower()
