"""Titles inside a question, kept whole while its clauses are cut."""

from __future__ import annotations

import re

_MARKS = "ᎠᎡᎢᎣᎤᎥᎦᎧᎨᎩ"
"""Capital letters of a script that no question of ours is written in."""


def without_article(name: str) -> str:
    """Return a name without a leading article; "The" in capitals is part of a title."""
    return re.sub(r"^the\s+", "", name)
