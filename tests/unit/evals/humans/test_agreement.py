from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import ModelError
from agent.types import Kind
from corpus.errors import InputError
from evals.humans.agreement import (
    Agreement,
    agree_on_coverage,
    agree_on_kinds,
    agree_on_preferences,
)
from evals.humans.labels import (
    Preference,
    majority,
    read_coverage_labels,
    read_kind_labels,
    read_preferences,
)
from evals.metrics.statistics import bootstrap_mean
from evals.ports import Covered, Verdict

SHARED = Path(__file__).parents[4] / "../shared/data"


def write(path: Path, *items: object) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    return path


def kinds(question: str, text: str, *labels: str) -> dict[str, Any]:
    return {"question": question, "sub_question": text, "labels": labels}


def judged(text: str, judgment: Any, answer: str = "Rain. Snow.") -> dict[str, Any]:
    return {"question": "q", "sub_question": text, "answer": answer, "judgment": judgment}


class Fixed:
    """A reasoner that gives the same kind to everything; fails on a question it does not like."""

    name = "fixed"

    async def classify(self, question: str, sub_questions: Sequence[str]) -> list[Kind]:
        if question == "bad":
            raise ModelError("no reply")
        return ["core"] * len(sub_questions)


class Wet:
    """Covers what rain and snow are asked about; cannot say of hail. Keeps what it was asked."""

    name = "wet"

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    async def covers(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        self.asked.append(list(sub_questions))
        return [
            Covered(covered=None, unscored="hail")
            if "hail" in asked
            else Covered(covered=asked in text, start=0, end=1)
            for asked in sub_questions
        ]


class Longer:
    """Prefers the longer answer, gives no verdict on silence, and sees no difference in length."""

    name = "longer"

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        if not a or not b:
            return Verdict(choice=None, unscored="silence")
        return Verdict(choice="TIE" if len(a) == len(b) else "A" if len(a) > len(b) else "B")


async def test_kinds_of_the_majority_count_and_even_splits_are_left_out(tmp_path: Path) -> None:
    path = write(
        tmp_path / "k.jsonl",
        kinds("q", "a", "core", "core", "follow-up", "Follow-Up"),
        kinds("q", "b", "core", "background", "core"),
        kinds("q", "c", "Background"),
        kinds("bad", "d", "core"),
    )
    found = await agree_on_kinds(Fixed(), read_kind_labels(path))  # type: ignore[arg-type]
    assert found.truth == ("core", "background")
    assert found.accuracy == 0.5
    assert found.left_out == 1
    assert found.reasons == {"no reply": 1}
    shown = found.as_json()
    assert shown["n"] == 2
    assert shown["unscored"] == 1
    assert shown["per_class"] == {
        "background": {"n": 1, "said": 0, "precision": None, "recall": 0.0},
        "core": {"n": 1, "said": 2, "precision": 0.5, "recall": 1.0},
    }


async def test_coverage_leaves_out_what_has_no_verdict_and_says_why(tmp_path: Path) -> None:
    path = write(
        tmp_path / "c.jsonl",
        judged("Rain", "Answered"),
        judged("Fog", "unanswered", answer="Rain.\n\nSnow."),
        judged("hail", True),
        judged("Snow", False, answer="Only dust."),
    )
    items = read_coverage_labels(path)
    assert [len(item.labels) for item in items] == [3, 1]
    judge = Wet()
    found = await agree_on_coverage(judge, items)
    assert found.truth == found.said == ("answered", "unanswered", "unanswered")
    assert found.kappa == 1.0
    assert found.reasons == {"hail": 1}
    assert judge.asked == [["Rain", "Fog", "hail"], ["Snow"]]
    whole = Wet()
    assert await agree_on_coverage(whole, items, whole_lists=True) == found
    assert whole.asked == [["Rain", "Fog", "hail", "Snow"]] * 2


async def test_ties_of_people_are_left_out_and_ties_of_the_judge_count_half() -> None:
    pairs = [
        Preference(question="q", a="long", b="s", preferred="a"),
        Preference(question="q", a="long", b="s", preferred="b"),
        Preference(question="q", a="same", b="also", preferred="a"),
        Preference(question="q", a="", b="s", preferred="a"),
        Preference(question="q", a="long", b="s", preferred=""),
    ]
    found = await agree_on_preferences(Longer(), pairs)
    assert found.said == ("a", "a", "tie")
    assert (found.accuracy, found.ties) == (pytest.approx(0.5), 1)
    assert found.left_out == 1
    assert found.reasons == {"one order has no readable verdict": 1}


def test_without_scored_items_nothing_is_claimed() -> None:
    nothing = Agreement(engine="e", truth=(), said=(), questions=())
    assert (nothing.accuracy, nothing.kappa, nothing.per_class()) == (None, None, {})


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40))
def test_agreement_is_bounded_and_does_not_depend_on_order(pairs: list[tuple[str, str]]) -> None:
    def made(of: list[tuple[str, str]]) -> Agreement:
        return Agreement(
            engine="e",
            truth=tuple(t for t, _ in of),
            said=tuple(s for _, s in of),
            questions=tuple(map(str, range(len(of)))),
        )

    found, again = made(pairs), made(pairs[::-1])
    assert found.accuracy is not None
    assert 0 <= found.accuracy <= 1
    assert found.kappa is None or -1 <= found.kappa <= found.accuracy + 1e-12
    assert (again.accuracy, again.kappa) == (found.accuracy, found.kappa)
    assert again.per_class() == found.per_class()
    assert sum(int(values["n"] or 0) for values in found.per_class().values()) == len(pairs)


@pytest.mark.parametrize(
    ("labels", "kind"),
    [(["core"], "core"), (["core", "background"], None), (["core"] * 2 + ["background"], "core")],
)
def test_majority(labels: list[Kind], kind: Kind | None) -> None:
    assert majority(labels) == kind


@pytest.mark.parametrize(
    ("reader", "item", "complaint"),
    [
        (read_kind_labels, kinds("q", "s", "main"), "line 1: unknown kind 'main': choose core"),
        (read_kind_labels, kinds("q", "s"), "line 1: labels holds none"),
        (read_coverage_labels, judged("s", "maybe"), "line 1: judgment 'maybe': write answered"),
        (read_coverage_labels, {"question": "q"}, "answer"),
        (
            read_preferences,
            {"question": "q", "answer1": "a", "answer2": "b", "better": "C"},
            "line 1: better 'c': write Answer A, Answer B or Tie",
        ),
    ],
)
def test_a_label_that_cannot_be_read_is_named(
    tmp_path: Path, reader: Any, item: object, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        reader(write(tmp_path / "labels.jsonl", item))


def test_files_that_hold_no_labels(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_preferences(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="holds no labels"):
        read_preferences(write(tmp_path / "empty.jsonl"))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the folder ../shared/data is not there")
async def test_offline_means_agree_with_published_annotations() -> None:
    from agent.extractive import ExtractiveReasoner
    from evals.judges.coverage_offline import EmbeddedCoverage
    from retrieval.dense.embedders import shared_embedder

    texts = read_coverage_labels(SHARED / "subquestion/answerability-annotations.jsonl")
    found = await agree_on_coverage(EmbeddedCoverage(), texts, whole_lists=True)
    assert len(found.truth) == 120
    assert (found.accuracy or 0) >= 0.75
    assert (found.kappa or 0) >= 0.40
    labelled = read_kind_labels(SHARED / "subquestion/type-annotations.jsonl")
    of_kinds = await agree_on_kinds(ExtractiveReasoner(shared_embedder()), labelled)
    assert len(of_kinds.truth) + of_kinds.left_out == 100
    assert (of_kinds.accuracy or 0) >= 0.70
    assert (of_kinds.kappa or 0) >= 0.45


def test_intervals_resample_questions_not_items() -> None:
    """Ten items of one question say no more than one: the interval is as wide as with one each."""
    said = {"core": ("core", "core"), "known": ("known", "known"), "wrong": ("core", "known")}
    each = [(kind, f"{kind} {n}") for kind in ("core", "known", "wrong") for n in range(6)]

    def agreement(items: list[tuple[str, str]]) -> Agreement:
        return Agreement(
            engine="e",
            truth=tuple(said[kind][0] for kind, _ in items),
            said=tuple(said[kind][1] for kind, _ in items),
            questions=tuple(question for _, question in items),
        )

    once, often = agreement(each), agreement([item for item in each for _ in range(10)])
    assert once.intervals() == often.intervals()
    accuracy, kappa = once.intervals()
    assert accuracy is not None
    assert accuracy[0] <= 2 / 3 <= accuracy[1]
    assert accuracy[1] - accuracy[0] > 0.4
    assert kappa is not None
    assert kappa[0] < (once.kappa or 0) < kappa[1]
    assert often.as_json()["questions"] == 18
    assert agreement(each[:1]).intervals() == (None, None)


def test_accuracys_interval_is_that_of_the_mean_with_ties_half_right() -> None:
    truth = ("a", "b", "a", "a", "b", "a", "b", "b")
    said = ("a", "b", "b", "tie", "b", "a", "a", "b")
    found = Agreement(
        engine="e", truth=truth, said=said, questions=tuple(map(str, range(len(truth))))
    )
    accuracy, _ = found.intervals()
    points = [0.5 if s == "tie" else float(t == s) for t, s in zip(truth, said, strict=True)]
    mean = bootstrap_mean(points)
    assert accuracy == pytest.approx((mean.low, mean.high), abs=0.07)
