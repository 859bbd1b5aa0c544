"""The words of a snapshot: what is an ordinary word, and what may be used as a new name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from corpus.store import Snapshot

WORD = re.compile(r"[^\W\d_]+")
_CONNECTORS = frozenset(
    [
        "a",
        "an",
        "and",
        "as",
        "at",
        "by",
        "de",
        "del",
        "della",
        "der",
        "des",
        "di",
        "do",
        "du",
        "e",
        "el",
        "et",
        "for",
        "from",
        "in",
        "la",
        "le",
        "les",
        "los",
        "of",
        "on",
        "or",
        "the",
        "to",
        "und",
        "van",
        "von",
        "with",
        "y",
        "zu",
    ]
)
KEPT = frozenset(
    # Heads of names, which say what kind of thing is named, and titles before one.
    [
        "abbey",
        "academy",
        "act",
        "agency",
        "airport",
        "arts",
        "channel",
        "conservatory",
        "constitution",
        "declaration",
        "engineering",
        "glacier",
        "head",
        "law",
        "monastery",
        "science",
        "sciences",
        "technology",
        "waterfall",
        "colony",
        "crater",
        "conference",
        "airport",
        "archipelago",
        "army",
        "association",
        "avenue",
        "award",
        "awards",
        "basin",
        "bay",
        "beach",
        "bridge",
        "building",
        "canal",
        "cape",
        "castle",
        "cathedral",
        "championship",
        "church",
        "city",
        "club",
        "coast",
        "college",
        "committee",
        "company",
        "council",
        "county",
        "cup",
        "desert",
        "district",
        "east",
        "empire",
        "falls",
        "federation",
        "festival",
        "forest",
        "foundation",
        "games",
        "gulf",
        "hall",
        "harbour",
        "high",
        "hill",
        "hills",
        "house",
        "institute",
        "institution",
        "international",
        "island",
        "islands",
        "kingdom",
        "laboratory",
        "laboratories",
        "lake",
        "lakes",
        "league",
        "library",
        "medal",
        "mission",
        "mount",
        "mountain",
        "mountains",
        "museum",
        "national",
        "navy",
        "north",
        "northeastern",
        "northern",
        "northwestern",
        "observatory",
        "ocean",
        "olympiad",
        "opera",
        "orchestra",
        "palace",
        "park",
        "peninsula",
        "plateau",
        "prize",
        "programme",
        "program",
        "project",
        "province",
        "republic",
        "revolution",
        "river",
        "road",
        "rocket",
        "royal",
        "school",
        "schools",
        "sea",
        "senate",
        "society",
        "south",
        "southeastern",
        "southern",
        "southwestern",
        "space",
        "square",
        "state",
        "states",
        "station",
        "stadium",
        "street",
        "summer",
        "summit",
        "team",
        "theater",
        "theatre",
        "tower",
        "town",
        "treaty",
        "tunnel",
        "university",
        "valley",
        "village",
        "volcano",
        "war",
        "west",
        "western",
        "eastern",
        "winter",
        "world",
        "chemistry",
        "economics",
        "literature",
        "mathematics",
        "medicine",
        "music",
        "peace",
        "philosophy",
        "physics",
        "physiology",
        "i",
    ]
)
"""Words with a capital that are kept: in lower case."""


_CALENDAR = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ]
)
RANKS = frozenset(
    [
        "bishop",
        "captain",
        "count",
        "dr",
        "duke",
        "emperor",
        "empress",
        "general",
        "king",
        "lady",
        "lord",
        "mr",
        "mrs",
        "pope",
        "president",
        "prince",
        "princess",
        "professor",
        "queen",
        "saint",
        "sir",
        "st",
    ]
)
"""Titles that are kept before a name, in lower case."""


def is_connector(word: str) -> bool:
    """Tell a small word inside names ("of", "the", "van") from a part of the name."""
    return word.lower() in _CONNECTORS


def is_month(word: str) -> bool:
    """Tell a month or a day of the week."""
    return word.lower() in _CALENDAR


def is_kept(word: str) -> bool:
    """Tell whether a word with a capital stays as it is."""
    return word.lower() in KEPT or is_month(word) or is_connector(word) or is_roman(word)


def is_roman(word: str) -> bool:
    """Tell a Roman numeral; single letters other than I, V and X are initials."""
    return bool(re.fullmatch(r"[IVX]|[IVXLC]{2,}", word))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Words of one snapshot."""

    ordinary: frozenset[str]
    """Those that stand in lower case somewhere in its prose."""
    every: frozenset[str]
    """All, in lower case, titles included."""


def read_lexicon(snapshot: Snapshot) -> Lexicon:
    """Return the words of a whole snapshot, in one pass over its articles."""
    ordinary: set[str] = set()
    every: set[str] = set()
    for article in snapshot.articles():
        texts = (article.text, article.revision.title, *article.redirects)
        for word in WORD.findall("\n".join(texts)):
            every.add(word.lower())
            if word.islower():
                ordinary.add(word)
    return Lexicon(ordinary=frozenset(ordinary), every=frozenset(every))
