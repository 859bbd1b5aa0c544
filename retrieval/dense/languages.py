"""Which languages an embedding model was made for, by its own card.

Vectors of a language that a model never read are noise with a shape: fused with BM25+ they make
its ranking worse, so a hybrid gives them no weight.
"""

from __future__ import annotations

import re
from pathlib import Path

from retrieval.dense.embedders import DEFAULT, embedded_folder

CARD = "README.md"
_FRONT = re.compile(r"\A---\s*\n(.*?)^---\s*$", re.S | re.M)
_LANGUAGE = re.compile(r"^languages?:[ \t]*(.*(?:\n[ \t]*-[ \t]+.*)*)", re.M)
_CODE = re.compile(r"[A-Za-z]{2,}(?:[-_][A-Za-z]+)*")
_SAME = {"simple": "en"}
"""Wikipedias whose code is no language's."""


def languages_of(spec: str) -> frozenset[str] | None:
    """Return the languages that a model says it knows, None where it says nothing.

    Args:
        spec: the model, see `retrieval.dense.embedders`. A folder, the embedded model's too, says it on its
            card, as does a model of the hub that is in the local cache; an endpoint says nothing.
    """
    card = _card(spec)
    if card is None:
        return None
    front = _FRONT.match(card.read_text("utf-8", "replace"))
    said = _LANGUAGE.search(front[1]) if front else None
    codes = {code.lower() for code in _CODE.findall(said[1])} if said else set()
    return None if not codes or "multilingual" in codes else frozenset(codes)


def knows(spec: str, language: str) -> bool:
    """Say whether a model may know a Wikipedia's language: one that says nothing may.

    Args:
        spec: the model, see `retrieval.dense.embedders`.
        language: Wikipedia's code: "en", "simple", "zh-yue", …
    """
    known = languages_of(spec)
    code = _SAME.get(language, language).lower()
    return known is None or bool({code, code.partition("-")[0]} & known)


def _card(spec: str) -> Path | None:
    if "://" in spec:
        return None
    folder = embedded_folder() if spec == DEFAULT else Path(spec).expanduser()
    if not folder.is_dir():
        from huggingface_hub import try_to_load_from_cache

        try:
            found = try_to_load_from_cache(spec, CARD)
        except ValueError:
            return None  # no name that a model could have: whoever loads it says so
        return Path(found) if isinstance(found, str) else None
    return folder / CARD if (folder / CARD).is_file() else None
