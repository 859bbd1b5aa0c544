"""Updates are read as they were written, but for what few bits leave out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from agent.extractive.planner.smollm2.updates import read_updates, write_updates

NAMES = ("layers.3.q.down", "layers.3.q.up")


def test_updates_are_read_as_they_were_written(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    shapes = ((8, 576), (192, 8))
    state = {
        name: rng.normal(size=shape).astype(np.float32)
        for name, shape in zip(NAMES, shapes, strict=True)
    }
    path = tmp_path / "new" / "planner.safetensors"
    write_updates(path, state)
    found = read_updates(path)
    assert set(found) == set(NAMES)
    for name, value in state.items():
        assert found[name].shape == value.shape
        assert found[name].dtype == np.float32
        # The largest number of a group is some 3 here, of 7 levels on each side.
        assert np.abs(found[name] - value).max() < 0.5 * np.abs(value).max() / 7 * 1.05
    assert path.stat().st_size < sum(value.nbytes for value in state.values()) / 6
