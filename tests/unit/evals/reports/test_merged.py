"""The benchmark's own tables of several runs: whose each is, and what is said below it."""

from __future__ import annotations

from evals.metrics.ranges import REASONS
from evals.reports.merged import merged_tables
from evals.types import Table


def groups(loose: float, note: str = "") -> Table:
    rows: tuple[tuple[str | float | None, ...], ...] = (("rivers", 2, loose, 0.0),)
    return Table(name="By category", columns=("category", "questions", "loose", "strict"),
                 rows=rows, note=note)  # fmt: skip


def test_a_metric_that_is_the_same_in_all_runs_is_still_each_runs_own() -> None:
    loose, strict = merged_tables({"a": [groups(0.5)], "b": [groups(0.25)]})
    assert (loose.name, strict.name) == ("By category: loose", "By category: strict")
    assert loose.columns == strict.columns == ("category", "questions", "a", "b")
    assert loose.rows == (("rivers", 2, 0.5, 0.25),)
    assert strict.rows == (("rivers", 2, 0.0, 0.0),)


def test_a_negative_mean_of_any_run_has_its_reason_below_its_table_alone() -> None:
    reason = f"{REASONS['loose']}."
    loose, strict = merged_tables({"a": [groups(0.5)], "b": [groups(-0.1, reason)]})
    assert loose.note == reason
    assert strict.note == ""


def test_what_is_said_of_some_runs_names_them() -> None:
    notes = {"a": "Of all answers. One failed", "b": "Of all answers. Two failed."}
    (merged, _) = merged_tables({run: [groups(len(run), note)] for run, note in notes.items()})
    assert merged.note == "Of all answers. a: One failed. b: Two failed."


def test_a_table_that_one_run_alone_has_is_called_its_own() -> None:
    faults = Table(name="Faults", columns=("fault", "times"), rows=(("not asked", 4),))
    (found,) = merged_tables({"theirs": [], "ours": [faults]})
    assert found.name == "Faults: ours"
    assert found.columns == ("fault", "times")
    assert merged_tables({"ours": [faults]}) == [faults]
