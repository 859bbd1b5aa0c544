"""Models run by sentence-transformers: the route for many texts, and for any model by name."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from corpus.errors import InputError
from corpus.faults import check_room
from retrieval.dense.hub import check_model, load_model
from retrieval.dense.runtime import THREADS
from retrieval.types import Float32Matrix

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

    from retrieval.types import Device

CPU_BATCH = 8
"""Texts a batch on a CPU: eight of 256 tokens keep the activations in the second-level cache."""
GPU_BATCH = 256
ROOM = 2400 << 20
"""Bytes of addresses that torch and a small model take; checked before it is loaded, as it ends the
process where a thread or an allocation fails."""


class SentenceEncoder:
    """An `Embedder` over sentence-transformers: bf16 on CPUs that have it, fp16 on GPUs."""

    def __init__(self, model: str, *, name: str, device: Device = "auto") -> None:
        """Load `model`, a folder or the name of a model of the hub.

        Raises:
            InputError: no such model, or no GPU where one was asked for.
        """
        check_model(model, "embedding model")
        check_room(ROOM)
        self._name = name
        self._place = choose_device(device)
        self._batch = GPU_BATCH if self._place == "cuda" else CPU_BATCH
        self._model = load(model, self._place)

    @property
    def name(self) -> str:
        """Identifies model and version."""
        return self._name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._model.get_embedding_dimension() or 0)

    def encode(self, texts: Sequence[str]) -> Float32Matrix:
        """Return float32 [len(texts), dim], each row of unit length.

        The last step is repeated in float32, since a vector normalised in 16 bits is not of length 1.
        """
        if not texts:
            return np.empty((0, self.dim), np.float32)
        vectors = self._rows(texts) if self._place == "cuda" else self._rows_by_threads(texts)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(norms, 1e-12), np.float32)

    def _rows(self, texts: Sequence[str]) -> Float32Matrix:
        # sentence-transformers sorts the texts by length before it cuts them into batches.
        rows = self._model.encode(
            list(texts), batch_size=self._batch, show_progress_bar=False, convert_to_numpy=True
        )
        return np.asarray(rows, np.float32)

    def _rows_by_threads(self, texts: Sequence[str]) -> Float32Matrix:
        """Return the model's rows, each batch made on one thread, as many at once as processors.

        Threads of torch's own wait for one another in every product, and all of them while a text
        is cut into tokens. Nor does a vector depend on how many processors there are.
        """
        import torch

        order = sorted(range(len(texts)), key=lambda row: -len(texts[row]))
        batches = [order[at : at + self._batch] for at in range(0, len(order), self._batch)]
        vectors = np.empty((len(texts), self.dim), np.float32)

        def embed(batch: list[int]) -> None:
            vectors[batch] = self._rows([texts[row] for row in batch])

        before = torch.get_num_threads()
        with ThreadPoolExecutor(
            THREADS, "embedding", initializer=torch.set_num_threads, initargs=(1,)
        ) as pool:
            # The first sets the tokenizer, which must not be in use while it is set.
            pool.submit(embed, batches[0]).result()
            list(pool.map(embed, batches[1:]))
        # What the workers set for themselves, threads begun later would begin with.
        torch.set_num_threads(before)
        return vectors


def choose_device(device: Device) -> str:
    """Return torch's name of the device.

    Raises:
        InputError: "gpu" where torch sees none.
    """
    import torch

    if device == "gpu" and not torch.cuda.is_available():
        raise InputError(
            "--device gpu: torch sees no NVIDIA device here; "
            "use --device cpu, or install a CUDA build of torch"
        )
    return "cuda" if device != "cpu" and torch.cuda.is_available() else "cpu"


def precision(place: str) -> torch.dtype:
    """Return the narrowest type in which `place` multiplies faster than in float32."""
    import torch

    if place == "cuda":
        return torch.float16
    return torch.bfloat16 if multiplies_bf16() else torch.float32


def multiplies_in_16_bits(device: Device) -> bool:
    """Say whether torch has something narrower than float32 to multiply in on a device.

    Raises:
        InputError: "gpu" where torch sees none.
        MemoryError: there is no room for torch.
    """
    check_room(ROOM)
    import torch

    return precision(choose_device(device)) is not torch.float32


def multiplies_bf16() -> bool:
    """Say whether the processor has instructions for bfloat16.

    oneDNN says yes on every processor with AVX-512, and emulates it where there are none, at half
    the speed of float32.
    """
    import torch

    if platform.machine().lower() in ("x86_64", "amd64"):
        return bool(torch.cpu._is_avx512_bf16_supported())
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


def load(model: str, place: str) -> SentenceTransformer:
    """Load a model by folder or name onto a device.

    Raises:
        InputError: see `retrieval.dense.hub`.
    """
    from sentence_transformers import SentenceTransformer

    options = {"dtype": precision(place)}
    return load_model(
        model,
        "embedding model",
        lambda local: SentenceTransformer(
            model, device=place, model_kwargs=options, local_files_only=local
        ),
    )
