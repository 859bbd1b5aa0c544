"""A small wiki of about five batches, and the snapshot that an undisturbed build makes of it."""

from __future__ import annotations

import bz2
from pathlib import Path

import pytest

from tests.builds import build
from tests.exports import articles, export, page


@pytest.fixture(scope="session")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """About five batches of articles with redirects between them."""
    pages = articles(range(1, 1000), 120)
    pages[::50] = [
        page(f"Redirect {number}", 5000 + number, f"#REDIRECT [[Article {number * 7 + 2}]]")
        for number in range(len(pages[::50]))
    ]
    path = tmp_path_factory.mktemp("wiki") / "wiki.xml.bz2"
    path.write_bytes(bz2.compress(export(*pages).encode()))
    return path


@pytest.fixture(scope="session")
def reference(wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("reference") / "snapshot"
    build(wiki, out)
    return out
