"""Snapshots and indexes that the tests of retrieval share; none of them changes these."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus import Snapshot
from retrieval.build import ensure_built
from tests.unit.retrieval.wiki import small_snapshot


@pytest.fixture(scope="session")
def bare_wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot folder without indexes: copy it to build some."""
    return small_snapshot(tmp_path_factory.mktemp("bare") / "wiki")


@pytest.fixture(scope="session")
def indexed_wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A snapshot folder with both indexes."""
    folder = small_snapshot(tmp_path_factory.mktemp("indexed") / "wiki")
    assert ensure_built(folder) == ["bm25", "dense"]
    return folder


@pytest.fixture
def wiki(indexed_wiki: Path) -> Iterator[Snapshot]:
    """The snapshot of `indexed_wiki`, opened."""
    with Snapshot.open(indexed_wiki) as snapshot:
        yield snapshot
