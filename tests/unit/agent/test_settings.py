from __future__ import annotations

import json

import pytest

from agent.budget import Budget
from agent.graph.strategies import STRATEGIES
from agent.settings import STRATEGY_NAMES, Settings, check_question, check_settings
from corpus.errors import InputError


def test_every_strategy_named_stands_in_the_table() -> None:
    assert tuple(STRATEGIES) == STRATEGY_NAMES


def test_every_file_of_a_strategy_stands_in_the_table() -> None:
    from pathlib import Path

    import agent.graph.strategies

    folder = Path(agent.graph.strategies.__file__).parent
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert files == {name.replace("-", "_") for name in STRATEGIES}


def test_settings_survive_json() -> None:
    settings = Settings(
        setting="evidence", evidence=("Saturn",), budget=Budget(calls=5, seconds=1.5), k=3
    )
    assert Settings.from_json(json.loads(json.dumps(settings.to_json()))) == settings
    assert Settings.from_json({"k": 4, "of_a_later_version": 1}).k == 4


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (Settings(strategy="clever"), "choose baseline, query-definition"),  # type: ignore[arg-type]
        (Settings(setting="opne"), "choose closed, open, evidence"),  # type: ignore[arg-type]
        (Settings(style="brief"), "choose long, short"),  # type: ignore[arg-type]
        (Settings(tools="none"), "choose native, text, auto"),  # type: ignore[arg-type]
        (Settings(classify="all"), "choose batch, each"),  # type: ignore[arg-type]
        (Settings(snapshot="here", language="zh"), "leave --language out"),
        (Settings(k=0), "at least one hit"),
        (Settings(k=10**30), "at most 1000 hits"),
        (Settings(setting="evidence"), "--evidence TITLE"),
        (Settings(evidence=("Saturn",)), "add --setting evidence"),
        (Settings(context_limit=100), "512 or more"),
    ],
)
def test_what_cannot_be_run_is_refused_with_the_remedy(settings: Settings, words: str) -> None:
    with pytest.raises(InputError, match=words):
        check_settings(settings)


@pytest.mark.parametrize("question", ["", "  \n", "?!…", "x" * 100_000])
def test_what_is_no_question_is_refused_in_one_line(question: str) -> None:
    with pytest.raises(InputError) as caught:
        check_question(question)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_question_is_folded() -> None:
    assert check_question(" Which\n planets? ") == "Which planets?"


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="allows nothing"):
        Budget(calls=0)
