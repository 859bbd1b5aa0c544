"""From an agent's arguments to its settings and its wiring, each named in one place alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agent.budget import Budget
from agent.graph.parts import Wiring
from agent.settings import Settings
from corpus.errors import InputError

_SETTINGS = (
    *("strategy", "setting", "evidence", "style", "k", "budget", "base_url", "tools", "classify"),
    *("context_limit", "verifier", "reader", "planner"),
)
_WIRING = (
    *("reasoner", "retriever", "api_key", "calls", "replay", "limits", "prices", "prompts"),
    "stream",
)


def told_apart(function: Callable[..., Any], given: Mapping[str, Any]) -> tuple[Settings, Wiring]:
    """Return the settings and the wiring that arguments come to.

    Args:
        function: whose arguments they are; its defaults count as not named.
        given: the arguments by name; `settings` and `wiring` stand for all that they hold.

    Raises:
        InputError: an argument is named by itself and inside `settings` or `wiring`, too, or a file
            of prices is none.
    """
    settings, wiring = given["settings"], given["wiring"]
    _check(function, given, settings, wiring)
    snapshot, model = given["snapshot"], given["model"]
    if settings is None:
        chosen = {name: given[name] for name in _SETTINGS}
        settings = Settings(
            **chosen
            | {
                "evidence": tuple(chosen["evidence"]),
                "budget": chosen["budget"] or Budget(),
                "snapshot": str(snapshot) if isinstance(snapshot, str | Path) else None,
                "model": model if isinstance(model, str) else None,
            }
        )
    if wiring is None:
        handed = {name: given[name] for name in _WIRING}
        wiring = Wiring(
            **handed
            | {
                "snapshot": None if isinstance(snapshot, str | Path) else snapshot,
                "model": None if isinstance(model, str) else model,
                "calls": None if handed["calls"] is None else Path(handed["calls"]),
                "prompts": None if handed["prompts"] is None else Path(handed["prompts"]),
                "prices": _price_table(handed["prices"]),
            }
        )
    return settings, wiring


def _price_table(prices: Any) -> Any:
    """Return the table of a file of prices; a table that was given, and None, as they are."""
    if not isinstance(prices, Path | str):
        return prices
    from agent.llm.prices import PriceTable

    return PriceTable.read(Path(prices))


def _check(
    function: Callable[..., Any],
    given: Mapping[str, Any],
    settings: Settings | None,
    wiring: Wiring | None,
) -> None:
    """Refuse what is named both by itself and inside `settings` or `wiring`."""
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
    }
    named = {name for name, value in given.items() if value != defaults.get(name)}
    snapshot, model = given["snapshot"], given["model"]
    if settings is not None:
        inside = [name for name in _SETTINGS if name in named]
        inside += ["snapshot"] if isinstance(snapshot, str | Path) else []
        inside += ["model"] if isinstance(model, str) else []
        _refuse(inside, "settings")
    if wiring is not None:
        inside = [name for name in _WIRING if name in named]
        inside += (
            ["snapshot"] if snapshot is not None and not isinstance(snapshot, str | Path) else []
        )
        inside += ["model"] if model is not None and not isinstance(model, str) else []
        _refuse(inside, "wiring")
    if settings is not None and wiring is not None:
        if settings.snapshot is not None and wiring.snapshot is not None:
            raise InputError("settings and wiring each name a snapshot: leave one out")
        if settings.model is not None and wiring.model is not None:
            raise InputError("settings and wiring each name a model: leave one out")


def _refuse(names: list[str], where: str) -> None:
    if names:
        raise InputError(
            f"{', '.join(names)} and {where} are both given: name {'them' if names[1:] else 'it'} "
            f"inside {where}, or leave {where} out"
        )
