"""Boxes: templates whose named values become lines `Label: value`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpus.form.lines import flatten
from corpus.form.marks import CAPTION, LINE

Arguments = Sequence[tuple[str | None, str]]
"""(name, value) pairs in order; None for values without a name."""

_BOX = re.compile(
    r"infobox|taxobox|speciesbox|automatic taxobox|geobox|chembox|drugbox|starbox|planetbox|"
    r"基础情報|基礎情報|信息框|infobox|ficha|кутия|infotaula|\bbox\b",
    re.I,
)
_SILENT = re.compile(
    r"(?:image|img|photo|pic|picture|logo|map|flag|seal|coat|cover|signature|caption|alt|width|size|px|"
    r"colou?r|bgcolou?r|background|style|class|align|border|padding|position|pushpin|zoom|marker|"
    r"label|ref|refs|reference|references|footnotes?|url_?access|access_?date|embed|module|child|header|"
    r"list_?style|title_?style|above_?style|nocat|lang|mode|show|collapsed|state|"
    r"latd|latm|lats|latns|longd|longm|longs|longew|sound|audio|filename|file)"
    r"(?:$|[\s_\d-]|_?(?:size|width|alt|caption|upright|name|image|map|text|style|type|skyline|label|link))",
    re.I,
)
_DROPPED_VALUE = re.compile(
    r"[\w \-().,']+\.(?:jpe?g|png|svg|gif|tiff?|ogg|oga|ogv|webm|webp|pdf)", re.I
)
_MAIN_WORDS = 40
_LEAST_NAMED = 3


def looks_like_box(name: str, arguments: Arguments) -> bool:
    """Whether a template is a box: by its name, or since it holds several named values on lines."""
    if _BOX.search(name):
        return True
    named = [value for key, value in arguments if key and not key.isdecimal()]
    return (
        len(named) >= _LEAST_NAMED and sum(value.endswith("\n") for value in named) >= _LEAST_NAMED
    )


def render_box(name: str, arguments: Arguments) -> str:
    """Return a box's lines, each marked as finished, between empty lines."""
    labels = {key.casefold(): value.strip() for key, value in arguments if key and value.strip()}
    lines = []
    for key, value in arguments:
        if key is None or key.isdecimal():
            continue
        label = label_of(key, labels)
        if label is None:
            continue
        text = flatten(value.replace(CAPTION, " ")).strip()
        if text and not _DROPPED_VALUE.fullmatch(text):
            lines.append(f"{LINE}{label}: {text}\n")
    return "\n\n" + "".join(lines) + "\n" if lines else ""


def label_of(key: str, labels: dict[str, str]) -> str | None:
    """Return how a parameter's name reads, or None where its value says nothing to a reader.

    `birth_date` reads "Birth date". `data3` and `header3` take what `label3` says.
    """
    key = key.strip()
    numbered = re.fullmatch(r"(data|info|content|text|value|blank\d*_info|free)_?(\d*)", key, re.I)
    if numbered:
        for stem in ("label", "name", "blank_name", "header"):
            found = labels.get(f"{stem}{numbered[2]}")
            if found:
                return flatten(found).rstrip(":")
    if _SILENT.match(key) and not re.fullmatch(r"(?:language|colors?|colours?)s?", key, re.I):
        return None
    words = re.sub(r"[_\s]+", " ", key).strip()
    words = re.sub(r"(?<=[a-z])(?=\d+$)", " ", words)
    if not words:
        return None
    return words[0].upper() + words[1:]
