from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.types import Answer, Usage
from corpus.errors import BackendError, InputError
from evals.metrics.summary import question_scores, summarise
from evals.ports import Asker, Benchmark, Judges
from evals.runs.folder import RunFolder
from evals.runs.predict import Progress, predict, score, sum_usage
from evals.types import Passage, Prediction, Response, RunConfig, Sample, Score, Table
from tests.unit.evals.runs.test_folder import CONFIG, make_record, said


class CountingAsker:
    """Answers every question with itself; fails those in `failing`."""

    config: RunConfig = CONFIG

    def __init__(self, failing: Sequence[str] = ()) -> None:
        self.failing = set(failing)
        self.asked: list[str] = []
        self.at_once = self.most_at_once = 0

    async def ask(
        self,
        question: str,
        *,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        instructions: str = "",
        epoch: int = 0,
    ) -> Answer:
        self.asked.append(question)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0.001)
        self.at_once -= 1
        if question in self.failing:
            raise BackendError("the server\nhung up")
        return Answer(
            question=question,
            text=question,
            abstained=False,
            sub_questions=(),
            sub_answers=(),
            citations=(),
            suggestions=(),
            usage=Usage(calls=2, tokens_in=10, cost_usd=0.5),
        )


async def respond(asker: Asker, sample: Sample, epoch: int) -> Response:
    answer = await asker.ask(sample.question, epoch=epoch)
    return Response(text=answer.text, answers=(answer,))


async def score_length(sample: Sample, response: Response, judges: Judges) -> Score:
    if response.text == "odd":
        return Score(sample_id="", unscored={"length": "no verdict"})
    return Score(sample_id="", values={"length": float(len(response.text))})


def no_tables(*_: object) -> list[Table]:
    return []


ECHO = Benchmark(
    name="echo",
    citation="",
    splits=("dev",),
    editions=("sample",),
    style="short",
    headline="length",
    load=lambda *_: [],
    respond=respond,
    score=score_length,
    tables=no_tables,
)
SAMPLES = [Sample(id=letter, question=letter) for letter in "abcdef"]


def make_folder(path: Path, samples: Sequence[Sample] = SAMPLES) -> RunFolder:
    return RunFolder.begin(path / "run", make_record(ids=tuple(s.id for s in samples)))


async def test_every_sample_ends_in_one_prediction(tmp_path: Path) -> None:
    asker = CountingAsker(failing="c")
    seen: list[Progress] = []
    progress = await predict(
        ECHO, SAMPLES, asker, make_folder(tmp_path), concurrency=3, report=seen.append
    )
    assert (progress.done, progress.failed, progress.total) == (6, 1, 6)
    assert progress.usage.calls == 10
    assert progress.usage.cost_usd == pytest.approx(2.5)
    assert asker.most_at_once == 3
    assert [p.done for p in seen] == [1, 2, 3, 4, 5, 6]
    outcomes = make_folder(tmp_path).outcomes()
    assert len(outcomes) == 6
    assert outcomes["c", 0] == "the server hung up"


async def test_again_asks_only_what_failed_or_is_missing(tmp_path: Path) -> None:
    await predict(ECHO, SAMPLES[:4], CountingAsker(failing="b"), make_folder(tmp_path, SAMPLES[:4]))
    asker = CountingAsker()
    progress = await predict(ECHO, SAMPLES, asker, make_folder(tmp_path))
    assert sorted(asker.asked) == ["b", "e", "f"]
    assert (progress.done, progress.failed) == (6, 0)
    again = CountingAsker()
    await predict(ECHO, SAMPLES, again, make_folder(tmp_path))
    assert again.asked == []


async def test_a_fault_of_the_program_is_not_recorded_as_an_answer(tmp_path: Path) -> None:
    async def broken(asker: Asker, sample: Sample, epoch: int) -> Response:
        raise AttributeError("a bug")

    benchmark = Benchmark(**{**_fields(ECHO), "respond": broken})  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="a bug"):
        await predict(benchmark, SAMPLES, CountingAsker(), make_folder(tmp_path))


async def test_a_full_disk_ends_the_run_with_its_own_words_and_leaves_whole_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_folder(tmp_path)
    write, room = os.write, [400]

    def with_little_room(descriptor: int, data: bytes) -> int:
        taken = write(descriptor, data[: room[0]])
        room[0] -= taken
        return taken

    with monkeypatch.context() as patch:
        patch.setattr("evals.records.os.write", with_little_room)
        with pytest.raises(InputError, match=r"predictions\.jsonl: the disk is full"):
            await predict(ECHO, SAMPLES, CountingAsker(), folder)
    assert len(folder.outcomes()) < len(SAMPLES)
    progress = await predict(ECHO, SAMPLES, CountingAsker(), folder)
    assert progress.done == len(SAMPLES)
    assert len(folder.outcomes()) == len(SAMPLES)


def _fields(benchmark: Benchmark) -> dict[str, object]:
    return {name: getattr(benchmark, name) for name in Benchmark.__dataclass_fields__}


async def test_scores_count_failures_as_zero_and_leave_unscored_out() -> None:
    samples = [Sample(id=i, question=i) for i in ("x", "y", "z")]
    predictions = [said("z", "odd"), said("x", "four"), Prediction(sample_id="y", error="cut off")]
    scores = await score(ECHO, samples, predictions, Judges(), concurrency=2)
    assert [s.sample_id for s in scores] == ["x", "y", "z"]
    summary = summarise(scores, "length")
    assert (summary.n, summary.scored, summary.unscored, summary.failed) == (3, 2, 1, 1)
    assert summary.metrics["length"].mean == 2.0
    assert summary.unscored_reasons == {"failed": {"cut off": 1}, "length": {"no verdict": 1}}


def test_epochs_of_a_question_are_averaged_first() -> None:
    scores = [
        Score(sample_id="x", epoch=0, values={"em": 1.0}),
        Score(sample_id="x", epoch=1, values={"em": 0.0}),
        Score(sample_id="y", epoch=0, values={"em": 1.0}),
        Score(sample_id="y", epoch=1, unscored={"em": "no verdict"}),
    ]
    assert question_scores(scores, "em") == {"x": 0.5, "y": 1.0}
    assert summarise(scores, "em").metrics["em"].n == 2


def test_usages_add_up_and_unknown_costs_stay_unknown() -> None:
    known, unknown = Usage(calls=1, cost_usd=1.0), Usage(calls=1)
    assert sum_usage([known, known]) == Usage(calls=2, cost_usd=2.0)
    assert sum_usage([known, unknown]).cost_usd is None
    assert sum_usage([Usage(), known]).cost_usd == 1.0
    assert sum_usage([]) == Usage()
