from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.humans.labels import Preference
from evals.humans.weights import CORE_ONLY, Pair, accuracy_of, search_weights, weigh
from evals.judges.pairwise import win_rates
from evals.judges.preference_offline import LongerAnswer, RatedPreference
from evals.judges.verdict import wins_both_ways
from evals.metrics.coverage import Coverage, RatingWeights
from evals.ports import Covered
from evals.reports.command import rated_preference
from evals.types import GoldStep, Sample
from tests.unit.evals.report_runs import make_run


async def test_the_longer_answer_is_what_a_judge_has_to_beat() -> None:
    judge = LongerAnswer()
    assert await wins_both_ways(judge, "q", "much longer", "short") == (1.0, 0)
    assert (await judge.prefer("q", "short", "much longer")).choice == "B"
    assert (await judge.prefer("q", "same", "also")).choice == "TIE"


async def test_ratings_decide_between_answers_that_have_one() -> None:
    judge = RatedPreference({("q", "a"): 0.5, ("q", "b"): 0.25, ("q", "c"): 0.5}, "fake")
    assert (await judge.prefer("q", "a", "b")).choice == "A"
    assert (await judge.prefer("q", "b", "a")).choice == "B"
    assert (await judge.prefer("q", "a", "c")).choice == "TIE"
    assert (await judge.prefer("q", "a", "d")).unscored == "an answer has no coverage rating"
    rates = await win_rates(judge, {"1": "q"}, {"x": {"1": "a"}, "y": {"1": "b"}})
    assert rates.judge == "coverage rating (fake)"
    assert rates.matrix() == [[None, 1.0], [0.0, None]]


def test_runs_without_ratings_have_no_judge_by_rating(tmp_path: Path) -> None:
    assert rated_preference([make_run(tmp_path / "run")], {}) is None


KINDS = ("core", "background", "follow_up")
coverages = st.lists(
    st.builds(Coverage, kind=st.sampled_from(KINDS), answered=st.booleans()), min_size=1, max_size=8
)
pairs = st.lists(
    st.tuples(coverages, coverages, st.sampled_from(["a", "b"])), min_size=1, max_size=8
)


@settings(deadline=None, max_examples=30)
@given(pairs)
def test_found_weights_are_as_good_as_any_of_the_grid(of: list[Pair]) -> None:
    found = accuracy_of(of, search_weights(of))
    assert found is not None
    assert found >= (accuracy_of(of, RatingWeights()) or 0)
    assert found >= (accuracy_of(of, CORE_ONLY) or 0)
    swapped: list[Pair] = [(b, a, "b" if said == "a" else "a") for a, b, said in of]
    assert accuracy_of(swapped, search_weights(of)) == pytest.approx(found)


def test_of_equally_good_weights_the_papers_are_taken() -> None:
    core = [Coverage(kind="core", answered=True)]
    none = [Coverage(kind="core", answered=False)]
    assert search_weights([(core, none, "a")]) == RatingWeights()
    assert accuracy_of([], RatingWeights()) is None


class Held:
    """Covers the sub-questions whose text the answer holds; cannot say of "?"."""

    name = "held"

    async def covers(self, text: str, sub_questions: list[str]) -> list[Covered]:
        return [
            Covered(covered=None, unscored="none") if text == "?" else Covered(covered=q in text)
            for q in sub_questions
        ]


async def test_weights_are_chosen_on_some_questions_and_tested_on_the_others() -> None:
    # People of this data like follow-ups: the paper's weight of −1 orders every pair wrongly.
    samples = [
        Sample(
            id=str(n),
            question=f"Question {n}",
            steps=(
                GoldStep(id="1", question="more", kind="follow_up"),
                GoldStep(id="2", question="heart", kind="core"),
            ),
        )
        for n in range(6)
    ]
    pairs = [
        Preference(question=f"question  {n}", a="heart more", b="heart", preferred="a")
        for n in range(6)
    ]
    pairs += [
        Preference(question="question 1", a="x", b="y", preferred=""),
        Preference(question="question 2", a="?", b="y", preferred="a"),
        Preference(question="not taken apart", a="x", b="y", preferred="a"),
    ]
    found = await weigh(Held(), pairs, samples)  # type: ignore[arg-type]
    assert (found.chosen_on, found.tested_on, found.unscored) == (3, 3, 1)
    assert found.found.follow_up > 0
    assert found.accuracy == {"found": 1.0, "paper": 0.0, "core only": 0.5}
    assert found.as_json()["engine"] == "held"
