"""From the options of `run_agent.py`, and the environment, to an agent's settings and wiring."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from corpus.errors import InputError
from corpus.terminal import say

if TYPE_CHECKING:
    from agent.graph.parts import Wiring
    from agent.llm.limits import Limits
    from agent.settings import Settings

_SETTINGS = (
    *("strategy", "setting", "style", "k", "approve", "language", "tools", "classify"),
    *("context_limit", "verifier", "reader", "planner"),
)
"""Options that are settings by the same name."""
LIMITS = {
    "max_calls": "calls",
    "max_tokens": "tokens",
    "max_cost": "cost_usd",
    "max_seconds": "seconds",
    "max_sub_questions": "sub_questions",
    "max_depth": "depth",
}
"""Options that are limits of the budget."""
_WIRED = frozenset(
    {"calls", "replay", "prices", "prompts", "timeout", "retries", "concurrency", "rpm", "tpm"}
    | {"stream"}
)
_ALLOWED_WITH_RESUME = frozenset({"resume", "plan_file", "json_", "verbose", *LIMITS, *_WIRED})
_ABOUT_CALLS = frozenset(
    {"base_url", "tools", "classify", "context_limit", "max_calls", "max_tokens", "max_cost"}
    | _WIRED
)


def settings_of(chosen: Mapping[str, Any], limits: Mapping[str, Any]) -> Settings:
    """Return the settings that options and the environment come to."""
    from agent.budget import Budget
    from agent.settings import Settings

    snapshot: Path | None = chosen["snapshot"]
    return Settings(
        **{name: chosen[name] for name in _SETTINGS},
        store=_store(chosen["store"]),
        evidence=tuple(chosen["evidence"] or ()),
        snapshot=None if snapshot is None else str(snapshot.resolve()),
        model=chosen["model"] or os.environ.get("FANFOLD_MODEL") or None,
        base_url=chosen["base_url"] or os.environ.get("FANFOLD_BASE_URL") or None,
        budget=Budget(**limits),
    )


def resumed_settings(resume: str, limits: Mapping[str, Any]) -> Settings:
    """Return the settings of a run that is gone on with, its budget changed where that was named."""
    from agent.graph.record.runlog import RunLog

    settings = RunLog(state_file()).find(resume).settings
    return replace(settings, budget=replace(settings.budget, **limits))


def wiring_of(context: typer.Context, chosen: Mapping[str, Any], settings: Settings) -> Wiring:
    """Return what options hand over beside the settings; some mean nothing without a model."""
    from agent.graph.parts import Wiring
    from agent.llm.prices import PriceTable
    from agent.llm.retries import RetryPolicy

    calls: Path | None = chosen["calls"]
    if calls is not None and calls.exists() and not calls.is_file():
        raise InputError(f"--calls {calls} is no file: name one, or one to be made")
    if settings.model is None:
        _refuse_without_model(context)
        return Wiring(say=say, store_key=_store_key())
    prices: Path | None = chosen["prices"]
    return Wiring(
        api_key=_key(settings, chosen["replay"]),
        store_key=_store_key(),
        calls=calls or _cache_folder() / "calls.sqlite",
        replay=chosen["replay"],
        prompts=chosen["prompts"],
        prices=None if prices is None else PriceTable.read(prices),
        limits=_limits(chosen["concurrency"], chosen["rpm"], chosen["tpm"]),
        timeout=_positive("--timeout", chosen["timeout"]),
        policy=RetryPolicy(retries=chosen["retries"]),
        stream=chosen["stream"],
        say=say,
    )


def _key(settings: Settings, replay: bool) -> str | None:
    key = os.environ.get("FANFOLD_API_KEY")
    if key is None and settings.base_url is None and not replay:
        raise InputError(
            f"the model {settings.model!r} would be asked at OpenAI's own endpoint, which needs a "
            "key: set FANFOLD_API_KEY (OPENAI_API_KEY is never used), or name --base-url"
        )
    return key


def _store(spec: str | None) -> str | None:
    if spec is None:
        return None
    from retrieval.stores import named_store

    return named_store(spec)


def _store_key() -> str | None:
    return os.environ.get("FANFOLD_STORE_KEY") or None


def _limits(concurrency: int, rpm: float | None, tpm: float | None) -> Limits:
    from agent.llm.limits import Limits

    return Limits(
        concurrency=int(_positive("--concurrency", concurrency)),
        calls_per_minute=None if rpm is None else _positive("--rpm", rpm),
        tokens_per_minute=None if tpm is None else _positive("--tpm", tpm),
    )


def _positive(option: str, value: float) -> float:
    if not value > 0:
        raise InputError(f"{option} is {value:g}: it must be more than 0")
    return value


def _refuse_without_model(context: typer.Context) -> None:
    """Refuse options of model calls where there are none: their author expects some."""
    for name, option in _given(context):
        if name in _ABOUT_CALLS:
            raise InputError(f"{option} is about model calls, and no model is named: add --model")


def refuse_beside_resume(context: typer.Context, question: str | None) -> None:
    """Refuse what a run that is gone on with has already."""
    if question is not None:
        raise InputError("--resume goes on with its own question: leave the question out")
    for name, option in _given(context):
        if name not in _ALLOWED_WITH_RESUME:
            raise InputError(
                f"{option} has no meaning with --resume: a run goes on as it was begun"
            )


def _given(context: typer.Context) -> list[tuple[str, str]]:
    """Return (name, option) of what stands on the command line."""
    sources = [
        (one.name or "", one.opts[0], context.get_parameter_source(one.name or ""))
        for one in context.command.params
    ]
    return [
        (name, option)
        for name, option, how in sources
        if how is not None and how.name == "COMMANDLINE"
    ]


def state_file() -> Path:
    """Return the file of runs, in the user's state folder."""
    from platformdirs import user_state_path

    return user_state_path("fanfold", appauthor=False) / "runs.sqlite"


def _cache_folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("fanfold", appauthor=False)
