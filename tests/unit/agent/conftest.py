"""The embedded sample, opened once; it is built on first use into the user's cache."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from corpus import Snapshot
from corpus.sample import sample_snapshot


@pytest.fixture(scope="session")
def sample() -> Iterator[Snapshot]:
    with Snapshot.open(sample_snapshot("en")) as snapshot:
        yield snapshot
