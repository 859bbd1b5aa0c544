"""What every source yields beside pages."""

from __future__ import annotations

from dataclasses import dataclass

NEWER = "newer than the date"
NO_TEXT = "no text"
NO_ID = "no page or revision id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A page that was left out, and why."""

    title: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteInfo:
    """What a source says about its wiki."""

    base_url: str
    """Address of a page of the wiki, from which permanent links are made."""
    name: str
