from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.types import Answer, SubAnswer, SubQuestion, Usage
from evals.benchmarks.answers import (
    bare_answer,
    numbered_answers,
    stated_answer,
    without_unit,
)
from evals.benchmarks.cofca import COFCA, respond, score, short_span
from evals.benchmarks.tables.cofca import tables
from evals.metrics.chains import chain_categories
from evals.ports import Judges, Verdict
from evals.runs.predict import FAILED
from evals.types import GoldStep, Passage, Response, RunConfig, Sample, Score, Table

SAMPLE = Sample(
    id="a",
    question="Who named the land of Mount Orv?",
    reference=["Odo Tam", "Odo"],
    passages=(Passage(title="Mount Orv", text="Mount Orv stands in Kald."),),
    steps=(
        GoldStep(id="1", question="Where does Mount Orv stand?", answer="Kald"),
        GoldStep(id="2", question="Who named Kald?", answer="Odo Tam"),
    ),
    groups={"hops": "2 hops", "type": "bridge", "source": "counterfactual", "data": "cofca"},
    pair="1",
)


def answer(question: str, text: str, **more: Any) -> Answer:
    return Answer(
        question=question,
        text=text,
        abstained=more.pop("abstained", False),
        sub_questions=(),
        sub_answers=more.pop("sub_answers", ()),
        citations=(),
        suggestions=(),
        usage=Usage(calls=1),
        **more,
    )


class Asked:
    """An Asker that says what a test wants, and keeps what it was asked."""

    def __init__(self, says: Mapping[str, str], prompting: str, sub_questions: str) -> None:
        self._says = says
        self.asked: list[tuple[str, str, Sequence[SubQuestion]]] = []
        self.config = RunConfig(
            benchmark="cofca", edition="cofca", split="test", data_sha256="", snapshot="",
            setting="evidence", strategy="agentic", model="m", style="short", k=3,
            prompting=prompting, options={"sub_questions": sub_questions},
        )  # fmt: skip

    async def ask(
        self,
        question: str,
        *,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        plan: Sequence[SubQuestion] = (),
        epoch: int = 0,
    ) -> Answer:
        assert passages == SAMPLE.passages
        self.asked.append(("ask", question, plan))
        parts = tuple(
            SubAnswer(
                sub_question_id=step.id,
                status="answered",
                text=f"{self._says[step.text]} [1]",
            )
            for step in plan
        )
        return answer(question, f"{self._says[question]} [1]", sub_answers=parts)

    async def prompt(
        self,
        name: str,
        question: str,
        *,
        fields: Mapping[str, str] | None = None,
        evidence: Sequence[str] = (),
        passages: Sequence[Passage] = (),
        history: Sequence[tuple[str, str]] = (),
        language: str = "en",
        epoch: int = 0,
    ) -> Answer:
        self.asked.append((name, question, ()))
        if name == "cofca_cot_steps":
            assert fields == {"sub_questions": "1. Where does Mount Orv stand?\n2. Who named Kald?"}
            return answer(
                question, "First …\n**Answer 1:** Kald.\nAnswer 2: Odo\nFinal answer: Odo"
            )
        return answer(question, f"Step by step.\nAnswer: {self._says[question]}.")


SAYS = {
    SAMPLE.question: "Odo Tam",
    "Where does Mount Orv stand?": "in Kald",
    "Who named Kald?": "Odo Tam",
}


@pytest.mark.parametrize("prompting", ["agent", "cot"])
async def test_without_sub_questions_each_is_asked_by_itself(prompting: str) -> None:
    asker = Asked(SAYS, prompting, "without")
    response = await respond(asker, SAMPLE, 0)
    assert response.text == "Odo Tam"
    assert response.parts == {"1": "in Kald", "2": "Odo Tam"}
    assert [question for _, question, _ in asker.asked] == list(SAYS)
    assert len(response.answers) == 3


async def test_with_sub_questions_they_are_the_agents_plan() -> None:
    asker = Asked(SAYS, "agent", "with")
    response = await respond(asker, SAMPLE, 0)
    ((_, question, plan),) = asker.asked
    assert question == SAMPLE.question
    assert [step.text for step in plan] == [step.question for step in SAMPLE.steps]
    assert response.parts == {"1": "in Kald", "2": "Odo Tam"}


@pytest.mark.parametrize(
    ("items", "second", "span"),
    [
        (("Kald", "Odo Tam"), ("Odo Tam",), "Odo Tam"),
        # Nothing for the last step is no answer, whatever stands before it.
        (("Kald",), (), ""),
        # What the engine, or a model, said of the whole question is no list of its steps.
        (("Odo the Bold",), ("Odo Tam",), "Odo the Bold"),
    ],
)
def test_the_span_of_a_chain_is_its_last_answer(
    items: tuple[str, ...], second: tuple[str, ...], span: str
) -> None:
    found = tuple(
        SubAnswer(sub_question_id=i, status="answered" if said else "not_found", items=said)
        for i, said in (("1", ("Kald",)), ("2", second))
    )
    given = answer(SAMPLE.question, "\n".join(items), items=items, sub_answers=found)
    assert short_span(SAMPLE, given) == span


def test_the_span_of_a_comparison_is_the_choice() -> None:
    steps = (
        GoldStep(id="1", question="How high is Orv?", answer="3 m"),
        GoldStep(id="2", question="How high is Ulv?", answer="4 m"),
    )
    sample = dataclasses.replace(SAMPLE, question="Which is higher, Orv or Ulv?", steps=steps)
    found = tuple(
        SubAnswer(sub_question_id=i, status="answered", items=(high,))
        for i, high in (("1", "3 m"), ("2", "4 m"))
    )
    given = answer(sample.question, "Ulv: 4 m", items=("Ulv: 4 m",), sub_answers=found)
    assert short_span(sample, given) == "Ulv"


async def test_with_sub_questions_a_model_answers_all_in_one_reply() -> None:
    asker = Asked(SAYS, "cot", "with")
    response = await respond(asker, SAMPLE, 0)
    assert len(asker.asked) == 1
    assert response.text == "Odo"
    assert response.parts == {"1": "Kald", "2": "Odo"}


def test_what_an_answer_states() -> None:
    assert stated_answer("I think. Answer: x\nFinal Answer: **The Hague**.") == "The Hague"
    assert stated_answer("先想一想。<答案>1898年</答案>") == "1898年"
    assert stated_answer("最终答案：越国") == "越国"
    assert stated_answer(" just\nthis ") == "just this"
    assert numbered_answers("Answer 2: b\nanswer 1 : a\nAnswer 2: c", 3) == ["a", "c", ""]


def test_bare_answers_carry_no_marks_and_no_account() -> None:
    assert bare_answer(answer("Who?", "Odo [1]\nTam [2, 3]")) == "Odo Tam"
    assert bare_answer(answer("Who?", "x", items=("Odo", "Tam"))) == "Odo, Tam"
    assert bare_answer(answer("Who?", "Nothing was found.", abstained=True)) == ""
    both = answer("Which is higher, Orv or Tess?", "x", items=("Orv: 2,962 m",))
    assert bare_answer(both) == "Orv"
    assert bare_answer(answer("How high?", "x", items=("Orv: 2,962 m",))) == "Orv: 2,962 m"
    assert bare_answer(SubAnswer(sub_question_id="1", status="not_found")) == ""


@pytest.mark.parametrize(
    ("question", "value", "short"),
    [
        ("What is the population of Orv?", "603,445 inhabitants", "603,445"),
        ("What is the population of Orv in millions?", "11.0 million", "11.0"),
        ("What is the length of the Orv in km?", "1,656 km", "1,656"),
        ("How long is the Orv in kilometres?", "1,656 km", "1,656"),
        ("What is the area of Orv in km²?", "15,001 km²", "15,001"),
        ("How many gold medals did Odo win?", "12 gold medals", "12"),
        ("How high is Orv?", "5,060 m", "5,060 m"),
        ("What is its length in miles?", "1,656 km", "1,656 km"),
        ("In which street did Odo live?", "10 Street", "10 Street"),
        ("When was Odo born, and in what year?", "12 May 1990", "12 May 1990"),
        ("In which year?", "1990", "1990"),
        ("How far is it in km?", "2 km, then 3 km", "2 km, then 3 km"),
    ],
)
def test_a_quantity_is_the_number_where_the_question_says_the_unit(
    question: str, value: str, short: str
) -> None:
    assert without_unit(question, value) == short


def test_a_thing_that_was_described_is_answered_by_its_name() -> None:
    question = "Which was found earlier, the largest moon of Orv or Tam?"
    described = answer(question, "x", items=("largest moon of Orv: Odo; 3 May 1595",))
    looked_up = dataclasses.replace(
        described,
        sub_questions=(
            SubQuestion(id="1", text="What is the largest moon of Orv?", kind="core"),
            SubQuestion(id="2", text="When was Odo found?", kind="core"),
        ),
        sub_answers=(
            SubAnswer(sub_question_id="1", status="answered", items=("Odo",)),
            SubAnswer(sub_question_id="2", status="answered", items=("3 May 1595",)),
        ),
    )
    assert bare_answer(looked_up) == "Odo"
    assert bare_answer(described) == "largest moon of Orv"
    named = dataclasses.replace(looked_up, items=("Tam: 3 May 1595",))
    assert bare_answer(named) == "Tam"


class OneVerdict:
    name = "judge-1"

    def __init__(self, choice: str | None) -> None:
        self.choice = choice
        self.fields: list[Mapping[str, str]] = []

    async def choose(
        self, prompt: str, choices: Sequence[str], fields: Mapping[str, str]
    ) -> Verdict:
        assert prompt == "cofca_match"
        self.fields.append(fields)
        return Verdict(choice=self.choice, unscored=None if self.choice else "unreadable")

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        raise AssertionError


async def test_scores_by_hand() -> None:
    response = Response(text="the Odo Tam", parts={"1": "in Kald", "2": "Odo Tam"})
    found = await score(SAMPLE, response, Judges())
    assert found.values["em"] == 1.0
    assert found.values["f1"] == 1.0
    assert found.values["sub_em"] == 0.5
    # "in Kald" against "Kald": P = 1/2, R = 1, F1 = 2/3; the other is 1.
    assert found.values["sub_f1"] == pytest.approx((2 / 3 + 1) / 2)
    # Joint: P = 1 · 1/2 · 1, R = 1, F1 = 2 · 1/2 / (3/2) = 2/3.
    assert found.values["joint_f1"] == pytest.approx(2 / 3)
    assert found.values["joint_em"] == 0.0
    assert found.detail["chain"] == "wcc"
    assert (found.values["right_chain"], found.values["wrong_chain"]) == (0.0, 1.0)
    assert found.unscored == {"pm": "no judge was named"}


async def test_partial_match_is_the_judges() -> None:
    judge = OneVerdict("1")
    found = await score(SAMPLE, Response(text="O. Tam"), Judges(judge=judge))
    assert found.values["pm"] == 1.0
    assert found.values["em"] == 0.0
    assert judge.fields[0]["reference"] == "Odo Tam / Odo"
    assert found.detail["labels"] == {"judge-1": {"": "1"}}
    unread = await score(SAMPLE, Response(text="O. Tam"), Judges(judge=OneVerdict(None)))
    assert unread.unscored["pm"] == "unreadable"
    silent = OneVerdict("1")
    nothing = await score(SAMPLE, Response(text="", abstained=True), Judges(judge=silent))
    assert nothing.values["pm"] == 0.0
    assert silent.fields == []


def scored(sample_id: str, chain: str, epoch: int = 0) -> Score:
    right = [letter == "c" for letter in chain]
    part = [{"em": r, "precision": float(r), "recall": float(r), "f1": float(r)} for r in right]
    return Score(
        sample_id=sample_id,
        epoch=epoch,
        values={"em": float(right[-1]), "f1": float(right[-1])},
        detail={"chain": chain, "parts": [*part[:-1]], "whole": part[-1]},
    )


def samples() -> list[Sample]:
    def one(number: int, source: str, pair: str) -> Sample:
        return Sample(
            id=f"{source}{number}",
            question="?",
            steps=SAMPLE.steps,
            groups={**SAMPLE.groups, "source": source},
            pair=pair,
        )

    return [
        *(one(n, "factual", str(n)) for n in range(4)),
        *(one(n, "counterfactual", str(n)) for n in range(4)),
    ]


SCORES = [
    scored("factual0", "ccc"),
    scored("factual1", "ccc"),
    scored("factual2", "cwc"),
    scored("factual3", "ccw"),
    scored("counterfactual0", "ccc"),
    scored("counterfactual1", "cww"),
    scored("counterfactual2", "wwc"),
    Score(sample_id="counterfactual3", unscored={FAILED: "the server hung up"}),
]


def named(drawn: Sequence[Table], name: str) -> Table:
    return next(table for table in drawn if table.name == name)


def test_table_8_adds_to_a_hundred_and_failures_are_wrong_throughout() -> None:
    table = named(tables(samples(), [], SCORES), "Chains of 2 steps")
    shares = {str(row[0]): float(str(row[-1])) for row in table.rows}
    assert list(shares) == ["ccc", "ccw", "cwc", "cww", "wcc", "wcw", "wwc", "www"]
    assert sum(shares.values()) == pytest.approx(100)
    assert shares["ccc"] == 37.5
    assert shares["www"] == 12.5


def test_right_chain_wrong_chain_and_wrong_answer_are_all() -> None:
    (row,) = named(tables(samples(), [], SCORES), "Chain shares").rows
    assert row == ("2 steps", 37.5, 25.0, 37.5, 8)


def test_the_logged_scores_are_taken_once_over_the_items() -> None:
    (row,) = named(tables(samples(), [], SCORES), "Joint scores").rows
    assert row[1:3] == (3 / 8, 3 / 8)
    # q right in 5 of 8, q1 in 6, q2 in 4; precision, recall and EM are the same numbers here.
    means = (5 / 8, 6 / 8, 4 / 8)
    assert row[3] == pytest.approx(-math.log(math.prod(means)))
    assert row[5] == pytest.approx(-math.log(2 * math.prod(means) / sum(means)))
    assert row[4] is None
    assert row[7:] == ("", 8)


def test_a_part_that_is_never_right_is_named() -> None:
    (row,) = named(tables(samples(), [], [scored("factual0", "cwc")]), "Joint scores").rows
    assert (row[3], row[5], row[7]) == ("∞", "∞", "q2")


def test_the_logged_scores_of_several_epochs_have_a_deviation() -> None:
    epochs = [scored("factual0", "ccc", 0), scored("factual1", "cww", 0)]
    epochs += [scored("factual0", "ccc", 1), scored("factual1", "ccc", 1)]
    (row,) = named(tables(samples(), [], epochs), "Joint scores").rows
    first = -math.log(2 * 0.25 / 2)
    second = -math.log(2 / 3)
    assert row[5] == pytest.approx((first + second) / 2)
    assert row[6] == pytest.approx(abs(first - second) / math.sqrt(2))


def test_the_gap_is_taken_pair_by_pair() -> None:
    table = named(tables(samples(), [], SCORES), "Factual against counterfactual")
    row = dict(zip(table.columns, table.rows[0], strict=True))
    # Pairs: 1-1, 1-0, 1-1, 0-0 (failed): mean difference 1/4.
    assert row["metric"] == "em"
    assert (row["factual"], row["counterfactual"], row["gap"]) == (0.75, 0.5, 0.25)
    assert float(str(row["low"])) <= 0.25 <= float(str(row["high"]))
    assert row["over"] == "4 pairs"


def test_without_pairs_the_gap_is_between_two_sets() -> None:
    import dataclasses

    apart = [dataclasses.replace(sample, pair="") for sample in samples()]
    table = named(tables(apart, [], SCORES), "Factual against counterfactual")
    assert table.rows[0][-1] == "4 against 4 items, not paired"
    assert table.rows[0][4] == 0.25
    assert float(str(table.rows[0][5])) < 0.25 < float(str(table.rows[0][6]))


def test_the_gap_is_told_by_type() -> None:
    import dataclasses

    typed = [
        dataclasses.replace(
            s, groups={**s.groups, "type": "bridge" if s.id.endswith(("0", "1")) else "comparison"}
        )
        for s in samples()
    ]
    rows = named(tables(typed, [], SCORES), "Factual against counterfactual").rows
    gaps = {row[0]: (row[4], row[-1]) for row in rows if row[1] == "em"}
    # Pairs 1-1 and 1-0 are bridges, 1-1 and 0-0 comparisons.
    assert gaps == {
        "all": (0.25, "4 pairs"),
        "bridge": (0.5, "2 pairs"),
        "comparison": (0.0, "2 pairs"),
    }


def test_epochs_have_a_mean_and_a_deviation() -> None:
    epochs = [
        scored(f"{s}{n}", "ccc" if n < right else "ccw", epoch)
        for epoch, right in enumerate((1, 2, 3))
        for s in ("factual", "counterfactual")
        for n in range(4)
    ]
    rows = {row[1]: row for row in named(tables(samples(), [], epochs), "Over epochs").rows}
    # 25, 50 and 75 per cent: mean 50, deviation 25.
    assert rows["em"] == ("2 hops", "em", 0.5, 0.25, 3.0)
    assert named(tables(samples(), [], SCORES), "Over epochs").rows == ()


def test_sub_questions_by_position() -> None:
    rows = named(tables(samples(), [], SCORES), "Sub-questions by position").rows
    assert [(row[0], row[1]) for row in rows] == [("2 steps, q1", 6 / 8), ("2 steps, q2", 4 / 8)]


def test_categories_of_three_and_four_hops_are_all_there() -> None:
    from evals.metrics.chains import ChainOutcome

    for hops in (3, 4):
        found = chain_categories([ChainOutcome(sub_questions=(True,) * hops, question=False)])
        assert len(found) == 2 ** (hops + 1)
        assert found["c" * hops + "w"] == 100.0


def test_the_sample_loads_as_the_benchmark_names_it() -> None:
    path = Path(__file__).parents[4] / "evals/sample"
    assert len(COFCA.load(path, "test", COFCA.editions[0])) == 8
