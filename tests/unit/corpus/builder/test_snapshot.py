"""Whole builds: the same result however they come about, from one source or several."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from corpus import Snapshot
from corpus.builder.finish import DANGLING, LONGEST_REDIRECT
from corpus.builder.pipeline import Progress
from corpus.builder.snapshot import build_snapshot
from corpus.errors import InputError
from corpus.proof.snapshot import verify_snapshot
from corpus.sources.types import NEWER, OUTSIDE
from corpus.storage.manifest import staging_folder
from tests.builds import DATE, build, content
from tests.exports import Edit, page, write_export
from tests.unit.corpus.sources.test_exports import multistream


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


def test_a_multistream_dump_gives_the_same_articles(tmp_path: Path) -> None:
    path = multistream(tmp_path)
    one = build(path, tmp_path / "one", workers=2)
    plain = tmp_path / "plain" / path.name
    plain.parent.mkdir()
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


def test_the_result_is_proved(reference: Path) -> None:
    proof = verify_snapshot(reference)
    assert proof.faults == ()
    manifest = json.loads((reference / "manifest.json").read_text())
    assert manifest["fingerprint"] == proof.fingerprint
    assert "/" not in manifest["sources"][0]["name"]


def test_progress_tells_every_stage_and_ends_at_the_whole(wiki: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    manifest = build_snapshot([wiki], tmp_path / "out", date=DATE, workers=0, report=told.append)
    reading = [one for one in told if one.stage == "reading"]
    assert [one.done for one in reading] == sorted(one.done for one in reading)
    assert reading[-1].done == pytest.approx(wiki.stat().st_size / 1e6, rel=0.01)
    assert (reading[-1].unit, reading[-1].total) == ("MB", wiki.stat().st_size / 1e6)
    assert reading[-1].articles == manifest.articles
    left_out = sum(manifest.skipped.values())
    assert reading[-1].pages == manifest.articles + manifest.redirects + left_out
    later = [one for one in told if one.stage != "reading"]
    assert list(dict.fromkeys(one.stage for one in later)) == [
        "writing articles",
        "writing texts",
        "writing categories",
        "indexing titles",
    ]
    assert all(0 <= one.done <= one.total == manifest.articles for one in later)
    assert sum(one.done == one.total for one in later) >= 4
