"""Records that threads append at once, to a file whose last line a kill has torn."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from evals.records import RecordFile
from evals.types import Prediction

AT_ONCE = 8


def test_nothing_is_lost_where_the_torn_line_is_cut_off(tmp_path: Path) -> None:
    for trial in range(25):
        path = tmp_path / f"{trial}.jsonl"
        RecordFile(path, Prediction).append(Prediction(sample_id="kept", epoch=0, error="x"))
        with path.open("ab") as torn:
            torn.write(b'{"sample_id": "torn" ' + b" " * 9_000)
        file, together = RecordFile(path, Prediction), Barrier(AT_ONCE)

        def write(
            number: int, file: RecordFile[Prediction] = file, start: Barrier = together
        ) -> None:
            start.wait()
            file.append(Prediction(sample_id=str(number), epoch=0, error="x"))

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(write, range(AT_ONCE)))
        names = [prediction.sample_id for prediction in file]
        assert names[0] == "kept"
        assert sorted(names[1:]) == sorted(map(str, range(AT_ONCE)))
        file.close()
