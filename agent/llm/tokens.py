"""Counting tokens without a network: as the model does where its encoding is known, else an estimate."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

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


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate for models whose tokenizer is not at hand, leaning to the high side.

    One token per 3.6 letters of a spaced script, per digit pair, per 1.2 ideographs, per
    punctuation mark. Compared with o200k_base and cl100k_base in docs/models.md.
    """

    name: str = "estimate"

    def __call__(self, text: str) -> int:
        """Return about how many tokens `text` has."""
        if text.isascii():
            return _ascii(text)
        wide = sum(1 for character in text if ord(character) >= 0x2E80)
        accented = sum(1 for character in text if 0x80 <= ord(character) < 0x2E80)
        plain = "".join(character for character in text if ord(character) < 0x80)
        return _ascii(plain) + int(wide / 1.2 + accented / 1.6) + 1


def _ascii(text: str) -> int:
    marks = sum(map(text.count, "\n|()[]{}<>\"':;,.=*#/\\-_&%$"))
    digits = sum(map(text.count, "0123456789"))
    return int((len(text) - marks - digits) / 4.6 + marks * 0.75 + digits / 2) + 1


@dataclass(frozen=True, slots=True)
class Encoding:
    """Counts with an OpenAI encoding."""

    name: str
    encoding: tiktoken.Encoding

    def __call__(self, text: str) -> int:
        """Return the number of tokens in `text`, special tokens read as plain text."""
        return len(self.encoding.encode_ordinary(text))


_LOAD = threading.Lock()


@lru_cache(maxsize=8)
def counter_for(model: str) -> TokenCounter:
    """Return the counter for a model's name, such as "gpt-4o", "openai/gpt-4o-2024-08-06".

    Encodings come from the files that llama-index-core carries, so this works without a network;
    a model that tiktoken does not know gets the estimate.
    """
    name = encoding_name(model)
    folder = _cache_folder()
    if name is None or folder is None:
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
    import tiktoken

    try:
        return tiktoken.encoding_name_for_model(model.rpartition("/")[2])
    except KeyError:
        return None


def _cache_folder() -> Path | None:
    spec = find_spec("llama_index.core")
    if spec is None or not spec.submodule_search_locations:
        return None
    folder = Path(next(iter(spec.submodule_search_locations))) / "_static" / "tiktoken_cache"
    return folder if folder.is_dir() else None


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
