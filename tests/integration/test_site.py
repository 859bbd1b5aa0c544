"""The documentation builds as a site, strictly: no link and no anchor leads nowhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("corpus", "retrieval", "agent", "evals")
COMMAND = Path(sys.executable).with_name("zensical")
pytestmark = pytest.mark.skipif(
    not COMMAND.exists(), reason="zensical is not installed: pip install -e '.[docs]'"
)


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build a copy of the pages and the code that they describe."""
    return subprocess.run(
        [str(COMMAND), "build", "--strict", "--clean"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / "zensical.toml", folder)
    shutil.copytree(ROOT / "docs", folder / "docs")
    for package in PACKAGES:
        (folder / package).symlink_to(ROOT / package)
    return folder


def test_the_site_builds_with_every_public_name(copied: Path) -> None:
    done = build(copied)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No issues found" in done.stdout + done.stderr
    pages = {path.relative_to(copied / "docs") for path in (copied / "docs").rglob("*.md")}
    config = tomllib.loads((copied / "zensical.toml").read_text("utf-8"))
    assert {str(page) for page in pages} == set(listed(config["project"]["nav"]))
    for package in PACKAGES:
        html = (copied / "site/reference" / package / "index.html").read_text("utf-8")
        for name in import_module(package).__all__:
            assert f'id="{package}.{name}"' in html
    # Shown without anything from elsewhere.
    for path in (copied / "site").rglob("*.html"):
        assert not re.search(
            r"""<(?:script|img|iframe)\b[^>]*\bsrc=["']https?:|<link\b[^>]*rel=["']stylesheet["'][^>]*href=["']https?:""",
            path.read_text("utf-8"),
        )


def test_a_link_that_leads_nowhere_stops_it(tmp_path: Path) -> None:
    (tmp_path / "zensical.toml").write_text('[project]\nsite_name = "two pages"\n')
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# One\n[gone](nowhere.md), [lost](two.md#nothing)\n")
    (tmp_path / "docs/two.md").write_text("# Two\n")
    done = build(tmp_path)
    assert done.returncode != 0
    assert "page does not exist" in done.stdout + done.stderr
    assert "anchor does not exist" in done.stdout + done.stderr


def listed(entries: list[object]) -> list[str]:
    """Every page of the navigation."""
    found: list[str] = []
    for entry in entries:
        assert isinstance(entry, dict)
        for value in entry.values():
            found += listed(value) if isinstance(value, list) else [value]
    return found
