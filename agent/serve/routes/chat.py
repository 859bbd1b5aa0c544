"""`/v1/chat/completions` and the lists of models, as OpenAI's clients and Open WebUI expect them.

The question is the last message of the user; a conversation before it is not read. The answer's
marks `[1]` are annotated with the permanent link of what is cited, which also stands in a list
below. What clients show is Markdown: text of articles is kept from being a link, a picture or HTML.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Request, Response

from agent.events import Answered, PlanMade, SubQuestionEnded
from agent.serve.problems import Problem, encode, problem_to_json
from agent.serve.questions import Asked, Said, Silence
from agent.serve.routes.access import QuestionStream, answer_of, documented, left, reply, service_of
from agent.serve.shapes import ChatMessage, ChatRequest
from agent.serve.stream import KEEP_ALIVE, MEDIA_TYPE, SILENCE, answered
from agent.terminal.answer import STATUS_MARKS
from agent.types import Answer, Citation

router = APIRouter(tags=["openai"])
PIECE = 400
"""Characters of one piece of a streamed answer."""
_MARK = re.compile(r"\[(\d+)\]")
_ACTIVE = re.compile(r"!(?=\[)|(?<=\])(?=[(\[:])|<(?=[/!?a-zA-Z])")


@router.get("/v1/models", responses=documented(401))
async def models(request: Request) -> Response:
    """The models that `/v1/chat/completions` takes; chat clients offer all that stand here."""
    return reply(_models(service_of(request).chat_models))


@router.get("/v1/embeddings/models", responses=documented(401))
async def embedding_models(request: Request) -> Response:
    """The models that `/v1/embeddings` takes."""
    return reply(_models([service_of(request).embedding_model]))


@router.get("/v1/models/{name:path}", responses=documented(401, 404))
async def model(request: Request, name: str) -> Response:
    """One model, of either kind."""
    service = service_of(request)
    if name not in (*service.chat_models, service.embedding_model):
        mend = "see /v1/models and /v1/embeddings/models"
        raise Problem(status=404, detail="no such model here", mend=mend)
    return reply(_model(name))


@router.post(
    "/v1/chat/completions",
    responses={
        **documented(401, 404, 415, 422, 429, 502, 503, 504),
        200: {"content": {"application/json": {}, MEDIA_TYPE: {}}},
    },
)
async def completions(request: Request, asked: ChatRequest) -> Response:
    """Answer the user's last message; with `stream`, sub-questions come as they are answered."""
    service = service_of(request)
    if asked.model not in service.chat_models:
        raise Problem(
            status=404,
            detail="no such model here",
            where="model",
            mend=f"choose {' or '.join(map(repr, service.chat_models))}",
        )
    engine = service.chat_models[asked.model]
    question = await service.ask(last_question(asked.messages), asked, engine)
    head = {
        "id": f"chatcmpl-{request.state.request_id}",
        "created": int(time.time()),
        "model": asked.model,
    }
    if asked.stream:
        usage = asked.stream_options is not None and asked.stream_options.include_usage
        pieces = _pieces(question, head, usage, request.state.request_id)
        return QuestionStream(question, pieces)
    answer = await answer_of(request, question)
    if answer is None:
        return left()
    text, annotations = content_of(answer)
    message = {
        "role": "assistant",
        "content": text,
        "refusal": None,
        "annotations": annotations,
        "reasoning_content": None,
    }
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    return reply(
        {
            **head,
            "object": "chat.completion",
            "choices": [choice],
            "usage": _usage(answer),
            "fanfold": answered(answer, question),
        },
        kept=question.kept,
    )


def last_question(messages: list[ChatMessage]) -> str:
    """Return the words of the user's last message.

    Raises:
        Problem: there is none, or it holds something else than text.
    """
    asked = next((one for one in reversed(messages) if one.role == "user"), None)
    content = asked.content if asked is not None else None
    if isinstance(content, str):
        return content
    if content and all(part.type == "text" and part.text for part in content):
        return "\n".join(part.text or "" for part in content)
    raise Problem(
        status=422,
        detail="there is no text of a user to answer",
        where="messages",
        mend="send a message with the role `user` and text alone",
    )


def content_of(answer: Answer) -> tuple[str, list[dict[str, Any]]]:
    """Return an answer as Markdown, with its sources, and the annotations of its marks."""
    cited = {citation.number: citation for citation in answer.citations}
    text = inert(answer.text)
    annotations = [
        {
            "type": "url_citation",
            "url_citation": {
                "start_index": mark.start(),
                "end_index": mark.end(),
                "title": cited[int(mark[1])].revision.title,
                "url": cited[int(mark[1])].revision.url,
            },
        }
        for mark in _MARK.finditer(text)
        if int(mark[1]) in cited
    ]
    if cited:
        text += "\n\n" + "\n".join(_source_line(citation) for citation in cited.values())
    return text, annotations


def inert(text: str) -> str:
    r"""Return text in which Markdown finds no link, no picture and no HTML.

    >>> inert("![x](http://e.example) [y](z) <img src=q> [1]")
    '!\\[x]\\(http://e.example) [y]\\(z) \\<img src=q> [1]'
    """
    return _ACTIVE.sub(lambda found: found[0] + "\\" if found[0] != "<" else "\\<", text)


def _source_line(citation: Citation) -> str:
    revision = citation.revision
    unsure = " (unsure)" if citation.support == "unsure" else ""
    quote = inert(" ".join(citation.quote.split()))
    return (
        f"- [{citation.number}]{unsure} {inert(revision.title)}, revision of "
        f"{revision.timestamp[:10]}: “{quote}” <{revision.url}>"
    )


async def _pieces(
    question: Asked, head: dict[str, Any], usage: bool, request_id: str
) -> AsyncIterator[bytes]:
    def piece(delta: dict[str, Any], end: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": end, "logprobs": None}
        return _data({**head, "object": "chat.completion.chunk", "choices": [choice]})

    try:
        yield piece({"role": "assistant", "content": ""})
        async with aclosing(question.events(SILENCE)) as events:
            async for said in events:
                if isinstance(said, Silence):
                    yield KEEP_ALIVE
                elif isinstance(said, Answered):
                    text, annotations = content_of(said.answer)
                    for start in range(0, len(text), PIECE):
                        yield piece({"content": text[start : start + PIECE]})
                    yield piece({"annotations": annotations}, "stop")
                    if usage:
                        told = {"choices": [], "usage": _usage(said.answer)}
                        yield _data({**head, "object": "chat.completion.chunk", **told})
                else:
                    for line in _progress(said):
                        yield piece({"reasoning_content": line})
    except Exception as error:
        _, told = problem_to_json(
            error, where="POST /v1/chat/completions", request_id=request_id, openai=True
        )
        yield _data(told)
    yield b"data: [DONE]\n\n"


def _progress(said: Said) -> list[str]:
    """Return lines about what happened, which clients show as thinking."""
    match said:
        case PlanMade(sub_questions=steps):
            asked = [step for step in steps if step.kind != "follow_up"]
            return [f"{inert(step.text)}\n" for step in asked]
        case SubQuestionEnded(sub_question=step, sub_answer=found):
            text = inert(" ".join((found.text or found.error or "").split()))
            return [f"{STATUS_MARKS[found.status]} {inert(step.text)} {text}\n"]
    return []


def _data(value: object) -> bytes:
    return b"data: " + encode(value) + b"\n\n"


def _usage(answer: Answer) -> dict[str, int]:
    used = answer.usage
    return {
        "prompt_tokens": used.tokens_in,
        "completion_tokens": used.tokens_out,
        "total_tokens": used.tokens_in + used.tokens_out,
    }


def _models(names: Iterable[str]) -> dict[str, Any]:
    return {"object": "list", "data": [_model(name) for name in names]}


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "fanfold"}
