"""A printed command is read by the program's own parser, and asks for what it stands beside."""

from __future__ import annotations

import dataclasses
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from evals.cli import app
from evals.reports.provenance import commands_of, compare_command
from evals.runs.folder import RunFolder, RunRecord, Scoring, run_id
from evals.runs.matrix import variants
from evals.types import Jury
from tests.unit.evals.runs.test_folder import CONFIG

ASKED: list[tuple[str, ...]] = [
    ("fanoutqa", "--limit", "3"),
    ("fanoutqa", "--ids", "q-1,q 2", "--label", "ours; 8k"),
    ("fanoutqa", "--strategy", "e2e", "--mode", "dense", "--embedder", "e", "-k", "4", "--seed", "1"),
    ("cofca", "--option", "sub_questions=with", "--epochs", "3", "--limit", "2"),
    ("ccmor", "--setting", "closed", "--snapshot", "somewhere else"),
    ("subquestion", "--option", "plan=own", "--classify", "each", "--shots", "2"),
    (
        "fanoutqa", "--setting", "open", "--model", "m", "--base-url", "http://127.0.0.1:9/v1",
        "--prompting", "paper", "--context-limit", "4096", "--temperature", "0.5", "--tools", "text",
        "--max-calls", "9", "--max-tokens", "5000",
    ),
]  # fmt: skip


def parsed(*words: str) -> tuple[Any, dict[str, Any]]:
    command: Any = get_command(app).commands[words[0]].command  # type: ignore[attr-defined]
    return command, dict(command.make_context(words[0], list(words[1:])).params)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a command line of `evals run` asks of the runner."""
    for name in ("FANFOLD_MODEL", "FANFOLD_BASE_URL", "FANFOLD_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def of(words: tuple[str, ...]) -> tuple[Any, dict[str, Any]]:
        seen: list[tuple[Any, dict[str, Any]]] = []

        def note(config: Any, sources: Any, out: Path, *, ways: Any, **rest: Any) -> Any:
            (one,) = variants(config, ways).values()
            rest |= {"out": out, "data": sources.data, "snapshot": sources.snapshot}
            seen.append((one, rest))
            return iter(())

        monkeypatch.setattr("evals.runs.matrix.run_matrix", note)
        command, params = parsed(*words)
        command.callback(**params)
        return seen[0]

    return of


def record_of(config: Any, rest: dict[str, Any], base_url: str) -> RunRecord:
    """What the runner would keep of it."""
    ids = rest["ids"] or tuple(f"s{n}" for n in range(rest["limit"] or 9))
    return RunRecord(
        id=run_id(config), config=config, data=str(rest["data"]), sample_ids=ids, tool_version="0",
        snapshot={"folder": str(rest["snapshot"]), "embedded": rest["snapshot"] is None},
        label=rest["label"], selection="ids" if rest["ids"] else "first" if rest["limit"] else "all",
        base_url=base_url,
    )  # fmt: skip


@pytest.mark.parametrize("words", ASKED, ids=lambda words: " ".join(words[:3]))
def test_the_command_of_a_run_asks_for_the_same_run(words: tuple[str, ...], asked: Any) -> None:
    config, rest = asked(("run", *words, "--out", "runs/x y"))
    # As the runner pins it: a closed run draws on no snapshot, and tells none.
    searched = dataclasses.replace(
        config, snapshot="" if config.setting == "closed" else "fingerprint"
    )
    if not searched.snapshot:
        rest["snapshot"] = None
    base_url = words[words.index("--base-url") + 1] if "--base-url" in words else ""
    record = record_of(searched, rest, base_url)
    (line,) = commands_of([RunFolder(rest["out"], record)])
    program, module, name, *again = shlex.split(line)
    assert (program, module, name) == ("python", "-m", "evals")
    assert asked(tuple(again)) == (config, rest)


def test_imported_answers_and_judges_are_told(tmp_path: Path) -> None:
    options = {"answers_sha256": "0", "answered_only": True}
    config = dataclasses.replace(
        CONFIG, model="imported: Their RAG", snapshot="", setting="closed", options=options
    )
    record = RunRecord(
        id=run_id(config), config=config, data="d.json", snapshot={}, sample_ids=("a",),
        tool_version="0", answers="their answers.jsonl", system="big",
    )  # fmt: skip
    run = RunFolder.begin(tmp_path / "run", record)
    jury = Jury(models=("j", "k"), base_url="http://u:secret@h/v1", batch=3, temperature=0.25)
    run.replace_scores([], Scoring(judge="j", jury=jury))
    imported, scored = commands_of([run])
    _, params = parsed(*shlex.split(imported)[3:])
    assert {name: params[name] for name in ("system", "answered_only", "label")} == {
        "system": "big", "answered_only": True, "label": "Their RAG",
    }  # fmt: skip
    assert params["answers"] == Path("their answers.jsonl")
    assert params["out"] == run.path
    _, params = parsed(*shlex.split(scored)[3:])
    assert params["run_folder"] == run.path
    assert list(params["judge"]) == ["j", "k"]
    assert (params["judge_base_url"], params["coverage_batch"]) == ("http://h/v1", 3)
    assert params["temperature"] == 0.25
    assert "secret" not in scored


def test_a_comparison_tells_what_was_compared() -> None:
    line = compare_command(["a b", "c"], ["strict", "judge"], ["snapshot"])
    _, params = parsed(*shlex.split(line)[3:])
    assert list(params["run_folders"]) == [Path("a b"), Path("c")]
    assert list(params["metric"]) == ["strict", "judge"]
    assert list(params["allow"]) == ["snapshot"]


def test_a_run_from_python_is_told_as_a_call(tmp_path: Path) -> None:
    config = dataclasses.replace(CONFIG, model="imported: FirstPassage", options={})
    record = RunRecord(
        id=run_id(config), config=config, data="d.json", snapshot={}, sample_ids=("a", "b"),
        tool_version="0", selection="first",
    )  # fmt: skip
    call, scored = commands_of([RunFolder(tmp_path / "run", record)])
    assert call.startswith("evals.run('fanoutqa', SYSTEM, ")
    assert "name='FirstPassage'" in call
    assert "limit=2" in call
    assert scored.startswith("python -m evals score ")


def test_more_of_the_data_joins_what_was_asked_before(tmp_path: Path) -> None:
    def begin(ids: tuple[str, ...], selection: Any) -> RunRecord:
        record = RunRecord(
            id=run_id(CONFIG), config=CONFIG, data="d", snapshot={}, sample_ids=ids,
            tool_version="0", selection=selection,
        )  # fmt: skip
        return RunFolder.begin(tmp_path / "run", record).record

    begin(("a",), "first")
    assert begin(("a", "b"), "first").selection == "first"
    assert begin(("d",), "ids").selection == "ids"
    assert begin(("a", "b", "c", "d"), "all").selection == "all"
    assert begin(("a",), "first").selection == "all"
