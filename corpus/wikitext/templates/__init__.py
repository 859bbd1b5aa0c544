"""Templates that carry text: a table of small pure functions, by name.

    words, lists, names, dates, numbers, places, languages, citations, data    what each shows
    silent                                                                     what shows nothing

A template outside the table is judged by its shape: several named values on lines of their own are
a box; a single value of words is kept as text; anything else shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from corpus.form.marks import NOTE, forget_roles
from corpus.wikitext.boxes import is_box_name, looks_like_box, show_box
from corpus.wikitext.templates.call import Template, make_call, read_pairs
from corpus.wikitext.templates.citations import CITATIONS, citation, is_citation_name
from corpus.wikitext.templates.data import DATA
from corpus.wikitext.templates.dates import DATES
from corpus.wikitext.templates.languages import (
    LANGUAGES,
    is_language_name,
    is_pronunciation_name,
    named_language,
    pronunciation,
)
from corpus.wikitext.templates.lists import LISTS
from corpus.wikitext.templates.names import NAMES
from corpus.wikitext.templates.numbers import NUMBERS
from corpus.wikitext.templates.places import PLACES, country_template
from corpus.wikitext.templates.silent import is_silent_name
from corpus.wikitext.templates.words import WORDS

TEMPLATES: dict[str, Template] = {
    **WORDS,
    **LISTS,
    **NAMES,
    **NUMBERS,
    **DATES,
    **PLACES,
    **LANGUAGES,
    **CITATIONS,
    **DATA,
}
"""Name in lower case → what the template shows."""

_SILENT, _BOX, _UNKNOWN = "silent", "box", "unknown"
_PREFIX = re.compile(
    r"\A(?:template|safesubst|subst|msg|msgnw|vorlage|modèle|plantilla|t)\s*:\s*", re.IGNORECASE
)
_CASE = {
    "lc": str.lower,
    "uc": str.upper,
    "lcfirst": str,
    "ucfirst": str,
    "nowrap": str,
    "plural": str,
}
_SEVERAL_WORDS = re.compile(r"[^\W\d_]{2}\S*\s+\S")
_LONG = 60
_LONGEST_NAME = 120


def show_template(arguments: Sequence[list[str]], *, alone: bool = False) -> str:
    """Return what a template shows.

    Args:
        arguments: its name, then its arguments, each as pieces (see `read_pairs`), with the
            templates and links inside them already rendered.
        alone: whether it stands on a line of its own.
    """
    name = "".join(arguments[0])
    what, key = _resolve(name) if len(name) <= _LONGEST_NAME else (_UNKNOWN, "")
    if what == _SILENT:
        return NOTE
    pairs = read_pairs(arguments[1:])
    if what == _BOX:
        return show_box(pairs, _box_name(name))
    if callable(what):
        call = make_call(key, pairs)
        if ":" in name and (first := name.partition(":")[2].strip()) and key + ":" in name.lower():
            call.positional.insert(0, first)
        return what(call)
    if looks_like_box(pairs):
        return show_box(pairs, _box_name(name))
    return _show_unknown(arguments[1:], alone=alone)


@lru_cache(maxsize=4096)
def _box_name(name: str) -> str:
    """Return a template's name without the namespace, as it is written."""
    plain = " ".join(forget_roles(name).replace(NOTE, " ").replace("_", " ").split())
    return _PREFIX.sub("", plain, count=1)


def is_silent(name: str) -> bool:
    """Whether the template of this name shows nothing, whatever its arguments."""
    return len(name) <= _LONGEST_NAME and _resolve(name)[0] == _SILENT


@lru_cache(maxsize=16_384)
def _resolve(name: str) -> tuple[Template | str, str]:
    """Return what a name stands for, and the name as the table has it."""
    plain = _PREFIX.sub("", " ".join(name.replace("_", " ").split()), count=1)
    if (code := country_template(plain)) is not None:
        return code, plain
    key = plain.lower()
    function, colon, _ = key.partition(":")
    if colon and (function in TEMPLATES or function in _CASE or is_silent_name(function)):
        key = function.strip()
        if key in _CASE:
            return (lambda call: call.at(1)), key
    if (known := TEMPLATES.get(key)) is not None:
        return known, key
    if is_citation_name(key):
        return citation, key
    if is_language_name(key):
        return named_language, key
    if is_pronunciation_name(key):
        return pronunciation, key
    if is_silent_name(key) or key.startswith("#"):
        return _SILENT, key
    return (_BOX if is_box_name(key) else _UNKNOWN), key


def _show_unknown(arguments: Sequence[list[str]], *, alone: bool) -> str:
    """Return the one value that an unknown template holds, if it is words; else the mark of nothing.

    A word that stands alone is as often an identifier or a switch as a text. A template alone on
    its line is rather a bar of links than a part of the text, unless its value is a long one.
    """
    pairs = read_pairs(arguments)
    values = [
        (value.strip(), pieces)
        for (name, value), pieces in zip(pairs, arguments, strict=True)
        if name is None
    ]
    values = [(value, pieces) for value, pieces in values if value.strip(NOTE)]
    if len(values) != 1:
        return NOTE
    value, pieces = values[0]
    wordy = len(pieces) > 1 or not value.isascii() or _SEVERAL_WORDS.search(value) is not None
    return value if wordy and not (alone and len(value) < _LONG) else NOTE
