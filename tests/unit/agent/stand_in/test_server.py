"""The stand-in over HTTP, asked by fanfold's own client."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from agent.errors import ModelError
from agent.llm import open_model
from agent.llm.port import Message, Request
from agent.stand_in import NAME, SAID_BY
from agent.stand_in.server import address, open_server


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with open_server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield address(server)
        server.shutdown()
        thread.join(5)


ASKED = Request((Message(role="user", content="Question: What is there?"),), max_tokens=99)


@pytest.mark.parametrize("stream", [False, True])
async def test_the_client_reads_it(url: str, stream: bool) -> None:
    said = await open_model(NAME, url, stream=stream).complete(ASKED)
    assert said.text.startswith(SAID_BY)
    assert said.usage.tokens_in > 0


async def test_it_goes_by_no_other_name(url: str) -> None:
    with pytest.raises(ModelError, match=f"no model: it is asked as {NAME}"):
        await open_model("gpt-4.1-mini", url).complete(ASKED)


def test_what_is_no_call_is_refused(url: str, tmp_path: Path) -> None:
    assert [one["id"] for one in httpx.get(f"{url}/models").json()["data"]] == [NAME]
    for body in (b"", b"[]", b'{"model": 3, "messages": 4}', b'{"messages": []}'):
        refused = httpx.post(f"{url}/chat/completions", content=body)
        assert refused.status_code in (400, 404)
        assert refused.json()["error"]["message"]
    assert httpx.get(f"{url}/elsewhere").status_code == 404
