"""What the commands of `evals synth` share: the folder, the models, the embedder, the last line."""

from __future__ import annotations

import json
import shlex
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from corpus.errors import InputError
from corpus.progress import unseen
from corpus.terminal import say, waiting
from evals.options import endpoint_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from evals.builders.folder import SynthesisFolder
    from evals.builders.pipeline import Outcome
    from evals.builders.types import Item, Rejected
    from evals.builders.writer import Writer
    from evals.types import Json
    from retrieval.types import Embedder


REJECTED = "rejected.jsonl"
_MOST_REASONS = 4
_UNTOLD = ("as_json", "concurrency")


def begin_folder(
    out: Path,
    builder: str,
    config: dict[str, str | int],
    fingerprint: str,
    models: str,
    prompts: Path | None,
) -> SynthesisFolder:
    """Return the folder of a data set of these options, locked.

    Raises:
        InputError: it holds something else, or another process works in it.
    """
    from corpus.storage.manifest import TOOL_VERSION
    from evals.builders.folder import SynthesisFolder

    whole: dict[str, Json] = {
        "builder": builder,
        **config,
        "snapshot": fingerprint,
        "models": models,
        "prompts": str(prompts or ""),
        "tool_version": TOOL_VERSION,
    }
    return SynthesisFolder.begin(out, whole)


def told_of() -> AbstractContextManager[None]:
    """Say what is under way while items are made, where no bar can be drawn."""
    return waiting(lambda: "evals: items are made") if unseen() else nullcontext()


def command_of(context: typer.Context) -> str:
    """Return the command that makes the same data set, for its card: every option that has a value.

    What changes no item (how many at once, how the outcome is printed) is left out.
    """
    words = ["python", "-m", "evals", "synth", str(context.info_name)]
    for option in context.command.params:
        value = context.params.get(str(option.name))
        several = value if isinstance(value, list | tuple) else (value,)
        if option.name in _UNTOLD:
            continue
        for one in several:
            words += [option.opts[0], str(one)] if one not in (None, "") else []
    return shlex.join(words)


def verifier_of(writers: Sequence[str], verifier: str) -> str:
    """Return the model that checks what others wrote; "" where rules alone make the items.

    Raises:
        InputError: models write and none is named to check, or one checks and none writes.
    """
    written = [name for name in writers if name]
    if verifier and not written:
        raise InputError("--verifier checks what a model wrote: name one with --model")
    if written and not verifier:
        raise InputError(
            f"what {written[-1]} writes is checked by another model: name it with --verifier "
            f"(--verifier {written[-1]} lets it check itself, which the card then says)"
        )
    return verifier


def embedder_of(name: str) -> Embedder | None:
    """Return the embedder named; None for "none"."""
    if name == "none":
        return None
    from retrieval.dense.embedders import shared_embedder

    return shared_embedder(name)


def open_writers(
    folder: SynthesisFolder,
    models: Sequence[str],
    base_url: str,
    prompts: Path | None,
    language: str = "en",
) -> list[Writer]:
    """Return a writer for every model named; their calls are kept in the folder."""
    from agent.prompted.templates import Prompts
    from evals.builders.folder import CALLS
    from evals.builders.writer import Writer
    from evals.judges.verdict import PACKAGED

    if not any(models):
        say("evals: no model named, rules alone make the items")
        return []
    shown = Prompts(prompts, language, packaged=PACKAGED)
    endpoints = [endpoint_of(model, base_url) for model in models]
    return [Writer(e.open(folder.path / CALLS), shown, language) for e in endpoints if e]


def report_made(
    folder: SynthesisFolder, outcome: Outcome[Item], wanted: int, as_json: bool
) -> None:
    """Print what was made, and say where it is less than was asked for."""
    from evals.builders.splits import parse_shares

    made, rejected = len(outcome.items), len(outcome.rejected)
    if as_json:
        kinds: dict[str, int] = {}
        for item in outcome.items:
            kinds[item.kind] = kinds.get(item.kind, 0) + 1
        summary = {"out": str(folder.path), "items": made, "kinds": kinds, "rejected": rejected}
        typer.echo(json.dumps(summary, ensure_ascii=False))
    else:
        typer.echo(f"{told(made, outcome.rejected)}: {folder.path / 'card.md'}")
    for split in parse_shares(str(folder.config["splits"])):
        if made and not any(item.split == split for item in outcome.items):
            say(
                f"evals: the split {split} is empty: an item goes where its articles went, and of "
                f"{made} there was none for its share; more --items fill it"
            )
    if made < wanted:
        named = f"; {REJECTED} names each" if rejected else ""
        say(f"evals: {made} of the {wanted} items wanted: {why_fewer(outcome)}{named}")


def told(made: int, rejected: Sequence[Rejected[Item]]) -> str:
    """Return how many items were made, how many failed a check, and how many were not needed."""
    from agent.budget import counted
    from evals.builders.splits import TOO_MANY

    spare = sum(one.reason == TOO_MANY for one in rejected)
    failed = f"{counted(len(rejected) - spare, 'candidate')} rejected by a check"
    return ", ".join(
        [counted(made, "item"), failed, *([f"{spare} more than asked for"] if spare else [])]
    )


def why_fewer(outcome: Outcome[Item]) -> str:
    """Return where the items went: how many were begun, and what most of the others failed by."""
    from evals.builders.datacard import reasons_of

    begun = outcome.counts[0][1] if outcome.counts else 0
    # A check is named by what it demands, the other stages' reasons by what was wrong.
    reasons = [f"{count} at {stage} ({reason})" for stage, reason, count in reasons_of(outcome)]
    others = f"; and {len(reasons) - _MOST_REASONS} more reasons" if reasons[_MOST_REASONS:] else ""
    lost = "; ".join(reasons[:_MOST_REASONS]) + others
    return f"the source gave {begun} to begin with" + (f"; lost were {lost}" if lost else "")
