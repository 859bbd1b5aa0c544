"""The embedded sample and its questions: well-formed, consistent, and true to one another."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mwparserfromhell
import pytest
from lxml import etree

from corpus import Snapshot
from corpus.sample import sample_dump, sample_snapshot
from evals.metrics.fanoutqa import normalise, string_accuracy

SPACE = "{http://www.mediawiki.org/xml/export-0.11/}"
QUESTIONS = Path(__file__).parents[2] / "evals" / "sample"
TYPES = (
    "Factual_Statement",
    "Cause_and_Effect",
    "Hypothetical_Analysis",
    "Comparison_and_Selection",
    "Evaluation_and_Suggestion",
)


def read(name: str) -> list[dict[str, Any]]:
    text = (QUESTIONS / name).read_text(encoding="utf-8")
    items: list[dict[str, Any]] = (
        json.loads(text)
        if name.endswith(".json")
        else [json.loads(line) for line in text.splitlines()]
    )
    return items


def pages(language: str) -> list[etree._Element]:
    files = sorted(sample_dump(language).glob("*.xml"))
    return [page for file in files for page in etree.parse(file).getroot().iter(f"{SPACE}page")]


def wikitext(page: etree._Element) -> str:
    return str(page.findtext(f"{SPACE}revision/{SPACE}text"))


@pytest.fixture(scope="module", params=["en", "zh"])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def snapshots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Snapshot]:
    cache = tmp_path_factory.mktemp("cache")
    return {code: Snapshot.open(sample_snapshot(code, cache=cache)) for code in ("en", "zh")}


def test_articles_are_many_and_ids_are_unique(language: str) -> None:
    everything = pages(language)
    ids = Counter(page.findtext(f"{SPACE}id") for page in everything)
    revisions = Counter(page.findtext(f"{SPACE}revision/{SPACE}id") for page in everything)
    titles = Counter(page.findtext(f"{SPACE}title") for page in everything)
    for counted in (ids, revisions, titles):
        assert [value for value, n in counted.items() if n > 1] == []
    articles = [page for page in everything if page.find(f"{SPACE}redirect") is None]
    assert len(articles) >= {"en": 120, "zh": 20}[language]
    assert {page.findtext(f"{SPACE}ns") for page in everything} == {"0"}


def test_exports_say_where_they_come_from(language: str) -> None:
    for file in sample_dump(language).glob("*.xml"):
        root = etree.parse(file).getroot()
        assert root.findtext(f"{SPACE}siteinfo/{SPACE}sitename") == "fanfold sample"
        assert root.findtext(f"{SPACE}siteinfo/{SPACE}base").endswith(
            "fanfold.example/wiki/Main_Page"
        )
        assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == language


def test_wikitext_is_balanced(language: str) -> None:
    for page in pages(language):
        source = wikitext(page)
        title = page.findtext(f"{SPACE}title")
        for opening, closing in (("{{", "}}"), ("[[", "]]"), ("\n{|", "\n|}"), ("<ref", "</ref>")):
            assert source.count(opening) == source.count(closing), (title, opening)
        assert str(mwparserfromhell.parse(source)) == source


def test_links_between_sample_articles_resolve(language: str) -> None:
    everything = pages(language)
    titles = {page.findtext(f"{SPACE}title") for page in everything}
    redirects = [page.find(f"{SPACE}redirect") for page in everything]
    assert {redirect.get("title") for redirect in redirects if redirect is not None} <= titles
    links = [
        target[:1].upper() + target[1:]
        for page in everything
        for link in mwparserfromhell.parse(wikitext(page)).filter_wikilinks()
        if not (target := str(link.title).partition("#")[0]).startswith(("Category:", "分类:"))
    ]
    assert sum(link in titles for link in links) / len(links) >= 0.8


def test_pages_newer_than_the_date_are_left_out_and_counted(snapshots: dict[str, Snapshot]) -> None:
    newer = [
        page.findtext(f"{SPACE}title")
        for page in pages("en")
        if page.findtext(f"{SPACE}revision/{SPACE}timestamp") > "2026-11-01T23:59:59Z"
    ]
    assert len(newer) == 2
    snapshot = snapshots["en"]
    assert dict(snapshot.manifest.skipped) == {"newer than the date": 2}
    assert [snapshot.find(title) for title in newer] == [None, None]


def steps_of(decomposition: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for step in decomposition:
        yield step
        yield from steps_of(step["decomposition"])


def strings_of(reference: Any) -> Iterator[Any]:
    if isinstance(reference, dict):
        yield from reference
        yield from (part for value in reference.values() for part in strings_of(value))
    elif isinstance(reference, list):
        yield from (part for value in reference for part in strings_of(value))
    else:
        yield reference


def evidence_is_exact(evidence: dict[str, Any], snapshot: Snapshot) -> None:
    revision = snapshot.article(evidence["title"]).revision
    assert (revision.page_id, revision.rev_id, revision.title) == (
        evidence["pageid"],
        evidence["revid"],
        evidence["title"],
    )


def test_fanoutqa_dev_is_large_and_varied() -> None:
    questions = read("fanoutqa-dev.json")
    assert len(questions) >= 30
    kinds = Counter(type(question["answer"]).__name__ for question in questions)
    assert set(kinds) == {"dict", "list", "str", "int", "float", "bool"}
    ids = [q["id"] for q in questions] + [
        step["id"] for q in questions for step in steps_of(q["decomposition"])
    ]
    assert len(set(ids)) == len(ids)


def test_fanoutqa_answers_stand_in_their_evidence(snapshots: dict[str, Snapshot]) -> None:
    """A step without evidence is computed from the steps it depends on or is made of."""
    for question in read("fanoutqa-dev.json"):
        steps = list(steps_of(question["decomposition"]))
        known = {step["id"] for step in steps}
        for step in steps:
            assert set(step["depends_on"]) <= known
            if step["evidence"] is None:
                assert step["depends_on"] or step["decomposition"], step["question"]
                continue
            evidence_is_exact(step["evidence"], snapshots["en"])
            article = snapshots["en"].article(step["evidence"]["title"])
            missing = string_accuracy(step["answer"], article.text).missing
            assert not missing, (question["question"], step["question"], missing)


def test_fanoutqa_final_answers_follow_from_the_steps() -> None:
    for question in read("fanoutqa-dev.json"):
        said = normalise(
            " | ".join(
                f"{step['question']} | {' | '.join(map(str, strings_of(step['answer'])))}"
                for step in steps_of(question["decomposition"])
            )
        )
        for part in strings_of(question["answer"]):
            assert normalise(part) in said, (question["question"], part)


def test_fanoutqa_test_names_necessary_evidence(snapshots: dict[str, Snapshot]) -> None:
    questions = read("fanoutqa-test.json")
    assert len(questions) >= 10
    for question in questions:
        assert "answer" not in question
        assert len(question["necessary_evidence"]) >= 2
        for evidence in question["necessary_evidence"]:
            evidence_is_exact(evidence, snapshots["en"])


def test_sub_questions_have_all_three_kinds() -> None:
    questions = read("subquestion.jsonl")
    assert len(questions) >= 10
    for question in questions:
        kinds = {step["kind"] for step in question["sub_questions"]}
        assert kinds == {"core", "background", "follow_up"}
    assert {label for row in read("type-annotations.jsonl") for label in row["labels"]} == {
        "core",
        "background",
        "follow-up",
    }
    for row in read("answerability-annotations.jsonl"):
        assert (row["judgment"] == "answered") == bool(row["spans"])
        assert all(span in row["answer"] for span in row["spans"])


def test_preferences_are_split_between_both_sides() -> None:
    better = Counter(row["better"] for row in read("preferences.jsonl"))
    assert set(better) == {"Answer A", "Answer B"}
    assert better.total() >= 6


def test_compound_questions_cover_types_and_dimensions() -> None:
    files = {path.stem for path in (QUESTIONS / "compound-qa").glob("*.jsonl")}
    dimensions = ("Understanding", "Reasoning", "Knowledge")
    assert files == {f"{dimension}_{kind}" for dimension in dimensions for kind in TYPES}
    for name in files:
        for item in read(f"compound-qa/{name}.jsonl"):
            assert set(item) == {"ID", "context", "com_question", "com_reference"}
            assert item["com_question"].endswith("?")
            assert all(item.values())


def test_counterfactual_items_come_in_pairs_and_hold_their_answers() -> None:
    items = read("cofca.json")
    assert Counter(item["source"] for item in items) == {"factual": 4, "counterfactual": 4}
    assert {item["hops"] for item in items} == {2, 3, 4}
    assert {item["type"] for item in items} == {"bridge", "comparison"}
    for item in items:
        assert len(item["sub_questions"]) == len(item["sub_answers"]) == item["hops"]
        assert len(item["passage"].split("\n\n")) >= 2
        for answer in (item["answer"], *item["sub_answers"]):
            assert answer in item["passage"], (item["id"], answer)


def test_multi_hop_items_point_into_their_paragraphs() -> None:
    for item in read("musique.json"):
        for step in item["question_decomposition"]:
            paragraph = item["paragraphs"][step["paragraph_support_idx"]]
            assert paragraph["is_supporting"]
            assert step["answer"] in paragraph["paragraph_text"]
    for name in ("hotpotqa.jsonl", "2wiki.json"):
        for item in read(name):
            context = dict(item["context"])
            for title, where in item["supporting_facts"]:
                for index in where if isinstance(where, list) else [where]:
                    assert context[title][index].strip()
    for item in read("morehopqa.json"):
        context = {title: "".join(sentences) for title, sentences in item["context"]}
        for step in item["question_decomposition"]:
            assert step["answer"] in context[step["paragraph_support_title"]]


def forms_of(answer: str | list[str]) -> list[str]:
    return [answer] if isinstance(answer, str) else answer


def test_chinese_chains_stand_in_the_chinese_sample(snapshots: dict[str, Snapshot]) -> None:
    chains = read("ccmor.jsonl")
    assert len(chains) >= 8
    assert {chain["hops"] for chain in chains} >= {1, 3}
    assert len({chain["domain"] for chain in chains}) == 6
    for chain in chains:
        assert len(chain["chain"]) == chain["hops"]
        assert chain["answer"] == chain["chain"][-1]["answer"]
        for step in chain["chain"]:
            evidence_is_exact(step["evidence"], snapshots["zh"])
            article = snapshots["zh"].article(step["evidence"]["title"])
            assert any(form in article.text for form in forms_of(step["answer"]))
        for step in chain["chain"][:-1]:
            given = [form for form in forms_of(step["answer"]) if form in chain["question"]]
            assert not given, "the chain gives an answer away"
