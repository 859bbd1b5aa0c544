"""Dataclasses to MessagePack and back: fast, exact, and of known types alone.

LangGraph's own serializer names module and class with every object and gives tuples back as lists.
A checkpoint here holds hundreds of small objects and is written at every step, so each type has a
number instead, its fields are written in order, and only types of the table are ever made again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import ormsgpack

_OPTIONS = ormsgpack.OPT_PASSTHROUGH_DATACLASS | ormsgpack.OPT_NON_STR_KEYS


class UnknownTypeError(TypeError):
    """An object of a type that is not in the table."""


class Codec:
    """Packs values made of plain data and of objects of known types.

    Sequences in an object's fields come back as tuples, others as lists.

    Args:
        types: with the names of their fields, in an order that must not change while files with
            packed values are kept.
    """

    def __init__(self, types: Mapping[type, Sequence[str]]) -> None:
        self._makers: list[tuple[type, tuple[str, ...]]] = [
            (kind, tuple(names)) for kind, names in types.items()
        ]
        self._readers: dict[type, tuple[int, Callable[[Any], tuple[Any, ...]]]] = {
            kind: (number, _reader(names)) for number, (kind, names) in enumerate(self._makers)
        }

    @property
    def form(self) -> str:
        """A name for the types and their fields: what was packed under another is not unpacked."""
        table = [(kind.__name__, names) for kind, names in self._makers]
        return hashlib.sha256(repr(table).encode()).hexdigest()[:8]

    def pack(self, value: Any) -> bytes:
        """Return a value as bytes.

        Raises:
            UnknownTypeError: it holds an object of a type that is not in the table.
        """
        try:
            return ormsgpack.packb(value, default=self._packed, option=_OPTIONS)
        except ormsgpack.MsgpackEncodeError as error:
            raise UnknownTypeError(str(error)) from error

    def unpack(self, data: bytes) -> Any:
        """Return the value that `pack` made bytes of."""
        return ormsgpack.unpackb(data, ext_hook=self._unpacked, option=ormsgpack.OPT_NON_STR_KEYS)

    def _packed(self, value: Any) -> ormsgpack.Ext:
        known = self._readers.get(type(value))
        if known is None:
            raise UnknownTypeError(type(value).__name__)
        number, read = known
        return ormsgpack.Ext(
            number, ormsgpack.packb(read(value), default=self._packed, option=_OPTIONS)
        )

    def _unpacked(self, number: int, data: bytes) -> Any:
        kind, names = self._makers[number]
        values = self.unpack(data)
        return kind(
            **{
                name: tuple(value) if isinstance(value, list) else value
                for name, value in zip(names, values, strict=True)
            }
        )


def _reader(names: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) == 1:
        single = attrgetter(names[0])
        return lambda value: (single(value),)
    return attrgetter(*names)
