"""Chunks that were found last, kept as they were read: the same ones are found again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Set
from typing import TYPE_CHECKING

from corpus.types import Chunk

if TYPE_CHECKING:
    from corpus import Snapshot

KEPT_CHUNKS = 4096
"""Some 8 MB. Reading a chunk takes 0.1 ms, as its whole article is proven against the fingerprint: ten
of them as long as a search by words."""


class ChunkCache:
    """Chunks of a snapshot by their rows. Thread-safe.

    Args:
        snapshot: never changes.
        most: chunks that are kept, those asked for last.
    """

    def __init__(self, snapshot: Snapshot, most: int = KEPT_CHUNKS) -> None:
        self._snapshot = snapshot
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Chunk] = OrderedDict()

    def at(self, rows: Set[int]) -> dict[int, Chunk]:
        """Return the chunks at these rows; those that are not kept are read together.

        Raises:
            InputError: a row lies outside the snapshot.
        """
        found: dict[int, Chunk] = {}
        with self._lock:
            for row in rows:
                chunk = self._kept.get(row)
                if chunk is not None:
                    self._kept.move_to_end(row)
                    found[row] = chunk
        missing = sorted(rows - found.keys())
        if missing:
            read = dict(zip(missing, self._snapshot.chunks_at(missing), strict=True))
            found |= read
            with self._lock:
                self._kept |= read
                while len(self._kept) > self._most:
                    self._kept.popitem(last=False)
        return found
