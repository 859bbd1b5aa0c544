"""Records on disk: the dataclasses of the vocabulary, verbatim, one JSON object a line."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from corpus.errors import InputError

Record = TypeVar("Record")


_adapters: dict[type, TypeAdapter[Any]] = {}


def _adapter(kind: type) -> TypeAdapter[Any]:
    # Built when first needed: the schema of an answer with its hits takes a moment to compile.
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    return _adapters[kind]


def to_json(record: object) -> str:
    """Return a dataclass as one line of JSON, non-ASCII characters as they are."""
    plain = _adapter(type(record)).dump_python(record, mode="json")
    return json.dumps(plain, ensure_ascii=False, allow_nan=False)


def from_json(kind: type[Record], line: str | bytes) -> Record:
    """Return the dataclass that a line holds.

    Raises:
        ValueError: where the line is no JSON or does not fit (pydantic's ValidationError is one).
    """
    record: Record = _adapter(kind).validate_json(line)
    return record


class RecordFile(Generic[Record]):
    """An append-only file of records that survives being killed at any moment.

    Every append ends on disk before it returns. A last line that a kill has torn is cut off when
    the file is opened for writing, and passed over when it is read. Threads may append at once.
    """

    def __init__(self, path: Path, kind: type[Record]) -> None:
        self.path = path
        self._kind = kind
        self._descriptor: int | None = None
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Record]:
        """Yield the records in the order they were written."""
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    return  # torn: the write never returned, so nobody counts on it
                try:
                    yield from_json(self._kind, line)
                except ValidationError as error:
                    first = error.errors()[0]
                    where = ".".join(str(part) for part in first["loc"])
                    raise InputError(
                        f"{self.path}, line {number}: {where or 'record'}: {first['msg']}; "
                        "remove the line to have it made again"
                    ) from None

    def append(self, record: Record) -> None:
        """Write one record and wait until it is on disk."""
        line = to_json(record).encode() + b"\n"
        with self._lock:
            # A torn line is cut off once, before anything is written: a second thread that found the
            # file not open yet would cut off what the first had written meanwhile.
            if self._descriptor is None:
                self._descriptor = self._open_repaired()
            descriptor = self._descriptor
            # One write call: a full disk fails before half a record is taken for a whole one, since
            # its line has no end.
            written = os.write(descriptor, line)
            if written != len(line):
                # It took a part: there was no room for the rest, on the disk or under a limit.
                os.ftruncate(descriptor, os.fstat(descriptor).st_size - written)
                raise InputError(f"{self.path}: the disk is full; free some space and run again")
        os.fsync(descriptor)

    def close(self) -> None:
        """Close the file; a later append opens it again."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _open_repaired(self) -> int:
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        size = os.fstat(descriptor).st_size
        whole = _end_of_last_line(descriptor, size)
        if whole < size:
            os.ftruncate(descriptor, whole)
        return descriptor


def _end_of_last_line(descriptor: int, size: int) -> int:
    """Return the offset just after the last line feed, reading backwards by blocks."""
    block = 1 << 16
    end = size
    while end > 0:
        start = max(0, end - block)
        found = os.pread(descriptor, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines of text, whole or not at all."""

    def write(beside: Path) -> None:
        with beside.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)

    write_beside(path, write)


def write_beside(path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` fill a file beside `path`, then rename it into place: whole or not at all.

    A device or a pipe is written as it is: a file in its place would not be what was named.
    """
    if path.exists() and not path.is_file():
        write(path)
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        write(beside)
        with beside.open("rb") as written:
            os.fsync(written.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
