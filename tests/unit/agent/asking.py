"""A conversation to be sent, a key to be kept, and a client that retries quickly."""

from __future__ import annotations

from typing import Any

from agent.llm import open_model
from agent.llm.port import LanguageModel, Message
from agent.llm.retries import RetryPolicy
from tests.fake_server import FakeServer, Misbehaviour, Trouble
from tests.fakes import Asked

KEY = "sk-very-secret-0123456789"
USER = (
    Message(role="system", content="Sort sub-questions; reply in JSON."),
    Message(role="user", content="Sort this one."),
)
QUICK = RetryPolicy(retries=3, first_wait=0.01)
CORE = {"reason": "because", "kind": "core"}


def core(_: Asked) -> object:
    return CORE


def opened(server: FakeServer, **options: Any) -> LanguageModel:
    options.setdefault("policy", QUICK)
    return open_model("some-model", server.url, KEY, **options)


def failing(times: int, how: Misbehaviour) -> Trouble:
    return lambda number, _: how if number < times else None
