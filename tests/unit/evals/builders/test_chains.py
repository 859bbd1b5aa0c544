"""Chinese chains of facts, checked by means that share nothing with the builder's own checks."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from corpus.errors import InputError, NothingFoundError
from evals.benchmarks.ccmor import load
from evals.builders.fact_chains.builder import Options, make_chains
from evals.builders.fact_chains.domains import DOMAINS, classify, domain_of, take_turns
from evals.builders.fact_chains.item import ChainItem, Link
from evals.builders.fact_chains.rules import balance, share_out
from evals.builders.fact_chains.seeds import read_seeds
from evals.builders.folder import SynthesisFolder
from tests.unit.evals.made_sets import chinese, english, make_ccmor, read

Item = dict[str, Any]
SEEDS = Path(__file__).parents[4] / "../shared/data/chinese/chinese_simpleqa.jsonl"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_ccmor(tmp_path_factory.mktemp("made") / "ccmor")


@pytest.fixture(scope="module")
def items(made: Path) -> list[Item]:
    return read(made / "ccmor.jsonl")


def answers(step: Item) -> list[str]:
    told = step["answer"]
    return [part.strip("《》") for part in (told if isinstance(told, list) else [told])]


def test_there_are_forty_of_several_lengths_and_all_domains(items: list[Item]) -> None:
    assert len(items) == len({item["question"] for item in items}) == 40
    lengths = Counter(item["hops"] for item in items)
    assert set(lengths) == {3, 4, 5, 6}
    assert lengths[3] >= 10
    assert {item["domain"] for item in items} == set(DOMAINS)
    assert max(Counter(item["domain"] for item in items).values()) <= 15
    for item in items:
        assert len(item["chain"]) == item["hops"]
        assert item["seed"]["question"] == item["chain"][0]["question"]


def test_every_answer_stands_in_the_article_that_is_its_evidence(items: list[Item]) -> None:
    snapshot = chinese()
    for item in items:
        for step in item["chain"]:
            article = snapshot.article(step["evidence"]["title"])
            assert article.revision.page_id == step["evidence"]["pageid"]
            assert article.revision.rev_id == step["evidence"]["revid"]
            known = [article.revision.title, *article.redirects, article.text]
            assert any(one in text for one in answers(step) for text in known), step


def test_no_question_names_an_answer(items: list[Item]) -> None:
    for item in items:
        for step in item["chain"]:
            named = [one for one in answers(step) if len(one) > 1 and one in item["question"]]
            assert not named, item["question"]
        assert item["question"].count("？") == 1
        assert item["answer"] == item["chain"][-1]["answer"]


def test_every_step_asks_on_from_the_answer_before(items: list[Item]) -> None:
    for item in items:
        for before, step in zip(item["chain"], item["chain"][1:], strict=False):
            assert any(one in step["question"] for one in answers(before)), item["id"]
        first = item["chain"][0]
        # What the chain begins at is named, and no answer comes twice.
        assert any(len(part) > 1 and part in item["question"] for part in parts(first["question"]))
        ends = [one for step in item["chain"] for one in set(answers(step))]
        assert len(ends) == len(set(ends)), item["id"]


def parts(question: str) -> list[str]:
    """The pieces of two letters and more of a question."""
    return [question[i : i + 2] for i in range(len(question) - 1)]


def test_no_article_holds_first_thing_and_answer_in_one_sentence(items: list[Item]) -> None:
    for item in items:
        begin = re.findall("《.+?》|“.+?”", item["chain"][0]["question"])
        for step in item["chain"][1:]:
            text = chinese().article(step["evidence"]["title"]).text
            for sentence in re.split("[。\n]", text):
                last = item["chain"][-1]
                if begin and begin[0].strip("“”") in sentence:
                    assert not any(one in sentence for one in answers(last)), item["id"]


def test_the_seed_decides_everything(tmp_path: Path) -> None:
    first = make_ccmor(tmp_path / "a", seed=7)
    again = make_ccmor(tmp_path / "b", seed=7)
    other = make_ccmor(tmp_path / "c", seed=8)
    for name in ("ccmor.jsonl", "items.jsonl", "card.md", "review.csv"):
        assert (first / name).read_bytes() == (again / name).read_bytes()
    assert (first / "ccmor.jsonl").read_bytes() != (other / "ccmor.jsonl").read_bytes()


def test_the_sheet_shows_every_item_and_a_filled_one_is_left_alone(made: Path) -> None:
    rows = list(csv.DictReader(io.StringIO((made / "review.csv").read_text("utf-8-sig"))))
    assert len(rows) == 40
    assert rows[0]["reviewer_3"] == ""
    assert len(json.loads((made / "review.labelstudio.json").read_text())) == 40
    (made / "review.csv").write_text("filled")
    make_ccmor(made)
    assert (made / "review.csv").read_text() == "filled"


def test_a_snapshot_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    with (
        SynthesisFolder.begin(tmp_path / "a", {}) as folder,
        pytest.raises(InputError, match="for Chinese, not 'en'"),
    ):
        make_chains(english(), folder, Options())
    with (
        SynthesisFolder.begin(tmp_path / "b", {}) as folder,
        pytest.raises(NothingFoundError, match="leads on to another"),
    ):
        make_chains(chinese(), folder, Options(hops=(30,)))


# Domains and seeds


@pytest.mark.parametrize(
    ("question", "domain"),
    [
        ("黄河发源于哪座山脉？它是第几长的河流？", "自然科学"),
        ("造纸技术由谁改进？", "工程与技术"),
        ("梅兰芳是哪个剧种的演员？", "生活与艺术"),
        ("唐朝的开国皇帝是谁？", "人文社科"),
        ("四川省的省会是哪座城市？", "社会"),
        ("诗人李白的代表作是什么？", "中国文化"),
    ],
)
def test_domains_are_told_by_words(question: str, domain: str) -> None:
    assert classify(question) == domain


def test_domains_take_turns() -> None:
    things = [("社会", 1), ("社会", 2), ("社会", 3), ("自然科学", 4)]
    turned = take_turns(things, lambda thing: thing[0])
    assert turned == [("社会", 1), ("自然科学", 4), ("社会", 2), ("社会", 3)]
    assert domain_of("中华文化") == "中国文化"
    assert domain_of("社会") == "社会"
    assert domain_of("其他") is None


def test_what_one_length_lacks_another_gives() -> None:
    assert share_out(10, Counter(a=9, b=2)) == {"a": 8, "b": 2}
    assert share_out(10, Counter(a=1, b=2)) == {"a": 1, "b": 2}


def test_seeds_are_read_and_balanced(tmp_path: Path) -> None:
    path = tmp_path / "seeds.jsonl"
    records = [
        {"question": f"问{n}？", "answer": "6/4拍", "primary_category": category}
        for n, category in enumerate(["中华文化", "中华文化", "中华文化", "社会"])
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    seeds = read_seeds(path, 1)
    assert Counter(seed.domain for seed in seeds) == {"中国文化": 3, "社会": 1}
    assert [seed.domain for seed in seeds[:2]] == ["中国文化", "社会"]
    assert seeds[0].chain[0].answers == ("6/4拍",)
    path.write_text(json.dumps({**records[0], "answer": "甲 / 乙", "separator": "/"}))
    assert read_seeds(path, 1)[0].chain[0].answers == ("甲", "乙")


def test_no_seed_and_no_answer_comes_too_often_and_domains_take_turns(items: list[Item]) -> None:
    for hops in (3, 4, 5, 6):
        own = [item for item in items if item["hops"] == hops]
        assert max(Counter(item["seed"]["question"] for item in own).values()) <= 2
        assert max(Counter(answers(item)[0] for item in own).values()) <= 3
    made = [
        ChainItem(
            id=str(n), kind="3 hops", articles=(), domain=domain,
            chain=(Link(question=f"{seed}？", answers=("x",)), Link(question="？", answers=(end,))),
        )
        for n, (domain, seed, end) in enumerate(
            [("社会", "a", "1"), ("社会", "a", "2"), ("社会", "a", "3"), ("社会", "b", "1"),
             ("自然科学", "c", "1"), ("自然科学", "d", "1"), ("自然科学", "e", "4")]
        )
    ]  # fmt: skip
    step = balance(made)
    # Within a domain a second seed comes before the first one's second chain.
    assert [item.id for item in step.kept] == ["0", "4", "3", "1", "6"]
    assert {r.item.id: r.reason for r in step.rejected} == {
        "5": "enough chains have this answer",
        "2": "enough chains grow from this seed",
    }


def test_what_would_stand_inside_a_phrase_is_said_first(items: list[Item]) -> None:
    for item in items:
        # No frame opens within another: "以以…为…的人为…的省".
        assert not re.search("以[^，]*以[^，]*为[^，]*为|因发现从", item["question"]), item[
            "question"
        ]
        assert "，其首都，" not in item["question"]
        assert all(clause.count("的") <= 6 for clause in item["question"].split("，"))


def test_made_chains_are_read_by_the_benchmark_with_their_domains(made: Path) -> None:
    samples = load(made, "test", "chains")
    assert len(samples) == 40
    assert any("、" in sample.groups["domains"] for sample in samples)
    several = [s for s in samples for step in s.steps if isinstance(step.answer, list)]
    assert several


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"question": "问？"}\n', "item 1: field 'answer' must be a text"),
        ('{"question": "问？", "answer": 3}\n', "field 'answer'"),
        ('{"question": "问？", \n', "line 1: not JSON"),
    ],
)
def test_a_malformed_seed_is_named(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "seeds.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(fault)):
        read_seeds(path, 1)
    with pytest.raises(InputError, match="no such file"):
        read_seeds(tmp_path / "none", 1)


@pytest.mark.skipif(not SEEDS.is_file(), reason="../shared/data is not there")
def test_the_public_seeds_fill_all_six_domains() -> None:
    seeds = read_seeds(SEEDS, 1)
    assert len(seeds) == 3000
    assert Counter(seed.domain for seed in seeds[:60]) == dict.fromkeys(DOMAINS, 10)
