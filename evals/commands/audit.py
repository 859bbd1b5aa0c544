"""`evals audit`: gold answers that a snapshot cannot give."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from corpus.errors import InputError
from corpus.options import AsJson, names_of
from corpus.terminal import waiting
from evals.datafiles import SAMPLE_DATA
from evals.options import BenchmarkArgument, Data, Edition, Ids, Limit, Split

if TYPE_CHECKING:
    from evals.reports.audit import Audit

SHOWN = 20


@waiting(lambda: "evals: the articles are read")
def audit_command(
    benchmark: BenchmarkArgument,
    snapshot: Annotated[
        Path | None, typer.Option(metavar="DIR", help="the embedded sample by default")
    ] = None,
    data: Data = SAMPLE_DATA,
    split: Split = "",
    edition: Edition = "",
    limit: Limit = None,
    ids: Ids = "",
    as_json: AsJson = False,
) -> None:
    """Find gold answers that a snapshot's own articles do not contain, and missing articles."""
    from evals.reports.audit import audit
    from evals.runs.samples import choose_edition, choose_split, find_benchmark, load_samples
    from evals.runs.sources import open_snapshot

    chosen = find_benchmark(benchmark)
    split = choose_split(chosen, data, split)
    edition = choose_edition(chosen, data, split, edition)
    samples = load_samples(chosen, data, split, edition, limit=limit, ids=names_of(ids))
    if not any(one.evidence for one in samples):
        raise InputError(f"{data}: no question of {chosen.name} names articles to look in")
    with open_snapshot(snapshot, chosen.language) as opened:
        audits = list(audit(samples, opened))
        name = f"{opened.manifest.name} ({opened.manifest.date})"
    if as_json:
        typer.echo(json.dumps(_as_json(audits, edition, name), ensure_ascii=False))
    else:
        _print(audits, chosen.name, edition, name)


def _as_json(audits: Sequence[Audit], edition: str, snapshot: str) -> dict[str, object]:
    return {
        "edition": edition,
        "snapshot": snapshot,
        "n": len(audits),
        "answerable": sum(one.answerable for one in audits),
        "questions": [{**asdict(one), "answerable": one.answerable} for one in audits],
    }


def _why_absent(audits: Sequence[Audit]) -> str:
    """Return how many strings are absent, and how many of these for the snapshot's age alone."""
    older = sum(bool(one.newer) for one in audits)
    if not older:
        return f"{len(audits)}: stale or mistaken"
    others = f"; {len(audits) - older} stale or mistaken" if older < len(audits) else ""
    return f"{len(audits)}: {older} where the gold is newer than the snapshot{others}"


def _print(audits: Sequence[Audit], benchmark: str, edition: str, snapshot: str) -> None:
    strings = [(one, absent) for one in audits for absent in one.absent]
    stale = [(one, absent) for one, absent in strings if not absent.computable]
    lines = [
        f"{benchmark} ({edition}) on {snapshot}: {len(audits)} questions",
        f"  answerable as far as strings tell   {sum(one.answerable for one in audits)}",
        f"  with articles missing               {sum(bool(one.missing) for one in audits)}",
        f"  with gold newer than the snapshot   {sum(bool(one.newer) for one in audits)}",
        f"  with gold of an unknown revision    {sum(bool(one.undated) for one in audits)}",
        f"  gold strings in no article          {_why_absent([one for one, _ in stale])}",
        f"  numbers, yes and no in no article   {len(strings) - len(stale)}: computed, or stale",
    ]
    lines += [
        f"  {one.id} step {absent.step}: {absent.text!r} stands in none of its articles"
        + (", of which the gold used a newer revision" if one.newer else "")
        for one, absent in stale[:SHOWN]
    ]
    lines += [
        f"  {one.id}: article missing: {', '.join(one.missing)}"
        for one in [one for one in audits if one.missing][:SHOWN]
    ]
    if len(stale) > SHOWN or sum(bool(one.missing) for one in audits) > SHOWN:
        lines.append("  … --json gives them all")
    typer.echo("\n".join(lines))
