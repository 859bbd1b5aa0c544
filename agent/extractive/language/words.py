"""Closed word classes and word forms of English: what the rules on a question stand on.

Nothing here names a topic: only words that belong to every topic are listed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from corpus import text
from corpus.text import word_set as word_set

NUMBER_WORDS = {word: value for value, word in enumerate(text.CARDINALS)} | {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "dozen": 12, "hundred": 100, "thousand": 1_000,
}  # fmt: skip
ORDINALS = {word: value for value, word in enumerate(text.ORDINALS[:10], start=1)}

BE = word_set("is are was were be been being am")
DO = word_set("do does did")
HAVE = word_set("have has had")
MODAL = word_set("can could will would shall should may might must")
AUXILIARY = BE | DO | HAVE | MODAL
WH = word_set("what which who whom whose when where why how")
RELATIVE = word_set("who whom which that where whose when")
DETERMINER = word_set(
    "the a an this that these those each every all both some any no its his her their our your "
    "my another either neither"
)
PREPOSITION = word_set(
    "of in on at by for from to with without within into onto over under through across along "
    "between among amongst during before after since until about above below behind beside "
    "beyond near against around per via toward towards upon outside inside throughout besides "
    "excluding including as than like despite prior"
)
CONJUNCTION = word_set("and or but nor")
PRONOUN = word_set(
    "i you he she it we they him her them me us his its their one ones itself themselves"
)
FUNCTION_WORDS = (
    AUXILIARY
    | WH
    | DETERMINER
    | PREPOSITION
    | CONJUNCTION
    | PRONOUN
    | word_set(
        "not there here so if then also only just more most less least much many very too "
        "respectively respective ever never please"
    )
)

IRREGULAR_PLURALS = {
    "people": "person", "men": "man", "women": "woman", "children": "child", "feet": "foot",
    "teeth": "tooth", "mice": "mouse", "geese": "goose", "alumni": "alumnus", "phenomena":
    "phenomenon", "criteria": "criterion", "nuclei": "nucleus", "radii": "radius", "media":
    "medium", "lives": "life", "wives": "wife", "leaves": "leaf", "halves": "half", "wolves":
    "wolf", "knives": "knife", "movies": "movie", "species": "species", "series": "series",
    "genera": "genus", "dice": "die", "indices": "index", "axes": "axis", "bases": "base",
    "analyses": "analysis", "theses": "thesis", "crises": "crisis", "oases": "oasis",
    "aircraft": "aircraft", "olympics": "olympics", "headquarters": "headquarters",
    "alma maters": "alma mater", "buses": "bus", "viruses": "virus",
    "cookies": "cookie", "ties": "tie", "zombies": "zombie", "calories": "calorie", "shoes": "shoe",
}  # fmt: skip
_SINGULAR_S = re.compile(r"(?:ss|us|is|ics|news|gas|atlas|canvas|bias|christmas|texas|chess)$")


def is_plural(word: str) -> bool:
    """Say whether a noun has a plural's form."""
    low = word.lower()
    if low in IRREGULAR_PLURALS or _OF_MEN.fullmatch(low):
        return True
    return len(low) > 3 and low.endswith("s") and not _SINGULAR_S.search(low)


_OF_MEN = re.compile(r"(?!(?:abdo|speci|regi|acu|hy|la|ra|sta|gravita|cycla|ger)men)[a-z]{2,}men")
"""Plurals as of "seaman"."""
_WITH_OE = word_set("shoes toes foes hoes canoes oboes floes woes throes aloes tiptoes horseshoes")
"""Plurals whose singular ends in -oe: those of "mottoes" and "volcanoes" do not."""


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """Return a noun's singular, keeping a capital first letter."""
    low = word.lower()
    if low in IRREGULAR_PLURALS:
        made = IRREGULAR_PLURALS[low]
        return made.capitalize() if word[:1].isupper() else made
    if not is_plural(word):
        return word
    if _OF_MEN.fullmatch(low):
        return word[:-2] + "an"
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    if re.search(r"(?:ch|sh|x|ss|zz|[^eo]o)es$", low) and low not in _WITH_OE:
        return word[:-2]
    return word[:-1]


def plural(word: str) -> str:
    """Return a noun's plural, keeping its capitals."""
    low = word.lower()
    if is_plural(word):
        return word
    for many, one in IRREGULAR_PLURALS.items():
        if one == low:
            return many.capitalize() if word[:1].isupper() else many
    if re.search(r"[^aeiou]y$", low):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(?:s|x|z|ch|sh)$", low) else "s")


_NO_SUPERLATIVE = word_set(
    "west east northwest southwest northeast southeast midwest forest interest guest test rest nest chest "
    "request quest conquest harvest protest contest arrest invest suggest honest modest digest "
    "priest crest pest vest zest manifest molest ernest everest budapest bucharest brest wrest "
    "unrest"
)


def is_superlative(word: str) -> bool:
    """Say whether one word is a superlative: "longest", "most", "best"."""
    low = word.lower()
    if low in {"most", "least", "fewest", "best", "worst"}:
        return True
    return len(low) > 4 and low.endswith("est") and low not in _NO_SUPERLATIVE


def number_of(word: str) -> int | None:
    """Return a count given as digits or in words, None for any other word."""
    low = word.lower().replace(",", "")
    if low.isdecimal():
        return int(low)
    if low in NUMBER_WORDS:
        return NUMBER_WORDS[low]
    tens, _, unit = low.partition("-")
    if tens in NUMBER_WORDS and unit in NUMBER_WORDS and NUMBER_WORDS[tens] >= 20:
        return NUMBER_WORDS[tens] + NUMBER_WORDS[unit]
    return None


def count_of(text: str) -> int | None:
    """Return how many members a question says there are: "the eight planets".

    The number in a name is none: "Apollo 11".
    """
    before = ""
    for word in re.findall(r"[\w-]+", text):
        named = before[:1].isupper() and before.lower() not in FUNCTION_WORDS
        before = word
        if named and word.isdigit():
            continue
        count = None if word.isdigit() and len(word) == 4 else number_of(word)
        if count is not None and 1 < count <= 100:
            return count
    return None


CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def is_cjk(text: str) -> bool:
    """Say whether a text is mostly written in Chinese, Japanese or Korean characters."""
    letters = sum(1 for char in text if char.isalpha())
    return letters > 0 and len(CJK.findall(text)) * 2 > letters
