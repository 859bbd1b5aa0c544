"""When a failed call is tried again, and after how long."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

RETRIED_STATUS = frozenset({408, 429, *range(500, 600)})
"""Time-outs, too many requests, and faults of the server; nothing else gets better by asking again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """How often and how patiently."""

    retries: int = 6
    """Most repetitions of one call after its first attempt."""
    first_wait: float = 0.5
    """Seconds before the first repetition where the server names no time; doubled each time."""
    longest_wait: float = 30.0
    longest_asked: float = 120.0
    """A server that asks to wait longer than these seconds ends the call: a quota, not a burst."""

    def wait(self, attempt: int, random_: random.Random) -> float:
        """Return the seconds to wait after failed attempt `attempt` (from 0), with jitter.

        Half of the wait is fixed and half random, so that calls that failed together do not come
        back together.
        """
        full = min(self.longest_wait, self.first_wait * 2.0**attempt)
        return full / 2 + random_.random() * full / 2


def asked_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds a server asks to wait, or None.

    Reads `retry-after-ms`, and `Retry-After` in both of its forms, seconds and HTTP date
    (RFC 9110, section 10.2.3). What cannot be read counts as absent; a date in the past is 0.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or value is None:
        return seconds
    try:
        then = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())


def _number(value: str | None) -> float | None:
    try:
        number = float(value) if value is not None else -1.0
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
