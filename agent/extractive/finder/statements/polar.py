"""Yes-or-no questions: settled by a fact that says it, or by one that says something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.citations.content.words import content_words
from agent.citations.support.clauses import said_of_another
from agent.extractive.finder.asked import Asked
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.forms import NAMED, without_dates
from agent.extractive.finder.labels import SAME_MATTER_FROM, best_column, head_score, is_own_cell
from agent.extractive.finder.ranking import rank_facts
from agent.extractive.finder.statements.denial import Known, stated
from agent.extractive.finder.values import FOUND_FROM, split_values
from agent.extractive.language.stems import content_stems, words_of
from retrieval.types import Embedder

SAID_FROM = 0.75
"""Share of a statement's words that a fact must hold to say it."""
HINTED_FROM = 0.5
STATED_FROM = 0.4
"""Score from which a label is about what a statement says whose value the statement names: "Does it
pay with the Swiss franc?" beside "Currency: Swiss franc"."""
MEANT_FROM = 0.75
"""Share and score that together say it: "is the capital of South Korea" for "a national capital"."""
_NEGATIONS = frozenset(["not", "no", "never", "neither", "nor", "without"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Polar:
    """An answer to a yes-or-no question."""

    yes: bool
    fact: Fact
    score: float


def read_polar(
    asked: Asked, facts: Sequence[Fact], embedder: Embedder, known: Known
) -> Polar | None:
    """Return yes where a fact states what is asked, no where it states another value, else None.

    Silence is no denial: without a fact about the same matter the question stays open.

    Args:
        asked: the question.
        facts: of the hits.
        embedder: compares meanings.
        known: tells what kind of thing a name is.
    """
    of_chunk: dict[str, list[Fact]] = {}
    for fact in facts:
        of_chunk.setdefault(fact.hit.chunk.id, []).append(fact)
    for fact in facts:
        told = stated(asked, fact, known, of_chunk[fact.hit.chunk.id])
        if told is not None:
            return Polar(yes=told, fact=fact, score=1.0)
    own = [fact for fact in facts if own_value(asked, fact) is not None]
    saying = [fact for fact in own if states(asked, fact, fact.cells[0][1])]
    if own:
        best = max(saying or own, key=lambda fact: head_score(asked, fact))
        return Polar(yes=bool(saying), fact=best, score=1.0)
    statement = frozenset(content_stems(asked.text))
    subject = frozenset(stem_ for name in asked.subjects[:1] for stem_ in content_stems(name))
    wanted = statement - subject or statement
    best_no: Polar | None = None
    for fact, score in rank_facts(asked, facts, embedder):
        held = frozenset(content_stems(fact.context))
        if subject and len(subject & held) * 2 <= len(subject):
            continue
        share = len(wanted & held) / max(len(wanted), 1)
        low = fact.context.casefold()
        named = all(name.casefold() in low for name in asked.names[1:])
        # "Was X born in Japan?": a birthplace without Japan in it does not say so.
        apart = subject and said_of_another(
            asked.subjects[0], list(content_words(asked.text)), fact.text
        )
        if apart:
            continue
        if named and (share >= SAID_FROM or (share >= HINTED_FROM and score >= MEANT_FROM)):
            negated = bool(_NEGATIONS & {word.lower() for word in words_of(fact.text)})
            return Polar(yes=not negated, fact=fact, score=score)
        # A box that gives the very attribute another value denies the statement.
        same_matter = fact.kind == "value" and best_column(asked, fact) is not None
        if best_no is None and score >= FOUND_FROM and same_matter:
            best_no = Polar(yes=False, fact=fact, score=score)
    return best_no


def own_value(asked: Asked, fact: Fact) -> str | None:
    """The value of a box of the very thing asked about whose label gives what is asked.

    None where the fact is none, or the statement names nothing that a value could be.
    """
    if fact.kind != "value" or len(asked.names) < 2 or not is_own_cell(asked, fact):
        return None
    value = fact.cells[0][1]
    # Who founded it is no matter of a label with the year.
    if NAMED.search(without_dates(value)) is None:
        return None
    least = STATED_FROM if states(asked, fact, value) else SAME_MATTER_FROM
    return value if head_score(asked, fact) >= least else None


def states(asked: Asked, fact: Fact, value: str) -> bool:
    """Whether a statement names one of the things of a value, all words of it."""
    said = frozenset(content_stems(asked.text))
    titles = {title.casefold() for title in asked.subjects}
    return any(
        item.casefold() in titles or (stems and stems <= said)
        for item in (value, *split_values(value, fact), *value.split(", "))
        for stems in [frozenset(content_stems(item))]
    )
