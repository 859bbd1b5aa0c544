"""One page of a source to one row of the store; what a worker process does."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from types import FrameType
from typing import Any

from corpus.sources.types import NO_TEXT, Skipped, Source
from corpus.storage.record import PackedArticle, PackedRedirect, pack_article, pack_redirect
from corpus.storage.titles import normalise
from corpus.types import Page, Revision, Section, Text

PAGE_SECONDS = 5
"""Longest that a page may take, in seconds of the processor: the machine's other load must not
change what a page becomes."""
_FAITHFUL_SECONDS = 3.5
"""Of these, for the faithful way; the rest is for the simplest."""
TOO_SLOW = f"takes longer than {PAGE_SECONDS} s"
FAILED = "ended its worker process"
_TAG = re.compile(r"<[^<>\n]{0,200}>|\[\[|\]\]|'{2,}|\{[{|]|[|}]\}")
_BLANK_LINES = re.compile(r"\n{3,}")


@dataclass(slots=True)
class Extracted:
    """What became of a batch's pages."""

    articles: list[PackedArticle] = field(default_factory=list)
    redirects: list[PackedRedirect] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    newest: str = ""
    """Time of the newest revision seen, of those left out too; empty where none has a time."""
    undated: int = 0
    """Articles whose source states no time for them."""


def extract_batch(
    source: Source,
    payload: Any,
    base_url: str,
    *,
    failing: dict[int, str] | None = None,
    before_page: Callable[[int], None] = lambda _: None,
) -> Extracted:
    """Parse, extract, cut and pack the pages of a batch; no page stops the others.

    Args:
        source: the batch's source.
        payload: the batch's.
        base_url: of the snapshot, from which a reader makes the usual links.
        failing: pages that ended a worker process before, by place in the batch, with the reason
            they are to be skipped with.
        before_page: called with each page's place before it is extracted.
    """
    extracted = Extracted()
    pages = source.pages(payload)
    for place in count():
        before_page(place)
        page = next(pages, None)
        if page is None:
            break
        if failing and place in failing:
            page = Skipped(
                reason=failing[place], title=page.title, page_id=page.page_id, seen=page.seen
            )
        extracted.newest = max(extracted.newest, page.seen)
        done = _extract(page, base_url)
        if isinstance(done, PackedArticle) and not page.seen:
            extracted.undated += 1
        if isinstance(done, Skipped):
            extracted.skipped.append(done)
        elif isinstance(done, PackedRedirect):
            extracted.redirects.append(done)
        else:
            extracted.articles.append(done)
    return extracted


def _extract(page: Page | Skipped, base_url: str) -> PackedArticle | PackedRedirect | Skipped:
    if isinstance(page, Skipped):
        return page
    if page.redirect is not None:
        return pack_redirect(page)
    return extract_page(page, base_url)


def extract_page(page: Page, base_url: str) -> PackedArticle | Skipped:
    """Extract, cut and pack one page, in a simpler way where the faithful one fails on it."""
    from corpus.chunk import spans

    try:
        with _at_most(_FAITHFUL_SECONDS):
            text = _read(page)
            cuts = spans(text.text)
    except Exception as error:
        # Whatever a page does to its extractor, the other pages of the wiki are not to suffer.
        text = _simplest(page.source, type(error).__name__)
        cuts = spans(text.text)
    if not cuts:
        return Skipped(reason=NO_TEXT, title=page.title, page_id=page.page_id)
    revision = Revision(
        page_id=page.page_id,
        rev_id=page.rev_id,
        title=page.title,
        timestamp=page.timestamp,
        url=page.url,
        caveat=page.caveat,
    )
    return pack_article(revision, text, cuts, base_url=base_url)


def _read(page: Page) -> Text:
    if page.format == "html":
        from corpus.html import to_text as html_to_text

        return _named(html_to_text(page.source, page.title), page)
    if page.format == "plain":
        return _whole(page.source.strip())
    from corpus.wikitext import to_text

    return _named(to_text(page.source, page.title, page.category_names), page)


def _named(text: Text, page: Page) -> Text:
    """Return the text with the names of categories and boxes as their pages are called."""
    contents = text.contents
    categories = map(normalise, (*contents.categories, *page.categories))
    named = replace(
        contents,
        categories=tuple(dict.fromkeys(filter(None, categories))),
        boxes=tuple(map(normalise, contents.boxes)),
    )
    return replace(text, contents=named)


def _whole(text: str, degraded: str | None = None) -> Text:
    lead = Section(title="", level=1, start=0, end=len(text), path=())
    return Text(text=text, sections=(lead,), degraded=degraded)


def _simplest(source: str, reason: str) -> Text:
    """Take the marks of markup away without understanding it, in one pass."""
    return _whole(_BLANK_LINES.sub("\n\n", _TAG.sub("", source)).strip(), reason)


class TooSlowError(Exception):
    """The faithful way took longer than it may."""


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in the block after this time, in the main thread of a process only."""
    # Signal handlers run in the main thread alone, where worker processes run their pages.
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
