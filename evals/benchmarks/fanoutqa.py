"""FanOutQA: questions whose answers need many articles.

Zhu, Hwang, Dugan, Callison-Burch: FanOutQA: A Multi-Hop, Multi-Document Question Answering Benchmark
for Large Language Models. ACL 2024.

A dev item, shortened:

    {"id": "…", "question": "What is the population of each country on the Danube?",
     "decomposition": [{"id": "a", "question": "Which countries …?", "decomposition": [],
                        "answer": ["Germany", …], "depends_on": [],
                        "evidence": {"pageid": 1, "revid": 2, "title": "Danube", "url": "…"}}, …],
     "answer": {"Germany": 84000000, …}, "categories": ["Geography"]}

Test items hold `necessary_evidence` and neither decomposition nor answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.types import Answer
from corpus.errors import InputError
from evals.benchmarks.editions import OWN, tell_edition
from evals.benchmarks.plans.scores import first_faults, score_evidence, score_plan
from evals.datafiles import field, find_data, read_json_list
from evals.metrics.bleurt import bleurt
from evals.metrics.fanoutqa import Reference, reference_text, string_accuracy
from evals.metrics.rouge import rouge
from evals.ports import Asker, Benchmark, Judges
from evals.types import MISSING, PAPER, GoldStep, Json, Prediction, Response, Sample, Score, Table

DATE = "20 November 2023"
"""Of the Wikipedia that questions and answers were written from; named in the paper's prompts."""
JUDGE_LIMIT = 4_000
"""Characters of an answer that the judge reads."""
GRADES = ("A", "B", "C", "D", "E", "F")
RIGHT = frozenset({"B", "C", "E"})
"""Superset, same set and same but for details that do not matter; A, D and F are wrong."""

FILES = {
    "jul26": "fanout-final-{split}.json",
    "nov23": "fanout-final-{split}-nov23.json",
    "sample": "fanoutqa-{split}.json",
}
"""Editions: as revised in July 2026, as published in November 2023; `sample` comes with fanfold.

The revision marks evidence whose revision it does not know with a word where the number stands.
"""
RESERVE = 520
"""Tokens that FanOutQA's runs keep for the reply and what the chat format adds."""
SAMPLE = Path(__file__).parents[1] / "sample"


def edition_of(path: Path, split: str) -> str | None:
    """Return the edition that a file's items show, or the first edition that a folder holds."""
    files = {edition: name.format(split=split) for edition, name in FILES.items()}
    if path.is_dir():
        return next((edition for edition, name in files.items() if (path / name).is_file()), None)
    if path.resolve() == (SAMPLE / files["sample"]).resolve():
        return "sample"
    return tell_edition(read_json_list(find_data(path, ())))


def load(path: Path, split: str, edition: str) -> list[Sample]:
    """Read a split of one edition: `path` is the file, or the folder that holds the editions."""
    names = (FILES[edition].format(split=split),) if edition != OWN else ()
    file = find_data(path, names)
    return [
        _sample(item, f"{file}, item {number}", split)
        for number, item in enumerate(read_json_list(file), start=1)
    ]


def _sample(item: Mapping[str, Any], where: str, split: str) -> Sample:
    where = f"{where} (id {item.get('id', 'missing')})"
    categories = field(item, "categories", list, where)
    groups = {"category": str(categories[0])} if categories else {}
    if split == "test":
        pages = field(item, "necessary_evidence", list, where)
        evidence = tuple(field(page, "title", str, where) for page in pages)
        steps: tuple[GoldStep, ...] = ()
        reference: Json = None
    else:
        decomposition = field(item, "decomposition", list, where)
        pages = list(_pages(decomposition))
        steps = tuple(_steps(decomposition, where))
        evidence = tuple(dict.fromkeys(title for step in steps for title in step.evidence))
        if "answer" not in item:
            raise InputError(f"{where}: field 'answer' is missing")
        reference = item["answer"]
    return Sample(
        id=field(item, "id", str, where),
        question=field(item, "question", str, where),
        reference=reference,
        evidence=evidence,
        revisions=_numbers(pages, "revid"),
        pages=_numbers(pages, "pageid"),
        steps=steps,
        groups=groups,
    )


def _numbers(pages: Sequence[Mapping[str, Any]], name: str) -> dict[str, int]:
    """Return title → number; the revised edition writes a word where a number is not known.

    An article that several steps name is known only where all of them know it.
    """
    unknown = {page["title"] for page in pages if not isinstance(page.get(name), int)}
    return {page["title"]: page[name] for page in pages if page["title"] not in unknown}


def _pages(decomposition: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for step in decomposition:
        if step.get("evidence"):
            yield step["evidence"]
        yield from _pages(step.get("decomposition") or ())


def _steps(decomposition: Sequence[Mapping[str, Any]], where: str) -> list[GoldStep]:
    """Return the steps of a decomposition, depth first, each before its own sub-steps."""
    steps: list[GoldStep] = []
    for step in decomposition:
        inside = f"{where}, step {step.get('id', 'missing')}"
        page = step.get("evidence")
        children = field(step, "decomposition", list, inside)
        steps.append(
            GoldStep(
                id=field(step, "id", str, inside),
                question=field(step, "question", str, inside),
                answer=step.get("answer"),
                # A step with sub-steps is answered by them, whatever its own list says.
                depends_on=(
                    *field(step, "depends_on", list, inside),
                    *(field(child, "id", str, inside) for child in children),
                ),
                evidence=(field(page, "title", str, inside),) if page else (),
            )
        )
        steps.extend(_steps(children, inside))
    return steps


async def respond(asker: Asker, sample: Sample, epoch: int) -> Response:
    """Ask the question as it stands; in the evidence setting, from its necessary articles."""
    if asker.config.prompting == PAPER:
        answer = await _by_protocol(asker, sample, epoch)
    else:
        answer = await asker.ask(
            sample.question, evidence=sample.evidence, pages=sample.pages, epoch=epoch
        )
    return Response(text=answer.text, answers=(answer,), abstained=answer.abstained)


async def _by_protocol(asker: Asker, sample: Sample, epoch: int) -> Answer:
    """Ask as the paper does (sections 3.2 and 4): the model alone, told the date."""
    setting, fields = asker.config.setting, {"date": DATE}
    if setting == "open":
        return await asker.research(sample.question, fields=fields, epoch=epoch)
    return await asker.prompt(
        f"fanoutqa_{setting}",
        sample.question,
        fields=fields,
        evidence=sample.evidence if setting == "evidence" else (),
        pages=sample.pages,
        reply_tokens=RESERVE,
        epoch=epoch,
    )


async def score(sample: Sample, response: Response, judges: Judges) -> Score:
    """Score one answer: loose, strict, ROUGE, and BLEURT and the judge where they are there."""
    if sample.reference is None:
        withheld = "this split's answers are secret: export the run and submit it"
        return Score(sample_id=sample.id, unscored={"loose": withheld, "strict": withheld})
    reference: Reference = sample.reference
    accuracy = string_accuracy(reference, response.text)
    text = reference_text(reference)
    values = {
        "loose": accuracy.loose,
        "strict": float(accuracy.strict),
        **rouge(text, response.text),
    }
    unscored: dict[str, str] = {}
    detail: dict[str, Json] = {"missing": list(accuracy.missing), "reference": text}
    if response.answers:
        answer = response.answers[0]
        plan = score_plan(sample, answer)
        values.update(plan.values)
        detail.update(plan.detail)
        recall = score_evidence(sample, answer)
        if recall is not None:
            values["evidence_recall"] = recall
    learned = bleurt(text, response.text)
    if isinstance(learned, float):
        values["bleurt"] = learned
    else:
        unscored["bleurt"] = learned.reason
    if judges.judge is None:
        unscored["judge"] = "no judge was named"
    else:
        fields = {
            "question": sample.question,
            "reference": text,
            "answer": response.text[:JUDGE_LIMIT],
        }
        verdict = await judges.judge.choose("fanoutqa", GRADES, fields)
        detail["judge"] = {"grade": verdict.choice, "reasoning": verdict.reasoning}
        if verdict.choice is None:
            unscored["judge"] = verdict.unscored or "no readable grade"
        else:
            values["judge"] = float(verdict.choice in RIGHT)
    return Score(sample_id=sample.id, values=values, unscored=unscored, detail=detail)


def tables(
    samples: Sequence[Sample], predictions: Sequence[Prediction], scores: Sequence[Score]
) -> list[Table]:
    """Return the means by category, what the evidence is, and where plans first went wrong."""
    from evals.benchmarks.tables.groups import mean_by_group

    drawn = [
        mean_by_group(
            "By category", "category", samples, scores, ("loose", "strict", "judge"), ("loose",)
        ),
        _evidence(samples, predictions),
    ]
    faults = first_faults(scores)
    return [*drawn, faults] if faults.rows else drawn


def _evidence(samples: Sequence[Sample], predictions: Sequence[Prediction]) -> Table:
    """Return how many articles are dated by the data, and how many answers went without one.

    Only where the articles are handed over do answers note that one was not there; how many the
    snapshot holds stands at the report's top.
    """
    articles = [(sample, title) for sample in samples for title in sample.evidence]
    known = sum(title in sample.revisions for sample, title in articles)
    without = [
        prediction
        for prediction in predictions
        if prediction.response is not None
        and any(n.startswith(MISSING) for a in prediction.response.answers for n in a.notes)
    ]
    return Table(
        name="Evidence",
        columns=("what", "n"),
        rows=(
            ("necessary articles", len(articles)),
            ("of a known revision, at the data's own date", known),
            ("of an unknown revision", len(articles) - known),
            *((("answers given without a necessary article", len(without)),) if without else ()),
        ),
        note=""
        if known == len(articles)
        else "The revision of July 2026 does not know the revision of what it corrected, which "
        "follows an archive of September 2023: such questions mix two dates.",
    )


FANOUTQA = Benchmark(
    name="fanoutqa",
    citation="Zhu et al. (2024), FanOutQA, ACL 2024",
    splits=("dev", "test"),
    editions=("jul26", "nov23", "sample", OWN),
    style="short",
    headline="loose",
    load=load,
    respond=respond,
    score=score,
    tables=tables,
    edition_of=edition_of,
    promptings=("vanilla", PAPER),
    fills_context=True,
    main=("loose", "strict", "rouge1_f", "rouge2_f", "rougeL_f", "bleurt", "judge"),
)
