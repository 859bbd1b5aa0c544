"""Options that several command lines share, and how they print JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="a snapshot's folder")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on standard output")]
Cluster = Annotated[
    str, typer.Option(metavar="ray[://HOST:PORT]", help="work on the nodes of a Ray cluster")
]
Workers = Annotated[
    int,
    typer.Option(min=0, help="processes, or actors of the cluster; 0 for the usual number"),
]


def print_json(fields: dict[str, Any]) -> None:
    """Print one JSON object on standard output."""
    typer.echo(json.dumps(fields, ensure_ascii=False))
