"""The report's pictures: SVG that takes its text colour from the page, so light and dark both read."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from evals.metrics.coverage import KINDS, Cases
from evals.reports.comparison import Comparison

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#010203"
"""Drawn in this colour, which nothing else has, and replaced by the page's own."""
PALETTE = ("#3b6fb6", "#d98032", "#4b9a6b", "#b0506a", "#8064a8", "#8a7a55", "#4aa3a8", "#a0a0a0")
"""Told apart in print, on dark ground and by most colour-blind readers."""


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


def draw(figure: Figure, label: str) -> str:
    """Return a figure as SVG that scales with the page; `label` is read aloud in its place."""
    from html import escape

    from matplotlib import rc_context

    buffer = io.StringIO()
    # Text stays text: searchable, scalable, and read aloud. A fixed salt keeps ids the same.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "fanfold"}), catch_warnings():
        # The page's fonts draw what the font used for measuring lacks: Chinese names, for one.
        filterwarnings("ignore", message="Glyph .* missing from font", category=UserWarning)
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*" ', r"\1 ", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*" ', r"\1 ", svg, count=1)
    return svg.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)


def headline_plot(comparison: Comparison) -> str:
    """Draw each run's headline metric with its interval."""
    runs = [run for run in comparison.runs if comparison.headline in run.summary.metrics]
    figure, axes = new_axes(6.4, 0.6 + 0.42 * max(1, len(runs)))
    for row, run in enumerate(reversed(runs)):
        interval = run.summary.metrics[comparison.headline]
        axes.plot([interval.low, interval.high], [row, row], color=PALETTE[0], linewidth=2)
        axes.plot([interval.mean], [row], "o", color=PALETTE[0])
    axes.set_yticks(range(len(runs)), [run.label for run in reversed(runs)])
    axes.set_ylim(-0.6, max(1, len(runs)) - 0.4)
    axes.set_xlabel(f"{comparison.headline}, mean and 95 % interval over questions")
    return draw(figure, f"{comparison.headline} of each run with its interval")


def difference_plot(comparison: Comparison) -> str:
    """Draw the paired differences in the headline metric with their intervals."""
    pairs = [pair for pair in comparison.pairs if pair.metric == comparison.headline]
    figure, axes = new_axes(6.4, 0.6 + 0.36 * max(1, len(pairs)))
    for row, pair in enumerate(reversed(pairs)):
        colour = PALETTE[0] if pair.significant else PALETTE[-1]
        axes.plot(
            [pair.difference.low, pair.difference.high], [row, row], color=colour, linewidth=2
        )
        axes.plot([pair.difference.mean], [row], "o", color=colour)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_ylim(-0.6, max(1, len(pairs)) - 0.4)
    axes.set_yticks(range(len(pairs)), [f"{pair.a} − {pair.b}" for pair in reversed(pairs)])
    axes.set_xlabel(
        f"difference in {comparison.headline}; grey: not significant after Holm's correction"
    )
    return draw(figure, f"paired differences in {comparison.headline}")


def kinds_plot(by_run: Mapping[str, Mapping[str, float | None]]) -> str:
    """Draw the share of answered sub-questions by kind and run."""
    figure, axes = new_axes(6.4, 2.6)
    width = 0.8 / max(1, len(by_run))
    for index, (label, shares) in enumerate(by_run.items()):
        positions = [k + index * width for k in range(len(KINDS))]
        heights = [shares.get(kind) or 0.0 for kind in KINDS]
        axes.bar(positions, heights, width * 0.92, label=label, color=PALETTE[index % len(PALETTE)])
    axes.set_xticks(
        [k + 0.4 - width / 2 for k in range(len(KINDS))], [kind.replace("_", "-") for kind in KINDS]
    )
    axes.set_ylabel("answered")
    axes.set_ylim(0, 1)
    axes.legend(frameon=False, labelcolor=INK)
    return draw(figure, "share of sub-questions answered, by kind and run")


def cases_plot(by_run: Mapping[str, Cases]) -> str:
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
    axes.set_yticks(range(len(by_run)), list(by_run)[::-1])
    axes.set_xlim(0, 1)
    axes.set_xlabel("core sub-questions: answered × retrieved")
    axes.legend(frameon=False, labelcolor=INK, ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1))
    return draw(figure, "four cases of core sub-questions, by run")


def cost_plot(points: Sequence[CostPoint], metric: str, unit: str) -> str:
    """Draw score against cost; the points of one curve are joined."""
    figure, axes = new_axes(6.4, 3.0)
    curves: dict[str, list[CostPoint]] = {}
    for point in points:
        curves.setdefault(point.curve, []).append(point)
    for index, curve in enumerate(curves.values()):
        curve.sort(key=lambda point: point.cost)
        axes.plot(
            [point.cost for point in curve],
            [point.score for point in curve],
            "o-",
            color=PALETTE[index % len(PALETTE)],
        )
    middle = (min(point.cost for point in points) + max(point.cost for point in points)) / 2
    for point in points:
        # Labels point inwards, and take no room: one beside the last point would squeeze the axes.
        right = point.cost > middle
        axes.annotate(
            point.label,
            (point.cost, point.score),
            xytext=(-5 if right else 5, 4),
            textcoords="offset points",
            ha="right" if right else "left",
            color=INK,
        ).set_in_layout(False)
    axes.set_xlabel(f"{unit} a question")
    axes.set_ylabel(metric)
    axes.margins(0.15)
    return draw(figure, f"{metric} against {unit} a question")


def matrix_plot(labels: Sequence[str], shares: Sequence[Sequence[float | None]]) -> str:
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
    axes.set_xticks(range(len(labels)), labels, rotation=30, ha="right")
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlabel("wins of the row over the column, per cent of judgments")
    return draw(figure, "win-rate matrix")
