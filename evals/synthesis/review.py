"""Sheets for people to review items on, and what they said read back.

CSV has a column for each reviewer; Label Studio's import format is a list of tasks, and its export
is read as it comes. Compound-QA keeps what all three rate 2 (appendix C.3); CCMOR asks a third
annotator where two disagree (section 2.3), which is the majority of three.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.files import read_text
from evals.benchmarks.loading import read_json_list
from evals.synthesis.folder import SynthesisFolder

RATINGS = (0, 1, 2)
CSV = "review.csv"
LABEL_STUDIO = "review.labelstudio.json"
LABEL_CONFIG = "review.labelstudio.xml"
_COLUMNS = ("id", "type", "question", "reference", "context")
_VIEW = """<View>
  <Header value="$type"/>
  <Text name="question" value="$question"/>
  <Text name="reference" value="$reference"/>
  <Text name="context" value="$context"/>
  <Header value="{criteria}"/>
  <Choices name="rating" toName="question" choice="single" required="true">
    <Choice value="0"/><Choice value="1"/><Choice value="2"/>
  </Choices>
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
class Reviewed:
    """What the reviewers said."""

    ratings: Mapping[str, tuple[int, ...]]
    """By item."""
    kept: tuple[str, ...]
    rejected: Mapping[str, str]
    """Item to reason."""
    kappa: float | None
    """Fleiss' kappa; None where it is undefined: no item, or all ratings alike."""


def write_sheet(folder: SynthesisFolder, sheet: Sheet) -> None:
    """Write the sheet as CSV, and as tasks for Label Studio with their labelling view.

    A sheet that is there already is left alone: it may hold what people have said.
    """
    raters = [f"reviewer_{n}" for n in range(1, sheet.reviewers + 1)]
    table = io.StringIO()
    writer = csv.DictWriter(table, [*_COLUMNS, *raters, "comment"], restval="")
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


def read_csv_sheet(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the ratings on a CSV sheet, by item.

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
    for number, row in enumerate(rows, start=1):
        where = f"{path}, item {number}"
        if row["id"] in ratings:
            raise InputError(f"{where}: {row['id']!r} stands there twice")
        ratings[row["id"]] = tuple(_rating(row[name], f"{where}, {name}") for name in raters)
    return ratings


def read_label_studio(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the ratings of a Label Studio export (JSON), by item, annotators in their order.

    Raises:
        InputError: no export, or an annotation without a rating.
    """
    ratings: dict[str, tuple[int, ...]] = {}
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
    return ratings


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


def decide(ratings: Mapping[str, Sequence[int]], *, unanimous: bool) -> Reviewed:
    """Return which items are kept.

    Args:
        ratings: by item, as many for each.
        unanimous: every rating must be 2 (Compound-QA); else most of them (CCMOR).

    Raises:
        InputError: items with different numbers of ratings.
    """
    counts = {len(given) for given in ratings.values()}
    if len(counts) > 1:
        low = min(ratings, key=lambda one: len(ratings[one]))
        raise InputError(f"{low}: {len(ratings[low])} ratings where others have {max(counts)}")
    kept: list[str] = []
    rejected: dict[str, str] = {}
    for item, given in ratings.items():
        good = sum(rating == max(RATINGS) for rating in given)
        if good == len(given) if unanimous else good * 2 > len(given):
            kept.append(item)
        else:
            rejected[item] = "rated " + "/".join(map(str, given))
    return Reviewed(
        ratings={item: tuple(given) for item, given in ratings.items()},
        kept=tuple(kept),
        rejected=rejected,
        kappa=fleiss(list(ratings.values())),
    )


def fleiss(ratings: Sequence[Sequence[int]]) -> float | None:
    """Return Fleiss' kappa of ratings, a row an item; None where chance alone would agree fully."""
    used = Counter(rating for row in ratings for rating in row)
    if len(used) < 2 or min(map(len, ratings)) < 2:
        return None
    from statsmodels.stats.inter_rater import fleiss_kappa

    table = [[sum(rating == one for one in row) for rating in RATINGS] for row in ratings]
    return float(fleiss_kappa(table))
