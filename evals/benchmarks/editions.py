"""Which edition of FanOutQA a file holds, told from its items.

Most items are the same in both editions and tell nothing; an item that is in neither makes the file
somebody's own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

DIGESTS = Path(__file__).parent / "data" / "fanoutqa-editions.json"
"""Digests of the published items, by edition; written by `bench/fanoutqa_editions.py`."""
_LENGTH = 8
PUBLISHED = ("jul26", "nov23")
OWN = "own"
"""Data in the same form that is no published edition."""


def digest_of_item(item: Mapping[str, Any]) -> str:
    """Return eight hexadecimal digits that stand for an item, whatever the order of its keys."""
    text = json.dumps(item, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_LENGTH]


def tell_edition(items: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the edition that items belong to; None where they are the same in both.

    A file that is partly of an edition (some questions left out or added) counts as what most of
    its telling items are; `OWN` where none was published.
    """
    digests = [digest_of_item(item) for item in items]
    known = _known()
    votes = {name: sum(digest in known[name] for digest in digests) for name in known}
    if not any(votes.values()):
        return OWN
    if len({votes[edition] for edition in PUBLISHED}) == 1:
        return None
    return max(PUBLISHED, key=votes.__getitem__)


@lru_cache(maxsize=1)
def _known() -> dict[str, frozenset[str]]:
    stored: dict[str, str] = json.loads(DIGESTS.read_text(encoding="utf-8"))
    return {
        name: frozenset(line[at : at + _LENGTH] for at in range(0, len(line), _LENGTH))
        for name, line in stored.items()
    }
