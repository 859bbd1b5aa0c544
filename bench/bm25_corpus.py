"""Synthetic chunks with the word statistics of real Wikipedia dumps, as many as wanted.

Words are drawn from the dumps' unigram frequencies. Two corrections keep a million chunks from
being easier than a million real ones: a share of words (the dumps' Good-Turing estimate of unseen
words) comes from an endless Zipf tail, so that the vocabulary goes on growing, and words are
repeated within a chunk until the share of distinct words is that of the dumps. As many chunks
carry a dash as real ones have a character outside ASCII.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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


def read_chunks(dumps: Path) -> list[str]:
    """Return the chunks of the English dumps in a folder, as fanfold cuts them."""
    from corpus.chunk import spans
    from corpus.sources.mediawiki_xml import open_export
    from corpus.sources.types import Done
    from corpus.types import Page
    from corpus.wikitext import to_text

    chunks: list[str] = []
    for path in sorted(dumps.glob("enwiki*.xml.bz2")):
        export = open_export(path, "9999-12-31T23:59:59Z", "https://en.wikipedia.org/wiki/")
        for batch in export.batches(Done()):
            for page in export.pages(batch.payload):
                if isinstance(page, Page) and page.redirect is None:
                    text = to_text(page.source, page.title).text
                    chunks.extend(text[start:end] for start, end in spans(text))
    if not chunks:
        raise SystemExit(f"{dumps}: no English dumps here: name their folder with --dumps")
    return chunks


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


def generate(statistics: Statistics, count: int, seed: int = 1) -> Iterator[str]:
    """Yield `count` chunks; the same arguments give the same chunks."""
    rng = np.random.default_rng(seed)
    words = statistics.words
    for start in range(0, count, BATCH):
        for ids in _draw(statistics, rng, min(BATCH, count - start)):
            chunk = [words[i] if i < len(words) else _tail_word(i) for i in ids.tolist()]
            chunk[0] = chunk[0].capitalize()
            end = len(chunk) // 2
            chunk[end] += "."
            if rng.random() < statistics.marked:
                chunk.insert(end, "\u2013")
            yield " ".join(chunk) + "."


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
    lengths = rng.choice(statistics.lengths, size=count)
    width = int(lengths.max())
    edges = np.cumsum(statistics.frequencies)
    ids = np.searchsorted(edges, rng.random((count, width)), side="right")
    ids = np.minimum(ids, len(edges) - 1)
    tail = rng.random((count, width)) < statistics.unseen
    ids[tail] = len(edges) + (TAIL ** rng.random(int(tail.sum()))).astype(np.int64)
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
