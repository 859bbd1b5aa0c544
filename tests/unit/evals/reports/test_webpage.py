from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import InputError
from evals.judges.pairwise import win_rates
from evals.ports import Covered, Judge, Verdict
from evals.records import RecordFile
from evals.reports.command import report_runs
from evals.reports.questions import page_of, segments
from evals.runs.folder import RunFolder
from evals.types import Passage, Prediction, Response, Sample, Score
from tests.unit.evals.report_runs import HOSTILE, SENTENCE, answer, make_run
from tests.unit.evals.runs.test_folder import CONFIG, make_record


def blob(html: str, element: str) -> Any:
    found = re.search(rf'<script type="application/octet-stream" id="{element}">([^<]*)<', html)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


def html_of(tmp_path: Path, *runs: RunFolder, **options: Any) -> str:
    out = tmp_path / "report.html"
    report_runs([run.path for run in runs], out, "html", **options)
    return out.read_text(encoding="utf-8")


def test_a_comparison_stands_in_one_file_without_network(tmp_path: Path) -> None:
    first = make_run(tmp_path / "a", 30)
    second = make_run(tmp_path / "b", 30, strategy="e2e", better=0.4)
    html = html_of(tmp_path, first, second)
    for title in ("Main metrics", "Differences", "Cost and time", "Scored by", "Configuration"):
        assert f"<h2>{title}" in html
    assert html.count("<svg") == 4
    assert "higher than baseline." in html
    assert html.index("higher than baseline") < html.index("<table>") < html.index("<svg")
    assert "judge-1" in html
    assert "timed out &lt;b&gt;" in html
    assert not re.search(r'(?:src|href)="(?!#)', html.replace("xlink:href", ""))
    assert "@import" not in html


def test_what_a_question_holds_is_never_markup(tmp_path: Path) -> None:
    html = html_of(tmp_path, make_run(tmp_path / "a"))
    assert "<script>document.title" not in html
    assert "<i>odd" not in html
    index = re.search(r'id="data">(.*?)</script>', html, re.DOTALL)
    assert index is not None
    questions = json.loads(index[1])["questions"]
    assert questions[1]["q"] == HOSTILE
    assert [one["r"][0]["s"] for one in questions] == ["scored", "scored", "failed", "unscored"]


def test_a_page_tells_how_an_answer_came_about(tmp_path: Path) -> None:
    html = html_of(tmp_path, make_run(tmp_path / "a"))
    page = blob(html, "p0-0-0")
    (account,) = page["accounts"]
    root, follow_up = account["plan"]
    assert (root["status"], follow_up["status"]) == ("answered", "not_asked")
    assert [(c["id"], c["status"], c["needs"]) for c in root["children"]] == [
        ("2.1", "not_found", []),
        ("3", "failed", ["2.1"]),
    ]
    assert [s["t"] for s in account["chunks"][0]["text"] if "m" in s] == [SENTENCE]
    assert [s["t"] for s in page["text"] if "c" in s] == ["[1]"]
    assert account["steps"][0]["usage"]["tokens_in"] == 300
    assert page["judge"]["grade"] == "B"
    assert blob(html, "q0")["reference"] == "41 metres"
    assert blob(html, "p0-2-0")["error"] == "timed out <b>"


def test_covering_spans_are_highlighted_in_answer_and_chunks() -> None:
    said = answer("Why?", 2)
    chunks = tuple(Passage(title="t", text=hit.chunk.text) for hit in said.hits)
    row: Any = {
        "sub_question": "How tall?", "kind": "core", "answered": True, "span": [0, 4],
        "unscored": None, "chunks": [False, True], "chunk_spans": [[-1, -1], [2, 7]],
    }  # fmt: skip
    score = Score(sample_id="a", detail={"coverage": [row]})
    sample = Sample(id="a", question="Why?")
    both = Response(text=said.text, chunks=chunks, answers=(said,))
    page: Any = page_of(sample, Prediction(sample_id="a", response=both), score)
    assert page["text"][0] == {"t": "Why?", "m": "answers: How tall?"}
    assert page["chunks"] == []
    marked = [s for s in page["accounts"][0]["chunks"][1]["text"] if "m" in s]
    assert marked == [{"t": "Chunk", "m": "covers: How tall?"}]
    imported = Response(text="Why? So.", chunks=chunks)
    page = page_of(sample, Prediction(sample_id="a", response=imported), score)
    assert [s["t"] for s in page["chunks"][1]["text"] if "m" in s] == ["Chunk"]
    assert page["coverage"][0]["chunks"] == [2]


@given(
    st.text(max_size=30),
    st.lists(st.tuples(st.integers(-2, 35), st.integers(-2, 35), st.sampled_from("ab"))),
)
def test_segments_join_to_the_text(text: str, marks: list[tuple[int, int, str]]) -> None:
    cut: Any = segments(text, marks, frozenset({1}))
    assert "".join(segment["t"] for segment in cut) == text
    highlighted = sum(len(segment["t"]) for segment in cut if "m" in segment)
    inside = {i for a, b, _ in marks for i in range(max(0, a), min(len(text), b))}
    assert highlighted == len(inside)


def test_circular_plans_are_shown_whole() -> None:
    from dataclasses import replace

    from agent.types import SubQuestion

    steps = tuple(
        SubQuestion(id=i, text=i, kind="core", depends_on=(on,))
        for i, on in (("1", "2"), ("2", "1"), ("3", "3"))
    )
    response = Response(text="", answers=(replace(answer("q", 1), sub_questions=steps),))
    page: Any = page_of(
        Sample(id="a", question="q"), Prediction(sample_id="a", response=response), None
    )
    ids = re.findall(r'"id": "(\d)"', json.dumps(page["accounts"][0]["plan"]))
    assert sorted(ids) == ["1", "2", "3"]


def test_tables_as_markdown(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / "a", 12), make_run(tmp_path / "b", 12, strategy="x|y")]
    report_runs([run.path for run in runs], tmp_path / "report.md", "md", metrics=["strict"])
    text = (tmp_path / "report.md").read_text()
    lines = [line for line in text.splitlines() if line.startswith("| x\\|y")]
    assert lines
    assert "timed out \\<b\\>" in text


def test_a_folder_of_runs_stands_for_its_runs(tmp_path: Path) -> None:
    for name, strategy in (("a", "baseline"), ("b", "e2e"), ("c", "agentic")):
        make_run(tmp_path / "all" / name, strategy=strategy)
    report_runs([tmp_path / "all"], tmp_path / "r.html", "html")
    html = (tmp_path / "r.html").read_text()
    assert "Differences in loose, row minus column" in html


def test_one_run_is_reported_in_its_folder(tmp_path: Path) -> None:
    run = make_run(tmp_path / "a")
    report_runs([run.path], None, "html")
    html = (run.path / "report.html").read_text()
    assert "<h2>Differences" not in html
    assert "Score and cost" not in html


def test_what_cannot_be_reported_is_said(tmp_path: Path) -> None:
    run = make_run(tmp_path / "a")
    with pytest.raises(InputError, match="unknown format 'pdf'"):
        report_runs([run.path], None, "pdf")
    with pytest.raises(InputError, match="named twice"):
        report_runs([run.path, run.path], None, "html")
    other = make_run(tmp_path / "b", strategy="e2e")
    with pytest.raises(InputError, match="--out"):
        report_runs([run.path, other.path], None, "html")


def test_mixed_editions_are_said_in_every_format(tmp_path: Path) -> None:
    from dataclasses import replace

    first = make_run(tmp_path / "a")
    second = make_run(tmp_path / "b", config=replace(CONFIG, edition="nov23"))
    assert "the runs differ in edition" in html_of(tmp_path, first, second, allow=["edition"])
    report_runs([first.path, second.path], tmp_path / "r.md", "md", allow=["edition"])
    assert "> the runs differ in edition" in (tmp_path / "r.md").read_text()


class LongestWins:
    """Prefers the longer answer; says nothing readable of an answer that holds a "?"."""

    name = "longest"

    async def choose(self, *_: Any) -> Verdict:
        raise AssertionError("only preferences are asked for")

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        if "?" in a + b:
            return Verdict(choice=None, unscored="unreadable")
        return Verdict(choice="TIE" if len(a) == len(b) else "A" if len(a) > len(b) else "B")


async def test_win_rates_count_ties_failures_and_unreadable_verdicts() -> None:
    questions = {i: i for i in "abcde"}
    answers: dict[str, dict[str, str | None]] = {
        "long": {"a": "longer", "b": "same", "c": None, "d": "?", "e": None},
        "short": {"a": "short", "b": "also", "c": "x", "d": "x", "e": None},
    }
    rates = await win_rates(LongestWins(), questions, answers)
    (pair,) = rates.pairs
    assert pair.share is not None
    assert (pair.share.mean, pair.share.n) == ((1.0 + 0.5 + 0.0 + 0.5) / 4, 4)
    assert (pair.ties, pair.unscored) == (4, 1)
    assert rates.matrix() == [[None, 0.5], [0.5, None]]
    with pytest.raises(InputError, match="no question in common"):
        await win_rates(LongestWins(), questions, {"x": {"a": "1"}, "y": {"b": "1"}})


def test_a_judge_adds_the_win_rates(tmp_path: Path) -> None:
    runs = [make_run(tmp_path / "a", 3), make_run(tmp_path / "b", 3, strategy="e2e")]
    asked: list[RunFolder] = []

    def judge_of(run: RunFolder) -> Judge:
        asked.append(run)
        return LongestWins()

    html = html_of(tmp_path, *runs, judge_of=judge_of)
    assert "Win rates" in html
    assert "Judged by longest" in html
    assert [run.path for run in asked] == [runs[0].path]


class EveryOther:
    """A coverage judge that finds every second sub-question in the first word of any text."""

    name = "every other"

    async def covers(self, text: str, sub_questions: list[str]) -> list[Covered]:
        return [
            Covered(covered=True, start=0, end=3) if n % 2 == 0 else Covered(covered=False)
            for n in range(len(sub_questions))
        ]


def test_coverage_runs_get_their_plots_and_tables(tmp_path: Path) -> None:
    from dataclasses import replace

    from evals.benchmarks import BENCHMARKS
    from evals.ports import Judges
    from evals.runs.samples import keep_samples, load_samples, score_run

    data = Path(__file__).parents[4] / "evals/sample/subquestion.jsonl"
    asked = load_samples(BENCHMARKS["subquestion"], data, "all", "frozen", limit=3)
    runs = []
    for strategy in ("baseline", "e2e"):
        config = replace(CONFIG, benchmark="subquestion", strategy=strategy)
        run = RunFolder.begin(
            tmp_path / strategy, make_record(config, tuple(sample.id for sample in asked))
        )
        keep_samples(run, asked)
        lines = RecordFile(run.path / "predictions.jsonl", Prediction)
        for sample in asked:
            said = answer(sample.question, 2)
            chunks = tuple(Passage(title="t", text=hit.chunk.text) for hit in said.hits)
            lines.append(
                Prediction(
                    sample_id=sample.id,
                    response=Response(text=said.text, chunks=chunks, answers=(said,)),
                )
            )
        lines.close()
        score_run(run, Judges(coverage=EveryOther()))  # type: ignore[arg-type]
        runs.append(run)
    html = html_of(tmp_path, *runs)
    for title in ("Coverage by kind", "Four cases", "Coverage metrics", "every other"):
        assert title in html
    assert blob(html, "p0-0-0")["coverage"][0]["answered"] is True
