"""The command line `run_agent.py`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from agent.options import (
    LIMITS,
    refuse_beside_resume,
    resumed_settings,
    settings_of,
    state_file,
    wiring_of,
)
from corpus.errors import InputError
from corpus.faults import check_loop, check_room
from corpus.terminal import INTERRUPTED, run_app, say, waiting

if TYPE_CHECKING:
    from agent.graph.parts import Wiring
    from agent.settings import Settings
    from agent.types import SubQuestion

NAME = "run_agent"
_HERE = "python run_agent.py"
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
    store: Annotated[
        str | None,
        typer.Option(
            "--retriever",
            metavar="KIND:PLACE",
            help="The snapshot's vectors in a store, see `python -m retrieval export`.",
        ),
    ] = None,
    language: Annotated[str, typer.Option(help="Of the embedded sample: en or zh.")] = "en",
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="Print the trace.")] = False,
) -> int:
    """Answer a question from a dated snapshot of Wikipedia, with checked citations.

    With no model named, the extractive engine answers: offline, by rules and embeddings.
    FANFOLD_MODEL, FANFOLD_BASE_URL and FANFOLD_API_KEY name an OpenAI-compatible endpoint;
    FANFOLD_STORE_KEY is the key of --retriever's server.
    """
    chosen = dict(locals())
    check_room(_LIBRARIES)

    from agent.graph.planfile import read_plan
    from agent.telemetry import heed

    heed(os.environ)
    steps = read_plan(plan_file) if plan_file is not None else []
    limits = {field: chosen[name] for name, field in LIMITS.items() if chosen[name] is not None}
    if resume is not None:
        refuse_beside_resume(context, question)
        settings = resumed_settings(resume, limits)
    else:
        question = _checked(question)
        settings = settings_of(chosen, limits)
    wiring = wiring_of(context, chosen, settings)
    _say_defaults(settings)
    return _follow(question or "", steps, settings, wiring, chosen)


def _checked(question: str | None) -> str:
    from agent.settings import check_question

    if question is None:
        raise InputError(f'no question: write {_HERE} "Which planets have rings?"')
    return check_question(question.encode("utf-8", "replace").decode())


def _follow(
    question: str,
    steps: Sequence[SubQuestion],
    settings: Settings,
    wiring: Wiring,
    chosen: Mapping[str, Any],
) -> int:
    """Ask the question, or go on with one, as it is shown; return the exit code."""
    resume: str | None = chosen["resume"]
    with waiting(lambda: f"{NAME}: libraries, models and indexes are opened"):
        import asyncio

        from agent.agent import Agent
        from agent.graph.record.runlog import new_id
        from agent.terminal.dialogue import follow, print_result

        file = _usable(state_file(), resume)
        opened = Agent(settings=settings, wiring=wiring, checkpoints=file)
    with opened as agent:
        if resume is not None:
            _begun[:] = [resume]
            what_happens = agent.resume(resume, plan=steps or None)
        else:
            what_happens = agent.events(question, plan=steps, run_id=new_id())
        told: set[str] = set()
        check_loop()
        answer = asyncio.run(follow(agent, what_happens, _begun, told))
        if answer is None:
            say(f"{NAME}: the plan waits; to go on: {_how_to_go_on()} [--plan FILE]")
            return INTERRUPTED
        return print_result(
            answer, agent, as_json=chosen["json_"], verbose=chosen["verbose"], told=told
        )


def _say_defaults(settings: Settings) -> None:
    if settings.model is None:
        say(f"{NAME}: no model is named, the extractive engine answers")
    if settings.snapshot is None:
        say(f"{NAME}: no snapshot is named, the embedded sample answers")


def _how_to_go_on() -> str:
    return f"{_HERE} --resume {_begun[0]}" if _begun else ""


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
