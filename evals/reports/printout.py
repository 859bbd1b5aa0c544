"""A run's numbers on standard output."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from evals.metrics.summary import Summary
    from evals.runs.folder import RunFolder


def print_summary(folder: RunFolder, summary: Summary) -> None:
    """Print a scored run: every metric with its interval, what is unscored and why, who judged."""
    config = folder.record.config
    typer.echo(
        f"{config.benchmark} {config.split} ({config.edition}), {config.variant}, "
        f"{config.setting}, {config.model}: {summary.n} questions, {summary.failed} failed"
    )
    width = max(map(len, (*summary.metrics, *summary.unscored_reasons)), default=0)
    for name, interval in summary.metrics.items():
        typer.echo(
            f"  {name:<{width}} {interval.mean:6.3f}  [{interval.low:.3f}, {interval.high:.3f}]"
            f"  n = {interval.n}"
        )
    for metric, reasons in summary.unscored_reasons.items():
        for reason, count in reasons.items():
            typer.echo(f"  {metric:<{width}} unscored {count} ×: {reason}")
    scoring = folder.scoring()
    engines = {
        name: value if isinstance(value, str) else ", ".join(value)
        for name, value in (asdict(scoring) if scoring else {}).items()
        if value and name in ("judge", "panel", "coverage", "extractor", "lemmatiser")
    }
    typer.echo("  by " + "; ".join(f"{name}: {value}" for name, value in engines.items()))
