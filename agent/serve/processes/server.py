"""The running server: uvicorn over the application, stopped in good order."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

import uvicorn

from agent.serve.app import build_app
from agent.serve.processes.connection import limited
from agent.serve.processes.memory import keep_what_is_there
from corpus.errors import InputError
from retrieval.dense.runtime import give_back

if TYPE_CHECKING:
    from agent.serve.options import Options
    from agent.serve.service import Service

KEEP_ALIVE = 30
"""Seconds for which a connection may be idle."""
TIDIED = 60.0
"""Seconds between two times that memory which is free is given back to the system."""


class Server(uvicorn.Server):
    """Ends questions under way before it closes their connections."""

    def __init__(self, service: Service, on_start: Callable[[], None] = lambda: None) -> None:
        options = service.options
        self._service = service
        self._on_start = on_start
        self._tidying: asyncio.Task[None] | None = None
        config = uvicorn.Config(
            build_app(service),
            host=options.host,
            port=options.port,
            http=limited(options.patience, options.connections),
            ws="none",
            timeout_keep_alive=KEEP_ALIVE,
            # What the service's own grace leaves over is a client that does not read.
            timeout_graceful_shutdown=5,
            server_header=False,
            proxy_headers=False,
            access_log=False,
            log_config=None,
            log_level=logging.ERROR,
        )
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        self._tidying = asyncio.create_task(_tidy())
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let answers end while new questions are told that the server stops, then close."""
        await self._service.stop(self._service.options.grace)
        if self._tidying is not None:
            self._tidying.cancel()
        await super().shutdown(sockets)
        # A stop in good order is no failure: uvicorn would raise the signal once more.
        self._captured_signals.clear()


async def _tidy() -> None:
    """Give back what the C library keeps of answers that took much at once, as long as this serves."""
    while True:
        await asyncio.sleep(TIDIED)
        await asyncio.to_thread(give_back)


def bind(options: Options, *, together: bool = False) -> socket.socket:
    """Return a socket at the server's address, which does not listen yet.

    Args:
        options: name the address.
        together: other processes of this server listen there too, each at a socket of its own.

    Raises:
        InputError: the address is taken, or is none of this machine.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            options.host, options.port, type=socket.SOCK_STREAM
        )[0]
        bound = socket.socket(family, kind, proto)
    except (OSError, UnicodeError) as error:
        raise InputError(
            f"--host {options.host}: {error}: name an address of this machine"
        ) from None
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if together:
        if not hasattr(socket, "SO_REUSEPORT"):
            raise InputError(
                "--workers: this system spreads no connections over processes: leave it out"
            )
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        bound.bind(address)
    except (OSError, OverflowError) as error:
        bound.close()
        raise InputError(
            f"{options.host}:{options.port} cannot be served ({error}): choose another --port"
        ) from None
    return bound


def place_of(options: Options, bound: socket.socket) -> str:
    """Return the address of a socket as a link."""
    shown = f"[{options.host}]" if ":" in options.host else options.host
    return f"http://{shown}:{bound.getsockname()[1]}/"


def log_faults() -> None:
    """Let faults be seen on standard error, and nothing else: what is asked stands in no log."""
    logging.basicConfig(level=logging.ERROR, format="fanfold serve: %(message)s")


def run_mcp(service: Service) -> None:
    """Serve MCP over standard input and output until the input ends."""
    from agent.serve.mcp.server import build_mcp

    async def serve() -> None:
        service.start()
        try:
            await build_mcp(service).run_stdio_async()
        finally:
            await service.stop(0)

    try:
        asyncio.run(serve())
    finally:
        service.close()


def run(
    service: Service, bound: socket.socket, on_start: Callable[[], None] = lambda: None
) -> None:
    """Serve until SIGTERM or Ctrl-C, then stop in good order.

    Args:
        service: what is served; closed by whoever opened it.
        bound: from `bind`.
        on_start: called once requests are taken.
    """
    server = Server(service, on_start)
    keep_what_is_there()
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=[bound]))
