"""The tables of a report, and the same tables as Markdown and CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from evals.judges.pairwise import WinRates
from evals.reports.comparison import Comparison
from evals.reports.labels import is_imported
from evals.runs.folder import RunFolder
from evals.runs.prompt_files import digest_of
from evals.types import Table

Cell = str | float | None
COUNTS = ("questions", "n")
"""Columns of whole numbers, whatever type a benchmark gave them."""
NOT_APPLICABLE = "not applicable"
OF_ANY_SYSTEM = ("benchmark", "edition", "split", "data_sha256", "snapshot", "model", "epochs")
"""Fields of a configuration that say something of imported answers, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a run took, all predictions together."""

    questions: int
    calls: int
    tokens: int
    cost_usd: float | None
    """None as soon as the price of one call is unknown."""
    seconds: float | None
    """Median over questions, each from its start to its answer, without the first to begin."""
    at_once: int
    """Questions asked at once; 0 where it is not known."""


def spent_table(comparison: Comparison, spent: Sequence[Spent]) -> Table:
    """Return what each run took a question, and who scored it."""
    called = any(used.calls for used in spent)
    columns = [
        "run",
        *(("calls each", "tokens each", "$ each") if called else ()),
        "median seconds",
        "asked at once",
    ]
    rows: list[tuple[Cell, ...]] = []
    for run, used in zip(comparison.runs, spent, strict=True):
        each = max(1, used.questions)
        cost = None if used.cost_usd is None else used.cost_usd / each
        costs = (used.calls / each, used.tokens / each, cost) if called else ()
        rows.append((run.label, *costs, used.seconds, str(used.at_once or "–")))
    lacking = any(used.calls and used.cost_usd is None for used in spent)
    unpriced = "No value under $: the price of a call is not known. " if lacking else ""
    return Table(
        name="Cost and time",
        columns=tuple(columns),
        rows=tuple(rows),
        note=f"{unpriced}Seconds from a question's start to its answer, without the first "
        "question's, which waits for models and indexes to be opened. Questions asked at once share "
        "the machine or the model, so that each takes longer than alone: `--concurrency 1` gives its own time.",
    )


def metrics_table(comparison: Comparison) -> Table:
    """Return every metric of every run with its interval."""
    return Table(
        name="All metrics",
        columns=("run", "metric", "mean", "low", "high", "n"),
        rows=tuple(
            (run.label, name, i.mean, i.low, i.high, i.n)
            for run in comparison.runs
            for name, i in run.summary.metrics.items()
        ),
    )


def differences_table(comparison: Comparison) -> Table:
    """Return the paired differences, corrected, with what could have been found."""
    rows: list[tuple[Cell, ...]] = []
    for pair in comparison.pairs:
        d = pair.difference
        better = pair.a if d.mean > 0 else pair.b
        rows.append(
            (
                pair.a,
                pair.b,
                pair.metric,
                d.mean,
                d.low,
                d.high,
                d.n,
                pair.left_out,
                d.p_value,
                pair.p_holm,
                d.detectable,
                d.test,
                f"{better} is higher" if pair.significant else "no difference shown",
            )
        )
    seeds = {pair.difference.seed for pair in comparison.pairs}
    return Table(
        name="Differences",
        columns=("a", "b", "metric", "a − b", "low", "high", "n", "left out", "p", "p (Holm)",
                 "detectable", "test", "at 5 %"),
        rows=tuple(rows),
        note="Paired over the questions both runs have a score for; 95 % intervals. Detectable: the "
        "smallest true difference found with 80 % power at 5 %, before the correction. "
        f"Resampling seed: {', '.join(map(str, sorted(seeds)))}.",
    )  # fmt: skip


def wins_table(wins: WinRates) -> Table:
    """Return the win rate of every pair of runs."""
    return Table(
        name="Win rates",
        columns=("a", "b", "a wins", "low", "high", "questions", "ties", "unscored"),
        rows=tuple(
            (
                pair.a,
                pair.b,
                *((i.mean, i.low, i.high, i.n) if (i := pair.share) else (None, None, None, 0)),
                pair.ties,
                pair.unscored,
            )
            for pair in wins.pairs
        ),
        note=f"Judged by {wins.judge}, every pair in both orders; a tie is half a win. Unscored: "
        "an order without a readable verdict.",
    )


def unscored_table(comparison: Comparison) -> Table:
    """Return what has no value, why, and how often."""
    return Table(
        name="Failed and unscored",
        columns=("run", "metric", "why", "times"),
        rows=tuple(
            (run.label, metric, reason, count)
            for run in comparison.runs
            for metric, reasons in run.summary.unscored_reasons.items()
            for reason, count in reasons.items()
        ),
    )


def scoring_table(comparison: Comparison, runs: Sequence[RunFolder]) -> Table:
    """Return who scored each run, over which edition and with which retriever."""
    rows: list[tuple[Cell, ...]] = []
    for compared, run in zip(comparison.runs, runs, strict=True):
        scoring, config = compared.scoring, run.record.config
        rows.append(
            (
                compared.label,
                config.edition,
                scoring.judge or "none",
                ", ".join(scoring.panel) or "none",
                scoring.coverage or "none",
                scoring.extractor or "none",
                scoring.lemmatiser or "none",
                NOT_APPLICABLE if is_imported(config) else config.retriever or "none",
            )
        )
    return Table(
        name="Scored by",
        columns=("run", "edition", "judge", "panel", "coverage judge", "extractor", "lemmatiser",
                 "retriever and embedder"),
        rows=tuple(rows),
    )  # fmt: skip


def configuration_table(comparison: Comparison, runs: Sequence[RunFolder]) -> Table:
    """Return every field of every configuration, one column for each run."""
    records = [run.record for run in runs]
    columns: list[Mapping[str, object]] = [
        {
            "run id": record.id,
            **{
                name: NOT_APPLICABLE
                if name not in OF_ANY_SYSTEM and is_imported(record.config)
                else value
                for name, value in asdict(record.config).items()
                if name not in ("options", "prompts")
            },
            "prompts": digest_of(record.config.prompts) if record.config.prompts else "",
            **{f"option {name}": value for name, value in record.config.options.items()},
            "snapshot name": record.snapshot.get("name") if record.config.snapshot else None,
            "snapshot date": record.snapshot.get("date") if record.config.snapshot else None,
            "data": record.data,
            "endpoint": record.base_url,
            "fanfold": record.tool_version,
            "folder": run.path.name,
        }
        for run, record in zip(runs, records, strict=True)
    ]
    names = dict.fromkeys(name for column in columns for name in column)
    return Table(
        name="Configuration",
        columns=("field", *(run.label for run in comparison.runs)),
        rows=tuple((name, *(_plain(column.get(name)) for column in columns)) for name in names),
    )


def _plain(value: object) -> str:
    return "" if value is None else str(value)


def show(cell: Cell, column: str = "") -> str:
    """Return a cell as people read it: three or four decimals, "–" for no value."""
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int) or column in COUNTS:
        return f"{cell:,.0f}"
    if cell == 0:
        return "0"
    if abs(cell) >= 100:
        return f"{cell:,.0f}"
    return f"{cell:.4f}" if abs(cell) < 0.1 else f"{cell:.3f}"


def to_markdown(tables: Sequence[Table], remarks: Sequence[str] = ()) -> Iterator[str]:
    """Yield the lines of a Markdown document with every table."""
    for remark in remarks:
        yield f"> {_escaped(remark)}"
    for table in tables:
        yield f"\n## {_escaped(table.name)}\n"
        yield "| " + " | ".join(map(_escaped, table.columns)) + " |"
        yield "|" + "---|" * len(table.columns)
        for row in table.rows:
            shown = [show(c, name) for c, name in zip(row, table.columns, strict=True)]
            yield "| " + " | ".join(map(_escaped, shown)) + " |"
        if table.note:
            yield f"\n{_escaped(table.note)}"


def _escaped(text: str) -> str:
    for letter in "\\|<>*_`[]":
        text = text.replace(letter, f"\\{letter}")
    return " ".join(text.split())
