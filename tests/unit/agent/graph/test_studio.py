"""The graph as LangGraph's tools open it: by messages, or by the keys of the state."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from agent.graph.assembly import build_graph
from agent.graph.strategies import STRATEGIES
from agent.graph.studio import open_in_studio
from corpus.errors import InputError

QUESTION = "Who discovered the largest moon of Saturn?"


def run(given: Any) -> dict[str, Any]:
    found: dict[str, Any] = asyncio.run(open_in_studio({"configurable": {}}).ainvoke(given))
    return found


def test_a_conversation_is_answered_by_messages() -> None:
    first = run({"messages": [HumanMessage(QUESTION)]})
    asked, reply = first["messages"]
    assert asked.text == QUESTION
    assert reply.text == first["answer"].text
    assert "Huygens" in reply.text
    cited = reply.additional_kwargs["fanfold"]["citations"]
    assert [one["number"] for one in cited] == [one.number for one in first["answer"].citations]
    assert all(one["quote"] and one["url"] for one in cited)
    parts: list[str | dict[Any, Any]] = [{"type": "text", "text": "Which planets have rings?"}]
    second = run({"messages": [*first["messages"], HumanMessage(content=parts)]})
    assert len(second["messages"]) == 4
    assert second["question"] == "Which planets have rings?"
    assert second["answer"].question == "Which planets have rings?"


def test_a_question_without_messages_is_answered_as_before() -> None:
    done = run({"question": QUESTION})
    assert "Huygens" in done["answer"].text
    assert done["steps"]
    assert done["found"]
    assert len(done["messages"]) == 1


def test_nothing_asked_is_refused() -> None:
    with pytest.raises(InputError, match="no question"):
        run({"messages": []})


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_strategys_own_graph_is_seen(strategy: str) -> None:
    outer = open_in_studio({"configurable": {"strategy": strategy}})
    inner = build_graph(strategy)  # type: ignore[arg-type]
    drawn = outer.get_graph(xray=True)
    own = {name for name in inner.get_graph().nodes if not name.startswith("__")}
    assert {f"fanfold:{name}" for name in own} < set(drawn.nodes)
    edges = {(edge.source, edge.target) for edge in drawn.edges}
    assert ("fanfold:check", "reply") in edges
    assert [name for name, _ in outer.get_subgraphs()] == ["fanfold"]
    schema = outer.get_input_jsonschema()
    assert "messages" in schema["properties"]
