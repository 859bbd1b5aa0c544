"""A filled review sheet applied to the data set it was made for."""

from __future__ import annotations

import json
from pathlib import Path

from corpus.errors import InputError
from corpus.files import parse_json, read_text
from evals.records import write_beside
from evals.synthesis.folder import CONFIG
from evals.synthesis.review import CSV, Reviewed, decide, read_csv_sheet, read_label_studio


def apply_review(folder: Path, sheet: Path | None = None) -> Reviewed:
    """Write `reviewed.jsonl` and `review.json` of what the reviewers passed.

    Args:
        folder: of the data set.
        sheet: filled; the CSV of the folder by default. JSON is an export of Label Studio.

    Raises:
        InputError: no data set, or a sheet that is not its own or not filled.
    """
    if not (folder / "items.jsonl").is_file():
        raise InputError(f"{folder}: no finished data set; make one by evals synth")
    sheet = sheet or folder / CSV
    read = read_label_studio if sheet.suffix == ".json" else read_csv_sheet
    ratings = read(sheet)
    lines = read_text(folder / "items.jsonl").splitlines()
    items = {parse_json(line, f"{folder / 'items.jsonl'}")["id"]: line for line in lines}
    unknown = sorted(ratings.keys() - items)
    unrated = [item for item in items if item not in ratings]
    if unknown or unrated:
        what = f"{unknown[0]!r} is no item of" if unknown else f"nobody rated {unrated[0]!r} of"
        raise InputError(f"{sheet}: {what} {folder}")
    # Compound-QA keeps what all rate 2; CCMOR has a third annotator decide.
    builder = parse_json(read_text(folder / CONFIG), f"{folder / CONFIG}").get("builder")
    found = decide(ratings, unanimous=builder == "cq-syn")
    kept = "".join(items[item] + "\n" for item in items if item in set(found.kept))
    write_beside(folder / "reviewed.jsonl", lambda path: _write(path, kept))
    summary = {
        "sheet": sheet.name,
        "kept": list(found.kept),
        "rejected": dict(found.rejected),
        "fleiss_kappa": found.kappa,
    }
    text = json.dumps(summary, ensure_ascii=False, indent=1) + "\n"
    write_beside(folder / "review.json", lambda path: _write(path, text))
    return found


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
