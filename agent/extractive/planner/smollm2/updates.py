"""Low-rank updates of SmolLM2 as they are stored: 4 bits a number, a scale for each group of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from agent.extractive.weights.store import SCALE, packed, unpacked
from retrieval.dense.runtime import Array

_UP = ".up"
"""Ending of the name of what is stored by its columns, of which there are as many as the rank."""


def write_updates(path: Path, updates: Mapping[str, Array]) -> None:
    """Write updates as `CausalModel.open` takes them; a file that is there is replaced."""
    from safetensors.numpy import save_file

    kept = {}
    for name, value in updates.items():
        rows = np.ascontiguousarray(value.T) if name.endswith(_UP) else value
        kept[name], kept[name + SCALE] = packed(rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(kept, str(path))


def read_updates(path: Path) -> dict[str, Array]:
    """The updates that `write_updates` wrote, as float32."""
    from safetensors.numpy import load_file

    stored = load_file(str(path))
    found = {}
    for name in stored:
        if not name.endswith(SCALE):
            rows = unpacked(stored[name], stored[name + SCALE])
            found[name] = np.ascontiguousarray(rows.T) if name.endswith(_UP) else rows
    return found
