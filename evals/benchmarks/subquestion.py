"""Sub-question coverage of answers to open-ended questions.

Xie et al.: Do RAG Systems Cover What Matters? Evaluating and Optimizing Responses with
Sub-Question Coverage. 2024.

Data is a frozen decomposition, made once (`python -m evals decompose`), edited by hand if need be,
and used for every system:

    {"id": "17", "question": "why did the Roman Republic fall",
     "sub_questions": [{"text": "Which reforms did …?", "kind": "core"}, …]}

Files of annotations, one labelled sub-question a line, are read as well:

    {"question": "…", "sub_question": "…", "labels": ["core", "core", "background", "core"]}

and the authors' own file, `decompositions_with_type.json`:

    [{"question": "…", "sub_questions_with_types": [{"sub_question": "…", "type": "core"}, …]}, …]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent.types import Kind, SubQuestion
from corpus.errors import InputError
from evals.benchmarks.tables.subquestion import tables
from evals.datafiles import field, find_data, read_json_list, read_kind
from evals.judges.coverage import covers_all, word_position
from evals.metrics.coverage import (
    KINDS,
    Coverage,
    answer_rating,
    share_answered,
)
from evals.ports import Asker, Benchmark, Covered, Judges
from evals.types import GoldStep, Json, Passage, Response, Sample, Score

PLAN = "plan"
FROZEN_PLAN = "frozen"
FROZEN = ("query-subquestion", "retrieval", "e2e")
"""M2, M3 and M4: they work with the core sub-questions of the one frozen decomposition that the
answer is scored against (section 5), and make no plan of their own."""
_NO_BRACES = str.maketrans("{}", "()")
WORDS = "words"
"""Length of the answer, as a metric beside the others: longer answers cover more."""
FILES = (
    "decompositions.jsonl",
    "decompositions_with_type.json",
    "subquestion.jsonl",
    "type-annotations.jsonl",
)
NO_TYPE = "none"
"""What the authors' file holds where the type could not be read."""


def load(path: Path, split: str, edition: str) -> list[Sample]:
    """Read frozen decompositions, or annotations of which the majority's label counts."""
    file = find_data(path, FILES)
    items = read_json_list(file)
    if items and "sub_question" in items[0]:
        items = _grouped(items, file)
    return [_sample(item, f"{file}, item {number}") for number, item in enumerate(items, start=1)]


def _sample(item: Mapping[str, Any], where: str) -> Sample:
    theirs = "sub_questions_with_types" in item
    names = ("sub_question", "type") if theirs else ("text", "kind")
    listed = field(item, "sub_questions_with_types" if theirs else "sub_questions", list, where)
    if any(isinstance(one, str) for one in listed):
        raise InputError(
            f"{where}: its sub-questions have no kinds; `python -m evals decompose` on this file "
            "gives them some"
        )
    steps = [
        GoldStep(
            id=str(number),
            question=field(step, names[0], str, where),
            kind=_kind(field(step, names[1], str, where), where),
        )
        for number, step in enumerate(listed, start=1)
    ]
    if not steps:
        raise InputError(f"{where}: no sub-questions; make them by `python -m evals decompose`")
    question = field(item, "question", str, where)
    return Sample(id=str(item.get("id", question)), question=question, steps=tuple(steps))


def _kind(label: str, where: str) -> Kind | None:
    return None if label.strip().lower() == NO_TYPE else read_kind(label, where)


def _grouped(items: Sequence[Mapping[str, Any]], file: Path) -> list[Mapping[str, Any]]:
    questions: dict[str, list[dict[str, str]]] = {}
    for number, item in enumerate(items, start=1):
        where = f"{file}, item {number}"
        step = {
            "text": field(item, "sub_question", str, where),
            "kind": majority_label(field(item, "labels", list, where)),
        }
        questions.setdefault(field(item, "question", str, where), []).append(step)
    return [{"question": question, "sub_questions": steps} for question, steps in questions.items()]


def majority_label(labels: Sequence[str]) -> str:
    """Return the label most people gave; of several, the one named first."""
    return Counter(labels).most_common(1)[0][0]


async def respond(asker: Asker, sample: Sample, epoch: int) -> Response:
    """Ask the open-ended question; what was retrieved is kept for the coverage of chunks.

    The strategies of the paper that work with sub-questions are given those of the data.
    """
    config = asker.config
    given = config.strategy in FROZEN and config.options.get(PLAN, FROZEN_PLAN) == FROZEN_PLAN
    plan = frozen_plan(sample) if given else ()
    answer = await asker.ask(sample.question, plan=plan, epoch=epoch)
    chunks = tuple(
        Passage(title=hit.chunk.revision.title, text=hit.chunk.text) for hit in answer.hits
    )
    return Response(text=answer.text, chunks=chunks, answers=(answer,), abstained=answer.abstained)


def frozen_plan(sample: Sample) -> tuple[SubQuestion, ...]:
    """Return a sample's sub-questions as a plan; without a kind, one cannot be told to be core."""
    return tuple(
        # Braces would be read as the place of another step's answer.
        SubQuestion(id=step.id, text=step.question.translate(_NO_BRACES), kind=step.kind)
        for step in sample.steps
        if step.kind is not None
    )


async def score(sample: Sample, response: Response, judges: Judges) -> Score:
    """Judge the answer and every retrieved chunk against every sub-question."""
    if judges.coverage is None:
        return Score(sample_id=sample.id, unscored={"core": "no coverage judge was named"})
    texts = [response.text, *(chunk.text for chunk in response.chunks)]
    questions = [step.question for step in sample.steps]
    of_answer, *of_chunks = await covers_all(judges.coverage, texts, questions)
    coverages = coverages_of(sample, response.text, of_answer, of_chunks)
    values: dict[str, float] = {WORDS: float(len(response.text.split()))}
    for kind in KINDS:
        covered_share = share_answered(coverages, kind)
        if covered_share is not None:
            values[kind] = covered_share
    rating = answer_rating(coverages)
    if rating is not None:
        values["rating"] = rating
    missing = {
        name: reason
        for name, judged in (
            ("answer verdicts", of_answer),
            ("chunk verdicts", [covered for chunk in of_chunks for covered in chunk]),
        )
        if (reason := _unreadable(judged))
    }
    if "core" not in values:
        reason = missing.get("answer verdicts", "")
        missing["core"] = reason or "this question has no core sub-question"
    detail: dict[str, Json] = {
        "coverage": [
            {
                "sub_question": step.question,
                "kind": step.kind,
                "answered": covered.covered,
                "span": [covered.start, covered.end] if covered.covered else None,
                "position": (
                    word_position(response.text, covered.start) if covered.covered else None
                ),
                "unscored": covered.unscored,
                "chunks": [chunk[index].covered for chunk in of_chunks],
                "chunk_spans": [[chunk[index].start, chunk[index].end] for chunk in of_chunks],
            }
            for index, (step, covered) in enumerate(zip(sample.steps, of_answer, strict=True))
        ],
    }
    return Score(sample_id=sample.id, values=values, unscored=missing, detail=detail)


def _unreadable(judged: Sequence[Covered]) -> str:
    """Return the most frequent reason why verdicts could not be read; "" where all could be."""
    reasons = Counter(c.unscored or "no reason given" for c in judged if c.covered is None)
    return reasons.most_common(1)[0][0] if reasons else ""


def with_embedded_coverage(judges: Judges) -> Judges:
    """Return the judges, coverage being judged by embeddings where no model was named for it."""
    if judges.coverage is not None:
        return judges
    from evals.judges.coverage_offline import EmbeddedCoverage

    return replace(judges, coverage=EmbeddedCoverage())


def coverages_of(
    sample: Sample,
    text: str,
    of_answer: Sequence[Covered],
    of_chunks: Sequence[Sequence[Covered]],
) -> list[Coverage]:
    """Return the coverage of every sub-question that has a kind, for the metrics."""
    return [
        Coverage(
            kind=step.kind,
            answered=covered.covered,
            chunks=tuple(chunk[index].covered for chunk in of_chunks),
            position=word_position(text, covered.start) if covered.covered else None,
        )
        for index, (step, covered) in enumerate(zip(sample.steps, of_answer, strict=True))
        if step.kind is not None
    ]


SUBQUESTION = Benchmark(
    name="subquestion",
    citation="Xie et al. (2024), Do RAG Systems Cover What Matters?",
    splits=("all",),
    editions=("frozen",),
    style="long",
    headline="core",
    load=load,
    respond=respond,
    score=score,
    tables=tables,
    options={PLAN: (FROZEN_PLAN, "own")},
    offline=with_embedded_coverage,
    main=("core", "background", "follow_up", "rating"),
)
