"""A list of titles through a wiki's API, each as it stood on the date.

Fifty titles are asked for at once; where a page has not been edited since the date, its current
revision is the answer. For each of the others one more request takes the revision at the date
(`rvstart`, which the API allows for one page at a time). Redirects of that day are followed. What
was answered is kept in a cache: the past does not change. Etiquette as Wikimedia asks for it
(https://www.mediawiki.org/wiki/API:Etiquette): one connection, `maxlag`, a User-Agent with contact.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.address import check_address
from corpus.errors import InputError
from corpus.sources.mediawiki_client import PageCache, WikiClient
from corpus.sources.types import (
    MALFORMED,
    NEWER,
    NO_TEXT,
    NOT_TEXT,
    OUTSIDE,
    Batch,
    Done,
    Skipped,
    scrub,
    utc_timestamp,
)
from corpus.storage.dates import cutoff_of
from corpus.storage.titles import normalise, permanent_link
from corpus.types import Page
from corpus.wikitext import redirect_target

CATEGORIES = "14"
"""Number of the namespace of categories, on every wiki."""
MISSING = "no such page"
TITLE_OF_LATER = "its title is today's: it was edited since, and may have been moved"
EDITED_SINCE = "edited since"
"""Marks a page, among what the API says of it, that has a later revision than the date's."""
TITLES_A_REQUEST = 50
_REDIRECTS = 5
"""Redirects followed in a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiTitles:
    """Titles of one wiki."""

    address: str
    """Of the API, such as https://en.wikipedia.org/w/api.php."""
    titles: tuple[str, ...]
    cutoff: str
    contact: str
    cache: Path
    """Folder of the cache."""
    base_url: str
    category_names: frozenset[str] = frozenset()
    """As in `corpus.types.Page`."""
    made: str = ""
    """The wiki's own day when it was asked."""
    made_by: str = ""
    rendered: bool = False
    kind: str = "mediawiki_api"

    @property
    def name(self) -> str:
        """The API's address."""
        return self.address

    @property
    def size(self) -> int:
        """Number of titles."""
        return len(self.titles)

    def identity(self) -> str:
        """A digest of the titles: what is stored of them stays, whatever the wiki does later."""
        return self.digest()

    def digest(self) -> str:
        """The SHA-256 of the titles, one a line."""
        return hashlib.sha256("\n".join(self.titles).encode()).hexdigest()

    def batches(self, done: Done) -> Iterator[Batch]:
        """Ask for what is not done; positions are the places of the titles.

        Raises:
            BackendError: the wiki does not answer.
        """
        with (
            WikiClient(self.address, self.contact) as client,
            PageCache(self.cache, self.address, self.cutoff) as cache,
        ):
            for start in range(0, len(self.titles), TITLES_A_REQUEST):
                if start in done:
                    continue
                end = min(start + TITLES_A_REQUEST, len(self.titles))
                pages = _follow(client, cache, self.titles[start:end], self.cutoff)
                payload = tuple(json.dumps(page).encode() for page in pages)
                yield Batch(start=start, end=end, payload=payload, read=end)

    def pages(self, payload: tuple[bytes, ...]) -> Iterator[Page | Skipped]:
        """Yield the pages of a batch."""
        for content in payload:
            yield self._page(json.loads(content))

    def _page(self, page: dict[str, Any]) -> Page | Skipped:
        title = scrub(str(page.get("title", "")))
        page_id = page.get("pageid")
        if page.get("invalid") or page.get("missing") or page_id is None:
            return Skipped(reason=MISSING, title=title)
        if page.get("ns") != 0:
            return Skipped(reason=OUTSIDE, title=title, page_id=page_id)
        if not page.get("revisions"):
            return Skipped(reason=NEWER, title=title, page_id=page_id, seen=self.cutoff)
        revision = page["revisions"][0]
        content = revision.get("slots", {}).get("main", {})
        if content.get("contentmodel", "wikitext") != "wikitext":
            return Skipped(reason=NOT_TEXT, title=title, page_id=page_id)
        source = scrub(content.get("content", ""))
        if not source.strip():
            return Skipped(reason=NO_TEXT, title=title, page_id=page_id)
        if revision["timestamp"] > self.cutoff:
            return Skipped(reason=MALFORMED, title=title, page_id=page_id)
        return Page(
            page_id=page_id,
            rev_id=revision["revid"],
            title=title,
            timestamp=revision["timestamp"],
            url=permanent_link(self.base_url, title, revision["revid"]),
            redirect=redirect_target(source),
            source=source,
            format="wikitext",
            seen=self.cutoff if page.get(EDITED_SINCE) else revision["timestamp"],
            caveat=TITLE_OF_LATER if page.get(EDITED_SINCE) else "",
            category_names=self.category_names,
        )


def open_titles(
    address: str, titles: Sequence[str], cutoff: str, contact: str, cache: Path
) -> WikiTitles:
    """Open a wiki for a list of titles; asks it for its base address.

    Raises:
        InputError: no titles, or no contact for the User-Agent.
        BackendError: the wiki does not answer.
    """
    wanted = tuple(dict.fromkeys(filter(None, map(normalise, titles))))
    if not wanted:
        raise InputError(f"no titles for {address}: name a file with one title a line by --titles")
    check_address(address, "https://…/w/api.php")
    if not contact.strip():
        raise InputError(
            "a wiki's API asks who calls it: name an e-mail or web address by --contact"
        )
    with WikiClient(address, contact) as client:
        asked = client.ask(meta="siteinfo", siprop="general|namespaces")["query"]
    site, spaces = asked["general"], asked.get("namespaces") or {}
    made = utc_timestamp(site.get("time"))[:10]
    return WikiTitles(
        address=address,
        titles=wanted,
        cutoff=min(cutoff, cutoff_of(made)) if made else cutoff,
        made=made,
        made_by="the wiki's clock" if made else "",
        contact=contact,
        cache=cache,
        base_url=site["base"],
        category_names=frozenset(
            str(space["name"]).lower()
            for number, space in spaces.items()
            if number == CATEGORIES and space.get("name")
        ),
    )


def _follow(
    client: WikiClient, cache: PageCache, titles: Sequence[str], cutoff: str
) -> list[dict[str, Any]]:
    """Return the pages of some titles and of the redirects among them."""
    found: dict[str, dict[str, Any]] = {}
    wanted = list(titles)
    for _ in range(_REDIRECTS):
        fresh = [title for title in wanted if title not in found]
        found |= _as_of(client, cache, fresh, cutoff)
        targets = (_target(found[title]) for title in fresh)
        wanted = [normalise(target) for target in targets if target]
    return list(found.values())


def _target(page: dict[str, Any]) -> str | None:
    revisions = page.get("revisions") or [{}]
    content = revisions[0].get("slots", {}).get("main", {}).get("content", "")
    return redirect_target(content)


def _as_of(
    client: WikiClient, cache: PageCache, titles: Sequence[str], cutoff: str
) -> dict[str, dict[str, Any]]:
    pages = {title: page for title in titles if (page := cache.get(title)) is not None}
    unknown = [title for title in titles if title not in pages]
    for first in range(0, len(unknown), TITLES_A_REQUEST):
        asked = unknown[first : first + TITLES_A_REQUEST]
        current = client.current_pages(asked)
        for title in asked:
            page = current.get(title, {"title": title, "missing": True})
            revisions = page.get("revisions")
            if revisions and revisions[0]["timestamp"] > cutoff:
                page = client.page_at(title, cutoff) | {EDITED_SINCE: True}
            cache.put(title, page)
            pages[title] = page
    return pages
