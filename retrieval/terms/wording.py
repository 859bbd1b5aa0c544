"""Which words of a question are asked of BM25+: all of them, or those with content.

"What is the name of the band that …" shares six words with half of all passages, and BM25+ pays
δ·idf for every one of them. Leaving the function words of a question out is an old practice (Lo,
He and Ounis, 2005, measure lists); what is measured of it here stands in docs/bm25.md. The index
keeps every word, so that a title made of nothing else is still found by it.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from corpus.text import word_set

Wording = Literal["content", "all"]
"""`content` leaves function words out of a query that holds other words; `all` asks it as it is."""
WORDINGS: tuple[Wording, ...] = get_args(Wording)

ENGLISH = frozenset({"english"})
"""Analyzers whose queries are shortened; the words of other languages were not measured."""

# The closed classes of English alone: a verb or a noun that questions often hold ("name", "list")
# is a word with content elsewhere ("List of rivers"), and "us" is a country in lower case.
FUNCTION_WORDS = word_set(
    """a an the this that these those each every either neither both some any no such same own all
    other another many much more most few less several enough i me my mine myself we our ours
    ourselves you your yours yourself he him his himself she her hers herself it its itself they
    them their theirs themselves who whom whose what which when where why how there here am is are
    was were be been being do does did doing done has have had having can could will would shall
    should may might must cannot about above after against along among around as at before behind
    below beneath beside between beyond by despite down during except for from in inside into like
    near of off on onto out outside over per since through throughout to toward towards under until
    up upon via with within without and but or nor so yet if then than because although though while
    whereas whether unless not too very just only also again ever once further now"""
)

# A quotation in single marks begins and ends outside words, which apostrophes do not.
_QUOTATION = re.compile(
    r'"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»'
    r"|(?<!\w)['‘](?:[^'’]|['’](?=\w))*['’](?!\w)"
)
_OUTSIDE_A_WORD = "\"'“”„«»‘’`.,;:!?…()[]{}<>|/\\*_~-–—+=&#%"
_ENDS_A_SENTENCE = ".?!:;…"


def worded(query: str, wording: Wording, analyzer: str) -> str:
    """Return what BM25+ is asked for a query.

    Args:
        query: as it was asked.
        wording: see `Wording`.
        analyzer: name of the index's; only English queries are shortened.
    """
    return content_words(query) if wording == "content" and analyzer in ENGLISH else query


def default_wording(mode: str) -> Wording:
    """Return what BM25+ is asked for in a mode where nothing was said.

    Beside embeddings, the function words of a question do as much good as harm: docs/bm25.md has
    both figures.
    """
    return "all" if mode == "hybrid" else "content"


def content_words(query: str) -> str:
    """Return an English query without its function words, or as it is where it has no others.

    A function word is kept where it may be part of a name: within quotation marks, joined to
    another word ("state-of-the-art", "A.I."), in capital letters within a sentence (*It*, *Them*), or at the start of one where a capitalised function word follows (*The Who*). Where
    the whole query is in capitals they say nothing.
    """
    words = list(re.finditer(r"\S+", query))
    tokens = [word[0] for word in words]
    cores = [token.strip(_OUTSIDE_A_WORD) for token in tokens]
    quotations = [match.span() for match in _QUOTATION.finditer(query)]
    quoted = [any(a <= word.start() < b for a, b in quotations) for word in words]
    said = not query.isupper()
    kept = []
    for place, core in enumerate(cores):
        if not _is_function_word(core) or quoted[place]:
            kept.append(place)
        elif said and core[0].isupper():
            starts = place == 0 or tokens[place - 1][-1] in _ENDS_A_SENTENCE
            following = cores[place + 1] if place + 1 < len(cores) else ""
            names = following[:1].isupper() and _is_function_word(following)
            if not starts or names or (len(core) > 1 and core.isupper()):
                kept.append(place)
    if len(kept) == len(tokens) or not any(char.isalnum() for at in kept for char in cores[at]):
        return query
    return " ".join(tokens[place] for place in kept)


def _is_function_word(core: str) -> bool:
    """Say whether a word, its contraction left out, is one: `who's`, `they're`, `isn't`."""
    word = core.lower().replace("’", "'")
    return word.endswith("n't") or word.partition("'")[0] in FUNCTION_WORDS
