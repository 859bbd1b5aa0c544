"""CCMOR: Chinese multi-hop questions over chains of facts, answered as a whole and step by step.

You et al.: Benchmarking Chinese Commonsense Reasoning with a Multi-hop Reasoning Perspective. 2025.

An item, as `evals synth fact-chains` writes it; several right answers are a list:

    {"id": "zh-5", "domain": "中国文化", "hops": 3, "question": "…的朝代，开国皇帝是谁？",
     "answer": ["李渊", "唐高祖"], "chain": [{"question": "《茶经》的作者是谁？", "answer": "陆羽",
     "domain": "中国文化", "evidence": {"pageid": 5041, "revid": 31365961, "title": "茶经"}}, …]}

A file that writes them as one text, "李渊/唐高祖", says so by `"separator": "/"` in the item: elsewhere
"/" belongs to the answer, as in 6/4拍 and bit/s/Hz. Files of single questions (Chinese SimpleQA: `question`, `answer`, `primary_category`) are read as
items of one hop.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.types import Answer
from corpus.errors import InputError
from evals.benchmarks.answers import bare_answer, stated_answer
from evals.benchmarks.tables.ccmor import tables
from evals.datafiles import check_unique, field, find_data, read_located, strings
from evals.judges.verdict import majority
from evals.metrics.chinese import normalise
from evals.metrics.rouge import mixed_tokens, rouge_l_recall
from evals.ports import Asker, Benchmark, Judge, Judges, Verdict
from evals.types import GoldStep, Json, Response, Sample, Score

FILES = ("ccmor.jsonl", "ccmor.json", "chinese_simpleqa.jsonl")
DOMAINS = ("中国文化", "人文社科", "工程与技术", "生活与艺术", "社会", "自然科学")
_CATEGORIES = {
    "中华文化": "中国文化",
    "人文与社会科学": "人文社科",
    "工程、技术与应用科学": "工程与技术",
    "生活、艺术与文化": "生活与艺术",
    "社会": "社会",
    "自然与自然科学": "自然科学",
}
"""Chinese SimpleQA's categories, which CCMOR's domains follow (section 2.2)."""

AGENT = "agent"
PROMPTINGS = tuple(
    f"{how}-{language}-{shots}"
    for how in ("direct", "cot")
    for language in ("zh", "en")
    for shots in ("zero", "few")
)
"""The eight ways of table 5."""
RIGHT, WRONG = "正确", "错误"
WHOLE = ""
"""The part that is the whole question; sub-questions are named by their number."""
_PLACEHOLDER = re.compile(r"[{#](\d+)\}?")


def load(path: Path, split: str, edition: str) -> list[Sample]:
    """Read chains, or single questions."""
    located = read_located(find_data(path, FILES))
    samples = [_sample(item, where) for where, item in located]
    check_unique([(where, s.id) for (where, _), s in zip(located, samples, strict=True)])
    return samples


def _sample(item: Mapping[str, Any], where: str) -> Sample:
    single = "chain" not in item and "primary_category" in item
    chain = [item] if single else field(item, "chain", list, where)
    if not chain:
        raise InputError(f"{where}: field 'chain' is empty")
    domain = _domain(item, where)
    separator = _separator(item, where)
    steps: list[GoldStep] = []
    for number, link in enumerate(chain, start=1):
        inside = where if single else f"{where}, field 'chain', entry {number}"
        if not isinstance(link, dict):
            raise InputError(f"{inside} must be an object")
        steps.append(_step(link, inside, steps, separator))
    domains = dict.fromkeys(
        [
            _domain(link, f"{where}, field 'chain', entry {number}")
            for number, link in enumerate(chain, start=1)
            if "domain" in link
        ]
        or [domain]
    )
    return Sample(
        id=str(field(item, "id", object, where)),
        question=field(item, "question", str, where),
        reference=_answers(item, separator, where),
        evidence=tuple(dict.fromkeys(title for step in steps for title in step.evidence)),
        # A chain of one link is the question itself: there is nothing to ask stepwise.
        steps=tuple(steps) if len(steps) > 1 else (),
        groups={
            "hops": "1 hop" if len(steps) == 1 else f"{len(steps)} hops",
            "domain": domain,
            "domains": "、".join(domains),
        },
    )


def _separator(item: Mapping[str, Any], where: str) -> str:
    """Return what stands between the right answers of one text, or "" where the data names nothing."""
    if "separator" not in item:
        return ""
    separator = field(item, "separator", str, where)
    if not separator.strip():
        raise InputError(f"{where}: field 'separator' is empty: leave it out, or name a character")
    return separator


def _answers(item: Mapping[str, Any], separator: str, where: str) -> Json:
    """Return the right answer, or a list of several."""
    if isinstance(item.get("answer"), list):
        found = strings(item, "answer", where)
    else:
        text = field(item, "answer", str, where)
        found = text.split(separator) if separator else [text]
    named = [text for one in found if mixed_tokens(text := one.strip())]
    if not named:
        raise InputError(f"{where}: field 'answer' is empty")
    return named[0] if len(named) == 1 else [*named]


def _domain(item: Mapping[str, Any], where: str) -> str:
    name = "domain" if "domain" in item else "primary_category"
    domain = field(item, name, str, where)
    domain = _CATEGORIES.get(domain, domain)
    if domain not in DOMAINS:
        raise InputError(f"{where}: field {name!r} is {domain!r}: choose {', '.join(DOMAINS)}")
    return domain


def _step(
    link: Mapping[str, Any], where: str, before: Sequence[GoldStep], separator: str
) -> GoldStep:
    page = link.get("evidence")
    answer = _answers(link, separator, where)

    def fill(match: re.Match[str]) -> str:
        number = int(match[1])
        if not 1 <= number <= len(before):
            return match[0]
        return accepted(before[number - 1].answer)[0]

    return GoldStep(
        id=str(len(before) + 1),
        # Written data names the previous answer already; a placeholder is filled with it.
        question=_PLACEHOLDER.sub(fill, field(link, "question", str, where)),
        answer=answer,
        evidence=(field(page, "title", str, where),) if isinstance(page, dict) else (),
    )


async def respond(asker: Asker, sample: Sample, epoch: int) -> Response:
    """Ask the whole question, and each sub-question with the previous gold answers in it."""
    asked = [
        (sample.question, sample.evidence),
        *((step.question, step.evidence) for step in sample.steps),
    ]
    answers = await asyncio.gather(
        *(_ask(asker, question, evidence, epoch) for question, evidence in asked)
    )
    agent = asker.config.prompting == AGENT
    texts = [bare_answer(a) if agent else stated_answer(a.text) for a in answers]
    return Response(
        text=texts[0],
        parts={step.id: text for step, text in zip(sample.steps, texts[1:], strict=True)},
        answers=tuple(answers),
        abstained=not texts[0],
    )


async def _ask(asker: Asker, question: str, evidence: Sequence[str], epoch: int) -> Answer:
    if asker.config.prompting == AGENT:
        return await asker.ask(question, evidence=evidence, epoch=epoch)
    how, language, shots = asker.config.prompting.split("-")
    return await asker.prompt(
        f"ccmor_{how}_{shots}", question, evidence=evidence, language=language, epoch=epoch
    )


async def score(sample: Sample, response: Response, judges: Judges) -> Score:
    """Score both ways by ROUGE-L recall and exact match, and by the judges where there are some."""
    panel = judges.panel or ((judges.judge,) if judges.judge is not None else ())
    values = {
        "rougeL": recall(response.text, sample.reference),
        "em": exact(response.text, sample.reference),
    }
    unscored: dict[str, str] = {}
    detail: dict[str, Json] = {"reference": " / ".join(accepted(sample.reference))}
    asked = {WHOLE: (sample.question, sample.reference, response.text)}
    for step in sample.steps:
        asked[step.id] = (step.question, step.answer, response.parts.get(step.id, ""))
    if sample.steps:
        recalls = [recall(response.parts.get(s.id, ""), s.answer) for s in sample.steps]
        values["sqa_rougeL"] = sum(recalls) / len(recalls)
        rights = [exact(response.parts.get(s.id, ""), s.answer) for s in sample.steps]
        values["sqa_em"] = sum(rights) / len(rights)
        detail["steps"] = [
            {"step": s.id, "answer": response.parts.get(s.id, ""), "rougeL": value}
            for s, value in zip(sample.steps, recalls, strict=True)
        ]
    if not panel:
        unscored["judge"] = "no judge was named"
        return Score(sample_id=sample.id, values=values, unscored=unscored, detail=detail)
    verdicts = dict(
        zip(
            asked,
            await asyncio.gather(*(_judge(panel, *one) for one in asked.values())),
            strict=True,
        )
    )
    decided = {part: majority(given) for part, given in verdicts.items()}
    _enter("judge", [decided[WHOLE]], values, unscored)
    if sample.steps:
        _enter("sqa_judge", [decided[step.id] for step in sample.steps], values, unscored)
    detail["judge"] = {"grade": decided[WHOLE].choice, "reasoning": decided[WHOLE].reasoning}
    detail["labels"] = {
        judge.name: {part: given[n].choice for part, given in verdicts.items()}
        for n, judge in enumerate(panel)
    }
    return Score(sample_id=sample.id, values=values, unscored=unscored, detail=detail)


async def _judge(
    panel: Sequence[Judge], question: str, reference: Json, answer: str
) -> list[Verdict]:
    """Return every judge's verdict; an answer that is none is wrong without being judged."""
    if not answer:
        return [Verdict(choice=WRONG)] * len(panel)
    listed = "\n".join(accepted(reference))
    fields = {"question": question, "reference": listed, "answer": answer}
    return list(
        await asyncio.gather(
            *(judge.choose("ccmor_judge", (RIGHT, WRONG), fields) for judge in panel)
        )
    )


def _enter(
    name: str, verdicts: Sequence[Verdict], values: dict[str, float], unscored: dict[str, str]
) -> None:
    """Enter the share of right answers; one undecided verdict leaves the metric unscored."""
    for verdict in verdicts:
        if verdict.choice is None:
            unscored[name] = verdict.unscored or "no readable verdict"
            return
    values[name] = sum(verdict.choice == RIGHT for verdict in verdicts) / len(verdicts)


def recall(answer: str, reference: Json) -> float:
    """Return ROUGE-L recall over Chinese tokens against the best of the accepted answers."""
    found = tokens(answer)
    return max(rouge_l_recall(tokens(one), found) for one in accepted(reference))


def exact(answer: str, reference: Json) -> float:
    """Return 1.0 where the answer is one of the accepted ones, token by token, else 0.0."""
    found = tokens(answer)
    return float(any(found == tokens(one) for one in accepted(reference)))


def tokens(text: str) -> list[str]:
    """Return the tokens that both scores compare."""
    return mixed_tokens(normalise(text))


def accepted(reference: Json) -> list[str]:
    """Return the right answers: one, or a list of several."""
    return [str(one) for one in reference] if isinstance(reference, list) else [str(reference)]


CCMOR = Benchmark(
    name="ccmor",
    citation="You et al. (2025), CCMOR",
    splits=("test",),
    editions=("chains",),
    style="short",
    headline="rougeL",
    load=load,
    respond=respond,
    score=score,
    tables=tables,
    language="zh",
    promptings=(AGENT, *PROMPTINGS),
    main=("rougeL", "em", "judge", "sqa_rougeL", "sqa_em", "sqa_judge"),
)
