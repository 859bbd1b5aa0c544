"""How many threads a matrix product of numpy's takes now."""

from __future__ import annotations

from threadpoolctl import threadpool_info


def blas_threads() -> int:
    """Return the number of threads of the library that numpy brings along; 1 where it has none."""
    own = [one for one in threadpool_info() if "numpy" in one["filepath"]]
    return max((one["num_threads"] for one in own), default=1)
