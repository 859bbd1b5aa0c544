"""The factual passage of a chain: a paragraph for each article, and one that distracts.

A paragraph holds sentences from the beginning of the article and, for every fact the question needs,
a sentence of its own. Sentences of the article that would give the answer away, or that the rules
cannot carry into another world (quotations, centuries, codes), are left out.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evals.builders.counterfactual.chains import Chain, Hop
from evals.builders.counterfactual.item import CofcaItem, Version
from evals.builders.counterfactual.lexicon import Lexicon, is_connector
from evals.builders.infobox.facts import Entity, Factbook
from evals.builders.infobox.labels import RELATIONS
from evals.builders.infobox.quantities import UNSAFE, moves_whole
from evals.builders.infobox.relations import Relation
from evals.builders.types import Provenance

MOST_SENTENCES = 4
"""Of an article's own in one paragraph."""
_LONGEST = 320
_QUOTED = re.compile(r"[\"“”«»]|: ")
_LETTER = re.compile(
    r"\b[B-HJ-UW-Z]\b(?!\.)|\b[A-Z]\.$|(?<=\w |, )(?:La|Le|Les|Il|El|Los|Las|Die|Das|Der|Une?) [a-zà-ÿ]"
)
"""A letter that is a name ("C"), and foreign titles with words in lower case ("La bohème")."""


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
    own = {entity.title: _own_sentences(entity, chain, lexicon, turn) for entity in shown}
    stated = {
        entity.title: list(
            dict.fromkeys([h.relation for h in chain.hops if h.entity is entity] or [last.relation])
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


def _own_sentences(entity: Entity, chain: Chain, lexicon: Lexicon, turn: bool) -> list[str]:
    """Return sentences of an article's beginning that say no more than they may.

    After a gap only those are taken that name the article: a pronoun would mean something else.
    """
    found: list[str] = []
    gap = False
    for sentence in entity.lead:
        sentence = _without_dates(_in_latin(sentence), entity, chain)
        if (
            not _is_usable(sentence, entity, lexicon)
            or _gives_away(sentence, entity, chain)
            or (turn and _ranks(sentence, entity, chain))
        ):
            gap = True
        elif not gap or entity.name in sentence:
            found.append(sentence)
        if len(found) == MOST_SENTENCES:
            break
    return found


def _paragraph(
    entity: Entity,
    relations: Sequence[Relation],
    own: Sequence[str],
    values: Mapping[str, str],
) -> str:
    """Return an article's sentences with its facts after the first, which names the article.

    The facts then say "it": no sentence holds the name that a hop leads to and what it leads on to.
    """
    shown = entity.shown[0].upper() + entity.shown[1:]
    introduced = bool(own) and re.match(rf"{re.escape(shown)}(?! [A-Z]|\w)", own[0]) is not None
    pronoun = _pronoun(entity) if introduced else ""
    # What is exchanged in a comparison is the last fact stated of an article.
    said = [r.value_of(entity) for r in relations]
    said[-1] = values.get(entity.title, said[-1])
    facts = [r.sentence(entity, o, pronoun) for r, o in zip(relations, said, strict=True)]
    first = 1 if introduced else 0
    # The article may say a fact in the very words in which it is stated.
    after = [sentence for sentence in own[first:] if sentence not in facts]
    return " ".join([*own[:first], *facts, *after])


def _pronoun(entity: Entity) -> str:
    if is_person(entity):
        return pronoun_of(entity.prose)
    plural = entity.name.endswith("s") and entity.shown.startswith("the ")
    return "" if plural else "it"


def _without_dates(sentence: str, entity: Entity, chain: Chain) -> str:
    """Return a sentence without brackets, where they hold an answer."""
    if any(hop.entity is entity and hop.value in sentence for hop in chain.hops):
        return re.sub(r" \([^()]*\d[^()]*\)", "", sentence)
    return sentence


_FOREIGN = re.compile(r"[^\x00-\u024f\u2010-\u201f\u2026\u2032\u20ac\u2212]|/[^/\s]*\u02c8")
"""Letters of other scripts and phonetic ones: a name spelt in them would stay."""


def _in_latin(sentence: str) -> str:
    """Return a sentence without brackets that hold names in other letters."""
    return re.sub(
        r" \([^()]*\)", lambda found: "" if _FOREIGN.search(found[0]) else found[0], sentence
    )


def _is_usable(sentence: str, entity: Entity, lexicon: Lexicon) -> bool:
    """Tell whether the rules can carry a sentence over into another world."""
    return (
        len(sentence) <= _LONGEST
        and sentence[-1] in ".!?"
        and not _QUOTED.search(sentence)
        and not _LETTER.search(sentence)
        and not _FOREIGN.search(sentence)
        and not UNSAFE.search(sentence.replace(entity.name, ""))
        and moves_whole(sentence)
        and _begins_plainly(sentence, entity, lexicon)
    )


def _begins_plainly(sentence: str, entity: Entity, lexicon: Lexicon) -> bool:
    """Tell whether the first word is surely a word, or surely a name."""
    import simplemma

    first = re.match(r"[^\W\d_]+", sentence)
    if first is None:
        return False
    if first[0] in entity.name.split():
        return True
    word = first[0].lower()
    return word in lexicon.ordinary or not simplemma.is_known(word, lang="en")


_DATED = re.compile(
    r"\d|\b(?:first|last|earlier|later|before|after|older|oldest|younger|youngest|new|newer|newest"
    r"|recent|recently|former|formerly|still|since|until|age|young|child|childhood)\b"
)
"""What can contradict a date that was exchanged for another."""
_SIZED = re.compile(
    r"\d|\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|most|least|more|less|than"
    r"|large|small|long|short|high|low|tall|deep|heavy|tiny|huge|only"
    r"|(?:larg|small|bigg?|long|short|high|low|tall|deep|heavi|wid|great|fast|slow)(?:er|est))\b"
)
"""What can contradict a quantity that was."""


def _ranks(sentence: str, entity: Entity, chain: Chain) -> bool:
    """Tell whether a sentence may contradict a value that is exchanged for another's."""
    if all(title != entity.title for title, _ in chain.turned):
        return False
    dated = chain.hops[-1].relation.sort == "date"
    return (_DATED if dated else _SIZED).search(sentence) is not None


def _gives_away(sentence: str, entity: Entity, chain: Chain) -> bool:
    """Tell whether a sentence leads past a hop: two of the chain's names or values at once."""
    if chain.type == "comparison":
        held = {hop.entity.name for hop in chain.hops} | {hop.value for hop in chain.hops}
        return any(mark in sentence for mark in held - {entity.name})
    marks = [hop.entity.name for hop in chain.hops] + [chain.answer]
    own = {entity.name}
    position = next((i for i, hop in enumerate(chain.hops) if hop.entity is entity), None)
    if position is not None:
        own.add(marks[position])
    return any(mark in sentence for mark in marks if mark not in own)


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
    "Composer",
    "Librettist",
    "Author",
    "Director",
    "Designer",
    "Discoverer",
    "Founder",
    "Spouse",
    "Crew",
)


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
