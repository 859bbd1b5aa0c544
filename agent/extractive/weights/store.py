"""Trained layers over the embedded encoder, as safetensors of few bits.

Training moves the encoder's matrices by a tenth of their size: the difference in 4 bits is as near to
what was trained as the matrix in 8 bits, and half as large.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from retrieval.dense.bert import load_weights, read_json
from retrieval.dense.bert import open_tokenizer as tokenizer_in
from retrieval.dense.embedders import embedded_folder
from retrieval.dense.runtime import Array
from retrieval.dense.transformer import Layer, Weights

if TYPE_CHECKING:
    from tokenizers import Tokenizer

FOLDER = Path(__file__).parent
SCALE = ".scale"
"""Ending of the name of a matrix's scales: float32, one a row of an int8 matrix; float16, one for
each group of columns of a row where the 4-bit difference to the encoder's own matrix is kept."""
GROUP = 128
"""Columns that share a scale where a matrix is written; read is what a file has."""
LARGE = 1 << 15
"""Numbers from which a matrix of its own is kept in 8 bits."""


def write_layers(path: Path, state: Mapping[str, Array]) -> None:
    """Write a trained model: what the encoder has by its difference in 4 bits, large matrices in 8.

    Args:
        path: of the safetensors file, replaced.
        state: the weights by the names of transformers' BertModel, under `trunk.`; the heads
            under names of their own. Embeddings are left out.
    """
    from safetensors.numpy import save_file

    kept: dict[str, Any] = {}
    with _encoder_matrices() as base:
        for name, value in state.items():
            name = name.removeprefix("trunk.")
            if name.startswith("embeddings."):
                continue
            if name.startswith("encoder.") and value.ndim == 2:
                kept[name], kept[name + SCALE] = _packed(value - base.get_tensor(name))
            elif value.ndim == 2 and value.size >= LARGE:
                scale = np.maximum(np.abs(value).max(axis=1), 1e-8) / 127
                kept[name] = np.round(value / scale[:, None]).astype(np.int8)
                kept[name + SCALE] = scale.astype(np.float32)
            else:
                kept[name] = value.astype(np.float32)
    path.parent.mkdir(parents=True, exist_ok=True)
    save_file(kept, str(path))


def read_layers(path: Path) -> dict[str, Array]:
    """The weights that `write_layers` wrote, as float32, by the same names."""
    from safetensors import safe_open

    found: dict[str, Array] = {}
    with safe_open(str(path), framework="numpy") as stored, _encoder_matrices() as base:
        names = set(stored.keys())
        for name in sorted(names):
            if name.endswith(SCALE):
                continue
            value = stored.get_tensor(name)
            if value.dtype == np.uint8:
                value = base.get_tensor(name) + _unpacked(value, stored.get_tensor(name + SCALE))
            elif name + SCALE in names:
                # 8 bits times float32 is float32: nothing is widened on the way.
                value = value * stored.get_tensor(name + SCALE)[:, None]
            found[name] = np.asarray(value, np.float32)
    return found


def _encoder_matrices() -> Any:
    from safetensors import safe_open

    return safe_open(str(embedded_folder() / "model.safetensors"), framework="numpy")


def _packed(difference: Array) -> tuple[Any, Any]:
    """A matrix as 4-bit integers, two a byte, and the scale of each group of columns."""
    groups = difference.reshape(len(difference), -1, GROUP)
    scale = np.maximum(np.abs(groups).max(axis=2) / 7, 1e-7).astype(np.float16)
    whole = np.round(groups / scale[:, :, None].astype(np.float32)).clip(-7, 7) + 8
    nibbles = whole.reshape(len(difference), -1).astype(np.uint8)
    return nibbles[:, ::2] << 4 | nibbles[:, 1::2], scale


def _unpacked(packed: Any, scale: Any) -> Array:
    """What `_packed` kept, as float32."""
    nibbles = np.empty((len(packed), 2 * packed.shape[1]), np.float32)
    nibbles[:, ::2], nibbles[:, 1::2] = packed >> 4, packed & 15
    groups = nibbles.reshape(*scale.shape, -1)
    groups -= 8
    groups *= scale[:, :, None].astype(np.float32)
    return nibbles


@lru_cache(maxsize=1)
def embedded_weights() -> Weights:
    """The embedded encoder: its embeddings are shared by every model here."""
    folder = embedded_folder()
    return load_weights(folder / "model.safetensors", read_json(folder / "config.json"))


def encoder_of(state: Mapping[str, Array]) -> Weights:
    """An encoder of trained layers over the embedded embeddings."""
    base = embedded_weights()
    layers = []
    for number in range(len(base.layers)):
        prefix = f"encoder.layer.{number}."
        if prefix + "output.dense.weight" not in state:
            layers.append(base.layers[number])
            continue
        layers.append(_layer(state, prefix))
    return Weights(
        words=base.words,
        positions=base.positions,
        norm=base.norm,
        layers=tuple(layers),
        heads=base.heads,
        epsilon=base.epsilon,
    )


def _layer(state: Mapping[str, Array], prefix: str) -> Layer:
    def matrix(name: str) -> Array:
        return state[f"{prefix}{name}.weight"]

    def bias(name: str) -> Array:
        return state[f"{prefix}{name}.bias"]

    def norm(name: str) -> tuple[Array, Array]:
        return state[f"{prefix}{name}.weight"], state[f"{prefix}{name}.bias"]

    parts = [f"attention.self.{part}" for part in ("query", "key", "value")]
    return Layer(
        attention_in=np.concatenate([matrix(part) for part in parts]),
        attention_in_bias=np.concatenate([bias(part) for part in parts]),
        attention_out=matrix("attention.output.dense"),
        attention_out_bias=bias("attention.output.dense"),
        attention_norm=norm("attention.output.LayerNorm"),
        widen=matrix("intermediate.dense"),
        widen_bias=bias("intermediate.dense"),
        narrow=matrix("output.dense"),
        narrow_bias=bias("output.dense"),
        norm=norm("output.LayerNorm"),
    )


def open_tokenizer() -> Tokenizer:
    """The embedded model's tokenizer, without padding or truncation."""
    return tokenizer_in(embedded_folder())
