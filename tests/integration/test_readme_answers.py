"""What README prints of an answer is what the program prints."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from agent.cli import app
from tests.pages import ROOT

PRINTED = re.findall(
    r'`make ask Q="(?P<question>[^"`]+)"`.*?^```text\n(?P<text>.*?)^```$',
    (ROOT / "README.md").read_text(encoding="utf-8"),
    re.DOTALL | re.MULTILINE,
)
"""(question, what is printed of its answer) of every answer that README shows."""


@pytest.mark.parametrize(("question", "text"), PRINTED)
def test_an_answer_is_printed_as_readme_shows_it(question: str, text: str) -> None:
    done = CliRunner().invoke(app, ["--", question])
    assert done.exit_code == 0, done.output
    printed = iter(done.stdout.splitlines())
    for line in text.splitlines():
        # Lines stand in README's order; "…" is where some are left out.
        assert line.strip() == "…" or line in printed, line


def test_readme_shows_an_answer_of_facts_and_an_account() -> None:
    assert len(PRINTED) == 2
