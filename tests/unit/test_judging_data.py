"""The judging data of bench/: well-formed, answerable where it must be, and sound when generated."""

from __future__ import annotations

import importlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from corpus import Snapshot
from corpus.sample import sample_snapshot

BENCH = Path(__file__).parents[2] / "bench"
SAMPLE = Path(__file__).parents[2] / "evals" / "sample" / "fanoutqa-dev.json"
DERIVED = {"count", "sum", "comparison"}


def records(name: str) -> list[dict[str, Any]]:
    lines = (BENCH / "data" / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def leaves(answer: Any) -> Iterator[str | int | float]:
    if isinstance(answer, dict):
        yield from answer
        for value in answer.values():
            yield from leaves(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from leaves(value)
    elif not isinstance(answer, bool):
        yield answer


@pytest.fixture(scope="module")
def sample() -> Iterator[Snapshot]:
    with Snapshot.open(sample_snapshot("en")) as snapshot:
        yield snapshot


def test_every_question_of_the_sample_has_three_wordings_in_three_voices() -> None:
    wordings = records("sample_paraphrases.jsonl")
    originals = {q["id"]: q["question"] for q in json.loads(SAMPLE.read_text(encoding="utf-8"))}
    assert Counter(w["id"] for w in wordings) == dict.fromkeys(originals, 3)
    assert len({(w["id"], w["voice"]) for w in wordings}) == len(wordings)
    assert not {w["question"] for w in wordings} & set(originals.values())


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("sample_unanswerable.jsonl", 100),
        ("sample_asked_by_others.jsonl", 60),
        ("open_questions.jsonl", 20),
        ("open_questions_more.jsonl", 48),
        ("open_questions_development.jsonl", 72),
    ],
)
def test_ids_and_questions_are_unique(name: str, count: int) -> None:
    found = records(name)
    assert len({r["id"] for r in found}) == len({r["question"] for r in found}) == count


def test_the_answers_of_others_stand_in_their_articles(sample: Snapshot) -> None:
    for record in records("sample_asked_by_others.jsonl"):
        articles = [sample.article(title) for title in record["articles"]]
        assert [a.revision.title for a in articles] == record["articles"]
        text = "\n".join(a.text for a in articles).replace(",", "").casefold()
        values = [str(value).replace(",", "").casefold() for value in leaves(record["answer"])]
        missing = [value for value in values if value not in text]
        assert not missing or (record["kind"] in DERIVED and missing[0].isdigit()), record


@pytest.mark.parametrize(
    "name", ["open_questions", "open_questions_more", "open_questions_development"]
)
def test_open_questions_name_articles_and_three_to_six_key_points(
    sample: Snapshot, name: str
) -> None:
    for record in records(f"{name}.jsonl"):
        if record.get("kind") == "none":
            continue
        assert 3 <= len(record["key_points"]) <= 6
        assert [sample.article(t).revision.title for t in record["articles"]] == record["articles"]


def test_claims_about_the_sample_are_made_as_their_class_says(
    sample: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    pages = list(importlib.import_module("support_sentences").read_pages(sample, "sample"))
    true = importlib.import_module("support_claims").TRUE
    corrupted = importlib.import_module("support_corruptions").CORRUPTED
    for held in (False, True):
        made = {
            kind: [one for page in pages for one in maker(page, pages, Random(1), held)]
            for kind, maker in (true | corrupted).items()
        }
        assert all(
            made[kind] for kind in ("clause", "infobox", "pronoun", "negated", "few letters")
        )
        for kind, found in made.items():
            for claim, quote, chunk in found:
                assert quote in chunk.text, kind
                assert claim != quote, kind
        for claim, quote, _ in made["number changed"]:
            # One number differs, and nothing else.
            assert re.sub(r"[\d,.]+", "#", claim) == re.sub(r"[\d,.]+", "#", quote)
            assert Counter(re.findall(r"\d+", claim)) != Counter(re.findall(r"\d+", quote))
        for claim, quote, _ in made["clause"]:
            assert Counter(re.findall(r"\w+", claim)) < Counter(re.findall(r"\w+", quote))
        for claim, quote, _ in made["negated"]:
            assert (" not " in claim) != (" not " in quote)
