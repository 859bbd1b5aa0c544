"""Lifting what the first hits mention: the second hop of a question that names only the first.

"Who is the drummer of the band that did 'What Lovers Do'?" shares words with the article of the
song, and none with the band's, which the song's names. An article whose title stands in the text
of a better hit is lifted by a share of that hit's score, but never above it: what matched the
question itself stays first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from sys import intern

from corpus.types import Revision

DEPTH = 100
"""First rows of a ranking that may be lifted."""
READ = 10
"""First hits whose text is searched for titles."""
SHARE = 0.5
"""Of the mentioning hit's score, counted from the last candidate's: 0.3 to 0.7 give the same
within a point and a half of recall@5."""
KEPT_TEXTS = 1024
"""Chunks whose words stay split, some 10 MB: the same ones are among the first hits again and again."""
SHORTEST = 3
"""Characters of a title that is looked for, in scripts with spaces."""

_WORD = re.compile(r"\w+")
_QUALIFIER = re.compile(r"\s*[(（][^()（）]*[)）]$")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")


def lift_mentioned(
    found: Sequence[tuple[int, float]],
    revisions: Mapping[int, Revision],
    texts: Mapping[int, str],
    *,
    share: float = SHARE,
) -> list[tuple[int, float]]:
    """Return a ranking anew: score(d) = max over hits h that mention d of min(s_d + share·s_h, s_h).

    Scores count from the last candidate's, and no score falls. Works on candidates alone: what no
    ranker found at all is not brought in.

    Args:
        found: (row, score) pairs, best first.
        revisions: of every row.
        texts: of the rows that are read for mentions, some of the first.
        share: of the mentioning hit's score that is added.
    """
    if len(found) < 2:
        return list(found)
    last = found[-1][1]
    names = {row: title_key(revisions[row].title) for row, _ in found}
    read = [(score, row, _spaced(texts[row])) for row, score in found if row in texts]
    readable = [(score, revisions[row].page_id, text) for score, row, (text, _) in read]
    everything = "\n".join(text for _, _, text in readable)
    words = frozenset[str]().union(*(words for _, _, (_, words) in read))
    # A word is looked up in no time; most titles' first words stand nowhere.
    said = {
        name
        for name in set(names.values())
        if name and (name[-1] != " " or _first_word(name) in words) and name in everything
    }
    lifted = []
    for row, score in found:
        best, name, page = score, names[row], revisions[row].page_id
        for above, mentioning, text in readable if name in said else ():
            if above <= best:
                break
            if page != mentioning and name in text:
                best = max(best, min(score + share * (above - last), above))
        lifted.append((row, best))
    return sorted(lifted, key=lambda pair: -pair[1])


@lru_cache(maxsize=1 << 16)
def title_key(title: str) -> str:
    """Return what a text that mentions a title contains, "" for one not worth looking for.

    A qualifier in brackets is left out, letter case is kept ("War" is not meant by every "war"),
    numbers are too common to mean the article of a year.
    """
    bare = _QUALIFIER.sub("", title)
    if _SPACELESS.search(bare):
        return bare if len(bare) > 1 else ""
    words = " ".join(_WORD.findall(bare))
    return f" {words} " if len(words) >= SHORTEST and not words.isdigit() else ""


@lru_cache(maxsize=1 << 16)
def _first_word(name: str) -> str:
    return name.split(" ", 2)[1]


@lru_cache(maxsize=KEPT_TEXTS)
def _spaced(text: str) -> tuple[str, frozenset[str]]:
    """Return a text in which titles of either kind are found, and the words between its spaces.

    Its words stand between single spaces; where its script has none, it follows as it is.
    """
    spaced = f" {' '.join(_WORD.findall(text))} \n{text if _SPACELESS.search(text) else ''}"
    return spaced, frozenset(map(intern, spaced.split(" ")))
