"""The further groups of commands of `python -m evals`, one line each.

A module that adds commands imports nothing heavier than typer at its top, so that `--help` stays
quick, and takes the options it shares with others from `evals.options`.
"""

from __future__ import annotations

import typer

from evals.auditing import audit_command
from evals.coverage_commands import agreement_command, decompose_command, weights_command
from evals.finetune.commands import finetune_command, finetune_data_command
from evals.people import people_command
from evals.synthesis.cli import synth


def add_groups(app: typer.Typer) -> None:
    """Register every further command: `app.command()(function)`, `app.add_typer(group)`."""
    app.command("audit")(audit_command)
    app.add_typer(synth, name="synth")
    app.command("people")(people_command)
    app.command("finetune-data")(finetune_data_command)
    app.command("finetune")(finetune_command)
    app.command("decompose")(decompose_command)
    app.command("agreement")(agreement_command)
    app.command("weights")(weights_command)
