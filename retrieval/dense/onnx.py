"""Models in ONNX's wire format, written out: what a runtime needs of it and no more.

The format is protobuf's: a message is a row of fields, each a key (number and kind) and a value
(https://github.com/onnx/onnx/blob/main/onnx/onnx.proto). The package `onnx` writes the same; it takes
36 MB and a third of a second to import. Weights stay outside the message, since copying them into it
and out again takes longer than all else.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

IR_VERSION = 10
OPSETS = {"": 20, "com.microsoft": 1}
"""Versions of the sets of operators: ONNX's own, and what ONNX Runtime adds."""
_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "bool": 9}

INLINE = 1024
"""Bytes up to which an array is part of the message."""

Attribute = int | float | bytes
"""Bytes are a graph."""
Dimension = int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A graph in ONNX's format, and the arrays that it names and does not hold."""

    content: bytes
    arrays: Mapping[str, NDArray[Any]]


@dataclass(slots=True)
class Graph:
    """A graph that is being put together; every method returns the name of what it adds."""

    _nodes: list[bytes] = field(default_factory=list)
    _tensors: list[bytes] = field(default_factory=list)
    _inputs: list[bytes] = field(default_factory=list)
    _outputs: list[bytes] = field(default_factory=list)
    _arrays: dict[str, NDArray[Any]] = field(default_factory=dict)
    _names: Iterator[int] = field(default_factory=lambda: count(1))

    def input(self, name: str, kind: str, shape: Sequence[Dimension]) -> str:
        """Add an input: `kind` is numpy's name of its type; a dimension of a name is any length."""
        self._inputs.append(_value(name, kind, shape))
        return name

    def output(self, name: str, kind: str, shape: Sequence[Dimension]) -> None:
        """Make a value that a node gives an output."""
        self._outputs.append(_value(name, kind, shape))

    def constant(self, value: NDArray[Any]) -> str:
        """Add an array that the model holds."""
        name = self._name()
        array = np.ascontiguousarray(value)
        if array.nbytes > INLINE:
            # The place is a word of this module's: the runtime is given the array by its name.
            place = _bytes(13, _text(1, "location") + _text(2, "memory")) + _number(14, 1)
            self._arrays[name] = array
        else:
            place = _bytes(9, array.tobytes())
        self._tensors.append(
            b"".join(_number(1, length) for length in value.shape)
            + _number(2, _TYPES[array.dtype.name])
            + _text(8, name)
            + place
        )
        return name

    def node(
        self,
        operator: str,
        *inputs: str,
        domain: str = "",
        outputs: int = 1,
        **attributes: Attribute,
    ) -> str:
        """Add a node with one output; an input of no name is left out.

        Returns:
            The name of the output; of several, what comes before "/0", "/1", …
        """
        name = self._name()
        given = [name] if outputs == 1 else [f"{name}/{number}" for number in range(outputs)]
        self._nodes.append(
            b"".join(_text(1, one) for one in inputs)
            + b"".join(_text(2, one) for one in given)
            + _text(4, operator)
            + b"".join(_bytes(5, _attribute(key, value)) for key, value in attributes.items())
            + (_text(7, domain) if domain else b"")
        )
        return name

    def either(
        self, condition: str, then: Callable[[Graph], str], otherwise: Callable[[Graph], str]
    ) -> str:
        """Add a choice between two ways to make a value.

        Args:
            condition: name of a truth value.
            then: adds the nodes of the first way to a graph, in which the values of this one are
                known by their names, and returns the name of the value, float32 of any shape.
            otherwise: the same, of the second.
        """

        def branch(make: Callable[[Graph], str]) -> bytes:
            # Names are unique over all graphs of a model.
            inner = Graph(_arrays=self._arrays, _names=self._names)
            inner._outputs.append(_value(make(inner), "float32", None))
            return inner._content()

        return self.node("If", condition, then_branch=branch(then), else_branch=branch(otherwise))

    def model(self, opsets: Mapping[str, int] = OPSETS) -> Model:
        """Return the whole as a model."""
        sets = (_text(1, domain) + _number(2, version) for domain, version in opsets.items())
        content = (
            _number(1, IR_VERSION)
            + _bytes(7, self._content())
            + b"".join(_bytes(8, one) for one in sets)
        )
        return Model(content=content, arrays=self._arrays)

    def _content(self) -> bytes:
        return b"".join(
            _bytes(number, part)
            for number, parts in (
                (1, self._nodes),
                (2, [b"graph"]),
                (5, self._tensors),
                (11, self._inputs),
                (12, self._outputs),
            )
            for part in parts
        )

    def _name(self) -> str:
        return f"v{next(self._names)}"


def _value(name: str, kind: str, shape: Sequence[Dimension] | None) -> bytes:
    tensor = _number(1, _TYPES[kind])
    if shape is not None:
        dimensions = (
            _bytes(1, _text(2, one) if isinstance(one, str) else _number(1, one)) for one in shape
        )
        tensor += _bytes(2, b"".join(dimensions))
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _attribute(name: str, value: Attribute) -> bytes:
    if isinstance(value, bytes):
        return _text(1, name) + _bytes(6, value) + _number(20, 5)
    if isinstance(value, float):
        return _text(1, name) + _key(2, 5) + struct.pack("<f", value) + _number(20, 1)
    return _text(1, name) + _number(3, value) + _number(20, 2)


def _text(number: int, value: str) -> bytes:
    return _bytes(number, value.encode())


def _bytes(number: int, value: bytes) -> bytes:
    return _key(number, 2) + _varint(len(value)) + value


def _number(number: int, value: int) -> bytes:
    return _key(number, 0) + _varint(value & (1 << 64) - 1)


def _key(number: int, kind: int) -> bytes:
    return _varint(number << 3 | kind)


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
