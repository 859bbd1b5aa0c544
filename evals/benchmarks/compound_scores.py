"""Scores an answer to a compound question: as a whole, sub-question by sub-question, by its errors."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from agent.citations import MARK
from evals.benchmarks.compound_questions import ORDERS, alone, positions
from evals.metrics.rouge import mixed_tokens
from evals.metrics.winrate import LEVELS, three_way, win_share
from evals.ports import Extracted, Judge, Judges
from evals.types import GoldStep, Json, Response, Sample, Score

PLACES = ("win_1xx", "win_x1x", "win_xx1")
"""Win rate of the sub-questions asked first, in the middle, last (table 3)."""
NO_JUDGE = "no judge was named"
_HAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LETTER = re.compile(r"[^\W\d_]")
FOREIGN = 0.3
"""Share of letters in another kind of script from which on an answer is in the wrong language."""


async def score(sample: Sample, response: Response, judges: Judges) -> Score:
    """Judge the answer against the reference, and every sub-answer against its own."""
    judge, extractor = judges.judge, judges.extractor
    if judge is None or extractor is None:
        return Score(sample_id=sample.id, unscored={"win": NO_JUDGE, "sub_win": NO_JUDGE})
    values: dict[str, float] = {}
    unscored: dict[str, str] = {}
    detail: dict[str, Json] = {"judged by": judge.name, "extracted by": extractor.name}
    text = _unmarked(response.text)
    reference = str(sample.reference)
    share, verdicts = await _win(judge, sample.question, text, reference)
    detail["levels"] = [*verdicts]
    readable = all(verdict in LEVELS for verdict in verdicts)
    detail["labels"] = {judge.name: {"": three_way(*verdicts) if readable else None}}
    _enter("win", share, verdicts, values, unscored)
    form = response.asked.get("form", "compound")
    asked = [step.question for step in sample.steps]
    steps = [replace(s, question=alone(asked, place)) for place, s in enumerate(sample.steps)]
    references = await asyncio.gather(*(_reference_of(step, reference, judges) for step in steps))
    single = [Extracted(text=_unmarked(response.parts.get(step.id, ""))) for step in steps]
    given = single
    if form != "single":
        given = list(await asyncio.gather(*(extractor.extract(s.question, text) for s in steps)))
    parts = await _judge_parts(judge, steps, given, references)
    detail["parts"] = [dict(part) for part in parts]
    _sum_up(parts, given, values, unscored)
    detail["errors"] = [*error_kinds(sample.question, text, given)]
    if form == "both":
        apart = await _judge_parts(judge, steps, single, references)
        detail["single"] = [dict(part) for part in apart]
        _sum_up(apart, single, values, unscored, prefix="single_")
    if form == "positions":
        await _positions(steps, response, judges, references, parts, values, detail)
    return Score(sample_id=sample.id, values=values, unscored=unscored, detail=detail)


async def _win(
    judge: Judge, question: str, answer: str, reference: str
) -> tuple[float | None, tuple[str, str]]:
    """Judge both orders; an empty answer loses to any, and needs no call to know."""
    if not answer.strip():
        return 0.0, ("B>>A", "A>>B")
    first, second = await asyncio.gather(
        judge.choose("compound", LEVELS, {"question": question, "a": answer, "b": reference}),
        judge.choose("compound", LEVELS, {"question": question, "a": reference, "b": answer}),
    )
    if first.choice is None or second.choice is None:
        return None, (first.choice or str(first.unscored), second.choice or str(second.unscored))
    return win_share(first.choice, second.choice), (first.choice, second.choice)


async def _reference_of(step: GoldStep, reference: str, judges: Judges) -> Extracted:
    if step.answer is not None:
        return Extracted(text=str(step.answer))
    assert judges.extractor is not None
    return await judges.extractor.extract(step.question, reference)


async def _judge_parts(
    judge: Judge,
    steps: Sequence[GoldStep],
    given: Sequence[Extracted],
    references: Sequence[Extracted],
) -> list[dict[str, Json]]:
    async def one(step: GoldStep, answer: Extracted, wanted: Extracted) -> dict[str, Json]:
        part: dict[str, Json] = {
            "question": step.question,
            "answer": answer.text or "None",
            "reference": wanted.text or "None",
        }
        if answer.unscored or wanted.unscored or not wanted.text:
            reason = answer.unscored or wanted.unscored or "the reference holds no answer to it"
            return part | {"win": None, "unscored": reason}
        share, verdicts = await _win(judge, step.question, answer.text, wanted.text)
        return part | {"win": share, "levels": [*verdicts]}

    together = zip(steps, given, references, strict=True)
    return list(await asyncio.gather(*(one(*three) for three in together)))


def _sum_up(
    parts: Sequence[dict[str, Json]],
    given: Sequence[Extracted],
    values: dict[str, float],
    unscored: dict[str, str],
    prefix: str = "",
) -> None:
    wins = [float(win) for part in parts if isinstance(win := part["win"], float)]
    if wins:
        values[f"{prefix}sub_win"] = fmean(wins)
    else:
        reasons = [str(part.get("unscored", "no readable verdict")) for part in parts]
        unscored[f"{prefix}sub_win"] = (
            reasons[0] if reasons else "the question has no sub-questions"
        )
    told = [answer for answer in given if answer.unscored is None]
    if told:
        values[f"{prefix}omission"] = fmean(float(not answer.text) for answer in told)
    lengths = [len(mixed_tokens(answer.text)) for answer in told if answer.text]
    if lengths:
        values[f"{prefix}sub_words"] = fmean(lengths)


def _enter(
    name: str,
    share: float | None,
    verdicts: tuple[str, str],
    values: dict[str, float],
    unscored: dict[str, str],
) -> None:
    if share is None:
        unscored[name] = next(v for v in verdicts if v not in LEVELS)
    else:
        values[name] = share


async def _positions(
    steps: Sequence[GoldStep],
    response: Response,
    judges: Judges,
    references: Sequence[Extracted],
    first: Sequence[dict[str, Json]],
    values: dict[str, float],
    detail: dict[str, Json],
) -> None:
    """Add the win rate of every sub-question at every place it was asked in."""
    judge, extractor = judges.judge, judges.extractor
    assert judge is not None
    assert extractor is not None
    found: dict[str, Json] = {}
    by_place: list[list[float]] = [[], [], []]
    for order in ORDERS:
        parts = list(first)
        if order != ORDERS[0]:
            text = _unmarked(response.parts[order])
            asked = (extractor.extract(step.question, text) for step in steps)
            given = await asyncio.gather(*asked)
            parts = await _judge_parts(judge, steps, given, references)
        for place, number in enumerate(positions(order)):
            win = parts[number]["win"]
            found[f"{order}, sub-question {number + 1}"] = win
            if isinstance(win, float):
                by_place[place].append(win)
    detail["positions"] = found
    for name, wins in zip(PLACES, by_place, strict=True):
        if wins:
            values[name] = fmean(wins)


def error_kinds(question: str, text: str, given: Sequence[Extracted]) -> list[str]:
    """Return which of the paper's three errors an answer shows, by rule (section 5, appendix H).

    omission: nothing was extracted for a sub-question; confusion: two sub-questions are answered by
    the same words; language: the answer is written in another kind of script than the question.
    """
    kinds = []
    texts = [" ".join(answer.text.split()) for answer in given if answer.text]
    if len(texts) < sum(answer.unscored is None for answer in given):
        kinds.append("omission")
    if len(set(texts)) < len(texts):
        kinds.append("confusion")
    if text.strip() and abs(_han_share(text) - _han_share(question)) >= FOREIGN:
        kinds.append("language")
    return kinds


def _han_share(text: str) -> float:
    letters = len(_LETTER.findall(text))
    return len(_HAN.findall(text)) / letters if letters else 0.0


def _unmarked(text: str) -> str:
    # A judge or an extractor reads the words: marks of sources it is not shown say nothing to it.
    return re.sub(r" +(?=[.,;:!?]|$)", "", MARK.sub("", text), flags=re.MULTILINE)
