"""The report's pictures: SVG that takes its text colour from the page, so light and dark both read."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from evals.metrics.coverage import KINDS, Cases
from evals.metrics.ranges import range_remarks
from evals.records import write_beside
from evals.reports.comparison import Comparison
from evals.reports.findings import metric_name, pair_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#010203"
"""Drawn in this colour, which nothing else has, and replaced by the page's own."""
PALETTE = ("#3b6fb6", "#d98032", "#4b9a6b", "#b0506a", "#8064a8", "#8a7a55", "#4aa3a8", "#a0a0a0")
"""Told apart in print, on dark ground and by most colour-blind readers."""
SHAPES = ("o", "s", "^", "D")
LONGEST = 32
"""Characters of a run's name in a figure."""
LEGEND_WIDTH = 72
"""Characters that stand beside each other in a legend."""
NOTE_WIDTH = 84
"""Characters of a line below the axis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CostPoint:
    """One run in the plot of score against cost."""

    label: str
    curve: str
    """Equal for runs that differ in their budget alone."""
    cost: float
    score: float


def new_axes(width: float, height: float) -> tuple[Figure, Any]:
    """Return a figure of this size in inches, and its axes."""
    # The object-oriented interface draws without a display and without global state.
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    inked = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    style: dict[Any, Any] = dict.fromkeys(inked, INK)
    style.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    with rc_context(style):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
    return figure, axes


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished figure."""

    figure: Figure
    label: str
    """What it shows, read aloud in its place."""

    def svg(self) -> str:
        """Return SVG for the page: it takes its size and its text colour from there."""
        from html import escape

        svg = self._drawn("svg").decode()
        svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
        svg = re.sub(r'(<svg[^>]*?) height="[^"]*" ', r"\1 ", svg, count=1)
        svg = re.sub(r'(<svg[^>]*?) width="[^"]*" ', r"\1 ", svg, count=1)
        return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(self.label)}" ', 1)

    def save(self, path: Path) -> None:
        """Write it by itself, as SVG or PDF by the name's ending."""
        drawn = self._drawn(path.suffix.removeprefix("."))
        write_beside(path, lambda beside: _write(beside, drawn))

    def _drawn(self, format: str) -> bytes:
        from matplotlib import rc_context

        buffer = io.BytesIO()
        # Text stays text: searchable, scalable, and read aloud; PDF embeds whole outlines, as
        # publishers ask. A fixed salt and no date keep the bytes the same.
        style: dict[Any, Any] = {
            "svg.fonttype": "none",
            "svg.hashsalt": "fanfold",
            "pdf.fonttype": 42,
        }
        dated = {"Date": None} if format == "svg" else {"CreationDate": None}
        with rc_context(style), catch_warnings():
            # The page's fonts draw what the font used for measuring lacks: Chinese names, for one.
            filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
            self.figure.savefig(buffer, format=format, transparent=True, metadata=dated)
        return buffer.getvalue()


def _write(path: Path, drawn: bytes) -> None:
    path.write_bytes(drawn)


def short(label: str) -> str:
    """Return a run's name as a figure has room for it."""
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"


def below(note: str) -> str:
    """Return a note in lines as long as there is room for below a figure's axis."""
    return fill(note, NOTE_WIDTH)


def headline_plot(comparison: Comparison) -> Drawing:
    """Draw each run's headline metric with its interval."""
    runs = [run for run in comparison.runs if comparison.headline in run.summary.metrics]
    figure, axes = new_axes(6.4, 0.6 + 0.42 * max(1, len(runs)))
    for row, run in enumerate(reversed(runs)):
        interval = run.summary.metrics[comparison.headline]
        axes.plot([interval.low, interval.high], [row, row], color=PALETTE[0], linewidth=2)
        axes.plot([interval.mean], [row], "o", color=PALETTE[0])
    axes.set_yticks(range(len(runs)), [short(run.label) for run in reversed(runs)])
    axes.set_ylim(-0.6, max(1, len(runs)) - 0.4)
    name = metric_name(comparison.headline)
    remarks = range_remarks(
        (comparison.headline, r.summary.metrics[comparison.headline]) for r in runs
    )
    axes.set_xlabel(
        "\n".join([f"{name}, mean and 95 % interval over questions", *map(below, remarks)])
    )
    return Drawing(figure, f"{name} of each run with its interval")


def difference_plot(comparison: Comparison) -> Drawing | None:
    """Draw what each run differs from the first in the headline metric; None without a pair."""
    first, *others = [run.label for run in comparison.runs]
    found = [(run, pair_of(comparison, first, run, comparison.headline)) for run in others]
    rows = [(run, *pair) for run, pair in found if pair is not None]
    if not rows:
        return None
    figure, axes = new_axes(6.4, 0.7 + 0.36 * len(rows))
    for row, (_, pair, sign) in enumerate(reversed(rows)):
        colour = PALETTE[0] if pair.significant else PALETTE[-1]
        bounds = [sign * pair.difference.low, sign * pair.difference.high]
        axes.plot(bounds, [row, row], color=colour, linewidth=2)
        axes.plot([sign * pair.difference.mean], [row], "o", color=colour)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.set_yticks(range(len(rows)), [short(run) for run, *_ in reversed(rows)])
    name = metric_name(comparison.headline)
    axes.set_xlabel(f"{name} of {short(first)} minus theirs\ngrey: not significant after Holm")
    return Drawing(figure, f"differences in {name} between {first} and the other runs")


def kinds_plot(by_run: Mapping[str, Mapping[str, float | None]]) -> Drawing:
    """Draw the share of answered sub-questions by kind and run."""
    figure, axes = new_axes(6.4, 2.6 + 0.1 * len(by_run))
    width = 0.8 / max(1, len(by_run))
    for index, (label, shares) in enumerate(by_run.items()):
        positions = [k + index * width for k in range(len(KINDS))]
        heights = [shares.get(kind) or 0.0 for kind in KINDS]
        axes.bar(
            positions,
            heights,
            width * 0.92,
            label=short(label),
            color=PALETTE[index % len(PALETTE)],
        )
    axes.set_xticks(
        [k + 0.4 - width / 2 for k in range(len(KINDS))], [kind.replace("_", "-") for kind in KINDS]
    )
    axes.set_ylabel("answered")
    axes.set_ylim(0, 1)
    columns = max(1, min(3, LEGEND_WIDTH // (max(map(len, by_run)) + 8)))
    figure.legend(frameon=False, labelcolor=INK, ncols=columns, loc="outside upper center")
    return Drawing(figure, "share of sub-questions answered, by kind and run")


def cases_plot(by_run: Mapping[str, Cases]) -> Drawing:
    """Draw the four cases of core sub-questions as one stacked bar for each run."""
    figure, axes = new_axes(6.4, 0.8 + 0.42 * max(1, len(by_run)))
    names = ("both", "answered_only", "retrieved_only", "neither")
    for row, cases in enumerate(reversed(list(by_run.values()))):
        left = 0.0
        for index, name in enumerate(names):
            share = getattr(cases, name)
            label = name.replace("_", " ") if row == 0 else None
            axes.barh(row, share, left=left, color=PALETTE[(0, 2, 1, 7)[index]], label=label)
            left += share
    axes.set_yticks(range(len(by_run)), [short(run) for run in by_run][::-1])
    axes.set_xlim(0, 1)
    axes.set_xlabel("core sub-questions: answered × retrieved")
    axes.legend(frameon=False, labelcolor=INK, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1))
    return Drawing(figure, "four cases of core sub-questions, by run")


def cost_plot(points: Sequence[CostPoint], metric: str, unit: str) -> Drawing:
    """Draw score against cost; the points of one curve are joined, a legend names each point."""
    columns = max(1, min(3, LEGEND_WIDTH // (max(len(short(p.label)) for p in points) + 8)))
    figure, axes = new_axes(6.4, 2.8 + 0.18 * -(-len(points) // columns))
    curves: dict[str, list[CostPoint]] = {}
    for point in points:
        curves.setdefault(point.curve, []).append(point)
    for curve in curves.values():
        curve.sort(key=lambda point: point.cost)
        axes.plot([p.cost for p in curve], [p.score for p in curve], "-", color=PALETTE[-1])
    # Names beside the points print over each other as soon as two runs are alike.
    for index, point in enumerate(points):
        axes.plot(
            [point.cost],
            [point.score],
            SHAPES[index // len(PALETTE) % len(SHAPES)],
            color=PALETTE[index % len(PALETTE)],
            label=short(point.label),
        )
    axes.set_xlabel(f"{unit} a question")
    axes.set_ylabel(metric_name(metric))
    axes.margins(0.15)
    figure.legend(frameon=False, labelcolor=INK, ncols=columns, loc="outside upper center")
    return Drawing(figure, f"{metric_name(metric)} against {unit} a question")


def matrix_plot(labels: Sequence[str], shares: Sequence[Sequence[float | None]]) -> Drawing:
    """Draw a win-rate matrix as a heat map: cell = share of judgments the row wins."""
    # As wide as the plot beside it: a page that widens a small drawing widens its letters, too.
    figure, axes = new_axes(max(4.8, 1.6 + 0.75 * len(labels)), 1.2 + 0.55 * len(labels))
    values = [[float("nan") if share is None else share for share in row] for row in shares]
    axes.imshow(values, cmap="RdYlBu", vmin=0, vmax=1, alpha=0.75)
    for row, cells in enumerate(shares):
        for column, share in enumerate(cells):
            if share is not None:
                axes.text(
                    column, row, f"{100 * share:.0f}", ha="center", va="center", color="#202020"
                )
    names = [short(label) for label in labels]
    axes.set_xticks(range(len(labels)), names, rotation=30, ha="right")
    axes.set_yticks(range(len(labels)), names)
    axes.set_xlabel("wins of the row over the column, per cent of judgments")
    return Drawing(figure, "win-rate matrix")
