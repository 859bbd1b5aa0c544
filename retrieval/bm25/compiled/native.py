"""Machine code of the kernels: compiled once on a machine, loaded without numba ever after.

To import numba and let it load its own cache takes 0.6 s of every process, as long as a thousand
searches of a million chunks. The kernels are therefore written so that their object code refers to
nothing outside itself, the object code is kept in a file, and LLVM alone, through llvmlite, loads
it in some 60 ms.
"""

from __future__ import annotations

import ctypes
import hashlib
import logging
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from corpus.machine.packages import is_installed

Kernel = Callable[[Sequence[int]], None]
"""Takes numbers and addresses as its docstring lists them; runs without the interpreter lock."""

_NAMES = ("find", "search")
_SOURCES = [Path(__file__).with_name(f"{name}.py") for name in ("pointers", "kernels", "lookup")]
_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernels:
    """The compiled functions of `kernels`."""

    find: Kernel
    search: Kernel


def load_kernels() -> Kernels:
    """Return the kernels, compiling them first (some 5 s) where this machine never has."""
    with _LOCK:
        return _load()


def can_compile() -> bool:
    """Return whether the compiler is installed: it comes with an extra."""
    return is_installed("numba")


def is_compiled() -> bool:
    """Return whether this machine has compiled the kernels."""
    import llvmlite.binding as llvm

    return _read_code(_key(llvm)) is not None


@cache
def _load() -> Kernels:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    key = _key(llvm)
    code = _read_code(key)
    if code is None:
        code = _compile(llvm)
        _keep_code(key, code)
    # The empty module is what the compiler of LLVM wants to be given; the object code is added.
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target(llvm))
    kernels = {}
    for name, (symbol, data) in code.items():
        engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(data))
        engine.finalize_object()
        kernels[name] = _callable(engine, engine.get_function_address(symbol))
    return Kernels(**kernels)


def _callable(engine: Any, address: int) -> Kernel:
    # numba's calling convention: where to put the result, where to put an exception, then the
    # arguments. These functions have neither result nor exception.
    unused = ctypes.create_string_buffer(16)
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)(
        address
    )
    nowhere = ctypes.addressof(unused)

    def call(arguments: Sequence[int]) -> None:
        block = array("q", arguments)
        function(nowhere, nowhere + 8, block.buffer_info()[0])

    # The code lives as long as the engine, and the buffer is written to.
    call.__dict__["keeps"] = (engine, unused)
    return call


def _compile(llvm: Any) -> dict[str, tuple[str, bytes]]:
    """Return the symbol and the object code of each kernel."""
    from numba import int64, void

    from retrieval.bm25.compiled.kernels import search
    from retrieval.bm25.compiled.lookup import find

    logging.getLogger(__name__).info("compiling search kernels, once on this machine")
    target = _target(llvm)
    code = {}
    for name, kernel in (("find", find), ("search", search)):
        kernel.compile(void(int64))
        ((signature, result),) = kernel.overloads.items()
        module = llvm.parse_assembly(kernel.inspect_llvm(signature))
        outside = [
            function.name
            for function in module.functions
            if function.is_declaration and not function.name.startswith("llvm.")
        ]
        if outside:
            raise RuntimeError(f"the kernel {name} refers to {outside}, which only numba provides")
        code[name] = (result.fndesc.llvm_func_name, target.emit_object(module))
    return code


def _target(llvm: Any) -> Any:
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        jit=True,
    )


def _key(llvm: Any) -> str:
    """Return what the object code depends on, as a hash: source, compilers, processor."""
    parts = [
        *(source.read_bytes() for source in _SOURCES),
        metadata.version("numba").encode(),
        metadata.version("llvmlite").encode(),
        llvm.get_process_triple().encode(),
        llvm.get_host_cpu_name().encode(),
        llvm.get_host_cpu_features().flatten().encode(),
    ]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]


def _places(key: str) -> Iterator[Path]:
    """Yield where the code may be kept: beside the source, else in the user's cache."""
    from platformdirs import user_cache_path

    yield Path(__file__).parent / "__pycache__" / f"kernels.{key}.o"
    yield user_cache_path("fanfold") / f"kernels.{key}.o"


def _read_code(key: str) -> dict[str, tuple[str, bytes]] | None:
    for path in _places(key):
        try:
            data = path.read_bytes()
        except OSError:
            continue
        digest, _, rest = data.partition(b"\n")
        if hashlib.sha256(rest).hexdigest().encode() != digest:
            continue
        code = {}
        for name in _NAMES:
            head, _, rest = rest.partition(b"\n")
            symbol, length = head.decode().split()
            code[name] = (symbol, rest[: int(length)])
            rest = rest[int(length) :]
        return code
    return None


def _keep_code(key: str, code: dict[str, tuple[str, bytes]]) -> None:
    rest = b"".join(f"{symbol} {len(data)}\n".encode() + data for symbol, data in code.values())
    content = hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest
    for path in _places(key):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = path.with_suffix(f".{threading.get_native_id()}")
            beside.write_bytes(content)
            beside.replace(path)
        except OSError:
            continue
        return
