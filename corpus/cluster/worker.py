"""A worker process of this machine: works on shards from a connection, sends back what became of them."""

from __future__ import annotations

import signal
import sys
from multiprocessing.connection import Connection

from corpus.errors import FanfoldError


def serve(connection: Connection) -> None:
    """Answer shards until the connection closes; the first message makes the function."""
    # Ctrl-C, and what ends a service, are for the process that started this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        function = connection.recv()()
        while True:
            shard = connection.recv()
            try:
                answer = function(shard)
            except FanfoldError as error:
                answer = error
            connection.send(answer)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def main() -> None:
    """Serve the connection whose file descriptor is the first argument."""
    serve(Connection(int(sys.argv[1])))
