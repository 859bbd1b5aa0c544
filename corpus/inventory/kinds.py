"""What of a snapshot can be listed."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """The choices of `corpus list --what`."""

    ARTICLES = "articles"
    CATEGORIES = "categories"
    BOXES = "boxes"
    TABLES = "tables"
