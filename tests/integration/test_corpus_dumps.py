"""Real dumps of eight kinds build, prove themselves, and give each article as of its own date."""

from __future__ import annotations

import json
import re
from pathlib import Path

import mwparserfromhell
import pytest

from corpus import Snapshot
from corpus.builder.snapshot import build_snapshot
from corpus.proof.difference import compare_article, compare_snapshots
from corpus.proof.snapshot import verify_snapshot
from corpus.sources import Wanted, open_source
from corpus.sources.types import OUTSIDE, Done, Skipped
from corpus.storage.dates import NEVER
from corpus.storage.titles import normalise

DUMPS = Path(__file__).parents[2] / "../shared/data/dumps"
pytestmark = pytest.mark.skipif(not DUMPS.is_dir(), reason="../shared/data/dumps is absent")
MARKUP = re.compile(r"\{\{|\}\}|\[\[|\]\]|\{\||\|\}|<ref")

CASES = [
    ("bad-utf16-bgwiki", "bg", 1),
    ("enwiki-2017-tables-gensim", "en", 5),
    ("enwiki-2019-camchenry", "en", 68),
    ("enwiki-2021-dbpedia", "en", 24),
    ("enwiki-2025-02-zulko", "en", 6),
    ("jawiki-2021-dbpedia", "ja", 1),
    ("zhwiki-2021-dbpedia", "zh", 1),
]


@pytest.mark.parametrize(("name", "language", "articles"), CASES, ids=[case[0] for case in CASES])
def test_every_dump_builds(name: str, language: str, articles: int, tmp_path: Path) -> None:
    out = tmp_path / "out"
    source = DUMPS / f"{name}.xml.bz2"
    manifest = build_snapshot([source], out, date="2026-01-01", language=language, workers=0)
    assert manifest.articles == articles
    assert verify_snapshot(out).faults == ()
    with Snapshot.open(out) as snapshot:
        for title in snapshot.titles():
            article = snapshot.article(title)
            assert MARKUP.search(article.text) is None
            assert f"oldid={article.revision.rev_id}" in article.revision.url


@pytest.mark.parametrize(("name", "language", "articles"), CASES, ids=[case[0] for case in CASES])
def test_categories_are_those_that_another_parser_finds(
    name: str, language: str, articles: int, tmp_path: Path
) -> None:
    source = open_source(DUMPS / f"{name}.xml.bz2", Wanted(cutoff=NEVER, base_url=""))
    out = tmp_path / "out"
    build_snapshot([DUMPS / f"{name}.xml.bz2"], out, date="2026-01-01", language=language)
    found = 0
    with Snapshot.open(out) as snapshot:
        for page in (p for batch in source.batches(Done()) for p in source.pages(batch.payload)):
            if isinstance(page, Skipped) or page.redirect is not None:
                continue
            expected = []
            for link in mwparserfromhell.parse(page.source).filter_wikilinks():
                prefix, colon, rest = str(link.title).partition(":")
                if colon and prefix.strip().lower() in {"category", "分類", *page.category_names}:
                    expected.append(normalise(rest))
            assert snapshot.contents(page.title).categories == tuple(dict.fromkeys(expected))
            found += len(expected)
    assert found


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("years")
    for year, date, name in (
        ("2014", "2014-11-30", "enwiki-2014-11-wp2txt"),
        ("2016", "2016-06-01", "enwiki-2016-05-gensim"),
    ):
        build_snapshot([DUMPS / f"{name}.xml.bz2"], folder / year, date=date, workers=2)
    return folder / "2014", folder / "2016"


def test_an_article_reads_as_on_its_date(years: tuple[Path, Path]) -> None:
    before, after = years
    with Snapshot.open(before) as old, Snapshot.open(after) as new:
        assert old.manifest.skipped[OUTSIDE] == new.manifest.skipped[OUTSIDE] == 1
        earlier, later = old.article("Ayn Rand"), new.article("Ayn Rand")
        assert earlier.revision.page_id == later.revision.page_id
        assert earlier.revision.timestamp < "2014-12" < later.revision.timestamp < "2016-06-02"
        assert earlier.text != later.text
        both = set(old.titles()) & set(new.titles())
        assert len(both) > 90
        for title in both:
            assert old.article(title).revision.timestamp <= "2014-11-30T23:59:59Z"


def test_diff_shows_what_changed(years: tuple[Path, Path]) -> None:
    difference = compare_snapshots(*years)
    assert len(difference.changed) > 90
    assert {version.title for version in difference.removed} >= {"Anime"}
    change = next(change for change in difference.changed if change.after.title == "Alchemy")
    assert change.before.timestamp < "2014-12" < change.after.timestamp
    lines = list(compare_article(*years, "Alchemy"))
    with Snapshot.open(years[0]) as old, Snapshot.open(years[1]) as new:
        before, after = (snapshot.article("Alchemy").text.split("\n") for snapshot in (old, new))
    removed = [line[1:] for line in lines[2:] if line.startswith("-")]
    added = [line[1:] for line in lines[2:] if line.startswith("+")]
    assert removed
    assert added
    assert set(removed) <= set(before)
    assert set(added) <= set(after)


def test_a_date_before_the_dump_leaves_its_pages_out(tmp_path: Path) -> None:
    source = DUMPS / "enwiki-2019-camchenry.xml.bz2"
    late = build_snapshot([source], tmp_path / "late", date="2026-01-01", workers=0)
    early = build_snapshot([source], tmp_path / "early", date="2019-01-01", workers=0)
    assert 0 < early.articles < late.articles
    assert early.newest <= "2019-01-01T23:59:59Z"
    manifest = json.loads((tmp_path / "early" / "manifest.json").read_text())
    assert manifest["skipped"]["newer than the date"] > 0
