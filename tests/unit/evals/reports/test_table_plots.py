from __future__ import annotations

import dataclasses
import xml.etree.ElementTree as ET

from evals.reports.plots import Drawing
from evals.reports.table_plots import MOST_COUNTED, bars_plot, table_plots
from evals.types import Table

SVG = "{http://www.w3.org/2000/svg}"


def texts_in_order(drawing: Drawing) -> list[str]:
    return [node.text or "" for node in ET.fromstring(drawing.svg()).iter(f"{SVG}text")]


def texts(drawing: Drawing) -> set[str]:
    return set(texts_in_order(drawing))


def table(value: float | None, *, plot: tuple[str, ...] = ("em", "f1")) -> Table:
    return Table(
        name="By hops",
        columns=("hops", "questions", "em", "f1"),
        rows=(("2 hops", 3, value, 0.5), ("3 hops", 3, None, 0.25), ("<all>", 6, 0.2, 0.4)),
        plot=plot,
    )


def test_one_runs_columns_stand_beside_each_other() -> None:
    ((title, drawing),) = table_plots({"a": [table(0.75)]})
    assert title == "By hops"
    assert {"em", "f1", "2 hops", "3 hops", "<all>"} <= texts(drawing)


def test_of_several_runs_each_column_is_a_series() -> None:
    ((_, drawing),) = table_plots({"a": [table(0.75)], "b": [table(0.5)]})
    assert {"a: em", "b: em", "a: f1", "b: f1"} <= texts(drawing)
    ((_, drawing),) = table_plots(
        {"a": [table(1.0, plot=("em",))], "b": [table(0.5, plot=("em",))]}
    )
    assert {"a", "b"} <= texts(drawing)
    assert "em" not in texts(drawing)


def test_tables_without_columns_to_draw_or_values_draw_nothing() -> None:
    assert list(table_plots({"a": [table(0.5, plot=())]})) == []
    empty = Table(name="x", columns=("g", "v"), rows=(("one", None),), plot=("v",))
    assert list(table_plots({"a": [empty]})) == []


def test_groups_stand_in_the_order_of_the_rows() -> None:
    rows = (("1 hop", None, 1.0), ("3 hops", 0.5, 0.5))
    drawn = Table(name="x", columns=("hops", "SQA", "OA"), rows=rows, plot=("SQA", "OA"))
    ((_, drawing),) = table_plots({"a": [drawn]})
    ticks = [text for text in texts_in_order(drawing) if text.endswith(("hop", "hops"))]
    assert ticks == ["1 hop", "3 hops"]


def test_many_groups_lie_on_their_side_and_per_cent_fits() -> None:
    many = {"run": {f"category {n}": 100.0 * (n + 1) / 32 for n in range(32)}}
    drawing = bars_plot("Chains", many, list(many["run"]))
    assert {"category 0", "category 31", "100"} <= texts(drawing)
    height = float(ET.fromstring(drawing.svg()).attrib["viewBox"].split()[3])
    assert height > 350


def test_of_many_groups_the_empty_ones_are_left_out_and_counted() -> None:
    many = {f"category {n}": 50.0 if n in (3, 30) else 0.0 for n in range(32)}
    drawn = texts(bars_plot("Chains", {"run": many}, list(many)))
    assert {"category 3", "category 30"} <= drawn
    assert "category 4" not in drawn
    assert "30 groups that are 0 throughout are left out" in drawn
    nothing = dict.fromkeys(many, 0.0)
    assert "category 4" in texts(bars_plot("Chains", {"run": nothing}, list(many)))


def test_of_a_great_many_those_of_most_questions_are_drawn() -> None:
    rows = tuple((f"category {n}", float(n % 40), 0.5) for n in range(60))
    counted = Table(name="x", columns=("category", "questions", "em"), rows=rows, plot=("em",))
    ((_, drawing),) = table_plots({"a": [counted], "b": [counted]})
    drawn = [text for text in texts_in_order(drawing) if text.startswith("category")]
    most = sorted(rows, key=lambda row: -row[1])[:MOST_COUNTED]
    assert sorted(drawn) == sorted(row[0] for row in most)
    assert "36 of fewer questions stand in the table alone" in texts(drawing)


def test_bars_below_0_say_why() -> None:
    below = Table(
        name="By category",
        columns=("category", "questions", "loose"),
        rows=(("Sports", 3, -0.056), ("Art", 2, 0.5)),
        plot=("loose",),
    )
    ((_, drawing),) = table_plots({"e2e": [below]})
    assert "loose goes below 0" in " ".join(texts_in_order(drawing))
    above = dataclasses.replace(below, rows=(("Sports", 3, 0.056), ("Art", 2, 0.5)))
    ((_, drawing),) = table_plots({"e2e": [above]})
    assert "below 0" not in " ".join(texts_in_order(drawing))


def test_negative_values_and_chinese_names_are_drawn() -> None:
    drawing = bars_plot("差", {"gap": {"中国文化": -0.25, "社会": 0.5}}, ["中国文化", "社会"])
    assert "中国文化" in texts(drawing)
