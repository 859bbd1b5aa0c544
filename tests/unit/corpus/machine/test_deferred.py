"""Packages whose `__init__` waits until something is asked of them."""

import importlib
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus.machine.deferred import deferred


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that writes a line whenever its `__init__` runs; returns that file."""
    package = tmp_path / "big_client"
    package.mkdir()
    written = tmp_path / "runs"
    (package / "__init__.py").write_text(
        "from pathlib import Path\n"
        "from big_client import small\n"
        f"with Path({str(written)!r}).open('a') as file: file.write('run\\n')\n"
        "offered = small.TYPE + 1\n"
    )
    (package / "small.py").write_text("TYPE = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield written
    for name in [name for name in sys.modules if name.partition(".")[0] == "big_client"]:
        del sys.modules[name]


def test_a_module_is_had_without_its_package(runs: Path) -> None:
    with deferred("big_client"):
        from big_client.small import TYPE  # type: ignore[import-not-found]
    assert TYPE == 1
    assert not runs.exists()


def test_the_package_runs_once_when_it_is_asked_by_whatever_thread(runs: Path) -> None:
    with deferred("big_client"):
        package = importlib.import_module("big_client")
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(package.offered)) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [2, 2, 2, 2]
    assert runs.read_text() == "run\n"
    with pytest.raises(AttributeError, match="missing"):
        _ = package.missing


def test_outside_packages_load_as_ever(runs: Path) -> None:
    with deferred("big_client"):
        pass
    importlib.import_module("big_client.small")
    assert runs.read_text() == "run\n"
