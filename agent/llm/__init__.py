"""Model calls: one port, one client for OpenAI-compatible servers, and what wraps it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent.llm.calls import Calls
    from agent.llm.limits import Admission, Limits
    from agent.llm.port import LanguageModel
    from agent.llm.retries import RetryPolicy

__all__ = ["open_model"]

OPENAI_URL = "https://api.openai.com/v1"


def open_model(
    name: str,
    base_url: str | None = None,
    api_key: str | None = None,
    *,
    cache: Path | str | Calls | None = None,
    replay: bool = False,
    limits: Limits | None = None,
    limiter: Admission | None = None,
    policy: RetryPolicy | None = None,
    timeout: float = 120.0,
    stream: bool = False,
    epoch: int = 0,
    fingerprint: str = "",
) -> LanguageModel:
    """Return a model at an OpenAI-compatible endpoint: limited, retried, repaired, cached.

    Opening sends nothing.

    Args:
        name: the model's name at that server.
        base_url: the server's address up to `/v1`; OpenAI's own by default.
        api_key: never shown, stored or logged. Nothing is taken from the environment.
        cache: SQLite file of calls, made where missing; or what keeps them elsewhere.
        replay: answer from `cache` alone; a call that is not in it fails, and no socket is opened.
        limits: calls at once, calls and tokens a minute; shared by all models of one endpoint.
        limiter: admits the calls instead, where many processes share it.
        policy: how failed calls are repeated.
        timeout: seconds for a whole reply, or between two pieces of a streamed one.
        stream: ask for replies in pieces.
        epoch: raise it to draw a fresh sample of every reply.
        fingerprint: of the snapshot, so that another snapshot never gets this one's replies.

    Raises:
        InputError: an address that is none, or replay without a file of calls.
    """
    from agent.llm.cache import CachedModel, CacheKey
    from agent.llm.calls import CallCache
    from agent.llm.shared import limiter_for, public_url, traits_for
    from corpus.address import check_model_address
    from corpus.errors import InputError

    address = (base_url or OPENAI_URL).rstrip("/")
    check_model_address(address)
    key = CacheKey(model=name, endpoint=public_url(address), epoch=epoch, fingerprint=fingerprint)
    if replay:
        if not isinstance(cache, str | Path):
            raise InputError("replay needs the file of calls to replay from")
        return CachedModel(None, CallCache(Path(cache), read_only=True), key)

    from agent.llm.openai import OpenAIModel
    from agent.llm.replies.repair import RepairedModel

    model = RepairedModel(
        OpenAIModel(
            name,
            base_url=address,
            api_key=api_key,
            limiter=limiter or limiter_for(key.endpoint, limits),
            policy=policy,
            timeout=timeout,
            stream=stream,
            traits=traits_for(key.endpoint, name),
        )
    )
    if cache is None:
        return model
    calls = CallCache(Path(cache)) if isinstance(cache, str | Path) else cache
    return CachedModel(model, calls, key)
