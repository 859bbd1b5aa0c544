"""Options that several command lines share, how what they are given is read, and how they print JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from corpus.errors import InputError

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="a snapshot's folder")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]
Cluster = Annotated[
    str, typer.Option(metavar="ray[://HOST:PORT]", help="work on the nodes of a Ray cluster")
]
Workers = Annotated[
    int,
    typer.Option(min=0, help="processes, or actors of the cluster; 0 for the usual number"),
]
Chosen = TypeVar("Chosen", bound=str)


def one_of(given: str, option: str, choices: Sequence[Chosen]) -> Chosen:
    """Return what was given as one of the choices.

    Raises:
        InputError: it is none of them.
    """
    for choice in choices:
        if choice == given:
            return choice
    raise InputError(f"unknown {option} {given!r}: choose {', '.join(filter(None, choices))}")


def names_of(given: str) -> tuple[str, ...]:
    """Return names separated by commas."""
    return tuple(filter(None, given.split(",")))


def chosen_of(given: str, option: str, choices: Sequence[str]) -> tuple[str, ...]:
    """Return choices separated by commas, each once; "all" is every one.

    Raises:
        InputError: one is not among them.
    """
    if given == "all":
        return tuple(choices)
    return tuple(dict.fromkeys(one_of(name, option, choices) for name in names_of(given)))


def numbers_of(given: str, option: str) -> tuple[int, ...]:
    """Return whole numbers separated by commas.

    Raises:
        InputError: one is not a whole number above 0.
    """
    numbers = [part.strip() for part in given.split(",") if part.strip()]
    wrong = next((part for part in numbers if not _is_count(part)), None)
    if wrong is not None:
        raise InputError(f"{option} {wrong!r}: give whole numbers above 0, separated by commas")
    return tuple(map(int, numbers))


def _is_count(text: str) -> bool:
    # More digits than any count of anything has.
    return text.isdecimal() and len(text) <= 18 and int(text) > 0


def print_json(fields: dict[str, Any]) -> None:
    """Print one JSON object on standard output."""
    typer.echo(json.dumps(fields, ensure_ascii=False))
