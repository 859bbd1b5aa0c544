"""CQ-Syn: keyword rules, questions by rules, review sheets and their agreement."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import InputError
from evals.benchmarks.compound import load
from evals.builders.cq_syn.builder import Options, make_compound, types_of
from evals.builders.cq_syn.keywords import RULES, TYPES, missing_dimension
from evals.builders.folder import SynthesisFolder
from evals.builders.review import apply_review
from evals.builders.review_sheet import decide, read_csv_sheet, read_label_studio
from evals.metrics.statistics import fleiss_kappa
from tests.unit.evals.made_sets import english, read

PUBLIC = Path(__file__).parents[4] / "../shared/data/compound-qa"


# Keywords


@pytest.mark.parametrize(
    ("question", "type_", "missing"),
    [
        ("WHAT is it, and where?", "Factual_Statement", None),
        ("Name it, somehow, whatever.", "Factual_Statement", 1),
        ("Why did it fail? What followed?", "Cause_and_Effect", None),
        ("How does it  work and how does it affect us?", "Cause_and_Effect", None),
        ("What followed?", "Cause_and_Effect", 1),
        ("Why?", "Cause_and_Effect", 2),
        ("How does it work?", "Cause_and_Effect", 2),
        ("If it rained, what would you do?", "Hypothetical_Analysis", None),
        ("What if it rained?", "Hypothetical_Analysis", None),
        ("What would you do, Iffy?", "Hypothetical_Analysis", 1),
        ("Suppose it rained.", "Hypothetical_Analysis", 2),
        ("Which is better?", "Comparison_and_Selection", None),
        ("Compare them.", "Comparison_and_Selection", 2),
        ("Which differs?", "Comparison_and_Selection", 1),
        ("How good is it?", "Evaluation_and_Suggestion", None),
    ],
)
def test_a_question_needs_a_word_of_each_dimension(
    question: str, type_: str, missing: int | None
) -> None:
    assert missing_dimension(question, type_) == missing


@given(st.text(max_size=60), st.sampled_from(TYPES))
def test_case_and_what_comes_after_change_nothing(text: str, type_: str) -> None:
    before = missing_dimension(text, type_)
    assert missing_dimension(f"{text} ?!", type_) == before
    if text.isascii():
        assert missing_dimension(text.upper(), type_) == before
    if before is None:
        assert missing_dimension(f"{text} and so on", type_) is None


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="../shared/data is not there")
def test_no_rule_rejects_more_than_one_in_twenty_published_items_of_its_type() -> None:
    counted = 0
    for path in sorted(PUBLIC.glob("*.jsonl")):
        type_ = path.stem.partition("_")[2].replace("-", "_")
        questions = [item["com_question"] for item in read(path)]
        failed = [q for q in questions if missing_dimension(q, type_) is not None]
        assert len(failed) * 20 <= len(questions), (path.name, failed[:3])
        counted += len(questions)
    assert counted == 1100
    assert set(RULES) == set(TYPES)


# By rules


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "cq"
    with SynthesisFolder.begin(out, {"builder": "cq-syn"}) as folder:
        make_compound(english(), folder, Options(items=15))
    return out


def test_questions_of_both_types_are_made_with_references(made: Path) -> None:
    for type_, marks in (("Factual_Statement", 1), ("Comparison_and_Selection", 1)):
        items = read(made / f"compound-qa/Understanding_{type_}.jsonl")
        assert len(items) == 15
        assert len({item["com_question"] for item in items}) == 15
        for item in items:
            question, reference = item["com_question"], item["com_reference"]
            assert question.count("?") == marks
            assert question[0].isupper()
            assert missing_dimension(question, type_) is None
            assert "{" not in question + reference
            assert reference.count(". ") >= 2
            # Every name and number of the reference stands in the context.
            for word in re.findall(r"\b(?:\d[\d,.]*\d|[A-Z][a-zé]{3,})\b", reference):
                if word not in ("Their", "When", "Which"):
                    assert word in item["context"], (word, question)


def test_a_fact_is_asked_once_and_its_subject_named_once(made: Path) -> None:
    for item in read(made / "items.jsonl"):
        if item["type"] == "Factual_Statement":
            name = item["articles"][0].partition(" (")[0]
            assert item["question"].count(name) == 1
            assert item["question"].count(", ") >= 2
        assert item["provenance"]["chunks"]


def test_types_that_need_a_model_say_so() -> None:
    assert types_of("", "understanding", with_model=False) == (
        "Factual_Statement",
        "Comparison_and_Selection",
    )
    assert types_of("", "reasoning", with_model=True) == TYPES
    assert types_of("cause-and-effect", "knowledge", with_model=True) == ("Cause_and_Effect",)
    for text, dimension, fault in (
        ("Cause_and_Effect", "understanding", "Cause_and_Effect needs a model"),
        ("", "reasoning", "the dimension reasoning needs a model"),
        ("riddles", "understanding", "unknown type 'riddles'"),
        ("", "depth", "unknown dimension 'depth'"),
    ):
        with pytest.raises(InputError, match=fault):
            types_of(text, dimension, with_model=False)


def test_a_source_without_a_model_is_refused(tmp_path: Path) -> None:
    with (
        SynthesisFolder.begin(tmp_path / "out", {}) as folder,
        pytest.raises(InputError, match="add --model"),
    ):
        make_compound(english(), folder, Options(), source=tmp_path / "x.jsonl")


# Review


def fleiss_by_hand(rows: Sequence[Sequence[int]]) -> float:
    """Fleiss (1971), written out."""
    n, raters = len(rows), len(rows[0])
    agree = [
        (sum(row.count(c) ** 2 for c in (0, 1, 2)) - raters) / (raters * (raters - 1))
        for row in map(list, rows)
    ]
    shares = [sum(list(row).count(c) for row in rows) / (n * raters) for c in (0, 1, 2)]
    chance = sum(share**2 for share in shares)
    return (sum(agree) / n - chance) / (1 - chance)


@given(st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1, max_size=30))
def test_kappa_is_fleiss(rows: list[list[int]]) -> None:
    found = fleiss_kappa(rows)
    if len({rating for row in rows for rating in row}) < 2:
        assert found is None
    else:
        assert found == pytest.approx(fleiss_by_hand(rows))


def test_all_must_rate_two_or_most_of_them() -> None:
    ratings = {"a": (2, 2, 2), "b": (2, 2, 1), "c": (2, 1, 0)}
    assert decide(ratings, unanimous=True).kept == ("a",)
    assert decide(ratings, unanimous=False).kept == ("a", "b")
    assert decide(ratings, unanimous=True).rejected == {"b": "rated 2/2/1", "c": "rated 2/1/0"}
    with pytest.raises(InputError, match="d: 2 ratings where 3 are asked for"):
        decide({**ratings, "d": (2, 2)}, unanimous=True)
    assert decide({}, unanimous=True).kappa is None


def test_a_third_is_needed_only_where_two_disagree() -> None:
    found = decide({"a": (2, 2), "b": (0, 0), "c": (2, 1, 2)}, unanimous=False)
    assert found.kept == ("a", "c")
    assert found.rejected == {"b": "rated 0/0"}
    with pytest.raises(InputError, match="c: 2 ratings where 3 are asked for, and the two do not"):
        decide({"c": (2, 1)}, unanimous=False, raters=3)
    with pytest.raises(InputError, match="a: 2 ratings where 3 are asked for"):
        decide({"a": (2, 2)}, unanimous=True, raters=3)


def fill(sheet: Path, rate: Any) -> None:
    """Write what reviewers say into a sheet, as a spreadsheet would."""
    rows = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8-sig"))))
    for number, row in enumerate(rows):
        row |= {f"reviewer_{n}": str(rate(number, n)) for n in (1, 2, 3)}
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_a_filled_sheet_keeps_what_all_three_rate_two(made: Path, tmp_path: Path) -> None:
    sheet = made / "review.csv"
    with pytest.raises(InputError, match="'nothing' is no rating"):
        apply_review(made)
    fill(sheet, lambda number, n: 1 if number == 4 and n == 2 else 0 if number == 7 else 2)
    found = apply_review(made)
    assert len(found.kept) == 28
    before = (made / "items.jsonl").read_bytes()
    samples = load(made / "reviewed", "all", "public")
    assert len(samples) == 28
    assert {sample.id.split("/")[-1] for sample in samples} == set(found.kept)
    assert (made / "items.jsonl").read_bytes() == before
    summary = json.loads((made / "review.json").read_text())
    assert summary["fleiss_kappa"] == pytest.approx(found.kappa)
    assert sorted(summary["rejected"].values()) == ["rated 0/0/0", "rated 2/1/2"]
    tasks = json.loads((made / "review.labelstudio.json").read_text())
    for task in tasks:
        result = {"type": "choices", "value": {"choices": ["2"]}, "from_name": "rating"}
        task["annotations"] = [{"result": [result]} for _ in range(3)]
    export = tmp_path / "export.json"
    new = {"type": "textarea", "value": {"text": ["Another answer."]}}
    tasks[0]["annotations"][1]["result"].append({**new, "from_name": "revised_reference"})
    export.write_text(json.dumps(tasks))
    assert len(apply_review(made, export).kept) == 30
    references = [sample.reference for sample in load(made / "reviewed", "all", "public")]
    assert references.count("Another answer.") == 1
    assert json.loads((made / "review.json").read_text())["revised"] == [tasks[0]["data"]["id"]]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("id,question\na,b\n", "needs the columns id and reviewer_1"),
        ("", "needs the columns"),
        ("id,reviewer_1\na,2\na,2\n", "item 2: 'a' stands there twice"),
        ("id,reviewer_1\na,3\n", "item 1, reviewer_1: '3' is no rating"),
    ],
)
def test_a_sheet_that_is_none_is_named(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=fault):
        read_csv_sheet(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_csv_sheet(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("tasks", "fault"),
    [
        ([{"data": {}}], "holds no id"),
        ([{"data": {"id": "a"}, "annotations": []}], "nobody has rated it"),
        ([{"data": {"id": "a"}, "annotations": [{"result": []}]}], "annotation 1: no rating"),
    ],
)
def test_an_export_that_is_none_is_named(tmp_path: Path, tasks: Any, fault: str) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks))
    with pytest.raises(InputError, match=fault):
        read_label_studio(path)


def test_a_sheet_of_another_set_is_refused(made: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no finished data set"):
        apply_review(tmp_path)
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("id,reviewer_1\nnone,2\n")
    with pytest.raises(InputError, match="'none' is no item of"):
        apply_review(made, sheet)
    first = read(made / "items.jsonl")[0]["id"]
    sheet.write_text(f"id,reviewer_1\n{first},2\n")
    with pytest.raises(InputError, match="nobody rated"):
        apply_review(made, sheet)


def test_a_cell_is_no_formula(tmp_path: Path) -> None:
    from evals.builders.review_sheet import Sheet, write_sheet

    row = {"id": "1", "type": "t", "question": "=1+1", "reference": "@x", "context": "-"}
    with SynthesisFolder.begin(tmp_path / "out", {}) as folder:
        write_sheet(folder, Sheet(criteria='a "b" & c', reviewers=2, columns=(row,)))
    rows = list(csv.DictReader(io.StringIO((tmp_path / "out/review.csv").read_text("utf-8-sig"))))
    assert rows[0]["question"] == "'=1+1"
    assert "reviewer_2" in rows[0]
    assert "a &quot;b&quot; &amp; c" in (tmp_path / "out/review.labelstudio.xml").read_text()
