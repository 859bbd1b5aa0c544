"""What runs in the actors of a Ray cluster, and what a seat makes of their ends, without a cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest

from corpus.cluster import process_name
from corpus.errors import InputError

pytest.importorskip("ray", reason="Ray is not installed")
from corpus.cluster.ray.actors import VERSIONS, Desk, Worker, packed, unpacked


@dataclass
class Doubling:
    """Makes what doubles numbers."""

    fault: str = ""

    def __call__(self) -> Callable[[int], int]:
        if self.fault:
            raise InputError(self.fault)
        return self.double

    def double(self, number: int) -> int:
        if number < 0:
            raise InputError(f"{number} is below 0")
        return 2 * number


class Echo:
    """Makes what answers with the message."""

    def __call__(self) -> Callable[[Any], Awaitable[Any]]:
        return self.answer

    async def answer(self, message: Any) -> Any:
        if message is None:
            raise InputError("nothing was said")
        return message


def test_a_worker_works_and_tells_what_a_person_is_to_read() -> None:
    worker = Worker(packed(Doubling()))
    assert worker.greet() == (process_name(), VERSIONS)
    worker.load()
    assert unpacked(worker.work(packed(4))) == 8
    assert str(unpacked(worker.work(packed(-1)))) == "-1 is below 0"


def test_what_cannot_be_loaded_is_told_with_the_first_shard() -> None:
    worker = Worker(packed(Doubling("no such snapshot")))
    worker.load()
    fault = unpacked(worker.work(packed(4)))
    assert isinstance(fault, InputError)
    assert str(fault) == "no such snapshot"


def test_what_is_shared_answers_or_tells_why_not() -> None:
    desk = Desk(packed(Echo()))
    assert unpacked(asyncio.run(desk.answer(packed({"a": 1})))) == {"a": 1}
    assert str(unpacked(asyncio.run(desk.answer(packed(None))))) == "nothing was said"
