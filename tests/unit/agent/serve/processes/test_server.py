from __future__ import annotations

import asyncio
import time
from itertools import pairwise

import pytest

from agent.serve.processes import server


async def test_free_memory_is_given_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    monkeypatch.setattr(server, "TIDIED", 0.02)
    monkeypatch.setattr(server, "give_back", lambda: given.append(time.monotonic()))
    tidying = asyncio.create_task(server._tidy())
    async with asyncio.timeout(20):
        while len(given) < 3:
            await asyncio.sleep(0.01)
    tidying.cancel()
    with pytest.raises(asyncio.CancelledError):
        await tidying
    assert all(later - one >= 0.015 for one, later in pairwise(given))
