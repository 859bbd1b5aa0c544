"""Yes-or-no questions: settled by a fact that says it, or by one that says something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.citations.content.words import KINDS_OF_THING, content_words, missing_words
from agent.citations.content.words import stem as plain_stem
from agent.citations.support.clauses import lesser, said_of_another, whose_else
from agent.citations.support.kinds import of_another_whole
from agent.citations.support.polarity import turned_words
from agent.extractive.finder.asked import Asked, hints_of
from agent.extractive.finder.facts import Fact
from agent.extractive.finder.forms import NAMED, without_dates
from agent.extractive.finder.labels import SAME_MATTER_FROM, best_column, head_score, is_own_cell
from agent.extractive.finder.ranking import rank_facts
from agent.extractive.finder.statements.denial import SAYS_CLASS, stated
from agent.extractive.finder.statements.extremes import of_an_extreme
from agent.extractive.finder.statements.roles import Articles, of_its_kind
from agent.extractive.finder.statements.sets import of_a_set
from agent.extractive.finder.values import FOUND_FROM, split_values
from agent.extractive.language.stems import content_stems, stem, words_of
from agent.extractive.language.words import is_superlative
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
    asked: Asked, facts: Sequence[Fact], embedder: Embedder, known: Articles
) -> Polar | None:
    """Return yes or no, or None where neither is told, or both are."""
    if _says_nothing(asked):
        return None
    found = _read(asked, facts, embedder, known)
    return None if found is not None and found.yes and _is_denied(asked, facts) else found


_HAVING = re.compile(r"(?:do|does|did|has|have|had) .*\b(?:have|got)\b", re.IGNORECASE)


def _says_nothing(asked: Asked) -> bool:
    """Whether a statement is two names and that one has the other: "Does Austria have Monaco?".

    What lists both, or gives one as the value of another matter, says nothing of that.
    """
    return _HAVING.match(asked.text) is not None and not asked.stems - {
        stem_ for name in asked.names for stem_ in content_stems(name)
    }


def _is_denied(asked: Asked, facts: Sequence[Fact]) -> bool:
    """Whether a sentence of the very thing's article denies what a statement says."""
    names = frozenset(content_words(" ".join((*asked.names, *asked.subjects))))
    said = {plain_stem(one) for one in content_words(asked.text) if one not in names}
    return any(
        fact.kind == "sentence"
        and fact.title in asked.subjects[:1]
        and all(name in fact.text for name in asked.names[1:])
        and not said.isdisjoint(turned_words(fact.text))
        for fact in facts
    )


def _read(asked: Asked, facts: Sequence[Fact], embedder: Embedder, known: Articles) -> Polar | None:
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
    own = [fact for fact in facts if own_value(asked, fact) is not None]
    saying = [fact for fact in own if states(asked, fact, fact.cells[0][1])]
    denying: Fact | None = None
    for fact in facts:
        told = stated(asked, fact, known, of_chunk[fact.hit.chunk.id])
        if told:
            return Polar(yes=True, fact=fact, score=1.0)
        denying = denying or (fact if told is False else None)
    # One label may deny what another says: a river's mouth, and the towns that it flows through.
    if denying is not None and not saying:
        return Polar(yes=False, fact=denying, score=1.0)
    settled = (
        of_its_kind(asked, known)
        or of_an_extreme(asked, facts, known)
        or of_a_set(asked, facts, known)
    )
    if settled is not None:
        listed = Polar(yes=settled[0], fact=settled[1], score=1.0)
        said = _said_in_prose(asked, facts, embedder) if listed.yes else None
        return said if said is not None and said.yes else listed
    prose = None if saying else _said_in_prose(asked, facts, embedder)
    if own and (prose is None or not prose.yes):
        # Another value only hints at "no"; a sentence that says it is more.
        best = max(saying or own, key=lambda fact: head_score(asked, fact))
        return Polar(yes=bool(saying), fact=best, score=1.0)
    return prose


def _said_in_prose(asked: Asked, facts: Sequence[Fact], embedder: Embedder) -> Polar | None:
    """What a sentence says of a statement, or a label of its matter that has another value."""
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
        # What a table is about is not told of each of its rows.
        silent = fact.kind == "row" and wanted.isdisjoint(content_stems(fact.text))
        other = any(told(asked.text, fact.text) for told in (whose_else, lesser, of_another_whole))
        if silent or apart or other:
            continue
        # A planet with a largest satellite is not the largest.
        if _extremes(asked) and (fact.cells or not _extremes(asked) <= held):
            continue
        if fact.kind == "value" and _told_elsewhere(asked, frozenset(content_stems(fact.label))):
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
    label, value = fact.cells[0]
    said = frozenset(content_stems(f"{label} {value}"))
    if not _extremes(asked) <= said:
        return None  # a moon of Jupiter need not be its largest
    # Who founded it is no matter of a label with the year.
    if NAMED.search(without_dates(value)) is None:
        return None
    told = _told_elsewhere(asked, frozenset(content_stems(label)))
    if told:
        return None
    least = STATED_FROM if told is False and states(asked, fact, value) else SAME_MATTER_FROM
    return value if head_score(asked, fact) >= least else None


def _extremes(asked: Asked) -> frozenset[str]:
    """Stems of the superlatives of a statement."""
    return frozenset(stem(word) for word in words_of(asked.text) if is_superlative(word))


def _told_elsewhere(asked: Asked, label: frozenset[str]) -> bool | None:
    """Whether other labels tell what a statement says, None where none is known to.

    Where someone taught is no matter of where they studied.
    """
    names = frozenset(content_words(" ".join((*asked.names, *asked.subjects))))
    said = (done for kind, done in SAYS_CLASS.items() if stem(kind) in label)
    known = names.union(KINDS_OF_THING, *said)
    wanted = [one for one in content_words(asked.text) if one not in known]
    open_ = False
    for word in missing_words(wanted, label):
        hints = hints_of(word)
        if hints and not hints & label:
            return True
        open_ = open_ or not hints
    return None if open_ else False


def states(asked: Asked, fact: Fact, value: str) -> bool:
    """Whether a statement names one of the things of a value, all words of it.

    The thing itself is none: "Princeton, New Jersey" is not said of Princeton University in New York.
    """
    others = [name for name in asked.names[1:] if name != asked.names[0]]
    own = asked.names[0] if asked.names and others else ""
    said = frozenset(content_stems(asked.text.replace(own, " ", 1) if own else asked.text))
    titles = {title.casefold() for title in asked.subjects[1:]}
    return any(
        item.casefold() in titles or (stems and stems <= said)
        for item in (value, *split_values(value, fact), *value.split(", "))
        for stems in [frozenset(content_stems(item))]
    )
