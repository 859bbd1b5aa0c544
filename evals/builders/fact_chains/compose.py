"""A chain of facts as one question, and what must hold of it; by rules (CCMOR, section 2.2)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from evals.builders.fact_chains.graph import Edge, FactGraph
from evals.builders.fact_chains.item import ChainItem
from evals.builders.fact_chains.relations import REFERENCES
from evals.builders.types import Check

_ITS = "其"
_NESTED = 2
"""Steps inside one phrase; a longer chain goes on in another clause, or nobody could follow it."""


def compose_question(edges: Sequence[Edge]) -> str:
    """Return the chain's question, which names where it begins and nothing it passes.

    A phrase that would stand inside another ("以…为最高峰的省份") is said first, by itself, and
    referred to: "主峰为玉皇顶的山，以该山为最高峰的省份的省会是哪座城市？"
    """
    phrase = edges[0].start
    clauses: list[str] = []
    depth = 0
    forms = [*(edge.relation.noun for edge in edges[:-1]), edges[-1].relation.ask]
    within = [not form.startswith("{s}") for form in forms]
    for number, (form, inside) in enumerate(zip(forms, within, strict=True)):
        # One step more where the chain ends, or where the next one begins a clause anyway.
        most = _NESTED + (number == len(edges) - 1 or within[number + 1])
        if depth and (inside or depth >= most):
            clauses.append(phrase)
            phrase = REFERENCES[edges[number - 1].relation.kind] if inside else _ITS
            depth = 0
        phrase = form.format(s=phrase)
        depth += 1
    return "，".join([*clauses, phrase]).replace(f"{_ITS}的", _ITS)


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
