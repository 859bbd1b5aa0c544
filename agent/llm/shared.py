"""What all models of one endpoint share within a process: its limiter, and what was learnt of it."""

from __future__ import annotations

import threading
from urllib.parse import urlsplit, urlunsplit

from agent.llm.limits import Limiter, Limits
from agent.llm.traits import ServerTraits

_LOCK = threading.Lock()
_LIMITERS: dict[tuple[str, Limits], Limiter] = {}
_TRAITS: dict[tuple[str, str], ServerTraits] = {}


def limiter_for(endpoint: str, limits: Limits | None) -> Limiter:
    """Return the limiter of an endpoint; models with the same limits share it."""
    limits = limits or Limits()
    with _LOCK:
        limiter = _LIMITERS.get((endpoint, limits))
        if limiter is None:
            limiter = _LIMITERS[endpoint, limits] = Limiter(limits)
        return limiter


def traits_for(endpoint: str, model: str) -> ServerTraits:
    """Return what is known of a model at an endpoint, to be added to."""
    with _LOCK:
        return _TRAITS.setdefault((endpoint, model), ServerTraits())


def public_url(url: str) -> str:
    """Return an endpoint as it may be shown and stored: no user, password or query."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
