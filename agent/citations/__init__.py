"""Citations: marks in a text, the quotes behind them, and whether a quote supports its claim."""

from __future__ import annotations

from agent.citations.check import check, disarm_copied, verify
from agent.citations.marks import MARK, disarm, renumber, strip_marks
from agent.citations.quotes import locate
from agent.citations.register import Checked, Register
from agent.citations.support.examination import examine, judge
from agent.citations.support.faults import Verdict

__all__ = [
    "MARK",
    "Checked",
    "Register",
    "Verdict",
    "check",
    "disarm",
    "disarm_copied",
    "examine",
    "judge",
    "locate",
    "renumber",
    "strip_marks",
    "verify",
]
