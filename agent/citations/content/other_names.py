"""Other names of places and well-known bodies, and the adjectives of places: Holland, MIT, Swiss.

A snapshot's redirects tell other names of its own articles; these are told whatever it holds. A name
leads from the adjective to the place and not back: what is said of Switzerland answers a question
about Swiss rivers, and what is said of Swiss people says little of Switzerland.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from agent.citations.content.words import fold

_SHORT = 3
"""Letters up to which a name is one only as it is written: "US" and "us", "LA" and "la"."""
_ABBREVIATION = re.compile(r"(?:[A-Z]\.?){2,}")


def other_names(name: str) -> tuple[str, ...]:
    """Return what articles call that which a name, an abbreviation or an adjective stands for.

    Args:
        name: "Holland", "MIT", "european"; of a name that articles use, its abbreviations are
            returned. "The" before it counts for nothing.
    """
    bare = re.sub(r"^(?:the)\s+", "", name.strip(), flags=re.IGNORECASE)
    return _known().get(_key(bare), ())


def _key(name: str) -> str:
    return name if len(name.replace(".", "")) <= _SHORT else fold(name)


@cache
def _known() -> dict[str, tuple[str, ...]]:
    """Return for each form the names it stands for, and for each name its abbreviations."""
    found: dict[str, dict[str, None]] = {}
    path = Path(__file__).parent / "other_names.tsv"
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        name, _, forms = line.partition("\t")
        for form in forms.split(","):
            found.setdefault(_key(form), {})[name] = None
            if _ABBREVIATION.fullmatch(form):
                found.setdefault(_key(name), {})[form] = None
    return {form: tuple(names) for form, names in found.items()}
