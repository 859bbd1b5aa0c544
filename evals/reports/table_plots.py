"""Bars of the tables that a benchmark wants drawn: by type, by hop, by chain category, by domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evals.metrics.ranges import REASONS, outside_remarks
from evals.reports.plots import INK, LEGEND_WIDTH, PALETTE, Drawing, below, new_axes, short
from evals.types import Table

MOST_UPRIGHT = 8
"""Groups drawn as upright bars; more lie on their side, so that their names can be read."""

MOST_GROUPS = 16
"""Of more groups only those are drawn that some series is not 0 in: 32 categories are mostly empty."""

MOST_COUNTED = 24
"""Groups drawn of a table that counts its questions, those of most: of more no name could be read."""
_COUNT = "questions"

Series = Mapping[str, Mapping[str, float]]
"""Name of a series → group → value."""


def table_plots(by_run: Mapping[str, Sequence[Table]]) -> Iterator[tuple[str, Drawing]]:
    """Yield (title, figure) for every table of the runs that names columns to draw.

    One run's columns stand beside each other; of several runs each column is a series of its own.
    """
    names = dict.fromkeys(t.name for tables in by_run.values() for t in tables if t.plot)
    for name in names:
        series: dict[str, dict[str, float]] = {}
        groups: dict[str, None] = {}
        for label, tables in by_run.items():
            for table in tables:
                if table.name == name:
                    groups.update((str(row[0]), None) for row in table.rows)
                    series.update(_series(table, label if len(by_run) > 1 else ""))
        if any(series.values()):
            most = _most_asked(groups, [t for ts in by_run.values() for t in ts if t.name == name])
            fewer = len(groups) - len(most)
            notes = [f"{fewer} of fewer questions stand in the table alone"] if fewer else []
            notes += map(
                below, _remarks([t for ts in by_run.values() for t in ts if t.name == name])
            )
            yield name, bars_plot(name, series, most, ";\n".join(notes))


def _remarks(tables: Sequence[Table]) -> list[str]:
    """Return why drawn metrics leave the range of a share, of those that are known to."""
    drawn: dict[str, list[object]] = {}
    for table in tables:
        for column in REASONS.keys() & set(table.plot):
            place = table.columns.index(column)
            drawn.setdefault(column, []).extend(row[place] for row in table.rows)
    return outside_remarks(drawn)


def _most_asked(groups: Iterable[str], tables: Sequence[Table]) -> list[str]:
    """Return the groups of most questions, in their order; all where they are few or not counted."""
    asked: Counter[str] = Counter()
    for table in tables:
        if _COUNT in table.columns:
            place = table.columns.index(_COUNT)
            asked.update({str(row[0]): int(float(row[place] or 0)) for row in table.rows})
    kept = {group for group, _ in asked.most_common(MOST_COUNTED)}
    return [group for group in groups if group in kept or not kept]


def _series(table: Table, label: str) -> Iterator[tuple[str, dict[str, float]]]:
    for column in table.plot:
        position = table.columns.index(column)
        values = {
            str(row[0]): float(value)
            for row in table.rows
            if (value := row[position]) is not None and not isinstance(value, str)
        }
        named = (short(label), column if len(table.plot) > 1 or not label else "")
        yield ": ".join(filter(None, named)), values


def bars_plot(title: str, series: Series, groups: Sequence[str], note: str = "") -> Drawing:
    """Draw groups of bars in their order, one bar of a group for each series that has a value.

    Args:
        title: of the figure.
        series: what is drawn.
        groups: which of it.
        note: stands below the bars.
    """
    shown = list(groups)
    if len(groups) > MOST_GROUPS:
        shown = [group for group in groups if any(v.get(group) for v in series.values())]
    left_out = len(groups) - len(shown)
    groups = shown or list(groups)
    upright = len(groups) <= MOST_UPRIGHT and max(map(len, groups)) <= 14
    thickness = 0.8 / max(1, len(series))
    columns = max(1, min(3, len(series), LEGEND_WIDTH // (max(map(len, series)) + 8)))
    height = 2.8 if upright else 0.9 + 0.13 * len(groups) * max(1.6, len(series))
    height += 0.18 * -(-len(series) // columns)
    figure, axes = new_axes(6.4, height)
    for index, (name, values) in enumerate(series.items()):
        places = [n + (index + 0.5) * thickness - 0.4 for n, g in enumerate(groups) if g in values]
        lengths = [values[group] for group in groups if group in values]
        bars = axes.bar if upright else axes.barh
        bars(places, lengths, thickness * 0.92, label=name, color=PALETTE[index % len(PALETTE)])
    if upright:
        axes.set_xticks(range(len(groups)), groups)
    else:
        axes.set_yticks(range(len(groups)), groups)
        axes.set_ylim(len(groups) - 0.5, -0.5)
    if left_out and shown:
        empty = f"{left_out} groups that are 0 throughout are left out"
        note = f"{note}; {empty}" if note else empty
    if note:
        axes.set_xlabel(note)
    extent = axes.set_ylim if upright else axes.set_xlim
    lengths = [value for values in series.values() for value in values.values()]
    extent(min(0.0, *lengths), max(1.0 if max(lengths) <= 1 else 1.05 * max(lengths), 0.0))
    # A legend of the figure, not of the axes, takes its room from the margin and never from the bars.
    figure.legend(frameon=False, labelcolor=INK, ncols=columns, loc="outside upper center")
    return Drawing(figure, title)
