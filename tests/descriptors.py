"""What a process holds open, by the system's own account."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

_SELF = Path("/proc/self")


def open_files() -> list[str]:
    """What each file descriptor of this process leads to."""
    found = []
    for descriptor in (_SELF / "fd").iterdir():
        # The listing's own descriptor has gone by now.
        with suppress(FileNotFoundError):
            found.append(str(descriptor.readlink()))
    return found


def held() -> tuple[int, int]:
    """Descriptors and threads."""
    return len(open_files()), threading.active_count()


def resident() -> int:
    """Memory in use, in KiB."""
    with (_SELF / "status").open() as status:
        line = next(line for line in status if line.startswith("VmRSS:"))
    return int(line.split()[1])
