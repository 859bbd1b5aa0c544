"""Compound-QA, CofCA and CCMOR from the command line: offline, with a model, and killed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evals.benchmarks import BENCHMARKS
from evals.cli import app
from evals.runs.folder import RunFolder
from tests.fake_server import serving
from tests.fakes import Asked, FaithfulMind
from tests.settling import settle

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "evals/sample"
LATENCY = 0.25
GOLD = {
    step.question: str(step.answer)
    for name in ("cofca", "ccmor")
    for sample in BENCHMARKS[name].load(SAMPLE, "test", BENCHMARKS[name].editions[0])
    for step in sample.steps
} | {
    sample.question: str(sample.reference)
    for name in ("cofca", "ccmor")
    for sample in BENCHMARKS[name].load(SAMPLE, "test", BENCHMARKS[name].editions[0])
}


class Knows:
    """A mind that knows every gold answer of the samples, judges kindly and extracts a sentence."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []

    def __call__(self, asked: Asked) -> object:
        self.asked.append(asked)
        if asked.form:
            return FaithfulMind()(asked)
        said = asked.outside
        if "判定" in said:
            return "意思相同。\n判定：正确"
        if "Verdict: 1" in said:
            return "The same.\nVerdict: 1"
        if "A>>B" in said:
            a, b = asked.fenced[-2:]
            verdict = "A=B" if len(a) == len(b) else "A>B" if len(a) > len(b) else "B>A"
            return f"By length.\nVerdict: {verdict}"
        if "The part that answers" in said:
            return asked.fenced[-1].split(". ")[0]
        known = [question for question in GOLD if question in str(asked.messages[-1]["content"])]
        if "Sub-questions:" in said:
            whole, *steps = sorted(known, key=said.index)
            lines = [f"Answer {n}: {GOLD[step]}" for n, step in enumerate(steps, start=1)]
            return "\n".join([*lines, f"Final answer: {GOLD[whole]}"])
        if known:
            return f"Step by step.\n<答案>{GOLD[max(known, key=len)].split('/')[0]}</答案>"
        return "An answer to every part of this. It rests on the context."


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(
    ("benchmark", "options", "tables"),
    [
        (
            "cofca",
            ("--ids", "1-factual,1-counterfactual,3-factual,4-factual"),
            ["By hops", "Factual against counterfactual", "Chains of 4 steps"],
        ),
        ("compound", ("--limit", "4"), ["Win rate by type", "Errors", "Verdicts"]),
        ("ccmor", ("--ids", "zh-1,zh-5"), ["SQA against OA", "By domain"]),
    ],
)
def test_each_runs_with_nothing_configured(
    benchmark: str, options: tuple[str, ...], tables: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    run("run", benchmark, "--out", str(out), *options)
    scored = json.loads(run("score", str(out), "--json"))
    assert scored["failed"] == 0
    assert scored["scored"] == scored["n"] > 1
    assert 0 <= scored["metrics"][BENCHMARKS[benchmark].headline] <= 1
    shown = run("report", str(out), "--format", "md")
    assert all(f"## {table}" in shown for table in tables)
    run("report", str(out))
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg ") >= 2


def test_cofca_by_a_model_with_and_without_sub_questions(tmp_path: Path) -> None:
    mind = Knows()
    with serving(mind) as server:
        for how in ("without", "with"):
            out = str(tmp_path / how)
            run("run", "cofca", "--out", out, "--model", "m", "--base-url", server.url,
                "--prompting", "cot", "--option", f"sub_questions={how}", "--judge", "j",
                "--epochs", "2")  # fmt: skip
            scored = json.loads(run("score", out, "--json"))
            # No judge is named now: the verdicts that were paid for stay.
            assert scored["metrics"]["em"] == scored["metrics"]["right_chain"] == 1.0
            assert scored["metrics"]["pm"] == 1.0
        run("score", str(tmp_path / "with"), "--judge", "j", "--judge-base-url", server.url)
        run("score", str(tmp_path / "without"), "--judge", "j", "--judge-base-url", server.url)
        shown = run("compare", str(tmp_path / "without"), str(tmp_path / "with"), "--format", "md")
    assert "sub\\_questions without" in shown
    assert "| 2 hops | em | 1.000 | 0 | 2" in shown
    assert "| pm | 1.000 |" in shown


def test_compound_judged_by_a_model_in_both_orders(tmp_path: Path) -> None:
    mind = Knows()
    with serving(mind) as server:
        run("run", "compound", "--out", str(tmp_path), "--model", "m", "--base-url", server.url,
            "--prompting", "vanilla,cot,few-shot", "--judge", "j", "--limit", "2")  # fmt: skip
        paths = [str(tmp_path / f"agentic-evidence-{p}") for p in ("vanilla", "cot", "few-shot")]
        run("compare", *paths, "--out", str(tmp_path / "report.html"))
    # The server is gone: prompts are answered again from what was recorded.
    assert json.loads(run("replay", paths[1], "--json")) == {"same": 2, "different": []}
    scores = list(RunFolder.open(Path(paths[0])).scores().values())
    # The reference is longer: lost whichever way round.
    assert [score.values["win"] for score in scores] == [0.0, 0.0]
    assert scores[0].detail["judged by"] == "j"
    judged = [asked for asked in mind.asked if "A>>B" in asked.outside]
    orders = {(asked.fenced[-2], asked.fenced[-1]) for asked in judged}
    assert all((b, a) in orders for a, b in orders)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "prompting" in page
    assert "few-shot" in page


def test_ccmor_by_three_judges(tmp_path: Path) -> None:
    with serving(Knows()) as server:
        run("run", "ccmor", "--out", str(tmp_path / "r"), "--model", "m", "--base-url", server.url,
            "--prompting", "cot-zh-few", "--setting", "closed,open", "--ids", "zh-5,zh-6",
            "--judge", "a", "--judge", "b", "--judge", "c")  # fmt: skip
        closed, opened = tmp_path / "r/agentic-closed", tmp_path / "r/agentic-open"
        shown = run("compare", str(closed), str(opened), "--format", "md", "--metric", "judge")
    record = RunFolder.open(opened)
    assert record.scoring() is not None
    values = [score.values for score in record.scores().values()]
    assert all(
        v["judge"] == v["sqa_judge"] == v["rougeL"] == v["sqa_rougeL"] == 1.0 for v in values
    )
    assert "## Agreement of judges: closed" in shown
    assert "| a | b | – | 1.000 | 8 |" in shown
    prompts = [p.response.answers[0].hits for p in record.predictions() if p.response]
    assert all(hits for hits in prompts)


def test_answers_from_elsewhere_may_bring_their_sub_answers(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    line = {"id": "1-factual", "answer": "Princeton University", "parts": {"1": "Pete Conrad"}}
    answers.write_text(json.dumps(line), encoding="utf-8")
    data = ("--data", str(SAMPLE / "cofca.json"))
    run("import", "cofca", *data, "--answers", str(answers), "--out", str(tmp_path / "r"))
    run("score", str(tmp_path / "r"))
    scores = RunFolder.open(tmp_path / "r").scores()
    assert scores["1-factual", 0].detail["chain"] == "cwc"
    answers.write_text(json.dumps({**line, "parts": {"1": 2}}), encoding="utf-8")
    refused = CliRunner().invoke(
        app, ["import", "cofca", *data, "--answers", str(answers), "--out", str(tmp_path / "s")]
    )
    assert "field 'parts': field '1' must be str, not int" in str(refused.exception)


def test_two_judges_of_one_name_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["run", "ccmor", "--out", str(tmp_path / "r"), "--ids", "zh-1", "--judge", "a",
              "--judge", "a", "--judge-base-url", "http://127.0.0.1:9/v1"],
    )  # fmt: skip
    assert "two judges are the same model" in str(done.exception)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compound", "--prompting", "cot"), "the prompting 'cot' asks a model: name one"),
        (("compound", "--prompting", "x"), "compound has no prompting 'x': choose agent, vanilla"),
        (("cofca", "--option", "sub_questions=maybe"), "cannot be 'maybe': choose without, with"),
        (("cofca", "--option", "speed=1"), "unknown option 'speed=1' of cofca"),
        (("fanoutqa", "--option", "x=1"), "choose none, it has none"),
    ],
)
def test_what_a_benchmark_does_not_know_is_refused(
    arguments: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    done = CliRunner().invoke(app, ["run", *arguments, "--out", str(tmp_path / "r")])
    assert message in str(done.exception)
    assert not (tmp_path / "r").exists()


def start(url: str, out: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "evals", "run", "ccmor", "--out", str(out), "--model", "m",
         "--base-url", url, "--prompting", "cot-zh-zero", "--setting", "closed",
         "--concurrency", "2"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "OPENAI_API_KEY": ""},
    )  # fmt: skip


def finished(out: Path) -> list[str]:
    path = out / "predictions.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [line for line in lines if line.endswith("}")]


def test_killed_it_goes_on_with_nothing_lost_or_repeated(tmp_path: Path) -> None:
    mind = Knows()
    out = tmp_path / "run"
    with serving(mind, latency=LATENCY) as server:
        first = start(server.url, out)
        deadline = time.monotonic() + 120
        while not finished(out) and time.monotonic() < deadline and first.poll() is None:
            time.sleep(0.02)
        os.kill(first.pid, signal.SIGKILL)
        first.communicate()
        kept = finished(out)
        # What was under way is answered to nobody, and may be asked again.
        settle(server.url)
        while server.running:
            time.sleep(0.02)
        begun = len(mind.asked)
        second = start(server.url, out)
        _, complaint = second.communicate(timeout=240)
        assert second.returncode == 0, complaint.decode()[-2000:]
    folder = RunFolder.open(out)
    predictions = list(folder.predictions_file)
    assert Counter(p.sample_id for p in predictions) == Counter(folder.record.sample_ids)
    assert 0 < len(kept) < len(predictions)
    # What was on disk when the process died is there still, to the letter.
    written = (out / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    assert set(kept) <= set(written)
    done = {json.loads(line)["sample_id"] for line in kept}
    questions = {
        text
        for sample in BENCHMARKS["ccmor"].load(SAMPLE, "test", "chains")
        if sample.id in done
        for text in (sample.question, *(step.question for step in sample.steps))
    }
    again = [
        str(asked.messages[-1]["content"]).rpartition("问题：")[2] for asked in mind.asked[begun:]
    ]
    assert not questions & set(again)
    assert len(again) == len(set(again))
    assert all(score.values["rougeL"] == 1.0 for score in folder.scores().values())


def test_a_malformed_file_ends_a_run_before_it_begins(tmp_path: Path) -> None:
    data: dict[str, Any] = json.loads((SAMPLE / "cofca.json").read_text(encoding="utf-8"))[0]
    del data["passage"]
    path = tmp_path / "cofca.json"
    path.write_text(json.dumps([data], indent=1), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "evals", "run", "cofca", "--data", str(path), "--out",
         str(tmp_path / "r")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert re.search(r"cofca.json, line 2: field 'passage' is missing", done.stderr)
    assert "Traceback" not in done.stderr
