"""What the kernels are written in: addresses and pointers instead of arrays.

An array of numba's carries reference counts, and code with arrays calls numba's run-time library.
Code with pointers alone refers to nothing outside itself, and `native` can load it without numba.
"""

# mypy: ignore-errors
from __future__ import annotations

from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

compiled = numba.njit(
    nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
)


@intrinsic
def at(context: Any, address: Any, kind: Any) -> Any:  # pragma: no cover
    """Make an address a pointer to numbers of a kind."""
    signature = types.CPointer(kind.instance_type)(address, kind)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return signature, generate


@intrinsic
def add(context: Any, counter: Any, number: Any) -> Any:  # pragma: no cover
    """Add to a counter in memory in one step that threads cannot interleave; return the old one."""
    signature = types.int64(types.CPointer(types.int64), types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw("add", arguments[0], arguments[1], "seq_cst")

    return signature, generate
