from __future__ import annotations

import pytest

from agent import Agent
from agent.graph.parts import Wiring
from agent.settings import Settings
from corpus.errors import InputError


def test_arguments_beside_settings_are_refused_and_not_forgotten() -> None:
    with pytest.raises(InputError, match="snapshot, model and settings are both given"):
        Agent("/nonexistent", "gpt-4", settings=Settings())
    with pytest.raises(InputError, match="strategy and settings are both given: name it inside"):
        Agent(strategy="e2e", settings=Settings())
    with pytest.raises(InputError, match="api_key and wiring are both given"):
        Agent(api_key="k", wiring=Wiring())
    with pytest.raises(InputError) as refused:
        Agent(api_key="sk-secret", wiring=Wiring())
    assert "sk-secret" not in str(refused.value)
