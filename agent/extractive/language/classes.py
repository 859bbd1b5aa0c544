"""Closed classes of names (countries, languages, currencies): one thing of a class excludes the others."""

from __future__ import annotations

from functools import cache
from pathlib import Path

OF_WHOLES = frozenset(["part of the world", "city of", "ocean of"])
"""Classes whose names mean what they lie in, not what they are: two cities of Italy are not one, nor
are two seas of the Atlantic."""


def classes_of(name: str) -> dict[str, str]:
    """Return the classes that a name belongs to, each with the member that it means.

    Names of one thing, and of what lies inside it, mean the same member: "U.S." and "United States",
    "Scotland" and "United Kingdom".
    """
    return _members().get(_folded(name), {})


def excludes(one: str, other: str, of_class: str) -> bool:
    """Whether two names mean different members of a class."""
    first, second = classes_of(one).get(of_class), classes_of(other).get(of_class)
    return first is not None and second is not None and first != second


def members_in(text: str, of_class: str) -> list[str]:
    """Return the words of a text that name members of a class, as they stand there."""
    found = []
    for word in text.split():
        bare = word.strip(" ?!.,;:'’\"")
        if of_class in classes_of(bare) or of_class in classes_of(bare.removesuffix("s")):
            found.append(bare)
    return found


def _folded(name: str) -> str:
    return " ".join(name.casefold().strip(" ,;").removeprefix("the ").split())


@cache
def _members() -> dict[str, dict[str, str]]:
    """The classes of every name, folded."""
    found: dict[str, dict[str, str]] = {}
    path = Path(__file__).parent / "classes.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, colon, listed = line.partition(": ")
        if line.startswith("#") or not colon:
            continue
        for member in listed.split(","):
            names = [_folded(name) for name in member.split("=")]
            for name in names:
                found.setdefault(name, {})[kind] = names[0]
    return found
