"""`python -m evals`: run benchmarks, score, compare, replay, exchange answers.

What `--help` lists stands here; a command's own module is imported when that command is asked for.
"""

from __future__ import annotations

import shlex
import sys
from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from corpus.terminal import check_places, run_app

COMMANDS = {
    "run": (
        "evals.commands.run:run_command",
        "Run a benchmark; the same command again asks only what is missing or failed.",
    ),
    "import": (
        "evals.commands.exchange:import_command",
        "Make a run of another system's answers, to score and compare it like any other.",
    ),
    "score": (
        "evals.commands.score:score_command",
        "Score a run from what its folder holds.",
    ),
    "export": (
        "evals.commands.exchange:export_command",
        "Write a run for others: a leaderboard's submission, a data set, JSON Lines or CSV.",
    ),
    "compare": (
        "evals.commands.report:compare_command",
        "Compare scored runs question by question; write the report.",
    ),
    "report": (
        "evals.commands.report:report_command",
        "Write the report of one scored run.",
    ),
    "replay": (
        "evals.commands.score:replay_command",
        "Answer a run's questions again from its recorded calls, with the network off.",
    ),
    "audit": (
        "evals.commands.audit:audit_command",
        "Find gold answers that a snapshot's own articles do not contain, and missing articles.",
    ),
    "people": (
        "evals.humans.raters:people_command",
        "Compare a run's judges with people's labels of the same answers.",
    ),
    "finetune-data": (
        "evals.builders.finetune.commands:finetune_data_command",
        "Write compound questions as LLaMA-Factory reads them, with a LoRA configuration.",
    ),
    "finetune": (
        "evals.builders.finetune.commands:finetune_command",
        "Train a LoRA adapter on compound questions: rank 8, alpha 16, rate 1e-4, batch 128.",
    ),
    "decompose": (
        "evals.humans.command:decompose_command",
        "Freeze sub-questions with kinds to a file that can be edited and serves every system.",
    ),
    "agreement": (
        "evals.humans.command:agreement_command",
        "Say how well kinds, coverage or preferences agree with people: accuracy, Cohen's kappa.",
    ),
    "weights": (
        "evals.humans.command:weights_command",
        "Search the weights of the answer rating on human preferences, and test them.",
    ),
    "synth": (
        "evals.builders.cli:synth",
        "Make new benchmarks from a dated snapshot, by rules or with models.",
    ),
}
"""In the order of the list: where each command is made, and the first line of its help."""


class Named(TyperCommand):
    """A command of which only the name and one line are known until it is asked for."""

    def __init__(self, name: str, place: str, line: str) -> None:
        super().__init__(name, help=line)
        self._place = place

    @cached_property
    def command(self) -> Any:
        """The command itself, imported: its options stand in groups, which rich draws."""
        module, _, name = self._place.partition(":")
        made = getattr(import_module(module), name)
        if isinstance(made, typer.Typer):
            command: Any = get_command(made)
            command.rich_markup_mode = None  # of the list; each of those below keeps its own
        else:
            alone = typer.Typer(add_completion=False)
            alone.command(self.name, context_settings=_WIDE)(made)
            command = get_command(alone)
        check_places(command)
        return command

    def make_context(
        self, info_name: str | None, args: list[str], *parent: Any, **extra: Any
    ) -> Any:
        """Begin the command itself: what follows, its help among it, is all its own."""
        return self.command.make_context(info_name, args, *parent, **extra)


class _Commands(TyperGroup):
    """Lists its commands, as plain text, and imports none."""

    def __init__(self, **settings: Any) -> None:
        named = {name: Named(name, *told) for name, told in COMMANDS.items()}
        super().__init__(**{**settings, "commands": named, "rich_markup_mode": None})


_WIDE = {"max_content_width": 110}
app = typer.Typer(cls=_Commands, no_args_is_help=True, add_completion=False, context_settings=_WIDE)


@app.callback()
def evals() -> None:
    """Measure how well answers cover what matters: run, score, compare, replay."""


def main() -> None:
    """Run the command line."""
    run_app(app, name="evals", resume_hint=_resume_hint)


def _resume_hint() -> str:
    """What to run after an interruption: of all commands, a run alone goes on where it was."""
    arguments = sys.argv[1:]
    return shlex.join(["python", "-m", "evals", *arguments]) if arguments[:1] == ["run"] else ""
