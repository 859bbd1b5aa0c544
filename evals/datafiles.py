"""Reading benchmark files: what is wrong is named by file, line or item, and field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast, get_args

from agent import types
from corpus.errors import InputError
from corpus.files import check_characters, read_text, refuse_constant, why_no_json

SAMPLE_DATA = Path(__file__).parent / "sample"
"""Of every benchmark some questions, about the embedded snapshots: what is read where nothing is named."""
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
    return [item for _, item in read_located(path)]


def read_located(path: Path) -> list[tuple[str, Mapping[str, Any]]]:
    """Return (place, object) of a JSON array or a JSON Lines file: "FILE, line N" where it begins.

    Raises:
        InputError: where the file is neither, or an item is no object; names the line.
    """
    text = read_text(path)
    items = _array(path, text) if text.lstrip().startswith("[") else _lines(path, text)
    escaped = "\\ud" in text.lower()
    located: list[tuple[str, Mapping[str, Any]]] = []
    for line, item in items:
        where = f"{path}, line {line}"
        if escaped:
            try:
                check_characters(item, text)
            except ValueError as error:
                raise InputError(f"{where}: {error}") from None
        if not isinstance(item, dict):
            raise InputError(f"{where}: an object is needed, not {_name(item)}")
        located.append((where, item))
    return located


_GAP = re.compile(r"[ \t\r\n]*")


def _array(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    """Yield (line, item) of a JSON array; json.loads would not say where an item begins."""
    decoder = json.JSONDecoder(parse_constant=refuse_constant)
    line, counted = 1, 0

    def skip(position: int) -> int:
        match = _GAP.match(text, position)
        return position if match is None else match.end()

    def fail(position: int, message: str) -> InputError:
        return InputError(
            f"{path}, line {text.count(chr(10), 0, position) + 1}: not JSON: {message}"
        )

    position = skip(skip(0) + 1)
    if text[position : position + 1] == "]":
        return
    while True:
        line, counted = line + text.count("\n", counted, position), position
        try:
            item, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            raise fail(error.pos, error.msg) from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {line}: {why_no_json(error)}") from None
        yield line, item
        position = skip(end)
        mark = text[position : position + 1]
        if mark == "]":
            if skip(position + 1) != len(text):
                raise fail(skip(position + 1), "text after the end of the array")
            return
        if mark != ",":
            raise fail(position, "',' or ']' is missing")
        position = skip(position + 1)


def _lines(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield number, json.loads(line, parse_constant=refuse_constant)
            except json.JSONDecodeError as error:
                raise InputError(f"{path}, line {number}: not JSON: {error.msg}") from None
            except (ValueError, RecursionError) as error:
                raise InputError(f"{path}, line {number}: {why_no_json(error)}") from None


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


def _name(value: object) -> str:
    return "null" if value is None else type(value).__name__


def strings(item: Mapping[str, Any], name: str, where: str) -> list[str]:
    """Return a field that is a list of strings.

    Raises:
        InputError: where it is missing, no list, or holds something else; names the entry.
    """
    values = field(item, name, list, where)
    for number, value in enumerate(values, start=1):
        if not isinstance(value, str):
            raise InputError(
                f"{where}: field {name!r}, entry {number} must be str, not {_name(value)}"
            )
    return values


def check_unique(ids: Sequence[tuple[str, str]]) -> None:
    """Refuse two items of one id.

    Args:
        ids: (place, id) of every item.

    Raises:
        InputError: names the second place.
    """
    seen: set[str] = set()
    for where, item_id in ids:
        if item_id in seen:
            raise InputError(f"{where}: field 'id': {item_id!r} is the id of an earlier item")
        seen.add(item_id)


def read_kind(label: object, where: str) -> types.Kind:
    """Return a kind from how people write it: "Follow-up" is follow_up.

    Raises:
        InputError: it is no kind of sub-question.
    """
    kind = str(label).strip().lower().replace("-", "_").replace(" ", "_")
    if kind not in get_args(types.Kind):
        raise InputError(
            f"{where}: unknown kind {label!r}: choose {', '.join(get_args(types.Kind))}"
        )
    return cast("types.Kind", kind)
