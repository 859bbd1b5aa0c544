"""A question followed on the command line: events shown, a plan decided on, the result printed."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Collection, Sequence
from typing import TYPE_CHECKING

from agent import events
from agent.events import Event, PlanProposed
from agent.graph.planfile import plan_from_text, plan_to_json
from agent.terminal.answer import (
    answer_to_json,
    clean,
    print_answer,
    to_line,
    trace_line,
    usage_line,
)
from agent.terminal.view import open_view, plan_line
from agent.types import Answer, SubQuestion
from corpus.errors import InputError
from corpus.terminal import say

if TYPE_CHECKING:
    from agent.agent import Agent

NAME = "run_agent"
NOTHING_FOUND = 3


async def follow(
    agent: Agent, stream: AsyncIterator[Event], begun: list[str], told: set[str]
) -> Answer | None:
    """Show what happens until the answer is there; None where the plan was left waiting.

    Args:
        agent: whose question it is; an approved plan is sent back to it.
        stream: the events.
        begun: holds the id of the run while it can be resumed, and nothing afterwards.
        told: gets what was said of the plan, so that the result need not say it again.
    """
    while True:
        proposed: PlanProposed | None = None
        with open_view() as view:
            async for event in stream:
                view.show(event)
                if isinstance(event, events.Begun) and event.resumable:
                    if not begun:
                        say(f"{NAME}: run {event.run_id}")
                    begun[:] = [event.run_id]
                elif isinstance(event, events.PlanMade):
                    told.update(event.changes)
                elif isinstance(event, events.Answered):
                    begun.clear()
                    return event.answer
                elif isinstance(event, PlanProposed):
                    proposed = event
        assert proposed is not None
        steps = decide(proposed.sub_questions)
        if steps is None:
            return None
        stream = agent.resume(proposed.run_id, plan=steps)


def decide(steps: Sequence[SubQuestion]) -> Sequence[SubQuestion] | None:
    """Ask the person at the terminal about a plan; None where there is nobody, or it shall wait."""
    import click

    while True:
        if _drawn_live():
            # The live view has left nothing behind; the plain one has shown the plan.
            for step in steps:
                say(plan_line(step))
        if not _somebody_there():
            return None
        chosen = click.prompt(
            "Enter to go on, e to edit, q to leave", default="", show_default=False, err=True
        )
        if chosen in ("", "y"):
            return steps
        if chosen == "q":
            return None
        if chosen == "e":
            text = json.dumps(plan_to_json(steps), ensure_ascii=False, indent=1)
            edited = click.edit(text, extension=".json")
            try:
                steps = plan_from_text(edited, "the plan") if edited else steps
            except InputError as error:
                say(str(error))


def _drawn_live() -> bool:
    return sys.stderr.isatty()


def _somebody_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def print_result(
    answer: Answer,
    agent: Agent,
    *,
    as_json: bool,
    verbose: bool,
    told: Collection[str] = (),
) -> int:
    """Print the answer on standard output, all that is said about it on standard error.

    Args:
        answer: the result.
        agent: that gave it.
        as_json: print one JSON object.
        verbose: print the trace.
        told: notes that were said already.

    Returns:
        The exit code: 3 where nothing was found.
    """
    if verbose:
        for step in answer.trace:
            say(trace_line(step))
    notes = [note for note in answer.notes if note not in told]
    for line in (*notes, *(f"struck out: {mark}" for mark in answer.struck)):
        say(clean(f"{NAME}: {line}"))
    if answer.unsupported:
        say(f"{NAME}: no citation of this answer could be verified")
    if usage_line(answer.usage):
        say(f"{NAME}: {usage_line(answer.usage)}")
    if as_json:
        print(to_line(answer_to_json(answer, agent)))  # noqa: T201 - the result
    else:
        from rich.console import Console

        print_answer(answer, agent, Console(highlight=False))
    return NOTHING_FOUND if answer.abstained else 0
