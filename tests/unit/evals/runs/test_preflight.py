"""What a run says before it starts, on the real sample and real files of a builder."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from agent.stand_in import NAME
from corpus.errors import BackendError
from corpus.sample import sample_snapshot
from corpus.store import Snapshot
from evals.benchmarks import BENCHMARKS
from evals.datafiles import SAMPLE_DATA
from evals.ports import Benchmark
from evals.runs.models import Endpoint
from evals.runs.preflight import (
    RULES_ALONE,
    _asked,
    _calls_of,
    caveats,
    check_endpoint,
    held_articles,
    preflight,
)
from evals.runs.samples import load_samples
from evals.runs.sources import Sources
from evals.types import GoldStep, Json, Sample
from retrieval.build import ensure_built
from tests.builds import build
from tests.exports import page, write_export
from tests.unit.evals.runs.test_folder import CONFIG

FANOUTQA = BENCHMARKS["fanoutqa"]


def lines(
    samples: list[Sample], data: Path = SAMPLE_DATA, model: str = "extractive", **fields: object
) -> list[str]:
    config = dataclasses.replace(CONFIG, model=model, **fields)  # type: ignore[arg-type]
    endpoint = Endpoint(model=model) if model != "extractive" else None
    sources = Sources(benchmark=FANOUTQA, data=data, endpoint=endpoint)
    with Snapshot.open(sample_snapshot("en")) as snapshot:
        return list(
            preflight([(config, samples)] * 2, sources, snapshot, held_articles(snapshot, samples))
        )


def test_the_samples_own_questions_start_without_a_word() -> None:
    samples = load_samples(FANOUTQA, SAMPLE_DATA, "dev", "sample")
    assert lines(samples) == []


def test_articles_that_the_snapshot_lacks_are_counted() -> None:
    asked = [Sample(id="a", question="?", evidence=("Jupiter", "No Such Article", "Nor This"))]
    (said,) = lines(asked)
    assert "holds 1 of the 3 articles" in said
    assert "--snapshot" in said
    assert lines(asked, setting="closed") == []


def test_a_model_is_told_with_questions_and_price() -> None:
    asked = [Sample(id="a", question="?")]
    (said,) = lines(asked, model="gpt-4.1-mini")
    assert said.startswith("gpt-4.1-mini is asked 2 questions of one call; ")
    assert "$0.40 and $1.60 a million tokens" in said
    (said,) = lines(asked, model="of nobody")
    assert "its price is not known" in said
    (said,) = lines(asked, model="m", strategy="agentic", max_calls=7)
    assert said.startswith("m is asked 2 questions of several calls, at most 7 each (--max-calls)")


@pytest.mark.parametrize(
    ("name", "options", "prompting", "told"),
    [
        (
            "cofca",
            {"sub_questions": "without"},
            "agent",
            "4 questions of one call (1 sample with sub-questions)",
        ),
        ("cofca", {"sub_questions": "with"}, "agent", "1 question of one call"),
        ("cofca", {"sub_questions": "without"}, "cot", "4 questions of one call"),
        ("fanoutqa", {}, "paper", "1 question of several calls"),
    ],
)
def test_sub_questions_that_are_asked_by_themselves_are_counted(
    name: str, options: dict[str, Json], prompting: str, told: str
) -> None:
    steps = tuple(GoldStep(id=str(n), question="?") for n in (1, 2, 3))
    config = dataclasses.replace(
        CONFIG, benchmark=name, model="m", options=options, prompting=prompting
    )
    asked = _asked(BENCHMARKS[name], config, [Sample(id="a", question="?", steps=steps)])
    assert _calls_of([(config, asked)]).startswith(told)


@pytest.mark.parametrize("benchmark", BENCHMARKS.values(), ids=lambda one: one.name)
def test_whatever_a_benchmark_asks_is_counted(benchmark: Benchmark) -> None:
    edition = "sample" if "sample" in benchmark.editions else benchmark.editions[0]
    samples = load_samples(benchmark, SAMPLE_DATA, benchmark.splits[0], edition, limit=2)
    for prompting in benchmark.promptings:
        options = {name: values[-1] for name, values in benchmark.options.items()}
        config = dataclasses.replace(
            CONFIG, benchmark=benchmark.name, prompting=prompting, options=options
        )
        counted = _asked(benchmark, config, samples)
        assert counted.single + counted.several >= len(samples)


def test_the_stand_in_is_called_no_model() -> None:
    said = lines([Sample(id="a", question="?")], model=NAME)
    assert "mean nothing" in said[0]
    assert said[1].startswith(f"{NAME} is asked 2 questions")


def test_rules_reading_what_rules_wrote_is_called_circular(tmp_path: Path) -> None:
    (tmp_path / "card.md").write_text(f"# Set\n\n{RULES_ALONE}; duplicates", encoding="utf-8")
    asked = [Sample(id="a", question="?")]
    for data in (tmp_path / "cofca.json", tmp_path / "splits" / "dev.json"):
        (said,) = lines(asked, data)
        assert said.startswith("circular: ")
    assert "circular" not in lines(asked, tmp_path, model="gpt-4.1-mini")[0]


def test_a_snapshot_without_vectors_is_said_to_be_searched_by_words(tmp_path: Path) -> None:
    folder = tmp_path / "wiki"
    build(write_export(tmp_path / "pages.xml", page("Ulv", 1, "Ulv is a harbour town.")), folder)
    ensure_built(folder, "bm25")
    sources = Sources(benchmark=FANOUTQA, data=SAMPLE_DATA, snapshot=folder)
    config = dataclasses.replace(CONFIG, model="extractive", setting="open", mode="")
    with Snapshot.open(folder) as snapshot:
        (said,) = caveats(config, sources, snapshot)
        assert said.startswith("words alone: the snapshot wiki has no vectors")
        (told,) = preflight([(config, [])], sources, snapshot, (0, 0))
        assert f"`python -m retrieval build {folder}` adds them" in told
        named = dataclasses.replace(config, mode="bm25")
        closed = dataclasses.replace(config, setting="closed")
        assert caveats(named, sources, snapshot) == caveats(closed, sources, snapshot) == ()
        ensure_built(folder)
        assert caveats(config, sources, snapshot) == ()


@pytest.mark.parametrize(
    ("strategy", "model", "told"),
    [
        ("e2e", "extractive", True),
        ("query-subquestion", "extractive", True),
        ("agentic", "extractive", False),
        ("e2e", "m", False),
    ],
)
def test_what_rules_cannot_show_of_a_strategy_is_told(
    strategy: str, model: str, told: bool
) -> None:
    said = [line for line in lines([], model=model, strategy=strategy) if "asked at once" in line]
    assert len(said) == told
    assert all(f"without a model {strategy} words" in line for line in said)


def test_an_address_where_nothing_answers_is_told_at_once() -> None:
    with pytest.raises(BackendError, match=r"nothing answers at http://127\.0\.0\.1:9") as error:
        check_endpoint("m", "http://user:secret@127.0.0.1:9/v1")
    assert "secret" not in str(error.value)
