"""The further groups of commands of `python -m evals`, one line each.

A module that adds commands imports nothing heavier than typer at its top, so that `--help` stays
quick, and takes the options it shares with others from `evals.options`.
"""

from __future__ import annotations

import typer

from evals.builders.cli import synth
from evals.builders.finetune.commands import finetune_command, finetune_data_command
from evals.humans.command import agreement_command, decompose_command, weights_command
from evals.humans.raters import people_command
from evals.reports.audit import audit_command


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
