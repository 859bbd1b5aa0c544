"""The edition of FanOutQA's data is told from the data, and an unknown revision is no error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus.errors import InputError
from evals.benchmarks.editions import OWN, digest_of_item, tell_edition
from evals.benchmarks.fanoutqa import FANOUTQA, edition_of, load
from evals.datafiles import SAMPLE_DATA
from evals.runs.samples import choose_edition

REAL = Path(__file__).parents[5] / "shared/data/fanoutqa"
needs_data = pytest.mark.skipif(not REAL.is_dir(), reason="../shared/data is absent")


def item(**changes: Any) -> dict[str, Any]:
    page = {"pageid": "###TBD###", "revid": "###TBD###", "title": "Orland", "url": "u"}
    step = {"id": "a", "question": "?", "decomposition": [], "answer": 1, "depends_on": []}
    step |= {"evidence": page}
    made = {"id": "q", "question": "?", "decomposition": [step], "answer": 1, "categories": []}
    return made | changes


def test_what_is_not_known_of_an_article_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "own.json"
    file.write_text(json.dumps([item()]), encoding="utf-8")
    (sample,) = load(file, "dev", OWN)
    assert sample.evidence == ("Orland",)
    assert (sample.revisions, sample.pages) == ({}, {})
    assert choose_edition(FANOUTQA, file, "dev", "") == OWN


def test_an_item_has_one_digest_whatever_the_order_of_its_keys() -> None:
    one = item()
    assert digest_of_item(one) == digest_of_item(dict(reversed(one.items())))
    assert digest_of_item(one) != digest_of_item(item(answer=2))


def test_the_sample_is_the_sample() -> None:
    assert edition_of(SAMPLE_DATA / "fanoutqa-dev.json", "dev") == "sample"
    assert edition_of(SAMPLE_DATA, "test") == "sample"


@needs_data
@pytest.mark.parametrize("split", ["dev", "test"])
@pytest.mark.parametrize(("suffix", "edition"), [("", "jul26"), ("-nov23", "nov23")])
def test_a_published_file_shows_its_edition(split: str, suffix: str, edition: str) -> None:
    file = REAL / f"fanout-final-{split}{suffix}.json"
    other = {"jul26": "nov23", "nov23": "jul26"}[edition]
    assert choose_edition(FANOUTQA, file, split, "") == edition
    assert choose_edition(FANOUTQA, file, split, edition) == edition
    with pytest.raises(InputError, match=f"holds the edition {edition}, not {other}"):
        choose_edition(FANOUTQA, file, split, other)
    assert choose_edition(FANOUTQA, REAL, split, "") == "jul26"
    items = json.loads(file.read_text(encoding="utf-8"))
    assert tell_edition(items[::7]) == edition
    samples = load(file, split, edition)
    assert len(samples) == len(items)
    assert all(
        isinstance(n, int) for s in samples for n in (*s.revisions.values(), *s.pages.values())
    )
