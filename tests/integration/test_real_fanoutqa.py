"""FanOutQA as published in both editions, by the command line: run, cut off, gone on with, audited.

A part of what `bench/real_files.py` does with every file whole.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.cli import app
from evals.runs.folder import RunFolder
from tests.fake_server import serving
from tests.fakes import FaithfulMind

REAL = Path(__file__).parents[3] / "shared/data/fanoutqa"
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="../shared/data is absent")
UNKNOWN = "###TBD###"


def evals(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.stdout


def some_ids(file: Path) -> list[str]:
    """Questions of which some have evidence of an unknown revision, where the file has such."""
    items = json.loads(file.read_text(encoding="utf-8"))
    unknown = [item["id"] for item in items if UNKNOWN in json.dumps(item)]
    return [*unknown[:4], *[item["id"] for item in items if item["id"] not in unknown][:4]]


@pytest.mark.parametrize("split", ["dev", "test"])
@pytest.mark.parametrize(("suffix", "edition"), [("", "jul26"), ("-nov23", "nov23")])
def test_a_run_that_was_cut_off_goes_on(
    tmp_path: Path, split: str, suffix: str, edition: str
) -> None:
    file = REAL / f"fanout-final-{split}{suffix}.json"
    ids = some_ids(file)
    out = tmp_path / "run"
    with serving(FaithfulMind()) as server:
        command = ("run", "fanoutqa", "--data", file, "--split", split, "--ids", ",".join(ids),
                   "--setting", "closed", "--strategy", "baseline", "--model", "m",
                   "--base-url", server.url, "--out", out)  # fmt: skip
        evals(*command)
        folder = RunFolder.open(out)
        assert folder.record.config.edition == edition
        whole = folder.scores()
        assert len(whole) == len(ids)
        predictions = out / "predictions.jsonl"
        kept = predictions.read_bytes().splitlines(keepends=True)
        predictions.write_bytes(b"".join(kept[:3]) + kept[3][:100])
        evals(*command)
        assert len(server.requests) == len(ids)
    assert RunFolder.open(out).scores() == whole
    audited = json.loads(evals("audit", "fanoutqa", "--data", file, "--split", split, "--json"))
    undated = sum(bool(question["undated"]) for question in audited["questions"])
    assert undated == {("dev", "jul26"): 28, ("test", "jul26"): 101}.get((split, edition), 0)
    if split == "test":
        evals("export", out, "--format", "fanoutqa", "--context", 8192, "--function-calling", "no",
              "--out", tmp_path / "submission")  # fmt: skip
    else:
        assert {score.values["loose"] for score in whole.values()} >= {0.0}
