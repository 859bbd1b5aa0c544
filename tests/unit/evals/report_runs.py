"""Scored runs for tests of the report: answers with plans, citations, chunks and a judge's words."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from agent.types import Answer, Citation, SubAnswer, SubQuestion, TraceStep, Usage
from corpus.types import Chunk, Revision
from evals.runs.folder import RunFolder, Scoring
from evals.runs.samples import keep_samples
from evals.types import GoldStep, Prediction, Response, RunConfig, Sample, Score
from retrieval.types import Hit
from tests.unit.evals.runs.test_folder import CONFIG, make_record

HOSTILE = "<script>document.title='owned'</script> & \"quotes\" </script><!-- <b>bold</b> 𝒳?"
SENTENCE = "The lighthouse of Orm stands 41 metres tall."
SCORING = Scoring(judge="judge-1", lemmatiser="simplemma")
GROUPS = ("rivers", "towns", "<i>odd</i>")


def samples(count: int) -> list[Sample]:
    return [
        Sample(
            id=f"id{number}",
            question=HOSTILE if number == 1 else f"How tall is lighthouse number {number}?",
            reference=[f"{number} metres"],
            steps=(GoldStep(id="a", question="How tall?", answer="41"),),
            groups={"category": GROUPS[number % 3]},
        )
        for number in range(count)
    ]


def answer(question: str, chunks: int) -> Answer:
    hits = []
    for number in range(1, chunks + 1):
        text = f"𝒳 Chunk {number} of {question}. {SENTENCE} " + f"Filler {number}. " * 50
        revision = Revision(
            page_id=number,
            rev_id=number,
            title=f"Orm {number}",
            timestamp="2026-01-02T03:04:05Z",
            url="javascript:alert(1)" if number == 2 else f"https://example.org/{number}",
        )
        chunk = Chunk(
            id=f"{number}:1:0", revision=revision, start=100, end=100 + len(text), section="Coast",
            text=text,
        )  # fmt: skip
        hits.append(Hit(chunk=chunk, score=9.0 - number, rank=number, source="bm25"))
    start = 100 + hits[0].chunk.text.index(SENTENCE)
    citation = Citation(
        number=1,
        chunk_id="1:1:0",
        revision=hits[0].chunk.revision,
        start=start,
        end=start + len(SENTENCE),
        quote=SENTENCE,
    )
    return Answer(
        question=question,
        text=f"{question} 41 metres [1], not 7 [2].",
        abstained=False,
        sub_questions=(
            SubQuestion(id="1", text="Which lighthouses?", kind="core"),
            SubQuestion(id="2.1", text="How tall is Orm?", kind="core", depends_on=("1",)),
            SubQuestion(id="3", text="And Ulv?", kind="background", depends_on=("1", "2.1")),
            SubQuestion(id="4", text="Who paints them?", kind="follow_up"),
        ),
        sub_answers=(
            SubAnswer(sub_question_id="1", status="answered", text="Orm", items=("Orm",)),
            SubAnswer(sub_question_id="2.1", status="not_found"),
            SubAnswer(sub_question_id="3", status="failed", error="the server hung up"),
        ),
        citations=(citation,),
        suggestions=("Who paints them?",),
        usage=Usage(calls=3, cached=1, tokens_in=1_234, tokens_out=80, cost_usd=0.0123),
        trace=(
            TraceStep(
                name="plan",
                sub_question_id=None,
                seconds=0.4,
                detail={
                    "sub_questions": 4,
                    "usage": {"calls": 1, "cached": 0, "tokens_in": 300, "tokens_out": 40,
                              "cost_usd": 0.004},
                },
            ),
            TraceStep(name="answer", sub_question_id="2.1", seconds=1.5, detail={"hits": [10]}),
        ),
        hits=tuple(hits),
        struck=("[2]: no such source",),
        notes=("step 5 was dropped",),
    )  # fmt: skip


def make_run(
    path: Path,
    count: int = 4,
    *,
    strategy: str = "baseline",
    better: float = 0.0,
    chunks: int = 3,
    config: RunConfig = CONFIG,
    articles: tuple[int, int] = (0, 0),
) -> RunFolder:
    """A scored run whose second question is hostile, third failed and fourth is unscored."""
    asked = samples(count)
    config = dataclasses.replace(config, strategy=strategy)
    record = make_record(config, tuple(sample.id for sample in asked))
    run = RunFolder.begin(path, dataclasses.replace(record, articles=articles))
    keep_samples(run, asked)
    lines: list[Prediction] = []
    scores: list[Score] = []
    for number, sample in enumerate(asked):
        if number == 2:
            lines.append(Prediction(sample_id=sample.id, error="timed out <b>", seconds=1.0))
            scores.append(Score(sample_id=sample.id, unscored={"failed": "timed out <b>"}))
            continue
        said = answer(sample.question, chunks)
        lines.append(
            Prediction(
                sample_id=sample.id,
                response=Response(text=said.text, answers=(said,)),
                seconds=2.0,
                usage=said.usage,
            )
        )
        value = min(1.0, (number * 7 % 10) / 10 + better)
        scores.append(
            Score(
                sample_id=sample.id,
                values={} if number == 3 else {"loose": value, "strict": float(value > 0.5)},
                unscored={"loose": "no verdict"} if number == 3 else {},
                detail={
                    "reference": "41 metres",
                    "missing": ["41"],
                    "judge": {"grade": "B", "reasoning": "Because <em>it</em> fits."},
                },
            )
        )
    write_predictions(run, lines)
    run.replace_scores(scores, SCORING)
    return run


def write_predictions(run: RunFolder, lines: Sequence[Prediction]) -> None:
    """Write all at once: a thousand appends would wait a thousand times for the disk."""
    from evals.records import to_json

    text = "".join(to_json(line) + "\n" for line in lines)
    run.predictions_file.path.write_text(text, encoding="utf-8")
