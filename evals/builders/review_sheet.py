"""Sheets for people to review items on, and what they said read back.

CSV has a column for each reviewer; Label Studio's import format is a list of tasks, and its export
is read as it comes. Compound-QA keeps what all three rate 2 (appendix C.3); CCMOR asks a third
annotator where two disagree (section 2.3), which is the majority of three.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.files import read_text
from evals.builders.folder import SynthesisFolder
from evals.datafiles import read_json_list
from evals.metrics.statistics import fleiss_kappa

RATINGS = (0, 1, 2)
CSV = "review.csv"
LABEL_STUDIO = "review.labelstudio.json"
LABEL_CONFIG = "review.labelstudio.xml"
_COLUMNS = ("id", "type", "question", "reference", "context")
REVISED = "revised_reference"
"""What a reviewer would have the reference say; empty where it may stay."""
_VIEW = """<View>
  <Header value="$type"/>
  <Text name="question" value="$question"/>
  <Text name="reference" value="$reference"/>
  <Text name="context" value="$context"/>
  <Header value="{criteria}"/>
  <Choices name="rating" toName="question" choice="single" required="true">
    <Choice value="0"/><Choice value="1"/><Choice value="2"/>
  </Choices>
  <TextArea name="revised_reference" toName="reference" maxSubmissions="1"
            placeholder="the reference, if it must be another"/>
</View>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What reviewers are shown."""

    criteria: str
    reviewers: int
    columns: tuple[Mapping[str, str], ...]
    """Of every item: id, type, question, reference, context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What stands on a filled sheet."""

    ratings: Mapping[str, tuple[int, ...]]
    """By item; of three, the last may be missing."""
    revised: Mapping[str, str]
    """Item to the reference that a reviewer wrote in place of the given one."""
    raters: int
    """How many ratings an item is meant to have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What the reviewers said."""

    ratings: Mapping[str, tuple[int, ...]]
    """By item."""
    kept: tuple[str, ...]
    rejected: Mapping[str, str]
    """Item to reason."""
    kappa: float | None
    """Fleiss' kappa of the first two ratings where a third is not on every item, else of all; None
    where it is undefined: no item, or all ratings alike."""


def write_sheet(folder: SynthesisFolder, sheet: Sheet) -> None:
    """Write the sheet as CSV, and as tasks for Label Studio with their labelling view.

    A sheet that is there already is left alone: it may hold what people have said.
    """
    raters = [f"reviewer_{n}" for n in range(1, sheet.reviewers + 1)]
    table = io.StringIO()
    writer = csv.DictWriter(table, [*_COLUMNS, *raters, REVISED, "comment"], restval="")
    writer.writeheader()
    writer.writerows([_harmless(row) for row in sheet.columns])
    tasks = [{"data": dict(row)} for row in sheet.columns]
    view = _VIEW.format(criteria=sheet.criteria.replace("&", "&amp;").replace('"', "&quot;"))
    for name, text in (
        # A byte order mark, or Excel takes Chinese for Latin letters.
        (CSV, "\ufeff" + table.getvalue()),
        (LABEL_STUDIO, json.dumps(tasks, ensure_ascii=False, indent=1) + "\n"),
        (LABEL_CONFIG, view),
    ):
        if not (folder.path / name).exists():
            folder.write(name, text)


def _harmless(row: Mapping[str, str]) -> dict[str, str]:
    """Return a row in which no cell is a formula to a spreadsheet."""
    return {k: f"'{v}" if v[:1] in ("=", "+", "-", "@") else v for k, v in row.items()}


def read_csv_sheet(path: Path) -> Filled:
    """Return what reviewers wrote on a CSV sheet; the last of three ratings may be empty.

    Raises:
        InputError: no sheet, or a rating that is missing or none: line and column are named.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(read_text(path, "review sheet"))))
    except csv.Error as error:
        raise InputError(f"{path}: cannot be read as a review sheet: {error}") from None
    raters = [name for name in (rows[0] if rows else {}) if str(name).startswith("reviewer_")]
    if not raters or "id" not in rows[0]:
        raise InputError(f"{path}: a review sheet needs the columns id and reviewer_1, …")
    ratings: dict[str, tuple[int, ...]] = {}
    revised: dict[str, str] = {}
    for number, row in enumerate(rows, start=1):
        where = f"{path}, item {number}"
        if row["id"] in ratings:
            raise InputError(f"{where}: {row['id']!r} stands there twice")
        needed = raters
        if len(raters) > 2 and not (row[raters[-1]] or "").strip():
            needed = raters[:-1]
        ratings[row["id"]] = tuple(_rating(row[name], f"{where}, {name}") for name in needed)
        if text := (row.get(REVISED) or "").strip():
            revised[row["id"]] = text
    return Filled(ratings=ratings, revised=revised, raters=len(raters))


def read_label_studio(path: Path) -> Filled:
    """Return what annotators said in a Label Studio export (JSON), in their order.

    Of several that revised a reference the last counts.

    Raises:
        InputError: no export, or an annotation without a rating.
    """
    ratings: dict[str, tuple[int, ...]] = {}
    revised: dict[str, str] = {}
    for number, task in enumerate(read_json_list(path), start=1):
        where = f"{path}, item {number}"
        data = task.get("data")
        if not isinstance(data, dict) or "id" not in data:
            raise InputError(f"{where}: field 'data' holds no id")
        found = [
            _choice(annotation, f"{where}, annotation {place}")
            for place, annotation in enumerate(task.get("annotations") or [], start=1)
        ]
        if not found:
            raise InputError(f"{where}: nobody has rated it")
        ratings[str(data["id"])] = tuple(found)
        for annotation in task["annotations"]:
            if text := _text_of(annotation):
                revised[str(data["id"])] = text
    most = max(map(len, ratings.values()), default=0)
    return Filled(ratings=ratings, revised=revised, raters=most)


def _text_of(annotation: Mapping[str, Any]) -> str:
    """Return the revised reference of an annotation, "" where it has none."""
    for result in annotation.get("result") or []:
        if result.get("from_name") == REVISED:
            text = (result.get("value") or {}).get("text") or ""
            return str(text[0] if isinstance(text, list) else text).strip()
    return ""


def _choice(annotation: Mapping[str, Any], where: str) -> int:
    for result in annotation.get("result") or []:
        choices = (result.get("value") or {}).get("choices")
        if choices:
            return _rating(str(choices[0]), where)
    raise InputError(f"{where}: no rating is chosen")


def _rating(text: str | None, where: str) -> int:
    if text is None or text.strip() not in map(str, RATINGS):
        raise InputError(f"{where}: {text or 'nothing'!r} is no rating: write 0, 1 or 2")
    return int(text)


def decide(
    ratings: Mapping[str, Sequence[int]], *, unanimous: bool, raters: int | None = None
) -> Reviewed:
    """Return which items are kept.

    Args:
        ratings: by item: as many for each, or two where those agree and three where they do not.
        unanimous: every rating must be 2 (Compound-QA); else most of them (CCMOR).
        raters: how many an item is meant to have; as many as the one with most, by default.

    Raises:
        InputError: an item with fewer ratings than a decision takes.
    """
    most = max([raters or 0, *map(len, ratings.values())])
    kept: list[str] = []
    rejected: dict[str, str] = {}
    for item, given in ratings.items():
        settled = not unanimous and len(given) == most - 1 == 2 and given[0] == given[1]
        if len(given) < most and not settled:
            more = "" if unanimous else ", and the two do not agree"
            raise InputError(f"{item}: {len(given)} ratings where {most} are asked for{more}")
        good = sum(rating == max(RATINGS) for rating in given)
        if good == len(given) if unanimous else good * 2 > len(given):
            kept.append(item)
        else:
            rejected[item] = "rated " + "/".join(map(str, given))
    least = min(map(len, ratings.values()), default=0)
    rows = [given[:least] for given in ratings.values()]
    return Reviewed(
        ratings={item: tuple(given) for item, given in ratings.items()},
        kept=tuple(kept),
        rejected=rejected,
        kappa=fleiss_kappa(rows) if least > 1 else None,
    )
