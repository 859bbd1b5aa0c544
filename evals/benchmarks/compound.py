"""Compound-QA: several questions in one, judged against a reference answer.

Hou et al.: Compound-QA: A Benchmark for Evaluating LLMs on Compound Questions. 2024.

Public files are named DIMENSION_TYPE.jsonl; an item, shortened (`sub_questions` and
`sub_references` are fanfold's own, read where they are there):

    {"ID": "adversarial_qa_1", "context": "…", "com_question": "What led to …? Which …?",
     "com_reference": "1. …", "sub_questions": ["What led to …?", "Which …?"],
     "sub_references": ["…", "…"]}
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.types import Answer
from corpus.errors import InputError
from evals.benchmarks.compound_offline import offline_judges
from evals.benchmarks.compound_questions import ORDERS, alone, can_turn, in_order, split_question
from evals.benchmarks.compound_scores import score
from evals.benchmarks.tables.compound import tables
from evals.datafiles import check_unique, field, read_located, strings
from evals.ports import Asker, Benchmark
from evals.types import GoldStep, Passage, Response, Sample

TYPES = (
    "Factual-Statement",
    "Cause-and-Effect",
    "Hypothetical-Analysis",
    "Comparison-and-Selection",
    "Evaluation-and-Suggestion",
)
DIMENSIONS = ("understanding", "reasoning", "knowledge")
ALL = "all"
FOLDER = "compound-qa"
AGENT = "agent"
PROMPTS = {"vanilla": "compound_vanilla", "cot": "compound_cot", "few-shot": "compound_few_shot"}


def load(path: Path, split: str, edition: str) -> list[Sample]:
    """Read one dimension or all; `path` is a file, or the folder of the files or of `compound-qa`."""
    folder = path / FOLDER if (path / FOLDER).is_dir() else path
    files = [folder] if folder.is_file() else sorted(folder.glob("*_*.json*"))
    found: list[tuple[str, Sample]] = []
    for file in files:
        dimension, kind = _named(file)
        if split in (ALL, dimension):
            found.extend(
                (where, _sample(item, where, dimension, kind)) for where, item in read_located(file)
            )
    if not found:
        raise InputError(
            f"{path}: no file DIMENSION_TYPE.jsonl of the split {split!r}, as "
            "Understanding_Factual_Statement.jsonl; name the folder with --data"
        )
    check_unique([(where, sample.id) for where, sample in found])
    return [sample for _, sample in found]


def _named(file: Path) -> tuple[str, str]:
    """Return dimension and type from a file's name, in which "-" and "_" mean the same."""
    dimension, _, kind = file.stem.replace("-", "_").partition("_")
    types = {name.replace("-", "_").lower(): name for name in TYPES}
    if dimension.lower() not in DIMENSIONS or kind.lower() not in types:
        raise InputError(
            f"{file}: the name must be DIMENSION_TYPE: {', '.join(DIMENSIONS)} and "
            f"{', '.join(TYPES)}"
        )
    return dimension.lower(), types[kind.lower()]


def _sample(item: Mapping[str, Any], where: str, dimension: str, kind: str) -> Sample:
    question = field(item, "com_question", str, where)
    if not question.strip():
        raise InputError(f"{where}: field 'com_question' is empty")
    given = "sub_questions" in item
    parts = strings(item, "sub_questions", where) if given else split_question(question)
    references = strings(item, "sub_references", where) if "sub_references" in item else None
    if references is not None and len(references) != len(parts):
        raise InputError(
            f"{where}: field 'sub_references' has {len(references)} entries for {len(parts)} "
            "sub-questions"
        )
    return Sample(
        id=f"{dimension}/{kind}/{field(item, 'ID', str, where)}",
        question=question,
        reference=field(item, "com_reference", str, where),
        passages=(Passage(title="Context", text=context),)
        if (context := field(item, "context", str, where)).strip()
        else (),
        steps=tuple(
            GoldStep(
                id=str(number),
                question=part,
                answer=None if references is None else references[number - 1],
            )
            for number, part in enumerate(parts, start=1)
        ),
        groups={"type": kind, "dimension": dimension},
    )


async def respond(asker: Asker, sample: Sample, epoch: int) -> Response:
    """Ask the compound question, its sub-questions one by one, both, or four orders of them."""
    form = str(asker.config.options.get("form", "compound"))
    if form == "single":
        return await _one_by_one(asker, sample, epoch)
    if form == "both":
        return await _both_ways(asker, sample, epoch)
    parts = [step.question for step in sample.steps]
    if form == "positions" and can_turn(parts):
        asked = [in_order(parts, order) for order in ORDERS]
        answers = await asyncio.gather(*(_ask(asker, sample, one, epoch) for one in asked))
        texts = {
            order: "" if answer.abstained else answer.text
            for order, answer in zip(ORDERS, answers, strict=True)
        }
        return Response(
            text=texts[ORDERS[0]],
            parts=texts,
            answers=tuple(answers),
            abstained=answers[0].abstained,
            asked={"form": form},
        )
    answer = await _ask(asker, sample, sample.question, epoch)
    return Response(
        text=answer.text, answers=(answer,), abstained=answer.abstained, asked={"form": "compound"}
    )


async def _both_ways(asker: Asker, sample: Sample, epoch: int) -> Response:
    """Ask the compound question, and its sub-questions one by one beside it."""
    whole = await _ask(asker, sample, sample.question, epoch)
    single = await _one_by_one(asker, sample, epoch)
    return Response(
        text=whole.text,
        parts=single.parts,
        answers=(whole, *single.answers),
        abstained=whole.abstained,
        asked={"form": "both"},
    )


async def _one_by_one(asker: Asker, sample: Sample, epoch: int) -> Response:
    """Ask the sub-questions in turn: a model in one conversation, the agent each by itself.

    In a conversation "it" has been named before; by itself such a part brings what was.
    """
    answers: list[Answer] = []
    history: list[tuple[str, str]] = []
    parts = [step.question for step in sample.steps]
    talks = asker.config.prompting != AGENT
    for place, step in enumerate(sample.steps):
        question = step.question if talks else alone(parts, place)
        answer = await _ask(asker, sample, question, epoch, history)
        answers.append(answer)
        history.append((step.question, answer.text))
    texts = ["" if answer.abstained else answer.text for answer in answers]
    return Response(
        text="\n\n".join(text for text in texts if text),
        parts={step.id: text for step, text in zip(sample.steps, texts, strict=True)},
        answers=tuple(answers),
        abstained=not any(texts),
        asked={"form": "single"},
    )


async def _ask(
    asker: Asker,
    sample: Sample,
    question: str,
    epoch: int,
    history: list[tuple[str, str]] | None = None,
) -> Answer:
    if asker.config.prompting == AGENT:
        return await asker.ask(question, passages=sample.passages, epoch=epoch)
    return await asker.prompt(
        PROMPTS[asker.config.prompting],
        question,
        passages=sample.passages,
        history=tuple(history or ()),
        epoch=epoch,
    )


COMPOUND = Benchmark(
    name="compound",
    citation="Hou et al. (2024), Compound-QA",
    splits=(ALL, *DIMENSIONS),
    editions=("public",),
    style="long",
    headline="win",
    load=load,
    respond=respond,
    score=score,
    tables=tables,
    options={"form": ("compound", "single", "both", "positions")},
    setting="evidence",
    promptings=(AGENT, *PROMPTS),
    offline=offline_judges,
    main=("win", "sub_win", "omission"),
)
