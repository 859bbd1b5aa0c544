"""Builds that are killed, interrupted, started twice or broken off: nothing is lost, nothing half-done stays."""

from __future__ import annotations

import bz2
import contextlib
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import corpus.builder.pipeline
import corpus.builder.staging
import corpus.sources.types
from corpus import Snapshot
from corpus.builder.extraction import Extracted
from corpus.builder.pool import InProcess
from corpus.builder.staging import STAGED
from corpus.errors import InputError
from corpus.sources.types import Batch
from corpus.storage.manifest import staging_folder
from tests.builds import ROOT, StoppedError, begin, build, command, content, stored
from tests.exports import articles, export, page, write_export


def test_a_build_killed_at_any_point_goes_on_to_the_same_bytes(
    wiki: Path, reference: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    moments = random.Random(7)
    kills = 0
    while not out.exists():
        process = subprocess.Popen(command(wiki, out, "--workers", "2"), cwd=ROOT)
        # Once something is stored, at a moment that no step of the build knows.
        before = stored(out)
        while process.poll() is None and stored(out) <= before:
            time.sleep(0.03)
        time.sleep(moments.uniform(0, 0.2))
        if process.poll() is None and kills < 4:
            process.kill()
            kills += 1
        assert process.wait() in (0, -signal.SIGKILL)
    assert kills >= 2
    assert content(out) == content(reference)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_interrupted_anywhere_and_resumed_the_bytes_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: st.DataObject
) -> None:
    """What is interrupted here is the order of work, which several workers shuffle."""
    monkeypatch.setattr(corpus.sources.types, "BATCH_BYTES", 2_000)
    out, reference, wiki = tmp_path / "out", tmp_path / "reference", tmp_path / "wiki.xml"
    if not reference.exists():
        pages = [*articles(range(1, 20)), page("R", 99, "#REDIRECT [[Article 3]]")]
        build(write_export(wiki, *pages), reference)
    for left in (out, staging_folder(out)):
        shutil.rmtree(left, ignore_errors=True)
    steps = data.draw(st.lists(st.integers(1, 9), max_size=4))
    order = random.Random(data.draw(st.integers(0, 1000)))
    extract, run_here = InProcess.extract, corpus.builder.pipeline._run_here
    extracted: list[int] = []

    def shuffled(sources, todo, worker):  # type: ignore[no-untyped-def]
        results = list(run_here(sources, todo, worker))
        order.shuffle(results)
        yield from results

    def counted(self: InProcess, source: int, batch: Batch) -> Extracted:
        extracted.append(batch.start)
        return extract(self, source, batch)

    add = corpus.builder.staging.Staging.add
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus.builder.pipeline, "_run_here", shuffled)
        patch.setattr(InProcess, "extract", counted)
        for step in steps:
            remaining = [step]

            def add_some(self, *rest):  # type: ignore[no-untyped-def]
                add(self, *rest)
                remaining[0] -= 1  # noqa: B023
                if not remaining[0]:  # noqa: B023
                    raise StoppedError

            patch.setattr(corpus.builder.staging.Staging, "add", add_some)
            with contextlib.suppress(StoppedError):
                build(wiki, out)
            if out.exists():
                break
        patch.setattr(corpus.builder.staging.Staging, "add", add)
        if not out.exists():
            before = len(extracted)
            done = stored(out)
            build(wiki, out)
            # What was stored is not extracted again.
            batches = len({*extracted})
            assert len(extracted) - before == batches - done or done == 0
    assert content(out) == content(reference)


def test_two_builds_into_one_folder_are_refused(wiki: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = subprocess.Popen(command(wiki, out, "--workers", "1"), cwd=ROOT)
    try:
        while not (staging_folder(out) / STAGED).exists():
            time.sleep(0.005)
        process.send_signal(signal.SIGSTOP)
        with pytest.raises(InputError, match="another process is building"):
            build(wiki, out)
    finally:
        process.send_signal(signal.SIGCONT)
        assert process.wait() == 0
    with pytest.raises(InputError, match="holds a snapshot already"):
        build(wiki, out)


def test_ctrl_c_says_how_to_go_on_and_leaves_no_process(wiki: Path, tmp_path: Path) -> None:
    out = tmp_path / "a folder" / "out"
    process = subprocess.Popen(
        command(wiki, out, "--workers", "2"), cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    while not stored(out):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    # On a busy machine it is told before how far the reading came.
    *told, last = said.splitlines()
    assert last.startswith("corpus: interrupted; to go on: python -m corpus build ")
    assert f"--out '{out}'" in last
    assert all(line.startswith("corpus: ") for line in told)
    assert not out.exists()
    assert build(wiki, out).articles == 979


def test_another_command_does_not_go_on_with_this_build(wiki: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    begin(wiki, out)
    with pytest.raises(InputError, match=r"another command began \(--date 2016-06-01 --lang en"):
        build(wiki, out, date="2016-06-02")
    assert stored(out)
    with pytest.raises(InputError, match="was not finished: run the same"):
        Snapshot.open(out)


def test_a_source_that_changed_meanwhile_is_read_anew(wiki: Path, tmp_path: Path) -> None:
    other = write_export(tmp_path / "other.xml", page("Other", 90001, "Another page."))
    copy = tmp_path / "wiki.xml.bz2"
    shutil.copy(wiki, copy)
    out = tmp_path / "out"
    _begin_both = [other, copy]
    add = corpus.builder.staging.Staging.add
    seen: list[int] = []

    def add_some(self, source, *rest):  # type: ignore[no-untyped-def]
        add(self, source, *rest)
        seen.append(source)
        if len(seen) == 3:
            raise StoppedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus.builder.staging.Staging, "add", add_some)
        with pytest.raises(StoppedError):
            build(_begin_both, out)
    copy.write_bytes(bz2.compress(export(page("Only", 1, "All there is now.")).encode()))
    assert build(_begin_both, out).articles == 2
    with Snapshot.open(out) as snapshot:
        assert sorted(snapshot.titles()) == ["Only", "Other"]


@pytest.mark.parametrize("step", ["write_manifest", "_put_in_place", "finish_store"])
def test_broken_off_in_the_last_steps_it_still_goes_on(
    wiki: Path, reference: Path, tmp_path: Path, step: str
) -> None:
    out = tmp_path / "out"

    def stop(*_: object) -> None:
        raise StoppedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"corpus.builder.snapshot.{step}", stop)
        with pytest.raises(StoppedError):
            build(wiki, out)
    assert not out.exists()
    build(wiki, out)
    assert content(out) == content(reference)
