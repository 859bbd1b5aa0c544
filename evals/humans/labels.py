"""Files of human labels: kinds of sub-questions, coverage of answers, preferences of answers.

One JSON object a line, as people's annotations are published:

    {"question": "…", "sub_question": "…", "labels": ["core", "core", "follow-up", "core"]}
    {"question": "…", "engine": "…", "sub_question": "…", "answer": "…", "judgment": "answered"}
    {"question": "…", "answer1": "…", "answer2": "…", "better": "Answer A"}

WebGPT's comparisons are read as they are published: `answer_0`, `answer_1` with `score_0` and
`score_1`, from −1 to 1, and the question's words in `full_text`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from agent.types import Kind
from corpus.errors import InputError
from evals.datafiles import field, read_kind, read_located

_COVERED = {
    "answered": True, "covered": True, "yes": True, "true": True,
    "unanswered": False, "not answered": False, "not covered": False, "no": False, "false": False,
}  # fmt: skip
_BETTER: dict[str, Literal["a", "b"]] = {
    "answer a": "a", "a": "a", "answer1": "a", "answer 1": "a", "1": "a",
    "answer b": "b", "b": "b", "answer2": "b", "answer 2": "b", "2": "b",
}  # fmt: skip
_TIE = ("tie", "equal", "same", "both", "neither", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledKinds:
    """One question's sub-questions with the kinds that people gave them."""

    question: str
    sub_questions: tuple[str, ...]
    kinds: tuple[Kind | None, ...]
    """The majority's; None where people are evenly split."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageLabel:
    """Whether people found a sub-question answered."""

    sub_question: str
    covered: bool
    where: str
    """File and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledText:
    """One answer with its labelled sub-questions."""

    question: str
    text: str
    labels: tuple[CoverageLabel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """Which of two answers a person preferred; "" is a tie."""

    question: str
    a: str
    b: str
    preferred: Literal["a", "b", ""]


def read_kind_labels(path: Path) -> list[LabelledKinds]:
    """Read kinds of sub-questions.

    Raises:
        InputError: a field is missing or of a wrong type, or a label is no kind.
    """
    found: dict[str, list[tuple[str, Kind | None]]] = {}
    for where, item in _items(path):
        labels = [read_kind(label, where) for label in field(item, "labels", list, where)]
        if not labels:
            raise InputError(f"{where}: labels holds none")
        row = (field(item, "sub_question", str, where), majority(labels))
        found.setdefault(field(item, "question", str, where), []).append(row)
    return [
        LabelledKinds(
            question=question,
            sub_questions=tuple(text for text, _ in rows),
            kinds=tuple(kind for _, kind in rows),
        )
        for question, rows in found.items()
    ]


def majority(labels: Sequence[Kind]) -> Kind | None:
    """Return the label that more people gave than any other; None where there is none."""
    ranked = Counter(labels).most_common(2)
    return None if len(ranked) == 2 and ranked[0][1] == ranked[1][1] else ranked[0][0]


def read_coverage_labels(path: Path) -> list[LabelledText]:
    """Read coverage labels; the rows of one answer stand together.

    Answers that differ in white space alone are one answer.

    Raises:
        InputError: a field is missing or of a wrong type, or a judgment cannot be read.
    """
    found: dict[tuple[str, str], tuple[str, list[CoverageLabel]]] = {}
    for where, item in _items(path):
        question = field(item, "question", str, where)
        text = field(item, "answer", str, where)
        said = str(item.get("judgment", item.get("covered", ""))).strip().lower()
        if said not in _COVERED:
            raise InputError(f"{where}: judgment {said!r}: write answered or unanswered")
        label = CoverageLabel(
            sub_question=field(item, "sub_question", str, where),
            covered=_COVERED[said],
            where=where,
        )
        found.setdefault((question, " ".join(text.split())), (text, []))[1].append(label)
    return [
        LabelledText(question=question, text=text, labels=tuple(labels))
        for (question, _), (text, labels) in found.items()
    ]


def read_preferences(path: Path) -> list[Preference]:
    """Read preferences between two answers.

    Raises:
        InputError: a field is missing or of a wrong type, or the preference cannot be read.
    """
    found = []
    for where, item in _items(path):
        if "answer_0" in item:
            found.append(_webgpt(item, where))
            continue
        said = str(item.get("better") or "").strip().lower()
        if said not in _BETTER and said not in _TIE:
            raise InputError(f"{where}: better {said!r}: write Answer A, Answer B or Tie")
        found.append(
            Preference(
                question=field(item, "question", str, where),
                a=field(item, "answer1", str, where),
                b=field(item, "answer2", str, where),
                preferred=_BETTER.get(said, ""),
            )
        )
    return found


def _webgpt(item: Mapping[str, Any], where: str) -> Preference:
    asked = item.get("question")
    question = (
        asked
        if isinstance(asked, str)
        else field(field(item, "question", dict, where), "full_text", str, where)
    )
    score = item.get("score_0")
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise InputError(f"{where}: field 'score_0' must be a number from -1 to 1")
    return Preference(
        question=question,
        a=field(item, "answer_0", str, where),
        b=field(item, "answer_1", str, where),
        preferred="a" if score > 0 else "b" if score < 0 else "",
    )


def _items(path: Path) -> list[tuple[str, Mapping[str, Any]]]:
    if not path.is_file():
        raise InputError(f"{path}: no such file: name a JSON Lines file of human labels")
    items = read_located(path)
    if not items:
        raise InputError(f"{path}: holds no labels")
    return items
