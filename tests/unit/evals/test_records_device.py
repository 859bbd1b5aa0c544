"""What is named to be written is written: a device stays one."""

from __future__ import annotations

import os
from pathlib import Path

from evals.records import write_beside
from retrieval.trec import write_run


def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Opened both ways, so that nobody waits for the other side.
    held = os.open(pipe, os.O_RDWR)
    write_beside(pipe, lambda place: place.write_text("words"))
    assert os.read(held, 100) == b"words"
    write_run(pipe, {"1": [("Alder", 2.0)]})
    assert os.read(held, 100) == b"1 Q0 Alder 1 2.0 fanfold\n"
    os.close(held)
    assert pipe.is_fifo()
    assert [place.name for place in tmp_path.iterdir()] == ["pipe"]
