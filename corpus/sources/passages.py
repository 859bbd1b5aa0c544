r"""Passages: the corpora of retrieval benchmarks, as JSON Lines or JSON, with the date that is given.

One record is one passage, or a question that carries its paragraphs:

    {"title": "Ganymede", "text": "Ganymede is a moon of Jupiter."}          also `paragraph_text`
    {"id": "12", "contents": "Ganymede\nGanymede is a moon of Jupiter."}     Pyserini, FlashRAG
    {"context": [["Ganymede", ["Ganymede is a moon of Jupiter."]]], …}        HotpotQA, 2Wiki
    {"paragraphs": [{"title": "Ganymede", "paragraph_text": "…"}], …}         MuSiQue
    {"data": [{"title": "Ganymede", "paragraphs": [{"context": "…"}]}], …}    SQuAD, CMRC
    {"Ganymede": ["Ganymede is a moon of Jupiter."], …}                       one object, by title

The page id is made from title and text, so a paragraph that many questions carry is stored once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.errors import InputError
from corpus.sources.records import cut_lines, cut_values
from corpus.sources.streams import DumpStream, FileSource
from corpus.sources.types import (
    MALFORMED,
    NEWER,
    NO_TEXT,
    Batch,
    Done,
    Skipped,
    group,
    scrub,
    utc_timestamp,
)
from corpus.titles import stable_id
from corpus.types import Page

_TEXT = ("text", "paragraph_text", "passage_text", "passage", "body", "context")
_TITLE = ("title", "wikipedia_title", "name")
_ID = ("id", "_id", "docid", "doc_id")
_MANY = ("context", "paragraphs")
_DATA = re.compile(rb'^\s*\{(?:\s*"[^"{}\[\]]*"\s*:\s*"[^"{}\[\]]*"\s*,)*\s*"data"\s*:\s*(?=\[)')
"""How a file begins whose records stand in a member of one object."""

_MALFORMED_RECORD = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages(FileSource):
    """One file of passages."""

    lines: bool
    """One record a line; otherwise one array or object."""
    before: int
    """Bytes before the array or object."""
    size: int
    kind: str = "passages"
    base_url: str = ""

    def batches(self, done: Done) -> Iterator[Batch]:
        """Yield what is not done; positions are the numbers of the records."""
        cut = cut_lines if self.lines else cut_values
        with DumpStream(self.path) as stream:
            stream.skip(self.before)
            yield from group(cut(self.path, stream.read, lambda: stream.consumed), done)

    def pages(self, payload: tuple[bytes, ...]) -> Iterator[Page | Skipped]:
        """Yield the passages of a batch."""
        for content in payload:
            try:
                record = json.loads(content.decode("utf-8-sig", "replace"))
                # A member of an object whose value is no list may be anything about a question.
                known = isinstance(record, dict) or isinstance(record[1], list)
                passages = list(passages_in(record)) if known else []
            except _MALFORMED_RECORD:
                passages = []
            if not passages:
                yield Skipped(reason=MALFORMED, title=content[:60].decode("utf-8", "replace"))
            for passage in passages:
                yield self._page(*passage)

    def _page(self, title: str, text: str, record: dict[str, Any]) -> Page | Skipped:
        title = scrub(" ".join(title.split())) or scrub(" ".join(text.split())[:60])
        if not text.strip():
            return Skipped(reason=NO_TEXT, title=title)
        stated = utc_timestamp(record.get("timestamp"))
        stated = stated if stated <= self.latest else ""
        timestamp = stated or self.cutoff
        if timestamp > self.cutoff:
            return Skipped(reason=NEWER, title=title, seen=stated)
        url = record.get("url")
        text = scrub(text)
        return Page(
            page_id=stable_id(title, text),
            rev_id=0,
            title=title,
            timestamp=timestamp,
            url=url if isinstance(url, str) else "",
            redirect=None,
            source=text,
            format="plain",
            seen=stated,
        )


def open_passages(path: Path, cutoff: str) -> Passages:
    """Open a file of passages.

    Raises:
        InputError: its first record holds no passage.
    """
    with DumpStream(path) as stream:
        head = stream.read()
    data = _DATA.match(head)
    source = Passages(
        path=path,
        cutoff=cutoff,
        lines=not data and _is_lines(head),
        before=data.end() if data else 0,
        size=path.stat().st_size,
    )
    first = next(source.batches(Done()), None)
    found = (page for page in source.pages(first.payload[:1])) if first else iter(())
    page = next(found, None)
    if page is None or (isinstance(page, Skipped) and page.reason == MALFORMED):
        raise InputError(
            f"{path} holds no passages (its first record has none):"
            ' write records such as {"title": "…", "text": "…"}, one a line'
        )
    return source


def _is_lines(head: bytes) -> bool:
    """Whether the first line is a whole record with passages."""
    line, end, _ = head.partition(b"\n")
    try:
        record = json.loads(line.decode("utf-8-sig", "replace"))
    except ValueError:
        # A first line longer than a block cannot be told; an array begins with its bracket.
        return not end and not line.lstrip().startswith(b"[")
    return isinstance(record, dict) and any(name in record for name in (*_TEXT, "contents", *_MANY))


def passages_in(record: Any, title: str = "") -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield (title, text, record it stands in) of every passage of a record.

    Args:
        record: as in the module's description.
        title: for passages without one.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: the record is of no known shape.
    """
    if isinstance(record, list):
        title, text = record
        yield title, _joined(text), {}
        return
    title = _first(record, _TITLE) or title
    for name in _MANY:
        if isinstance(record.get(name), (list, dict)):
            for part in _parts(record[name]):
                yield from passages_in(part, title)
            return
    if "contents" in record:
        head, newline, text = _joined(record["contents"]).partition("\n")
        yield title or (head.strip().strip('"') if newline else ""), text or head, record
        return
    name = next((name for name in _TEXT if name in record), "text")
    yield title or _first(record, _ID), _joined(record[name]), record


def _parts(context: Any) -> list[Any]:
    if isinstance(context, dict):
        # As the datasets library stores HotpotQA: columns, not rows.
        sentences = context.get("sentences") or context["content"]
        return [list(pair) for pair in zip(context["title"], sentences, strict=True)]
    return list(context)


def _joined(text: Any) -> str:
    """Sentences carry their own spaces in HotpotQA; where they do not, one is put between."""
    if isinstance(text, list):
        spaced = any(part[:1].isspace() or part[-1:].isspace() for part in text)
        return ("" if spaced else " ").join(text)
    if not isinstance(text, str):
        raise TypeError(f"no text: {text!r}")
    return text


def _first(record: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((str(record[name]) for name in names if record.get(name)), "")
