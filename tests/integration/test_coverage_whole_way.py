"""Sub-question coverage from questions to the report: with a scripted model, and with nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.datafiles import SAMPLE_DATA
from tests.fake_server import FakeServer
from tests.fakes import Asked, FaithfulMind

RESEARCHY = Path(__file__).parents[2] / "../shared/data/researchy"


def evals(*arguments: object, code: int = 0) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == code, (done.output, done.exception)
    return done.stdout


class Mind:
    """Takes any question apart alike, covers by shared words, prefers the longer answer."""

    def __init__(self) -> None:
        self.forms: list[str] = []

    def __call__(self, asked: Asked) -> Any:
        self.forms.append(asked.form)
        if asked.form == "DecompositionReply":
            question = asked.fenced[0].strip()
            texts = [f"What {word} does it matter: {question}" for word in ("cause", "cost")]
            return {"sub_questions": [*texts, "What comes next?"]}
        if asked.form == "CoverageReply":
            text, listed = asked.fenced
            return {"judgments": [self.cover(int(n), q, text) for n, q in numbered(listed)]}
        if "Verdict" in asked.text:
            a, b = asked.fenced[1:]
            return f"The longer one.\nVerdict: {'A' if len(a) > len(b) else 'B'}"
        return FaithfulMind(kinds={"next": "follow_up", "cost": "background"})(asked)

    @staticmethod
    def cover(number: int, asked: str, text: str) -> dict[str, Any]:
        words = re.findall(r"\w{5,}", asked)
        held = [word for word in words if word in text]
        return {"number": number, "answered": bool(held), "fragment": held[0] if held else ""}


def numbered(listed: str) -> list[tuple[str, str]]:
    return re.findall(r"^(\d+)\. (.*)$", listed, re.MULTILINE)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FakeServer]:
    with FakeServer(Mind()) as running:
        yield running


@pytest.mark.skipif(not RESEARCHY.is_dir(), reason="the folder ../shared/data is not there")
def test_published_answers_of_two_systems_become_compared_runs(
    tmp_path: Path, server: FakeServer
) -> None:
    lines = (RESEARCHY / "reports-20.jsonl").read_text(encoding="utf-8").splitlines()
    reports = [json.loads(line) for line in lines]
    systems = ("ODS", "GPTResearcher")
    wanted = set.intersection(*({r["id"] for r in reports if r["system"] == s} for s in systems))
    assert len(wanted) > 1
    questions = tmp_path / "questions.jsonl"
    questions.write_text("".join(
        line + "\n" for line in (RESEARCHY / "questions.jsonl").read_text("utf-8").splitlines()
        if json.loads(line)["id"] in wanted
    ), encoding="utf-8")  # fmt: skip
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(
        json.dumps({**r, "answer": r["answer"][:2000], "chunks": ["About nothing."]}) + "\n"
        for r in reports if r["id"] in wanted
    ), encoding="utf-8")  # fmt: skip
    frozen = tmp_path / "decompositions.jsonl"
    evals("decompose", questions, "--out", frozen, "--model", "m", "--base-url", server.url)
    assert len(frozen.read_text(encoding="utf-8").splitlines()) == len(wanted)
    runs = []
    for system in systems:
        run = tmp_path / system
        evals("import", "subquestion", "--data", frozen, "--answers", answers, "--out", run,
              "--system", system, "--answered-only")  # fmt: skip
        judged = ("--judge", "judge", "--judge-base-url", server.url, "--coverage-batch", "1")
        scored = json.loads(evals("score", run, *judged, "--json"))
        assert scored["n"] == scored["scored"] == len(wanted)
        assert 0 < scored["metrics"]["core"] <= 1
        runs.append(run)
    refused = CliRunner().invoke(app, ["import", "subquestion", "--data", str(frozen), "--answers",
                                       str(answers), "--out", str(tmp_path / "x")])  # fmt: skip
    assert "with --system" in str(refused.exception)
    table = evals("compare", *runs, "--format", "md")
    assert "Judged by coverage rating (judge)" in table
    by_model = evals("compare", *runs, "--format", "md", "--judge", "other",
                     "--judge-base-url", server.url)  # fmt: skip
    assert "Judged by other" in by_model


def test_agreement_with_a_model_as_judge(tmp_path: Path, server: FakeServer) -> None:
    asked = ("--judge-base-url", server.url, "--judge", "m", "--calls", tmp_path, "--json")
    kinds = json.loads(evals("agreement", "kinds", SAMPLE_DATA / "type-annotations.jsonl", *asked,
                             "--classify", "each"))  # fmt: skip
    coverage = json.loads(
        evals("agreement", "coverage", SAMPLE_DATA / "answerability-annotations.jsonl", *asked)
    )
    pairs = json.loads(evals("agreement", "preferences", SAMPLE_DATA / "preferences.jsonl", *asked))
    for found in (kinds, coverage, pairs):
        assert found["engine"] == "m"
        assert found["n"] > 0
        assert {"accuracy", "kappa", "per_class", "unscored"} <= set(found)
    assert (tmp_path / "calls.sqlite").is_file()


def test_agreement_and_weights_with_nothing_configured(tmp_path: Path) -> None:
    kinds = evals("agreement", "kinds", SAMPLE_DATA / "type-annotations.jsonl")
    assert kinds.startswith("kinds, extractive: n = ")
    coverage = evals("agreement", "coverage", SAMPLE_DATA / "answerability-annotations.jsonl")
    assert coverage.startswith("coverage, embedding-based, all-MiniLM")
    weights = ("weights", SAMPLE_DATA / "preferences.jsonl", "--decompositions")
    found = evals(*weights, SAMPLE_DATA / "subquestion.jsonl")
    assert "core only    pairwise accuracy" in found
    other = tmp_path / "other.jsonl"
    other.write_text('{"question": "?", "sub_questions": [{"text": "a?", "kind": "core"}]}\n')
    lacking = CliRunner().invoke(app, [str(word) for word in (*weights, other)])
    assert "evals decompose" in str(lacking.exception)
    assert "choose kinds, coverage or preferences" in str(
        CliRunner().invoke(app, ["agreement", "tastes", str(other)]).exception
    )


def test_weights_as_json_and_questions_that_a_model_leaves_whole(tmp_path: Path) -> None:
    found = json.loads(evals("weights", SAMPLE_DATA / "preferences.jsonl", "--decompositions",
                             SAMPLE_DATA / "subquestion.jsonl", "--json"))  # fmt: skip
    assert set(found["accuracy"]) == {"found", "paper", "core only", "pairwise judge"}
    assert found["chosen_on"] + found["tested_on"] == 6
    questions = tmp_path / "q.txt"
    questions.write_text("why\n", encoding="utf-8")
    with FakeServer(lambda _: {"sub_questions": []}) as silent:
        failed = CliRunner().invoke(
            app, ["decompose", str(questions), "--out", str(tmp_path / "d.jsonl"),
                  "--model", "m", "--base-url", silent.url]
        )  # fmt: skip
    assert "1 questions have no sub-questions, the first 'why'" in str(failed.exception)
    assert not (tmp_path / "d.jsonl").exists()


def test_a_run_of_the_sample_is_judged_by_embeddings(tmp_path: Path) -> None:
    run = tmp_path / "run"
    said = evals("run", "subquestion", "--out", run, "--limit", 1, "--strategy", "baseline")
    assert "rating" in said
    (score,) = [json.loads(line) for line in (run / "scores.jsonl").read_text().splitlines()]
    (answer,) = [json.loads(line) for line in (run / "predictions.jsonl").read_text().splitlines()]
    rows = score["detail"]["coverage"]
    assert {row["kind"] for row in rows} == {"core", "background", "follow_up"}
    for row in rows:
        for chunk, covered, span in zip(
            answer["response"]["chunks"], row["chunks"], row["chunk_spans"], strict=True
        ):
            assert not covered or 0 <= span[0] < span[1] <= len(chunk["text"])
    evals("report", run)
    assert "embedding-based, all-MiniLM" in (run / "report.html").read_text(encoding="utf-8")


def test_questions_are_taken_apart_offline(tmp_path: Path) -> None:
    questions = tmp_path / "q.txt"
    questions.write_text("why do coral reefs bleach and can they be saved\n", encoding="utf-8")
    out = tmp_path / "frozen.jsonl"
    evals("decompose", questions, "--out", out)
    (item,) = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert item["engine"] == "extractive"
    assert "core" in {step["kind"] for step in item["sub_questions"]}
    wrong = CliRunner().invoke(app, ["agreement", "kinds", str(SAMPLE_DATA / "type-annotations.jsonl"),
                                     "--judge", "m", "--judge-base-url", "http://127.0.0.1:9/v1",
                                     "--calls", str(tmp_path), "--classify", "some"])  # fmt: skip
    assert "choose batch, each" in str(wrong.exception)
