"""The items that are asked for, in splits that share no source article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from corpus.errors import InputError
from evals.builders.types import Item, Rejected, Step

STAGE = "select"
TOO_MANY = "more of this kind than asked for"


def parse_shares(text: str) -> dict[str, float]:
    """Return the shares of a text such as `dev=0.2,test=0.8`.

    Raises:
        InputError: malformed, or the shares do not add to 1.
    """
    shares: dict[str, float] = {}
    for piece in text.split(","):
        name, _, share = piece.strip().partition("=")
        try:
            shares[name] = float(share)
        except ValueError:
            raise InputError(f"splits {text!r}: write them as dev=0.2,test=0.8") from None
    whole = all(share > 0 for share in shares.values()) and abs(sum(shares.values()) - 1) <= 1e-6
    if "" in shares or not whole:
        raise InputError(f"splits {text!r}: names with shares above 0 that add to 1 are needed")
    return shares


def select(
    items: Sequence[Item], quotas: Mapping[str, int], shares: Mapping[str, float]
) -> Step[Item]:
    """Keep as many of every kind as asked for, each in a split.

    An article belongs to the split of the first item made of it. An item whose articles belong to
    two splits is rejected, since either would leak into the other.

    Args:
        items: in order of preference.
        quotas: how many of each kind; a kind that is not named is not limited.
        shares: of the items, by split.
    """
    owner: dict[str, str] = {}
    placed: Counter[tuple[str, str]] = Counter()
    kept: list[Item] = []
    rejected: list[Rejected[Item]] = []

    def refuse(item: Item, reason: str) -> None:
        rejected.append(Rejected(item=item, stage=STAGE, reason=reason))

    for item in _kinds_in_turn(items):
        count = sum(placed[item.kind, split] for split in shares)
        if count >= quotas.get(item.kind, count + 1):
            refuse(item, TOO_MANY)
            continue
        owners = {owner[title] for title in item.articles if title in owner}
        if len(owners) > 1:
            refuse(item, "its articles belong to different splits")
            continue
        split = next(iter(owners)) if owners else _most_wanting(placed, shares)
        owner |= dict.fromkeys(item.articles, split)
        placed[item.kind, split] += 1
        kept.append(replace(item, split=split))
    return Step(input="", kept=tuple(kept), rejected=tuple(rejected))


def _most_wanting(placed: Mapping[tuple[str, str], int], shares: Mapping[str, float]) -> str:
    """Return the split that is furthest behind its share.

    All kinds count together: were each counted by itself, a small split would get its first item
    when the large one owns most articles.
    """
    counts = {split: sum(n for (_, s), n in placed.items() if s == split) for split in shares}
    return min(shares, key=lambda split: (counts[split] + 1) / shares[split])


def _kinds_in_turn(items: Sequence[Item]) -> list[Item]:
    """Return items with their kinds taking turns, so that none finds all articles taken."""
    queues: dict[str, list[Item]] = {}
    for item in items:
        queues.setdefault(item.kind, []).append(item)
    longest = max(map(len, queues.values()), default=0)
    return [queue[n] for n in range(longest) for queue in queues.values() if n < len(queue)]
