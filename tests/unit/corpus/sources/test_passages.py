from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.builder.pipeline import Progress
from corpus.builder.snapshot import build_snapshot
from corpus.errors import InputError
from corpus.sources import Wanted, open_source
from corpus.sources import records as records_module
from corpus.sources.passages import open_passages, passages_in
from corpus.sources.records import cut_lines, cut_values
from corpus.sources.streams import DamagedError
from corpus.sources.types import MALFORMED, NEWER, NO_TEXT, BadRecord, Done, Skipped
from corpus.types import Page

CUTOFF = "2020-01-01T23:59:59Z"


def read(path: Path, *, skip_bad: bool = False) -> list[Page | Skipped]:
    source = open_source(path, Wanted(cutoff=CUTOFF, base_url="", skip_bad=skip_bad))
    return [page for batch in source.batches(Done()) for page in source.pages(batch.payload)]


def pairs(path: Path) -> list[tuple[str, str]]:
    return [(page.title, page.source) for page in read(path) if isinstance(page, Page)]


SHAPES: list[tuple[Any, list[tuple[str, str]]]] = [
    ({"title": "Io", "text": "Io is a moon."}, [("Io", "Io is a moon.")]),
    ({"idx": 0, "title": "Io", "paragraph_text": "A moon."}, [("Io", "A moon.")]),
    ({"id": "d7", "text": "Nameless."}, [("d7", "Nameless.")]),
    ({"text": "No name at all."}, [("", "No name at all.")]),
    ({"id": 1, "contents": '"Io"\nIo is a moon.'}, [("Io", "Io is a moon.")]),
    ({"id": 1, "contents": "One line."}, [("", "One line.")]),
    ({"title": "Io", "text": ["One. ", "Two."]}, [("Io", "One. Two.")]),
    (
        {"question": "?", "context": [["Io", ["One.", " Two."]], ["Ra", ["Three.", "Four."]]]},
        [("Io", "One. Two."), ("Ra", "Three. Four.")],
    ),
    (
        {"context": {"title": ["Io", "Ra"], "sentences": [["One."], ["Two."]]}},
        [("Io", "One."), ("Ra", "Two.")],
    ),
    (
        {"paragraphs": [{"title": "Io", "paragraph_text": "A."}, {"title": "Ra", "text": "B."}]},
        [("Io", "A."), ("Ra", "B.")],
    ),
    ({"title": "Io", "paragraphs": [{"context": "A.", "qas": []}]}, [("Io", "A.")]),
    (["Io", ["One.", "Two."]], [("Io", "One. Two.")]),
]


@pytest.mark.parametrize(("record", "found"), SHAPES)
def test_every_known_shape_gives_its_passages(record: Any, found: list[tuple[str, str]]) -> None:
    assert [(title, text) for title, text, _ in passages_in(record)] == found


@pytest.mark.parametrize("record", [{"question": "?"}, {"text": {"a": 1}}, 7, ["a"], {"text": [1]}])
def test_what_is_no_passage_is_an_error(record: Any) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        list(passages_in(record))


PASSAGES = [{"title": "Io", "text": "A moon."}, {"title": "長江", "text": "一条河。"}]


@pytest.mark.parametrize(
    "content",
    [
        "\n".join(map(json.dumps, PASSAGES)),
        "\ufeff" + "\n\n".join(map(json.dumps, PASSAGES)) + "\n",
        json.dumps(PASSAGES),
        json.dumps(PASSAGES, indent=2, ensure_ascii=False),
        json.dumps({"Io": ["A moon."], "長江": ["一条河。"]}),
        json.dumps(
            {
                "version": "1",
                "data": [
                    {"title": p["title"], "paragraphs": [{"context": p["text"]}]} for p in PASSAGES
                ],
            },
            indent=1,
        ),
    ],
)
def test_lines_arrays_and_objects_hold_the_same(tmp_path: Path, content: str) -> None:
    path = tmp_path / "passages"
    path.write_text(content, encoding="utf-8")
    assert pairs(path) == [("Io", "A moon."), ("長江", "一条河。")]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(values, max_size=6), st.integers(1, 50), st.sampled_from([None, 1]))
def test_arrays_are_cut_as_json_reads_them(items: list[Any], size: int, indent: int | None) -> None:
    content = json.dumps(items, indent=indent, ensure_ascii=False).encode("utf-8", "replace")
    blocks = iter([content[at : at + size] for at in range(0, len(content), size)] + [b""] * 3)
    found = list(cut_values(Path("x"), lambda: next(blocks), lambda: 0))
    assert [json.loads(record.content) for record in found] == json.loads(content)
    assert [(record.start, record.end) for record in found] == [
        (at, at + 1) for at in range(len(items))
    ]


@given(st.dictionaries(st.text(max_size=4), values, max_size=5), st.integers(1, 50))
def test_objects_are_cut_as_json_reads_them(items: dict[str, Any], size: int) -> None:
    content = json.dumps(items).encode()
    blocks = iter([content[at : at + size] for at in range(0, len(content), size)] + [b""] * 3)
    found = cut_values(Path("x"), lambda: next(blocks), lambda: 0)
    assert dict(json.loads(record.content) for record in found) == items


@pytest.mark.parametrize("content", [b'[{"a": 1}, {"a"', b'[{"a": 1} oops]', b"{", b"7"])
def test_json_that_breaks_off_is_damage(content: bytes) -> None:
    blocks = iter([content, b"", b""])
    with pytest.raises(DamagedError):
        list(cut_values(Path("x"), lambda: next(blocks), lambda: 0))


@pytest.mark.parametrize(
    ("record", "words"),
    [(b"[" * 100_000 + b"]" * 100_000, "too deep"), (b"9" * 5_000, "4,300 digits")],
)
def test_a_record_beyond_the_limits_is_named_and_not_called_damage(
    record: bytes, words: str
) -> None:
    blocks = iter([b'[{"a": 1}, ' + record + b"]", b"", b""])
    with pytest.raises(InputError, match=rf"x, record 2: .*{words}.*: mend it") as caught:
        list(cut_values(Path("x"), lambda: next(blocks), lambda: 0))
    assert not isinstance(caught.value, DamagedError)


def test_a_record_without_end_does_not_fill_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "LARGEST_RECORD", 5_000)
    asked = 0

    def read() -> bytes:
        nonlocal asked
        asked += 1
        return b'["' + b"x" * 1000 if asked == 1 else b"x" * 1000

    with pytest.raises(DamagedError, match="record 1"):
        list(cut_values(Path("x"), read, lambda: 0))
    assert asked < 10
    with pytest.raises(DamagedError, match="line 1 does not end"):
        list(cut_lines(Path("x"), read, lambda: 0))


@pytest.mark.parametrize("workers", [0, 2])
def test_the_first_bad_record_ends_the_build_with_its_number(tmp_path: Path, workers: int) -> None:
    """With several workers, whichever of them comes first to a bad record of its own."""
    good = [json.dumps({"title": f"Tree {n}", "text": f"Tree {n} is tall."}) for n in range(4000)]
    path, out = tmp_path / "passages.jsonl", tmp_path / "out"
    bad = {1203: b"{cut", 1204: b'"words"', 3999: b'{"title": "T", "text": "\xff"}'}
    lines = [bad.get(n, line.encode()) for n, line in enumerate(good, start=1)]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(InputError, match=r"line 1,203: not JSON in line 1, column 2"):
        build_snapshot([path], out, date="2020-01-01", workers=workers)
    assert not out.exists()
    # The same, with such records left out, goes on with what was begun.
    built = build_snapshot([path], out, date="2020-01-01", workers=workers, skip_bad=True)
    assert built.skipped == {MALFORMED: 3}
    assert built.articles == 3997
    again = build_snapshot([path], tmp_path / "again", date="2020-01-01", skip_bad=True)
    assert again.fingerprint == built.fingerprint


def test_what_left_records_out_is_read_again_by_a_build_that_must_not(tmp_path: Path) -> None:
    path, out = tmp_path / "passages.jsonl", tmp_path / "out"
    lines = [json.dumps({"title": f"Tree {n}", "text": "tall"}) for n in range(900)]
    path.write_text("\n".join([*lines[:300], "{cut", *lines[300:]]))

    def interrupt(progress: Progress) -> None:
        if progress.articles > 400:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_snapshot([path], out, date="2020-01-01", skip_bad=True, report=interrupt)
    with pytest.raises(InputError, match="line 301"):
        build_snapshot([path], out, date="2020-01-01")


def test_bad_records_are_counted_and_stop_nothing(tmp_path: Path) -> None:
    path = tmp_path / "passages.jsonl"
    lines = [
        json.dumps({"title": "Io", "text": "A moon."}),
        "{broken",
        json.dumps({"title": "Void", "text": "  "}),
        json.dumps({"title": "New", "text": "x", "timestamp": "2021-01-01"}),
        json.dumps(
            {"title": "Old \ud800", "text": "lone \ud800", "timestamp": "2019-01-01T05:00:00+02:00"}
        ),
        json.dumps({"title": "Linked", "text": "y", "url": "https://x.example/1"}),
        "7",
    ]
    path.write_text("\n".join(lines))
    with pytest.raises(BadRecord, match=r"passages.jsonl, line 2: not JSON.*--skip-bad"):
        read(path)
    found = read(path, skip_bad=True)
    assert [one.reason for one in found if isinstance(one, Skipped)] == [
        MALFORMED,
        NO_TEXT,
        NEWER,
        MALFORMED,
    ]
    io, old, linked = (one for one in found if isinstance(one, Page))
    assert (io.timestamp, io.rev_id, io.url, io.format) == (CUTOFF, 0, "", "plain")
    assert (old.title, old.source, old.timestamp) == (
        "Old \ufffd",
        "lone \ufffd",
        "2019-01-01T03:00:00Z",
    )
    assert linked.url == "https://x.example/1"


def test_the_same_paragraph_of_two_questions_has_one_id(tmp_path: Path) -> None:
    path = tmp_path / "hotpot.json"
    question = {"context": [["Io", ["A moon."]]]}
    path.write_text(json.dumps([question, question]))
    one, two = read(path)
    assert isinstance(one, Page)
    assert isinstance(two, Page)
    assert one.page_id == two.page_id


@pytest.mark.parametrize(
    "content", ['{"question": "Who?", "answer": "I"}', "[]", "[7]", '{"a": 7}', '{"text": 3}']
)
def test_a_file_without_passages_is_refused_at_once(tmp_path: Path, content: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match="holds no passages"):
        open_passages(path, CUTOFF)
