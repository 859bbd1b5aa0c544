"""One page of a source to one packed article; what a worker process does."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from corpus.record import PackedArticle, pack_article
from corpus.types import Page, Section, Text

PAGE_SECONDS = 5
"""Longest that one page may take before it is read in the simplest way."""
_MARKUP = re.compile(
    r"\{\|.*?\|\}|\{\{[^{}]*\}\}|<[^<>]{0,200}>|'''?|\[\[(?:[^\[\]|]*\|)?|\]\]|[{}]{2}", re.S
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What became of one page: an article, or the reason why there is none."""

    title: str
    article: PackedArticle | None
    simplified: bool = False
    skipped: str | None = None


def extract_pages(pages: Sequence[Page], base_url: str) -> list[Extracted]:
    """Extract, cut and pack a batch of pages; no page stops the others."""
    return [extract_page(page, base_url) for page in pages]


def extract_page(page: Page, base_url: str) -> Extracted:
    """Extract, cut and pack one page."""
    from corpus.chunk import spans
    from corpus.database import make_revision

    try:
        with _within(PAGE_SECONDS):
            text = _read(page)
    except (_TooSlowError, RecursionError, MemoryError) as error:
        text = _simplest(page.source, f"read in the simplest way ({type(error).__name__})")
    if not text.text.strip():
        return Extracted(title=page.title, article=None, skipped="no text after extraction")
    revision = make_revision(
        base_url, page.page_id, page.rev_id, page.title, page.timestamp, page.url
    )
    article = pack_article(revision, text, spans(text.text), url=page.url)
    return Extracted(title=page.title, article=article, simplified=text.degraded is not None)


def _read(page: Page) -> Text:
    if page.format == "html":
        from corpus.html import to_text as html_to_text

        return html_to_text(page.source, page.title)
    if page.format == "plain":
        return _whole(page.source.strip())
    from corpus.wikitext import to_text

    return to_text(page.source, page.title)


def _whole(text: str, degraded: str | None = None) -> Text:
    lead = Section(title="", level=1, start=0, end=len(text), path=())
    return Text(text=text, sections=(lead,), degraded=degraded)


def _simplest(source: str, reason: str) -> Text:
    """Cut markup away without understanding it; linear in the length of the source."""
    return _whole(re.sub(r"\n{3,}", "\n\n", _MARKUP.sub("", source)).strip(), reason)


class _TooSlowError(Exception):
    """The page took longer than it may."""


@contextmanager
def _within(seconds: int) -> Iterator[None]:
    # A timer can interrupt the main thread alone: worker processes run their pages there.
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TooSlowError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
