"""Finds the members of a set that a sub-question asks for, and says how sure it is of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from agent.extractive.composer.sub_answers import sub_answer, told_by
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.forms import with_unit
from agent.extractive.finder.keyed import keyed_row
from agent.extractive.finder.kinds import defined_as, names_other_kind, same_kind
from agent.extractive.finder.labels import GIVEN_FROM, head_score
from agent.extractive.finder.lists import find_members
from agent.extractive.finder.values import Reading, read_best, split_values
from agent.extractive.language.subjects import is_held_against
from agent.extractive.language.words import count_of
from agent.extractive.reader.sets import DOUBTED_BELOW, SET_FROM, certainty_of_set
from agent.extractive.reader.span import Reader
from agent.extractive.sources import Sources
from agent.types import SubAnswer, SubQuestion
from retrieval.types import Embedder

AS_GOOD = 0.01
"""Difference of labels' scores within which one gives what is asked as well as another."""
OF_ITS_KIND = 0.1
"""What a label gains whose word means the kind of thing asked for: "Cities", of capitals."""


class SetAnswers:
    """Answers sub-questions that ask for several things.

    Args:
        embedder: compares meanings.
        sources: titles and the whole text of articles.
    """

    def __init__(self, embedder: Embedder, sources: Sources) -> None:
        self._embedder = embedder
        self._sources = sources

    def given(self, question: SubQuestion, asked: Asked, facts: Sequence[Fact]) -> SubAnswer | None:
        """Answer with a box that gives what is asked of the very thing it is about, or not at all."""
        own = [
            one
            for one in facts
            if one.kind == "value" and one.cells and one.title in asked.subjects
        ]
        scored = [(head_score(asked, fact), fact) for fact in own]
        # Of several labels that might, the ones that do best: a river has cities and countries.
        likely = [
            (score + OF_ITS_KIND * same_kind(asked.noun, fact.label), fact)
            for score, fact in scored
            if score >= GIVEN_FROM
        ]
        most = max((score for score, _ in likely), default=0.0)
        top = [fact for score, fact in likely if score >= most - AS_GOOD]
        best = read_best(asked, top, self._embedder) if top else keyed(asked, facts, self._sources)
        if best is None or (len(best.values) == 1 and (count_of(question.text) or 1) > 1):
            return None  # the largest moon is not "the two largest"
        return self._of_their_kind(question, asked, best)

    def _of_their_kind(
        self, question: SubQuestion, asked: Asked, best: Reading
    ) -> SubAnswer | None:
        """Answer with those of a box that their articles call what is asked for.

        "Cities: Ostby, Vik" does not say which of them are capitals.
        """
        found = told_by(question, best.value, best.fact, best.values)
        if not names_other_kind(asked.noun, best.fact.label):
            return found
        leads = {name: self._sources.lead_of(name) for name in found.items}
        called = tuple(one for one, lead in leads.items() if defined_as(asked.noun, lead))
        if not all(leads.values()):
            error = "nothing says of what kind each of them is"
            return replace(found, status="unsure", error=error)
        return sub_answer(question, ", ".join(called), called, [best.fact]) if called else None

    def listed(
        self, question: SubQuestion, asked: Asked, facts: Sequence[Fact]
    ) -> SubAnswer | None:
        """Answer with the table, list or enumeration that fits best, or not at all."""
        count = count_of(question.text)
        listing = find_members(asked, facts, self._embedder, count, self._sources.lead_of)
        if listing is None:
            return None
        names = tuple(dict.fromkeys(member.name for member in listing.members))
        sources = list({id(member.fact): member.fact for member in listing.members}.values())
        return sub_answer(question, ", ".join(names), names, sources)

    def sureness(
        self, asked: Asked, found: SubAnswer, facts: Sequence[Fact], reader: Reader
    ) -> Literal["certain", "likely", "doubtful"]:
        """Say whether what was found is certain to be the set asked for, whatever its lines say.

        Args:
            asked: the sub-question.
            found: with citations of facts.
            facts: of the articles that were read.
            reader: points at words.
        """
        cited = {(one.chunk_id, one.quote) for one in found.citations}
        lines = [one for one in facts if (one.hit.chunk.id, one.text) in cited]
        if not lines:
            return "likely"
        if any(is_held_against(asked.text, one.title, one.text) for one in lines if not one.cells):
            return "doubtful"
        lead_of = self._sources.lead_of
        chance = certainty_of_set(asked, found.items, lines, facts, reader, lead_of)
        if chance >= SET_FROM:
            return "certain"
        # What a label of the very thing's box lists was chosen by the label's meaning.
        boxed = lines[0].kind == "value" and len(found.items) > 1 and chance > 0
        return "likely" if boxed or chance >= DOUBTED_BELOW else "doubtful"


def keyed(asked: Asked, facts: Sequence[Fact], sources: Sources) -> Reading | None:
    """Return what the row gives that a question chooses by a year or a name in it."""
    found = keyed_row(asked, facts, sources.facts_at)
    if found is None:
        return None
    fact, column = found
    value = with_unit(*fact.cells[column])
    return Reading(fact=fact, score=1.0, value=value, values=split_values(value, fact))
