"""A run as JSON Lines or as a table, for others to read."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence

from evals.runs.folder import RunFolder
from evals.types import Json


def export_jsonl(run: RunFolder) -> Iterator[str]:
    """Yield one JSON object a sample: id, epoch, answer or error, and all that scoring looks at.

    Imported again it is scored as the run was, but for what an agent's own account is scored by: its
    plan and its searches, which stay in the run.
    """
    scores = run.scores()
    for prediction in run.predictions():
        score = scores.get((prediction.sample_id, prediction.epoch))
        said = prediction.response
        record: dict[str, Json] = {
            "id": prediction.sample_id,
            "epoch": prediction.epoch,
            "answer": said.text if said else None,
            "error": prediction.error,
        }
        if said is not None:
            record["abstained"] = said.abstained
            record |= {"parts": dict(said.parts)} if said.parts else {}
            record |= {"asked": dict(said.asked)} if said.asked else {}
            chunks: list[Json] = [{"title": one.title, "text": one.text} for one in said.chunks]
            record |= {"chunks": chunks} if chunks else {}
        record["scores"] = dict(score.values) if score else {}
        yield json.dumps(record, ensure_ascii=False)


def export_csv(run: RunFolder) -> Iterator[str]:
    """Yield the lines of a table with one row a sample: id, epoch, error, abstained, answer, metrics."""
    scores = run.scores()
    metrics = list(dict.fromkeys(name for score in scores.values() for name in score.values))
    yield _csv_line(["id", "epoch", "error", "abstained", "answer", *metrics])
    for prediction in run.predictions():
        score = scores.get((prediction.sample_id, prediction.epoch))
        values = [score.values.get(name, "") if score else "" for name in metrics]
        said = prediction.response
        told = ["", "", ""] if said is None else ["", str(said.abstained).lower(), said.text]
        told[0] = prediction.error or ""
        yield _csv_line([prediction.sample_id, prediction.epoch, *told, *values])


def _csv_line(cells: Sequence[object]) -> str:
    buffer = io.StringIO()
    # A cell that begins like a formula would be run by a spreadsheet: it is data.
    safe = [f"'{cell}" if str(cell)[:1] in ("=", "@", "\t") else cell for cell in cells]
    # The writer quotes a cell for a line break only where its own lines end in one.
    csv.writer(buffer, lineterminator="\n").writerow(safe)
    return buffer.getvalue().removesuffix("\n")
