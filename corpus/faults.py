"""What a machine lacks, told apart from what is wrong with the data on it.

A disk that is full, descriptors that ran out and memory that is limited come up from a dozen
libraries in as many forms; some of them (SQLite above all) word it like damage. Whoever is about to
call something damaged asks `machine_fault` first.
"""

from __future__ import annotations

import errno
import mmap
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from corpus.machine.packages import missing_package

if TYPE_CHECKING:
    import sqlite3

_DISK = "the disk is full"
_FILES = "no file descriptor is left"
_MEMORY = "no memory is left"
_STARTED = "no process or thread can be started"

_BY_NUMBER = {
    errno.ENOSPC: _DISK,
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "a file may not grow further",
    errno.EIO: "the disk fails",
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
    errno.ENOMEM: _MEMORY,
    errno.EAGAIN: _STARTED,
}
_MENDS = {
    _DISK: "free some space",
    "the disk quota is used up": "free some space",
    "a file may not grow further": "free some space, or raise the limit (`ulimit -f`)",
    "the disk fails": "see what the system's log says of it",
    _FILES: "raise the limit (`ulimit -n`) or close other programs",
    _MEMORY: "raise the limit (`ulimit -v`) or close other programs",
    _STARTED: "raise the limits (`ulimit -u`, `ulimit -v`) or close other programs",
    "the disk is full or fails": "free some space",
}
_BY_WORDS = {
    # What C and C++ libraries leave of an error is its wording.
    os.strerror(errno.ENOSPC): _DISK,
    os.strerror(errno.EDQUOT): "the disk quota is used up",
    os.strerror(errno.EFBIG): "a file may not grow further",
    os.strerror(errno.EMFILE): _FILES,
    os.strerror(errno.ENFILE): _FILES,
    os.strerror(errno.ENOMEM): _MEMORY,
    "can't start new thread": _STARTED,
    "std::bad_alloc": _MEMORY,
    "not enough memory": _MEMORY,
    "failed to map segment": _MEMORY,
    "cannot allocate memory": _MEMORY,
    "out of memory": _MEMORY,
}


_OF_FILES = {_DISK, "the disk quota is used up", "a file may not grow further", "the disk fails"}
"""What says where; which file could not be opened for want of descriptors is chance."""
_ADDRESSES_ALONE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0x4000)
"""Of a mapping that counts for a limit on addresses and takes no memory: mmap(2)."""


def machine_fault(error: BaseException) -> str | None:
    """Return what the machine lacked and how to mend it; None where the error is about something else.

    Errors that this one was raised from count, too.
    """
    for one in _chain(error):
        package = missing_package(one)
        if package is not None:
            return f"{package} and run the same command again"
        what = _what(one)
        if what is not None:
            place = f" ({_place(one)})" if what in _OF_FILES and _place(one) else ""
            return f"{what}{place}: {_MENDS[what]} and run the same command again"
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        one = waiting.pop(0)
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        waiting += [one.__cause__, one.__context__]
        if isinstance(one, BaseExceptionGroup):
            waiting += one.exceptions


def _place(error: BaseException) -> str:
    where = getattr(error, "filename", None) if isinstance(error, OSError) else None
    return os.fsdecode(where) if where else ""


def _what(error: BaseException) -> str | None:
    if isinstance(error, MemoryError):
        return _MEMORY
    if isinstance(error, BlockingIOError):
        # A lock that another process holds has the number of a process that cannot be started.
        return None
    if isinstance(error, OSError) and error.errno is not None:
        return _BY_NUMBER.get(error.errno)
    if type(error).__module__ == "sqlite3":
        return _what_sqlite(error)
    if isinstance(error, ImportError | RuntimeError | OSError | SystemError):
        text = str(error)
        return next((what for words, what in _BY_WORDS.items() if words in text), None)
    return None


def _what_sqlite(error: BaseException) -> str | None:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name == "SQLITE_FULL":
        return _DISK
    if name in ("SQLITE_NOMEM", "SQLITE_IOERR_NOMEM"):
        return _MEMORY
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_IOERR")) and not _descriptors_left(_DATABASE):
        return _FILES
    if name.startswith("SQLITE_IOERR"):
        return "the disk is full or fails"
    return None


def _descriptors_left(count: int) -> bool:
    """Whether so many files can be opened at all: SQLite does not say why it could not."""
    opened: list[int] = []
    try:
        for _ in range(count):
            opened.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        return False
    finally:
        for one in opened:
            os.close(one)
    return True


_DATABASE = 4
"""Descriptors of an open SQLite database: the file, its log, the log's index, and its folder."""
_LOOP = 4
"""Descriptors of an event loop: one to wait at, two to be woken by, and one to spare."""


def check_loop() -> None:
    """Refuse to begin what needs an event loop where none could be opened.

    A loop that cannot be opened leaves a trace of itself, and a warning of what it was to run.

    Raises:
        OSError: no descriptor is left.
    """
    if not _descriptors_left(_LOOP):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))


def check_room(size: int) -> None:
    """Refuse to begin what takes this much memory where the limit does not allow it.

    Libraries of C end the process where an allocation fails in them, without a word of ours.

    Args:
        size: bytes of addresses.

    Raises:
        MemoryError: they are not to be had.
    """
    try:
        mmap.mmap(-1, size, flags=_ADDRESSES_ALONE).close()
    except OSError as error:
        raise MemoryError(f"{size >> 20:,} MiB are not to be had") from error


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite found content that it did not write, and nothing else is to blame."""
    if machine_fault(error) is not None:
        return False
    name = getattr(error, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return True
    # Tables or columns that are not there: the file is another program's.
    return name == "SQLITE_ERROR" and str(error).startswith("no such ")
