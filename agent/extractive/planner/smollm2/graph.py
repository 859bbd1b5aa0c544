"""The layers of SmolLM2 as a graph: their 4-bit weights as they are stored, updates of low rank beside.

Architecture: Llama's (Touvron et al. 2023), with grouped queries. Updates: Hu et al. 2022 (LoRA).

A block of 32 weights is stored as scale * level + least, levels from 0 to 15; the runtime multiplies
scale * (level - 8), its states rounded to 8 bits a block. What lies between, least + 8 * scale, is
the same for all 32 and meets the sum of their states: a matrix of a 32nd of the size, in float32. It
goes through the same two products as the updates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.extractive.planner.smollm2.gguf import BLOCK, Q4_1, GgufFile
from retrieval.dense.onnx import Dimension, Graph, Model
from retrieval.dense.runtime import Array

LONGEST = 1024
"""Tokens of a text, and of what is written after it; the model was made for 8192."""
JOINED = {"qkv": ("q", "k", "v"), "o": ("o",), "wide": ("gate", "up"), "down": ("down",)}
"""Linear layers of the same input, which are one product here."""
_STORED = {
    "q": "attn_q", "k": "attn_k", "v": "attn_v", "o": "attn_output", "gate": "ffn_gate",
    "up": "ffn_up", "down": "ffn_down",
}  # fmt: skip
_WHOLE = np.dtype((np.void, Q4_1.itemsize))
_WORDS = np.dtype([("before", "V4"), ("levels", "V16")])
"""A block whole, and its levels as one: so they are copied many times faster than by their fields."""
_MIDDLE = 8
"""The level that the runtime takes for 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How large the model is."""

    layers: int
    hidden: int
    heads: int
    groups: int
    """Heads of keys and values."""
    epsilon: float
    base: float
    """Of the rotary positions."""

    @property
    def head(self) -> int:
        """Length of a head."""
        return self.hidden // self.heads

    @classmethod
    def of(cls, file: GgufFile) -> Shape:
        """Return what a file says of it."""
        said = file.metadata
        return cls(
            layers=said["llama.block_count"],
            hidden=said["llama.embedding_length"],
            heads=said["llama.attention.head_count"],
            groups=said["llama.attention.head_count_kv"],
            epsilon=said["llama.attention.layer_norm_rms_epsilon"],
            base=said["llama.rope.freq_base"],
        )


def graph_of(file: GgufFile, shape: Shape, updates: Mapping[str, Array]) -> Model:
    """Return the layers as a model.

    Inputs: the embedded new tokens of all rows [tokens, hidden]; the rows of the cache that they go on
    from; [rows, new tokens of each, -1]; the length less one, for each row, and the length; the
    cache. Outputs: states of the new tokens, and the cache with them.

    Raises:
        ValueError: an update is of no layer, or its two parts do not fit.
    """
    known = {f"layers.{number}.{part}" for number in range(shape.layers) for part in _STORED}
    if unknown := {name for name in updates if name.rpartition(".")[0] not in known}:
        raise ValueError(f"updates of no layer: {', '.join(sorted(unknown)[:3])}")
    graph = Graph()
    layers = _Layers(graph, file, shape, updates)
    states = graph.input("embedded", "float32", ["tokens", shape.hidden])
    for number in range(shape.layers):
        mixed = layers.product(layers.normalised(states, f"blk.{number}.attn_norm"), number, "qkv")
        found = layers.product(layers.attended(mixed, number), number, "o")
        states = graph.node("Add", states, found)
        wide = layers.product(layers.normalised(states, f"blk.{number}.ffn_norm"), number, "wide")
        parts = graph.node("Split", wide, axis=1, num_outputs=2, outputs=2)
        gate = graph.node("QuickGelu", f"{parts}/0", domain="com.microsoft", alpha=1.0)
        gated = graph.node("Mul", gate, f"{parts}/1")
        states = graph.node("Add", states, layers.product(gated, number, "down"))
    states = layers.normalised(states, "output_norm")
    graph.output(states, "float32", ["tokens", shape.hidden])
    for cache in layers.caches:
        graph.output(cache, "float32", layers.kept)
    return graph.model()


class _Layers:
    """What layers are made of; every method returns the name of what it makes."""

    def __init__(
        self, graph: Graph, file: GgufFile, shape: Shape, updates: Mapping[str, Array]
    ) -> None:
        self._graph, self._file, self._shape, self._updates = graph, file, shape, updates
        self._rows = graph.input("rows", "int64", ["rows"])
        self._split = graph.input("shape", "int64", [3])
        self._before = graph.input("before", "int32", ["rows"])
        self._length = graph.input("length", "int32", [])
        self._flat = graph.constant(np.array([-1, shape.hidden], np.int64))
        frequencies = shape.base ** (-np.arange(0, 1, 2 / shape.head))
        angles = np.arange(LONGEST)[:, None] * frequencies
        self._turns = [graph.constant(turn(angles).astype(np.float32)) for turn in (np.cos, np.sin)]
        self.kept: list[Dimension] = ["rows", shape.groups, "length", shape.head]
        """Lengths of a part of the cache."""
        self.caches: list[str] = []

    def normalised(self, states: str, name: str) -> str:
        """RMS norm, as the file names it."""
        scale = self._graph.constant(
            self._file.tensors[f"{name}.weight"][paired(self._shape.hidden)]
        )
        return self._graph.node(
            "SimplifiedLayerNormalization", states, scale, epsilon=self._shape.epsilon
        )

    def product(self, states: str, number: int, name: str) -> str:
        """What the linear layers of one input make of it, one beside the other."""
        graph = self._graph
        parts = [
            _Part.of(self._file, self._shape, self._updates, number, part) for part in JOINED[name]
        ]
        blocks = np.concatenate([part.blocks for part in parts]).view(Q4_1)
        out, width = len(blocks), blocks.shape[1] * BLOCK
        scales = blocks["scale"].astype(np.float32)
        levels = np.ascontiguousarray(blocks.view(_WORDS)["levels"])
        middles = blocks["least"].astype(np.float32) + _MIDDLE * scales
        found = graph.node(
            "MatMulNBits",
            states,
            graph.constant(levels.view(np.uint8).reshape(out, -1, BLOCK // 2)),
            graph.constant(scales),
            domain="com.microsoft",
            K=width,
            N=out,
            bits=4,
            block_size=BLOCK,
            accuracy_level=4,
        )
        narrow, widen = _narrow(parts, middles)
        beside = graph.node("Gemm", states, graph.constant(narrow), transB=1)
        return graph.node("Gemm", beside, graph.constant(widen), found, transB=1)

    def attended(self, mixed: str, number: int) -> str:
        """Attention of the new tokens to all of their row."""
        graph, shape = self._graph, self._shape
        past = []
        for which in (2 * number, 2 * number + 1):
            whole = graph.input(
                f"past{which}", "float32", ["all", self.kept[1], "past", self.kept[3]]
            )
            past.append(graph.node("Gather", whole, self._rows))
        found = graph.node(
            "GroupQueryAttention",
            graph.node("Reshape", mixed, self._split),
            "",
            "",
            *past,
            self._before,
            self._length,
            *self._turns,
            domain="com.microsoft",
            outputs=3,
            num_heads=shape.heads,
            kv_num_heads=shape.groups,
            do_rotary=1,
        )
        self.caches.extend([f"{found}/1", f"{found}/2"])
        return graph.node("Reshape", f"{found}/0", self._flat)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A linear layer and its update, both in the order of the graph."""

    blocks: NDArray[np.void]
    """[out, blocks of 20 bytes]"""
    down: Array
    """[rank, in]; a rank of 0 is no update."""
    up: Array
    """[out, rank]"""

    @classmethod
    def of(
        cls, file: GgufFile, shape: Shape, updates: Mapping[str, Array], number: int, part: str
    ) -> _Part:
        stored = file.tensors[f"blk.{number}.{_STORED[part]}.weight"]
        out, width = stored.shape[0], stored.shape[1] * BLOCK
        name = f"layers.{number}.{part}"
        down = updates.get(f"{name}.down", np.zeros((0, width), np.float32))[:, paired(width)]
        up = updates.get(f"{name}.up", np.zeros((out, 0), np.float32))
        if down.shape != (up.shape[1], width) or len(up) != out:
            raise ValueError(f"update {name}: {down.shape} and {up.shape} do not fit")
        if part in ("q", "k"):
            # llama.cpp turns numbers side by side, and stores them so; here the first half of a head
            # turns with the second.
            rows = np.arange(out).reshape(-1, shape.head // 2, 2).swapaxes(1, 2).ravel()
        else:
            rows = paired(out)
            up = up[rows]
        return cls(blocks=stored.view(_WHOLE)[rows], down=down, up=up)


def _narrow(parts: Sequence[_Part], middles: Array) -> tuple[Array, Array]:
    """Return the two products beside that of the levels: [narrow, in] and [out, narrow].

    Args:
        parts: with the updates.
        middles: of the blocks, [out, blocks].
    """
    out, blocks = middles.shape
    # The sum of each block's states is a product, too: with a matrix of ones and zeros.
    sums = np.repeat(np.eye(blocks, dtype=np.float32), BLOCK, axis=1)
    narrow = np.concatenate([sums, *(part.down for part in parts)], dtype=np.float32)
    widen = np.zeros((out, len(narrow)), np.float32)
    widen[:, :blocks] = middles
    row, column = 0, blocks
    for part in parts:
        ends = row + part.up.shape[0], column + part.up.shape[1]
        widen[row : ends[0], column : ends[1]] = part.up
        row, column = ends
    return narrow, widen


def paired(count: int) -> NDArray[np.int64]:
    """Return the place of each number in the file's order, [count].

    A byte of the file holds numbers 16 apart, and the runtime takes them for two side by side. So
    all states of the graph are in its order, and no weight need be taken apart.
    """
    halves = np.arange(count).reshape(-1, 2, BLOCK // 2)
    return halves.swapaxes(1, 2).ravel()
