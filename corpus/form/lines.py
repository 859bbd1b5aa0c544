"""Inline text: one line out of several, clean spaces, no marks."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.entities import html5

from corpus.form.marks import (
    BREAK,
    CAPTION,
    CAPTION_END,
    ICON,
    ICON_END,
    LINE,
    NOTE,
    escape,
    forget_roles,
)

_ENTITY = re.compile(r"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ODD_SPACES = (
    "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f"
)
_INVISIBLE = "\u00ad\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
_CJK = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]"
)
_POINTS_AFTER = frozenset('.,;:!?)]}、。，；：！？）」』"”’')
_OPENING, _CLOSING = ("(", "（"), (")", "）")
_POINTS_BEFORE = frozenset('.,;:!?)]}"”’%')
_EXTERNAL = re.compile(
    r"\[(?:[a-zA-Z]{3,8}:)?//([^\s\[\]<>|]++)[ \t\u00a0]*+((?:[^\[\]\n]++|\[[^\[\]\n]{0,60}+\])*+)\]"
)
_ICONS = re.compile(f"{ICON}([^{ICON_END}]*){ICON_END}[ \t]?")
_UNFINISHED = frozenset(
    ["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)
"""After one of these a `<br>` is a place to wrap the line, not the end of an item."""
_MARKS_OF_ITEMS = frozenset({"*", "#", ":", ";", LINE})
_ITEM = re.compile(r"^[*#:;]+[ \t]*")


def strip_quotes(text: str) -> str:
    """Remove the marks of bold and italic, keeping an apostrophe that belongs to a word."""
    if "''" not in text:
        return text
    # The longest first: of four quotes one is an apostrophe before bold type, of six one before both.
    return text.replace("'''''", "").replace("'''", "").replace("''", "")


def strip_external(text: str) -> str:
    """Replace `[http://… words]` by its words; one without words goes, as the number it shows."""
    if "//" not in text:
        return text
    return _EXTERNAL.sub(r"\2", text)


def decode_entities(text: str) -> str:
    """Decode character references that end in a semicolon, once."""
    if "&" not in text:
        return text
    return _ENTITY.sub(_decode, text)


def _decode(match: re.Match[str]) -> str:
    name = match[1]
    if name[0] != "#":
        return html5.get(name + ";", match[0])
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    if code in (0x9, 0xA, 0xD, 0xA0):
        return " "
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return ""
    if 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE:
        return ""
    return chr(code)


def settle_notes(text: str) -> str:
    """Resolve the marks of removed references: words stay apart, punctuation stays attached."""
    if NOTE not in text:
        return text
    parts = text.split(NOTE)
    shown = [parts[0]]
    before = parts[0]
    for part in parts[1:]:
        if not part:
            continue
        after = part[0]
        if before[-1:] in _OPENING and (part := part.lstrip(" ,;，；")):
            after = part[0]
        if after in _CLOSING:
            before = before.rstrip(" \t,;，；")
            if before[-1:] in _OPENING:
                # Brackets around nothing but what was removed go with it.
                before, part = before[:-1].rstrip(" \t"), part[1:]
            shown[-1] = before
        elif after in _POINTS_AFTER:
            before = before.rstrip(" \t")
            shown[-1] = before
        elif before and after.isalnum() and not _CJK.match(after):
            last = before[-1]
            if last in _POINTS_BEFORE or (last.isalnum() and not _CJK.match(last)):
                shown.append(" ")
        shown.append(part)
        before = part
    return "".join(shown)


def settle_spaces(text: str) -> str:
    """Make every run of blanks one space and drop characters that show nothing."""
    if not text.isascii():
        for character in _INVISIBLE:
            if character in text:
                text = text.replace(character, "")
    for character in _ODD_SPACES:
        if character in text:
            text = text.replace(character, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def settle(text: str) -> str:
    """Return text as it is shown, in which only the marks for lines and protected characters remain.

    `restore` turns the protected characters back.
    """
    if ICON in text:
        text = _ICONS.sub("", text)
    text = settle_notes(strip_quotes(strip_external(text)))
    if "&" in text:
        # `&lt;ref>` shows markup on purpose: what it decodes to must not be taken for some.
        text = _ENTITY.sub(lambda entity: escape(_decode(entity)), text)
    return settle_spaces(text)


def flatten(text: str, separator: str = ", ") -> str:
    """Return text on one line, as a table cell or a box value needs it.

    List items, finished lines and `<br>` are joined by `separator`, other lines by a space.
    """
    text = forget_roles(text)
    if ICON in text:
        text = _ICONS.sub("", text).strip() or ", ".join(_ICONS.findall(text))
    if CAPTION in text:
        text = text.replace(CAPTION, " ").replace(CAPTION_END, " ")
    if "\n" not in text and BREAK not in text:
        return text.replace(LINE, "").strip()
    lines = text.replace(BREAK, f"\n{LINE}").rstrip().split("\n")
    parts = []
    for number, line in enumerate(lines):
        item = line.strip()
        listed = item[:1] in _MARKS_OF_ITEMS
        if listed and number == 0 and item[0] != LINE:
            # On the line that opens a cell or a value a mark begins an item only if others follow.
            listed = any(line.strip()[:1] == item[0] for line in lines[1:])
        parts.append((listed, _ITEM.sub("", item).replace(LINE, "").strip() if listed else item))
    return join_parts(parts, separator)


def join_parts(parts: Iterable[tuple[bool, str]], separator: str = ", ") -> str:
    """Return parts of a cell as one line.

    Args:
        parts: whether the part is an item of a list or stands behind a break, and its words.
        separator: stands before items; a space stands before other parts, and where punctuation
            separates already.
    """
    joined = ""
    for listed, part in parts:
        if not part.strip(NOTE):
            joined += part
            continue
        if not joined.strip(NOTE):
            joined = part
        elif listed and _parts_items(joined, part):
            joined += separator + part
        else:
            joined += " " + part
    return joined


def _parts_items(before: str, after: str) -> bool:
    """Whether what stands between the two needs a separator."""
    if before[-1] in ",;:(/–—-" or after[0] in "(,;.–—-/":
        return False
    _, blank, last = before.rpartition(" ")
    return not blank or last not in _UNFINISHED
