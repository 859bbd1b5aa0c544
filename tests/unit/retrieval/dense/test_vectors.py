from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import faiss
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.errors import BackendError, InputError
from retrieval.dense import faiss_index as dense
from retrieval.dense.embedders import FunctionEmbedder
from retrieval.dense.faiss_index import DenseIndex, build_dense, choose_factory, move_to_gpu, probed
from retrieval.dense.vectors import FILE, Block, Encoding, open_vectors, write_vectors
from retrieval.ranking.owner import OwnedIndex
from retrieval.types import Float32Matrix
from tests.seats import FakeCluster
from tests.unit.retrieval.ranking.test_owner import unit


def hashed(texts: Sequence[str]) -> Float32Matrix:
    return np.array(
        [np.random.default_rng(int(text)).standard_normal(8) for text in texts], np.float32
    )


TEXTS = [str(number) for number in range(25)]
EMBEDDER = FunctionEmbedder(hashed, name="hashed", dim=8)
WHOLE = EMBEDDER.encode(TEXTS).astype(np.float16)


@settings(max_examples=25)
@given(st.integers(1, 30), st.integers(0, 24))
def test_a_killed_build_goes_on_where_it_stopped(
    tmp_path_factory: pytest.TempPathFactory, block: int, stop: int
) -> None:
    folder = tmp_path_factory.mktemp("vectors")
    encoded: list[str] = []

    def fail_at_stop(texts: Sequence[str]) -> Float32Matrix:
        if str(stop) in texts:
            raise KeyboardInterrupt
        encoded.extend(texts)
        return hashed(texts)

    with pytest.raises(KeyboardInterrupt):
        write_vectors(TEXTS, folder, FunctionEmbedder(fail_at_stop, name="x", dim=8), block=block)
    done = stop // block * block
    assert encoded == TEXTS[:done]
    with (folder / FILE).open("ab") as stream:
        stream.write(b"torn")
    seen: list[int] = []
    vectors = write_vectors(TEXTS, folder, EMBEDDER, block=block, on_progress=seen.append)
    assert seen[0] == done
    assert seen[-1] == len(TEXTS)
    np.testing.assert_array_equal(vectors, WHOLE)


@settings(max_examples=25)
@given(st.integers(1, 9), st.integers(0, 8), st.integers(1, 3), st.integers(0, 99))
def test_blocks_of_several_workers_make_the_same_file_and_none_is_made_twice(
    tmp_path_factory: pytest.TempPathFactory, block: int, stop: int, workers: int, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("vectors")

    def encode(piece: Block) -> bytes:
        return EMBEDDER.encode(piece[1]).astype(np.float16).tobytes()

    first = FakeCluster(workers, seed, stop_after=stop)
    second = FakeCluster(workers, seed)
    pieces = -(-len(TEXTS) // block)
    if stop < pieces:
        with pytest.raises(KeyboardInterrupt):
            write_vectors(TEXTS, folder, EMBEDDER, seats=first.seats(lambda: encode), block=block)
    seen: list[int] = []
    vectors = write_vectors(
        TEXTS, folder, EMBEDDER, seats=second.seats(lambda: encode), block=block,
        on_progress=seen.append,
    )  # fmt: skip
    np.testing.assert_array_equal(vectors, WHOLE)
    assert seen[-1] == len(TEXTS)
    assert len({start for start, _ in second.done}) == len(second.done)
    # What the first had done and this process had not yet written, is all that is done again.
    again = {start for start, _ in first.done} & {start for start, _ in second.done}
    assert len(again) <= 4 * workers


def test_a_file_of_another_size_is_refused(tmp_path: Path) -> None:
    write_vectors(TEXTS, tmp_path, EMBEDDER)
    np.testing.assert_array_equal(open_vectors(tmp_path, rows=25, dim=8), WHOLE)
    with pytest.raises(InputError, match="does not hold 26 vectors"):
        open_vectors(tmp_path, rows=26, dim=8)
    with pytest.raises(InputError, match="build the index again"):
        open_vectors(tmp_path / "nowhere", rows=25, dim=8)


def test_no_texts_make_an_empty_index(tmp_path: Path) -> None:
    vectors = write_vectors([], tmp_path, EMBEDDER)
    build_dense(vectors, tmp_path)
    rows, scores = DenseIndex.open(tmp_path, vectors).search(unit(2, 8), 3)
    assert rows.tolist() == [[-1] * 3] * 2
    assert scores.tolist() == [[0.0] * 3] * 2


def test_the_factory_follows_the_size() -> None:
    assert choose_factory(20_000, 384) == "Flat"
    assert choose_factory(20_001, 384) == "SQfp16"
    assert choose_factory(400_000, 384) == "SQfp16"
    assert choose_factory(1_000_000, 384) == "IVF4096,SQfp16"
    assert choose_factory(40_000_000, 384) == "IVF32768,PQ96"
    assert choose_factory(40_000_000, 7) == "IVF32768,PQ1"


@given(dim=st.integers(1, 4096))
def test_a_gpu_takes_the_codes_of_every_dimension(dim: int) -> None:
    size = int(choose_factory(10_000_000, dim).rpartition("PQ")[2])
    assert size in dense.GPU_CODE_SIZES
    assert dim % size == 0
    assert size == 1 or 4 * size <= dim


def test_the_lists_looked_into_follow_their_number() -> None:
    assert [probed(lists) for lists in (16, 512, 1024, 4096, 32768)] == [64, 64, 128, 512, 512]


def exact(vectors: np.ndarray, queries: Float32Matrix, k: int) -> np.ndarray:
    return np.argsort(-(queries @ vectors.astype(np.float32).T), axis=1, kind="stable")[:, :k]


@pytest.mark.parametrize(
    ("factory", "least"),
    [("auto", 1.0), ("SQfp16", 0.99), ("IVF16,SQfp16", 0.99), ("IVF4,PQ16x4", 0.9)],
)
def test_what_is_found_is_near_what_is_there(tmp_path: Path, factory: str, least: float) -> None:
    vectors = unit(2000, 32).astype(np.float16)
    build_dense(vectors, tmp_path, factory)
    index = DenseIndex.open(tmp_path, vectors)
    assert index.size == 2000
    queries = unit(50, 32, seed=5)
    rows, scores = index.search(queries, 10)
    wanted = exact(vectors, queries, 10)
    found = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(rows, wanted, strict=True)])
    assert found >= least
    assert (np.diff(scores, axis=1) <= 1e-6).all()
    expected = index.score(queries[:1], rows[0])
    np.testing.assert_allclose(scores[0], expected[0], atol=2e-3)


FACTORIES = (
    "Flat",
    "SQfp16",
    "SQ8",
    "SQ4",
    "PQ16x4",
    "IVF16,SQfp16",
    "IVF16,SQ4",
    "IVF16,PQ16x4",
    "HNSW16",
)


@pytest.fixture(scope="module", params=FACTORIES)
def structure(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> DenseIndex:
    folder = tmp_path_factory.mktemp("factory")
    # A tenth of the vectors stands twice, as passages of a wiki do.
    vectors = unit(1500, 32, seed=3).astype(np.float16)
    vectors[-150:] = vectors[:150]
    build_dense(vectors, folder, request.param)
    return DenseIndex.open(folder, vectors)


@given(
    asked=st.lists(
        st.tuples(st.integers(0, 199), st.integers(1, 30), st.integers(1, 60)),
        min_size=2,
        max_size=24,
    )
)
@settings(max_examples=4, deadline=None)
def test_no_result_depends_on_who_else_searches(
    structure: DenseIndex, asked: list[tuple[int, int, int]]
) -> None:
    queries = unit(230, 32, seed=4)
    alone = [structure.search(queries[at : at + n], k) for at, n, k in asked]
    owned = OwnedIndex(structure)
    with ThreadPoolExecutor(len(asked)) as pool:
        together = list(
            pool.map(lambda one: owned.search(queries[one[0] : one[0] + one[1]], one[2]), asked)
        )
    owned.close()
    for (rows, scores), (other_rows, other_scores) in zip(alone, together, strict=True):
        assert np.array_equal(rows, other_rows)
        assert np.array_equal(scores, other_scores)


def test_compressed_vectors_are_ranked_by_the_stored_ones(structure: DenseIndex) -> None:
    queries = unit(40, 32, seed=6)
    rows, scores = structure.search(queries, 10)
    for line, found in enumerate(rows):
        expected = structure.score(queries[line : line + 1], found)[0]
        np.testing.assert_allclose(scores[line], expected, atol=1e-6)


def test_fewer_vectors_than_asked_for(tmp_path: Path) -> None:
    vectors = unit(3, 8).astype(np.float16)
    build_dense(vectors, tmp_path)
    rows, scores = DenseIndex.open(tmp_path, vectors).search(unit(1, 8), 5)
    assert sorted(rows[0, :3].tolist()) == [0, 1, 2]
    assert rows[0, 3:].tolist() == [-1, -1]
    assert scores[0, 3:].tolist() == [0, 0]
    assert DenseIndex.open(tmp_path, vectors).search(unit(0, 8), 5)[0].shape == (0, 5)


def test_faults_are_named(tmp_path: Path) -> None:
    vectors = unit(30, 8).astype(np.float16)
    with pytest.raises(InputError, match="--faiss Nonsense: FAISS cannot make"):
        build_dense(vectors, tmp_path, "Nonsense")
    with pytest.raises(InputError, match="30 vectors are too few to train"):
        build_dense(vectors, tmp_path, "IVF256,Flat")
    with pytest.raises(InputError, match="FAISS cannot read it"):
        DenseIndex.open(tmp_path, vectors)
    build_dense(vectors, tmp_path)
    with pytest.raises(InputError, match="holds 30 vectors of 8, the stored ones are 29"):
        DenseIndex.open(tmp_path, vectors[:29])
    (tmp_path / dense.FILE).write_bytes(b"not an index")
    with pytest.raises(InputError, match="build the index again"):
        DenseIndex.open(tmp_path, vectors)


def test_a_gpu_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = unit(30, 8).astype(np.float16)
    build_dense(vectors, tmp_path)
    index = DenseIndex.open(tmp_path, vectors)
    monkeypatch.delattr(faiss, "StandardGpuResources", raising=False)
    with pytest.raises(InputError, match="has no GPU code"):
        move_to_gpu(index)
    monkeypatch.setattr(faiss, "StandardGpuResources", object, raising=False)
    monkeypatch.setattr(faiss, "get_num_gpus", lambda: 0)
    with pytest.raises(InputError, match="sees no NVIDIA device"):
        move_to_gpu(index)


def test_an_index_on_a_gpu_stands_behind_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Options:
        useFloat16 = False  # noqa: N815 - FAISS's own name

    vectors = unit(30, 8).astype(np.float16)
    build_dense(vectors, tmp_path)
    index = DenseIndex.open(tmp_path, vectors)
    copies = []

    def copy(resources: object, device: int, structure: object, options: Options) -> object:
        copies.append((device, options.useFloat16))
        return structure

    monkeypatch.setattr(faiss, "StandardGpuResources", object, raising=False)
    monkeypatch.setattr(faiss, "get_num_gpus", lambda: 1)
    monkeypatch.setattr(faiss, "GpuClonerOptions", Options, raising=False)
    monkeypatch.setattr(faiss, "index_cpu_to_gpu", copy, raising=False)
    monkeypatch.setattr(dense, "GPU_K", 12)
    owned = move_to_gpu(index)
    queries = unit(3, 8, seed=2)
    for k in (4, 12, 13, 30, 31):
        assert np.array_equal(owned.search(queries, k)[0], index.search(queries, k)[0])
    owned.close()
    bounded = DenseIndex(index.structure, vectors, fine=True, most=12)
    with pytest.raises(InputError, match="13 rows asked for, this index returns 12 at most"):
        bounded.search(queries, 13)
    assert copies == [(0, True)]

    def full(*given: object) -> object:
        raise RuntimeError("out of memory")

    monkeypatch.setattr(faiss, "index_cpu_to_gpu", full, raising=False)
    with pytest.raises(BackendError, match="cannot hold this index"):
        move_to_gpu(index)


def test_a_worker_with_another_model_is_refused() -> None:
    with pytest.raises(InputError, match="where this machine has another: install the same"):
        Encoding(spec="default", name="another")()
