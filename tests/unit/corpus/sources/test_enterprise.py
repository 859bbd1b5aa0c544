from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from corpus.builder.finish import LATE_REDIRECT
from corpus.builder.snapshot import build_snapshot
from corpus.errors import InputError
from corpus.proof.snapshot import verify_snapshot
from corpus.sources import Wanted, open_source
from corpus.sources.enterprise_html import open_enterprise
from corpus.sources.streams import DamagedError
from corpus.sources.types import (
    MALFORMED,
    NEWER,
    NO_ID,
    NO_TEXT,
    NOT_RENDERED_WHEN,
    OUTSIDE,
    RENDERED,
    BadRecord,
    Done,
    Skipped,
)
from corpus.types import Page

CUTOFF = "2023-11-20T23:59:59Z"


def record(name: str, number: int, **changes: Any) -> dict[str, Any]:
    """One article as the Enterprise API writes it (the fields that are read)."""
    return {
        "name": name,
        "identifier": number,
        "date_modified": "2023-10-01T12:00:00Z",
        "version": {"identifier": number * 10},
        "url": f"https://en.wikipedia.org/wiki/{name}",
        "namespace": {"identifier": 0},
        "in_language": {"identifier": "en"},
        "is_part_of": {"identifier": "enwiki", "url": "https://en.wikipedia.org"},
        "event": {"date_created": "2023-10-01T12:00:01Z", "date_published": "2023-10-01T12:00:09Z"},
        "article_body": {"html": f"<p>{name} is a moon.</p>", "wikitext": f"{name} is a moon."},
        **changes,
    }


RECORDS = [
    record(
        "Io",
        1,
        categories=[{"name": "Category:Moons of_Jupiter", "url": "…"}],
        redirects=[{"name": "Jupiter I", "url": "…"}, {"name": "Io moon"}],
    ),
    record("Later", 2, date_modified="2023-11-21T00:00:00.123456Z"),
    record("Talk:Io", 3, namespace={"identifier": 1}),
    record("Bare", 4, article_body={}),
    record("Timeless", 5, date_modified=None),
    record("Plain", 6, article_body={"wikitext": "Plain '''text'''."}),
    {"identifier": 7},
    record("Europa \ud800", 8, date_modified="2023-11-20T23:59:59.999999+00:00"),
]


def lines(records: list[dict[str, Any]]) -> bytes:
    return "\n".join(map(json.dumps, records)).encode() + b"\n"


def packed(folder: Path, suffix: str, *parts: bytes) -> Path:
    path = folder / f"enwiki_namespace_0{suffix}"
    if suffix == ".ndjson":
        path.write_bytes(b"".join(parts))
        return path
    with tarfile.open(path, "w:gz" if suffix.endswith("gz") else "w") as archive:
        for number, part in enumerate(parts):
            member = tarfile.TarInfo(f"enwiki_{number}.ndjson")
            member.size = len(part)
            archive.addfile(member, io.BytesIO(part))
    return path


@pytest.mark.parametrize("suffix", [".ndjson", ".tar", ".tar.gz"])
def test_articles_and_their_redirects(tmp_path: Path, suffix: str) -> None:
    path = packed(tmp_path, suffix, lines(RECORDS[:3]), lines(RECORDS[3:]))
    source = open_source(path, Wanted(cutoff=CUTOFF, base_url="", skip_bad=True))
    assert source.kind == "enterprise_html"
    assert source.base_url == "https://en.wikipedia.org/wiki/"
    batches = list(source.batches(Done()))
    assert batches[-1].end == 8
    found = [page for batch in batches for page in source.pages(batch.payload)]
    articles = [page for page in found if isinstance(page, Page) and page.redirect is None]
    assert [(page.title, page.rev_id, page.format) for page in articles] == [
        ("Io", 10, "html"),
        ("Plain", 60, "wikitext"),
        ("Europa \ufffd", 80, "html"),
    ]
    assert [page.categories for page in articles] == [("Moons of Jupiter",), (), ()]
    assert articles[0].url == "https://en.wikipedia.org/w/index.php?title=Io&oldid=10"
    redirects = [page for page in found if isinstance(page, Page) and page.redirect]
    assert [(page.title, page.redirect) for page in redirects] == [
        ("Jupiter I", "Io"),
        ("Io moon", "Io"),
    ]
    assert all(page.page_id < 0 for page in redirects)
    assert [page.reason for page in found if isinstance(page, Skipped)] == [
        NEWER,
        OUTSIDE,
        NO_TEXT,
        NO_ID,
        MALFORMED,
    ]


RENDERING = [
    # HTML and wikitext, rendered when it was edited, in time; later; not stated when.
    (record("A", 1), "html", ""),
    (record("A", 1, event={"date_published": "2026-01-05T00:00:00Z"}), "wikitext", ""),
    (record("A", 1, event=None), "wikitext", ""),
    # HTML alone.
    (record("A", 1, event=None, article_body={"html": "<p>x</p>"}), "html", NOT_RENDERED_WHEN),
    (
        record("A", 1, event={"date_created": "2026-01-05"}, article_body={"html": "<p>x</p>"}),
        RENDERED,
        "",
    ),
]


@pytest.mark.parametrize(("one", "expected", "caveat"), RENDERING)
def test_html_counts_where_it_was_rendered_by_the_date(
    tmp_path: Path, one: dict[str, Any], expected: str, caveat: str
) -> None:
    source = open_source(
        packed(tmp_path, ".ndjson", lines([one])), Wanted(cutoff=CUTOFF, base_url="")
    )
    (batch,) = source.batches(Done())
    (found,) = source.pages(batch.payload)
    if isinstance(found, Skipped):
        assert (found.reason, caveat) == (expected, "")
    else:
        assert (found.format, found.caveat) == (expected, caveat)


@pytest.mark.parametrize("latest", ["2023-10-02", "2026-01-05"])
def test_redirects_without_a_time_count_where_nothing_in_the_file_is_newer(
    tmp_path: Path, latest: str
) -> None:
    records = [
        record("Io", 1, redirects=[{"name": "Jupiter I"}]),
        record("Ra", 2, date_modified=f"{latest}T00:00:00Z", event=None),
    ]
    path = packed(tmp_path, ".ndjson", lines(records))
    manifest = build_snapshot([path], tmp_path / "s", date="2023-11-20", workers=0)
    newer = latest > manifest.asked
    assert manifest.date == min(latest, "2023-11-20")
    assert manifest.redirects == (0 if newer else 1)
    assert manifest.skipped.get(LATE_REDIRECT) == (1 if newer else None)
    assert verify_snapshot(tmp_path / "s").faults == ()


def test_a_files_name_says_when_it_was_rendered(tmp_path: Path) -> None:
    path = tmp_path / "enwiki-NS0-20260105-ENTERPRISE-HTML.json"
    path.write_bytes(lines([record("A", 1, event=None, article_body={"html": "<p>x</p>"})]))
    with pytest.raises(InputError, match="1 rendered after the date"):
        build_snapshot([path], tmp_path / "s", date="2023-11-20", workers=0)


def test_the_first_line_that_is_no_article_is_named(tmp_path: Path) -> None:
    path = packed(tmp_path, ".ndjson", lines(RECORDS))
    source = open_source(path, Wanted(cutoff=CUTOFF, base_url=""))
    (batch,) = source.batches(Done())
    with pytest.raises(BadRecord, match=r"line 7: no record of a known form.*--skip-bad") as found:
        list(source.pages(batch.payload))
    assert found.value.place == 7


def test_what_is_done_is_left_out(tmp_path: Path) -> None:
    path = packed(tmp_path, ".tar.gz", lines(RECORDS[:1]), lines(RECORDS[5:6]))
    source = open_enterprise(path, CUTOFF, "https://xx.wikipedia.org/wiki/")
    (batch,) = source.batches(Done([(0, 1)]))
    assert [page.title for page in source.pages(batch.payload)] == ["Plain"]


def test_a_cut_archive_is_damage(tmp_path: Path) -> None:
    big = [record(f"Moon {number}", number) for number in range(1, 3000)]
    path = packed(tmp_path, ".tar", lines(big))
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(DamagedError, match="fetch it again"):
        list(open_enterprise(path, CUTOFF, "").batches(Done()))


def test_records_that_do_not_name_their_wiki_are_of_the_one_wanted(tmp_path: Path) -> None:
    path = packed(tmp_path, ".ndjson", lines([record("Io", 1, is_part_of=None)]))
    assert open_enterprise(path, CUTOFF, "https://xx.example/wiki/").base_url == (
        "https://xx.example/wiki/"
    )
