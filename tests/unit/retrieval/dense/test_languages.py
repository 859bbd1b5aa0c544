"""A model that does not know a snapshot's language has no say in its hybrid."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from corpus import Snapshot
from corpus.builder.snapshot import build_snapshot
from retrieval import cli, index, open_retriever
from retrieval.build import ensure_built
from retrieval.dense.embedders import FunctionEmbedder
from retrieval.dense.languages import knows, languages_of
from retrieval.ranking.candidates import CandidateRanker
from retrieval.ranking.rankers import BM25Ranker, FusedRanker, RankedRetriever

PASSAGES = [
    ("土星", "土星是太阳系的行星,它最大的卫星是泰坦。"),
    ("木星", "木星是太阳系最大的行星,有九十七颗卫星。"),
    ("长江", "长江是中国最长的河流,流经上海。"),
]


def card(folder: Path, text: str) -> str:
    folder.mkdir()
    (folder / "README.md").write_text(text, "utf-8")
    return str(folder)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("---\nlanguage: en\nlicense: mit\n---\n# Model\n", {"en"}),
        ("---\nlicense: mit\nlanguage:\n- en\n- zh\ntags:\n- de\n---\n", {"en", "zh"}),
        ("---\nlanguage: [no, zh-yue]\n---\n", {"no", "zh-yue"}),
        ("---\nlanguage:\n- multilingual\n- af\n---\n", None),
        ("---\nlicense: mit\n---\nlanguage: en\n", None),
        ("language: en\n", None),
        ("", None),
    ],
)
def test_languages_are_those_of_the_card(tmp_path: Path, text: str, known: set[str] | None) -> None:
    assert languages_of(card(tmp_path / "model", text)) == known


def test_what_says_nothing_may_know_everything(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    assert knows(str(tmp_path / "bare"), "zh")
    assert knows("http://127.0.0.1:8080/v1#model", "zh")
    assert knows("owner/a-model-that-no-cache-has", "zh")


def test_the_embedded_model_knows_english_alone() -> None:
    assert languages_of("default") == {"en"}
    assert knows("default", "en")
    assert knows("default", "simple")
    assert not knows("default", "zh")
    assert not knows("default", "zh-yue")


def test_a_regional_code_is_its_language(tmp_path: Path) -> None:
    chinese = card(tmp_path / "model", "---\nlanguage: zh\n---\n")
    assert knows(chinese, "zh-yue")
    assert not knows(chinese, "en")


@pytest.fixture(scope="module")
def chinese(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import json

    place = tmp_path_factory.mktemp("chinese")
    source = place / "passages.jsonl"
    lines = [json.dumps({"title": title, "text": text}) for title, text in PASSAGES]
    source.write_text("\n".join(lines), "utf-8")
    build_snapshot([source], place / "wiki", date="2026-11-01", language="zh")
    assert ensure_built(place / "wiki") == ["bm25", "dense"]
    return place / "wiki"


def test_a_hybrid_of_another_language_goes_by_words_alone(
    chinese: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hybrid, words = open_retriever(chinese), open_retriever(chinese, "bm25")
    assert isinstance(hybrid, RankedRetriever)
    assert isinstance(hybrid.ranker, BM25Ranker)
    questions = ["土星最大的卫星是什么", "中国最长的河流", "行星"]
    for mine, theirs in zip(hybrid.search(questions, 3), words.search(questions, 3), strict=True):
        assert [hit.chunk.id for hit in mine] == [hit.chunk.id for hit in theirs]
        assert {hit.source for hit in mine} == {"hybrid"}
    weighted = open_retriever(chinese, weights=(1.0, 1.0))
    assert isinstance(weighted, RankedRetriever)
    assert isinstance(weighted.ranker, FusedRanker)
    cli.app(["search", str(chinese), "土星"], standalone_mode=False)
    assert "does not know the language 'zh': a hybrid goes by BM25+" in capsys.readouterr().err


def test_a_model_that_may_know_it_keeps_its_weight(
    chinese: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FunctionEmbedder(lambda texts: np.ones((len(texts), 4)), name="any", dim=4)
    monkeypatch.setattr(index, "shared_embedder", lambda *_: model)
    spec = card(tmp_path / "model", "---\nlanguage: [zh, en]\n---\n")
    retriever = open_retriever(chinese, embedder=spec)
    assert isinstance(retriever, RankedRetriever)
    assert isinstance(retriever.ranker, CandidateRanker)
    assert [hits[0].chunk.revision.title for hits in retriever.search(["木星"], 1)] == ["木星"]
    with Snapshot.open(chinese) as snapshot:
        assert snapshot.manifest.language == "zh"


def test_of_what_is_no_name_nothing_is_known() -> None:
    assert languages_of("./nowhere") is None
