"""Multi-hop questions over infobox facts: bridges along links, comparisons of values.

A bridge names its first article alone; every further one is the value of the fact before. A
comparison asks which of two or more has the earlier date or the larger quantity; one or two of
those compared may be named by a bridge.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from evals.builders.infobox.facts import Entity, Factbook
from evals.builders.infobox.labels import RELATIONS
from evals.builders.infobox.quantities import amount_of, days_of
from evals.builders.infobox.relations import Relation

_PLAIN_NAME = re.compile(r"[^\W\d_]{3}")
_LEAST_RATIO = 1.05
"""Quantities nearer to each other than this are not compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One sub-question: a fact of an entity."""

    entity: Entity
    relation: Relation
    value: str

    @property
    def question(self) -> str:
        """The sub-question, its subject by name."""
        return asked_of(self.relation, self.entity.shown, self.value)

    @property
    def answer(self) -> str:
        """The value; of a quantity the number alone, since the question names the unit."""
        return number_and_unit(self.relation, self.value)[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """A question and what it takes to answer it."""

    type: str
    """bridge or comparison."""
    question: str
    answer: str
    hops: tuple[Hop, ...]
    turned: tuple[tuple[str, str], ...] = ()
    """Of a comparison, (article, value): the values with which another wins, by two exchanged."""
    turned_answer: str = ""

    @property
    def pattern(self) -> str:
        """The relations, in order: what makes two questions of one make."""
        return f"{self.type} " + " > ".join(hop.relation.label for hop in self.hops)


def number_and_unit(relation: Relation, value: str) -> tuple[str, str]:
    """Return a quantity's number and how a question names its unit (" in km"); else value and ""."""
    found = re.fullmatch(r"(\d[\d,.]*)(?: (.*))?", value) if relation.sort == "quantity" else None
    if found is None:
        return value, ""
    unit = re.sub(r"\s*\b(?:inhabitants|people)\b", "", found[2] or "")
    named = re.sub(r"^(million|billion)\b", r"\1s", unit)
    return found[1], f" in {named}" if named else ""


def asked_of(relation: Relation, subject: str, value: str) -> str:
    """Return the question for a fact of a subject, with the unit that the answer leaves out."""
    unit = number_and_unit(relation, value)[1]
    return relation.ask.format(s=subject).removesuffix("?") + f"{unit}?"


def bridges(book: Factbook, start: Entity, hops: int, rng: random.Random) -> Iterator[Chain]:
    """Yield every bridge of so many hops from an article, in random order."""
    yield from _extend(book, (), start, hops, rng)


def _extend(
    book: Factbook, before: tuple[Hop, ...], entity: Entity, hops: int, rng: random.Random
) -> Iterator[Chain]:
    labels = [label for label in entity.facts if label in RELATIONS]
    rng.shuffle(labels)
    for label in labels:
        relation = RELATIONS[label]
        value = relation.value_of(entity)
        if not value or any(hop.relation.label == label for hop in before):
            continue
        path = (*before, Hop(entity=entity, relation=relation, value=value))
        if len(path) == hops:
            if _leads_on(path):
                yield _bridge(path)
            continue
        following = book.entity(relation.target_of(entity)) if relation.noun else None
        known = {hop.entity.title for hop in path}
        if following is not None and following.title not in known:
            yield from _extend(book, path, following, hops, rng)


def _leads_on(path: tuple[Hop, ...]) -> bool:
    """Tell whether every hop is needed and the answer is none of the names on the way."""
    answer = path[-1].value
    names = [name for hop in path for name in (hop.entity.name, hop.value)][:-1]
    if any(answer in name or name in answer for name in names):
        return False
    # An earlier article that states the answer itself is a way round the chain.
    return not any(answer in hop.entity.article.text for hop in path[:-1])


def _bridge(path: tuple[Hop, ...]) -> Chain:
    return Chain(
        type="bridge",
        question=asked_of(path[-1].relation, _described(path[:-1]), path[-1].value),
        answer=path[-1].answer,
        hops=path,
    )


def _described(path: tuple[Hop, ...]) -> str:
    """Return the phrase for the last value of a path: "the birthplace of the composer of X"."""
    phrase = path[0].entity.shown
    for hop in path:
        phrase = hop.relation.noun.format(s=phrase)
    return phrase


def comparisons(book: Factbook, start: Entity, hops: int, rng: random.Random) -> Iterator[Chain]:
    """Yield comparisons of so many hops that an article takes part in, in random order."""
    labels = [label for label in start.facts if label in RELATIONS and RELATIONS[label].two]
    rng.shuffle(labels)
    for label in labels:
        relation = RELATIONS[label]
        rivals = _alike(book, start, relation, rng)
        if not relation.value_of(start) or "," in start.name:
            continue
        for bridged in {2: (0,), 3: (1, 0), 4: (2, 0)}[hops]:
            compared = hops - bridged
            if len(rivals) < compared - 1:
                continue
            chain = _compare(book, [start, *rivals[: compared - 1]], relation, bridged, rng)
            if chain is not None:
                yield chain


def _alike(book: Factbook, start: Entity, relation: Relation, rng: random.Random) -> list[Entity]:
    """Return entities of the same make that state the relation in the same unit."""
    found: list[Entity] = []
    for title in book.shuffled(rng):
        other = book.entity(title)
        if other is None or other.title == start.title or not relation.value_of(other):
            continue
        shared = len(start.facts.keys() & other.facts) / len(start.facts.keys() | other.facts)
        if shared >= 0.5 and _PLAIN_NAME.match(other.name) and "," not in other.name:
            found.append(other)
        if len(found) == 6:
            break
    return found


def _compare(
    book: Factbook, compared: list[Entity], relation: Relation, bridged: int, rng: random.Random
) -> Chain | None:
    values = [relation.value_of(entity) for entity in compared]
    winner = first_of(relation, values)
    if winner is None:
        return None
    leading: list[Hop] = []
    names: list[str] = []
    for number, entity in enumerate(compared):
        hop = _leading_to(book, entity, compared, rng) if number < bridged else None
        if number < bridged and hop is None:
            return None
        leading += [hop] if hop else []
        names.append(hop.relation.noun.format(s=hop.entity.shown) if hop else entity.shown)
    facts = [
        Hop(entity=entity, relation=relation, value=value)
        for entity, value in zip(compared, values, strict=True)
    ]
    if len(names) == 2:
        question = relation.two.format(a=names[0], b=names[1])
    else:
        question = relation.many.format(list=f"{', '.join(names[:-1])} or {names[-1]}")
    other = rng.choice([n for n in range(len(compared)) if n != winner])
    exchanged = list(values)
    exchanged[winner], exchanged[other] = values[other], values[winner]
    return Chain(
        type="comparison",
        question=question,
        answer=compared[winner].name,
        hops=(*leading, *facts),
        turned=tuple((e.title, v) for e, v in zip(compared, exchanged, strict=True)),
        turned_answer=compared[other].name,
    )


def _leading_to(
    book: Factbook, entity: Entity, compared: list[Entity], rng: random.Random
) -> Hop | None:
    """Return a fact of another article whose one value is this entity."""
    links = [link.target for link in entity.article.links]
    rng.shuffle(links)
    for target in links:
        other = book.entity(target)
        if other is None or other.title in {e.title for e in compared}:
            continue
        for label in other.facts:
            relation = RELATIONS.get(label)
            if relation is None or not relation.noun or relation.target_of(other) != entity.title:
                continue
            value = relation.value_of(other)
            if value == entity.name and _PLAIN_NAME.match(other.name):
                return Hop(entity=other, relation=relation, value=value)
    return None


def first_of(relation: Relation, values: list[str]) -> int | None:
    """Return the index of the earliest date or the largest quantity; None where it is not clear."""
    if relation.sort == "date":
        days = [days for value in values if (days := days_of(value))]
        order = sorted(range(len(days)), key=lambda i: days[i])
        clear = len(days) == len(values) and days[order[0]][1] < days[order[1]][0]
        return order[0] if clear else None
    amounts = [amount_of(value) for value in values]
    units = {amount[1] for amount in amounts if amount}
    if any(amount is None for amount in amounts) or len(units) != 1:
        return None
    sizes = [amount[0] for amount in amounts if amount]
    order = sorted(range(len(sizes)), key=lambda i: sizes[i], reverse=True)
    clear = sizes[order[0]] > sizes[order[1]] * _LEAST_RATIO
    return order[0] if clear else None
