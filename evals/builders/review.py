"""A filled review sheet applied to the data set it was made for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.files import parse_json, read_text
from evals.builders.folder import CONFIG
from evals.builders.review_sheet import CSV, Reviewed, decide, read_csv_sheet, read_label_studio
from evals.records import write_beside

REVIEWED = "reviewed"
"""Folder of the data files that hold what the reviewers passed, for `evals run --data`."""


def apply_review(folder: Path, sheet: Path | None = None) -> Reviewed:
    """Write what the reviewers passed, as data files in `reviewed/`, and `review.json`.

    The items have the references that the reviewers revised. `items.jsonl` and the files that were
    made stay as they are, so that another sheet can be read; the card names what was kept.

    Args:
        folder: of the data set.
        sheet: filled; the CSV of the folder by default. JSON is an export of Label Studio.

    Raises:
        InputError: no data set, or a sheet that is not its own or not filled.
    """
    if not (folder / "items.jsonl").is_file():
        raise InputError(f"{folder}: no finished data set; make one by evals synth")
    sheet = sheet or folder / CSV
    filled = (read_label_studio if sheet.suffix == ".json" else read_csv_sheet)(sheet)
    ratings = filled.ratings
    lines = read_text(folder / "items.jsonl").splitlines()
    items = [str(parse_json(line, f"{folder / 'items.jsonl'}")["id"]) for line in lines]
    unknown = sorted(ratings.keys() - set(items))
    unrated = [item for item in items if item not in ratings]
    if unknown or unrated:
        what = f"{unknown[0]!r} is no item of" if unknown else f"nobody rated {unrated[0]!r} of"
        raise InputError(f"{sheet}: {what} {folder}")
    # Compound-QA keeps what all rate 2; CCMOR has a third annotator decide.
    builder = str(parse_json(read_text(folder / CONFIG), f"{folder / CONFIG}").get("builder"))
    found = decide(ratings, unanimous=builder == "cq-syn", raters=filled.raters)
    for name, kept in _kept(folder, builder, set(found.kept), filled.revised).items():
        path = folder / REVIEWED / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _put(path, kept)
    summary = {
        "sheet": sheet.name,
        "kept": list(found.kept),
        "rejected": dict(found.rejected),
        "revised": sorted(set(filled.revised) & set(found.kept)),
        "fleiss_kappa": found.kappa,
    }
    _put(folder / "review.json", json.dumps(summary, ensure_ascii=False, indent=1) + "\n")
    return found


_FILES = {"cq-syn": ("compound-qa/*.jsonl", "ID"), "fact-chains": ("ccmor.jsonl", "id")}
"""Builder to its data files and the field that holds an item's id."""


def _kept(folder: Path, builder: str, kept: set[str], revised: Mapping[str, str]) -> dict[str, str]:
    """Return the data files with the kept items alone, their references revised."""
    if builder not in _FILES:
        raise InputError(f"{folder}: sets of {builder} have no review sheet")
    pattern, name = _FILES[builder]
    files: dict[str, str] = {}
    for path in sorted(folder.glob(pattern)):
        items = [parse_json(line, str(path)) for line in read_text(path).splitlines()]
        lines = [
            json.dumps(_revise(item, revised.get(str(item[name]))), ensure_ascii=False) + "\n"
            for item in items
            if item[name] in kept
        ]
        if lines:
            files[str(path.relative_to(folder))] = "".join(lines)
        (folder / REVIEWED / path.relative_to(folder)).unlink(missing_ok=True)
    return files


def _revise(item: dict[str, Any], text: str | None) -> dict[str, Any]:
    """Return an item with the reference that a reviewer wrote; several answers stand on lines."""
    if text is None:
        return item
    if "com_reference" in item:
        # Parts that were told from the old reference are no parts of the new one.
        return {k: v for k, v in item.items() if k != "sub_references"} | {"com_reference": text}
    answers = [line.strip() for line in text.splitlines() if line.strip()]
    answer = answers[0] if len(answers) == 1 else answers
    last = {**item["chain"][-1], "answer": answer}
    return {**item, "answer": answer, "chain": [*item["chain"][:-1], last]}


def _put(path: Path, text: str) -> None:
    write_beside(path, lambda beside: _write(beside, text))


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
