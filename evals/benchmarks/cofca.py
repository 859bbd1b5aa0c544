"""CofCA: multi-hop questions over counterfactual passages, scored step by step.

Wu, Yang, Wang, Okumura, Zhang: CofCA: A Step-wise Counterfactual Multi-hop QA Benchmark. ICLR 2025.

The passage comes with the question; sub-questions name the gold answers they build on, so each can
be asked by itself (Tang et al., 2021). `evals.benchmarks.multihop` shows the forms of the data.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from agent.types import Answer, SubAnswer, SubQuestion
from corpus.storage.titles import fold
from evals.benchmarks.answers import (
    bare_answer,
    numbered_answers,
    stated_answer,
    without_unit,
)
from evals.benchmarks.layouts import LAYOUTS, load_layout
from evals.benchmarks.multihop import MIXED, STEMS, load_multihop
from evals.benchmarks.tables.cofca import tables
from evals.metrics.chains import ChainOutcome, joint_score
from evals.metrics.plan import evidence_recall
from evals.metrics.squad import TokenScore, exact_match, token_score
from evals.ports import Asker, Benchmark, Judges
from evals.types import GoldStep, Json, Response, Sample, Score

AGENT = "agent"
COT = "cot"
"""The paper's zero-shot prompt: the passage, the question, "step by step"."""
RECALL_AT = (2, 5)
EQUAL, DIFFERENT = "1", "0"
"""What the judge of partial match answers (table 9)."""


def load(path: Path, split: str, edition: str) -> list[Sample]:
    """Read one edition; `path` is its file or the folder that holds it."""
    if edition in LAYOUTS:
        return load_layout(path, edition)
    return load_multihop(path, edition)


async def respond(asker: Asker, sample: Sample, epoch: int) -> Response:
    """Answer the question and its sub-questions.

    Without sub-questions each is asked by itself, apart from the question, so that chains can be
    told all the same. With them the agent is given them as its plan, the model in its prompt, and
    question and sub-questions are answered together (section 4.3).
    """
    together = asker.config.options.get("sub_questions") == "with" and bool(sample.steps)
    if asker.config.prompting == COT:
        return await (_prompt_together if together else _prompt_apart)(asker, sample, epoch)
    if together:
        plan = [SubQuestion(id=s.id, text=s.question, kind="core") for s in sample.steps]
        answer = await asker.ask(sample.question, passages=sample.passages, plan=plan, epoch=epoch)
        asked = {step.id: step.question for step in sample.steps}
        parts = {
            found.sub_question_id: short_answer(asked.get(found.sub_question_id, ""), found)
            for found in answer.sub_answers
        }
        return _response(short_span(sample, answer), parts, [answer])
    answers = await asyncio.gather(
        *(
            asker.ask(question, passages=sample.passages, epoch=epoch)
            for question in (sample.question, *(step.question for step in sample.steps))
        )
    )
    texts = [short_answer(answer.question, answer) for answer in answers]
    parts = {step.id: text for step, text in zip(sample.steps, texts[1:], strict=True)}
    return _response(texts[0], parts, answers)


def short_answer(question: str, answer: Answer | SubAnswer) -> str:
    """Return the short span that an agent's answer names, as the data's gold answers are."""
    return without_unit(question, bare_answer(answer))


def short_span(sample: Sample, answer: Answer) -> str:
    """Return the short span of an answer whose plan are the sample's sub-questions.

    The engine answers such a plan by what it found for every step. Where the steps are a chain, what
    was asked is the last one's answer alone; a model's own words, and a choice, are not a list.
    """
    listed = [item for found in answer.sub_answers for item in found.items]
    last = _last_of_chain(sample.steps)
    if last is None or list(answer.items) != listed:
        return short_answer(sample.question, answer)
    said = [found for found in answer.sub_answers if found.sub_question_id == last.id]
    return without_unit(sample.question, ", ".join(item for found in said for item in found.items))


def _last_of_chain(steps: Sequence[GoldStep]) -> GoldStep | None:
    """Return the one step that no other builds on, by the gold answers in questions; else None."""
    ends = [
        step
        for step in steps
        if not any(
            re.search(rf"(?<!\w){re.escape(name)}(?!\w)", other.question, re.IGNORECASE)
            for name in accepted(step.answer)
            for other in steps
            if other is not step
        )
    ]
    return ends[0] if len(ends) == 1 < len(steps) else None


async def _prompt_apart(asker: Asker, sample: Sample, epoch: int) -> Response:
    answers = await asyncio.gather(
        *(
            asker.prompt("cofca_cot", question, passages=sample.passages, epoch=epoch)
            for question in (sample.question, *(step.question for step in sample.steps))
        )
    )
    texts = [stated_answer(answer.text) for answer in answers]
    parts = {step.id: text for step, text in zip(sample.steps, texts[1:], strict=True)}
    return _response(texts[0], parts, answers)


async def _prompt_together(asker: Asker, sample: Sample, epoch: int) -> Response:
    listed = "\n".join(f"{step.id}. {step.question}" for step in sample.steps)
    answer = await asker.prompt(
        "cofca_cot_steps",
        sample.question,
        fields={"sub_questions": listed},
        passages=sample.passages,
        epoch=epoch,
    )
    stated = numbered_answers(answer.text, len(sample.steps))
    parts = {step.id: text for step, text in zip(sample.steps, stated, strict=True)}
    return _response(stated_answer(answer.text), parts, [answer])


def _response(text: str, parts: dict[str, str], answers: Sequence[Answer]) -> Response:
    return Response(text=text, parts=parts, answers=tuple(answers), abstained=not text)


async def score(sample: Sample, response: Response, judges: Judges) -> Score:
    """Score the answer by EM, F1 and PM, and the chain that should have led to it."""
    references = accepted(sample.reference)
    whole = token_score(response.text, references)
    right = exact_match(response.text, references)
    values = {"em": float(right), "f1": whole.f1}
    values |= _recall(sample, response)
    unscored: dict[str, str] = {}
    detail: dict[str, Json] = {"reference": " / ".join(references)}
    await _judge(sample, response, judges, values, unscored, detail)
    if sample.steps:
        gold = {step.id: accepted(step.answer) for step in sample.steps}
        parts = {step: response.parts.get(step, "") for step in gold}
        exact = [exact_match(parts[step], answers) for step, answers in gold.items()]
        tokens = [token_score(parts[step], answers) for step, answers in gold.items()]
        joint = joint_score([whole, *tokens], [right, *exact])
        chain = ChainOutcome(sub_questions=tuple(exact), question=right)
        values |= {
            "sub_em": sum(exact) / len(exact),
            "sub_f1": sum(part.f1 for part in tokens) / len(tokens),
            "joint_em": joint.em,
            "joint_f1": joint.f1,
            "right_chain": float(right and all(exact)),
            "wrong_chain": float(right and not all(exact)),
        }
        detail["chain"] = chain.category
        detail["parts"] = [
            {"step": step, "answer": parts[step], "em": e, **_tokens(t)}
            for step, e, t in zip(gold, exact, tokens, strict=True)
        ]
        detail["whole"] = {"em": right, **_tokens(whole)}
    return Score(sample_id=sample.id, values=values, unscored=unscored, detail=detail)


def _recall(sample: Sample, response: Response) -> dict[str, float]:
    """Return recall@2 and @5 of the passages that the answer rests on, where the data names them.

    A passage counts by its title and once, at the place where it was first retrieved; the retrieved
    ones are those of every search for the question, in order, as its strategy makes them.
    """
    if not sample.evidence or not response.answers or not response.answers[0].hits:
        return {}
    hits = response.answers[0].hits
    titles = list(dict.fromkeys(fold(hit.chunk.revision.title) for hit in hits))
    wanted = [fold(title) for title in sample.evidence]
    found = {k: evidence_recall(wanted, titles, k) for k in RECALL_AT}
    return {f"recall@{k}": value for k, value in found.items() if value is not None}


def _tokens(score: TokenScore) -> dict[str, Json]:
    return {"precision": score.precision, "recall": score.recall, "f1": score.f1}


async def _judge(
    sample: Sample,
    response: Response,
    judges: Judges,
    values: dict[str, float],
    unscored: dict[str, str],
    detail: dict[str, Json],
) -> None:
    """Add partial match: whether a judge holds the answer for the gold one, aliases allowed."""
    if judges.judge is None:
        unscored["pm"] = "no judge was named"
        return
    if not response.text:
        # Nothing was said: that is no alias of anything, and needs no call to know.
        values["pm"] = 0.0
        return
    fields = {
        "question": sample.question,
        "reference": " / ".join(accepted(sample.reference)),
        "answer": response.text,
    }
    verdict = await judges.judge.choose("cofca_match", (EQUAL, DIFFERENT), fields)
    detail["judge"] = {"grade": verdict.choice, "reasoning": verdict.reasoning}
    detail["labels"] = {judges.judge.name: {"": verdict.choice}}
    if verdict.choice is None:
        unscored["pm"] = verdict.unscored or "no readable verdict"
    else:
        values["pm"] = float(verdict.choice == EQUAL)


def accepted(reference: Json) -> list[str]:
    """Return the answers that count as right: one, or an answer and its aliases."""
    return [str(one) for one in reference] if isinstance(reference, list) else [str(reference)]


COFCA = Benchmark(
    name="cofca",
    citation="Wu et al. (2025), CofCA, ICLR 2025",
    splits=("test",),
    editions=(*STEMS, MIXED, *LAYOUTS),
    style="short",
    headline="em",
    load=load,
    respond=respond,
    score=score,
    tables=tables,
    options={"sub_questions": ("without", "with")},
    setting="evidence",
    promptings=(AGENT, COT),
    main=("em", "f1", "pm", "joint_f1"),
)
