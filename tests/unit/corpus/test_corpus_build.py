"""Whole builds: the same result however they come about, and nothing half-done left in place."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import json
import lzma
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import corpus.pipeline
import corpus.sources.types
import corpus.staging
from corpus import Snapshot
from corpus.build import build_snapshot
from corpus.errors import InputError
from corpus.extract import Extracted
from corpus.finish import DANGLING, LONGEST_REDIRECT
from corpus.manifest import Manifest, staging_folder
from corpus.pool import InProcess
from corpus.sources.types import NEWER, OUTSIDE, Batch
from corpus.staging import STAGED
from corpus.verify import verify_snapshot
from tests.exports import Edit, articles, export, page, write_export
from tests.unit.corpus.test_corpus_exports import multistream

ROOT = Path(__file__).parents[3]
DATE = "2016-06-01"


def build(
    sources: Path | Sequence[Path], out: Path, *, workers: int = 0, date: str = DATE
) -> Manifest:
    files = [sources] if isinstance(sources, Path) else sources
    return build_snapshot(files, out, date=date, name="wiki", workers=workers)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def command(source: Path, out: Path, *more: str) -> list[str]:
    options = ["--date", DATE, "--out", str(out), "--name", "wiki"]
    return [sys.executable, "-m", "corpus", "build", str(source), *options, *more]


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """About five batches of articles with redirects between them."""
    pages = articles(range(1, 1000), 120)
    pages[::50] = [
        page(f"Redirect {number}", 5000 + number, f"#REDIRECT [[Article {number * 7 + 2}]]")
        for number in range(len(pages[::50]))
    ]
    path = tmp_path_factory.mktemp("wiki") / "wiki.xml.bz2"
    path.write_bytes(bz2.compress(export(*pages).encode()))
    return path


@pytest.fixture(scope="module")
def reference(wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("reference") / "snapshot"
    build(wiki, out)
    return out


def test_a_snapshot_holds_what_the_wiki_held(tmp_path: Path) -> None:
    pages = [
        page("Io", 1, Edit("Io is a '''moon'''.", "2014-01-01T00:00:00Z")),
        page("Jupiter I", 2, "#REDIRECT [[Io]]"),
        page("Later", 3, Edit("x", "2016-06-02T00:00:00Z")),
        page("Talk:Io", 4, "talk", ns=1),
        page("Template:Io", 5, "template", ns=10),
        page("Nowhere", 6, "#REDIRECT [[Missing]]"),
    ]
    manifest = build(write_export(tmp_path / "w.xml", *pages), tmp_path / "out")
    assert (manifest.articles, manifest.redirects, manifest.chunks) == (1, 1, 1)
    assert manifest.newest == "2014-01-01T00:00:00Z"
    assert manifest.skipped == {NEWER: 1, OUTSIDE: 2, DANGLING: 1}
    assert manifest.sources[0].name == "w.xml"
    assert not staging_folder(tmp_path / "out").exists()
    assert sorted(content(tmp_path / "out")) == ["articles.sqlite", "manifest.json"]
    with Snapshot.open(tmp_path / "out") as snapshot:
        article = snapshot.article("jupiter I")
        assert (article.text, article.redirects) == ("Io is a moon.", ("Jupiter I",))


@pytest.mark.parametrize("workers", [1, 3])
def test_any_number_of_workers_writes_the_same_bytes(
    wiki: Path, reference: Path, tmp_path: Path, workers: int
) -> None:
    build(wiki, tmp_path / "out", workers=workers)
    assert content(tmp_path / "out") == content(reference)


def test_a_build_killed_at_any_point_goes_on_to_the_same_bytes(
    wiki: Path, reference: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    moments = random.Random(7)
    kills = 0
    while not out.exists():
        process = subprocess.Popen(command(wiki, out, "--workers", "2"), cwd=ROOT)
        # Once something is stored, at a moment that no step of the build knows.
        stored = _stored(out)
        while process.poll() is None and _stored(out) <= stored:
            time.sleep(0.01)
        time.sleep(moments.uniform(0, 0.2))
        if process.poll() is None and kills < 6:
            process.kill()
            kills += 1
        assert process.wait() in (0, -signal.SIGKILL)
    assert kills >= 2
    assert content(out) == content(reference)


def _stored(out: Path) -> int:
    path = staging_folder(out) / STAGED
    with contextlib.suppress(sqlite3.Error):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return int(database.execute("SELECT COUNT(*) FROM done").fetchone()[0])
        finally:
            database.close()
    return 0


class _StoppedError(Exception):
    pass


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
    extract, run_here = InProcess.extract, corpus.pipeline._run_here
    extracted: list[int] = []

    def shuffled(sources, todo, worker):  # type: ignore[no-untyped-def]
        results = list(run_here(sources, todo, worker))
        order.shuffle(results)
        yield from results

    def counted(self: InProcess, source: int, batch: Batch) -> Extracted:
        extracted.append(batch.start)
        return extract(self, source, batch)

    add = corpus.staging.Staging.add
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus.pipeline, "_run_here", shuffled)
        patch.setattr(InProcess, "extract", counted)
        for step in steps:
            remaining = [step]

            def add_some(self, *rest):  # type: ignore[no-untyped-def]
                add(self, *rest)
                remaining[0] -= 1  # noqa: B023
                if not remaining[0]:  # noqa: B023
                    raise _StoppedError

            patch.setattr(corpus.staging.Staging, "add", add_some)
            with contextlib.suppress(_StoppedError):
                build(wiki, out)
            if out.exists():
                break
        patch.setattr(corpus.staging.Staging, "add", add)
        if not out.exists():
            before = len(extracted)
            done = _stored(out)
            build(wiki, out)
            # What was stored is not extracted again.
            batches = len({*extracted})
            assert len(extracted) - before == batches - done or done == 0
    assert content(out) == content(reference)


def test_a_multistream_dump_gives_the_same_articles(tmp_path: Path) -> None:
    path = multistream(tmp_path)
    one = build(path, tmp_path / "one", workers=2)
    plain = tmp_path / "plain.xml.bz2"
    shutil.copy(path, plain)
    other = build(plain, tmp_path / "other")
    assert one.articles == 15
    assert one.fingerprint == other.fingerprint
    assert {source.kind for source in (*one.sources, *other.sources)} == {
        "mediawiki_multistream",
        "mediawiki_xml",
    }


def test_of_several_sources_the_newest_revision_at_the_date_counts(tmp_path: Path) -> None:
    first = write_export(
        tmp_path / "a.xml",
        page("Io", 1, Edit("old", "2014-01-01T00:00:00Z")),
        page("Ra", 2, Edit("newest", "2016-01-01T00:00:00Z")),
        page("Was an article", 3, Edit("x", "2014-01-01T00:00:00Z")),
        page("Young", 4, Edit("right", "2014-01-01T00:00:00Z")),
    )
    second = write_export(
        tmp_path / "b.xml",
        page("Io", 1, Edit("newest", "2016-01-01T00:00:00Z")),
        page("Ra", 2, Edit("old", "2014-01-01T00:00:00Z")),
        page("Was an article", 3, Edit("#REDIRECT [[Io]]", "2016-01-01T00:00:00Z")),
        page("Young", 4, Edit("too new", "2017-01-01T00:00:00Z")),
    )
    manifests = [
        build(order, tmp_path / f"out{number}", workers=number)
        for number, order in enumerate(([first, second], [second, first]))
    ]
    assert len({manifest.fingerprint for manifest in manifests}) == 1
    # The page's newer revision was left out, the page was not.
    assert manifests[0].skipped == {}
    with Snapshot.open(tmp_path / "out0") as snapshot:
        texts = {article.revision.title: article.text for article in snapshot.articles()}
        assert texts == {"Io": "newest", "Ra": "newest", "Young": "right"}
        assert snapshot.article("Was an article").revision.title == "Io"


def test_sources_of_two_wikis_are_refused(tmp_path: Path) -> None:
    first = write_export(tmp_path / "a.xml", page("Io", 1, "x"))
    second = write_export(
        tmp_path / "b.xml", page("Io", 1, "x"), base="https://de.wikipedia.org/wiki/Haupt"
    )
    with pytest.raises(InputError, match=r"several wikis \(b.xml of de.wikipedia.org, a.xml of en"):
        build([first, second], tmp_path / "out")
    assert not staging_folder(tmp_path / "out").exists()


def test_chains_of_redirects_are_followed_and_loops_end(tmp_path: Path) -> None:
    chain = [
        page(f"R{number}", 10 + number, f"#REDIRECT [[R{number + 1}]]") for number in range(1, 8)
    ]
    pages = [
        page("Io", 1, "A moon."),
        *chain,
        page("R8", 18, "#REDIRECT [[io#Volcanoes]]"),
        page("L1", 21, "#REDIRECT [[L2]]"),
        page("L2", 22, "#REDIRECT [[L1]]"),
        page("Self", 23, "#REDIRECT [[Self]]"),
    ]
    manifest = build(write_export(tmp_path / "w.xml", *pages), tmp_path / "out")
    with Snapshot.open(tmp_path / "out") as snapshot:
        assert snapshot.article("Io").redirects == ("R4", "R5", "R6", "R7", "R8")
        assert snapshot.find("R3") is None
    assert manifest.redirects == LONGEST_REDIRECT
    assert manifest.skipped == {DANGLING: 3 + 3}


def test_a_page_that_a_source_holds_twice_is_stored_once(tmp_path: Path) -> None:
    new, old = Edit("new", "2015-01-01T00:00:00Z", 9), Edit("old", "2014-01-01T00:00:00Z", 8)
    for number, edits in enumerate(((new, old), (old, new))):
        path = write_export(tmp_path / "w.xml", *(page("Io", 1, edit) for edit in edits))
        assert build(path, tmp_path / f"out{number}").articles == 1
        with Snapshot.open(tmp_path / f"out{number}") as snapshot:
            assert snapshot.article("Io").text == "new"


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
    while not _stored(out):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said.startswith("corpus: interrupted; to go on: python -m corpus build ")
    assert f"--out '{out}'" in said
    assert said.count("\n") == 1
    assert not out.exists()
    assert build(wiki, out).articles == 979


def test_another_command_does_not_go_on_with_this_build(wiki: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _begin(wiki, out)
    with pytest.raises(InputError, match=r"another command began \(--date 2016-06-01 --lang en"):
        build(wiki, out, date="2016-06-02")
    assert _stored(out)
    with pytest.raises(InputError, match="was not finished: run the same"):
        Snapshot.open(out)


def _begin(source: Path, out: Path, batches: int = 2) -> None:
    """Build until some batches are stored, and break off."""
    add = corpus.staging.Staging.add
    left = [batches]

    def add_some(self, *rest):  # type: ignore[no-untyped-def]
        add(self, *rest)
        left[0] -= 1
        if not left[0]:
            raise _StoppedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus.staging.Staging, "add", add_some)
        with pytest.raises(_StoppedError):
            build(source, out)


def test_a_source_that_changed_meanwhile_is_read_anew(wiki: Path, tmp_path: Path) -> None:
    other = write_export(tmp_path / "other.xml", page("Other", 90001, "Another page."))
    copy = tmp_path / "wiki.xml.bz2"
    shutil.copy(wiki, copy)
    out = tmp_path / "out"
    _begin_both = [other, copy]
    add = corpus.staging.Staging.add
    seen: list[int] = []

    def add_some(self, source, *rest):  # type: ignore[no-untyped-def]
        add(self, source, *rest)
        seen.append(source)
        if len(seen) == 3:
            raise _StoppedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(corpus.staging.Staging, "add", add_some)
        with pytest.raises(_StoppedError):
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
        raise _StoppedError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"corpus.build.{step}", stop)
        with pytest.raises(_StoppedError):
            build(wiki, out)
    assert not out.exists()
    build(wiki, out)
    assert content(out) == content(reference)


@pytest.mark.parametrize("workers", [0, 2])
def test_a_cut_dump_leaves_nothing(wiki: Path, tmp_path: Path, workers: int) -> None:
    whole = bz2.decompress(wiki.read_bytes())
    for name, cut in (
        ("cut.xml.bz2", wiki.read_bytes()[:-5000]),
        ("cut.xml", whole[: len(whole) * 2 // 3]),
        ("cut.xml.gz", gzip.compress(whole, 1)[:-5000]),
        ("cut.xml.xz", lzma.compress(whole, preset=0)[:-5000]),
    ):
        path = tmp_path / name
        path.write_bytes(cut)
        with pytest.raises(InputError, match=rf"{name} is cut off or damaged") as caught:
            build(path, tmp_path / "out", workers=workers)
        assert "\n" not in str(caught.value)
        assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == []


def test_a_cut_dump_among_others_keeps_what_the_others_gave(wiki: Path, tmp_path: Path) -> None:
    whole = bz2.decompress(wiki.read_bytes())
    cut = tmp_path / "cut.xml"
    cut.write_bytes(whole[: len(whole) // 2])
    other = write_export(tmp_path / "other.xml", page("Other", 90001, "Another page."))
    with pytest.raises(InputError, match="cut off"):
        build([other, cut], tmp_path / "out")
    assert _stored(tmp_path / "out")
    cut.write_bytes(whole)
    assert build([other, cut], tmp_path / "out").articles == 980


def test_no_article_at_the_date_is_an_error(wiki: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no article as of 2001-01-01 .*999 newer than the date"):
        build(wiki, tmp_path / "out", date="2001-01-01")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("date", ["", "2016", "2016-6-1", "2016-02-30", "20160601", "tomorrow"])
def test_what_is_no_date_is_refused(wiki: Path, tmp_path: Path, date: str) -> None:
    with pytest.raises(InputError, match="write it as YYYY-MM-DD"):
        build(wiki, tmp_path / "out", date=date)


def test_a_folder_in_the_way_is_refused(wiki: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    for name in ("file", "full"):
        with pytest.raises(InputError, match="is in the way"):
            build(wiki, tmp_path / name)
    (tmp_path / "empty").mkdir()
    assert build(wiki, tmp_path / "empty").articles


def test_a_full_disk_is_one_line_and_the_build_goes_on_later(
    wiki: Path, reference: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), -1))\n"
        "from corpus.cli import main; main()\n"
    )
    final = (reference / "articles.sqlite").stat().st_size
    for limit in (final // 4, final - 20_000):
        arguments = command(wiki, out, "--workers", "1")[3:]
        done = subprocess.run(
            [sys.executable, "-c", program, str(limit), *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 2, done.stderr
        assert "free some space and run the same command again" in done.stderr
        assert done.stderr.count("\n") == 1
        assert not out.exists()
    build(wiki, out)
    assert content(out) == content(reference)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_folder_without_permission_is_one_line(wiki: Path, tmp_path: Path) -> None:
    # Root may write anywhere but where the kernel itself keeps the files.
    closed = Path("/sys") if os.geteuid() == 0 else tmp_path / "closed"
    if os.geteuid():
        closed.mkdir(mode=0o555)
    done = subprocess.run(
        command(wiki, closed / "out"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert re.search("choose a place you may write to|Read-only file system", done.stderr)
    assert done.stderr.count("\n") == 1


def test_the_result_is_proved(reference: Path) -> None:
    proof = verify_snapshot(reference)
    assert proof.faults == ()
    manifest = json.loads((reference / "manifest.json").read_text())
    assert manifest["fingerprint"] == proof.fingerprint
    assert "/" not in manifest["sources"][0]["name"]
