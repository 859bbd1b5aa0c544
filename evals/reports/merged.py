"""The benchmark's own tables of several runs, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evals.reports.tables import COUNTS, Cell
from evals.types import Table


def merged_tables(by_run: Mapping[str, Sequence[Table]]) -> list[Table]:
    """Return the benchmark's own tables, those of several runs side by side.

    Tables of one name that have a name in the first column and numbers in the others become one
    table for each column, with a column for each run; a count that is the same in all stands once.
    Tables of another form, and those that one run alone has, are returned run by run.
    """
    if len(by_run) == 1:
        return [table for tables in by_run.values() for table in tables]
    found: list[Table] = []
    for name in dict.fromkeys(table.name for tables in by_run.values() for table in tables):
        own = {
            run: table for run, tables in by_run.items() for table in tables if table.name == name
        }
        alike = len({table.columns for table in own.values()}) == 1
        # What one run alone has is that run's, whatever else its name says.
        if len(own) > 1 and alike and all(_numeric(table) for table in own.values()):
            found += _side_by_side(name, own)
        else:
            found += [replace(table, name=f"{name}: {run}") for run, table in own.items()]
    return found


def _numeric(table: Table) -> bool:
    names = [row[0] for row in table.rows]
    return (
        len(table.columns) > 1
        and len(set(names)) == len(names)
        and not any(isinstance(cell, str) for row in table.rows for cell in row[1:])
    )


def _side_by_side(name: str, own: Mapping[str, Table]) -> list[Table]:
    first = next(iter(own.values()))
    names = list(dict.fromkeys(row[0] for table in own.values() for row in table.rows))
    cells = {run: {row[0]: row for row in table.rows} for run, table in own.items()}

    def column(run: str, place: int) -> list[Cell]:
        return [cells[run][n][place] if n in cells[run] else None for n in names]

    shared: list[int] = []
    varying: list[int] = []
    for place in range(1, len(first.columns)):
        columns = [column(run, place) for run in own]
        # A metric that is the same in all is still each run's own.
        same = first.columns[place] in COUNTS and all(one == columns[0] for one in columns)
        (shared if same else varying).append(place)
    tables = []
    for place in varying or [0]:
        kept = [column(next(iter(own)), one) for one in shared]
        theirs = [column(run, place) for run in own] if place else []
        tables.append(
            Table(
                name=f"{name}: {first.columns[place]}" if len(varying) > 1 else name,
                columns=(
                    first.columns[0],
                    *(first.columns[one] for one in shared),
                    *(own if place else ()),
                ),
                rows=tuple(zip(names, *kept, *theirs, strict=True)),
                note=_note(own, first.columns[place] if place else ""),
            )
        )
    return tables


def _note(own: Mapping[str, Table], column: str) -> str:
    """Return what the notes of all runs say of a column: what is said of some names these."""
    said: dict[str, list[str]] = {}
    for run, table in own.items():
        for sentence in filter(None, table.note.removesuffix(".").split(". ")):
            said.setdefault(sentence, []).append(run)
    others = {name for table in own.values() for name in table.columns} - {column}
    kept = []
    for sentence, runs in said.items():
        about = sentence.partition(" ")[0]
        if about in others:
            continue
        # Why a metric leaves its range is true of all, whichever run shows it.
        everywhere = len(runs) == len(own) or about == column
        kept.append(f"{sentence}." if everywhere else f"{', '.join(runs)}: {sentence}.")
    return " ".join(kept)
