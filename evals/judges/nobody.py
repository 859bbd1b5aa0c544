"""The judges of an answer that never came: nobody is asked, since it counts 0 whatever they would say.

Scoring an empty answer with them tells which metrics a question is scored in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evals.ports import Covered, Extracted, Judges, Verdict


class Nobody:
    """Stands for a judge of any kind and calls no model; what it says is not to be counted."""

    name = "nobody"

    async def choose(
        self, prompt: str, choices: Sequence[str], fields: Mapping[str, str]
    ) -> Verdict:
        """Return the first choice."""
        return Verdict(choice=choices[0])

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        """Return "B"."""
        return Verdict(choice="B")

    async def covers(self, text: str, sub_questions: Sequence[str]) -> list[Covered]:
        """Return that nothing is covered."""
        return [Covered(covered=False) for _ in sub_questions]

    async def extract(self, question: str, text: str) -> Extracted:
        """Return the whole text."""
        return Extracted(text=text)


def in_place_of(judges: Judges) -> Judges:
    """Return `Nobody` for every judge that there is: the same metrics have values, without a call."""
    nobody = Nobody()
    return replace(
        judges,
        judge=judges.judge and nobody,
        panel=tuple(nobody for _ in judges.panel),
        coverage=judges.coverage and nobody,
        extractor=judges.extractor and nobody,
    )
