"""How far a run's judges agree with people who labelled the same answers.

Compound-QA (section 5): three people choose A > B, A = B or B > A, a label counts where two agree,
and the judge is measured against it as a classifier. CCMOR (section 4.5): Cohen's kappa of each
judge with people on right or wrong. Labels are a line each, JSON Lines or the sheet filled in:

    {"id": "understanding/Factual-Statement/q1", "part": "", "labels": ["A>B", "A=B", "A>B"]}

`part` names a sub-question; empty is the whole answer. A is the system's answer.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, cast

import typer

from corpus.errors import InputError
from corpus.files import read_text
from corpus.options import AsJson
from corpus.terminal import say
from evals.options import RunArgument

Key = tuple[str, str]
"""Sample id and part."""
SHEET = ("id", "part", "question", "answer (A)", "reference (B)", "labels")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """One judge of a run against people."""

    judge: str
    n: int
    accuracy: float
    kappa: float | None
    """None where chance agreement is total."""
    true_positive_rate: float
    false_positive_rate: float
    unscored: int
    """Labelled answers without a readable verdict of this judge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """All judges of a run against people."""

    labelled: int
    undecided: int
    """Labelled answers on which no label has two votes and most votes: left out."""
    people_kappa: float | None
    """Fleiss' kappa among the people, over answers that equally many labelled."""
    judges: tuple[Rated, ...]


def compare_with_people(
    verdicts: Mapping[str, Mapping[Key, str | None]], labels: Mapping[Key, Sequence[str]]
) -> Compared:
    """Compare every judge with the majority of people.

    Args:
        verdicts: judge → (sample, part) → its label, None where unreadable.
        labels: (sample, part) → people's labels.

    Raises:
        InputError: no judge gave a verdict on what people labelled.
    """
    from evals.metrics.statistics import cohen_kappa
    from evals.metrics.winrate import agreement, majority_of_people

    decided = {
        key: label
        for key, given in labels.items()
        if (label := given[0] if len(given) == 1 else majority_of_people(given)) is not None
    }
    rated = []
    for judge, given in verdicts.items():
        asked = [key for key in decided if key in given]
        both = [key for key in asked if given[key] is not None]
        if not both:
            continue
        people, said = [decided[key] for key in both], [str(given[key]) for key in both]
        found = agreement(people, said)
        rated.append(
            Rated(
                judge=judge,
                n=found.n,
                accuracy=found.accuracy,
                kappa=cohen_kappa(people, said),
                true_positive_rate=found.true_positive_rate,
                false_positive_rate=found.false_positive_rate,
                unscored=len(asked) - len(both),
            )
        )
    if not rated:
        raise InputError(
            "no judge of this run gave a verdict on an answer that people labelled: score the run "
            "with --judge, and use its ids and parts in the labels"
        )
    return Compared(
        labelled=len(labels),
        undecided=len(labels) - len(decided),
        people_kappa=_among_people(labels),
        judges=tuple(rated),
    )


def _among_people(labels: Mapping[Key, Sequence[str]]) -> float | None:
    from evals.metrics.statistics import fleiss_kappa

    several = [given for given in labels.values() if len(given) > 1]
    if not several or len({len(given) for given in several}) > 1:
        return None
    return fleiss_kappa(several)


def read_labels(path: Path) -> dict[Key, list[str]]:
    """Read people's labels, JSON Lines or the sheet with its last column filled in.

    Raises:
        InputError: names the line and the field at fault.
    """
    from evals.datafiles import field, find_data, read_located, strings

    path = find_data(path, ())
    if path.suffix == ".csv":
        return dict(_sheet_rows(path))
    found: dict[Key, list[str]] = {}
    for where, item in read_located(path):
        given = strings(item, "labels", where)
        if not given:
            raise InputError(f"{where}: field 'labels' is empty")
        found[field(item, "id", str, where), str(item.get("part", ""))] = given
    return found


def _sheet_rows(path: Path) -> Iterator[tuple[Key, list[str]]]:
    reader = csv.DictReader(io.StringIO(read_text(path, "sheet"), newline=""))
    missing = {"id", "part", "labels"} - set(reader.fieldnames or ())
    if missing:
        raise InputError(f"{path}, line 1: field {min(missing)!r} is missing")
    for row in reader:
        labels = [one.strip() for one in (row["labels"] or "").split(";") if one.strip()]
        if labels:
            yield (row["id"], row["part"] or ""), labels


def verdicts_of(run: Path) -> dict[str, dict[Key, str | None]]:
    """Return every judge's labels of a scored run; of several epochs the first."""
    from evals.runs.folder import RunFolder

    found: dict[str, dict[Key, str | None]] = {}
    for score in RunFolder.open(run).scores().values():
        labels = cast("Mapping[str, Mapping[str, str | None]]", score.detail.get("labels", {}))
        for judge, parts in labels.items() if score.epoch == 0 else ():
            for part, label in parts.items():
                found.setdefault(judge, {})[score.sample_id, part] = label
    return found


def sheet_of(run: Path) -> Iterator[Sequence[str]]:
    """Yield the rows of a sheet for people: every answer of a run beside its reference."""
    from evals.answer_text import scored
    from evals.runs.folder import RunFolder
    from evals.runs.samples import kept_samples

    folder = RunFolder.open(run)
    samples = {sample.id: sample for sample in kept_samples(folder)}
    yield SHEET
    for prediction in folder.predictions():
        if prediction.response is not None and prediction.epoch == 0:
            sample = samples[prediction.sample_id]
            reference = sample.reference
            shown = reference if isinstance(reference, str) else json.dumps(reference)
            answer = scored(prediction.response).text
            yield (sample.id, "", sample.question, answer, shown, "")


def people_command(
    run: RunArgument,
    labels: Annotated[
        Path | None, typer.Option(metavar="FILE", help="people's labels: JSON Lines, or the sheet")
    ] = None,
    sheet: Annotated[
        Path | None, typer.Option(metavar="FILE", help="write a sheet for people to fill in")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare a run's judges with people's labels of the same answers."""
    if sheet is not None:
        from evals.records import write_beside

        rows = list(sheet_of(run))

        def write(beside: Path) -> None:
            with beside.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows(rows)

        write_beside(sheet, write)
        say(f"evals: {sheet}: {len(rows) - 1} answers; labels of several people with ; between")
        return
    if labels is None:
        raise InputError("name people's labels with --labels FILE, or make a sheet with --sheet")
    compared = compare_with_people(verdicts_of(run), read_labels(labels))
    if as_json:
        typer.echo(json.dumps(asdict(compared), ensure_ascii=False))
        return
    kappa = "–" if compared.people_kappa is None else f"{compared.people_kappa:.3f}"
    typer.echo(
        f"{compared.labelled} answers labelled, {compared.undecided} without a majority; "
        f"Fleiss' kappa among people {kappa}"
    )
    for one in compared.judges:
        shown = "–" if one.kappa is None else f"{one.kappa:.3f}"
        typer.echo(
            f"  {one.judge:<24} n = {one.n}  accuracy {one.accuracy:.3f}  kappa {shown}  "
            f"TPR {one.true_positive_rate:.3f}  FPR {one.false_positive_rate:.3f}  "
            f"unscored {one.unscored}"
        )
