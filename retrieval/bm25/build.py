"""Build an index from a stream of texts in bounded memory."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from array import array
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import InputError
from corpus.files import locked
from retrieval.bm25.segment import DOCUMENTS, Segment, pack
from retrieval.bm25.store import FORMAT, SegmentLog, holds_index, replaced, write_manifest
from retrieval.terms.analyzers import Analyzer

if TYPE_CHECKING:
    from corpus.cluster import Seat
    from retrieval.bm25.shards import Texts

CHARACTERS = 1 << 27
"""A segment ends before its texts are longer than this: long documents make smaller segments."""

COMPILED_FROM = 1 << 24
"""Characters of a segment from which on the index will be searched with compiled code, which is
made meanwhile if need be: some 24,000 chunks."""

NO_TERM = 0xFFFFFFFF


def build_folder(
    texts: Iterable[str],
    target: Path,
    analyse: Analyzer,
    manifest: dict[str, Any],
    seats: Sequence[Seat[Texts, bytes]] = (),
) -> None:
    """Write an index of the texts to `target`, which appears, or is replaced, when it is whole.

    It grows in a folder beside it. A build that was killed is taken up by the next one on the same
    texts: a segment is kept if the SHA-256 of its texts and of the analyzer's identity is the same.

    Args:
        texts: the documents, in the order of their numbers.
        target: the index's folder.
        analyse: makes the terms.
        manifest: what the manifest says besides format, analyzer, counts and segments.
        seats: make the segments by `retrieval.bm25.shards.Packing`, instead of this process.

    Raises:
        InputError: `target` is something else than an index, or is being built elsewhere.
    """
    from retrieval.bm25.compiled import warmup

    _refuse_foreign(target)
    beside = target.with_name(target.name + ".building")
    beside.mkdir(parents=True, exist_ok=True)
    with _locked(beside):
        log = SegmentLog(beside)
        if seats:
            from retrieval.bm25.shards import fill_log

            fill_log(
                log, beside, ((_digest(batch, analyse), batch) for batch in _batches(texts)), seats
            )
        else:
            _fill_log(log, texts, analyse)
        log.close()
        write_manifest(beside, sum_up(analyse, manifest, log.entries))
        warmup.await_compiled()
        _replace(target, beside)


def _fill_log(log: SegmentLog, texts: Iterable[str], analyse: Analyzer) -> None:
    from retrieval.bm25.compiled import warmup

    with ThreadPoolExecutor(1) as packer:
        pending = None
        for batch in _batches(texts):
            source = _digest(batch, analyse)
            if pending is None and log.reuse(source):
                continue
            if sum(map(len, batch)) >= COMPILED_FROM:
                warmup.compile_aside()
            # The segment before is packed while this one's texts are analysed.
            analysed = _analyse(batch, analyse)
            if pending is not None:
                log.append(pending.result())
            pending = packer.submit(_pack, *analysed, source)
        if pending is not None:
            log.append(pending.result())


def make_segment(batch: Sequence[str], analyse: Analyzer, source: str) -> Segment:
    """Return the segment of these texts, whose digest is known."""
    return _pack(*_analyse(batch, analyse), source)


def make_segments(texts: Iterable[str], analyse: Analyzer) -> Iterator[Segment]:
    """Yield segments of the texts that stay in memory."""
    for batch in _batches(texts):
        yield _pack(*_analyse(batch, analyse), _digest(batch, analyse))


def sum_up(
    analyse: Analyzer, manifest: dict[str, Any], entries: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return the manifest of an index made of these segments."""
    return {
        "format": FORMAT,
        "analyzer": analyse.identity,
        **manifest,
        **{
            name: sum(entry[name] for entry in entries)
            for name in ("documents", "tokens", "postings")
        },
        "segments": list(entries),
    }


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) == DOCUMENTS or characters + len(text) > CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    if batch:
        yield batch


def _digest(batch: Sequence[str], analyse: Analyzer) -> str:
    digest = hashlib.sha256(json.dumps(analyse.identity, sort_keys=True).encode())
    for text in batch:
        data = text.encode("utf-8", "surrogatepass")
        digest.update(b"%d\n" % len(data))
        digest.update(data)
    return digest.hexdigest()


class _Numbering(dict[str, int]):
    """The number of each word's term; words of one term share it."""

    def __init__(self, analyse: Analyzer) -> None:
        self._analyse = analyse
        self.terms: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        term = self._analyse.term(word)
        number = self.terms.setdefault(term, len(self.terms)) if term else NO_TERM
        self[word] = number
        return number


def _analyse(
    batch: Sequence[str], analyse: Analyzer
) -> tuple[NDArray[np.uint32], NDArray[np.uint32], list[bytes]]:
    """Return the term numbers of all texts in one array, their counts, and the terms."""
    number = _Numbering(analyse)
    lengths = np.zeros(len(batch), np.uint32)
    flat = array("I")
    for row, text in enumerate(batch):
        before = len(flat)
        flat.extend(map(number.__getitem__, analyse.words(text)))
        lengths[row] = len(flat) - before
    ids = np.frombuffer(flat, np.uint32)
    kept = ids != NO_TERM
    if not kept.all():
        rows = np.repeat(np.arange(len(batch)), lengths)
        ids, lengths = ids[kept], np.bincount(rows[kept], minlength=len(batch)).astype(np.uint32)
    terms = [term.encode("utf-8", "surrogatepass") for term in number.terms]
    return ids, lengths, terms


def _pack(
    ids: NDArray[np.uint32], lengths: NDArray[np.uint32], terms: list[bytes], source: str
) -> Segment:
    return pack(ids=ids, lengths=lengths, terms=terms, source=source)


def _refuse_foreign(target: Path) -> None:
    if target.exists() and not target.is_dir():
        raise InputError(f"{target}: is a file: choose a folder for the index")
    if target.exists() and any(target.iterdir()) and not holds_index(target):
        raise InputError(f"{target}: holds something else than an index: choose another folder")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with locked(folder / "lock", f"{folder}: this index is being built by another process"):
        yield


def _replace(target: Path, beside: Path) -> None:
    (beside / "lock").unlink()
    _sync(beside)
    aside = replaced(target)
    shutil.rmtree(aside, ignore_errors=True)
    if target.exists():
        target.rename(aside)
    beside.rename(target)
    _sync(target.parent)
    shutil.rmtree(aside, ignore_errors=True)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
