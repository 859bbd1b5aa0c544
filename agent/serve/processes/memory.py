"""What a process that serves for months keeps of the memory it once took, and what it looks through."""

from __future__ import annotations

import ctypes
import gc

ARENAS = 2
"""Of which all threads allocate. The GNU C library has eight for each processor, and each keeps what
the largest forward pass of its threads took: a server that is asked much would grow with every
thread that happens to be asked more than before."""
_M_ARENA_MAX = -8
"""As malloc.h numbers it."""


def share_arenas() -> None:
    """Let all threads allocate from a few arenas; for a process that has none yet but the first.

    Where the C library is not GNU's nothing changes.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):
        return
    mallopt(_M_ARENA_MAX, ARENAS)


def keep_what_is_there() -> None:
    """Let the garbage collector pass over what was made so far: it stays for as long as the process.

    Some half a million objects of modules, indexes and schemas would be looked through again and again.
    """
    gc.collect()
    gc.freeze()
