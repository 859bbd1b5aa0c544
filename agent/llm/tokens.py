"""Counting tokens without a network: as the model does where its encoding is known, else an estimate."""

from __future__ import annotations

import math
import os
import string
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from corpus.machine.packages import is_installed

if TYPE_CHECKING:
    import tiktoken

    from agent.llm.port import Message

MESSAGE_OVERHEAD = 4
"""Tokens that OpenAI's chat format adds to each message; the reply's opening adds 3 more."""


class TokenCounter(Protocol):
    """Measures texts as a model would."""

    @property
    def name(self) -> str:
        """What counted: an encoding's name, or "estimate"."""
        ...

    def __call__(self, text: str) -> int:
        """Return the number of tokens in `text`."""
        ...


_LETTERS = string.ascii_letters.encode()
_DIGITS = string.digits.encode()
_MARKS = (string.punctuation + "\n").encode()
_ACCENTED = range(0xC2, 0xE3)
"""Bytes of UTF-8 that begin a character of a spaced script outside ASCII."""
_WIDE = range(0xE3, 0xF5)
"""Bytes that begin an ideograph, kana, hangul or emoji."""
_KINDS = bytes(
    next((kind for kind, these in (
        (b"a", _LETTERS), (b"1", _DIGITS), (b".", _MARKS), (b"e", _ACCENTED), (b"w", _WIDE)
    ) if byte in these), b" ")[0]
    for byte in range(256)
)  # fmt: skip
"""Of each byte a letter that stands for its kind."""
_WORDS = bytes(byte if byte == ord("a") else ord(" ") for byte in range(256))
"""Of each letter in `_KINDS`, the same with all but letters blank."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate for models whose tokenizer is not at hand, leaning to the high side.

    A weighted count of words, letters, digits, marks, accented letters and ideographs, fitted to
    cl100k_base on Wikipedia text and raised by a tenth; `bench/token_estimate.py` measures it.
    """

    name: str = "estimate"

    def __call__(self, text: str) -> int:
        """Return about how many tokens `text` has."""
        kinds = text.encode("utf-8", "replace").translate(_KINDS)
        words = kinds.translate(_WORDS)
        return math.ceil(
            0.98 * (words.count(b" a") + words.startswith(b"a"))
            + 0.065 * (len(words) - words.count(b" "))
            + 1.0 * kinds.count(b"1")
            + 0.62 * kinds.count(b".")
            + 1.9 * kinds.count(b"e")
            + 1.4 * kinds.count(b"w")
        )


@dataclass(frozen=True, slots=True)
class Encoding:
    """Counts with an OpenAI encoding."""

    name: str
    encoding: tiktoken.Encoding

    def __call__(self, text: str) -> int:
        """Return the number of tokens in `text`, special tokens read as plain text."""
        return len(self.encoding.encode_ordinary(text))


_LOAD = threading.Lock()
_CARRIED = frozenset({"cl100k_base", "o200k_base", "o200k_harmony"})
"""Encodings whose files are at hand; for others tiktoken would go to the network."""


@lru_cache(maxsize=8)
def counter_for(model: str) -> TokenCounter:
    """Return the counter for a model's name, such as "gpt-4o", "openai/gpt-4o-2024-08-06".

    Encodings come from the files that llama-index-core carries, so this works without a network;
    where that package is not installed, and for a model that tiktoken does not know, it is the estimate.
    """
    name = encoding_name(model)
    folder = _cache_folder()
    if name not in _CARRIED or folder is None or not any(folder.iterdir()):
        return Estimate()
    import tiktoken

    with _LOAD:
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        # tiktoken reads its folder from the environment alone, and only while loading.
        os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        try:
            return Encoding(name, tiktoken.get_encoding(name))
        except (OSError, ValueError):
            return Estimate()
        finally:
            if before is None:
                del os.environ["TIKTOKEN_CACHE_DIR"]
            else:
                os.environ["TIKTOKEN_CACHE_DIR"] = before


def encoding_name(model: str) -> str | None:
    """Return the encoding tiktoken names for a model, or None."""
    if not is_installed("tiktoken"):
        return None
    import tiktoken

    try:
        return tiktoken.encoding_name_for_model(model.rpartition("/")[2])
    except KeyError:
        return None


def _cache_folder() -> Path | None:
    if not is_installed("llama_index"):
        return None
    spec = find_spec("llama_index.core")
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "_static" / "tiktoken_cache"
    return folder if folder.is_dir() else None


def most_tokens(text: str) -> int:
    """Return a number of tokens that no counter here exceeds for `text`: a little over its bytes.

    An encoding has no token of less than a byte; the estimate gives two bytes 2.05 tokens at most
    (a digit and a letter in turn).
    """
    size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    return size + size // 16 + 3


def count_messages(messages: Sequence[Message], count: TokenCounter) -> int:
    """Return the tokens of a conversation as a chat model is billed for it."""
    return 3 + sum(
        MESSAGE_OVERHEAD
        + count(message.content)
        + sum(
            count(call.name) + count(call.raw or str(call.arguments)) for call in message.tool_calls
        )
        for message in messages
    )
