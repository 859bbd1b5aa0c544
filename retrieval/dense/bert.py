"""A BERT sentence encoder in ONNX Runtime: the short path for queries, which never imports torch.

Loading torch and sentence-transformers takes several seconds, encoding five questions takes a
few hundredths: this route runs the same weights from a sentence-transformers folder with
ONNX Runtime, tokenizers and safetensors alone. Pooling is the mean or the first token, as in Reimers
and Gurevych 2019.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import InputError
from corpus.files import parse_json, read_text
from retrieval.dense.runtime import THREADS, Array
from retrieval.dense.transformer import Encoder, Layer, Weights
from retrieval.types import Float32Matrix, Precision

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

TOKENS_PER_BATCH = 1024
"""Padded tokens of one forward pass: activations of the feed-forward layer stay within cache."""
WORTH_A_THREAD = 256
"""Tokens below which a batch is not split to keep another thread busy."""


class BertEncoder:
    """An `Embedder` over a folder in the layout of sentence-transformers. Thread-safe."""

    def __init__(
        self,
        *,
        name: str,
        weights: Weights,
        tokenizer: Tokenizer,
        pooling: str,
        limit: int,
        precision: Precision = "float",
    ) -> None:
        self._name = name
        self._dim = int(weights.words.shape[1])
        self._encoder = Encoder(weights, precision=precision)
        self._tokenizer = tokenizer
        self._pooling = pooling
        self._limit = limit

    @classmethod
    def open(cls, folder: Path, *, name: str, precision: Precision = "float") -> BertEncoder:
        """Load the encoder in `folder`.

        Args:
            folder: in the layout of sentence-transformers.
            name: of the model.
            precision: what it multiplies in, here float32 or 8 bits.

        Raises:
            InputError: the folder holds another architecture than this file runs.
        """
        reason = refusal(folder)
        if reason is not None:
            raise InputError(f"{folder}: {reason}; use the torch route for this model")
        config = read_json(folder / "config.json")
        pooling = read_json(folder / "1_Pooling" / "config.json")
        limit = read_json(folder / "sentence_bert_config.json").get("max_seq_length")
        return cls(
            name=name,
            weights=load_weights(folder / "model.safetensors", config),
            tokenizer=open_tokenizer(folder),
            pooling="mean" if pooling.get("pooling_mode_mean_tokens") else "first",
            limit=int(limit or config["max_position_embeddings"]),
            precision=precision,
        )

    @property
    def name(self) -> str:
        """Identifies model and version."""
        return self._name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._dim

    def encode(self, texts: Sequence[str]) -> Float32Matrix:
        """Return float32 [len(texts), dim], each row of unit length."""
        vectors = np.empty((len(texts), self.dim), np.float32)
        tokens = [_cut(one, self._limit) for one in self._tokenizer.encode_batch(list(texts))]
        lengths = [len(ids) for ids in tokens]
        share = max(WORTH_A_THREAD, -(-sum(lengths) // THREADS))
        batches = length_batches(lengths, min(TOKENS_PER_BATCH, share))

        def embed(rows: list[int]) -> None:
            vectors[rows] = self._embed([tokens[row] for row in rows])

        if len(batches) == 1:
            embed(batches[0])
        elif batches:
            with ThreadPoolExecutor(THREADS) as pool:
                list(pool.map(embed, batches))
        return vectors

    def _embed(self, tokens: Sequence[list[int]]) -> Array:
        states = self._encoder.states(tokens)
        lengths = np.array([len(ids) for ids in tokens])
        first = np.cumsum(lengths) - lengths
        if self._pooling == "first":
            pooled = states[first]
        else:
            pooled = np.add.reduceat(states, first, axis=0) / lengths[:, None]
        norms = np.linalg.norm(pooled, axis=1, keepdims=True)
        return np.asarray(pooled / np.maximum(norms, 1e-12), np.float32)


@lru_cache(maxsize=4)
def open_tokenizer(folder: Path) -> Tokenizer:
    """Return the tokenizer of a model's folder, which neither cuts nor pads; models share it."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _cut(encoding: Encoding, limit: int) -> list[int]:
    """Return the numbers of a text's tokens, at most `limit` with what closes it."""
    ids: list[int] = encoding.ids
    if len(ids) <= limit:
        return ids
    closing = list(takewhile(bool, reversed(encoding.special_tokens_mask)))
    return ids[: limit - len(closing)] + ids[len(ids) - len(closing) :]


def refusal(folder: Path) -> str | None:
    """Say why this file cannot run the model in `folder`, or None where it can."""
    for file in ("config.json", "modules.json", "tokenizer.json", "model.safetensors"):
        if not (folder / file).is_file():
            return f"no {file}"
    config = read_json(folder / "config.json")
    kind = config.get("model_type")
    if kind != "bert" or config.get("hidden_act") != "gelu":
        return f"model type {kind!r} with activation {config.get('hidden_act')!r}"
    if config.get("position_embedding_type", "absolute") != "absolute":
        return "relative positions"
    modules = [module["type"].rsplit(".", 1)[-1] for module in read_json(folder / "modules.json")]
    if modules[:2] != ["Transformer", "Pooling"] or modules[2:] not in ([], ["Normalize"]):
        return f"modules {', '.join(modules)}"
    pooling = read_json(folder / "1_Pooling" / "config.json")
    chosen = {key for key, value in pooling.items() if key.startswith("pooling_mode_") and value}
    if chosen not in ({"pooling_mode_mean_tokens"}, {"pooling_mode_cls_token"}):
        return f"pooling {', '.join(sorted(chosen))}"
    return None


def read_json(path: Path) -> Any:
    """Return the content of a JSON file.

    Raises:
        InputError: it is none.
    """
    return parse_json(read_text(path), str(path))


def load_weights(path: Path, config: dict[str, Any]) -> Weights:
    """Open a safetensors file as the arrays that an `Encoder` is made of, mapped where they can be."""
    stored = mapped(path)
    prefix = "bert." if "bert.embeddings.word_embeddings.weight" in stored else ""

    def get(name: str) -> Array:
        return np.asarray(stored[prefix + name], np.float32)

    def norm(name: str) -> tuple[Array, Array]:
        return get(f"{name}.LayerNorm.weight"), get(f"{name}.LayerNorm.bias")

    def layer(index: int) -> Layer:
        at = f"encoder.layer.{index}"
        own = [f"{at}.attention.self.{part}" for part in ("query", "key", "value")]
        return Layer(
            attention_in=np.concatenate([get(f"{part}.weight") for part in own]),
            attention_in_bias=np.concatenate([get(f"{part}.bias") for part in own]),
            attention_out=get(f"{at}.attention.output.dense.weight"),
            attention_out_bias=get(f"{at}.attention.output.dense.bias"),
            attention_norm=norm(f"{at}.attention.output"),
            widen=get(f"{at}.intermediate.dense.weight"),
            widen_bias=get(f"{at}.intermediate.dense.bias"),
            narrow=get(f"{at}.output.dense.weight"),
            narrow_bias=get(f"{at}.output.dense.bias"),
            norm=norm(f"{at}.output"),
        )

    positions = get("embeddings.position_embeddings.weight")
    return Weights(
        words=get("embeddings.word_embeddings.weight"),
        positions=positions + get("embeddings.token_type_embeddings.weight")[0],
        norm=norm("embeddings"),
        layers=tuple(layer(index) for index in range(config["num_hidden_layers"])),
        heads=int(config["num_attention_heads"]),
        epsilon=float(config["layer_norm_eps"]),
    )


def mapped(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a safetensors file by their names.

    Those in float32 are the file itself, read where they are used: processes that serve together have
    them once, and memory that is short need not hold them.
    """
    from safetensors import safe_open

    found: dict[str, NDArray[Any]] = {}
    with safe_open(str(path), framework="numpy") as stored:
        # By now it is known that the header is one, and of the file's length.
        with path.open("rb") as file:
            start = 8 + int.from_bytes(file.read(8), "little")
            told = parse_json(file.read(start - 8).decode(), str(path))
        content = np.memmap(path, np.uint8, mode="r")
        for name in stored.keys():  # noqa: SIM118 - not a mapping
            first, last = (start + offset for offset in told[name]["data_offsets"])
            if told[name]["dtype"] == "F32" and first % 4 == 0:
                found[name] = content[first:last].view(np.float32).reshape(told[name]["shape"])
            else:
                found[name] = stored.get_tensor(name)
    return found


def length_batches(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Group row numbers by length, longest first, so that a padded group has <= `budget` tokens."""
    order = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    batches: list[list[int]] = []
    room = 0
    for row in order:
        if room == 0:
            batches.append([])
            room = max(1, budget // max(1, lengths[row]))
        batches[-1].append(row)
        room -= 1
    return batches
