"""The stages of fact chains that need no model: planned from infoboxes, composed, checked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from corpus.errors import NothingFoundError
from evals.builders.fact_chains.compose import check_edges, check_question, compose_question
from evals.builders.fact_chains.domains import classify, take_turns
from evals.builders.fact_chains.graph import Edge, FactGraph
from evals.builders.fact_chains.item import ChainItem, Evidence, Link
from evals.builders.infobox.facts import Factbook
from evals.builders.types import Provenance, Rejected, Step, with_checks

MOST_OF_AN_ANSWER = 3
MOST_OF_A_SEED = 2
"""Chains of one length."""


def plan_chains(book: Factbook, hops: Sequence[int], seed: int) -> Step[ChainItem]:
    """Return every chain that holds, of each length in random order.

    Raises:
        NothingFoundError: no infobox leads to another.
    """
    graph = FactGraph(book)
    kept: list[ChainItem] = []
    rejected: list[Rejected[ChainItem]] = []
    for count in hops:
        rng = random.Random(f"{seed} {count}")
        found = [chain for start in graph.starts() for chain in graph.chains(start, count, rng)]
        rng.shuffle(found)
        for number, edges in enumerate(found, start=1):
            item = _make(edges, book, seed, number)
            checks = [
                *check_edges(edges, graph),
                *check_question(
                    item, [graph.names(edge.end) | set(edge.answers) for edge in edges]
                ),
            ]
            item = with_checks(item, checks)
            reason = next((f"{c.name}: {c.reason}" for c in checks if not c.passed), "")
            if reason:
                rejected.append(Rejected(item=item, stage="plan", reason=reason))
            else:
                kept.append(item)
    if not kept:
        raise NothingFoundError(
            f"no infobox of the snapshot {book.snapshot.manifest.name} leads on to another: "
            "build it from articles that link to each other, or name models"
        )
    return Step(input="", kept=tuple(kept), rejected=tuple(rejected))


def balance(items: Sequence[ChainItem]) -> Step[ChainItem]:
    """Return chains in an order in which the domains take turns, no seed and no answer too often.

    It comes after all checks of single chains: a domain whose chains were rejected more often would
    otherwise lose its turns. Lengths count apart.
    """
    kept: list[ChainItem] = []
    rejected: list[Rejected[ChainItem]] = []
    for kind in dict.fromkeys(item.kind for item in items):
        seeds: Counter[str] = Counter()
        answers: Counter[str] = Counter()
        for item in _rarest_seed_first([one for one in items if one.kind == kind]):
            seed, answer = item.chain[0].question, item.chain[-1].answers[0]
            reason = ""
            if seeds[seed] >= MOST_OF_A_SEED:
                reason = "enough chains grow from this seed"
            elif answers[answer] >= MOST_OF_AN_ANSWER:
                reason = "enough chains have this answer"
            if reason:
                rejected.append(Rejected(item=item, stage="balance", reason=reason))
                continue
            seeds[seed] += 1
            answers[answer] += 1
            kept.append(item)
    return Step(input="", kept=tuple(kept), rejected=tuple(rejected))


def _rarest_seed_first(items: Sequence[ChainItem]) -> list[ChainItem]:
    """Return items with the domains taking turns, and within one the seeds."""
    seen: Counter[str] = Counter()
    turns: list[tuple[int, ChainItem]] = []
    for item in items:
        turns.append((seen[item.chain[0].question], item))
        seen[item.chain[0].question] += 1
    turns.sort(key=lambda turn: turn[0])
    return take_turns([item for _, item in turns], lambda item: item.domain)


def _domain(edge: Edge, book: Factbook) -> str:
    entity = book.entity(edge.article)
    assert entity is not None, "an edge is made from an article's infobox"
    return classify(edge.question, entity.prose[:120])


def _make(edges: Sequence[Edge], book: Factbook, seed: int, number: int) -> ChainItem:
    links = tuple(
        Link(
            question=edge.question,
            answers=edge.answers,
            evidence=_evidence(edge, book),
            domain=_domain(edge, book),
        )
        for edge in edges
    )
    return ChainItem(
        id=f"{len(edges)}-{number}",
        kind=f"{len(edges)} hops",
        articles=tuple(dict.fromkeys(edge.article for edge in edges)),
        provenance=Provenance(chunks=tuple(dict.fromkeys(edge.chunk for edge in edges)), seed=seed),
        domain=_domain(edges[0], book),
        chain=links,
        question=compose_question(edges),
    )


def _evidence(edge: Edge, book: Factbook) -> Evidence:
    entity = book.entity(edge.article)
    assert entity is not None, "an edge is made from an article's infobox"
    revision = entity.article.revision
    return Evidence(pageid=revision.page_id, revid=revision.rev_id, title=revision.title)


def share_out(items: int, available: Counter[str]) -> dict[str, int]:
    """Return how many of each kind to take: even shares, and what one kind lacks from the others."""
    quotas = dict.fromkeys(available, 0)
    while sum(quotas.values()) < min(items, available.total()):
        open_kinds = [kind for kind in quotas if quotas[kind] < available[kind]]
        smallest = min(open_kinds, key=lambda kind: quotas[kind])
        quotas[smallest] += 1
    return quotas
