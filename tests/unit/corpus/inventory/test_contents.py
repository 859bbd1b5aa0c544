"""Looking into a snapshot: its titles, sizes, most linked articles, words in its texts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from corpus.cli import app
from corpus.errors import InputError
from corpus.inventory.contents import (
    list_articles,
    list_boxes,
    list_categories,
    list_tables,
    most_linked,
    search_articles,
)
from corpus.sample import sample_snapshot
from corpus.storage.titles import fold
from corpus.store import Snapshot


@pytest.fixture(scope="module")
def snapshot() -> Iterator[Snapshot]:
    with Snapshot.open(sample_snapshot("en")) as opened:
        yield opened


def test_titles_are_listed_by_pattern_with_their_sizes(snapshot: Snapshot) -> None:
    entries = list(list_articles(snapshot))
    assert [entry.title for entry in entries] == list(snapshot.titles())
    assert sum(entry.chunks for entry in entries) == snapshot.chunk_count
    fitting = [entry.title for entry in list_articles(snapshot, "*SATURN*")]
    assert fitting
    assert all("saturn" in title.casefold() for title in fitting)
    assert "Saturn" in fitting


def test_links_are_counted_through_redirects(snapshot: Snapshot) -> None:
    counted: Counter[str] = Counter()
    for article in snapshot.articles():
        for target in {fold(link.target) for link in article.links}:
            leads = snapshot.find(target)
            if leads is not None:
                counted[leads.revision.title] += 1
    best = most_linked(snapshot, limit=5)
    assert [entry.linked for entry in best] == sorted((e.linked for e in best), reverse=True)
    assert best[0].linked == max(counted.values())


def test_words_are_found_in_titles_and_texts(snapshot: Snapshot) -> None:
    found = list(search_articles(snapshot, "Christiaan  huygens", limit=3))
    texts = [one for one in found if one.where == "text"]
    assert 0 < len(texts) <= 3
    assert all("christiaan huygens" in one.excerpt.casefold() for one in texts)
    # Titles are those that are alike; texts hold the words as they stand, or are not told.
    nowhere = search_articles(snapshot, "no such words anywhere at all 77")
    assert all(one.where == "title" for one in nowhere)


def test_what_is_held_is_listed_and_counted(snapshot: Snapshot) -> None:
    held = {title: snapshot.contents(title) for title in snapshot.titles()}
    filed = Counter(name for one in held.values() for name in one.categories)
    assert {tally.name: tally.count for tally in list_categories(snapshot)} == filed
    best = list_categories(snapshot)[0]
    assert best.count == max(filed.values())
    members = [entry.title for entry in list_articles(snapshot, category=best.name.lower())]
    assert members == [title for title, one in held.items() if best.name in one.categories]
    boxes = Counter(name for one in held.values() for name in one.boxes)
    assert {tally.name: tally.count for tally in list_boxes(snapshot)} == boxes
    assert all("planet" in tally.name for tally in list_boxes(snapshot, "*PLANET*"))
    within = Counter(name for title in members for name in held[title].boxes)
    assert {t.name: t.count for t in list_boxes(snapshot, category=best.name)} == within
    tables = list(list_tables(snapshot))
    assert len(tables) == sum(len(one.tables) for one in held.values())
    lines = snapshot.article(tables[0].title).text.split("\n")
    assert set(tables[0].heads) <= set(lines)
    with pytest.raises(InputError, match="is filed under 'Zzz'"):
        snapshot.members("Zzz")


def test_the_commands_print_and_say_where_there_is_nothing(snapshot: Snapshot) -> None:
    def run(*arguments: object) -> str:
        done = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert done.exit_code == 0, done.exception
        return done.output

    assert "Saturn" in run("list", snapshot.folder, "sat*")
    assert "links" in run("list", snapshot.folder, "--linked", "--limit", 2)
    listed = json.loads(run("list", snapshot.folder, "--json"))
    assert len(listed["articles"]) == snapshot.manifest.articles
    assert "no title fits 'zzz'" in run("list", snapshot.folder, "zzz")
    assert "text" in run("search", snapshot.folder, "Galileo Galilei", "--limit", 2)
    category = list_categories(snapshot)[0].name
    listed = run("list", snapshot.folder, "--category", category, "--limit", 500)
    assert all(title in listed for title, _ in snapshot.members(category))
    assert category in run("list", snapshot.folder, "--what", "categories")
    assert "Infobox" in run("list", snapshot.folder, "--what", "boxes")
    assert " | " in run("list", snapshot.folder, "--what", "tables")
    assert "no box fits 'zzz'" in run("list", snapshot.folder, "zzz", "--what", "boxes")
    tables = json.loads(run("list", snapshot.folder, "--what", "tables", "--json"))["tables"]
    assert len(tables) == len(list(list_tables(snapshot)))
    assert "categories: " in run("show", snapshot.folder, "Saturn")
    shown = json.loads(run("show", snapshot.folder, "Saturn", "--json"))
    assert tuple(shown["contents"]["categories"]) == snapshot.contents("Saturn").categories
    assert "no title and no text holds" in run("search", snapshot.folder, "qqqq zzzz")
