"""Which windows are read: those that hold most of a question's words, the rarer ones first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log

from agent.extractive.language.stems import content_stems
from agent.extractive.reader.windows import Window

SATURATION = 0.5
"""How little it counts that a word occurs again: k of k / (k + frequency)."""


def select(question: str, windows: Sequence[Window], most: int) -> list[Window]:
    """The windows that hold most of the question's words, best first.

    A word counts by how few of the windows hold it, as in BM25 without lengths: windows are alike
    in size.

    Args:
        question: whose words count.
        windows: to choose from; of several with the same text, the first.
        most: windows to choose.
    """
    windows = list({window.text: window for window in windows}.values())
    wanted = frozenset(content_stems(question))
    counts = [Counter(one for one in content_stems(w.text) if one in wanted) for w in windows]
    held = Counter(one for count in counts for one in count)
    scored = [
        sum(
            log(1 + len(windows) / held[one]) * times / (times + SATURATION)
            for one, times in count.items()
        )
        for count in counts
    ]
    order = sorted(range(len(windows)), key=lambda i: -scored[i])
    return [windows[i] for i in order[:most]]
