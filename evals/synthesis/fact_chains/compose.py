"""A chain of facts as one question, and what must hold of it; by rules (CCMOR, section 2.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from evals.synthesis.fact_chains.graph import Edge, FactGraph
from evals.synthesis.fact_chains.item import ChainItem
from evals.synthesis.fact_chains.relations import MEASURES
from evals.synthesis.types import Check

_ITS = "其"
_NESTED = 2
"""Steps inside one phrase; a longer chain goes on in another clause, or nobody could follow it."""


def compose_question(edges: Sequence[Edge]) -> str:
    """Return the chain's question, which names where it begins and nothing it passes."""
    phrase = edges[0].start
    clauses: list[str] = []
    for number, edge in enumerate(edges[:-1], start=1):
        phrase = edge.relation.noun.format(s=phrase)
        if number % _NESTED == 0 and number < len(edges) - 1:
            kind = edge.relation.kind
            if phrase.endswith(kind):
                clauses.append(phrase)
                phrase = _ITS
            else:
                clauses.append(f"{phrase}是一{MEASURES[kind]}{kind}")
                phrase = f"这{MEASURES[kind]}{kind}"
    question = "，".join([*clauses, edges[-1].relation.ask.format(s=phrase)])
    return question.replace(f"{_ITS}的", _ITS)


def check_edges(edges: Sequence[Edge], graph: FactGraph) -> list[Check]:
    """Return the verdicts that need the facts: unique steps, none skipped or circular."""
    nodes = [edge.end for edge in edges]
    several = [
        edge.question
        for edge, node in zip(edges, [_begin(edges, graph), *nodes], strict=False)
        if sum(e.relation == edge.relation for e in graph.edges(node)) != 1
    ]
    begin = _begin(edges, graph)
    short = [
        f"{one} → {other}"
        for i, one in enumerate([begin, *nodes])
        for j, other in enumerate([begin, *nodes])
        if j > i + 1 and any(edge.end == other for edge in graph.edges(one))
    ]
    seen: set[str] = set(graph.names(begin))
    circular = []
    for node in nodes:
        names = graph.names(node)
        circular += [node] if names & seen else []
        seen |= names
    return [
        _check("every step has one answer", several),
        _check("no step can be skipped", short),
        _check("no step leads back", circular),
    ]


def _begin(edges: Sequence[Edge], graph: FactGraph) -> str:
    """Return the node that a chain begins at."""
    for node in graph.starts():
        if edges[0] in graph.edges(node):
            return node
    return edges[0].start


def check_question(item: ChainItem, names: Sequence[Collection[str]]) -> list[Check]:
    """Return the verdicts on the words of a question.

    Args:
        item: composed.
        names: of every step, the names its answer has.
    """
    named = [
        name for step in names for name in sorted(step) if len(name) > 1 and name in item.question
    ]
    asked = item.question.count("？") + item.question.count("?")
    repeated = len({link.question for link in item.chain}) < len(item.chain)
    return [
        _check("the question names no answer", named),
        _check("it asks one thing", [] if asked == 1 else [f"{asked} question marks"]),
        _check("no step is redundant", ["a question twice"] if repeated else []),
    ]


def _check(name: str, faults: Sequence[str]) -> Check:
    return Check(name=name, passed=not faults, reason="、".join(faults))
