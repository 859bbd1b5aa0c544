"""A server that does nothing: uvicorn as `fanfold serve` runs it, over one empty route of Starlette.

    python bench/serve_floor.py --workers 2 --bytes 16000

It reads a request's body and sends so many bytes. What `bench/serve_load.py` finds that a reply of it
costs is what no route of this project can cost less than.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

sys.path.insert(0, str(Path(__file__).parent.parent))

from agent.serve.options import Options
from agent.serve.processes.connection import limited
from agent.serve.processes.server import KEEP_ALIVE, bind


def run(options: Options, size: int) -> None:
    """Serve at the address of `options` until SIGTERM."""
    content = b" " * size

    async def empty(request: Request) -> Response:
        await request.body()
        return Response(content, media_type="application/json")

    config = uvicorn.Config(
        Starlette(routes=[Route("/v1/search", empty, methods=["POST"])]),
        http=limited(options.patience, options.connections),
        ws="none",
        timeout_keep_alive=KEEP_ALIVE,
        server_header=False,
        proxy_headers=False,
        access_log=False,
        log_config=None,
    )
    server = uvicorn.Server(config)
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=[bind(options, together=True)]))


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--bytes", type=int, default=16_000)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    with bind(Options(port=options.port), together=True) as held:
        port = held.getsockname()[1]
        workers = []
        for _ in range(options.workers):
            worker = os.fork()
            if not worker:
                run(Options(port=port), options.bytes)
                os._exit(0)
            workers.append(worker)
        signal.signal(signal.SIGTERM, lambda *_: [os.kill(one, signal.SIGTERM) for one in workers])
        print(f"an empty route, at http://127.0.0.1:{port}/", file=sys.stderr, flush=True)
        for worker in workers:
            os.waitpid(worker, 0)


if __name__ == "__main__":
    main()
