"""The stages of fact chains that need no model: planned from infoboxes, composed, checked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from corpus.errors import NothingFoundError
from evals.synthesis.fact_chains.compose import check_edges, check_question, compose_question
from evals.synthesis.fact_chains.domains import classify, take_turns
from evals.synthesis.fact_chains.graph import Edge, FactGraph
from evals.synthesis.fact_chains.item import ChainItem, Evidence, Link
from evals.synthesis.facts import Factbook
from evals.synthesis.types import Provenance, Rejected, Step, with_checks

_MOST_OF_AN_ANSWER = 3
_MOST_OF_A_START = 2


def plan_chains(book: Factbook, hops: Sequence[int], seed: int) -> Step[ChainItem]:
    """Return every chain that holds, the domains of their seeds taking turns.

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
        ordered = take_turns(found, lambda chain: _domain(chain[0], book))
        answers: Counter[str] = Counter()
        starts: Counter[str] = Counter()
        for number, edges in enumerate(ordered, start=1):
            item = _make(edges, book, seed, number)
            checks = [
                *check_edges(edges, graph),
                *check_question(
                    item, [graph.names(edge.end) | set(edge.answers) for edge in edges]
                ),
            ]
            item = with_checks(item, checks)
            reason = next((f"{c.name}: {c.reason}" for c in checks if not c.passed), "")
            if not reason and answers[edges[-1].end] >= _MOST_OF_AN_ANSWER:
                reason = "enough chains have this answer"
            if not reason and starts[edges[0].start] >= _MOST_OF_A_START:
                reason = "enough chains begin here"
            if reason:
                rejected.append(Rejected(item=item, stage="plan", reason=reason))
                continue
            answers[edges[-1].end] += 1
            starts[edges[0].start] += 1
            kept.append(item)
    if not kept:
        raise NothingFoundError(
            f"no infobox of the snapshot {book.snapshot.manifest.name} leads on to another: "
            "build it from articles that link to each other, or name models"
        )
    return Step(input="", kept=tuple(kept), rejected=tuple(rejected))


def _domain(edge: Edge, book: Factbook) -> str:
    entity = book.entity(edge.article)
    assert entity is not None, "an edge is made from an article's infobox"
    return classify(edge.question, entity.prose[:120])


def _make(edges: Sequence[Edge], book: Factbook, seed: int, number: int) -> ChainItem:
    links = tuple(
        Link(question=edge.question, answers=edge.answers, evidence=_evidence(edge, book))
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
