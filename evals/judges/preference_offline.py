"""Judges of preference that need no language model: by coverage rating, and by length.

Both give the same verdict in both orders, so a tie is a tie and never a liking for a position.
"""

from __future__ import annotations

from collections.abc import Mapping

from evals.ports import Verdict


class RatedPreference:
    """Prefers the answer with the higher coverage rating, as scored (Xie et al., section 4).

    Args:
        ratings: (question, answer) → rating.
        coverage: who judged the coverage.
    """

    def __init__(self, ratings: Mapping[tuple[str, str], float], coverage: str) -> None:
        self._ratings = ratings
        self._coverage = coverage

    @property
    def name(self) -> str:
        """Says that ratings were compared, and who judged the coverage they come from."""
        return f"coverage rating ({self._coverage})"

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        """Say whose rating is higher: "A", "B" or "TIE"; unscored where one has none."""
        first, second = self._ratings.get((question, a)), self._ratings.get((question, b))
        if first is None or second is None:
            return Verdict(choice=None, unscored="an answer has no coverage rating")
        choice = "TIE" if first == second else "A" if first > second else "B"
        return Verdict(choice=choice, reasoning=f"Ratings: A {first:.2f}, B {second:.2f}.")


class LongerAnswer:
    """Prefers the longer answer, in characters: what any judge of preference has to beat."""

    name = "the longer answer"

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        """Say which answer is longer: "A", "B" or "TIE"."""
        choice = "TIE" if len(a) == len(b) else "A" if len(a) > len(b) else "B"
        return Verdict(choice=choice, reasoning=f"Characters: A {len(a)}, B {len(b)}.")
