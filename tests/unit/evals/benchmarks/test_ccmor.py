from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.types import Answer, SubQuestion, Usage
from corpus.errors import InputError
from evals.benchmarks.ccmor import (
    CCMOR,
    DOMAINS,
    PROMPTINGS,
    accepted,
    exact,
    load,
    recall,
    respond,
    score,
)
from evals.benchmarks.tables.ccmor import tables
from evals.metrics.rouge import mixed_tokens, rouge_l_recall
from evals.ports import Judges, Verdict
from evals.types import Passage, Response, RunConfig, Sample, Score, Table

SAMPLES = Path(__file__).parents[4] / "evals/sample"
REAL = Path(__file__).parents[4] / "../shared/data/chinese"


def chain() -> Sample:
    return next(sample for sample in load(SAMPLES, "test", "chains") if sample.id == "zh-5")


def test_the_sample_has_chains_of_one_three_and_six() -> None:
    samples = load(SAMPLES, "test", "chains")
    assert {sample.groups["hops"] for sample in samples} == {"1 hop", "3 hops", "6 hops"}
    assert all(sample.groups["domain"] in DOMAINS for sample in samples)
    assert [sample.steps for sample in samples if sample.groups["hops"] == "1 hop"] == [(), ()]
    one = chain()
    assert [step.answer for step in one.steps] == ["陆羽", "唐朝", ["李渊", "唐高祖"]]
    assert one.evidence == ("茶经", "陆羽", "唐朝")


def test_a_placeholder_takes_the_gold_answer_before_it(tmp_path: Path) -> None:
    item = {
        "id": 1,
        "domain": "社会",
        "question": "…？",
        "answer": "北京",
        "chain": [
            {"question": "谁获奖？", "answer": ["甲", "乙"]},
            {"question": "{1}出生在哪里？#2和#9不变", "answer": "北京"},
        ],
    }
    path = tmp_path / "ccmor.json"
    path.write_text(json.dumps([item]), encoding="utf-8")
    (sample,) = load(path, "test", "chains")
    assert sample.steps[1].question == "甲出生在哪里？#2和#9不变"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"domain": "体育"}, "field 'domain' is '体育': choose 中国文化"),
        ({"chain": []}, "field 'chain' is empty"),
        ({"chain": [3]}, "field 'chain', entry 1 must be an object"),
        ({"chain": [{"question": "？"}]}, "field 'chain', entry 1: field 'answer' is missing"),
        ({"chain": [{"question": "？", "answer": "，"}]}, "entry 1: field 'answer' is empty"),
        ({"answer": "。"}, "field 'answer' is empty"),
        ({"answer": []}, "field 'answer' is empty"),
        ({"answer": ["北京", 3]}, "field 'answer', entry 2 must be str, not int"),
        ({"separator": " "}, "field 'separator' is empty"),
        ({"question": None}, "field 'question' must be str, not null"),
    ],
)
def test_faults_name_file_line_and_field(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    good = {
        "id": "a", "domain": "社会", "question": "？", "answer": "北京",
        "chain": [{"question": "？", "answer": "北京"}],
    }  # fmt: skip
    path = tmp_path / "ccmor.jsonl"
    lines = [json.dumps(good), json.dumps({**good, "id": "b", **change})]
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(tmp_path, "test", "chains")
    assert str(caught.value).startswith(f"{path}, line 2")
    assert message in str(caught.value)


@pytest.mark.skipif(not REAL.is_dir(), reason="needs ../shared/data/chinese")
def test_seeds_of_chinese_simpleqa_are_single_hops_in_six_domains() -> None:
    samples = load(REAL / "chinese_simpleqa.jsonl", "test", "chains")
    assert len(samples) == 3000
    assert {sample.groups["domain"] for sample in samples} == set(DOMAINS)
    assert {sample.groups["hops"] for sample in samples} == {"1 hop"}


class Asked:
    def __init__(self, prompting: str) -> None:
        self.asked: list[tuple[str, str, str]] = []
        self.evidence: list[Sequence[str]] = []
        self.config = RunConfig(
            benchmark="ccmor", edition="chains", split="test", data_sha256="", snapshot="",
            setting="open", strategy="agentic", model="m", style="short", k=3, prompting=prompting,
        )  # fmt: skip

    def _answer(self, question: str, text: str) -> Answer:
        return Answer(
            question=question, text=text, abstained=False, sub_questions=(), sub_answers=(),
            citations=(), suggestions=(), usage=Usage(calls=1),
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
        self.asked.append(("ask", question, "zh"))
        self.evidence.append(evidence)
        return self._answer(question, f"唐朝 [{len(self.asked)}]")

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
        self.asked.append((name, question, language))
        return self._answer(question, "先想。<答案>唐朝</答案>")


async def test_the_whole_question_and_every_step_are_asked() -> None:
    sample, asker = chain(), Asked("agent")
    response = await respond(asker, sample, 0)
    assert [question for _, question, _ in asker.asked] == [
        sample.question,
        *(step.question for step in sample.steps),
    ]
    assert asker.evidence == [("茶经", "陆羽", "唐朝"), ("茶经",), ("陆羽",), ("唐朝",)]
    assert response.text == "唐朝"
    assert set(response.parts) == {"1", "2", "3"}


async def test_eight_prompts_differ_in_manner_language_and_examples() -> None:
    from agent.prompted.templates import Prompts
    from evals.judges.verdict import PACKAGED

    assert len(PROMPTINGS) == 8
    texts = set()
    for prompting in PROMPTINGS:
        asker = Asked(prompting)
        response = await respond(asker, chain(), 0)
        name, _, language = asker.asked[0]
        assert language in ("zh", "en")
        assert language in prompting
        assert response.text == "唐朝"
        prompts = Prompts(language=language, packaged=PACKAGED)
        (message,) = prompts.messages(name, question="Q?", sources="S")
        assert "Q?" in message.content
        assert "S" in message.content
        texts.add(message.content)
    assert len(texts) == 8


class Says:
    """A judge that gives one verdict to whole questions and another to sub-questions."""

    def __init__(self, name: str, whole: str | None, steps: str | None = "正确") -> None:
        self.name = name
        self._whole, self._steps = whole, steps
        self.asked = 0

    async def choose(
        self, prompt: str, choices: Sequence[str], fields: Mapping[str, str]
    ) -> Verdict:
        assert prompt == "ccmor_judge"
        assert tuple(choices) == ("正确", "错误")
        self.asked += 1
        choice = self._whole if "世界上" in fields["question"] else self._steps
        return Verdict(choice=choice, reasoning=self.name, unscored=None if choice else "？")

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        raise AssertionError


RESPONSE = Response(text="唐高祖李渊", parts={"1": "陆羽", "2": "大唐", "3": ""})


async def test_rouge_by_hand_and_without_a_judge() -> None:
    found = await score(chain(), RESPONSE, Judges())
    # Best of the two accepted answers: 唐高祖 stands in the answer whole.
    assert found.values["rougeL"] == 1.0
    # 陆羽 whole; of 唐朝 one character of two; nothing of the third.
    assert found.values["sqa_rougeL"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert found.unscored == {"judge": "no judge was named"}


async def test_the_majority_of_three_counts() -> None:
    panel = (Says("a", "正确"), Says("b", "错误"), Says("c", "正确"))
    found = await score(chain(), RESPONSE, Judges(judge=panel[0], panel=panel))
    assert found.values["judge"] == 1.0
    # The third sub-question has no answer: wrong without being judged.
    assert found.values["sqa_judge"] == pytest.approx(2 / 3)
    assert [judge.asked for judge in panel] == [3, 3, 3]
    assert found.detail["labels"] == {
        "a": {"": "正确", "1": "正确", "2": "正确", "3": "错误"},
        "b": {"": "错误", "1": "正确", "2": "正确", "3": "错误"},
        "c": {"": "正确", "1": "正确", "2": "正确", "3": "错误"},
    }


async def test_an_even_split_is_unscored() -> None:
    panel = (Says("a", "正确"), Says("b", "错误"))
    found = await score(chain(), RESPONSE, Judges(judge=panel[0], panel=panel))
    assert found.unscored["judge"] == "the judges are evenly split"
    silent = (Says("a", "正确"), Says("b", "错误"), Says("c", None))
    found = await score(chain(), RESPONSE, Judges(judge=silent[0], panel=silent))
    assert "judge" in found.unscored
    alone = Says("a", "错误")
    found = await score(chain(), RESPONSE, Judges(judge=alone))
    assert found.values["judge"] == 0.0


def named(drawn: Sequence[Table], name: str) -> Table:
    return next(table for table in drawn if table.name == name)


async def test_table_4_and_table_6_by_hand() -> None:
    samples = [
        sample for sample in load(SAMPLES, "test", "chains") if sample.id in ("zh-1", "zh-5")
    ]
    panel = (Says("a", "正确"), Says("b", "错误", "正确"), Says("c", "正确"))
    judges = Judges(judge=panel[0], panel=panel)
    scores = [
        await score(samples[0], Response(text="巴颜喀拉"), judges),
        await score(samples[1], RESPONSE, judges),
    ]
    drawn = tables(samples, [], scores)
    both = named(drawn, "SQA against OA")
    assert both.columns == (
        "hops", "questions", "SQA ROUGE-L", "SQA exact", "SQA judge", "OA ROUGE-L", "OA exact",
        "OA judge",
    )  # fmt: skip
    third = pytest.approx(1 / 3)
    assert both.rows[0] == ("1 hop", 1, None, None, None, 0.8, 0.0, 1.0)
    assert both.rows[1] == ("3 hops", 1, 0.5, third, pytest.approx(2 / 3), 1.0, 0.0, 1.0)
    assert both.rows[2] == ("average OA", 2, None, None, None, 0.9, 0.0, 1.0)
    assert both.rows[3] == ("all", 2, 0.5, third, pytest.approx(2 / 3), 0.9, 0.0, 1.0)
    assert [row[0] for row in named(drawn, "By domain").rows] == ["中国文化", "自然科学", "all"]
    kappas = {row[:2]: row[2:] for row in named(drawn, "Agreement of judges").rows}
    # a: right 4, wrong 1; b differs on one: p_o = 4/5, p_e = 4/5·3/5 + 1/5·2/5 = 14/25.
    assert kappas["a", "b"] == (pytest.approx((20 / 25 - 14 / 25) / (11 / 25)), 0.8, 5)
    assert kappas["a", "c"] == (1.0, 1.0, 5)


def test_a_slash_separates_answers_only_where_the_data_says_so(tmp_path: Path) -> None:
    item = {"id": "a", "domain": "社会", "question": "？", "answer": "李渊 / 唐高祖/"}
    chain = [{"question": "？", "answer": "bit/s/Hz"}]
    path = tmp_path / "ccmor.json"
    for more, whole, step in (
        ({}, "李渊 / 唐高祖/", "bit/s/Hz"),
        ({"separator": "/"}, ["李渊", "唐高祖"], ["bit", "s", "Hz"]),
    ):
        path.write_text(json.dumps([{**item, **more, "chain": chain * 2}]), encoding="utf-8")
        (sample,) = load(path, "test", "chains")
        assert sample.reference == whole
        assert sample.steps[0].answer == step


@pytest.mark.parametrize(
    ("answer", "reference"),
    [
        ("1545米", "1,545米"),
        ("约1545米", "1545米"),
        ("大约１,５４５米。", "1545米"),
        ("1545米左右", "1545米"),
        ("羅貫中《三國演義》", "罗贯中三国演义"),
        ("臺灣", "台湾"),
        ("乾隆", "乾隆"),
        ("12,345,678人", "12345678人"),
    ],
)
def test_numbers_and_scripts_are_compared_in_one_form(answer: str, reference: str) -> None:
    assert exact(answer, reference) == exact(reference, answer) == 1.0
    assert recall(answer, reference) == 1.0


@pytest.mark.parametrize(
    ("answer", "reference"),
    [("1545米", "1546米"), ("15,45米", "1545米"), ("左右", "上下"), ("6/4拍", "6拍"), ("", "台湾")],
)
def test_what_differs_stays_different(answer: str, reference: str) -> None:
    assert exact(answer, reference) == 0.0


@given(st.integers(1000, 10**9), st.sampled_from(["米", "人", "年", " km", ""]))
def test_separators_of_thousands_change_no_score(number: int, unit: str) -> None:
    assert exact(f"约{number:,}{unit}", f"{number}{unit}") == 1.0


def test_recall_takes_the_best_of_several_answers() -> None:
    assert accepted(["李渊", "唐高祖"]) == ["李渊", "唐高祖"]
    assert accepted("6/4拍") == ["6/4拍"]
    assert recall("", "1898年") == 0.0
    assert recall("创立于1898年7月", "1898年") == 1.0
    assert recall("1898", "1898年") == 0.5


class GivenTokens:
    """A tokenizer of rouge-score that hands over what it is given, cut before."""

    def tokenize(self, text: str) -> list[str]:
        return text.split("\x00") if text else []


chinese = st.text(alphabet="中国唐朝的北京1898年Peking大学，。 ", max_size=40)


@given(chinese.filter(mixed_tokens), chinese)
def test_rouge_l_recall_equals_rouge_score_given_the_same_tokens(
    reference: str, answer: str
) -> None:
    from rouge_score.rouge_scorer import RougeScorer

    wanted, found = mixed_tokens(reference), mixed_tokens(answer)
    theirs = RougeScorer(["rougeL"], tokenizer=GivenTokens()).score(
        "\x00".join(wanted), "\x00".join(found)
    )
    assert rouge_l_recall(wanted, found) == pytest.approx(theirs["rougeL"].recall)


def test_the_average_counts_hop_counts_alike_and_domains_are_counted(tmp_path: Path) -> None:
    chain = [{"question": "？", "answer": "甲", "domain": d} for d in ("社会", "自然科学", "社会")]
    single = {"question": "？", "answer": "甲", "primary_category": "社会"}
    items = [{**single, "id": n} for n in range(3)]
    items.append({"id": 3, "domain": "社会", "question": "？", "answer": "甲", "chain": chain})
    path = tmp_path / "ccmor.json"
    path.write_text(json.dumps(items), encoding="utf-8")
    samples = load(path, "test", "chains")
    scores = [Score(sample_id=s.id, values={"em": float(bool(s.steps))}) for s in samples]
    drawn = tables(samples, [], scores)
    rows = {row[0]: row[-1] for row in named(drawn, "SQA against OA").rows}
    assert (rows["average OA"], rows["all"]) == (0.5, 0.25)
    assert named(drawn, "Domains a question").rows == (("1 hop", 1.0, 1, 3), ("3 hops", 2.0, 2, 1))


def test_chinese_throughout() -> None:
    from evals.judges.verdict import PACKAGED

    assert CCMOR.language == "zh"
    assert "判定" in (PACKAGED / "ccmor_judge.md").read_text(encoding="utf-8")
