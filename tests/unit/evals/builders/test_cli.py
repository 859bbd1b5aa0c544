"""`python -m evals synth`: as a user types it."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from corpus.sample import sample_snapshot
from evals.builders.cli import synth
from evals.cli import main
from tests.fake_server import serving
from tests.fakes import Asked
from tests.unit.evals.builders.test_cqsyn import fill
from tests.unit.evals.made_sets import read


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """The exit code of a command line."""
    monkeypatch.setattr(sys, "argv", ["evals", "synth", *map(str, words)])
    for name in ("FANFOLD_MODEL", "FANFOLD_BASE_URL", "FANFOLD_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


FAST = ("--embedder", "none")


def test_the_three_builders_and_the_review(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "cofca"
    assert run(monkeypatch, "counterfactual", "--out", out, "--items", 2, *FAST, "--json") == 0
    captured = capsys.readouterr()
    summary = json.loads(captured.out)
    assert summary["items"] == 2
    assert "rules alone" in captured.err
    assert "--items 2" in (out / "card.md").read_text()

    out = tmp_path / "ccmor"
    assert run(monkeypatch, "fact-chains", "--out", out, "--items", 3, *FAST) == 0
    assert "3 items" in capsys.readouterr().out

    out = tmp_path / "cq"
    assert run(monkeypatch, "cq-syn", "--out", out, "--items", 2, *FAST) == 0
    assert run(monkeypatch, "review", out) == 2
    assert "is no rating" in capsys.readouterr().err
    fill(out / "review.csv", lambda number, n: 2 if number else n % 3)
    assert run(monkeypatch, "review", out, "--json") == 0
    assert json.loads(capsys.readouterr().out)["kept"] == 3
    fill(out / "review.csv", lambda *_: 2)
    assert run(monkeypatch, "review", out) == 0
    assert "kept 4, rejected 0, Fleiss' kappa undefined" in capsys.readouterr().out


def test_less_than_asked_for_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("fact-chains", "--out", tmp_path / "out", "--items", 50, "--hops", "6", *FAST)
    assert run(monkeypatch, *words) == 0
    told = capsys.readouterr().err
    assert re.search(r"\d of the 50 items wanted: the source gave \d+ to begin with", told)


def test_a_split_that_got_nothing_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("fact-chains", "--out", tmp_path / "out", "--items", 1, *FAST)
    assert run(monkeypatch, *words, "--splits", "dev=0.2,test=0.8") == 0
    assert "the split dev is empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("counterfactual", "--items", "1", "--hops", "2", "--seed", "0", "--splits", "all=1"),
        ("fact-chains", "--items", "2", "--hops", "3", "--breadth", "2"),
        ("cq-syn", "--items", "1"),
    ],
    ids=lambda words: str(words[0]),
)
def test_the_command_of_a_card_asks_for_the_same(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    snapshot = sample_snapshot("zh" if words[0] == "fact-chains" else "en")
    given = (*words, "--snapshot", snapshot, "--out", tmp_path / "a set", *FAST)
    assert run(monkeypatch, *given, "--concurrency", 2) == 0
    (line,) = re.findall(r"`(python -m evals synth .*)`", (tmp_path / "a set/card.md").read_text())
    command: Any = get_command(synth).commands[words[0]]  # type: ignore[attr-defined]

    def parsed(of: Sequence[object]) -> dict[str, Any]:
        return dict(command.make_context(words[0], [*map(str, of)]).params)

    assert parsed(shlex.split(line)[5:]) == parsed(given[1:])


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("counterfactual", "--hops", "2,x"), "--hops 'x'"),
        (("counterfactual", "--hops", "5"), "choose among 2, 3 and 4"),
        (("counterfactual", "--splits", "dev=2"), "add to 1"),
        (("fact-chains", "--seeds", "x.jsonl"), "add --model"),
        (("fact-chains", "--model", "m"), "add --seeds FILE"),
        (("cq-syn", "--types", "cause-and-effect"), "Cause_and_Effect needs a model"),
        (("cq-syn", "--model", "m"), "is checked by another model: name it with --verifier"),
        (("counterfactual", "--model", "m"), "another model: name it with --verifier"),
        (("fact-chains", "--seeds", "x", "--model", "m"), "name it with --verifier"),
        (("cq-syn", "--verifier", "m"), "name one with --model"),
    ],
)
def test_bad_usage_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    fault: str,
) -> None:
    assert run(monkeypatch, *words, "--out", tmp_path / "out", *FAST) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if "no model" not in line]
    assert len(lines) == 1
    assert fault in lines[0]


def test_models_are_named_and_their_prompts_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    (prompts / "cqsyn_filter.md").write_text("<!-- user -->\nIs $question one? $type\n")

    def mind(asked: Asked) -> object:
        return {
            "DesignReply": {"question": f"Who is {len(asked.text)}, and when?"},
            "FilterReply": {"reason": "", "of_type": True},
            "ReferenceReply": {"answer": "Then."},
        }[asked.form]

    with serving(mind) as server:
        words = ("cq-syn", "--out", tmp_path / "out", "--items", 1, *FAST)
        model = ("--model", "m", "--base-url", server.url, "--prompts", prompts)
        types = ("--types", "factual-statement")
        assert run(monkeypatch, *words, *model, *types, "--verifier", "judge") == 0
        checked = {r["model"] for r in server.requests if "Is <data" in str(r["messages"])}
    assert checked == {"judge"}
    assert len(read(tmp_path / "out/items.jsonl")) == 1
    card = (tmp_path / "out/card.md").read_text()
    assert "m (design, references), judge (verification)" in card
    assert "itself" not in card


def test_chains_of_models_from_seeds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.jsonl"
    seeds.write_text('{"question": "塔由谁建造？", "answer": "工匠子"}\n')
    yes = dict.fromkeys(
        [
            "answerable",
            "specific",
            "stable",
            "correct",
            "unique",
            "sequential",
            "natural",
            "harmless",
            "hidden",
        ],
        True,
    )

    def mind(asked: Asked) -> object:
        return {
            "SeedReply": {"reason": "", "domain": "社会", "clear": True, "fact_unit": True},
            "FollowUpsReply": {
                "follow_ups": [{"question": "工匠子生于哪一年？", "answers": ["618年"]}]
            },
            "StepVerdictReply": {"reason": "", **yes},
            "ComposedQuestionReply": {"question": "建造塔的人生于哪一年？"},
            "ChainVerdictReply": {"reason": "", **yes},
        }[asked.form]

    with serving(mind) as server:
        words = ("fact-chains", "--out", tmp_path / "out", "--items", 1, "--hops", 2, *FAST)
        model = ("--seeds", seeds, "--model", "a", "--base-url", server.url)
        assert run(monkeypatch, *words, *model, "--verifier", "a") == 0
        assert {r["model"] for r in server.requests} == {"a"}
    assert "a checked what it had written itself" in (tmp_path / "out/card.md").read_text()
    assert read(tmp_path / "out/ccmor.jsonl")[0]["answer"] == "618年"
