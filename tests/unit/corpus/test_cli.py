from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from corpus import cli
from tests.exports import Edit, page, write_export
from tests.mediawiki_server import Wiki, serving
from tests.unit.corpus.builder.test_download import CONTENT, Server

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Ended:
    code: object
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on standard output."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)


Run = Callable[..., Ended]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def ended(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["corpus", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            cli.main()
        captured = capsys.readouterr()
        return Ended(end.value.code, captured.out, captured.err)

    return ended


@pytest.fixture
def two(tmp_path: Path, run: Run) -> tuple[Path, Path]:
    """Snapshots of two dates of one history."""
    history = (
        Edit("Io is a moon.", "2014-01-01T00:00:00Z"),
        Edit("Io spews.", "2016-01-01T00:00:00Z"),
    )
    pages = [
        page("Io", 1, *history),
        page("Jupiter I", 2, "#REDIRECT [[Io]]"),
        *(
            page(f"New {number}", number, Edit("x", "2016-01-01T00:00:00Z"))
            for number in range(3, 33)
        ),
    ]
    export = write_export(tmp_path / "w.xml", *pages)
    for name, date in (("old", "2015-06-01"), ("new", "2016-06-01")):
        done = run("build", export, "--date", date, "--out", tmp_path / name, "--workers", 1)
        assert (done.code, done.out) == (0, "")
    return tmp_path / "old", tmp_path / "new"


def test_a_build_says_what_it_made(tmp_path: Path, run: Run) -> None:
    export = write_export(
        tmp_path / "w.xml", page("Io", 1, "A moon."), page("Talk:Io", 2, "x", ns=1)
    )
    done = run("build", export, "--date", "2016-06-01", "--out", tmp_path / "s", "--name", "Moons")
    assert done == Ended(
        0,
        "",
        "corpus: the snapshot will be as of 2016-06-01 at most: w.xml does not say when it was made,"
        " so that its newest revision tells\n"
        f"corpus: {tmp_path / 's'}: 1 articles, 0 redirects, 1 chunks as of 2015-03-01\n"
        "corpus: warning: as of 2015-03-01, not of 2016-06-01 as asked:"
        " w.xml vouches for 2015-03-01 (by its newest revision)\n"
        "corpus: left out: 1 × outside the article namespace\n",
    )
    assert run("info", tmp_path / "s", "--json").json["name"] == "Moons"


def test_info_has_the_agreed_fields(two: tuple[Path, Path], run: Run) -> None:
    found = run("info", two[0], "--json").json
    assert {key: found[key] for key in ("name", "language", "date", "articles", "redirects")} == {
        "name": "old",
        "language": "en",
        "date": "2015-06-01",
        "articles": 1,
        "redirects": 1,
    }
    assert found["skipped"] == {"newer than the date": 30}
    assert found["newest"] == "2014-01-01T00:00:00Z"
    assert len(found["fingerprint"]) == 64
    shown = run("info", two[0]).out
    assert "left out       30 × newer than the date" in shown
    assert "source         w.xml (mediawiki_xml, sha256 " in shown


def test_verify_proves_or_names_the_faults(two: tuple[Path, Path], run: Run) -> None:
    done = run("verify", two[1])
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(
        f"corpus: {two[1]}: 31 articles verified, none newer than 2016-01-01"
    )
    assert run("verify", two[1], "--json").json["faults"] == []
    manifest = two[1] / "manifest.json"
    manifest.write_text(
        manifest.read_text().replace('"date": "2016-01-01"', '"date": "2015-12-31"')
    )
    broken = run("verify", two[1], "--json")
    assert broken.code == 2
    assert broken.err.count("\n") == 1
    assert "'Io' is of 2016-01-01T00:00:00Z, after the snapshot's date" in broken.err
    assert len(broken.json["faults"]) == 33


def test_show_prints_an_article(two: tuple[Path, Path], run: Run) -> None:
    shown = run("show", two[0], "jupiter_I")
    assert shown.out == "# Io\n\nIo is a moon.\n"
    assert (
        "2014-01-01T00:00:00Z, https://en.wikipedia.org/w/index.php?title=Io&oldid=100" in shown.err
    )
    found = run("show", two[1], "Io", "--json").json
    assert (found["text"], found["redirects"]) == ("Io spews.", ["Jupiter I"])
    missing = run("show", two[0], "Ia")
    assert missing == Ended(
        2, "", "corpus: no article 'Ia' in the snapshot old: did you mean 'Io'?\n"
    )


def test_diff_lists_or_shows_what_changed(two: tuple[Path, Path], run: Run) -> None:
    shown = run("diff", *two).out.splitlines()
    assert shown[0] == "added: 30"
    assert shown[21] == "  … and 10 more (--json lists all)"
    assert shown[22:] == [
        "removed: 0",
        "changed: 1",
        "  Io (2014-01-01T00:00:00Z → 2016-01-01T00:00:00Z)",
        "unchanged: 0",
    ]
    found = run("diff", *two, "--json").json
    assert len(found["added"]) == 30
    assert found["changed"][0]["after"]["rev_id"] == 101
    text = run("diff", *two, "Io").out.splitlines()
    assert text[-2:] == ["-Io is a moon.", "+Io spews."]
    assert run("diff", *two, "Io", "--json").json["diff"] == text
    assert run("diff", two[0], two[0], "Io").err == "corpus: Io: the same in both\n"


def test_fetch_downloads_and_checks(tmp_path: Path, run: Run) -> None:
    server = Server()
    try:
        sha1 = hashlib.sha1(CONTENT).hexdigest()
        for words in ("sha1 as expected", "sha1 as expected, already here"):
            done = run("fetch", server.url, "--out", tmp_path / "dump", "--sha1", sha1)
            assert done == Ended(0, "", f"corpus: {tmp_path / 'dump'}: 300,000 bytes, {words}\n")
        unchecked = run("fetch", server.url, "--out", tmp_path / "other")
        assert unchecked.err.endswith("300,000 bytes, not checked\n")
        wrong = run("fetch", server.url, "--out", tmp_path / "third", "--md5", "0" * 32)
        assert wrong.code == 2
    finally:
        server.close()


def test_titles_are_asked_of_a_wiki(tmp_path: Path, run: Run) -> None:
    wiki = Wiki({"Io": [Edit("Io is a moon.", "2014-01-01T00:00:00Z")]})
    titles = tmp_path / "titles.txt"
    titles.write_text("Io\nNowhere\n\n")
    options = ("--date", "2016-06-01", "--titles", titles, "--contact", "me@x.example")
    with serving(wiki):
        done = run("build", wiki.address, *options, "--out", tmp_path / "s", "--workers", 1)
    assert done.code == 0
    assert "left out: 1 × no such page" in done.err
    assert list((tmp_path / "cache" / "fanfold" / "api").iterdir())
    assert run("info", tmp_path / "s", "--json").json["sources"][0]["name"] == wiki.address
    titles.write_bytes(b"\xff\xfe\xff")
    bad = run("build", wiki.address, *options, "--out", tmp_path / "t")
    assert (bad.code, "not UTF-8 text" in bad.err) == (2, True)


def test_an_export_with_an_open_end_is_told(tmp_path: Path, run: Run) -> None:
    export = write_export(tmp_path / "w.xml", page("Io", 1, "A moon."))
    export.write_text(export.read_text().replace("</mediawiki>", ""))
    done = run("build", export, "--date", "2016-06-01", "--out", tmp_path / "s")
    assert done.code == 0
    assert "ends without </mediawiki>: its last pages may be missing" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("build", "nowhere.xml", "--date", "2016-06-01", "--out", "s"), "no file nowhere.xml"),
        (("build", "w.xml", "--date", "June", "--out", "s"), "'June' is no date"),
        (("build", "w.xml", "--out", "s"), "Missing option '--date'"),
        (("info", "nowhere"), "no snapshot at nowhere"),
        (("verify", "nowhere"), "no snapshot at nowhere"),
        (("show", "nowhere", "Io"), "no snapshot at nowhere"),
        (("diff", "nowhere", "nowhere"), "no snapshot at nowhere"),
        (("fetch", "dump", "--out", "x"), "'dump' is no address"),
    ],
)
def test_bad_input_is_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_help_is_quick_to_load() -> None:
    program = (
        "import sys; sys.argv = ['corpus', 'build', '--help']\nfrom corpus import cli\n"
        "try: cli.main()\nexcept SystemExit: pass\n"
        "heavy = {'sqlite3', 'zstandard', 'lxml', 'httpx', 'mwparserfromhell', 'libzim'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, capture_output=True)


def test_the_module_is_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "corpus"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "python -m corpus [OPTIONS] COMMAND" in done.stdout
    assert done.stderr == ""
