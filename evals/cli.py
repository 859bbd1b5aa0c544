"""`python -m evals`: run benchmarks, score, compare, replay, exchange answers.

A module that adds commands imports nothing heavier than typer at its top, so that `--help` stays
quick, and takes the options it shares with others from `evals.options`.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from corpus.terminal import run_app
from evals.builders.cli import synth
from evals.builders.finetune.commands import finetune_command, finetune_data_command
from evals.commands import run
from evals.commands.audit import audit_command
from evals.commands.exchange import export_command, import_command
from evals.commands.report import compare_command, report_command
from evals.commands.score import replay_command, score_command
from evals.humans.command import agreement_command, decompose_command, weights_command
from evals.humans.raters import people_command


class _Commands(TyperGroup):
    """Lists its commands as plain text; the options of each stand in groups, which rich draws."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "rich_markup_mode": None})


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"max_content_width": 110},
    help="Measure how well answers cover what matters: run, score, compare, replay.",
)
app.command("run")(run.run_command)
app.command("import")(import_command)
app.command("score")(score_command)
app.command("export")(export_command)
app.command("compare")(compare_command)
app.command("report")(report_command)
app.command("replay")(replay_command)
app.command("audit")(audit_command)
app.add_typer(synth, name="synth", cls=_Commands)
app.command("people")(people_command)
app.command("finetune-data")(finetune_data_command)
app.command("finetune")(finetune_command)
app.command("decompose")(decompose_command)
app.command("agreement")(agreement_command)
app.command("weights")(weights_command)


def main() -> None:
    """Run the command line."""
    run_app(app, name="evals", resume_hint=lambda: run.begun[0] if run.begun else "")
