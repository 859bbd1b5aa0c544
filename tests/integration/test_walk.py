"""The page of a researcher's afternoon, run as it stands against a scripted server."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from string import Template

import pytest

from tests.exports import page, write_export
from tests.fake_server import serving
from tests.fakes import FaithfulMind
from tests.pages import ROOT, blocks, do


class Mind(FaithfulMind):
    """Answers the project's prompts from what it is shown."""


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    folder = tmp_path_factory.mktemp("walk")
    write_export(
        folder / "pages.xml",
        page("Lighthouse of Orm", 1, "The '''lighthouse of Orm''' is 41 metres tall. It is tall."),
        page("Ulv", 2, "'''Ulv''' is a harbour town in Orland with 900 inhabitants."),
    )
    with pytest.MonkeyPatch.context() as patch, serving(Mind()) as server:
        patch.chdir(folder)
        names = {"MODEL": "m", "BASE_URL": server.url, "DUMP": "pages.xml"}
        found: dict[str, str] = {}
        for block in blocks(ROOT / "docs/walk.md"):
            if block.kind == "python":
                exec(compile(block.text, "docs/walk.md", "exec"), {"__name__": "walk"})
                continue
            for line in block.lines():
                found[line] = do(Template(line).substitute(names))
        assert server.faults == []
        yield found


def test_every_command_of_the_page_does_its_work(said: dict[str, str]) -> None:
    def of(*words: str) -> str:
        (output,) = (out for line, out in said.items() if all(word in line for word in words))
        return output

    table = of("--strategy all")
    assert len(re.findall(r"^(?:agentic|e2e|baseline|query-\w+|retrieval) ", table, re.M)) == 6
    assert "python -m evals compare runs/six" in table
    asked = of("--strategy baseline,agentic")
    assert "m is asked 2 questions of one call and 2 questions of several calls" in asked
    assert re.search(r"runs/model/agentic-open: 2 of 2 samples, 0 failed; \d+ calls, ", asked)
    assert "41 metres" in of("run_agent.py")
    assert "circular" not in of("run cofca")
    modes = of("retrieval eval")
    assert modes.splitlines()[0].split() == ["bm25", "dense", "hybrid"]
    assert "not in the snapshot" not in modes
    assert "submission written" in of("export", "fanoutqa --name")


def test_what_the_page_makes_opens(said: dict[str, str]) -> None:
    for name in ("runs/six.html", "runs/model.html", "runs/python.html"):
        assert "<title>fanoutqa dev (sample)" in Path(name).read_text(encoding="utf-8")
    table = Path("table.tex").read_text(encoding="utf-8").splitlines()
    assert len([row for row in table if "TheirRAG" in row and "&" in row]) == 1
    with Path("scores.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len({row["run"] for row in rows}) == 7
    assert any(row["run"] == "TheirRAG" and not row["strategy"] for row in rows)
    for name in ("scores.csv", "python.csv"):
        frame = pytest.importorskip("pandas").read_csv(name)
        assert {"run", "metric", "mean", "low", "high"} <= set(frame.columns)
    figures = list(Path("runs/figures").iterdir())
    assert {path.suffix for path in figures} == {".svg", ".pdf"}
    assert (len(list(Path("submission").iterdir()))) == 2
