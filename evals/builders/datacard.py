"""The data card: what is in a data set, how it was made, what is known to be wrong with it."""

from __future__ import annotations

import platform
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from corpus.storage.manifest import TOOL_VERSION, Manifest
from evals.builders.pipeline import Outcome
from evals.builders.types import Item

VERIFICATION = "verification"
"""The part of the model that checks what others wrote."""
_PACKAGES = ("numpy", "pydantic", "simplemma")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFacts:
    """What a builder adds to its card."""

    title: str
    what: str
    """One paragraph."""
    files: Mapping[str, str]
    """File to what it holds."""
    command: str
    """What makes the same data set again."""
    seed: int
    models: Mapping[str, str]
    """Part to model; empty where rules alone worked."""
    embedder: str
    known_faults: Sequence[str]
    """With their counts where they were counted."""
    measured: Sequence[str] = ()
    """A sentence for each figure of these very items."""


def write_card(facts: CardFacts, outcome: Outcome[Item], manifest: Manifest | None) -> str:
    """Return the card, in Markdown."""
    items, rejected = outcome.items, outcome.rejected
    splits = sorted({item.split for item in items if item.split})
    kinds = sorted({item.kind for item in items})
    counts = Counter((item.kind, item.split) for item in items)
    lines = [
        f"# {facts.title}",
        "",
        facts.what,
        "",
        f"{len(items)} items, {len(rejected)} rejected.",
        "",
        *_table(
            ("kind", *splits, "all"),
            [
                (kind, *(counts[kind, s] for s in splits), sum(i.kind == kind for i in items))
                for kind in kinds
            ],
        ),
        "Splits share no source article." if splits else "",
        "",
        *(
            ["## Measured", "", *(f"- {one}" for one in facts.measured), ""]
            if facts.measured
            else []
        ),
        "## Files",
        "",
        *_table(("file", "holds"), list(facts.files.items())),
        "## Source and licence",
        "",
        *_source(manifest),
        "",
        "## How it was made",
        "",
        *_table(("stage", "kept", "rejected"), list(outcome.counts)),
        f"Seed {facts.seed}. The same command makes the same items: `{facts.command}`",
        "",
        "Written and checked by "
        + (", ".join(f"{m} ({part})" for part, m in facts.models.items()) or "rules alone")
        + f"; duplicates found by normalised text and {facts.embedder or 'nothing else'}.",
        "",
        f"fanfold {TOOL_VERSION}, Python {'.'.join(map(str, sys.version_info[:3]))} "
        f"({platform.system()}), {_versions(_PACKAGES)}.",
        "",
        "## Rejected",
        "",
        *(_table(("stage", "reason", "items"), reasons_of(outcome)) or ["None.", ""]),
        "## Known faults",
        "",
        *(f"- {fault}" for fault in (*facts.known_faults, *_unchecked(facts.models))),
        "",
    ]
    return "\n".join(lines)


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    if not rows:
        return []
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines] + [""]


def _source(manifest: Manifest | None) -> list[str]:
    if manifest is None:
        return ["Made from a file of seeds; its licence holds for what was taken from it."]
    return [
        f"Snapshot {manifest.name} ({manifest.language}) of {manifest.date}, "
        f"{manifest.articles} articles, fingerprint `{manifest.fingerprint}`.",
        "",
        "Text from Wikipedia is under CC BY-SA 4.0: pass items on under the same licence and name the "
        "articles, which every item's `articles` and `provenance.chunks` do. The embedded sample is "
        "under fanfold's own licence.",
    ]


def _unchecked(models: Mapping[str, str]) -> list[str]:
    """Return what to know of a model that checked what it had written itself."""
    checking = models.get(VERIFICATION)
    writing = {model for part, model in models.items() if part != VERIFICATION}
    if checking not in writing:
        return []
    return [f"{checking} checked what it had written itself: another model may find more."]


def _versions(packages: Iterable[str]) -> str:
    return ", ".join(f"{package} {version(package)}" for package in packages)


def reasons_of(outcome: Outcome[Item]) -> list[tuple[str, str, int]]:
    """Return why items were rejected, the commonest reason first: stage, reason, how many.

    What a reason says of its own item is left out of it.
    """
    counts = Counter((r.stage, r.reason.partition(": ")[0]) for r in outcome.rejected)
    counted = Counter[tuple[str, str]]()
    for (stage, reason), count in counts.items():
        general = reason.partition(" as ")[0] if stage == "duplicates" else reason
        counted[stage, general] += count
    return [(stage, reason, count) for (stage, reason), count in counted.most_common()]
