"""How model servers fail: each way as a fault of the fake server, and a share of calls that do."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tests.fake_server import Misbehaviour, Trouble


def reply_of(content: str) -> Misbehaviour:
    """A reply of status 200 that says this."""
    message = {"role": "assistant", "content": content}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return Misbehaviour(body=json.dumps({"choices": [choice]}))


KINDS: Mapping[str, Sequence[Misbehaviour]] = {
    "429": [Misbehaviour(status=429, headers={"retry-after": "0.02"}), Misbehaviour(status=429)],
    "5xx": [
        Misbehaviour(status=500, body="<html>Internal Server Error</html>"),
        Misbehaviour(status=503, headers={"retry-after": "0"}),
    ],
    "cut connection": [Misbehaviour(cut=True, body="x" * 300)],
    "time-out": [Misbehaviour(stall=30)],
    "broken JSON": [
        Misbehaviour(body='{"choices": [{"index": 0, "mess'),
        reply_of('{"sub_questions": [{"id": "1", "que'),
        reply_of('{"verdict": "yes", "sub_questions": 3}'),
        reply_of("I am sorry, here is what you asked for:"),
    ],
    "cut-off reply": [Misbehaviour(spoken=share) for share in (0.1, 0.5, 0.9)],
    "empty body": [Misbehaviour(body=""), reply_of("")],
}


def failing_at_random(
    seed: int,
    share: float,
    kinds: Sequence[str] = ("429", "5xx", "cut connection", "time-out", "broken JSON"),
    counts: Counter[str] | None = None,
) -> Trouble:
    """Fail a share of the calls; which ones hangs on what is asked and how often, not on when.

    Args:
        seed: of which calls fail, and how.
        share: of the calls, from 0 to 1.
        kinds: of failures; all equally likely.
        counts: gets the number of failures of each kind.
    """
    times: Counter[str] = Counter()

    def trouble(_: int, request: Mapping[str, Any]) -> Misbehaviour | None:
        asked = json.dumps(request, sort_keys=True)
        times[asked] += 1
        chance = random.Random(f"{seed} {times[asked]} {asked}")
        if chance.random() >= share:
            return None
        kind = chance.choice(kinds)
        if counts is not None:
            counts[kind] += 1
        return chance.choice(KINDS[kind])

    return trouble
