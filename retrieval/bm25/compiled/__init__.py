"""Scoring in machine code, which LLVM alone loads: numba compiles it once on a machine.

numba's own cache would do with half of this, but importing numba and loading from that cache takes
far longer than the 0.3 s that a first query may take (docs/bm25.md).
"""
