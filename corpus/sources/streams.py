"""Bytes of a dump, decompressed and made safe for an XML parser, in bounded memory."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from corpus.errors import InputError

BLOCK = 1 << 20
_MAGIC = {b"BZh": bz2.open, b"\x1f\x8b": gzip.open, b"\xfd7zXZ\x00": lzma.open}
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML 1.0 has no place for."""
_REFERENCE = re.compile(r"&#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,10}));")
_LONGEST_REFERENCE = 16


def open_decompressed(path: Path) -> IO[bytes]:
    """Open a file for reading, decompressing bz2, gzip and xz by what its first bytes say.

    Raises:
        InputError: the file is missing, a folder, or not readable.
    """
    try:
        with path.open("rb") as file:
            head = file.read(6)
    except FileNotFoundError:
        raise InputError(f"no file {path}: name a dump that exists") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder: name the dump files in it") from None
    if head.startswith(b"7z\xbc\xaf"):
        raise InputError(f"{path} is a 7z archive: unpack it first, or take the .bz2 of the dump")
    for magic, opener in _MAGIC.items():
        if head.startswith(magic):
            return cast("IO[bytes]", opener(path, "rb"))
    return path.open("rb")


def xml_blocks(stream: IO[bytes], path: Path) -> Iterator[bytes]:
    """Yield blocks of UTF-8 that an XML parser accepts as far as characters go.

    Invalid UTF-8 becomes U+FFFD; control characters and references to them, which XML forbids, are
    dropped: one bad byte must not cost the rest of a dump. UTF-16 is read by its byte order mark.

    Raises:
        InputError: the compressed data is damaged or cut off.
    """
    first = _read(stream, path)
    encoding = "utf-16" if first[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    held = ""
    block = first
    while True:
        text = held + decoder.decode(block, final=not block)
        held = ""
        if block:
            # A reference may be cut by the block's end: it waits for the next one.
            cut = text.rfind("&", max(0, len(text) - _LONGEST_REFERENCE))
            if cut >= 0:
                text, held = text[:cut], text[cut:]
        if encoding == "utf-16":
            text = text.replace('encoding="UTF-16"', 'encoding="UTF-8"')
            text = text.replace("encoding='UTF-16'", "encoding='UTF-8'")
        yield _REFERENCE.sub(_keep_reference, _FORBIDDEN.sub("", text)).encode()
        if not block:
            return
        block = _read(stream, path)


def _read(stream: IO[bytes], path: Path) -> bytes:
    try:
        return stream.read(BLOCK)
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is cut off or damaged ({error}): fetch it again") from None
    except OSError as error:
        # bz2 reports damaged data as an OSError without a number.
        if error.errno is not None:
            raise
        raise InputError(f"{path} is cut off or damaged ({error}): fetch it again") from None


def _keep_reference(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else int(match[2])
    allowed = code in (0x9, 0xA, 0xD) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE
    return match[0] if allowed or 0x10000 <= code <= 0x10FFFF else ""
