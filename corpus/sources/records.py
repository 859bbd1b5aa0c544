"""JSON records out of a stream in bounded memory: one a line, one array, or one object."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from corpus.errors import InputError
from corpus.files import why_no_json
from corpus.sources.streams import damaged
from corpus.sources.types import Record

LARGEST_RECORD = 32 << 20
"""Characters."""
_BETWEEN = re.compile(r"[\s,]*")
_COLON = re.compile(r"\s*:\s*")


def cut_lines(
    path: Path, read: Callable[[], bytes], consumed: Callable[[], int]
) -> Iterator[Record]:
    """Yield the lines of a stream that are not blank; positions are the numbers of the lines.

    Raises:
        DamagedError: a line is longer than any record.
    """
    held = b""
    number = 0
    while True:
        block = read()
        lines = (held + block).split(b"\n")
        held = lines.pop() if block else b""
        if len(held) > LARGEST_RECORD:
            raise damaged(path, f"line {number + 1} does not end")
        for line in lines:
            number += 1
            if line.strip():
                yield Record(start=number - 1, end=number, read=consumed(), content=line)
        if not block:
            return


def cut_values(
    path: Path, read: Callable[[], bytes], consumed: Callable[[], int]
) -> Iterator[Record]:
    """Yield the elements of a JSON array, or the members of an object as `["key", value]`.

    Positions are the numbers of the elements.

    Raises:
        DamagedError: the stream is no JSON, or ends too early.
        InputError: a record is nested too deep, or holds a number that is too long.
    """
    decoder = json.JSONDecoder()
    utf8 = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape")
    text = ""
    while not text.strip() and (block := read()):
        text += utf8.decode(block)
    text = text.lstrip()
    if text[:1] not in ("[", "{"):
        raise damaged(path, "it is no JSON")
    in_object = text[0] == "{"
    position, number, ended = 1, 0, False
    while True:
        position = _end(_BETWEEN.match(text, position), position)
        if text[position : position + 1] == ("}" if in_object else "]"):
            return
        try:
            key, after = decoder.raw_decode(text, position) if in_object else ("", position)
            after = _end(_COLON.match(text, after), after) if in_object else after
            _, end = decoder.raw_decode(text, after)
            # A number may go on in the next block; what is wanted never ends the text.
            if end == len(text) and not ended:
                raise json.JSONDecodeError("more to come", text, end)
        except json.JSONDecodeError as error:
            if ended or len(text) - position > LARGEST_RECORD:
                detail = f"no JSON at record {number + 1}: {error.msg}"
                raise damaged(path, detail) from None
            block = read()
            ended = not block
            text = text[position:] + utf8.decode(block, final=ended)
            position = 0
            continue
        except (ValueError, RecursionError) as error:
            # Where such a record ends cannot be told, so it cannot be left out either.
            reason = f"{path}, record {number + 1:,}: {why_no_json(error)}: mend it"
            raise InputError(reason) from None
        # Bytes that are no UTF-8 come out as they went in: whoever reads the record refuses them.
        content = text[after:end]
        if in_object:
            content = f"[{json.dumps(key)},{content}]"
        number += 1
        yield Record(
            start=number - 1,
            end=number,
            read=consumed(),
            content=content.encode(errors="surrogateescape"),
        )
        position = end


def _end(match: re.Match[str] | None, otherwise: int) -> int:
    return match.end() if match else otherwise
