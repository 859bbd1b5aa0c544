"""`/v1/embeddings`: the vectors of the model that searches here, in OpenAI's form."""

from __future__ import annotations

import asyncio
from base64 import b64encode

from fastapi import APIRouter, Request, Response

from agent.serve.problems import Problem
from agent.serve.routes.access import documented, reply, service_of
from agent.serve.shapes import LONGEST_TEXT, MOST_TEXTS, EmbeddingsRequest

router = APIRouter(tags=["openai"])


@router.post("/v1/embeddings", responses=documented(401, 404, 415, 422, 429, 502, 503))
async def embeddings(request: Request, asked: EmbeddingsRequest) -> Response:
    """Embed texts; vectors are of unit length."""
    service = service_of(request)
    name = service.embedding_model
    if asked.model not in (name, service.embedder.name):
        raise Problem(
            status=404,
            detail="no such embedding model here",
            where="model",
            mend=f"choose {name!r}",
        )
    texts = _texts(asked)
    if asked.dimensions not in (None, service.embedder.dim):
        raise Problem(
            status=422,
            detail=f"the vectors have {service.embedder.dim} dimensions",
            where="dimensions",
            mend="leave `dimensions` out",
        )
    with service.searched():
        vectors = await asyncio.to_thread(service.embedder.encode, texts)
    data = [
        {
            "object": "embedding",
            "index": index,
            "embedding": b64encode(vector.astype("<f4").tobytes()).decode()
            if asked.encoding_format == "base64"
            else [float(value) for value in vector],
        }
        for index, vector in enumerate(vectors)
    ]
    # Tokens are not counted: nothing is charged for them, and no client splits by them.
    usage = {"prompt_tokens": 0, "total_tokens": 0}
    return reply({"object": "list", "model": name, "data": data, "usage": usage})


def _texts(asked: EmbeddingsRequest) -> list[str]:
    texts = [asked.input] if isinstance(asked.input, str) else asked.input
    if not all(isinstance(text, str) for text in texts):
        raise Problem(
            status=422,
            detail="tokens cannot be embedded, only texts",
            where="input",
            mend="send strings; LangChain's client does with check_embedding_ctx_length=False",
        )
    if not texts or len(texts) > MOST_TEXTS or any(not text.strip() for text in texts):
        raise Problem(
            status=422,
            detail="a text is empty, or there are too many",
            where="input",
            mend=f"send 1 to {MOST_TEXTS} texts",
        )
    if any(len(text) > LONGEST_TEXT for text in texts):
        raise Problem(
            status=422,
            detail=f"a text has more than {LONGEST_TEXT:,} characters",
            where="input",
            mend="send it in parts",
        )
    # A lone surrogate cannot be encoded by any tokenizer.
    return [text.encode("utf-8", "replace").decode() for text in texts]
