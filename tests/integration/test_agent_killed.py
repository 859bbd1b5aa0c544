"""Killed at any moment, a question goes on where it was, and no finished call is paid for twice."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from tests.fake_server import asked_on_the_wire, serving
from tests.fakes import Asked, FaithfulMind
from tests.integration.agent_in_forks import plan

MOMENTS = 20
LATENCY = 0.08
UNDER_WAY = 1.5
"""Seconds. A reply sent so shortly before the kill may not have been read when it came: on a busy
machine several processes wait for one processor."""
ROOT = Path(__file__).parents[2]


def name_of(asked: Asked) -> str:
    told = json.dumps([asked.form, asked.tools, [dict(one) for one in asked.messages]])
    return hashlib.sha256(told.encode()).hexdigest()


class Recorded:
    """A mind that notes what came when and when it was replied to, by the model asked for."""

    def __init__(self, mind: FaithfulMind) -> None:
        self.mind = mind
        self.came: dict[str, list[tuple[float, str]]] = {}
        self.replied: dict[str, list[tuple[float, str]]] = {}
        self._lock = Lock()

    def note_request(self, _: int, request: Mapping[str, Any]) -> None:
        asked = asked_on_the_wire(request)
        with self._lock:
            self.came.setdefault(asked.model, []).append((time.time(), name_of(asked)))

    def __call__(self, asked: Asked) -> object:
        with self._lock:
            self.replied.setdefault(asked.model, []).append((time.time(), name_of(asked)))
        return self.mind(asked)


def test_killed_at_twenty_moments_it_goes_on_without_repeating_a_finished_call(
    tmp_path: Path,
) -> None:
    mind = Recorded(FaithfulMind(plan=plan()))
    with serving(mind, latency=LATENCY, trouble=mind.note_request) as server:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "tests.integration.agent_in_forks"),
                *(server.url, str(tmp_path), str(MOMENTS), "7", str(LATENCY)),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-2000:]
    whole, *killed = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(whole["answer"]["sub_answers"]) == 12
    assert {status for _, status, _ in whole["answer"]["sub_answers"]} == {"answered"}
    calls = {call for _, call in mind.came["whole"]}
    assert len(calls) == whole["answer"]["calls"] == len(mind.came["whole"])
    assert len(killed) == MOMENTS
    cut_short = 0
    for one in killed:
        moment, came = one["moment"], mind.came.get(one["model"], [])
        assert one["answer"] == whole["answer"], moment
        assert {call for _, call in came} == calls, moment
        # No reply that was kept is asked for again, and every one that was read had been kept.
        after = [call for at, call in came if at >= one["resumed_at"]]
        assert len(after) == len(set(after)) == len(calls) - one["kept"], moment
        assert one["kept_in_the_end"] == len(calls), moment
        replied = [
            call for at, call in mind.replied[one["model"]] if at < one["killed_at"] - UNDER_WAY
        ]
        assert not set(replied) & set(after), moment
        cut_short += bool(after)
    # Nearly all moments fell inside the work, so that there was something to go on with.
    assert cut_short >= MOMENTS * 3 // 4
