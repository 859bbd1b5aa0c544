"""Data sets made by rules from the embedded samples, for the tests of the builders."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agent.llm import open_model
from agent.prompted.templates import Prompts
from corpus.sample import sample_snapshot
from corpus.store import Snapshot
from evals.builders.counterfactual.builder import Options, make_counterfactual
from evals.builders.fact_chains import builder as chains
from evals.builders.folder import CALLS, SynthesisFolder
from evals.builders.writer import Writer
from evals.judges.verdict import PACKAGED
from tests.fake_server import FakeServer
from tests.fakes import Asked

Replies = Mapping[str, Callable[[Asked], object]]


def english() -> Snapshot:
    return Snapshot.open(sample_snapshot("en"))


def chinese() -> Snapshot:
    return Snapshot.open(sample_snapshot("zh"))


def make_cofca(out: Path, **options: Any) -> Path:
    """The counterfactual set of these options, duplicates told by text alone."""
    with SynthesisFolder.begin(out, {}) as folder:
        make_counterfactual(english(), folder, Options(**options))
    return out


def make_ccmor(out: Path, **options: Any) -> Path:
    """The fact chains of these options, duplicates told by text alone."""
    with SynthesisFolder.begin(out, {}) as folder:
        chains.make_chains(chinese(), folder, chains.Options(**options))
    return out


def read(path: Path) -> list[dict[str, Any]]:
    """Objects of a JSON or JSON Lines file."""
    text = path.read_text(encoding="utf-8")
    found: list[dict[str, Any]] = (
        json.loads(text)
        if text.startswith("[")
        else [json.loads(line) for line in text.splitlines()]
    )
    return found


def mind_of(replies: Replies) -> Callable[[Asked], object]:
    """A mind with a function for every form of reply."""
    return lambda asked: replies[asked.form](asked)


def writer(server: FakeServer, out: Path, name: str = "scripted", language: str = "en") -> Writer:
    model = open_model(name, server.url, cache=out / CALLS)
    return Writer(model, Prompts(language=language, packaged=PACKAGED), language)
