"""Boxes: templates whose named values become lines `Label: value`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from corpus.form.lines import flatten
from corpus.form.marks import BOX, BOX_END, LINE, NOTE, PIPE
from corpus.form.table import CELL_SEPARATOR

Pairs = Sequence[tuple[str | None, str]]
"""Arguments in order: name and value; None for a value without a name."""

_BOX_NAME = re.compile(
    r"infobox|(?:tax|geo|chem|drug|species|plant|star|protein|enzyme|hybrid|ichno|virus)o?box|\bficha\b|\bfiche\b|кутия|карточка"
    r"|картка|基礎情報|信息框|資訊框|infotaula|info/|sinottico|taxobox|boîte|personendaten|\bbox\b"
)
_DISPLAY_NAME = re.compile(
    r"(?:.*[_ ])?(?:image|img|photo|picture|map|logo|flag|coa|coat|seal|shield|symbol|cover|banner|pushpin|icon|signature"
    r"|skyline|emblem|label|caption|header|title|above|data|list|group|body|name|table|row|parts|content)[_ ]?\d*[_ ]?"
    r"(?:size|width|px|upright|align|style|class|bg_?colou?r|text_?colou?r|border|zoom|padding|margin|position)\d*"
    r"|(?:.*[_ ])?(?:bg_?colou?r|text_?colou?r|colou?r_?code|hex|family_?colou?r|coordinates_?(?:display|type|format)|embed|no_?cat"
    r"|collapsible|collapsed|df|mf|subbox|decat|mapframe.*|template_?name|pushpin_map|format_?coords|coord_?format|url_?status"
    r"|access_?date|map_?dot_?label|line_?colou?r.*|image_?upright|background|float|bar_?width|width_?units|data_?max|data_?type|label_?type|stat_?ref|mapsize|nogrid|nolink)\d*",
    re.IGNORECASE,
)
_MEANINGFUL = frozenset({"body_style", "body style"})
"""Parameters of cars that read like those for display."""
_FILE_VALUE = re.compile(
    r"(?:[^\s:|]+:)?[^|\n]{1,200}\.(?:jpe?g|png|svg|gif|tiff?|og[agv]|webm|webp|midi?|wav|mp3|stl|djvu)",
    re.IGNORECASE,
)
_OPTIONS = re.compile(rf"[|{PIPE}].*", re.DOTALL)
_DISPLAY_VALUE = re.compile(r"#[0-9a-fA-F]{3,8}|\d*\s*x?\s*\d+\s*px", re.IGNORECASE)
_SWITCHES = frozenset(
    {"yes", "no", "y", "n", "true", "false", "on", "off", "collapsed", "autocollapse", "expanded"}
)
_WORDS = re.compile(r"[^\W\d_]{2}")
_TITLE_NAME = re.compile(
    r"(.*?)[_ ]?(?:title|type|label|event|name|header|heading)([_ ]?(?:sec)?\d*)", re.IGNORECASE
)
_BLANK_NAME = re.compile(r"(\d*)blankname(\d*)")
"""Label of an officeholder's further line: `1blankname2 = Vice Chancellor`, `1namedata2 = …`."""
_LEAST_NAMED = 3
_NUMBER = re.compile(r"(?<!km)(?<!_m)(?<!_ft)\d+(?=(?:[_ ][A-Za-z]+|[A-Z][a-z]+)?$)")
_ROW = 500
"""Longest line, in characters, that values with one number are joined to."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")


_ARROW = re.compile(r"^[▲▼▬]\s+(?=\S)|(?<=\S)\s+[▲▼▬]$")
"""`{{increase}}` before or after a value: a picture that says how the year before was."""
_GROUPED = re.compile(
    r"(?:population|area|total_?area|land_?area|water_?area)(?!.*(?:code|date|as_of|rank|note|ref)).*",
    re.IGNORECASE,
)
"""Parameters whose amounts a box sets in groups of three."""
_AMOUNT = re.compile(r"(\d{5,})(?=\.\d|\s|$)")


class _Value(NamedTuple):
    """A value to show."""

    stem: str
    """Its parameter's name without the number."""
    number: str
    """Empty where the name has none."""
    text: str
    """`Label: value`."""


def is_box_name(key: str) -> bool:
    """Whether a template is a box by its name, in lower case."""
    return _BOX_NAME.search(key) is not None


def looks_like_box(pairs: Pairs) -> bool:
    """Whether a template's arguments are those of a box: several named values on lines of their own."""
    named = lines = 0
    for name, value in pairs:
        if name and not name.isdecimal():
            named += 1
            lines += value.endswith("\n")
    return named >= _LEAST_NAMED and lines >= _LEAST_NAMED


def show_box(pairs: Pairs, template: str = "") -> str:
    """Return a box's lines, the first with its name; lines of a box or table inside it follow it.

    A value whose label is another value (`leader_title1 = President`, `leader_name1 = …`) stands
    after both: `President (leader name1): …`. Neighbours with one number (`office2`, `term2`) belong
    together and stand on one line, as the cells of a row.
    """
    values = {name.strip(): value.strip() for name, value in pairs if name}
    titles = _titles_by_value(values)
    used = set(titles.values())
    inner: list[str] = []
    shown: list[_Value] = []
    for name, value in values.items():
        if not name or name in used:
            continue
        if LINE in value:
            value = _take_lines(value, inner)
        if not value or not _is_shown(name, value):
            continue
        text = _as_drawn(name, flatten(value))
        if not text.strip(NOTE + "' "):
            continue
        label = _label(name)
        if name in titles:
            title = flatten(values[titles[name]], " ").rstrip(":")
            label = f"{title} ({label[:1].lower()}{label[1:]})"
        match = _NUMBER.search(name)
        stem, number = (name[: match.start()], match[0]) if match is not None else (name, "")
        shown.append(_Value(stem, number, f"{label}: {text}"))
    lines = _join_rows(shown)
    lines.extend(_coordinates(values))
    lines.extend(f"\n{line}" for line in inner)
    if not lines:
        return ""
    lines[0] = lines[0].replace(LINE, f"{LINE}{BOX}{template}{BOX_END}", 1)
    return "".join(lines) + "\n"


def _join_rows(shown: list[_Value]) -> list[str]:
    """Return lines; neighbours with one number share a line while it stays short enough."""
    lines: list[str] = []
    last = ""
    for value in _by_number(shown):
        if value.number and value.number == last and len(lines[-1]) + len(value.text) < _ROW:
            lines[-1] += f"{CELL_SEPARATOR}{value.text}"
        else:
            lines.append(f"\n{LINE}{value.text}")
        last = value.number
    return lines


def _by_number(shown: list[_Value]) -> list[_Value]:
    """Return the values with columns written one after the other (`years1 years2 clubs1 clubs2`) row by row."""
    ordered: list[_Value] = []
    group: list[_Value] = []
    numbers: set[str] = set()
    for _, run_values in groupby(shown, key=lambda value: (value.stem, bool(value.number))):
        run = list(run_values)
        found = {value.number for value in run}
        if len(run) > 1 and run[0].number and 3 * len(found & numbers) >= 2 * len(found | numbers):
            group.extend(run)
            continue
        ordered.extend(_row_by_row(group))
        group, numbers = run, found if len(run) > 1 else set()
    return ordered + _row_by_row(group)


def _row_by_row(group: list[_Value]) -> list[_Value]:
    rows: dict[str, list[_Value]] = {}
    for value in group:
        rows.setdefault(value.number, []).append(value)
    return [value for row in rows.values() for value in row]


def _as_drawn(name: str, text: str) -> str:
    """Return a value as the page draws it: without the arrow of a rise, large amounts in groups."""
    bare = _ARROW.sub("", text)
    if _GROUPED.fullmatch(name) and (number := _AMOUNT.match(bare)) is not None:
        return f"{int(number[1]):,}{bare[number.end() :]}"
    return bare


def _take_lines(value: str, inner: list[str]) -> str:
    kept = []
    for line in value.split("\n"):
        if line.startswith(LINE):
            inner.append(line)
        else:
            kept.append(line)
    return "\n".join(kept).strip()


def _is_shown(name: str, value: str) -> bool:
    if (
        value in _SWITCHES
        or _FILE_VALUE.fullmatch(_OPTIONS.sub("", value))
        or _DISPLAY_VALUE.fullmatch(value)
    ):
        return False
    if _DISPLAY_NAME.fullmatch(name):
        return name.lower() in _MEANINGFUL and _WORDS.search(value) is not None
    return not (name[:3].lower() in ("lat", "lon") and _is_degree_name(name))


@lru_cache(maxsize=8192)
def _label(name: str) -> str:
    """Return a parameter's name as a label: `birth_date` reads "Birth date"."""
    words = " ".join(name.replace("_", " ").split())
    words = _CAMEL.sub(" ", words)
    return words[:1].upper() + words[1:]


@lru_cache(maxsize=8192)
def _titled_names(title_name: str) -> tuple[str, ...]:
    """Return the parameters that a parameter may hold the label of, most likely first."""
    if (numbered := _BLANK_NAME.fullmatch(title_name)) is not None:
        return (f"{numbered[1]}namedata{numbered[2]}",)
    match = _TITLE_NAME.fullmatch(title_name)
    if match is None or not (match[1] or match[2]):
        return ()
    stem, number = match[1], match[2]
    endings = ("name", "date", "info", "data", "value", "text", "content")
    names = [f"{stem}_{ending}{number}" for ending in endings]
    names += [f"{stem}{ending}{number}" for ending in endings]
    if stem:
        names += [f"{stem}{number}", f"{stem}_km2{number}", f"{stem}_total_km2{number}"]
    elif title_name.lower().startswith("label"):
        names += [f"data{number}"]
    return tuple(name for name in names if name != title_name)


def _titles_by_value(values: dict[str, str]) -> dict[str, str]:
    """Return for each parameter whose label is another parameter's value the name of that one."""
    found: dict[str, str] = {}
    for name, value in values.items():
        if not value or len(value) > 120 or "\n" in value:
            continue
        lowered = name.lower()
        if not any(
            word in lowered for word in ("title", "type", "label", "event", "blank", "header")
        ):
            continue
        for other in _titled_names(name):
            if values.get(other) and other not in found:
                found[other] = name
                break
    return found


_DEGREE_NAME = re.compile(
    r"(lat|long?)(?:itude)?_?(d|deg|degrees|m|min|minutes|s|sec|seconds|ns|ew|dir|_direction)?",
    re.I,
)


def _is_degree_name(name: str) -> bool:
    match = _DEGREE_NAME.fullmatch(name)
    return match is not None and match[2] is not None


def _coordinates(values: dict[str, str]) -> list[str]:
    """Return one line for coordinates given as degrees, minutes and seconds in parameters of their own."""
    halves = []
    for axis, default in (("lat", "N"), ("long", "E")):
        parts = {"d": "", "m": "", "s": "", "n": default}
        for name, value in values.items():
            match = _DEGREE_NAME.fullmatch(name)
            if match is not None and match[2] and match[1].lower().startswith(axis[:3]) and value:
                parts[
                    "n"
                    if match[2].lower() in ("ns", "ew", "dir", "_direction")
                    else match[2][0].lower()
                ] = value
        if not parts["d"]:
            return []
        shown = f"{parts['d']}°"
        shown += f"{parts['m']}′" if parts["m"] else ""
        shown += f"{parts['s']}″" if parts["m"] and parts["s"] else ""
        halves.append(shown + parts["n"])
    return [f"\n{LINE}Coordinates: {' '.join(halves)}"]
