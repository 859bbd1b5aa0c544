"""What `evals audit` says of gold strings that stand nowhere."""

from __future__ import annotations

from evals.commands.audit import _why_absent
from evals.reports.audit import Audit, Newer


def of(*, newer: bool) -> Audit:
    told = (Newer(title="Orv", gold_rev_id=2, rev_id=1),) if newer else ()
    return Audit(id="a", question="?", missing=(), newer=told, undated=(), absent=())


def test_an_older_snapshot_is_no_fault_of_the_gold() -> None:
    assert _why_absent([of(newer=False)] * 2) == "2: stale or mistaken"
    older = _why_absent([of(newer=True), of(newer=False)])
    assert older == "2: 1 where the gold is newer than the snapshot; 1 stale or mistaken"
    assert _why_absent([of(newer=True)]) == "1: 1 where the gold is newer than the snapshot"
