"""The command line knows of each command what its list shows, and imports the one that is asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from evals.cli import COMMANDS, app

WIDE = 1_000


def named(name: str) -> Any:
    return get_command(app).commands[name]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_its_own_help_begins_with(name: str) -> None:
    known, command = named(name), named(name).command
    assert known.get_short_help_str(WIDE) == command.get_short_help_str(WIDE) == COMMANDS[name][1]


def test_every_command_shows_its_own_help() -> None:
    listed = CliRunner().invoke(app, ["--help"]).output
    for name in COMMANDS:
        assert f"\n  {name} " in listed
        options = " [OPTIONS] " if name != "synth" else " [OPTIONS] COMMAND "
        assert f" {name}{options}" in CliRunner().invoke(app, [name, "--help"]).output


def test_what_is_not_asked_for_is_not_imported() -> None:
    program = (
        "import sys; sys.argv = ['evals', *sys.argv[1:]]\nfrom evals.cli import COMMANDS, main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "loaded = {n for n, (at, _) in COMMANDS.items() if at.partition(':')[0] in sys.modules}\n"
        "print(*loaded, sep='\\n', file=sys.stderr)"
    )

    def loaded(*words: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "Usage: " in done.stdout
        return set(done.stderr.split())

    assert loaded("--help") == set()
    assert loaded("compare", "--help") == {"compare", "report"}


def test_a_name_that_is_nearly_one_is_suggested() -> None:
    done = CliRunner().invoke(app, ["finetun"])
    assert done.exit_code == 2
    assert "Did you mean 'finetune', 'finetune-data'?" in done.output.replace("\n", " ")
