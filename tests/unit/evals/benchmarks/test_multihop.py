from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus.errors import InputError
from evals.benchmarks.multihop import _subject, load_multihop
from evals.datafiles import read_located

SAMPLE = Path(__file__).parents[4] / "evals/sample"
REAL = Path(__file__).parents[4] / "../shared/data/multihop"
ITEM: dict[str, Any] = {
    "id": "a",
    "source": "counterfactual",
    "type": "bridge",
    "hops": 2,
    "passage": "Mount Orv stands in Kald.\n\nThe Kald was named by Odo Tam in 1801.",
    "question": "Who named the land of Mount Orv?",
    "answer": "Odo Tam",
    "sub_questions": ["Where does Mount Orv stand?", "Who named Kald?"],
    "sub_answers": ["Kald", "Odo Tam"],
}


def write(path: Path, *items: object, lines: bool = False) -> Path:
    text = "\n".join(map(json.dumps, items)) if lines else json.dumps(items, indent=1)
    path.write_text(text, encoding="utf-8")
    return path


def test_cofca_items_become_samples_with_titled_paragraphs() -> None:
    samples = {sample.id: sample for sample in load_multihop(SAMPLE, "cofca")}
    one = samples["3-counterfactual"]
    assert one.pair == samples["3-factual"].pair == "3"
    assert one.groups == {
        "hops": "3 hops",
        "type": "bridge",
        "source": "counterfactual",
        "data": "cofca",
    }
    assert [passage.title for passage in one.passages] == ["Ondara", "Pell", "Matthijs Corvane"]
    assert [(step.id, step.answer) for step in one.steps] == [
        ("1", "Pell"),
        ("2", "Matthijs Corvane"),
        ("3", "Lorrenburg"),
    ]


@pytest.mark.parametrize(
    ("paragraph", "title"),
    [
        ("Mount Orveth is high.", "Mount Orveth"),
        ("The Duke of Alba rose.", "Duke of Alba"),
        ("The length of the Silent River is 3 km.", "Silent River"),
        ("The composer of The Goblet of Prond was Odo.", "Goblet of Prond"),
        ("The river flowing through Marv is the Best.", "Marv"),
        ("The sample mass of Varv 25 is 13.4 kg.", "Varv 25"),
        ("In 1990 it burnt down.", ""),
        ("It burnt down.", ""),
        ("nothing has a name here.", ""),
    ],
)
def test_a_paragraph_is_titled_by_its_subject(paragraph: str, title: str) -> None:
    assert _subject(paragraph) == title


def test_the_field_names_of_the_papers_prompts_are_read(tmp_path: Path) -> None:
    item = {
        "id": 7,
        "Passage": ["One paragraph.", "Another."],
        "2 hop question": "Who?",
        "Sub-Questions": ["Where?", "Who?"],
        "sub-answers": ["Here", "Odo"],
        "Final Answer": "Odo",
        "answer_aliases": ["Odo the Elder"],
    }
    (sample,) = load_multihop(write(tmp_path / "x.json", item), "cofca")
    assert sample.id == "7"
    assert sample.question == "Who?"
    assert sample.reference == ["Odo", "Odo the Elder"]
    assert sample.groups["hops"] == "2 hops"
    assert sample.groups["source"] == "counterfactual"
    assert [passage.title for passage in sample.passages] == ["One", "Another"]


def test_public_forms_of_the_sample_are_factual_control() -> None:
    for edition, hops, steps in (
        ("musique", "2 hops", 2),
        ("hotpotqa", "2 hops", 0),
        ("2wiki", "4 hops", 0),
        ("morehopqa", "3 hops", 2),
    ):
        first = load_multihop(SAMPLE, edition)[0]
        assert first.groups["source"] == "factual"
        assert first.groups["hops"] == hops
        assert len(first.steps) == steps
        assert first.passages[0].text


def test_a_musique_step_names_the_answer_it_builds_on() -> None:
    first = load_multihop(SAMPLE, "musique")[0]
    assert first.steps[1].question == "Where was John Backus born?"


def test_a_hash_that_is_no_reference_stays(tmp_path: Path) -> None:
    item = {
        "_id": "b",
        "question": "When did #32 play?",
        "answer": "1984",
        "context": {"title": ["Orv"], "sentences": [["One.", "Two."]]},
        "question_decomposition": [
            {"question": "Who wore #32?", "answer": "Odo"},
            {"question": "When did #1 play?", "answer": 1984},
        ],
    }
    (sample,) = load_multihop(write(tmp_path / "morehopqa.json", item), "morehopqa")
    assert [step.question for step in sample.steps] == ["Who wore #32?", "When did Odo play?"]
    assert sample.steps[1].answer == "1984"
    assert sample.passages[0].text == "One. Two."


def test_mixed_reads_every_edition_and_keeps_ids_apart() -> None:
    samples = load_multihop(SAMPLE, "mixed")
    assert {sample.groups["data"] for sample in samples} == {
        "cofca",
        "hotpotqa",
        "2wiki",
        "musique",
        "morehopqa",
    }
    assert len({sample.id for sample in samples}) == len(samples) == 21


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"question": 3}, "field 'question' must be str, not int"),
        ({"passage": "  "}, "field 'passage' is empty"),
        ({"passage": [1]}, "field 'passage', entry 1 must be str, not int"),
        ({"sub_answers": ["Kald"]}, "field 'sub_answers' has 1 entries for 2 sub-questions"),
        ({"source": "fiction"}, "field 'source' is 'fiction'"),
        ({"answer": None}, "field 'answer' must be str, not NoneType"),
    ],
)
def test_a_fault_names_file_line_and_field(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = write(tmp_path / "cofca.jsonl", {**ITEM, "id": "b"}, {**ITEM, **change}, lines=True)
    with pytest.raises(InputError) as caught:
        load_multihop(path, "cofca")
    assert f"{path}, line 2: {message}" in str(caught.value)


def test_missing_fields_are_named(tmp_path: Path) -> None:
    for field, edition in (("sub_questions", "cofca"), ("id", "cofca"), ("answer", "cofca")):
        item = {name: value for name, value in ITEM.items() if name != field}
        path = write(tmp_path / "x.json", item)
        with pytest.raises(InputError, match=f"line 2: field '{field}' is missing"):
            load_multihop(path, edition)
    path = write(tmp_path / "x.json", {"id": 1, "question": "?", "answer": "a", "context": [3]})
    with pytest.raises(InputError, match="'context' must be a list of"):
        load_multihop(path, "hotpotqa")
    path = write(tmp_path / "x.json", {"id": 1, "question": "?", "answer": "a", "context": []})
    with pytest.raises(InputError, match="'context' is empty"):
        load_multihop(path, "hotpotqa")
    item = {"id": "2hop__1", "question": "?", "answer": "a", "paragraphs": ["x"]}
    with pytest.raises(InputError, match="field 'paragraphs', entry 1 must be an object"):
        load_multihop(write(tmp_path / "x.json", item), "musique")


def test_an_id_twice_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "cofca.jsonl", ITEM, ITEM, lines=True)
    with pytest.raises(InputError, match="line 2: field 'id': 'a' is the id of an earlier item"):
        load_multihop(path, "cofca")


def test_the_file_is_asked_for_where_there_is_none_or_several(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found none; name it with --data FILE"):
        load_multihop(tmp_path, "cofca")
    with pytest.raises(InputError, match="none of cofca"):
        load_multihop(tmp_path, "mixed")
    write(tmp_path / "cofca-a.json", ITEM)
    write(tmp_path / "cofca-b.json", ITEM)
    write(tmp_path / "cofca-corpus.json", {"title": "no question"})
    with pytest.raises(InputError, match=r"found cofca-a.json, cofca-b.json"):
        load_multihop(tmp_path, "cofca")
    with pytest.raises(InputError, match="the edition mixed reads a folder"):
        load_multihop(tmp_path / "cofca-a.json", "mixed")


def test_an_array_says_on_which_line_an_item_begins(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[\n {"a": 1},\n\n {"a":\n 2}\n]\n', encoding="utf-8")
    assert [where for where, _ in read_located(path)] == [f"{path}, line 2", f"{path}, line 4"]
    path.write_text("[]", encoding="utf-8")
    assert read_located(path) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[\n{"a": 1},\n{"a": }\n]', "line 3: not JSON"),
        ('[\n{"a": 1}\n{"a": 2}]', "line 3: not JSON: ',' or ']' is missing"),
        ('[{"a": 1}]\nx', "line 2: not JSON: text after the end"),
        ('{"a": 1}\n\n{"a"', "line 3: not JSON"),
        ('{"a": 1}\n3', "line 2: an object is needed, not int"),
    ],
)
def test_what_is_no_json_names_its_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_located(path)
    assert message in str(caught.value)


@pytest.mark.skipif(not REAL.is_dir(), reason="needs ../shared/data/multihop")
def test_real_files_load_whole() -> None:
    musique = load_multihop(REAL, "musique")
    assert len(musique) == 100
    assert all(2 <= len(sample.steps) <= 4 for sample in musique)
    assert all(f"{len(sample.steps)} hops" == sample.groups["hops"] for sample in musique)
    assert not any("#1" in step.question for sample in musique for step in sample.steps)
    assert len(load_multihop(REAL, "hotpotqa")) == 100
    assert len(load_multihop(REAL, "morehopqa")) == 150
    assert len(load_multihop(REAL, "mixed")) == 350
