"""One connection of the server: bounded in what it sends before a request, and in how slowly it reads.

uvicorn waits for a request's head as long as the client likes, takes headers of any number, and
keeps what a client does not read for ever. Whoever opens a thousand connections and says nothing
would cost a thousand descriptors.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES = 32_768
"""Of a request's line and headers."""


class Connection(HttpToolsProtocol):
    """uvicorn's connection with limits of time and size; `limited` sets them."""

    patience: ClassVar[float] = 10.0
    """Seconds for a request's head, and for a client to read on."""
    most: ClassVar[int] = 1000
    """Connections at once."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._head_timer: asyncio.TimerHandle | None = None
        self._read_timer: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request's head."""
        super().connection_made(transport)
        if len(self.connections) > self.most:
            self._refuse(503, "too many connections", "connect again later")
            return
        self._head_timer = self.loop.call_later(self.patience, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """End what waits for the connection."""
        for timer in (self._head_timer, self._read_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what the client sent, if it is not too much before a request is known."""
        super().data_received(data)
        if not self._in_head or self.transport.is_closing():
            return
        self._head_bytes += len(data)
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(self.patience, self._too_slow)
        if self._head_bytes > HEAD_BYTES:
            self._refuse(431, "the headers are too large", "send fewer and shorter ones")

    def on_headers_complete(self) -> None:
        """Wait no longer: the guard bounds the body."""
        self._in_head = False
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
        super().on_headers_complete()

    def on_message_begin(self) -> None:
        """A further request of the connection begins."""
        self._in_head = True
        self._head_bytes = 0
        super().on_message_begin()

    def pause_writing(self) -> None:
        """The client does not read: it has a while to go on."""
        super().pause_writing()
        if self._read_timer is None:
            self._read_timer = self.loop.call_later(self.patience, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads on."""
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP."""
        self._refuse(400, "no HTTP that can be read", "send a request as RFC 9112 describes it")

    def _too_slow(self) -> None:
        self._head_timer = None
        if self._head_bytes:
            self._refuse(408, "the request did not arrive in time", "send it in one go")
        else:
            self.transport.abort()

    def _refuse(self, status: int, detail: str, mend: str) -> None:
        if self.transport.is_closing():
            return
        told = {
            "type": "about:blank",
            "title": detail,
            "status": status,
            "detail": detail,
            "where": "the connection",
            "mend": mend,
            "request_id": "",
        }
        body = json.dumps(told).encode()
        head = (
            f"HTTP/1.1 {status} Refused\r\ncontent-type: application/problem+json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()


def limited(patience: float, most: int) -> type[Connection]:
    """Return the kind of connection with these limits, as uvicorn wants a class."""
    return type("LimitedConnection", (Connection,), {"patience": patience, "most": most})
