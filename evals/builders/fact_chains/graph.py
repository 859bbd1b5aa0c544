"""The facts of a Chinese snapshot as a graph of names, and the chains through it."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evals.builders.fact_chains.relations import RELATIONS, Relation
from evals.builders.infobox.facts import BoxFact, Entity, Factbook

_BRACKETS = re.compile(r"[《》“”]")
_NAME_LABELS = ("姓名", "名称", "称号", "书名", "本名")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One fact, read in one direction."""

    relation: Relation
    start: str
    end: str
    answers: tuple[str, ...]
    """The end as the fact has it, then other names for it."""
    article: str
    """Title of the article that states it."""
    chunk: str

    @property
    def question(self) -> str:
        """The fact as a question."""
        return self.relation.ask.format(s=self.start)


class FactGraph:
    """Every step that the infoboxes of a snapshot allow, one answer to each."""

    def __init__(self, book: Factbook) -> None:
        self._book = book
        self._edges: dict[str, list[Edge]] = defaultdict(list)
        self._names: dict[str, set[str]] = {}
        stated: dict[tuple[str, str], list[tuple[Relation, Entity, BoxFact, str]]] = defaultdict(
            list
        )
        for title in book.titles():
            entity = book.entity(title)
            if entity is None:
                continue
            for relation in RELATIONS:
                fact = entity.facts.get(relation.label)
                if fact is None:
                    continue
                values = _values(relation, fact, entity)
                if not relation.backwards and len(values) == 1:
                    self._add(relation, entity, fact, title, values[0])
                for value in values if relation.backwards else ():
                    key = (relation.label, self._canonical(value))
                    stated[key].append((relation, entity, fact, value))
        for found in stated.values():
            # Backwards a value has an answer only where one article alone states it.
            if len(found) == 1:
                relation, entity, fact, value = found[0]
                self._add(relation, entity, fact, value, entity.title)

    def _add(self, relation: Relation, entity: Entity, fact: BoxFact, start: str, end: str) -> None:
        here, there = self._canonical(start), self._canonical(end)
        shown = start if relation.backwards else _shown(entity)
        # A place may be asked for with its province or without.
        whole = fact.value if not relation.backwards and fact.value.endswith(end) else end
        others = sorted(self.names(there) - {end, whole})
        edge = Edge(
            relation=relation,
            start=shown,
            end=there,
            answers=tuple(dict.fromkeys((end, whole, *others))),
            article=entity.title,
            chunk=fact.chunk,
        )
        if here != there:
            self._edges[here].append(edge)

    def _canonical(self, name: str) -> str:
        """Return the title of a name's article, or the name itself."""
        article = self._book.snapshot.find(_BRACKETS.sub("", name))
        if article is None or article.disambiguation:
            return name
        return article.revision.title

    def names(self, node: str) -> set[str]:
        """Return every name of a node that the snapshot knows."""
        if node not in self._names:
            entity = self._book.entity(node)
            known = {node}
            if entity is not None:
                known |= set(entity.article.redirects)
                known |= {entity.facts[x].value for x in _NAME_LABELS if x in entity.facts}
            self._names[node] = known
        return self._names[node]

    def edges(self, node: str) -> Sequence[Edge]:
        """Return the steps from a node."""
        return self._edges.get(node, ())

    def starts(self) -> list[str]:
        """Return every node that a chain may begin with, sorted."""
        return sorted(self._edges)

    def chains(self, start: str, hops: int, rng: random.Random) -> Iterator[tuple[Edge, ...]]:
        """Yield chains of so many steps that visit no thing twice, in random order."""
        yield from self._extend((), start, {start}, hops, rng)

    def _extend(
        self, before: tuple[Edge, ...], node: str, seen: set[str], hops: int, rng: random.Random
    ) -> Iterator[tuple[Edge, ...]]:
        edges = list(self.edges(node))
        rng.shuffle(edges)
        for edge in edges:
            if edge.end in seen:
                continue
            path = (*before, edge)
            if len(path) == hops:
                yield path
            elif edge.relation.noun:
                yield from self._extend(path, edge.end, {*seen, edge.end}, hops, rng)


def _shown(entity: Entity) -> str:
    written = entity.facts.get("书名")
    return written.value if written is not None else entity.name


def _values(relation: Relation, fact: BoxFact, entity: Entity) -> list[str]:
    """Return the names that a fact gives for a relation."""
    if relation.pattern:
        found = re.fullmatch(relation.pattern, fact.value)
        return [found[1]] if found else []
    values: list[str] = []
    anchors = sorted((link.anchor for link in entity.article.links), key=len, reverse=True)
    for part in fact.parts:
        # A place follows its province: "浙江绍兴" is 绍兴.
        linked = next((a for a in anchors if part.text.endswith(a)), "")
        place = relation.kind in ("地方", "城市")
        values.append(linked if linked and place and not relation.backwards else part.text)
    vague = any(re.search("及其|等$|或", value) for value in values)
    return [] if vague else values
