"""A snapshot's date is what its sources vouch for, and what is of a later day is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import Snapshot
from corpus.builder.snapshot import build_snapshot
from corpus.errors import InputError
from corpus.proof.difference import compare_snapshots
from corpus.proof.snapshot import verify_snapshot
from corpus.sources.types import NEWER, NO_ID, OUTSIDE
from corpus.storage.dates import day_in_name, foretold, is_timestamp, snapshot_date
from corpus.storage.manifest import Manifest, explain_date
from tests.exports import Edit, page, write_export

DAYS = st.dates().map(lambda day: day.isoformat())


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("enwiki-20231101-pages-articles-multistream.xml.bz2", "2023-11-01"),
        ("enwiki-20231101-pages-articles27.xml-p68475910p69975909.7z", "2023-11-01"),
        ("Wikipedia-20150911123456.xml", "2015-09-11"),
        ("wikipedia_de_all_2023-11-05.zim", "2023-11-05"),
        ("enwiki-20231345-pages.xml", ""),
        ("enwiki-2014-11-wp2txt.xml.bz2", ""),
        ("pages-p20190101p20200101.xml", ""),
        ("enwiki-latest-pages-articles.xml.bz2", ""),
    ],
)
def test_a_dumps_name_says_its_day(name: str, day: str) -> None:
    assert day_in_name(name) == day


@given(DAYS, st.lists(DAYS, min_size=1))
def test_the_date_is_never_later_than_asked_or_vouched_for(asked: str, days: list[str]) -> None:
    date = snapshot_date(asked, days)
    assert date == min(asked, max(days))
    assert snapshot_date(asked, [*days, ""]) == asked


def test_times_are_of_the_calendar() -> None:
    assert is_timestamp("2016-02-29T23:59:59Z")
    for text in (
        "2015-02-29T00:00:00Z",
        "2015-01-01T25:00:00Z",
        "2015-01-01",
        "٢٠١٥-01-01T00:00:00Z",
    ):
        assert not is_timestamp(text)


def build(path: Path, date: str, out: str = "s", **more: str) -> Manifest:
    manifest = build_snapshot([path], path.parent / out, date=date, workers=0, **more)  # type: ignore[arg-type]
    assert verify_snapshot(path.parent / out).faults == ()
    return manifest


def test_a_dump_is_of_the_day_in_its_name(tmp_path: Path) -> None:
    path = write_export(
        tmp_path / "enwiki-20231101-pages-articles.xml",
        page("A", 1, Edit("a", "2023-10-01T00:00:00Z")),
        page("B", 2, Edit("b", "2023-11-02T00:00:00Z")),
    )
    late = build(path, "2023-11-20")
    assert (late.date, late.asked, late.articles, late.skipped) == (
        "2023-11-01",
        "2023-11-20",
        1,
        {NEWER: 1},
    )
    assert explain_date(late) == (
        "as of 2023-11-01, not of 2023-11-20 as asked:"
        " enwiki-20231101-pages-articles.xml vouches for 2023-11-01 (by its name)"
    )
    assert build(path, "2023-10-05", "early").date == "2023-10-05"
    # A name of a day that has not come is not believed, nor is a revision of one.
    future = path.rename(tmp_path / "enwiki-20310101-pages.xml")
    assert build(future, "2031-05-05", "future", today="2026-01-01").date == "2023-11-02"


def test_a_dump_without_a_day_is_of_its_newest_revision(tmp_path: Path) -> None:
    path = write_export(
        tmp_path / "w.xml",
        page("A", 1, Edit("a", "2023-10-01T00:00:00Z")),
        page("Talk:A", 2, Edit("b", "2023-10-03T00:00:00Z"), ns=1),
        page("Odd", 3, Edit("x", "2030-01-01T00:00:00Z")),
    )
    found = build(path, "2031-05-05", today="2026-01-01")
    assert (found.date, found.skipped) == ("2023-10-03", {NO_ID: 1, OUTSIDE: 1})
    # What lies after the date vouches for the date.
    assert build(path, "2023-10-02", "early").date == "2023-10-02"


def test_sources_of_two_days_are_told_apart(tmp_path: Path) -> None:
    old = write_export(
        tmp_path / "enwiki-20141107-a.xml",
        page("Anime", 1, Edit("as of 2014", "2014-10-01T00:00:00Z")),
        page("Both", 2, Edit("the same", "2014-10-01T00:00:00Z")),
    )
    new = write_export(
        tmp_path / "enwiki-20160501-b.xml",
        page("Both", 2, Edit("the same", "2014-10-01T00:00:00Z")),
    )
    fingerprints = set()
    for number, order in enumerate(([old, new], [new, old])):
        out = tmp_path / f"s{number}"
        manifest = build_snapshot(order, out, date="2020-01-01", workers=number)
        assert manifest.date == "2016-05-01"
        assert verify_snapshot(out).faults == ()
        with Snapshot.open(out) as snapshot:
            caveat = "its source vouches for 2014-11-07, not for 2016-05-01"
            assert snapshot.article("Anime").revision.caveat == caveat
            assert snapshot.chunk("1:100:0").revision.caveat == caveat
            assert snapshot.article("Both").revision.caveat == ""
        assert verify_snapshot(out).caveats == {caveat: 1}
        fingerprints.add(manifest.fingerprint)
    assert len(fingerprints) == 1


def test_passages_are_of_the_day_they_state_or_of_none(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"title": "A", "text": "a", "timestamp": "2018-05-05"}\n')
    assert build(path, "2020-01-01").date == "2018-05-05"
    undated = tmp_path / "enwiki-20190101.jsonl"
    undated.write_text('{"title": "A", "text": "a"}\n')
    found = build(undated, "2020-01-01", "undated")
    assert (found.date, found.sources[0].vouched) == ("2020-01-01", "")
    assert found.caveats == {"its source states no date": 1}
    with pytest.raises(InputError, match=r"states no date.*ask for --date 2026-01-01"):
        build(undated, "2031-01-01", "future", today="2026-01-01")
    with pytest.raises(InputError, match="ask for --date 2018-05-05 or"):
        build_snapshot([path, undated], tmp_path / "both", date="2020-01-01", workers=0)


@pytest.mark.parametrize(
    "odd", ["2015-13-01T00:00:00Z", "2015-1-1", "zzz", "", "2999-01-01T00:00:00Z"]
)
def test_an_odd_time_costs_its_revision_alone(tmp_path: Path, odd: str) -> None:
    edits = [Edit("good", "2014-01-01T00:00:00Z"), Edit("odd", odd)]
    for number, order in enumerate((edits, edits[::-1])):
        path = write_export(tmp_path / f"w{number}.xml", page("A", 1, *order))
        manifest = build(path, "2016-06-01", f"s{number}", today="2026-01-01")
        assert (manifest.articles, manifest.date) == (1, "2014-01-01")
        with Snapshot.open(tmp_path / f"s{number}") as snapshot:
            assert snapshot.article("A").text == "good"


def moved(*comments: str, title: str = "New") -> str:
    """A page of 2014 with later edits: each comment is of one that changes no text."""
    edits = [Edit("text", "2014-01-01T00:00:00Z"), Edit("more", "2017-01-01T00:00:00Z")]
    edits += [Edit("more", f"2018-0{at}-01T00:00:00Z") for at, _ in enumerate(comments, 1)]
    made = page(title, 1, *edits)
    for at, comment in enumerate(comments, 1):
        stamp = f"<timestamp>2018-0{at}-01T00:00:00Z</timestamp>"
        made = made.replace(stamp, f"{stamp}{comment}")
    return made


def comment(text: str) -> str:
    return f"<comment>{text}</comment>"


MOVE = comment("A moved page [[Old]] to [[New]]: reasons")


@pytest.mark.parametrize(
    ("later", "title", "caveat"),
    [
        ([MOVE], "Old", ""),
        ([comment("X verschob die Seite [[:oldest]] nach [[Old]]"), MOVE], "Oldest", ""),
        ([comment("Protected [[New]]: see [[Policy]]")], "New", ""),
        ([comment("moved [[Old]] to [[Elsewhere]]")], "New", ""),
        (['<comment deleted="deleted" />'], "New", "its title may be of a later day"),
        ([], "New", ""),
    ],
)
@pytest.mark.parametrize("limit", [10, 4 << 20])
def test_a_page_has_the_title_of_the_date(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    later: list[str],
    title: str,
    caveat: str,
    limit: int,
) -> None:
    monkeypatch.setattr("corpus.sources.pages._HISTORY", limit)
    monkeypatch.setattr("corpus.sources.streams.BLOCK", 64)
    path = write_export(tmp_path / "w.xml", moved(*later))
    manifest = build(path, "2015-06-01")
    assert manifest.date == "2015-06-01"
    with Snapshot.open(tmp_path / "s") as snapshot:
        assert list(snapshot.titles()) == [title]
        revision = snapshot.article(title).revision
        assert revision.caveat.startswith(caveat)
        assert bool(revision.caveat) == bool(caveat)
        assert f"title={title}" in revision.url
    # As of today it has its title of today.
    assert build(path, "2019-01-01", "now").articles == 1
    with Snapshot.open(tmp_path / "now") as snapshot:
        assert snapshot.article("New").revision.caveat == ""


def test_a_draft_of_the_day_is_no_article(tmp_path: Path) -> None:
    draft = moved(comment("moved [[Template:Io]] to [[New]]"))
    path = write_export(tmp_path / "w.xml", draft, page("A", 2, "a"))
    manifest = build(path, "2015-06-01")
    assert (manifest.articles, manifest.skipped) == (1, {OUTSIDE: 1})


def test_a_renamed_page_is_a_changed_one(tmp_path: Path) -> None:
    path = write_export(tmp_path / "w.xml", moved(MOVE))
    build(path, "2015-06-01", "before")
    build(path, "2019-01-01", "after")
    (change,) = compare_snapshots(tmp_path / "before", tmp_path / "after").changed
    assert (change.before.title, change.after.title) == ("Old", "New")


@dataclass(frozen=True)
class Stated:
    """What a source says of itself."""

    name: str
    made: str
    made_by: str = "its name"
    rendered: bool = False


def test_a_date_is_told_before_the_work_begins() -> None:
    first, last = Stated("a-20140101.xml", "2014-01-01"), Stated("b-20150301.xml", "2015-03-01")
    assert foretold([first, last], "2016-01-01") == (
        "the snapshot will be as of 2015-03-01, not of 2016-01-01: b-20150301.xml is of 2015-03-01 "
        "(by its name)"
    )
    assert foretold([last], "2014-06-01").startswith(
        "the snapshot will be as of 2014-06-01: b-2015"
    )
    silent = foretold([last, Stated("pages.xml", "")], "2016-01-01")
    assert "2016-01-01 at most: pages.xml does not say when it was made" in silent
