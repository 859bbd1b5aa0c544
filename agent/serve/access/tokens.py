"""Who may ask: named tokens, compared in constant time, each with a rate of its own."""

from __future__ import annotations

import hashlib
import hmac
import math
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from agent.serve.problems import Problem
from corpus.errors import InputError
from corpus.files import read_text

SHORTEST = 16
"""Characters of a token; a shorter one can be guessed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One caller."""

    name: str
    """Shown in metrics and logs, the token never is."""
    digest: bytes
    """SHA-256 of the token."""
    per_minute: float | None = None
    """Requests; None for any number."""


def make_token(secret: str, name: str = "token", per_minute: float | None = None) -> Token:
    """Return the token of a secret.

    Raises:
        InputError: too short, or of characters that no header may hold; it is not said itself.
    """
    if len(secret) < SHORTEST or not secret.isascii() or not secret.isprintable() or " " in secret:
        raise InputError(
            f"the token {name!r} is no use: give {SHORTEST} or more letters, digits and signs "
            "without spaces, as `openssl rand -hex 32` prints"
        )
    digest = hashlib.sha256(secret.encode()).digest()
    return Token(name=name, digest=digest, per_minute=per_minute)


def read_tokens(file: Path) -> list[Token]:
    """Read a file of tokens: name, token and, if wanted, requests a minute on each line.

    Raises:
        InputError: names the line, never the token.
    """
    tokens: list[Token] = []
    for number, line in enumerate(read_text(file, "file of tokens").splitlines(), start=1):
        parts = line.split()
        if not parts or parts[0].startswith("#"):
            continue
        if len(parts) not in (2, 3):
            raise InputError(
                f"{file}, line {number}: write `name token` or `name token requests-a-minute`"
            )
        rate = None
        if len(parts) == 3:
            rate = float(parts[2]) if parts[2].replace(".", "", 1).isdecimal() else 0.0
            if not rate > 0:
                raise InputError(
                    f"{file}, line {number}: the rate is no number of requests a minute above 0"
                )
        tokens.append(make_token(parts[1], parts[0], rate))
    if not tokens:
        raise InputError(f"{file} holds no token: write `name token` on a line for each")
    return tokens


class Rooms(Protocol):
    """Numbers that processes share: a `multiprocessing.Array`."""

    def __getitem__(self, place: int, /) -> float: ...
    def __setitem__(self, place: int, value: float, /) -> None: ...
    def get_lock(self) -> AbstractContextManager[Any]:
        """Return what keeps the others out meanwhile."""
        ...


class Doorkeeper:
    """Tells callers by their tokens and holds each to its rate.

    Args:
        tokens: none lets everybody in, as one nameless caller.
        clock: seconds, monotonic, the same for all processes.
        rooms: two numbers for each token, zero at first: requests that count against its rate, and
            when that was so. Given, it is shared by processes, and has a lock.
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        *,
        clock: Callable[[], float] = time.monotonic,
        rooms: Rooms | None = None,
    ) -> None:
        self._tokens = tuple(tokens)
        self._clock = clock
        self._rooms: Rooms | list[float] = [0.0] * 2 * len(tokens) if rooms is None else rooms
        self._lock: AbstractContextManager[Any] = (
            nullcontext() if rooms is None else rooms.get_lock()
        )
        self._places = {token.name: 2 * number for number, token in enumerate(tokens)}

    def admit(self, authorization: str | None) -> str:
        """Return the caller's name.

        Args:
            authorization: the header, `Bearer TOKEN`.

        Raises:
            Problem: 401 without a right token, 429 beyond its rate.
        """
        if not self._tokens:
            return "anyone"
        scheme, _, secret = (authorization or "").strip().partition(" ")
        digest = hashlib.sha256(secret.strip().encode("utf-8", "replace")).digest()
        caller: Token | None = None
        for token in self._tokens:
            # All are compared, whichever fits: the time says nothing about them.
            if hmac.compare_digest(token.digest, digest):
                caller = token
        if caller is None or scheme.lower() != "bearer":
            raise Problem(
                status=401,
                detail="no token" if not secret else "a wrong token",
                mend="send the header `Authorization: Bearer TOKEN` with a token of this server",
                headers={"WWW-Authenticate": 'Bearer realm="fanfold"'},
            )
        self._count(caller)
        return caller.name

    def _count(self, caller: Token) -> None:
        """Take one request from a caller's room, which fills evenly up to one minute's worth."""
        if caller.per_minute is None:
            return
        place = self._places[caller.name]
        with self._lock:
            used, then = self._rooms[place], self._rooms[place + 1]
            now = self._clock()
            used = max(0.0, used - (now - then) * caller.per_minute / 60)
            over = used + 1 - max(1.0, caller.per_minute)
            self._rooms[place] = used if over > 0 else used + 1
            self._rooms[place + 1] = now
        if over > 0:
            pause = max(1, math.ceil(over * 60 / caller.per_minute))
            raise Problem(
                status=429,
                detail=f"the rate of {caller.per_minute:g} requests a minute is used up",
                mend=f"ask again after {pause} s",
                headers={"Retry-After": str(pause)},
            )
