"""A 7z archive of one file, read like a stream: Wikimedia's smallest form of full histories.

The library (py7zr) pushes what it decompresses; a thread runs it, and a queue of a few pieces
between the two keeps the memory bounded, whatever the size of the file.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import IO, Any

from corpus.errors import InputError

_PIECE = 1 << 20
_PIECES = 4
"""Pieces decompressed ahead. The library itself holds a block of up to 128 MB, where the archive is
packed that tightly."""


class SevenZipStream:
    """The bytes of the one file in an archive, from its beginning.

    Raises:
        InputError: the archive holds several files or none, or the library is not installed.
        EOFError: it is cut off or damaged; from `read` too.
    """

    def __init__(self, raw: IO[bytes]) -> None:
        try:
            import py7zr
        except ImportError:
            raise InputError(
                f"{raw.name} is a 7z archive: pip install 'fanfold[sevenzip]' to read it, or take"
                " the .bz2 of the same dump"
            ) from None
        try:
            self._archive = py7zr.SevenZipFile(raw, "r")
            names = [member.filename for member in self._archive.list() if not member.is_directory]
        except Exception as error:
            # The library raises errors of many kinds on damaged headers.
            raise EOFError(str(error) or type(error).__name__) from None
        if len(names) != 1:
            raise InputError(f"{raw.name} holds {len(names)} files: unpack it and name the dump")
        self._blocks: queue.Queue[bytes | None] = queue.Queue(_PIECES)
        self._held = b""
        self._ended = False
        self._closing = False
        self._failure = ""
        self._thread = threading.Thread(target=self._decompress, name="7z", daemon=True)
        self._thread.start()

    def read(self, size: int) -> bytes:
        """Return the next bytes, at most `size`; b"" at the end."""
        if not self._held and not self._ended:
            block = self._blocks.get()
            if block is None:
                self._ended = True
            else:
                self._held = block
        if self._ended and self._failure:
            raise EOFError(self._failure)
        shown, self._held = self._held[:size], self._held[size:]
        return shown

    def close(self) -> None:
        """Stop decompressing."""
        self._closing = True
        while self._thread.is_alive():
            try:
                self._blocks.get(timeout=0.05)
            except queue.Empty:
                continue

    def _decompress(self) -> None:
        try:
            self._archive.extractall(factory=_factory(self._put))
        except Exception as error:
            # As above; what is wrong is told by the next `read`, in the reader's thread.
            self._failure = str(error) or type(error).__name__
        self._blocks.put(None)

    def _put(self, block: bytes) -> None:
        view = memoryview(block)
        for start in range(0, len(view), _PIECE):
            if self._closing:
                raise EOFError("closed")
            self._blocks.put(bytes(view[start : start + _PIECE]))


def _factory(put: Callable[[bytes], None]) -> Any:
    """Return what makes the one file that the library writes to."""
    from py7zr.io import WriterFactory

    class Factory(WriterFactory):
        def create(self, filename: str, mode: str | None = None) -> Any:
            return _Sink(put)

    return Factory()


class _Sink:
    """A file that hands on what is written to it."""

    def __init__(self, put: Callable[[bytes], None]) -> None:
        self._put = put
        self._written = 0

    def write(self, block: bytes) -> int:
        self._put(block)
        self._written += len(block)
        return len(block)

    def read(self, size: int | None = None) -> bytes:
        return b""

    def seek(self, offset: int, whence: int = 0) -> int:
        return offset

    def flush(self) -> None:
        pass

    def size(self) -> int:
        return self._written

    def close(self) -> None:
        pass
