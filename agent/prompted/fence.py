"""Corpus text goes to a model as data: inside a fence it cannot close, holding no mark it can forge.

The fence's key is a hash of what it encloses, so the text would have to contain its own hash to
close it; and it is the same whenever the text is, so recorded calls stay valid. What looks like a
tag of ours or a citation mark is written with look-alike brackets, which are turned back in quotes.
"""

from __future__ import annotations

import hashlib
import re

from agent.citations import MARK, locate
from corpus.types import Chunk

_TAG = re.compile(
    r"<(?=\s*[/|]?\s*(?:data|search|read|tool|function|system|user|assistant|im_))", re.I
)
_DISGUISE = str.maketrans({"[": "⟦", "]": "⟧", "【": "⦗", "】": "⦘"})
_ROUNDED = str.maketrans({"⟦": "(", "⟧": ")", "⦗": "(", "⦘": ")", "‹": "<"})
_UNDISGUISE = str.maketrans({"⟦": "[", "⟧": "]", "⦗": "【", "⦘": "】", "‹": "<"})


def fenced(text: str) -> str:
    """Return corpus text, harmless, between an opening and a closing line that share a key."""
    return enclosed(harmless(text))


def enclosed(text: str) -> str:
    """Return text that is harmless already, perhaps with marks of our own, in a fence."""
    key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"<data {key}>\n{text}\n</data {key}>"


def harmless(text: str) -> str:
    """Return corpus text in which nothing reads as a citation mark or as a tag of a protocol."""
    return _TAG.sub("‹", MARK.sub(lambda mark: mark[0].translate(_DISGUISE), text))


def plain(text: str) -> str:
    """Turn the look-alike brackets of `harmless` back."""
    return text.translate(_UNDISGUISE)


def rounded(text: str) -> str:
    """Write look-alike marks that a model copied into its answer as `(3)`: they cite nothing."""
    return text.translate(_ROUNDED)


def quoted_words(quote: str, chunk: Chunk) -> str:
    """Return a model's quote as the chunk has it, where only look-alike brackets differ."""
    if locate(quote, chunk) is None and locate(plain(quote), chunk) is not None:
        return plain(quote)
    return quote
