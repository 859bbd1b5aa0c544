"""Compound questions from infobox facts: the two types that rules can make honestly.

Several facts of one article are a Factual-Statement question, a comparison of two articles with
another fact of each a Comparison-and-Selection question. Causes, hypotheses and suggestions are not
in an infobox: those types need a model.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from evals.builders.counterfactual.chains import first_of
from evals.builders.counterfactual.passages import is_person, pronoun_of
from evals.builders.cq_syn.item import CompoundItem
from evals.builders.infobox.facts import Entity, Factbook
from evals.builders.infobox.labels import RELATIONS
from evals.builders.infobox.relations import Relation
from evals.builders.types import Provenance

BY_RULES = ("Factual_Statement", "Comparison_and_Selection")
_FACTS = 3
"""Questions in one; the published items have two or three."""
_POSSESSIVE = {"he": "his", "she": "her", "it": "its"}
_MOST_OF_A_PATTERN = 3


def compose_items(book: Factbook, type_: str, dimension: str, seed: int) -> list[CompoundItem]:
    """Return every compound question of a type that the infoboxes allow, varied ones first."""
    rng = random.Random(f"{seed} {type_}")
    entities = [
        entity for title in book.shuffled(rng) if (entity := book.entity(title)) is not None
    ]
    find = _factual if type_ == "Factual_Statement" else _comparing
    items: list[CompoundItem] = []
    patterns: dict[str, int] = {}
    late: list[CompoundItem] = []
    for pattern, item in find(book, entities, dimension, seed, rng):
        patterns[pattern] = patterns.get(pattern, 0) + 1
        (items if patterns[pattern] <= _MOST_OF_A_PATTERN else late).append(item)
    return [*items, *late]


def _factual(
    book: Factbook, entities: Sequence[Entity], dimension: str, seed: int, rng: random.Random
) -> Iterator[tuple[str, CompoundItem]]:
    for entity in entities:
        known = [r for label in entity.facts if (r := RELATIONS.get(label)) and _asks(r, entity)]
        pronoun = pronoun_of(entity.prose) if is_person(entity) else "it"
        if len(known) < _FACTS or not pronoun:
            continue
        chosen = rng.sample(known, _FACTS)
        questions = [
            _part(relation, entity.shown if number == 0 else pronoun)
            for number, relation in enumerate(chosen)
        ]
        sentences = [
            relation.sentence(entity, relation.value_of(entity), "" if number == 0 else pronoun)
            for number, relation in enumerate(chosen)
        ]
        question = f"{', '.join(questions[:-1])}, and {questions[-1]}?"
        pattern = " ".join(sorted(relation.label for relation in chosen))
        yield (
            pattern,
            _make(
                book, "Factual_Statement", dimension, [entity], chosen, question, sentences, seed
            ),
        )


def _asks(relation: Relation, entity: Entity) -> bool:
    """Tell whether an article has a plain value that its name does not say: "Salem, Oregon"."""
    value = relation.value_of(entity)
    return bool(value) and re.search(rf"\b{re.escape(value)}\b", entity.shown) is None


def _part(relation: Relation, subject: str) -> str:
    """Return a relation's question without its mark, small, its subject a name or a pronoun."""
    ask = relation.ask.removesuffix("?")
    if subject in _POSSESSIVE:
        ask = re.sub(r"\bthe ((?:\w+ )*\w+) of \{s\}", rf"{_POSSESSIVE[subject]} \1", ask)
        ask = ask.replace("of {s}", "of it" if subject == "it" else f"of {_OBJECT[subject]}")
    ask = ask.format(s=subject)
    return ask[0].lower() + ask[1:]


_OBJECT = {"he": "him", "she": "her"}


def _comparing(
    book: Factbook, entities: Sequence[Entity], dimension: str, seed: int, rng: random.Random
) -> Iterator[tuple[str, CompoundItem]]:
    used: set[str] = set()
    for entity in entities:
        # Nobody chooses between people for the day they were born on.
        if entity.title in used or is_person(entity):
            continue
        for label in rng.sample(sorted(entity.facts), len(entity.facts)):
            relation = RELATIONS.get(label)
            if relation is None or not relation.two or not relation.value_of(entity):
                continue
            found = _rival(entity, entities, relation, used)
            if found is None:
                continue
            other, second, first = found
            pair = (entity, other)
            wanted = _predicate(relation)
            question = (
                f"Compare {entity.shown} and {other.shown}: {_part(relation, 'each of them')}, "
                f"{_part(second, 'each of them')}, and which of the two would you choose if it had "
                f"to be the one that {wanted}?"
            )
            chosen = pair[first].shown
            sentences = [
                *(relation.sentence(one, relation.value_of(one)) for one in pair),
                *(second.sentence(one, second.value_of(one)) for one in pair),
                f"The one to choose is {chosen}, since it is {chosen} that {wanted}.",
            ]
            used |= {entity.title, other.title}
            yield (
                f"{relation.label} {second.label}",
                _make(
                    book,
                    "Comparison_and_Selection",
                    dimension,
                    pair,
                    [relation, second],
                    question,
                    sentences,
                    seed,
                ),
            )
            break


def _comparable(one: Entity, other: Entity) -> bool:
    """Tell whether two articles are of one make, so that somebody might choose between them."""
    shared = one.facts.keys() & other.facts.keys()
    if len(shared) * 2 < len(one.facts.keys() | other.facts.keys()):
        return False
    # Boxes of planets and moons, or of two trades, are alike in what they have in common, not in
    # what sets them apart.
    heads = [_HEAD.search(entity.prose) for entity in (one, other)]
    return all(heads) and heads[0][1].lower() == heads[1][1].lower()  # type: ignore[index]


_HEAD = re.compile(
    r"\b(?:is|was|are|were) (?:an?|the|one of the) (?:[\w'’-]+[ ,]+(?:and )?){0,7}?"
    r"([a-z]+)(?=[.,;:]| (?:of|in|on|and|that|which|who|with|from|by|at|for|to|between|whose)\b)"
)
"""The noun that an article's first sentence says its subject is."""


def _rival(
    entity: Entity, entities: Sequence[Entity], relation: Relation, used: set[str]
) -> tuple[Entity, Relation, int] | None:
    """Return another of the same make, a further fact of both, and which of the two comes first."""
    for other in entities:
        shared = entity.facts.keys() & other.facts.keys()
        if other is entity or other.title in used or not _comparable(entity, other):
            continue
        first = first_of(relation, [relation.value_of(entity), relation.value_of(other)])
        further = [
            r
            for label in sorted(shared - {relation.label})
            if (r := RELATIONS.get(label)) and _asks(r, entity) and _asks(r, other)
        ]
        if first is not None and further and relation.value_of(other):
            return other, further[0], first
    return None


def _predicate(relation: Relation) -> str:
    """Return what is said of the one that comes first: "has the larger population"."""
    return re.sub(r"^(?:Which|Who) ", "", relation.two.partition(", {a}")[0])


def _make(
    book: Factbook,
    type_: str,
    dimension: str,
    entities: Sequence[Entity],
    relations: Sequence[Relation],
    question: str,
    sentences: Sequence[str],
    seed: int,
) -> CompoundItem:
    chunks = dict.fromkeys(
        entity.facts[relation.label].chunk for entity in entities for relation in relations
    )
    titles = tuple(entity.title for entity in entities)
    return CompoundItem(
        id=f"{type_}:{'+'.join(str(entity.article.revision.page_id) for entity in entities)}",
        kind=type_,
        articles=titles,
        provenance=Provenance(chunks=tuple(chunks), seed=seed),
        type=type_,
        dimension=dimension,
        context="\n\n".join(book.snapshot.chunk(chunk).text for chunk in chunks),
        original=relations[0].ask.format(s=entities[0].shown),
        question=question[0].upper() + question[1:],
        reference=" ".join(sentences),
    )
