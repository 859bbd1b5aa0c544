"""`fanfold serve`: HTTP and MCP over snapshots and models; the only file here that reads the environment."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from agent import telemetry
from corpus.errors import InputError
from corpus.terminal import run_app, say

if TYPE_CHECKING:
    from agent.serve.options import Options

NAME = "fanfold serve"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def main() -> NoReturn:
    """Run the command line."""
    run_app(app, name=NAME)


@app.command()
def serve(
    http: Annotated[
        bool, typer.Option("--http", help="HTTP, the page, and MCP at /mcp; the default.")
    ] = False,
    mcp: Annotated[
        bool, typer.Option("--mcp", help="MCP over standard input and output instead.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: a free one.")] = 8765,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name the server is asked under; repeat for more."),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(help="What callers have to send; better in FANFOLD_TOKEN, others see this."),
    ] = None,
    tokens: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="`name token [requests a minute]` on each line."),
    ] = None,
    snapshot: Annotated[
        list[Path] | None,
        typer.Option(help="Snapshot folder; repeat for more. The embedded sample by default."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="A model's name, or FANFOLD_MODEL; repeat for more. The extractive engine is "
            "offered beside, and answers by default where none is named."
        ),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="OpenAI-compatible server, or FANFOLD_BASE_URL.")
    ] = None,
    strategy: Annotated[str, typer.Option(help="Where a question names none.")] = "agentic",
    setting: Annotated[str, typer.Option(help="Where a question names none.")] = "open",
    verifier: Annotated[
        str | None, typer.Option(help="Entailment cross-encoder that checks citations too.")
    ] = None,
    workers: Annotated[
        int,
        typer.Option(min=1, help="Processes that serve; the limits are those of all of them."),
    ] = 1,
    places: Annotated[int, typer.Option(min=1, help="Questions at once.")] = 8,
    waiting: Annotated[int, typer.Option(min=0, help="Questions that may wait.")] = 64,
    max_seconds: Annotated[float, typer.Option(help="Of one question, at most.")] = 300.0,
    max_calls: Annotated[int | None, typer.Option(help="Model calls of one question.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Tokens of one question.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="US dollars of one question.")] = None,
    max_sub_questions: Annotated[int | None, typer.Option(help="Of one question [60].")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Model calls at once, at most.")] = 20,
    calls: Annotated[
        Path | None, typer.Option(help="File of model calls; none is made twice.")
    ] = None,
    grace: Annotated[
        float, typer.Option(min=0, help="Seconds for answers to end when the server stops.")
    ] = 20.0,
    cache: Annotated[
        int,
        typer.Option(
            min=0, metavar="MIB", help="For searches and extractive answers to repeat; 0: none."
        ),
    ] = 64,
    language: Annotated[str, typer.Option(help="Of the embedded sample: en or zh.")] = "en",
    cluster: Annotated[
        str,
        typer.Option(metavar="ray[://HOST:PORT]", help="Search BM25+ in parts on these nodes."),
    ] = "",
    retriever: Annotated[
        str | None,
        typer.Option(metavar="KIND:PLACE", help="Vectors in a store, see `retrieval export`."),
    ] = None,
) -> None:
    """Serve questions, search and articles to programs, agents and browsers.

    Listens at 127.0.0.1; any other address demands a token. Nothing leaves the machine unless a
    model's endpoint was named.
    """
    if http and mcp:
        raise InputError(
            "--http and --mcp are both given: choose one; HTTP serves MCP at /mcp, too"
        )
    if mcp and workers > 1:
        raise InputError(f"--workers {workers}: standard input has one reader: leave it out")
    limits: dict[str, Any] = {
        "seconds": max_seconds,
        "calls": max_calls,
        "tokens": max_tokens,
        "cost_usd": max_cost,
        "sub_questions": max_sub_questions,
    }
    try:
        from agent.serve.access.tokens import make_token, read_tokens
        from agent.serve.options import Options
        from agent.serve.service import Service  # noqa: F401  # all that serving needs, or its line
    except ModuleNotFoundError as error:
        raise _lacking(error) from None
    from agent.budget import Budget
    from agent.settings import Settings

    telemetry.heed(os.environ)
    named = model or ([os.environ["FANFOLD_MODEL"]] if os.environ.get("FANFOLD_MODEL") else [])
    base_url = base_url or os.environ.get("FANFOLD_BASE_URL") or None
    secret = token or os.environ.get("FANFOLD_TOKEN") or None
    known = [make_token(secret)] if secret else []
    options = Options(
        host=host,
        port=port,
        allowed_hosts=tuple(allow_host or ()),
        tokens=(*known, *(read_tokens(tokens) if tokens else ())),
        snapshots=tuple(snapshot) if snapshot else (None,),
        models=(*dict.fromkeys(named), None),
        settings=Settings(
            strategy=strategy,  # type: ignore[arg-type]  # checked when the service opens
            setting=setting,  # type: ignore[arg-type]
            language=language,
            base_url=base_url if named else None,
            verifier=verifier,
            budget=Budget(**{name: limit for name, limit in limits.items() if limit is not None}),
        ),
        wiring=_wiring(bool(named), base_url, calls, concurrency),
        cluster=cluster,
        retriever=retriever,
        workers=workers,
        places=places,
        waiting=waiting,
        seconds=max_seconds,
        grace=grace,
        kept_bytes=cache << 20,
    )
    _serve(options, mcp=mcp)


def _serve(options: Options, *, mcp: bool) -> None:
    """Serve over standard input and output, or at an address by one process or several."""
    from agent.serve.processes.memory import share_arenas
    from agent.serve.processes.server import bind, log_faults, place_of, run, run_mcp
    from agent.serve.service import Service

    log_faults()
    share_arenas()
    if mcp:
        run_mcp(Service(options, say=_say))
        return
    _check_reach(options)
    bound = bind(options)
    if options.workers > 1:
        from agent.serve.processes.workers import run_workers

        # The port is free: nobody listens there, and no other server is joined by mistake.
        port = bound.getsockname()[1]
        bound.close()
        run_workers(replace(options, port=port), _say)
        return
    service = Service(options, say=_say)
    told = f"{service.told}, at {place_of(options, bound)}"
    try:
        run(service, bound, on_start=lambda: _say(told))
    finally:
        service.close()


def _say(line: str) -> None:
    say(f"{NAME}: {line}")


def _check_reach(options: Options) -> None:
    """Refuse to serve other machines without a token."""
    if options.host not in _LOOPBACK and not options.tokens:
        raise InputError(
            f"--host {options.host} lets other machines in, and there is no token: set "
            "FANFOLD_TOKEN (`openssl rand -hex 32` makes one), or listen at 127.0.0.1"
        )


def _wiring(named: bool, base_url: str | None, calls: Path | None, concurrency: int) -> Any:
    from agent.graph.parts import Wiring
    from agent.llm.limits import Limits

    store_key = os.environ.get("FANFOLD_STORE_KEY") or None
    if not named:
        return Wiring(say=_say, store_key=store_key)
    key = os.environ.get("FANFOLD_API_KEY")
    if key is None and base_url is None:
        raise InputError(
            "a model would be asked at OpenAI's own endpoint, which needs a key: set "
            "FANFOLD_API_KEY (OPENAI_API_KEY is never used), or name --base-url"
        )
    from platformdirs import user_cache_path

    return Wiring(
        say=_say,
        api_key=key,
        store_key=store_key,
        calls=calls or user_cache_path("fanfold", appauthor=False) / "calls.sqlite",
        limits=Limits(concurrency=concurrency),
    )


def _lacking(error: ModuleNotFoundError) -> InputError:
    return InputError(
        f"serving needs more than fanfold alone ({error.name} is not installed): "
        "pip install -c constraints.txt 'fanfold[serve]'"
    )
