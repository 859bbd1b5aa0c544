from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from corpus.errors import InputError
from evals.benchmarks.subquestion import SUBQUESTION, load, score
from evals.benchmarks.tables.subquestion import pooled_coverages
from evals.judges.coverage import NOT_COVERED, find_fragment, word_position
from evals.metrics.coverage import coverage_metrics
from evals.ports import Covered, Judges
from evals.types import Passage, Prediction, Response, Score

ITEM = {
    "id": "1",
    "question": "why do rivers flood",
    "sub_questions": [
        {"text": "What raises the water?", "kind": "core"},
        {"text": "Where do people build?", "kind": "core"},
        {"text": "What is a river?", "kind": "background"},
        {"text": "How much do dams cost?", "kind": "Follow-up"},
    ],
}


class WordJudge:
    """Says a text covers a sub-question where it holds the question's last word."""

    name = "last word"

    def __init__(self, unscored: str = "") -> None:
        self.unscored = unscored

    async def covers(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        return [self._cover(text, question) for question in sub_questions]

    def _cover(self, text: str, question: str) -> Covered:
        if question == self.unscored:
            return Covered(covered=None, unscored="no verdict")
        word = question.rstrip("?").split()[-1]
        start = text.find(word)
        return (
            NOT_COVERED if start < 0 else Covered(covered=True, start=start, end=start + len(word))
        )


def write(path: Path, *items: object) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def test_frozen_decompositions_load(tmp_path: Path) -> None:
    (sample,) = load(write(tmp_path / "d.jsonl", ITEM), "all", "frozen")
    assert [step.kind for step in sample.steps] == ["core", "core", "background", "follow_up"]


def test_annotations_are_grouped_by_question_with_the_majoritys_kind(tmp_path: Path) -> None:
    path = write(
        tmp_path / "type-annotations.jsonl",
        {"question": "q", "sub_question": "a?", "labels": ["core", "background", "background"]},
        {"question": "q", "sub_question": "b?", "labels": ["follow-up"] * 3},
    )
    (sample,) = load(tmp_path, "all", "frozen")
    assert path.exists()
    assert [step.kind for step in sample.steps] == ["background", "follow_up"]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"sub_questions": []}, "evals decompose"),
        ({"sub_questions": [{"text": "x", "kind": "odd"}]}, "unknown kind 'odd'"),
        ({"sub_questions": [{"kind": "core"}]}, "field 'text' is missing"),
    ],
)
def test_faults_are_named(tmp_path: Path, change: dict[str, object], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        load(write(tmp_path / "d.jsonl", {**ITEM, **change}), "all", "frozen")


RESPONSE = Response(
    text="Rain brings water to the river.",
    chunks=(Passage(title="", text="water and build"), Passage(title="", text="nothing")),
)


async def test_answer_and_chunks_are_judged(tmp_path: Path) -> None:
    (sample,) = load(write(tmp_path / "d.jsonl", ITEM), "all", "frozen")
    scored = await score(sample, RESPONSE, Judges(coverage=WordJudge()))
    kinds = {"core": 0.5, "background": 1.0, "follow_up": 0.0, "rating": 1.0}
    assert scored.values == {"words": 6.0, **kinds}
    prediction = Prediction(sample_id="1", response=RESPONSE)
    metrics = coverage_metrics(pooled_coverages([scored]))
    # Core: "water" answered and retrieved, "build" retrieved only.
    assert metrics.use_of_retrieved == 0.5
    assert metrics.room_for_retrieval == 0.0
    assert metrics.chunk_share_gap == 0.0
    cases, coverage, verdicts = SUBQUESTION.tables([sample], [prediction], [scored])
    assert cases.rows[3] == ("both", 0.5, 0.0, 0.0)
    assert coverage.rows[0] == ("#1 answered, core", 0.5)
    assert [row[1:] for row in verdicts.rows] == [(4.0, 0.0), (8.0, 0.0), (4.0, 0.0)]


class ChunkBlind(WordJudge):
    """Gives no readable verdict on a text that begins with a given word."""

    async def covers(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        if text.startswith(self.unscored):
            return [Covered(covered=None, unscored="cut off")] * len(sub_questions)
        return await super().covers(text, sub_questions)


async def test_an_unreadable_verdict_of_a_chunk_is_not_a_no(tmp_path: Path) -> None:
    (sample,) = load(write(tmp_path / "d.jsonl", ITEM), "all", "frozen")
    scored = await score(sample, RESPONSE, Judges(coverage=ChunkBlind("nothing")))
    metrics = coverage_metrics(pooled_coverages([scored]))
    # Of the two core ones the first chunk covers both; of the others nothing is known.
    assert metrics.retrieved == {"core": 1.0, "background": None, "follow_up": None}
    assert metrics.answered == {"core": 0.5, "background": 1.0, "follow_up": 0.0}
    assert metrics.cases["background"] is None
    assert scored.unscored == {"chunk verdicts": "cut off"}
    verdicts = SUBQUESTION.tables([sample], [], [scored])[-1]
    assert [row[2] for row in verdicts.rows] == [0.0, 4.0, 2.0]


async def test_a_failed_question_has_no_coverage_and_the_table_says_so() -> None:
    failed = Score(sample_id="9", unscored={"failed": "no reply"})
    assert pooled_coverages([failed]) == []
    note = SUBQUESTION.tables([], [], [failed])[1].note
    assert "1 failed questions, which count 0" in note


async def test_unscored_sub_questions_are_left_out_and_said(tmp_path: Path) -> None:
    (sample,) = load(write(tmp_path / "d.jsonl", ITEM), "all", "frozen")
    judge = WordJudge(unscored="Where do people build?")
    scored = await score(sample, RESPONSE, Judges(coverage=judge))
    assert scored.values["core"] == 1.0
    everything = {**ITEM, "sub_questions": ITEM["sub_questions"][1:2]}  # type: ignore[index]
    (sample,) = load(write(tmp_path / "d.jsonl", everything), "all", "frozen")
    scored = await score(sample, RESPONSE, Judges(coverage=judge))
    assert scored.unscored["core"] == scored.unscored["answer verdicts"] == "no verdict"
    assert coverage_metrics(pooled_coverages([scored])).answered["core"] is None


async def test_without_a_coverage_judge_nothing_is_scored(tmp_path: Path) -> None:
    (sample,) = load(write(tmp_path / "d.jsonl", ITEM), "all", "frozen")
    scored = await score(sample, RESPONSE, Judges())
    assert isinstance(scored, Score)
    assert scored.unscored == {"core": "no coverage judge was named"}


def test_fragments_and_positions() -> None:
    text = "One two\nthree four five"
    assert find_fragment("two  three", text) == (4, 13)
    assert find_fragment("two four", text) is None
    assert find_fragment("  ", text) is None
    assert word_position(text, 8) == pytest.approx(0.4)
    assert word_position("", 0) == 0.0
