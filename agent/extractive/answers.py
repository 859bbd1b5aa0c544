"""How one sub-question is answered: by a box, a list, a title, a sentence, yes or no, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from agent.extractive.composer.sub_answers import sub_answer, told_by
from agent.extractive.finder.addresses import part_of_kind
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.attributes import described, embedded_matcher
from agent.extractive.finder.facts import Fact, facts_of
from agent.extractive.finder.forms import asks_amiss, tells_other_end, told_age
from agent.extractive.finder.kinds import (
    counts_others,
    fitting,
    other_kind,
)
from agent.extractive.finder.ranking import given
from agent.extractive.finder.rows import bound_in_words
from agent.extractive.finder.statements.extremes import asks_for_the_most, most_of_whole
from agent.extractive.finder.statements.groups import of_a_group
from agent.extractive.finder.statements.polar import read_polar
from agent.extractive.finder.titles import find_called, find_titled
from agent.extractive.finder.values import Reading, read_best
from agent.extractive.language.talk import OF_A_THING
from agent.extractive.open_ended.quotes import quote, section_named
from agent.extractive.planner.writer.model import embedded_writer
from agent.extractive.reader.certainty import LEAST_MARGIN, inside
from agent.extractive.reader.confirmation import agreement, windows_around
from agent.extractive.reader.proof import confirmed, is_from_there
from agent.extractive.reader.span import Reader, embedded_reader
from agent.extractive.reader.told import find_told
from agent.extractive.reader.values import Value, find_value, is_of_other_kind
from agent.extractive.reader.whole import as_asked, told_whole
from agent.extractive.reader.witness import witness
from agent.extractive.set_answers import SetAnswers, keyed
from agent.extractive.sources import Sources
from agent.extractive.weights.vectors import KnownVectors
from agent.reasoner import Finding
from agent.types import SubAnswer, SubQuestion
from corpus.types import Chunk
from retrieval.types import Embedder, Hit

DOUBTFUL_SET = "it is not sure that these are what is asked for, and all of them"
MOST_CONFIRMED = 256
"""Proofs that are kept."""
MOST_KNOWN = 2000
"""Sentences whose vectors are kept."""


class StepAnswers:
    """Answers sub-questions with quoted facts.

    Args:
        embedder: compares meanings.
        sources: titles, headings and the whole text of articles.
        reader: finds the words that answer, where labels do not; None for the embedded one.
    """

    def __init__(self, embedder: Embedder, sources: Sources, reader: Reader | None) -> None:
        self._embedder = embedder
        self.encode = KnownVectors(embedder.encode, MOST_KNOWN)
        """The embedder's vectors; what an account is chosen from is compared by plan and answer."""
        self._sources = sources
        self._reader = reader
        self._sets = SetAnswers(embedder, sources)
        self._certain: set[tuple[str, str, str]] = set()
        """Questions with the titles or members that answer them and the chunks that tell it, which were
        certain beside all that was read for them: a chunk by itself does not show that."""
        self._proves = lru_cache(MOST_CONFIRMED)(self._confirmed)
        """What was asked of a value while it was found is asked again when its citations are checked."""

    def answer(
        self, question: SubQuestion, hits: Sequence[Hit], *, account: bool = False
    ) -> Finding:
        """Answer one sub-question with the fact that fits best, quoted.

        Args:
            question: filled.
            hits: for it.
            account: whether it is known to ask for an account.
        """
        section = section_named(question.text, self._sources)
        if account or section is not None or self._wants_account(question.text):
            told, read = quote(question, section, hits, self._sources, self.encode)
            return _finding(question, told, hits, lambda: read)
        asked = as_asked(question.text, self._sources)
        named = zip(asked.names[:1], asked.subjects, strict=False)
        if any(asks_amiss(asked.text, one, self._sources.lead_of(title)) for one, title in named):
            return _finding(question, None, hits, tuple)
        seen = list(hits)
        found: SubAnswer | None = None
        facts = facts_of(seen)
        embedded_matcher().prepare(described(*cell) for fact in facts for cell in fact.cells)
        if (most := most_of_whole(asked, self._sources)) is not None:
            name, row = most
            return _finding(question, told_by(question, name, row), seen, lambda: (row,))
        # "Fewer than one million people": no label, row or sentence tells which of a set are meant.
        bounded = asked.many and bound_in_words(asked)
        if asked.form == "yes_no":
            found = self._polar(question, asked, facts)
        elif asked.many and not bounded:
            found = self._sets.given(question, asked, facts)
            if found is None:
                seen = self._sources.with_whole_articles(seen)
                found = self._sets.listed(question, asked, facts_of(seen))
        if found is None and asked.form != "yes_no" and not bounded:
            found = self._value(question, asked, facts)
            found = found and self._witnessed(question, asked, found, facts)
        if found is not None and asked.many and found.status == "answered":
            found = self._weighed(question, asked, found, seen)
            if len(found.items) > 1 and asks_for_the_most(asked):
                found = replace(found, status="unsure", error=DOUBTFUL_SET)
        return _finding(question, found, seen, lambda: self._sources.more_facts(asked, facts))

    def answer_whole(self, question: SubQuestion, hits: Sequence[Hit]) -> Finding:
        """Answer a person's question by one sentence that the reader is certain of, or not at all.

        Args:
            question: as it was asked.
            hits: for it.
        """
        reader = self._reader or embedded_reader()
        value = told_whole(question.text, hits, self._sources, reader, self._embedder)
        if value is None or counts_others(question.text, value.text, value.fact.text):
            return _finding(question, None, hits, tuple)
        self._remember_title(question, value)
        told = told_by(question, value.text, value.fact, value.items)
        return _finding(question, told, hits, tuple)

    def margin_of(self, question: str, hits: Sequence[Hit], answer: SubAnswer) -> float:
        """Return the reader's margin, in bounds, of an answer's words where it is asked another question.

        Args:
            question: as it was typed.
            hits: those that the answer cites among them.
            answer: to one of its steps, with one thing found.
        """
        cited = {(one.chunk_id, one.quote) for one in answer.citations}
        facts = facts_of(hits)
        reader = self._reader or embedded_reader()
        margins = (
            agreement(answer.items[0], fact, reader.read(question, windows_around(fact, facts)))
            for fact in facts
            if (fact.hit.chunk.id, fact.text) in cited
        )
        return inside(max(margins, default=LEAST_MARGIN))

    def _weighed(
        self, question: SubQuestion, asked: Asked, found: SubAnswer, hits: Sequence[Hit]
    ) -> SubAnswer:
        """What was found for a set: remembered where it is certain, unsure where it is doubtful."""
        facts = facts_of(self._sources.with_whole_articles(hits))
        sure = self._sets.sureness(asked, found, facts, self._reader or embedded_reader())
        if sure == "doubtful":
            return replace(found, status="unsure", error=DOUBTFUL_SET)
        if sure == "certain":
            chunks = {one.chunk_id for one in found.citations}
            self._remember((question.text, name, id_) for name in found.items for id_ in chunks)
        return found

    def _remember_title(self, question: SubQuestion, value: Value) -> None:
        if value.by_title and value.sure:
            self._remember([(question.text, value.text, value.fact.hit.chunk.id)])

    def _remember(self, certain: Iterable[tuple[str, str, str]]) -> None:
        if len(self._certain) >= MOST_CONFIRMED:
            self._certain.clear()
        self._certain.update(certain)

    def confirms(self, question: str, value: str, quote: str, chunk: Chunk) -> bool:
        """Whether words answer, though the quote says it otherwise (`reader.proof`)."""
        if (question, value, chunk.id) in self._certain:
            return is_from_there(question, value, quote, self._sources)
        return self._proves(question, value, quote, chunk)

    def _confirmed(self, question: str, value: str, quote: str, chunk: Chunk) -> bool:
        reader = self._reader or embedded_reader()
        return confirmed(question, value, quote, chunk, self._sources, reader, self._embedder)

    def _wants_account(self, question: str) -> bool:
        asks = embedded_writer().operator(question) == "explain"
        return asks and not OF_A_THING.match(question)

    def _polar(
        self, question: SubQuestion, asked: Asked, facts: Sequence[Fact]
    ) -> SubAnswer | None:
        told = of_a_group(asked, facts, self._sources)
        if told is None:
            polar = read_polar(asked, facts, self._embedder, self._sources)
            told = (polar.yes, polar.fact) if polar is not None else None
        if told is None:
            return None
        yes, fact = told
        word = "Yes" if yes else "No"
        return sub_answer(question, f"{word}: “{fact.text}”", (word,), [fact])

    def _value(
        self, question: SubQuestion, asked: Asked, facts: Sequence[Fact]
    ) -> SubAnswer | None:
        if (aged := told_age(asked, self._sources.facts_at)) is not None:
            return told_by(question, str(aged[0]), aged[1])
        if not asked.many:
            titled = find_titled(asked, facts, self._sources.lead_of)
            if len(titled) == 1:
                title, fact = titled[0]
                return sub_answer(question, f"{title} (“{fact.text}”)", (title,), [fact])
        kind = asked.kind_of_value
        facts = fitting(kind, facts, self._sources.lead_of)
        sure = given(asked, facts)
        more: list[Fact] = []
        if sure is None or sure.title not in asked.subjects:
            read = self._sources.more_facts(asked, facts)
            more = fitting(kind, read, self._sources.lead_of)
            sure = given(asked, [*facts, *more])
        if sure is not None:
            best = read_best(asked, facts, self._embedder, sure)
            return None if best is None else self._as_told(question, asked, best)
        chosen = keyed(asked, [*facts, *more], self._sources)
        if chosen is not None and not other_kind(kind, chosen.value, self._sources.lead_of):
            return self._as_told(question, asked, chosen)
        called = find_called(asked, [*facts, *more])
        if called is not None:
            title, fact = called
            return sub_answer(question, f"{title} (“{fact.text}”)", (title,), [fact])
        reader = self._reader or embedded_reader()
        value = find_value(asked, facts, self._embedder, reader, more)
        if value is not None and is_of_other_kind(
            asked.kind_of_answer, value, self._sources.told_of
        ):
            value = None
        elif value is not None and counts_others(asked.text, value.text, value.fact.text):
            value = replace(value, sure=False)
        if value is None or not value.sure:
            told = find_told(asked, facts, self._embedder, reader, self._sources.lead_of, more)
            value = told if value is None or (told is not None and told.sure) else value
        if value is None:
            return None
        if value.fact.kind == "sentence" and tells_other_end(asked.text, value.fact.text):
            value = replace(value, sure=False)
        self._remember_title(question, value)
        if part := self._part(asked, value.text, value.fact):
            value = replace(value, text=part, items=(part,))
        return told_by(question, value.text, value.fact, value.items, sure=value.sure)

    def _witnessed(
        self, question: SubQuestion, asked: Asked, found: SubAnswer, facts: Sequence[Fact]
    ) -> SubAnswer:
        """One value with the fact that proves it best, as found where none does."""
        if found.status != "answered" or len(found.items) != 1 or len(found.citations) != 1:
            return found
        value, cited = found.items[0], found.citations[0]
        read = [*facts, *self._sources.more_facts(asked, facts)]
        where = next(
            (one for one in read if (one.hit.chunk.id, one.text) == (cited.chunk_id, cited.quote)),
            None,
        )
        if where is None:
            return found
        fact = witness(asked, value, where, read, self.confirms)
        if fact is None and not asked.many:
            # "Largest satellite: Triton" proves nothing of how Triton turns: its own article does.
            reader = self._reader or embedded_reader()
            told = find_told(asked, facts, self._embedder, reader, self._sources.lead_of, read)
            if told is not None and told.sure and told.text == value:
                self._remember_title(question, told)
                fact = told.fact
        if fact is None or fact is where:
            return found
        return told_by(question, value, fact)

    def _as_told(self, question: SubQuestion, asked: Asked, best: Reading) -> SubAnswer:
        """Leave of an address what is of the kind asked for: the country a town is in."""
        part = self._part(asked, best.value, best.fact)
        return told_by(question, part or best.value, best.fact, () if part else best.values)

    def _part(self, asked: Asked, value: str, fact: Fact) -> str:
        """The part of an address that is of the kind asked for, "" where none is told to be."""
        if asked.many:
            return ""
        label = next((head for head, said in fact.cells if value in said), "")
        return part_of_kind(asked.kind or asked.noun, value, label, self._sources.lead_of)


def _finding(
    question: SubQuestion,
    found: SubAnswer | None,
    hits: Sequence[Hit],
    beyond: Callable[[], Sequence[Fact]],
) -> Finding:
    """What was found, "not found" for nothing, with the hits: those given, and what else it cites."""
    if found is None:
        found = SubAnswer(sub_question_id=question.id, status="not_found")
    cited = {citation.chunk_id for citation in found.citations} - {hit.chunk.id for hit in hits}
    facts = beyond() if cited else ()
    read = {fact.hit.chunk.id: fact.hit for fact in facts if fact.hit.chunk.id in cited}
    return Finding(sub_answer=found, hits=(*hits, *read.values()))
