"""Synthetic chunks with the word statistics of real Wikipedia dumps, as many as wanted.

Words are drawn from the dumps' unigram frequencies. Two corrections keep a million chunks from
being easier than a million real ones: a share of words (the dumps' Good-Turing estimate of unseen
words) comes from an endless Zipf tail, so that the vocabulary goes on growing, and words are
repeated within a chunk until the share of distinct words is that of the dumps. As many chunks
carry a dash as real ones have a character outside ASCII.

Chunks are independent of one another, or come as articles do (`generate_articles`): as many in a row
as the dumps' articles have, with words that come back from earlier chunks of the article as often as
they do there. Pruning by blocks of documents has something to prune there alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
DUMPS = ROOT / "../shared/data/dumps"

TAIL = 10_000_000
"""Words in the tail."""
BATCH = 4096
WORD = re.compile(r"[a-z0-9]{2,}")
"""Words that every tokenizer in the comparison splits alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What is known of the real chunks."""

    words: list[str]
    frequencies: np.ndarray[Any, Any]
    """Share of each word, summing to 1."""
    lengths: np.ndarray[Any, Any]
    """Words of each real chunk."""
    unseen: float
    """Probability that the next word is one not seen yet."""
    repeated: float
    """Probability that a word repeats an earlier one of its chunk."""
    marked: float
    """Share of chunks with a character outside ASCII."""
    sizes: np.ndarray[Any, Any] = field(default_factory=lambda: np.ones(1, np.int64))
    """Chunks of each real article."""
    returning: float = 0.0
    """Probability that a word comes back from an earlier chunk of its article."""


def read_chunks(dumps: Path) -> list[str]:
    """Return the chunks of the English dumps in a folder, as fanfold cuts them."""
    return [chunk for article in read_articles(dumps) for chunk in article]


def read_articles(dumps: Path) -> list[list[str]]:
    """Return the chunks of each article of the English dumps in a folder."""
    from corpus.chunk import spans
    from corpus.sources.mediawiki_xml import open_export
    from corpus.sources.types import Done
    from corpus.types import Page
    from corpus.wikitext import to_text

    articles: list[list[str]] = []
    for path in sorted(dumps.glob("enwiki*.xml.bz2")):
        export = open_export(path, "9999-12-31T23:59:59Z", "https://en.wikipedia.org/wiki/")
        for batch in export.batches(Done()):
            for page in export.pages(batch.payload):
                if isinstance(page, Page) and page.redirect is None:
                    text = to_text(page.source, page.title).text
                    articles.append([text[start:end] for start, end in spans(text)])
    if not articles:
        raise SystemExit(f"{dumps}: no English dumps here: name their folder with --dumps")
    return articles


def measure(chunks: Sequence[str]) -> Statistics:
    """Return the statistics of real chunks."""
    split = [words for chunk in chunks if len(words := WORD.findall(chunk.lower())) >= 8]
    counts = Counter(word for words in split for word in words)
    total = counts.total()
    frequencies = np.array(list(counts.values())) / total
    lengths = np.array([len(words) for words in split])
    distinct = float(np.mean([len(set(words)) / len(words) for words in split]))
    unseen = sum(1 for count in counts.values() if count == 1) / total
    low, high = 0.0, 0.9
    rng = np.random.default_rng(0)
    for _ in range(12):
        repeated = (low + high) / 2
        trial = Statistics(
            words=list(counts),
            frequencies=frequencies,
            lengths=lengths,
            unseen=unseen,
            repeated=repeated,
            marked=sum(not chunk.isascii() for chunk in chunks) / len(chunks),
        )
        drawn = _draw(trial, rng, 1000)
        share = np.mean([len(set(ids.tolist())) / len(ids) for ids in drawn])
        low, high = (repeated, high) if share > distinct else (low, repeated)
    return trial


def measure_articles(articles: Sequence[Sequence[str]]) -> Statistics:
    """Return the statistics of real chunks, and of how they stand together in articles."""
    split = [
        [words for chunk in article if len(words := WORD.findall(chunk.lower())) >= 8]
        for article in articles
    ]
    split = [article for article in split if article]
    sizes = np.array([len(article) for article in split])
    wanted = _share_seen([[set(words) for words in article] for article in split])
    found = replace(measure([chunk for article in articles for chunk in article]), sizes=sizes)
    low, high = 0.0, 0.9
    for _ in range(10):
        found = replace(found, returning=(low + high) / 2)
        rng = np.random.default_rng(0)
        drawn = [set(ids.tolist()) for ids in _draw_articles(found, rng, sizes[:400])]
        starts = np.cumsum(sizes[:400])[:-1]
        grouped = [drawn[a:b] for a, b in pairwise([0, *starts.tolist(), len(drawn)])]
        share = _share_seen(grouped)
        low, high = (found.returning, high) if share < wanted else (low, found.returning)
    return found


def _share_seen(articles: Sequence[Sequence[set[Any]]]) -> float:
    """Return how many of a chunk's distinct words stand earlier in its article, of all chunks but first ones."""
    shares = []
    for article in articles:
        seen: set[Any] = set()
        for words in article:
            if seen:
                shares.append(len(words & seen) / len(words))
            seen |= words
    return float(np.mean(shares))


def generate_articles(statistics: Statistics, count: int, seed: int = 1) -> Iterator[str]:
    """Yield `count` chunks, those of an article one after the other."""
    rng = np.random.default_rng(seed)
    left = count
    while left:
        sizes = rng.choice(statistics.sizes, size=max(1, BATCH // int(statistics.sizes.mean())))
        chunks = _draw_articles(statistics, rng, sizes)[:left]
        left -= len(chunks)
        for ids in chunks:
            yield _spell(statistics, rng, ids)


def _draw_articles(
    statistics: Statistics, rng: np.random.Generator, sizes: np.ndarray[Any, Any]
) -> list[Any]:
    """Return the words of each chunk of articles of so many chunks."""
    count = int(sizes.sum())
    lengths, ids = _fresh(statistics, rng, count)
    place = np.arange(count) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    back = rng.random(ids.shape) < statistics.returning
    back[place == 0] = False
    rows, _ = np.nonzero(back)
    # From any word of any chunk before, as it was drawn: what comes back often was there early.
    source = rows - 1 - (rng.random(len(rows)) * place[rows]).astype(np.int64)
    column = (rng.random(len(rows)) * lengths[source]).astype(np.int64)
    drawn = ids.copy()
    ids[back] = drawn[source, column]
    return _repeated(statistics, rng, lengths, ids)


def generate(statistics: Statistics, count: int, seed: int = 1) -> Iterator[str]:
    """Yield `count` chunks; the same arguments give the same chunks."""
    rng = np.random.default_rng(seed)
    for start in range(0, count, BATCH):
        for ids in _draw(statistics, rng, min(BATCH, count - start)):
            yield _spell(statistics, rng, ids)


def _spell(statistics: Statistics, rng: np.random.Generator, ids: np.ndarray[Any, Any]) -> str:
    words = statistics.words
    chunk = [words[i] if i < len(words) else _tail_word(i) for i in ids.tolist()]
    chunk[0] = chunk[0].capitalize()
    end = len(chunk) // 2
    chunk[end] += "."
    if rng.random() < statistics.marked:
        chunk.insert(end, "\u2013")
    return " ".join(chunk) + "."


def queries(statistics: Statistics, count: int, kind: str, seed: int = 2) -> list[str]:
    """Return queries of eight words.

    Kinds: "text" (each word as frequent as in running text, so about half are function words)
    and "content" (the same without the 150 most frequent words).
    """
    rng = np.random.default_rng(seed)
    shares = statistics.frequencies.copy()
    if kind == "content":
        shares[np.argsort(-shares)[:150]] = 0
        shares /= shares.sum()
    drawn = rng.choice(len(shares), size=(count, 8), p=shares)
    return [" ".join(statistics.words[i] for i in row) for row in drawn]


def _draw(statistics: Statistics, rng: np.random.Generator, count: int) -> list[Any]:
    lengths, ids = _fresh(statistics, rng, count)
    return _repeated(statistics, rng, lengths, ids)


def _fresh(
    statistics: Statistics, rng: np.random.Generator, count: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return lengths and words [chunks, longest], each word drawn by itself."""
    lengths = rng.choice(statistics.lengths, size=count)
    width = int(lengths.max())
    edges = np.cumsum(statistics.frequencies)
    ids = np.searchsorted(edges, rng.random((count, width)), side="right")
    ids = np.minimum(ids, len(edges) - 1)
    tail = rng.random((count, width)) < statistics.unseen
    ids[tail] = len(edges) + (TAIL ** rng.random(int(tail.sum()))).astype(np.int64)
    return lengths, ids


def _repeated(
    statistics: Statistics,
    rng: np.random.Generator,
    lengths: np.ndarray[Any, Any],
    ids: np.ndarray[Any, Any],
) -> list[Any]:
    """Return the words of each chunk, some of them in the place of others."""
    count, width = ids.shape
    rows = np.arange(count)
    for column in range(1, width):
        repeat = rng.random(count) < statistics.repeated
        earlier = (rng.random(count) * column).astype(np.int64)
        ids[repeat, column] = ids[rows[repeat], earlier[repeat]]
    return [ids[row, :length] for row, length in enumerate(lengths)]


def _tail_word(number: int) -> str:
    letters = "aeioubcdfghklmnprst"
    word = "z"
    while number:
        number, letter = divmod(number, len(letters))
        word += letters[letter]
    return word
