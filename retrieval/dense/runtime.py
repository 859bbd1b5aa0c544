"""How this process runs models: ONNX Runtime, one thread a pass, as many passes as processors."""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.faults import check_room
from retrieval.dense.onnx import Model

Array = NDArray[np.float32]
THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
PASS_ROOM = 128 << 20
"""Bytes of addresses that must be free for a pass: some 50 MB of activations, and as much to spare."""


class Session:
    """A model that can be run, from several threads at once.

    Each pass stays on the thread that asks for it: threads of the runtime's own would wait for one
    another in every product, do badly where other programs share the processors, and be missing in
    a fork. Work for more than one processor is several passes.
    """

    def __init__(self, model: Model) -> None:
        """Make a model ready."""
        onnxruntime = _load_runtime()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        # No two batches are of one size: what is kept for each size only grows.
        options.enable_mem_pattern = False
        # What more than this would fuse is slower: a sum with its normalisation by seven times.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.log_severity_level = 3
        options.add_external_initializers(
            list(model.arrays),
            [onnxruntime.OrtValue.ortvalue_from_numpy(one) for one in model.arrays.values()],
        )
        self._session = onnxruntime.InferenceSession(
            model.content, options, providers=["CPUExecutionProvider"]
        )

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> Array:
        """Return the model's only output.

        Raises:
            MemoryError: there is no room for it.
        """
        with passes.one():
            return np.asarray(self._session.run(None, dict(inputs))[0], np.float32)


def _load_runtime() -> Any:
    """Import ONNX Runtime with its telemetry off.

    From 1.29 on it reports to its makers, from Linux too: what machine this is, what is run on it.
    It reads the variable once, as it is loaded; what a user had set it to does not count, since
    nothing may leave the machine here.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    return onnxruntime


def give_back() -> None:
    """Give the system the memory that making a model took, where the C library is GNU's.

    Weights are read, widened and put into the runtime's own order: some 70 MB a model that the C
    library would keep for whoever asks next, and nobody asks for so much again.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return
    trim(0)


class _Passes:
    """Lets in as many forward passes as there are processors; the others wait.

    Questions asked at once would otherwise each take memory for passes that only slow each other.
    """

    def __init__(self) -> None:
        self._places = threading.BoundedSemaphore(THREADS)
        if hasattr(os, "register_at_fork"):
            # Whoever was inside is not there in the child.
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self._places = threading.BoundedSemaphore(THREADS)

    @contextmanager
    def one(self) -> Iterator[None]:
        """Wait for a place, and make sure of the memory.

        Raises:
            MemoryError: it is not to be had.
        """
        with self._places:
            check_room(PASS_ROOM)
            yield


passes = _Passes()
