"""Packages that come with an extra, and what to run where one is missing.

The core answers from the embedded sample and searches with BM25+ and vectors; what is large and is
not needed for that is imported by who needs it, when it is needed.
"""

from __future__ import annotations

from importlib.util import find_spec

EXTRAS = {
    "faiss": "search",
    "inspect_ai": "inspect",
    "opensearchpy": "opensearch",
    "pyarrow": "datasets",
    "pymilvus": "milvus",
    "qdrant_client": "qdrant",
    "ray": "ray",
    **dict.fromkeys(
        (
            "ftfy",
            "llama_index",
            "llvmlite",
            "matplotlib",
            "numba",
            "opencc",
            "rouge_score",
            "scipy",
            "sentence_transformers",
            "simplemma",
            "torch",
            "transformers",
        ),
        "cpu",
    ),
}
"""Module → the smallest extra that installs it."""


def missing_package(error: BaseException) -> str | None:
    """Return which package an error is about and how to install it, None for any other error."""
    if not isinstance(error, ModuleNotFoundError) or error.name is None:
        return None
    name = error.name.partition(".")[0]
    if name not in EXTRAS:
        return None
    return (
        f"the package {name.replace('_', '-')} is needed for this and is not installed: run "
        f"`pip install -c constraints.txt -e '.[{EXTRAS[name]}]'` (beside an NVIDIA device '.[gpu]')"
    )


def is_installed(module: str) -> bool:
    """Say whether a module of an extra can be imported, without importing it."""
    return find_spec(module) is not None
