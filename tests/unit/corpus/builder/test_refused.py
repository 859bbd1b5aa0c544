"""What cannot be built from or to ends in one line and leaves nothing in place."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.errors import InputError
from tests.builds import ROOT, build, command, content, stored
from tests.exports import page, write_export


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
    assert stored(tmp_path / "out")
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
        # On a busy machine it is told before how far the reading came.
        *told, fault = done.stderr.splitlines()
        assert "free some space and run the same command again" in fault
        assert all(line.startswith("corpus: ") for line in told)
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
