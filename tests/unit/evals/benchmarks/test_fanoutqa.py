from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from corpus.errors import InputError
from evals.benchmarks.fanoutqa import FANOUTQA, GRADES, load, score
from evals.datafiles import find_data, read_json_list
from evals.ports import Judges, Verdict
from evals.types import Response, Sample

PUBLISHED = Path(__file__).parents[4] / "../shared/data/fanoutqa"

PAGE = {"pageid": 1, "revid": 2, "title": "Danube", "url": "https://example.org/Danube"}
ITEM: dict[str, Any] = {
    "id": "q1",
    "question": "How many people live in each capital on the Danube?",
    "decomposition": [
        {
            "id": "a",
            "question": "Which capitals stand on the Danube?",
            "decomposition": [
                {
                    "id": "a1",
                    "question": "Which countries does it cross?",
                    "decomposition": [],
                    "answer": ["Austria"],
                    "depends_on": [],
                    "evidence": PAGE,
                }
            ],
            "answer": ["Vienna"],
            "depends_on": [],
            "evidence": None,
        },
    ],
    "answer": {"Vienna": 2000000},
    "categories": ["Geography"],
}


class OneGrade:
    """A judge that always says the same."""

    name = "one grade"

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.fields: Mapping[str, str] = {}

    async def choose(
        self, prompt: str, choices: Sequence[str], fields: Mapping[str, str]
    ) -> Verdict:
        assert (prompt, tuple(choices)) == ("fanoutqa", GRADES)
        self.fields = fields
        return self.verdict

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        raise AssertionError("FanOutQA prefers nothing")


def write(path: Path, items: object) -> Path:
    path.write_text(json.dumps(items), encoding="utf-8")
    return path


def test_decompositions_are_flattened_depth_first(tmp_path: Path) -> None:
    (sample,) = load(write(tmp_path / "dev.json", [ITEM]), "dev", "jul26")
    assert [step.id for step in sample.steps] == ["a", "a1"]
    assert sample.steps[0].depends_on == ("a1",)
    assert sample.evidence == ("Danube",)
    assert sample.groups == {"category": "Geography"}


def test_faults_name_file_item_and_field(tmp_path: Path) -> None:
    broken = {**ITEM, "categories": "Geography"}
    path = write(tmp_path / "dev.json", [ITEM, broken])
    with pytest.raises(InputError, match=r"dev.json, item 2 \(id q1\): field 'categories' must be"):
        load(path, "dev", "jul26")
    with pytest.raises(InputError, match="'necessary_evidence' is missing"):
        load(path, "test", "jul26")
    del broken["answer"]
    broken["categories"] = []
    with pytest.raises(InputError, match="'answer' is missing"):
        load(write(path, [broken]), "dev", "jul26")


def test_files_that_are_no_data(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"looked for fanout-final-dev\.json"):
        find_data(tmp_path, ("fanout-final-dev.json",))
    path = tmp_path / "x.json"
    path.write_text('{"a": 1}\n{broken\n')
    with pytest.raises(InputError, match=r"x\.json, line 2: not JSON"):
        read_json_list(path)
    path.write_text("[1]")
    with pytest.raises(InputError, match="line 1: an object is needed, not int"):
        read_json_list(path)
    path.write_text("[")
    with pytest.raises(InputError, match="line 1: not JSON"):
        read_json_list(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_json_list(path)


@pytest.mark.skipif(not PUBLISHED.exists(), reason="needs the published FanOutQA data")
@pytest.mark.parametrize(
    ("split", "edition", "n"),
    [("dev", "jul26", 310), ("dev", "nov23", 310), ("test", "jul26", 724), ("test", "nov23", 725)],
)
def test_published_editions_load(split: str, edition: str, n: int) -> None:
    samples = load(PUBLISHED, split, edition)
    assert len({sample.id for sample in samples}) == len(samples) == n
    assert all(sample.evidence for sample in samples)
    assert all((sample.reference is None) == (split == "test") for sample in samples)
    for sample in samples:
        known = {step.id for step in sample.steps}
        assert all(before in known for step in sample.steps for before in step.depends_on)


SAMPLE = Sample(id="q1", question="?", reference={"Vienna": 2000000, "Graz": True})


async def test_without_a_judge_the_grade_is_unscored() -> None:
    scored = await score(SAMPLE, Response(text="Vienna: 2,000,000"), Judges())
    assert scored.values["loose"] == 0.5
    assert scored.values["strict"] == 0.0
    assert scored.unscored["judge"] == "no judge was named"
    assert "bleurt" in scored.unscored
    assert scored.detail["missing"] == ["graz", "yes"]


@pytest.mark.parametrize(("grade", "value"), list(zip(GRADES, (0, 1, 1, 0, 1, 0), strict=True)))
async def test_grades(grade: str, value: float) -> None:
    judge = OneGrade(Verdict(choice=grade, reasoning="because"))
    scored = await score(SAMPLE, Response(text="x" * 9000), Judges(judge=judge))
    assert scored.values["judge"] == value
    assert len(judge.fields["answer"]) == 4000
    assert judge.fields["reference"] == "Vienna - 2000000\nGraz - yes"


async def test_an_unreadable_grade_is_unscored() -> None:
    judge = OneGrade(Verdict(choice=None, unscored="no verdict in the reply"))
    scored = await score(SAMPLE, Response(text=""), Judges(judge=judge))
    assert "judge" not in scored.values
    assert scored.unscored["judge"] == "no verdict in the reply"


async def test_secret_answers_are_unscored() -> None:
    scored = await score(Sample(id="t", question="?"), Response(text="x"), Judges())
    assert scored.values == {}
    assert "submit" in scored.unscored["loose"]


def test_tables_by_category(tmp_path: Path) -> None:
    from evals.types import Score

    samples = load(write(tmp_path / "dev.json", [ITEM]), "dev", "jul26")
    scores = [Score(sample_id="q1", values={"loose": 0.25})]
    categories, evidence = FANOUTQA.tables(samples, [], scores)
    assert categories.columns == ("category", "questions", "loose")
    assert categories.rows == (("Geography", 1.0, 0.25),)
    assert evidence.rows[0] == ("necessary articles", float(len(samples[0].evidence)))
