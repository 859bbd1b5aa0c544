"""Killed at any moment, a question goes on where it was, and no finished call is paid for twice."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path
from threading import Lock

from tests.fake_server import serving
from tests.fakes import Asked, FaithfulMind
from tests.integration.agent_in_forks import plan

MOMENTS = 20
LATENCY = 0.08
UNDER_WAY = 0.15
"""Seconds. A reply sent so shortly before the kill may not have been read when it came."""
ROOT = Path(__file__).parents[2]


class Recorded:
    """A mind that notes when it was asked what."""

    def __init__(self, mind: FaithfulMind) -> None:
        self.mind = mind
        self.asked: list[tuple[float, str]] = []
        self._lock = Lock()

    def __call__(self, asked: Asked) -> object:
        told = json.dumps([asked.form, asked.tools, [dict(one) for one in asked.messages]])
        with self._lock:
            self.asked.append((time.time(), hashlib.sha256(told.encode()).hexdigest()))
        return self.mind(asked)


def test_killed_at_twenty_moments_it_goes_on_without_repeating_a_finished_call(
    tmp_path: Path,
) -> None:
    mind = Recorded(FaithfulMind(plan=plan()))
    with serving(mind, latency=LATENCY) as server:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "tests.integration.agent_in_forks"),
                *(server.url, str(tmp_path), str(MOMENTS), "7"),
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
    assert len(killed) == MOMENTS
    cut_short = 0
    for one in killed:
        assert one["answer"] == whole["answer"], one["moment"]
        here = [asked for asked in mind.asked if one["begun"] <= asked[0] <= one["ended"]]
        replied: dict[str, float] = {}
        for at, call in here:
            if call in replied:
                assert replied[call] > one["killed_at"] - UNDER_WAY, one["moment"]
            replied.setdefault(call, at)
        cut_short += any(at > one["killed_at"] for at, _ in here)
    # Most moments fell inside the work, so that there was something to go on with.
    assert cut_short >= MOMENTS // 2
