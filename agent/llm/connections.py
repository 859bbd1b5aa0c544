"""One client for each event loop, its connections closed with the loop or before."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Any, Generic, Protocol, TypeVar


class Client(Protocol):
    """What holds connections of the loop it was first used in."""

    async def close(self) -> None:
        """Close them."""
        ...


C = TypeVar("C", bound=Client)


class Connections(Generic[C]):
    """The clients of one model, by event loop.

    Args:
        make: makes a client; called in a thread, as one may read the certificates of the machine:
            too long for a loop with other work.
    """

    def __init__(self, make: Callable[[], C]) -> None:
        self._make = make
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, C]
        self._clients = weakref.WeakKeyDictionary()
        self._making: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock]
        self._making = weakref.WeakKeyDictionary()

    async def client(self) -> C:
        """Return the client of this loop, made where there is none yet."""
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is not None:
            return client
        async with self._making.setdefault(loop, asyncio.Lock()):
            client = self._clients.get(loop)
            if client is None:
                client = await asyncio.to_thread(self._make)
                keeper = _kept_open(client, self._clients)
                _KEEPERS.setdefault(loop, {})[client] = keeper
                await anext(keeper)
                self._clients[loop] = client
        # A lock that was waited for holds its loop.
        self._making.pop(loop, None)
        return client

    async def aclose(self) -> None:
        """Close this loop's connections; the end of the loop does so too."""
        loop = asyncio.get_running_loop()
        client = self._clients.pop(loop, None)
        if client is not None:
            keeper = _KEEPERS[loop].pop(client)
            await keeper.aclose()

    def close(self) -> None:
        """Have every event loop close the connections it uses, as soon as it turns to it."""
        for loop in list(self._clients):
            # A loop that has ended has closed them.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._close_soon)

    def _close_soon(self) -> None:
        closing = asyncio.ensure_future(self.aclose())
        _CLOSING.add(closing)
        closing.add_done_callback(_CLOSING.discard)


_KEEPERS: weakref.WeakKeyDictionary[
    asyncio.AbstractEventLoop, dict[Any, AsyncGenerator[None, None]]
] = weakref.WeakKeyDictionary()
"""asyncio.run() ends a loop's asynchronous generators: that closes the connections of callers who
cannot know that there are any. They are held here, as the model may be gone before its loop."""


_CLOSING: set[asyncio.Future[None]] = set()
"""A loop holds its tasks weakly: these are held until they are done."""


async def _kept_open(
    client: C, clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, C]
) -> AsyncGenerator[None, None]:
    loop = asyncio.get_running_loop()
    try:
        yield
    finally:
        # A generator holds its loop, and keys that are held weakly are not let go while a value
        # leads to them: what ends with the loop is taken out by hand.
        clients.pop(loop, None)
        keepers = _KEEPERS.get(loop, {})
        keepers.pop(client, None)
        if not keepers:
            _KEEPERS.pop(loop, None)
        await client.close()
