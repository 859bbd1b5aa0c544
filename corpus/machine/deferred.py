"""Libraries whose packages load far more than is used of them, loaded no further than that.

A package's `__init__` often imports all that it has to offer. Where a library that is needed takes
one small module out of another's package, the rest of that package is loaded for nothing.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any


@contextmanager
def deferred(*packages: str) -> Iterator[None]:
    """Run the `__init__` of packages imported inside only when something is asked of them.

    Their modules are imported as ever: `from package.module import name` runs no `__init__` of the
    package, `from package import name` does. Packages that are there already stay as they are.

    Args:
        packages: full names.
    """
    finder = _Finder(frozenset(packages))
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Finder(MetaPathFinder):
    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name in self._names else None
        if spec is not None and spec.loader is not None:
            spec.loader = _Deferring(spec.loader)
        return spec


class _Deferring(Loader):
    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._lock = threading.RLock()
        self._begun = False

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        inside = module.__dict__

        def asked(name: str) -> Any:
            with self._lock:
                # What the package asks of itself while it is run may not be there yet.
                if not self._begun:
                    self._begun = True
                    self._loader.exec_module(module)
                    if inside.get("__getattr__") is asked:
                        del inside["__getattr__"]
                    return getattr(module, name)
            if name in inside:
                return inside[name]
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")

        inside["__getattr__"] = asked
