"""Whether words answer a step although their quote says it otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.citations.content.origins import asked_origin, without_origin
from agent.citations.content.other_names import other_names
from agent.citations.content.words import (
    KINDS_OF_THING,
    content_words,
    missing_words,
    stems_of,
)
from agent.citations.quotes import label_in_words
from agent.citations.support.answers import examine_answer
from agent.citations.support.members import ADDRESS, named_span
from agent.citations.support.roles import asked_roles, roles_in
from agent.extractive.finder.asked import Asked, read_asked
from agent.extractive.finder.attributes import IT
from agent.extractive.finder.facts import Fact, facts_of, tables_of
from agent.extractive.finder.forms import YEAR
from agent.extractive.finder.keyed import keyed_row
from agent.extractive.finder.kinds import defined_as
from agent.extractive.finder.labels import (
    GIVEN_FROM,
    gives,
    is_narrower,
    is_own_cell,
    naming_score,
)
from agent.extractive.finder.rows import between_named, tells_of_member
from agent.extractive.finder.statements.denial import stated
from agent.extractive.finder.statements.extremes import most_of_whole, of_an_extreme
from agent.extractive.finder.statements.groups import of_a_group
from agent.extractive.finder.statements.polar import own_value, states
from agent.extractive.finder.statements.roles import Articles, of_its_kind
from agent.extractive.finder.statements.sets import of_a_set
from agent.extractive.finder.values import split_values
from agent.extractive.language.classes import classes_of
from agent.extractive.language.names import bare_title, holds_name
from agent.extractive.language.verbs import is_base_verb, is_participle, is_past
from agent.extractive.planner.sets import noun_and_rest, told_of_member
from agent.extractive.reader.confirmation import is_certain
from agent.extractive.reader.span import Reader
from agent.extractive.reader.told import is_told
from corpus.form.languages import LANGUAGE_NAMES
from corpus.text import word_set
from corpus.types import Chunk
from retrieval.types import Embedder, Hit

_LANGUAGE = re.compile(
    rf"(?<!\w)(?:{'|'.join(map(re.escape, {name.casefold() for name in LANGUAGE_NAMES.values()}))})(?!\w)"
)
"""Names of languages, in lower case."""
_LYING = word_set("shore shores bank banks coast coasts side course way thru past round")
"""Words that say where things lie, and tell nothing of them."""
_COUNTED = re.compile(r"how many(?= )", re.IGNORECASE)
_WITH_KIND = re.compile(
    r"((?:(?:in|into|on|at|to|from|by) )?(?:which|what)(?: (?:is|was) the)?) (?P<kind>[a-z]+)\b ",
    re.I,
)
"""How a question begins that says of what kind its answer is."""
_WHICH_ONE = re.compile(
    r"(?<=[a-z]) (?:that|which|who) (?:is|was|are|were|has|had|have|can|could|\w+ed)\b"
)
"""A clause that says which of several is meant: "the stream that was uncovered"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Claim:
    """Words of a fact said to answer a step, with what they are judged by."""

    asked: Asked
    value: str
    fact: Fact
    facts: Sequence[Fact]
    """Of the fact's chunk."""
    known: Articles
    reader: Reader
    embedder: Embedder

    @property
    def near(self) -> Sequence[Fact]:
        """The facts of the whole article, those of the chunk first."""
        chunk = self.fact.hit.chunk.id
        others = self.known.facts_at(self.fact.title)
        return [*self.facts, *(one for one in others if one.hit.chunk.id != chunk)]

    def is_certain(self) -> bool:
        """Whether the reader is certain of the words."""
        return is_certain(self.asked, self.value, self.fact, self.near, self.reader, self.embedder)


def confirmed(
    question: str,
    value: str,
    quote: str,
    chunk: Chunk,
    known: Articles,
    reader: Reader,
    embedder: Embedder,
) -> bool:
    """Return whether words of a quote answer a question whose own words it lacks.

    Of a box or row its label must give what is asked of the very thing, or tell of a member what
    its set is told by; else, and of a sentence, the reader must be certain.

    Args:
        question: the step.
        value: the words.
        quote: that holds them.
        chunk: that holds the quote.
        known: tells which article a name leads to, and what kind of thing it is.
        reader: reads sentences.
        embedder: compares meanings.
    """
    label, *_ = quote.partition(": ")
    told = f"{quote} {label_in_words(label)}".casefold()
    if value != "No" and not all(one in told for one in _LANGUAGE.findall(question.casefold())):
        return False  # "its motto in English": a motto is not told to be in it by being one
    if asked_origin(question) and value not in ("Yes", "No"):
        if not is_from_there(question, value, quote, known):
            return False
        question = without_origin(question)
        verdict = examine_answer(question, (value,), quote, chunk)[0]
        if not verdict.wording:
            return verdict.ruling == "supported"
    asked = read_asked(question, known.subject_of)
    if not asked.many and _is_of_kind(asked, value, known):
        # The quote need not say of a man that he is an astronomer where his own article does.
        bare = _WITH_KIND.sub(r"\1 ", question)
        if examine_answer(bare, (value,), quote, chunk)[0].ruling == "supported":
            return True
    facts = facts_of([Hit(chunk=chunk, score=0.0, rank=1, source="read")])
    fact = next((one for one in facts if one.text == quote), None)
    if fact is None:
        return False
    claim = _Claim(
        asked=asked, value=value, fact=fact, facts=facts,
        known=known, reader=reader, embedder=embedder,
    )  # fmt: skip
    if asked.form == "yes_no":
        return _by_statement(claim)
    if not fact.cells:
        return _by_sentence(claim)
    if asked.many and fact.kind == "row":
        return _by_row_of_set(claim)
    return _by_cell(claim)


def _by_statement(claim: _Claim) -> bool:
    """Whether a fact settles a statement as an answer does: yes or no."""
    asked, fact, facts, known = claim.asked, claim.fact, claim.facts, claim.known
    told = stated(asked, fact, known, facts)
    if told is None:
        settled = (
            of_a_group(asked, facts, known)
            or of_its_kind(asked, known)
            or of_a_set(asked, facts, known)
            or of_an_extreme(asked, facts, known)
        )
        told = settled[0] if settled is not None and settled[1].text == fact.text else None
    if told is not None:
        return told == (claim.value == "Yes")
    own = own_value(asked, fact)
    return claim.value == "Yes" and own is not None and states(asked, fact, own)


def _by_sentence(claim: _Claim) -> bool:
    """Whether the reader is certain of words of a sentence, or of the title of its article."""
    if claim.is_certain():
        return True
    is_title = claim.value.casefold() == bare_title(claim.fact.title)
    return is_title and is_told(claim.asked, claim.fact, claim.near, claim.embedder, claim.reader)


def _by_row_of_set(claim: _Claim) -> bool:
    """Whether a row is of the set that is asked for, by where it stands or what it tells."""
    asked, fact, value = claim.asked, claim.fact, claim.value
    if _lies_between(asked, fact, claim.near):
        _, spanned = named_span(asked.text)
        ruled = examine_answer(spanned, (value,), fact.text, fact.hit.chunk)[0]
        return ruled.ruling == "supported"
    told = told_of_member(asked.text, IT)
    if told is not None and tells_of_member(asked, fact, value, *told):
        return True
    return _by_list_in_row(claim)


def _by_list_in_row(claim: _Claim) -> bool:
    """Whether one cell lists all of a set: "Year: 2010 | Laureates: A, B"."""
    asked, fact = claim.asked, claim.fact
    listing = next(
        (cell for _, cell in fact.cells[1:] if claim.value in split_values(cell, fact)), ""
    )
    if len(split_values(listing, fact)) <= 1:
        return False
    keyed = keyed_row(asked, claim.facts, claim.known.facts_at)
    if keyed is not None and keyed[0].text == fact.text:
        return fact.cells[keyed[1]][1] == listing
    return replace(claim, value=listing).is_certain()


def _by_cell(claim: _Claim) -> bool:
    """Whether a cell gives what is asked of its box's or row's thing, or the reader is certain of it."""
    asked, value, fact, facts = claim.asked, claim.value, claim.fact, claim.facts
    most = most_of_whole(asked, claim.known)
    if most is not None and (value, fact.text) == (most[0], most[1].text):
        return True
    if _lists_other_roles(asked, fact):
        return False
    named = split_values(fact.cells[0][1], fact) if fact.kind == "value" else ()
    counted = _COUNTED.match(asked.text)
    if counted and len(named) > 1 and value == str(len(named)):
        # Six countries under "Countries" are six if they are those that the question means.
        which = read_asked(f"Which{asked.text[counted.end() :]}", claim.known.subject_of)
        return _by_cell(replace(claim, asked=which, value=named[0]))
    keyed = keyed_row(asked, facts, claim.known.facts_at)
    if keyed is not None and keyed[0].text == fact.text and value in fact.cells[keyed[1]][1]:
        return not is_narrower(asked, fact, keyed[1])
    chosen = asked.many or _WHICH_ONE.search(asked.text) or len(named) > 1
    if chosen and _tells_more(asked, fact):
        return False
    if is_own_cell(asked, fact) and gives(asked, fact, value):
        return True
    if asked.many or _is_of_other_time(asked, fact, value):
        return False
    return claim.is_certain()


def _lists_other_roles(asked: Asked, fact: Fact) -> bool:
    """Whether a label that is not the asked one's lists things in roles that are not asked for.

    "Relatives: Ann (aunt), Bo (uncle)" names no brother.
    """
    return any(
        len(roles_in(value)) > 1
        and not asked_roles(asked.text, value)
        and naming_score(asked, head) < GIVEN_FROM
        for head, value in fact.cells
    )


def _lies_between(asked: Asked, fact: Fact, facts: Sequence[Fact]) -> bool:
    """Whether a row is one of those from one to the other of two names that a question has."""
    for rows in tables_of(facts):
        ends, between = between_named(asked.text, rows)
        if ends and any(row.text == fact.text for row in between):
            return True
    return False


def _is_of_other_time(asked: Asked, fact: Fact, value: str) -> bool:
    """Whether a question tells a year that is not that of a cell, or more than the cell's label does."""
    told = YEAR.findall(f"{fact.title} {fact.caption} {fact.context}")
    columns = (column for column, (_, cell) in enumerate(fact.cells) if value in cell)
    narrowed = any(is_narrower(asked, fact, column) for column in columns)
    return narrowed or not set(YEAR.findall(asked.text)).issubset(told)


def _tells_more(asked: Asked, fact: Fact) -> bool:
    """Whether a question tells of what a box names more than how it belongs to the box's thing.

    "Countries: A, B" says which countries the range lies in, and of none what money it uses.
    """
    _, told = noun_and_rest(asked.text)
    held = stems_of(f"{fact.title} {fact.text}")
    nearby = stems_of(fact.hit.chunk.text)
    # A place of birth is a town as well as it is a place.
    lying = _LYING | KINDS_OF_THING if ADDRESS.search(fact.cells[0][0]) else _LYING
    return not all(
        word in lying or _is_verb(word) for word in missing_words(content_words(told), held, nearby)
    )


def _is_verb(word: str) -> bool:
    """Whether a word may be a form of a verb: "pass", "passes", "passed"."""
    bases = (word, word.removesuffix("s"), word.removesuffix("es"))
    return any(map(is_base_verb, bases)) or is_past(word) or is_participle(word)


def _is_of_kind(asked: Asked, value: str, known: Articles) -> bool:
    """Whether the article of a value defines it as what is asked for: "which astronomer"."""
    noun = _WITH_KIND.match(asked.text)
    kind = asked.kind or asked.noun
    title = known.subject_of(value) if noun and kind == noun["kind"].lower() else None
    return title is not None and defined_as(kind, known.lead_of(title)) == 1


_LYING_IN = frozenset(["Country", "Location", "Nationality", "Headquarters", "State"])
"""Labels of a box that say where its thing is from."""


def is_from_there(question: str, value: str, quote: str, known: Articles) -> bool:
    """Return whether a value is told to be from where a question says: by quote, article or as all know.

    "American" is said of what is in the United States before it is of all that is in the Americas.
    """
    origin = asked_origin(question)
    if not origin:
        return True
    places = other_names(origin)
    places = tuple(one for one in places if "country" in classes_of(one)) or places
    title = known.subject_of(value) or value
    boxed = (one.text for one in known.facts_at(title) if one.label in _LYING_IN)
    said = " ".join((quote, known.lead_of(title), *boxed)).casefold()
    if any(holds_name(said, one) for one in (origin, *places)):
        return True
    country = classes_of(value).get("city of", "")
    lies_in = {country, *classes_of(country).values(), *classes_of(value).values()}
    members = {classes_of(one).get(of) for one in places for of in ("country", "continent")}
    return not lies_in.isdisjoint(members - {None})
