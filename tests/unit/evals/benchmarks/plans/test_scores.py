"""An agent's plan against gold steps: what is matched, what was retrieved, what went wrong first."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from agent.types import Answer, SubAnswer, SubQuestion, TraceStep, Usage
from corpus.types import Chunk, Revision
from evals.benchmarks.plans.scores import first_faults, score_evidence, score_plan
from evals.types import GoldStep, Sample, Score
from retrieval.types import Hit

GOLD = (
    GoldStep(id="a", question="Which rivers rise in Orland?", answer=["Ash", "Birk"],
             evidence=("Orland",)),
    GoldStep(id="b", question="How long is the river Ash?", answer=120, depends_on=("a",),
             evidence=("Ash (river)",)),
    GoldStep(id="c", question="How long is the river Birk?", answer=80, depends_on=("a",),
             evidence=("Birk",)),
)  # fmt: skip
SAMPLE = Sample(
    id="s",
    question="How long are the rivers that rise in Orland?",
    steps=GOLD,
    evidence=("Orland", "Ash (river)", "Birk"),
)


def hit(title: str) -> Hit:
    revision = Revision(page_id=1, rev_id=2, title=title, timestamp="2026-01-01T00:00:00Z", url="")
    chunk = Chunk(id=title, revision=revision, start=0, end=1, section="", text="x")
    return Hit(chunk=chunk, score=1.0, rank=1, source="bm25")


def answer(
    steps: Sequence[tuple[str, str, tuple[str, ...], str, tuple[str, ...]]],
    titles: Sequence[str] = (),
) -> Answer:
    """Build an answer from (id, question, depends_on, answer, titles of its chunks)."""
    return Answer(
        question=SAMPLE.question,
        text="",
        abstained=False,
        sub_questions=tuple(
            SubQuestion(id=id_, text=text, kind="core", depends_on=on)
            for id_, text, on, _, _ in steps
        ),
        sub_answers=tuple(
            SubAnswer(sub_question_id=id_, status="answered" if said else "not_found", text=said)
            for id_, _, _, said, _ in steps
        ),
        citations=(),
        suggestions=(),
        usage=Usage(),
        trace=tuple(
            TraceStep(name="answer", sub_question_id=id_, seconds=0.0,
                      detail={"chunks": list(chunks)})
            for id_, _, _, _, chunks in steps
        ),
        hits=tuple(hit(title) for title in titles),
    )  # fmt: skip


RIVERS = ("1", "Which rivers rise in Orland?", (), "Ash and Birk", ("Orland",))
ASH = ("2.1", "How long is the river Ash?", ("1",), "120 km", ("Ash (river)", "Orland"))
BIRK = ("2.2", "How long is the river Birk?", ("1",), "80 km", ("Birk",))
TITLES = ("Orland", "Ash (river)", "Birk")


def test_the_gold_plan_itself_is_perfect() -> None:
    scores = score_plan(SAMPLE, answer((RIVERS, ASH, BIRK), TITLES))
    assert scores.values == {
        "plan_recall": 1.0,
        "plan_precision": 1.0,
        "plan_order": 1.0,
        "step_evidence@10": 1.0,
        "step_accuracy": 1.0,
    }
    right = {"retrieved": True, "read": True}
    assert scores.detail["plan"] == {
        "matches": {"a": "1", "b": "2.1", "c": "2.2"},
        "steps": [
            {"gold": "a", "own": "1", **right},
            {"gold": "b", "own": "2.1", **right},
            {"gold": "c", "own": "2.2", **right},
        ],
        "first_wrong": None,
        "why": "nothing",
    }


def test_a_step_that_nobody_asked_is_the_first_fault() -> None:
    scores = score_plan(SAMPLE, answer((RIVERS, ASH), TITLES))
    assert scores.values["plan_recall"] == pytest.approx(2 / 3)
    assert scores.values["step_accuracy"] == pytest.approx(2 / 3)
    assert scores.detail["plan"]["first_wrong"] == "c"  # type: ignore[index,call-overload]
    assert scores.detail["plan"]["why"] == "not asked"  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("chunks", "why", "recall"),
    [(("Orland",), "not retrieved", 2 / 3), (("Orland", "Ash (river)"), "not read", 1.0)],
)
def test_a_wrong_answer_is_told_from_a_missing_article(
    chunks: tuple[str, ...], why: str, recall: float
) -> None:
    wrong = ("2.1", "How long is the river Ash?", ("1",), "200 km", chunks)
    scores = score_plan(SAMPLE, answer((RIVERS, wrong, BIRK), TITLES))
    assert scores.detail["plan"]["first_wrong"] == "b"  # type: ignore[index,call-overload]
    assert scores.detail["plan"]["why"] == why  # type: ignore[index,call-overload]
    assert scores.values["step_evidence@10"] == pytest.approx(recall)
    assert scores.values["step_accuracy"] == pytest.approx(2 / 3)


def test_steps_asked_without_their_dependencies_lose_order() -> None:
    loose = tuple((id_, text, (), said, chunks) for id_, text, _, said, chunks in (RIVERS, ASH))
    flat = answer(loose, TITLES)
    replanned = TraceStep(name="replan", sub_question_id=None, seconds=0.0, detail={})
    waiting = dataclasses.replace(flat, trace=(*flat.trace, replanned))
    assert score_plan(SAMPLE, waiting).values["plan_order"] == 0.0


def test_what_a_strategy_does_not_do_is_not_scored() -> None:
    steps = tuple((id_, text, (), said, chunks) for id_, text, _, said, chunks in (RIVERS, ASH))
    at_once = answer(steps, TITLES)
    assert "plan_order" not in score_plan(SAMPLE, at_once).values
    asked_only = dataclasses.replace(at_once, sub_answers=(), trace=())
    scores = score_plan(SAMPLE, asked_only)
    assert set(scores.values) == {"plan_recall", "plan_precision"}
    assert scores.detail["plan"]["why"] is None  # type: ignore[index,call-overload]
    assert not first_faults([Score(sample_id="x", detail=scores.detail)]).rows


def test_nothing_is_scored_without_a_plan_or_gold_steps() -> None:
    assert not score_plan(SAMPLE, answer(())).values
    bare = Sample(id="s", question="?")
    assert not score_plan(bare, answer((RIVERS,), TITLES)).values


def test_evidence_recall_counts_articles_whatever_their_case() -> None:
    assert score_evidence(SAMPLE, answer((), ("orland", "Birk", "Elm"))) == pytest.approx(2 / 3)
    assert score_evidence(SAMPLE, answer(())) is None


def test_faults_are_counted_over_the_run() -> None:
    found = [
        score_plan(SAMPLE, answer(steps, TITLES)) for steps in ((RIVERS, ASH, BIRK), (RIVERS,))
    ]
    scores = [
        Score(sample_id=str(number), detail=scored.detail) for number, scored in enumerate(found)
    ]
    rows = {row[0]: row[1:] for row in first_faults(scores).rows}
    right = [Score(sample_id="r", values={"loose": 1.0}, detail=found[1].detail)]
    assert first_faults([*scores, *right]).rows == first_faults(scores).rows
    assert rows == {
        "every step right, answer wrong": (1.0, 0.5),
        "not asked": (1.0, 0.5),
        "not retrieved": (0.0, 0.0),
        "not read": (0.0, 0.0),
    }
    assert not first_faults([Score(sample_id="x")]).rows
