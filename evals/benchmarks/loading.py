"""Reading benchmark files: what is wrong is named by file, line or item, and field."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from corpus.errors import InputError

Kind = TypeVar("Kind")


def find_data(path: Path, names: tuple[str, ...]) -> Path:
    """Return the file to read: `path` itself, or the first of `names` inside the folder `path`.

    Raises:
        InputError: where there is none; the message lists what was looked for.
    """
    if path.is_file():
        return path
    for name in names:
        if (path / name).is_file():
            return path / name
    looked = f" (looked for {', '.join(names)})" if path.is_dir() else ""
    raise InputError(f"{path}: no such data file{looked}; name it with --data")


def read_json_list(path: Path) -> list[Mapping[str, Any]]:
    """Return the objects of a JSON array or of a JSON Lines file.

    Raises:
        InputError: where the file is neither, or an item is no object.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text: {error.reason} at byte {error.start}") from None
    if text.lstrip().startswith("["):
        try:
            items: list[Any] = json.loads(text)
        except json.JSONDecodeError as error:
            raise InputError(f"{path}, line {error.lineno}: not JSON: {error.msg}") from None
    else:
        items = list(_lines(path, text))
    for number, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            raise InputError(f"{path}, item {number}: an object is needed, not {_name(item)}")
    return items


def _lines(path: Path, text: str) -> Iterator[Any]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"{path}, line {number}: not JSON: {error.msg}") from None


def field(item: Mapping[str, Any], name: str, kind: type[Kind], where: str) -> Kind:
    """Return a field of an item.

    Raises:
        InputError: where it is missing or of another type.
    """
    if name not in item:
        raise InputError(f"{where}: field {name!r} is missing")
    value = item[name]
    if not isinstance(value, kind):
        raise InputError(f"{where}: field {name!r} must be {kind.__name__}, not {_name(value)}")
    return value


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _name(value: object) -> str:
    return "null" if value is None else type(value).__name__
