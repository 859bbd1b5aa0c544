"""A run killed again and again loses nothing, asks nothing twice and ends with the same scores."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from threading import Lock

from corpus.sample import sample_snapshot
from evals.runs.folder import RunFolder
from retrieval.index import ensure_built
from tests.fake_server import serving
from tests.fakes import Asked, FaithfulMind
from tests.integration.evals_in_forks import QUESTIONS, STRATEGIES

ROUNDS = 1
KILLS = 30
LATENCY = 0.02
UNDER_WAY = 0.5
"""Seconds. A reply sent so shortly before the kill may not have been stored when it came."""
ROOT = Path(__file__).parents[2]


class Recorded:
    """A mind that notes when it was asked what."""

    def __init__(self) -> None:
        self.mind = FaithfulMind()
        self.asked: list[tuple[float, str]] = []
        self._lock = Lock()

    def __call__(self, asked: Asked) -> object:
        told = json.dumps([asked.form, asked.tools, [dict(one) for one in asked.messages]])
        with self._lock:
            self.asked.append((time.time(), hashlib.sha256(told.encode()).hexdigest()))
        return self.mind(asked)


def outcome(out: Path) -> dict[str, object]:
    """What a whole run of both strategies came to, without times."""
    found: dict[str, object] = {}
    for strategy in STRATEGIES:
        folder = RunFolder.open(out / f"{strategy}-open")
        records = list(folder.predictions_file)
        assert Counter(p.sample_id for p in records if p.error is None) == Counter(
            folder.record.sample_ids
        )
        assert [p.error for p in records if p.error is not None] == []
        assert len(records) == QUESTIONS
        for p in records:
            assert p.response is not None
            found[f"{strategy} {p.sample_id}"] = (p.response.text, p.usage.calls)
        found[f"{strategy} scores"] = folder.scores()
    return found


def test_killed_at_thirty_moments_a_run_repeats_no_call_and_scores_the_same(
    tmp_path: Path,
) -> None:
    mind = Recorded()
    # A snapshot of its own: another process may index the shared one meanwhile. Its index is of
    # words alone, as every process would load the embedding model anew.
    built = sample_snapshot("en")
    ensure_built(built, "bm25")
    snapshot = tmp_path / "snapshot"
    shutil.copytree(built, snapshot, ignore=shutil.ignore_patterns("dense*"))
    with serving(mind, latency=LATENCY) as server:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "tests.integration.evals_in_forks"),
                *(server.url, str(tmp_path), str(snapshot), str(ROUNDS), str(KILLS), "11"),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    whole, *rounds = [json.loads(line) for line in done.stdout.splitlines()]
    expected = outcome(Path(whole["out"]))
    calls = [call for at, call in mind.asked if whole["begun"] <= at <= whole["ended"]]
    assert len(calls) == len(set(calls)) >= 3 * QUESTIONS
    kills = inside = 0
    for one in rounds:
        assert one["whole"], done.stderr[-3000:]
        assert outcome(Path(one["out"])) == expected
        first: dict[str, float] = {}
        last = 0.0
        for at, call in mind.asked:
            if not one["begun"] <= at <= one["ended"]:
                continue
            last = max(last, at)
            if call in first:
                # Asked again only where a kill fell between its sending and its keeping.
                # The server may take up what a process had sent before it died a little later.
                near = [k for k in one["kills"] if abs(k - first[call]) < UNDER_WAY and k <= at]
                assert near, "a finished call was asked again"
            first[call] = at
        assert set(first) == set(calls)
        kills += len(one["kills"])
        inside += sum(kill < last for kill in one["kills"])
    # Most moments fell inside the work, so that there was something to go on with.
    assert kills >= ROUNDS * KILLS * 0.8
    assert inside >= kills * 0.6
