"""Waits until a server on loopback has read what a process sent it before the process died."""

from __future__ import annotations

from http.client import HTTPConnection
from urllib.parse import urlsplit

ROUNDS = 3
"""The server's loop accepts a connection in one turn and reads from it in the next."""


def settle(url: str) -> None:
    """Return when all that was sent to the server of `url` before has been read and noted.

    A server busy with other work reads late what came early, so no sleep is long enough; a few
    exchanges one after the other are.
    """
    address = urlsplit(url)
    assert address.hostname is not None
    for _ in range(ROUNDS):
        connection = HTTPConnection(address.hostname, address.port, timeout=60)
        connection.request("GET", "/settled")
        connection.getresponse().read()
        connection.close()
