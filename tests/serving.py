"""A real server on loopback, in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import httpx

from agent.serve.options import Options
from agent.serve.processes.server import Server, bind
from agent.serve.service import Service


@dataclass(slots=True)
class Running:
    """A server that answers."""

    service: Service
    server: Server
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=30, **options)

    def settle(self, seconds: float = 20) -> None:
        """Wait until no question is under way."""
        end = time.monotonic() + seconds
        while self.service.running or self.service.waiting:
            assert time.monotonic() < end, "a question is still under way"
            time.sleep(0.01)


@contextmanager
def serving(options: Options | None = None) -> Iterator[Running]:
    options = replace(options or Options(), port=0)
    bound = bind(options)
    service = Service(options)
    server = Server(service)

    def run() -> None:
        with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
            runner.run(server.serve(sockets=[bound]))

    thread = threading.Thread(target=run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield Running(service, server, bound.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(60)
        service.close()
        assert not thread.is_alive(), "the server did not stop"


def events_of(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield (event, data) of a stream of server-sent events."""
    name, data = "", ""
    for line in lines:
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            data = line[6:]
        elif not line and data:
            yield name, data
            name, data = "", ""
