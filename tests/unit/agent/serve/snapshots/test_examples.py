import json
from pathlib import Path

import pytest

from agent.serve.snapshots.examples import examples
from corpus.builder.snapshot import build_snapshot
from corpus.sample import sample_snapshot
from corpus.store import Snapshot


def built(folder: Path, language: str, *records: tuple[str, str]) -> Snapshot:
    lines = [json.dumps({"title": title, "text": text}) for title, text in records]
    (folder / "boxes.jsonl").write_text("\n".join(lines), encoding="utf-8")
    build_snapshot([folder / "boxes.jsonl"], folder / "s", date="2026-11-01", language=language)
    return Snapshot.open(folder / "s")


RIVERS = [
    (name, f"Length: {n} km\nMouth: Black Sea\n\n{name} is a river." + " It flows." * n)
    for n, name in enumerate(("Orm", "Ulla", "Tves", "Grind"), start=1)
]
ROAD = ("Old Road", "Length: 9 km\nPaved: 1901\nOwner: the state\n\nA road." + " It ends." * 40)


def test_three_questions_about_articles_of_the_sample() -> None:
    with Snapshot.open(sample_snapshot()) as snapshot:
        made = examples(snapshot)
        assert made == examples(snapshot)
        assert len(set(made)) == 3
        titles = [title for title in snapshot.titles() if any(title in one for one in made)]
    assert len(titles) >= 9


def test_a_question_compares_what_is_of_one_kind(tmp_path: Path) -> None:
    with built(tmp_path, "en", *RIVERS, ROAD) as snapshot:
        assert examples(snapshot)[0] == "Which is the longest: Grind, Tves or Ulla?"


@pytest.mark.parametrize(
    ("language", "records"), [("en", RIVERS[:2]), ("sw", RIVERS), ("en", [("Prose", "No box.")])]
)
def test_no_question_where_there_is_nothing_to_make_one_of(
    tmp_path: Path, language: str, records: list[tuple[str, str]]
) -> None:
    with built(tmp_path, language, *records) as snapshot:
        assert examples(snapshot) == ()
