"""What was made before, kept: what is asked for twice is made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Made = TypeVar("Made")


class Kept(Generic[Key, Made]):
    """Makes something of each key, those it does not know together. Thread-safe.

    Args:
        make: returns what is made of some keys, in order.
        most: keys from which what is known is forgotten before more is kept.
    """

    def __init__(self, make: Callable[[Sequence[Key]], Iterable[Made]], most: int) -> None:
        self._make = make
        self._most = most
        self._known: dict[Key, Made] = {}

    def __call__(self, keys: Sequence[Key]) -> list[Made]:
        """Return what is made of each key, in order."""
        known = self._known
        missing = [key for key in dict.fromkeys(keys) if key not in known]
        made = dict(zip(missing, self._make(missing), strict=True)) if missing else {}
        found = [made[key] if key in made else known[key] for key in keys]
        # Replaced, not changed: another thread may be reading.
        self._known = {**(known if len(known) < self._most else {}), **made} if made else known
        return found
