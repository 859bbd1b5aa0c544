"""Names without what stands before them."""

from __future__ import annotations

import re


def without_article(name: str) -> str:
    """Return a name without a leading article; "The" in capitals is part of a title."""
    return re.sub(r"^the\s+", "", name)
