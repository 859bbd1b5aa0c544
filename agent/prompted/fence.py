"""Corpus text goes to a model as data: inside a fence it cannot close, holding no mark it can forge.

The fence's key is a hash of what it encloses, so the text would have to contain its own hash to
close it; and it is the same whenever the text is, so recorded calls stay valid. What looks like a
tag of ours or a citation mark is written with look-alike brackets, which are turned back in quotes.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from agent.citations import MARK, locate
from corpus.types import Chunk

_HIDDEN = r"[\u200b-\u200f\u2060-\u2064\ufeff\u00ad\u180e]*"
"""Characters without width, which may stand inside a token to hide it."""
_NAMES = (
    "data|search|read|tool|function|system|user|assistant|im_|start_|end_|begin_|eot|eom|bos|eos|think|"
    "channel|message|call|return|header|endoftext|s>|/s>|pad|unk|fim|python|unused|sop"
)
_BRACKETED = (
    "INST|SYS|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|AVAILABLE_TOOLS|ARGS|CALL_ID|THINK|"
    "IMG|IMG_BREAK|IMG_END|PREFIX|MIDDLE|SUFFIX|gMASK|sop|BOS|EOS|CLS|SEP|MASK|PAD|UNK"
)
_TAG = re.compile(
    # A tag of any name, and every token between <| and |>, whatever stands between.
    rf"[<＜](?={_HIDDEN}[/!]?{_HIDDEN}(?:[A-Za-z_▁]|[<＜]|\s*{_HIDDEN}[|｜]))"
    # Known names behind spaces, and the second bracket of <<SYS>>.
    rf"|[<＜](?=[\s/|｜]*{_HIDDEN}(?:{_NAMES}))|(?<=[<＜])[<＜]",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    rf"[\[［](?=[\s{_HIDDEN[1:-2]}]*/?[\s{_HIDDEN[1:-2]}]*"
    + rf"(?:{'|'.join(_HIDDEN.join(name) for name in _BRACKETED.split('|'))}){_HIDDEN}\s*[\]］])",
    re.IGNORECASE,
)
"""[INST] and its like, with which Mistral's and GLM's templates set off turns and tools."""
_OPENING = re.compile(r"[<＜\[［【⟦〔]")
"""Without one of these a text holds no tag, no token and no mark: most chunks have none."""
_DISGUISE = str.maketrans(
    {"[": "⟦", "]": "⟧", "【": "⦗", "】": "⦘", "［": "⦅", "］": "⦆", "〔": "⧼", "〕": "⧽"}
)
_ROUNDED = str.maketrans(
    {**dict.fromkeys("⟦⦗⦅⧼", "("), **dict.fromkeys("⟧⦘⦆⧽", ")"), "‹": "<", "〈": "＜"}
)
_UNDISGUISE = str.maketrans(
    {"⟦": "[", "⟧": "]", "⦗": "【", "⦘": "】", "⦅": "［", "⦆": "］", "⧼": "〔", "⧽": "〕"}
    | {"‹": "<", "〈": "＜"}
)


def fenced(text: str) -> str:
    """Return corpus text, harmless, between an opening and a closing line that share a key."""
    return enclosed(harmless(text))


def enclosed(text: str) -> str:
    """Return text that is harmless already, perhaps with marks of our own, in a fence."""
    key = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"<data {key}>\n{text}\n</data {key}>"


@lru_cache(maxsize=512)
def harmless(text: str) -> str:
    """Return corpus text in which nothing reads as a citation mark or as a tag of a protocol."""
    # One chunk is shown for several sub-questions, and to the composer once more.
    if _OPENING.search(text) is None:
        return text
    return tokenless(MARK.sub(lambda mark: mark[0].translate(_DISGUISE), text))


def tokenless(text: str) -> str:
    """Return text in which no control token of a chat template is left, its marks as they are.

    Whatever looks like a tag or stands between `<|` and `|>` gets a look-alike for its first
    bracket, so that no tokenizer reads it as one token: Llama, Gemma, Mistral, Qwen, DeepSeek, Phi,
    GLM, Harmony, ChatML and templates to come.
    """
    text = _TAG.sub(lambda found: "‹" if found[0] == "<" else "〈", text)
    return _TOKEN.sub(lambda found: found[0].translate(_DISGUISE), text)


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
