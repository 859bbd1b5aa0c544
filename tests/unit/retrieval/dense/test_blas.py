from __future__ import annotations

import threading

from retrieval.dense.blas import single_threaded_blas
from tests.blas import blas_threads


def test_the_first_threads_limit_holds_where_another_thread_came_before() -> None:
    before = blas_threads()
    inside, leave = threading.Event(), threading.Event()

    def encode() -> None:
        with single_threaded_blas:
            inside.set()
            leave.wait(10)

    other = threading.Thread(target=encode)
    other.start()
    try:
        assert inside.wait(10)
        with single_threaded_blas:
            assert blas_threads() == 1
            leave.set()
            other.join(10)
            assert blas_threads() == 1
    finally:
        leave.set()
        other.join(10)
    assert blas_threads() == before
