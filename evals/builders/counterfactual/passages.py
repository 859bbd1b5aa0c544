"""The factual passage of a chain: a paragraph for each article, and one that distracts.

A paragraph holds sentences from the beginning of the article (`prose`) and, for every fact the question
needs, a sentence of its own.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evals.builders.counterfactual.chains import Chain, Hop
from evals.builders.counterfactual.item import CofcaItem, Version
from evals.builders.counterfactual.prose import own_sentences
from evals.builders.counterfactual.words.lexicon import Lexicon, is_connector
from evals.builders.infobox.facts import Entity, Factbook
from evals.builders.infobox.labels import RELATIONS
from evals.builders.infobox.relations import Relation
from evals.builders.types import Provenance


def compose_item(
    book: Factbook, chain: Chain, hops: int, number: int, seed: int, lexicon: Lexicon
) -> CofcaItem | None:
    """Return the item of a chain with its factual version; None where nothing distracts."""
    rng = random.Random(f"{seed} {chain.question}")
    entities = list({hop.entity.title: hop.entity for hop in chain.hops}.values())
    last = chain.hops[-1]
    distractor = _distractor(book, entities, last.relation.label, last.value, rng)
    if distractor is None:
        return None
    shown = [*entities, distractor]
    # Every other comparison is won by another in the counterfactual world: a winner that is always
    # the real one can be known without reading.
    turn = chain.type == "comparison" and number % 2 == 0
    stated = {
        entity.title: list(
            dict.fromkeys([h.relation for h in chain.hops if h.entity is entity] or [last.relation])
        )
        for entity in shown
    }
    own = {
        entity.title: own_sentences(
            entity, chain, lexicon, turn, [r.value_of(entity) for r in stated[entity.title]]
        )
        for entity in shown
    }
    chunks: dict[str, None] = {}
    for entity in shown:
        chunks |= dict.fromkeys(entity.facts[r.label].chunk for r in stated[entity.title])
        chunks |= dict.fromkeys(book.chunk_of(entity, text) for text in own[entity.title])
    order = list(range(len(shown)))
    rng.shuffle(order)

    def version(values: Mapping[str, str], answer: str) -> Version:
        """Return the item with these values of the facts compared in place of the real ones."""
        paragraphs = [
            _paragraph(shown[n], stated[shown[n].title], own[shown[n].title], values) for n in order
        ]
        hops = [_with_value(hop, last.relation, values) for hop in chain.hops]
        return Version(
            passage="\n\n".join(paragraphs),
            question=_capital(chain.question),
            answer=answer,
            sub_questions=tuple(_capital(hop.question) for hop in hops),
            sub_answers=tuple(hop.answer for hop in hops),
        )

    return CofcaItem(
        id=f"{hops}-{chain.type}-{number}",
        kind=f"{hops} hops, {chain.type}",
        articles=tuple(entity.title for entity in shown),
        provenance=Provenance(chunks=tuple(chunks), seed=seed),
        type=chain.type,
        hops=hops,
        pattern=chain.pattern,
        factual=version({}, chain.answer),
        turned=version(dict(chain.turned), chain.turned_answer) if turn else None,
        names=tuple(sorted(_names(shown))),
        people=tuple(_people(book, shown)),
    )


def _with_value(hop: Hop, compared: Relation, values: Mapping[str, str]) -> Hop:
    if hop.relation is not compared or hop.entity.title not in values:
        return hop
    return replace(hop, value=values[hop.entity.title])


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _distractor(
    book: Factbook, entities: Sequence[Entity], label: str, value: str, rng: random.Random
) -> Entity | None:
    """Return an article of the same make as the last one, with another value of the last fact."""
    relation = RELATIONS[label]
    taken = {entity.title for entity in entities}
    alike = entities[-1].facts.keys()
    for title in book.shuffled(rng):
        other = book.entity(title)
        if (
            other is None
            or other.title in taken
            or len(alike & other.facts.keys()) * 2 < len(alike)
        ):
            continue
        theirs = relation.value_of(other)
        if (
            theirs
            and theirs != value
            and len(other.name) > 2
            and not _DIGIT_NAME.search(other.name)
        ):
            return other
    return None


_DIGIT_NAME = re.compile(r"^\d|\+|^.{1,2}$")


def _paragraph(
    entity: Entity,
    relations: Sequence[Relation],
    own: Sequence[str],
    values: Mapping[str, str],
) -> str:
    """Return an article's sentences with its facts after those that introduce it.

    The facts then say "it": no sentence holds the name that a hop leads to and what it leads on to.
    """
    shown = entity.shown[0].upper() + entity.shown[1:]
    introduced = bool(own) and _introduces(own[0], shown, entity)
    pronoun = _pronoun(entity) if introduced else ""
    # What is exchanged in a comparison is the last fact stated of an article.
    said = [r.value_of(entity) for r in relations]
    said[-1] = values.get(entity.title, said[-1])
    facts = [
        relation.sentence(entity, value, pronoun)
        for relation, value in zip(relations, said, strict=True)
    ]
    place = 1 if introduced else 0
    a_thing_is_told = any(relation.sort in ("thing", "place") for relation in relations)
    while 0 < place < len(own) and leans(own[place], entity, after_a_thing=a_thing_is_told):
        place += 1
    # The article may say a fact in the very words in which it is stated.
    after = [sentence for sentence in own[place:] if sentence not in facts]
    return " ".join([*own[:place], *facts, *after])


def _introduces(sentence: str, shown: str, entity: Entity) -> bool:
    """Tell whether a sentence begins with the name, so that a pronoun may follow.

    "Earth has one natural satellite, the Moon. Its diameter is …" would speak of the Moon.
    """
    name = re.escape(shown)
    if is_person(entity) and " " in entity.name:
        # "Alfred Bernhard Nobel was …" introduces Alfred Nobel.
        first, *_, last = map(re.escape, entity.name.split())
        name = rf"(?:(?:Sir|Dame) )?{first}(?: [\w.()“”-]+)*? {last}"
    return re.match(rf"{name}(?! [A-Z]|\w| has\b| have\b| had\b)", sentence) is not None


_OF_A_THING = re.compile(r"\b(?:it|its|they|them|their|there|this|these|those)\b", re.IGNORECASE)
_OF_OTHERS = re.compile(r"(?:They|Their|There|This|These|Those|He|She|His|Her)\b")


def leans(sentence: str, entity: Entity, *, after_a_thing: bool) -> bool:
    """Tell whether a sentence refers to what the one before it says: no fact may part the two.

    "As commander he was the last to leave it" speaks of the Moon of the sentence before, and after
    "Its largest satellite is Titania" a sentence with "It is" would speak of Titania.
    """
    if is_person(entity):
        return _OF_A_THING.search(sentence) is not None
    return bool(_OF_OTHERS.match(sentence) or (after_a_thing and re.match(r"Its?\b", sentence)))


def _pronoun(entity: Entity) -> str:
    if is_person(entity):
        return pronoun_of(entity.prose)
    plural = entity.name.endswith("s") and entity.shown.startswith("the ")
    return "" if plural else "it"


def _names(entities: Sequence[Entity]) -> set[str]:
    names: set[str] = set()
    for entity in entities:
        article = entity.article
        names |= {alias for alias in entity.aliases if not alias.endswith(")")}
        # "Japanese film" is no name: what is linked may be described.
        names |= {link.anchor for link in article.links if _is_written_large(link.anchor)}
        for fact in entity.facts.values():
            names |= {p.text for p in fact.parts if p.target and _is_written_large(p.text)}
    return {name for name in names if len(name) > 1}


def _is_written_large(name: str) -> bool:
    words = re.findall(r"[^\W\d_]{2,}", name)
    return bool(words) and all(word[0].isupper() or is_connector(word) for word in words)


_PEOPLE_LABELS = (
    "Composer", "Librettist", "Author", "Director", "Designer", "Discoverer", "Founder", "Spouse",
    "Crew",
)  # fmt: skip


def _people(book: Factbook, entities: Sequence[Entity]) -> list[tuple[str, str]]:
    """Return the people of these articles, each with the pronoun its own article uses."""
    people: dict[str, str] = {}
    for entity in entities:
        if is_person(entity):
            people[entity.name] = pronoun_of(entity.prose)
        for label in _PEOPLE_LABELS:
            fact = entity.facts.get(label)
            for part in fact.parts if fact else ():
                people.setdefault(part.text, "")
        for link in entity.article.links:
            other = book.entity(link.target)
            if other is not None and is_person(other):
                people.setdefault(other.name, pronoun_of(other.prose))
    return sorted(people.items())


def is_person(entity: Entity) -> bool:
    """Tell whether an article is about a person: it was born."""
    return "Birth date" in entity.facts or "Birth place" in entity.facts


def pronoun_of(prose: str) -> str:
    """Return "he" or "she", whichever an article says of its subject, or ""."""
    he = len(re.findall(r"\b(?:[Hh]e|[Hh]is|[Hh]im)\b", prose))
    she = len(re.findall(r"\b(?:[Ss]he|[Hh]er|[Hh]ers)\b", prose))
    return "he" if he > she else "she" if she > he else ""
