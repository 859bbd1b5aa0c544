from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.metrics.statistics import Interval
from evals.reports.command import report_runs
from evals.reports.exports import COLUMNS, latex
from evals.reports.findings import estimate
from evals.runs.folder import RunFolder
from tests.unit.evals.report_runs import GROUPS, make_run

PDFLATEX = shutil.which("pdflatex")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[RunFolder]:
    folder = tmp_path_factory.mktemp("runs")
    return [
        make_run(folder / "a_1", 30),
        make_run(folder / "b", 30, strategy="x & y_z % ü", better=0.4),
        make_run(folder / "c", 30, strategy="[e2e] #1 {~^\\", better=0.1),
    ]


def written(runs: Sequence[RunFolder], format: str, tmp_path: Path) -> str:
    out = tmp_path / f"out.{format}"
    report_runs([run.path for run in runs], out, format, metrics=["strict"])
    return out.read_text(encoding="utf-8")


def test_the_tidy_table_has_one_row_a_run_group_and_metric(
    runs: list[RunFolder], tmp_path: Path
) -> None:
    rows = list(csv.DictReader(written(runs, "csv", tmp_path).splitlines()))
    assert set(rows[0]) == set(COLUMNS)
    keys = [(row["run"], row["group"], row["value"], row["metric"]) for row in rows]
    assert len(set(keys)) == len(keys) == 3 * (1 + len(GROUPS)) * 2
    assert {row["value"] for row in rows if row["group"] == "category"} == set(GROUPS)
    for row in rows:
        assert float(row["low"]) <= float(row["mean"]) <= float(row["high"])
        assert int(row["n"]) > 0
    whole = {
        r["run"]: float(r["mean"]) for r in rows if (r["group"], r["metric"]) == ("all", "loose")
    }
    assert max(whole, key=whole.__getitem__) == "x & y_z % ü"


def test_the_tidy_table_loads_into_a_frame(runs: list[RunFolder], tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    written(runs, "csv", tmp_path)
    frame = pandas.read_csv(tmp_path / "out.csv")
    assert list(frame.columns) == list(COLUMNS)
    assert all(str(frame[name].dtype) == "float64" for name in ("mean", "low", "high"))


def test_json_holds_runs_rows_differences_and_how_to_repeat_them(
    runs: list[RunFolder], tmp_path: Path
) -> None:
    found = json.loads(written(runs, "json", tmp_path))
    assert [run["n"] for run in found["runs"]] == [30, 30, 30]
    assert {row["metric"] for row in found["differences"]} == {"loose", "strict"}
    assert len(found["differences"]) == 6
    assert found["commands"][0].startswith("python -m evals run fanoutqa --data questions.json")
    assert found["versions"].startswith("fanfold ")


def test_latex_is_a_booktabs_table(runs: list[RunFolder], tmp_path: Path) -> None:
    text = written(runs, "latex", tmp_path)
    check_latex(text)
    assert text.startswith("% Made by fanfold")
    lines = [line for line in text.splitlines() if line.startswith("(")]
    assert [line[:3] for line in lines] == ["(a)", "(b)", "(c)"]
    assert r"\textbf{" in lines[0]
    # The best run is higher than the two others in the tested metric.
    assert re.search(r"\\textsuperscript\{bc\} \{\\footnotesize \{\[\}0\.", lines[0])
    assert "Raised letters: higher than those runs" in text
    assert "articles held" not in text


def test_a_caption_says_why_a_mean_is_below_0(runs: list[RunFolder], tmp_path: Path) -> None:
    assert "goes below 0" not in written(runs, "latex", tmp_path)
    low = make_run(tmp_path / "low", 30)
    scoring = low.scoring()
    assert scoring is not None
    below = [replace(one, values={**one.values, "loose": -0.2}) for one in low.scores().values()]
    low.replace_scores(below, scoring)
    (caption,) = re.findall(r"\\caption{.*", written([*runs, low], "latex", tmp_path))
    assert "Loose goes below 0" in caption


def test_latex_speaks_of_no_letters_where_none_is_raised(tmp_path: Path) -> None:
    alike = [make_run(tmp_path / name, 6, strategy=name, articles=(0, 68)) for name in ("a", "b")]
    text = written(alike, "latex", tmp_path)
    check_latex(text)
    assert "(a) a" not in text
    assert "Raised" not in text
    assert "No run is shown to be higher in loose and strict" in text
    # What the comments say of all runs and a reader must know stands in the caption as well.
    assert "articles held: 0 of the 68 needed" in text.partition(r"\caption")[2]


@pytest.mark.skipif(PDFLATEX is None, reason="pdflatex is not installed")
def test_latex_compiles(runs: list[RunFolder], tmp_path: Path) -> None:
    assert PDFLATEX is not None
    table = written(runs, "latex", tmp_path)
    (tmp_path / "paper.tex").write_text(
        "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs}\n"
        f"\\begin{{document}}\n{table}\n\\end{{document}}\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
        cwd=tmp_path, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF-")


def check_latex(text: str) -> None:
    """Parse strictly: braces and environments balance, rows have the columns the table declares."""
    body = re.sub(r"(?<!\\)%.*", "", text)
    depth = 0
    for token in re.findall(r"\\.|[{}]", body):
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth >= 0
    assert depth == 0
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", body):
        if kind == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    inside = re.search(r"\\begin\{tabular\}\{(\w+)\}(.*)\\end\{tabular\}", body, re.DOTALL)
    assert inside is not None
    rows = re.sub(r"\\(top|mid|bottom)rule", "", inside[2]).split(r" \\" + "\n")
    counts = {len(re.split(r"(?<!\\)&", row)) for row in rows if row.strip()}
    assert counts == {len(inside[1])}
    assert not re.search(r"(?<!\\)[#_]|[−–“”<>]", inside[2].replace(r"\\", ""))


@given(
    st.text(alphabet=st.characters(codec="latin-1", categories=("L", "N", "P", "S")), max_size=20)
)
def test_any_text_is_set_as_it_is(text: str) -> None:
    told = re.sub(r"\\text\w+\{\}|\\[&%$#_{}]|\$[^$]*\$|\{[\[\]]\}", "", latex(text))
    assert not set(told) & set("\\{}&%$#_~^")


def test_an_estimate_says_as_much_as_it_knows() -> None:
    def of(mean: float, low: float, high: float) -> str:
        return estimate(Interval(mean=mean, low=low, high=high, n=9))

    assert of(0.567, 0.4512, 0.69) == "0.57 [0.45, 0.69]"
    assert of(0.5674, 0.5611, 0.5702) == "0.567 [0.561, 0.570]"
    assert of(-0.25, -0.5, -0.001) == "−0.25 [−0.50, 0.00]"
    assert estimate(None) == "–"
