"""The command line `run_agent.py`: the only file of the agent that reads the environment."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from corpus.errors import InputError
from corpus.faults import check_loop, check_room
from corpus.terminal import INTERRUPTED, run_app, say

if TYPE_CHECKING:
    from agent.llm.limits import Limits
    from agent.settings import Settings

NAME = "run_agent"
_HERE = "python run_agent.py"
_ALLOWED_WITH_RESUME = frozenset(
    {"resume", "plan_file", "json_", "verbose", "max_calls", "max_tokens", "max_cost"}
    | {"max_seconds", "max_sub_questions", "max_depth", "calls", "replay", "prices", "prompts"}
    | {"timeout", "retries", "concurrency", "rpm", "tpm", "stream"}
)
_ABOUT_CALLS = frozenset(
    {"base_url", "tools", "classify", "context_limit", "max_calls", "max_tokens", "max_cost"}
    | {
        "concurrency",
        "rpm",
        "tpm",
        "stream",
        "timeout",
        "retries",
        "calls",
        "replay",
        "prices",
        "prompts",
    }
)
_LIBRARIES = 128 << 20
"""Bytes of addresses that must be free to load what an answer needs: a library that gets none ends
the process in words of its own."""
_begun: list[str] = []
"""The id of the run under way, for the line that Ctrl-C prints."""

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


def main() -> NoReturn:
    """Run the command line."""
    run_app(app, name=NAME, resume_hint=_how_to_go_on)


@app.command()
def ask(
    context: typer.Context,
    question: Annotated[str | None, typer.Argument(help="The question, in quotes.")] = None,
    snapshot: Annotated[
        Path | None, typer.Option(help="Snapshot folder; the embedded sample by default.")
    ] = None,
    strategy: Annotated[
        str,
        typer.Option(
            help="baseline, query-definition, query-subquestion, retrieval, e2e or agentic."
        ),
    ] = "agentic",
    setting: Annotated[
        str, typer.Option(help="open: the snapshot; evidence: named articles; closed: nothing.")
    ] = "open",
    evidence: Annotated[
        list[str] | None,
        typer.Option(metavar="TITLE", help="An article to draw on; repeat for more."),
    ] = None,
    style: Annotated[str, typer.Option(help="long: prose; short: one item a line.")] = "long",
    k: Annotated[int, typer.Option("-k", help="Hits for a query.")] = 10,
    model: Annotated[
        str | None,
        typer.Option(help="A model's name, or FANFOLD_MODEL; the extractive engine by default."),
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="OpenAI-compatible server, or FANFOLD_BASE_URL.")
    ] = None,
    tools: Annotated[
        str, typer.Option(help="How a model calls tools: native, text, auto.")
    ] = "auto",
    classify: Annotated[
        str, typer.Option(help="Kinds of sub-questions: batch, one call; each, a call for each.")
    ] = "batch",
    context_limit: Annotated[
        int | None, typer.Option(help="Tokens of a prompt and its reply together.")
    ] = None,
    plan_file: Annotated[
        Path | None,
        typer.Option("--plan", help="JSON file with the sub-questions to ask, see docs/agent.md."),
    ] = None,
    approve: Annotated[bool, typer.Option("--approve", help="Show the plan and wait.")] = False,
    resume: Annotated[
        str | None, typer.Option(metavar="ID", help="Go on with an interrupted question.")
    ] = None,
    max_calls: Annotated[int | None, typer.Option(help="Model calls [300].")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Tokens, in and out.")] = None,
    max_cost: Annotated[float | None, typer.Option(help="US dollars.")] = None,
    max_seconds: Annotated[float | None, typer.Option(help="Seconds.")] = None,
    max_sub_questions: Annotated[int | None, typer.Option(help="Sub-questions [60].")] = None,
    max_depth: Annotated[int | None, typer.Option(help="Rounds of a plan [6].")] = None,
    concurrency: Annotated[int, typer.Option(help="Model calls at once, at most.")] = 20,
    rpm: Annotated[float | None, typer.Option(help="Model calls a minute, at most.")] = None,
    tpm: Annotated[float | None, typer.Option(help="Tokens a minute, at most.")] = None,
    stream: Annotated[bool, typer.Option("--stream", help="Ask for replies in pieces.")] = False,
    timeout: Annotated[float, typer.Option(help="Seconds for one model call.")] = 120.0,
    retries: Annotated[int, typer.Option(min=0, help="Of a failed model call, at most.")] = 6,
    calls: Annotated[
        Path | None, typer.Option(help="File of model calls; none is made twice.")
    ] = None,
    replay: Annotated[
        bool, typer.Option("--replay", help="Answer model calls from that file alone.")
    ] = False,
    prices: Annotated[
        Path | None, typer.Option(help="JSON file of prices, see docs/models.md.")
    ] = None,
    prompts: Annotated[Path | None, typer.Option(help="Folder of prompts of your own.")] = None,
    verifier: Annotated[
        str | None,
        typer.Option(help="Entailment cross-encoder, folder or name, that checks citations too."),
    ] = None,
    reader: Annotated[
        str | None,
        typer.Option(help="Question-answering model, folder or name, for the extractive engine."),
    ] = None,
    planner: Annotated[
        str | None,
        typer.Option(help="Text-to-text model that marks questions, for the extractive engine."),
    ] = None,
    language: Annotated[str, typer.Option(help="Of the embedded sample: en or zh.")] = "en",
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Print the trace.")] = False,
) -> int:
    """Answer a question from a dated snapshot of Wikipedia, with checked citations.

    With no model named, the extractive engine answers: offline, by rules and embeddings.
    FANFOLD_MODEL, FANFOLD_BASE_URL and FANFOLD_API_KEY name an OpenAI-compatible endpoint.
    """
    check_room(_LIBRARIES)
    import asyncio

    from agent.agent import Agent
    from agent.budget import Budget
    from agent.graph.parts import Wiring
    from agent.graph.planfile import read_plan
    from agent.graph.record.runlog import RunLog, new_id
    from agent.llm.prices import PriceTable
    from agent.llm.retries import RetryPolicy
    from agent.settings import Settings, check_question
    from agent.telemetry import heed
    from agent.terminal.dialogue import follow, print_result

    heed(os.environ)
    limits: dict[str, Any] = {
        "calls": max_calls,
        "tokens": max_tokens,
        "cost_usd": max_cost,
        "seconds": max_seconds,
        "sub_questions": max_sub_questions,
        "depth": max_depth,
    }
    given = {name: limit for name, limit in limits.items() if limit is not None}
    steps = read_plan(plan_file) if plan_file is not None else []
    file = _state_file()
    if resume is not None:
        _refuse_beside_resume(context, question)
        run = RunLog(file).find(resume)
        settings = replace(run.settings, budget=replace(run.settings.budget, **given))
        question = run.question
    else:
        if question is None:
            raise InputError(f'no question: write {_HERE} "Which planets have rings?"')
        question = check_question(question.encode("utf-8", "replace").decode())
        settings = Settings(
            strategy=strategy,  # type: ignore[arg-type]  # checked when the agent opens
            setting=setting,  # type: ignore[arg-type]
            evidence=tuple(evidence or ()),
            style=style,  # type: ignore[arg-type]
            k=k,
            approve=approve,
            snapshot=None if snapshot is None else str(snapshot.resolve()),
            language=language,
            model=model or os.environ.get("FANFOLD_MODEL") or None,
            base_url=base_url or os.environ.get("FANFOLD_BASE_URL") or None,
            tools=tools,  # type: ignore[arg-type]
            classify=classify,  # type: ignore[arg-type]
            context_limit=context_limit,
            verifier=verifier,
            reader=reader,
            planner=planner,
            budget=Budget(**given),
        )
    if calls is not None and calls.exists() and not calls.is_file():
        raise InputError(f"--calls {calls} is no file: name one, or one to be made")
    if settings.model is None:
        _refuse_without_model(context)
        wiring = Wiring(say=say)
    else:
        wiring = Wiring(
            api_key=_key(settings, replay),
            calls=calls or _cache_folder() / "calls.sqlite",
            replay=replay,
            prompts=prompts,
            prices=None if prices is None else PriceTable.read(prices),
            limits=_limits(concurrency, rpm, tpm),
            timeout=_positive("--timeout", timeout),
            policy=RetryPolicy(retries=retries),
            stream=stream,
            say=say,
        )
    _say_defaults(settings)
    with Agent(settings=settings, wiring=wiring, checkpoints=_usable(file, resume)) as agent:
        if resume is not None:
            _begun[:] = [resume]
            what_happens = agent.resume(resume, plan=steps or None)
        else:
            run_id = new_id()
            what_happens = agent.events(question, plan=steps, run_id=run_id)
        told: set[str] = set()
        check_loop()
        answer = asyncio.run(follow(agent, what_happens, _begun, told))
        if answer is None:
            say(f"{NAME}: the plan waits; to go on: {_how_to_go_on()} [--plan FILE]")
            return INTERRUPTED
        return print_result(answer, agent, as_json=json_, verbose=verbose, told=told)


def _key(settings: Settings, replay: bool) -> str | None:
    key = os.environ.get("FANFOLD_API_KEY")
    if key is None and settings.base_url is None and not replay:
        raise InputError(
            f"the model {settings.model!r} would be asked at OpenAI's own endpoint, which needs a "
            "key: set FANFOLD_API_KEY (OPENAI_API_KEY is never used), or name --base-url"
        )
    return key


def _limits(concurrency: int, rpm: float | None, tpm: float | None) -> Limits:
    from agent.llm.limits import Limits

    return Limits(
        concurrency=int(_positive("--concurrency", concurrency)),
        calls_per_minute=None if rpm is None else _positive("--rpm", rpm),
        tokens_per_minute=None if tpm is None else _positive("--tpm", tpm),
    )


def _positive(option: str, value: float) -> float:
    if not value > 0:
        raise InputError(f"{option} is {value:g}: it must be more than 0")
    return value


def _refuse_without_model(context: typer.Context) -> None:
    """Refuse options of model calls where there are none: their author expects some."""
    for name, option in _given(context):
        if name in _ABOUT_CALLS:
            raise InputError(f"{option} is about model calls, and no model is named: add --model")


def _say_defaults(settings: Settings) -> None:
    if settings.model is None:
        say(f"{NAME}: no model is named, the extractive engine answers")
    if settings.snapshot is None:
        say(f"{NAME}: no snapshot is named, the embedded sample answers")


def _refuse_beside_resume(context: typer.Context, question: str | None) -> None:
    if question is not None:
        raise InputError("--resume goes on with its own question: leave the question out")
    for name, option in _given(context):
        if name not in _ALLOWED_WITH_RESUME:
            raise InputError(
                f"{option} has no meaning with --resume: a run goes on as it was begun"
            )


def _given(context: typer.Context) -> list[tuple[str, str]]:
    """Return (name, option) of what stands on the command line."""
    sources = [
        (one.name or "", one.opts[0], context.get_parameter_source(one.name or ""))
        for one in context.command.params
    ]
    return [
        (name, option)
        for name, option, how in sources
        if how is not None and how.name == "COMMANDLINE"
    ]


def _how_to_go_on() -> str:
    return f"{_HERE} --resume {_begun[0]}" if _begun else ""


def _state_file() -> Path:
    from platformdirs import user_state_path

    return user_state_path("fanfold", appauthor=False) / "runs.sqlite"


def _cache_folder() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("fanfold", appauthor=False)


def _usable(file: Path, resume: str | None) -> Path | None:
    """Return the file of runs, or None, with a line about it, where it cannot be written."""
    from agent.graph.record.runlog import RunLog

    try:
        RunLog(file).check_writable()
    except InputError as error:
        if resume is not None:
            raise
        say(f"{NAME}: {error}; an interruption would lose this question")
        return None
    return file
