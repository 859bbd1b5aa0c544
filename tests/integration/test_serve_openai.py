"""The `openai` package as a client: it chats, streams, embeds, and reads errors."""

from __future__ import annotations

import struct
from base64 import b64decode
from collections.abc import Iterator

import httpx
import openai
import pytest

from tests.serving import Running, serving

QUESTION = "Who discovered Titan?"


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with serving() as server:
        yield server


@pytest.fixture
def client(running: Running) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{running.url}/v1", api_key="none", max_retries=0) as made:
        yield made


def test_models(client: openai.OpenAI) -> None:
    names = [model.id for model in client.models.list()]
    assert names == ["fanfold", "fanfold:extractive"]
    assert client.models.retrieve("fanfold").id == "fanfold"
    # Chat clients offer whatever stands in the list: what embeds has one of its own.
    embedding = client.with_options(base_url=f"{client.base_url}embeddings")
    assert [model.id for model in embedding.models.list()] == ["all-MiniLM-L6-v2"]
    assert client.models.retrieve("all-MiniLM-L6-v2").id == "all-MiniLM-L6-v2"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt")


def test_chat_answers_the_last_message_with_annotated_marks(client: openai.OpenAI) -> None:
    reply = client.chat.completions.create(
        model="fanfold",
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hello."},
            {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
        ],
        temperature=0.3,
        extra_body={"strategy": "e2e"},
    )
    message = reply.choices[0].message
    assert message.content is not None
    assert "Huygens" in message.content
    assert message.annotations
    for note in message.annotations:
        span = note.url_citation
        assert message.content[span.start_index : span.end_index].startswith("[")
        assert span.url in message.content
    assert reply.choices[0].finish_reason == "stop"
    assert reply.model_extra is not None
    assert reply.model_extra["fanfold"]["strategy"] == "e2e"


def test_a_streamed_chat_thinks_aloud_and_says_the_same(client: openai.OpenAI) -> None:
    messages: list[openai.types.chat.ChatCompletionMessageParam] = [
        {"role": "user", "content": QUESTION}
    ]
    whole = client.chat.completions.create(model="fanfold", messages=messages)
    pieces = list(
        client.chat.completions.create(
            model="fanfold", messages=messages, stream=True, stream_options={"include_usage": True}
        )
    )
    assert pieces[-1].usage is not None
    deltas = [piece.choices[0] for piece in pieces if piece.choices]
    assert "".join(one.delta.content or "" for one in deltas) == whole.choices[0].message.content
    thought = [(one.delta.model_extra or {}).get("reasoning_content") for one in deltas]
    assert any(line and line.startswith("✓") for line in thought)
    assert deltas[-1].finish_reason == "stop"
    last = deltas[-1].delta.model_extra
    assert last is not None
    assert len(last["annotations"]) == len(whole.choices[0].message.annotations or ())


def test_embeddings_are_the_embedders(client: openai.OpenAI, running: Running) -> None:
    texts = ["rings of Saturn", "Größe", "x"]
    model = "all-MiniLM-L6-v2"
    plain = client.embeddings.create(model=model, input=texts)  # asks for base64 by itself
    vectors = running.service.embedder.encode(texts)
    assert [one.embedding for one in plain.data] == [list(map(float, row)) for row in vectors]
    raw = httpx.post(
        f"{running.url}/v1/embeddings",
        json={"model": model, "input": "x", "encoding_format": "base64"},
    ).json()["data"][0]["embedding"]
    assert struct.unpack(f"<{vectors.shape[1]}f", b64decode(raw)) == tuple(vectors[2])


def test_errors_are_the_clients_own(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError, match="choose 'fanfold'"):
        client.chat.completions.create(model="gpt", messages=[{"role": "user", "content": "Who?"}])
    with pytest.raises(openai.UnprocessableEntityError, match="no text of a user"):
        client.chat.completions.create(
            model="fanfold", messages=[{"role": "system", "content": "x"}]
        )
    with pytest.raises(openai.UnprocessableEntityError, match="ask in words"):
        client.chat.completions.create(model="fanfold", messages=[{"role": "user", "content": "?"}])
    for wrong in ([[1, 2]], [""], ["x"] * 300):
        with pytest.raises(openai.UnprocessableEntityError):
            client.embeddings.create(model="all-MiniLM-L6-v2", input=wrong)  # type: ignore[arg-type]
