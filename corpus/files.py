"""Files: read in bounds, refused in one line that says what is wrong, locked, and told apart by SHA-256."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import sys
from pathlib import Path
from typing import IO, Any, NoReturn

from corpus.errors import InputError

LARGEST_TEXT = 256 << 20
"""Bytes of a file that is read whole: some fifty times the largest benchmark."""


def read_text(path: Path, what: str = "file", *, most: int = LARGEST_TEXT) -> str:
    """Return the text of a file, without the mark that some editors put before it.

    Args:
        path: of the file; a pipe is read, too.
        what: it is, for messages: "plan", "file of prices".
        most: bytes that are read of it.

    Raises:
        InputError: it is missing, no file, not UTF-8, or larger than `most`.
    """
    return decode(read_bytes(path, what, most=most), str(path))


def decode(content: bytes, where: str) -> str:
    """Return bytes as text.

    Raises:
        InputError: they are not UTF-8; names the first that is not.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{where}: not UTF-8 text (byte {error.start:,}, line {line:,}): save it as UTF-8"
        ) from None


def read_bytes(path: Path, what: str = "file", *, most: int = LARGEST_TEXT) -> bytes:
    """Return the content of a file; see `read_text`."""
    with _open(path, what) as file:
        if os.fstat(file.fileno()).st_size <= most:
            # What a device holds has no size, and no end.
            content = file.read(most + 1)
            if len(content) <= most:
                return content
    raise InputError(f"{path}: the {what} is larger than {most >> 20:,} MiB: name a smaller one")


def _open(path: Path, what: str) -> IO[bytes]:
    try:
        # A pipe that nobody writes to is waited for, as by any program; a folder is not.
        if path.is_dir():
            raise InputError(f"{path} is a folder: name the {what} in it")
        return path.open("rb")
    except OSError as error:
        from corpus.faults import machine_fault

        if machine_fault(error) is not None:
            raise
        raise InputError(
            f"{path}: the {what} cannot be read ({error.strerror}): name one that can"
        ) from None


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def lock(file: IO[Any] | int, *, wait: bool = False) -> bool:
    """Lock an open file or folder against other processes until it is closed.

    Args:
        file: open; a folder by its descriptor.
        wait: until whoever holds it lets go; else False is returned where it is held.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def locked(path: Path, refusal: str) -> IO[bytes]:
    """Return a file made at `path` that this process alone holds until it is closed.

    Raises:
        InputError: another process holds it; with `refusal`.
    """
    file = path.open("wb")
    if not lock(file):
        file.close()
        raise InputError(refusal)
    return file


def parse_json(text: str | bytes, where: str) -> Any:
    """Return the value that a JSON text holds.

    Args:
        text: the whole text.
        where: what a fault is said to be in.

    Raises:
        InputError: it is no JSON, nested too deep, or holds a number that is none or too long.
    """
    try:
        value = json.loads(text, parse_constant=refuse_constant)
        check_characters(value, text)
        return value
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: {why_no_json(error)}") from None


def why_no_json(error: Exception) -> str:
    """Say in words why a text could not be read as JSON.

    Args:
        error: what the decoder raised: ValueError or RecursionError.
    """
    if isinstance(error, RecursionError):
        return "not JSON that can be read: it is nested too deep (some 900 levels are read)"
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON in line {error.lineno}, column {error.colno} ({error.msg})"
    if isinstance(error, UnicodeDecodeError):
        return f"not JSON: not UTF-8 text at byte {error.start:,}"
    if "int_max_str_digits" in str(error):
        most = sys.get_int_max_str_digits()
        return f"not JSON that can be read: a number has more than {most:,} digits"
    return f"not JSON: {error}"


def check_characters(value: object, text: str | bytes) -> None:
    """Refuse halves of characters (lone surrogates), which JSON can write and no file can hold.

    Args:
        value: what a JSON text holds.
        text: the text; where it has no escape of that kind, there is nothing to look for.

    Raises:
        ValueError: there is one.
    """
    if _SURROGATE.search(text if isinstance(text, str) else text.decode("utf-8", "replace")):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("an escape stands for half a character (\\ud800 to \\udfff)") from None


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def refuse_constant(constant: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python reads and JSON does not have: a `parse_constant`."""
    raise ValueError(f"{constant} is no number of JSON")
