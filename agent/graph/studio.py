"""The graph for LangGraph's own tools, which speak in `messages`; `langgraph.json` names it.

Around a strategy's graph stand two nodes: one takes the question from the last human message, one
answers by a message. A question put as `question`, without messages, is answered as before.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, fields
from typing import Annotated, Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from agent.graph.assembly import CompiledGraph, build_graph
from agent.graph.state import Context, State
from agent.settings import Settings
from agent.types import Answer, Citation
from corpus.errors import InputError


@dataclass(kw_only=True)
class Chat:
    """A conversation: each question of it is answered by itself."""

    messages: Annotated[list[AnyMessage], add_messages] = field(default_factory=list)
    question: str = ""
    """Instead of a message, or what the last one asks."""
    steps: tuple[Any, ...] = ()
    """The plan, given or made."""
    found: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    failure: str | None = None
    answer: Answer | None = None


def open_in_studio(
    config: RunnableConfig,
) -> CompiledStateGraph[Chat, Any, Any, Any]:
    """Return the graph with all it works with.

    `configurable` may name the settings of `agent.settings.Settings`: strategy, setting, snapshot,
    model, base_url, …; with none of them the sample snapshot and the extractive engine answer.
    """
    from agent.graph.parts import open_context

    chosen = config.get("configurable", {})
    names = {one.name for one in fields(Settings)}
    settings = Settings.from_json({k: v for k, v in chosen.items() if k in names})
    # A node of its own, not the graph itself: in a second question the parts of the state that add
    # up would hold the first one's, too.
    inner = build_graph(settings.strategy)

    async def fanfold(state: Chat) -> dict[str, Any]:
        # Opening reads files, which LangGraph's server does not suffer on its loop.
        context = await asyncio.to_thread(open_context, settings)
        return await _asked(inner, state, context)

    outer: StateGraph[Chat, Any, Any, Any] = StateGraph(Chat)
    outer.add_node("listen", _listen)
    outer.add_node("fanfold", fanfold)
    outer.add_node("reply", _reply)
    outer.add_edge(START, "listen")
    outer.add_edge("listen", "fanfold")
    outer.add_edge("fanfold", "reply")
    outer.add_edge("reply", END)
    return outer.compile(name=settings.strategy)


def _listen(state: Chat) -> dict[str, Any]:
    """Take the question from the last message, where it is a person's."""
    last = state.messages[-1] if state.messages else None
    if isinstance(last, HumanMessage):
        return {"question": words_of(last), "steps": (), "answer": None, "failure": None}
    if not state.question:
        raise InputError("no question: send a message of a person, or `question`")
    return {"answer": None, "failure": None}


async def _asked(inner: CompiledGraph, state: Chat, context: Context) -> dict[str, Any]:
    begin: Any = {"question": state.question, "steps": tuple(state.steps)}
    bound: RunnableConfig = {"configurable": {"__pregel_runtime": Runtime(context=context)}}
    done = State(**await inner.ainvoke(begin, bound))
    return {
        "steps": done.steps,
        "found": done.found,
        "notes": done.notes,
        "failure": done.failure,
        "answer": done.answer,
    }


def _reply(state: Chat) -> dict[str, Any]:
    if state.answer is None:
        return {"messages": [AIMessage(content=state.failure or "Nothing was found.")]}
    account = {
        "abstained": state.answer.abstained,
        "citations": [_cited(one) for one in state.answer.citations],
        "suggestions": list(state.answer.suggestions),
    }
    message = AIMessage(content=state.answer.text, additional_kwargs={"fanfold": account})
    return {"messages": [message]}


def _cited(citation: Citation) -> dict[str, Any]:
    return {
        "number": citation.number,
        "quote": citation.quote,
        "support": citation.support,
        **citation.revision.to_json(),
    }


def words_of(message: BaseMessage) -> str:
    """Return a message's words; front ends send them as text or as a list of parts."""
    if isinstance(message.content, str):
        return message.content
    parts = (part if isinstance(part, str) else part.get("text", "") for part in message.content)
    return "\n".join(filter(None, parts))
