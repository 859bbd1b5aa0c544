"""How questions were read: each is planned once, and its plans are the same at every step of its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.extractive.composer.run_plan import in_force, tries
from agent.extractive.open_ended.outline import section_asked
from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.plan import plans_of, reworded_plans_of, whole_question, whole_text
from agent.extractive.planner.writer.model import Planner, embedded_writer
from agent.extractive.reader.whole import with_whole
from agent.extractive.sources import Sources
from agent.types import SubQuestion

MOST_KEPT = 64
"""Questions whose reading is kept."""


class Readings:
    """The plans of questions, in the order in which they are tried.

    Args:
        sources: tells which titles names lead to, and how articles begin.
        planner: writes plans; None for the embedded writer.
    """

    def __init__(self, sources: Sources, planner: Planner | None) -> None:
        self._planner = planner
        self._looked_up = (sources.title_of, sources.lead_of, sources.titles_near)
        self._known: dict[str, tuple[Decomposition, ...]] = {}
        self._reworded: set[str] = set()
        """Questions whose plans hold those of other wordings."""

    def of(self, question: str) -> tuple[Decomposition, ...]:
        """Return the plans of a question, the likeliest first."""
        found = self._known.get(question)
        if found is None and section_asked(question):
            return (replace(whole_question(question), open_ended=True),)
        if found is None:
            found = plans_of(question, self._writer(), *self._looked_up)
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
                self._reworded.clear()
            found = with_whole(found)
            self._known[question] = found
        return found

    def with_reworded(self, question: str) -> tuple[Decomposition, ...]:
        """Return the plans of a question, and behind them those of its other wordings."""
        known = self.of(question)
        if question in self._known and question not in self._reworded:
            more = reworded_plans_of(question, known, self._writer(), *self._looked_up)
            self._reworded.add(question)
            self._known[question] = known = (*known, *more)
        return known

    def _writer(self) -> Planner:
        return self._planner or embedded_writer()

    def so_far(
        self, question: str, sub_questions: Sequence[SubQuestion]
    ) -> tuple[Decomposition, ...]:
        """Return the plans of a question, those of other wordings where one of them is run."""
        plans = self.of(question)
        later = tries(step.id for step in sub_questions) > len(plans)
        return self.with_reworded(question) if later else plans

    def in_force(self, question: str, sub_questions: Sequence[SubQuestion]) -> Decomposition:
        """Return the plan whose steps are asked: the first, or that of a later try."""
        plans = self.so_far(question, sub_questions)
        return plans[min(in_force(plans, sub_questions), len(plans)) - 1]

    def is_account(self, question: str) -> bool:
        """Whether a question was read before, and asks for an account."""
        known = self._known.get(question)
        return known is not None and known[0].open_ended

    def of_step(self, step: str) -> tuple[Decomposition, ...]:
        """Return the plans of a question that a step asks as a person asked it; none of other steps."""
        asked = whole_text(step)
        known = (plans for asking, plans in self._known.items() if whole_text(asking) == asked)
        return next(known, ())
