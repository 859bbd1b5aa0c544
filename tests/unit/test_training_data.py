"""What the reader learns from, or will: answers are cells, sets are told, words settle yes or no."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
TABLES = sorted((BENCH / "data").glob("tables_*.jsonl"))
JUDGING = sorted((BENCH / "data").glob("judging_tables_*.jsonl"))


def test_there_are_tables() -> None:
    assert (len(TABLES), len(JUDGING)) == (8, 2)


@pytest.mark.parametrize("path", [*TABLES, *JUDGING], ids=lambda path: path.stem)
def test_questions_on_tables_are_about_their_cells(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        table = json.loads(line)
        header, rows = table["header"], table["rows"]
        assert len(set(header)) == len(header)
        assert all(len(row) == len(header) for row in rows), table["page"]
        for question, row, head in table["questions"]:
            if row < 0:
                assert (row, head) == (-1, ""), question
                continue
            answer = rows[row][header.index(head)]
            assert answer.strip("–—- "), question
            assert len(answer) <= 3 or answer.casefold() not in question.casefold(), question
        for question, head, meant in table["sets"]:
            assert head in header, question
            assert 0 < len(set(meant)) == len(meant) < len(rows), question
            assert all(0 <= row < len(rows) for row in meant), question


@pytest.mark.parametrize("path", TABLES[:1], ids=lambda path: path.stem)
def test_examples_of_tables_hold_their_answers(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.syspath_prepend(str(BENCH.parent))
    reader_data = __import__("reader_data")
    made = list(reader_data.written_tables([path], random.Random(0)))
    tables = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    cells = {" ".join(cell.split()) for table in tables for row in table["rows"] for cell in row}
    answered = [one for one in made if one.start >= 0]
    assert answered
    assert len(answered) < len(made)
    assert all(one.text[one.start : one.end] in cells for one in answered)
    assert {one.source for one in made} == {
        "table written", "table written none", "set written", "set written none",
    }  # fmt: skip


def test_questions_on_labels_are_read_with_their_values_and_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.syspath_prepend(str(BENCH.parent))
    path = tmp_path / "labels.txt"
    path.write_text(
        "# A comment.\n\nbox: Lake Vessen\nlabels: Depth; Outflow: river; Islands\n"
        "values: 31 m | Orr | 4\nDepth: how deep is Vessen | Is Vessen deeper than 20 m?\n"
        "Outflow: river: what leaves Vessen | where it drains\n-: who named Vessen\n\n"
        "table: lakes of Orland\nrow: Tamm\nlabels: Lake; Area\nvalues: Tamm | 3 km2\n"
        "Area: how large is Tamm?\n",
        encoding="utf-8",
    )
    reader_data = __import__("reader_data")
    made = [one for seed in range(20) for one in reader_data.labelled([path], random.Random(seed))]
    told = {(one.question, one.text[one.start : one.end]) for one in made if one.start >= 0}
    assert told == {
        ("how deep is Vessen", "31 m"), ("what leaves Vessen", "Orr"), ("how large is Tamm?", "3 km2"),
    }  # fmt: skip
    values = dict(told)
    nothing = [one for one in made if one.start < 0]
    assert {one.question for one in nothing} > {"who named Vessen", "how deep is Vessen"}
    assert not any(values.get(one.question, "none") in one.text for one in nothing)
    assert {one.source for one in made} == {"label", "label none"}
    path.write_text(
        "box: Vessen\nlabels: Depth\nvalues: 31 m\nWidth: how wide is Vessen\n", "utf-8"
    )
    with pytest.raises(SystemExit, match=r"labels\.txt:4: no label 'Width'"):
        list(reader_data.labelled([path], random.Random(0)))


POLAR = sorted((BENCH / "data").glob("*polar_*.jsonl"))


def test_there_are_yes_or_no_questions() -> None:
    assert [path.stem.startswith("judging_") for path in POLAR].count(True) == 2
    assert len(POLAR) == 8


@pytest.mark.parametrize("path", POLAR, ids=lambda path: path.stem)
def test_words_that_settle_a_question_stand_in_its_record(path: Path) -> None:
    asked = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        places = record.get("lines") or [record["text"]]
        verdicts = []
        for question, verdict, words in record["questions"]:
            verdicts.append(verdict)
            asked.add(question)
            assert bool(words) == bool(verdict), question
            assert not words or any(words in place for place in places), question
        assert {"yes", "no", ""} == set(verdicts), record["title"]
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(asked) == sum(len(json.loads(line)["questions"]) for line in lines)


CELLS = sorted((BENCH / "data").glob("*_cells.jsonl"))


@pytest.mark.parametrize("path", CELLS, ids=lambda path: path.stem)
def test_words_that_answer_of_a_box_or_a_table_stand_in_one_of_its_lines(path: Path) -> None:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(records) == 72
    for record in records:
        assert set(record) == {"title", "lines", "questions"}
        answers = [words for _, words in record["questions"]]
        assert len({question for question, _ in record["questions"]}) == len(answers) == 12
        assert all(any(words in line for line in record["lines"]) for words in answers)
        assert 3 <= answers.count("") <= 5


TITLED = sorted((BENCH / "data").glob("titled_*.jsonl"))
FAMILIES = sorted((BENCH / "data").glob("*_titles.jsonl"))


def test_there_are_questions_for_titles() -> None:
    assert (len(TITLED), len(FAMILIES)) == (18, 2)


@pytest.mark.parametrize("path", TITLED, ids=lambda path: path.stem)
def test_what_tells_a_title_stands_in_its_paragraph(path: Path) -> None:
    for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        file = path.with_name(f"{record['file']}.jsonl")
        paragraph = json.loads(file.read_text(encoding="utf-8").splitlines()[record["line"]])
        assert paragraph["title"] == record["title"]
        assert [bool(proof) for _, proof in record["questions"]].count(False) == 2
        assert all(proof in paragraph["text"] for _, proof in record["questions"])


@pytest.mark.parametrize("path", FAMILIES, ids=lambda path: path.stem)
def test_a_family_is_asked_for_by_what_is_told(path: Path) -> None:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len({record["title"] for record in records}) == len(records) == 60
    for record in records:
        answers = [answer for _, answer in record["questions"]]
        assert sorted({*answers}) == ["", record["title"].partition(" (")[0]]
        assert (len(answers), answers.count("")) == (5, 2)


def test_examples_of_titles_point_at_the_title_or_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.syspath_prepend(str(BENCH.parent))
    reader_data = __import__("reader_data")
    made = list(reader_data.titled(TITLED[:1], random.Random(0)))
    titles = {
        json.loads(line)["title"].partition(" (")[0]
        for line in TITLED[0].read_text(encoding="utf-8").splitlines()
    }
    answered = [one for one in made if one.source == "titled"]
    assert len(answered) > 300
    assert all(one.text[one.start : one.end] in titles for one in answered)
    assert {one.source for one in made if one.start < 0} == {"titled none", "titled other"}


def test_a_varied_question_has_a_word_exchanged_and_nobody_answers_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.syspath_prepend(str(BENCH.parent))
    varied = __import__("reader_data.varied", fromlist=["varied"])
    encoded = __import__("reader_data.encoded", fromlist=["encoded"])
    example = __import__("reader_data.examples", fromlist=["examples"]).Example
    store = __import__("agent.extractive.weights.store", fromlist=["store"])
    tokenizer = store.open_tokenizer()
    text = "Brod bridge: The bridge was opened in 1902 by Ann Lee."
    one = example("Who opened the bridge of Brod in 1902?", text, 44, 51, "squad")
    (read,) = encoded.encode([one], tokenizer)
    size = tokenizer.get_vocab_size()
    vectors = torch.randn(size, 8, generator=torch.Generator().manual_seed(0))
    varier = varied.Varier(tokenizer, vectors)
    end = read.ids.index(tokenizer.token_to_id("[SEP]"))
    kept = [tokenizer.token_to_id(word) for word in ("who", "the", "of", "?")]
    for seed in range(20):
        other = varier.vary(read, random.Random(seed))
        changed = [i for i in range(end) if other.ids[i] != read.ids[i]]
        assert 1 <= len(changed) <= 3
        assert all(read.ids[i] not in kept for i in changed)
        assert len(other.ids) == len(read.ids)
        assert (other.first, other.last) == (encoded.UNKNOWN, encoded.UNKNOWN)
