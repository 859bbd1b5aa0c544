"""First step of an extraction: what must not be read as wikitext is settled.

Comments go, `<nowiki>` and formulas become text without meaning, references become a note mark,
tags that carry meaning (superscripts, line breaks) become characters, other tags go.
"""

from __future__ import annotations

import re

from corpus.form.marks import BREAK, NOTE, escape

_COMMENT = re.compile(r"\n?[ \t]*<!--.*?(?:-->|\Z)[ \t]*(?=\n)|<!--.*?(?:-->|\Z)", re.S)
_LITERAL = re.compile(
    r"<(nowiki|pre|syntaxhighlight|source|math|chem|code)\b[^<>]*?(?:/>|>(.*?)</\1\s*>)",
    re.S | re.I,
)
_REFERENCE = re.compile(
    r"<ref\b[^<>]*/>|<ref\b(?:[^<>]|<nowiki\s*/>)*>.*?</ref\s*>|</?ref\b[^<>]*>|<references\b[^<>]*/?>|</references>",
    re.S | re.I,
)
_REFERENCE_LIST = re.compile(r"<references\b[^<>/]*>.*?</references\s*>", re.S | re.I)
_DROPPED = re.compile(
    r"<(style|script|timeline|score|graph|templatestyles|mapframe|maplink|hiero|imagemap|section|inputbox|indicator|noinclude)\b"
    r"[^<>]*?(?:/>|>.*?</\1\s*>)",
    re.S | re.I,
)
_GALLERY = re.compile(r"<gallery\b[^<>]*>(.*?)</gallery\s*>", re.S | re.I)
_BREAK = re.compile(r"<\s*/?\s*br\b[^<>]*>|<hr\b[^<>]*>", re.I)
_RAISED = re.compile(r"<sup\b[^<>]*>([^<>]{0,40})</sup\s*>", re.I)
_LOWERED = re.compile(r"<sub\b[^<>]*>([^<>]{0,40})</sub\s*>", re.I)
_BLOCK_TAG = re.compile(
    r"</?(?:p|div|center|blockquote|poem|table|tr|ul|ol|dl|dd|dt)\b[^<>]*>", re.I
)
_ITEM_TAG = re.compile(r"\n?[ \t]*<li\b[^<>]*>", re.I)
_TAG = re.compile(r"</?[a-zA-Z][a-zA-Z0-9]{0,20}\b[^<>]{0,1000}>")
_SWITCH = re.compile(r"__[A-Z_]{3,30}__")

_SUPERSCRIPTS = str.maketrans("0123456789+-−=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_SCRIPTABLE = re.compile(r"[0-9+\-−=()]{1,12}")


def protect(source: str) -> str:
    """Return the source with everything settled that is not links, templates, tables or lines."""
    if "<" not in source:
        return _SWITCH.sub("", source) if "__" in source else source
    text = _COMMENT.sub("", source)
    text = _LITERAL.sub(_literal, text)
    text = _REFERENCE_LIST.sub("", text)
    text = _REFERENCE.sub(NOTE, text)
    text = _GALLERY.sub(_gallery, text)
    text = _DROPPED.sub("", text)
    text = _BREAK.sub(BREAK, text)
    text = _RAISED.sub(lambda match: superscript(match[1]), text)
    text = _LOWERED.sub(lambda match: _script(match[1], _SUBSCRIPTS, "_"), text)
    text = _ITEM_TAG.sub("\n* ", text)
    text = _BLOCK_TAG.sub("\n", text)
    text = _TAG.sub("", text)
    return _SWITCH.sub("", text)


def superscript(text: str) -> str:
    """Return a raised text: digits and signs in their raised form, words after a caret."""
    return _script(text, _SUPERSCRIPTS, "^")


def _script(text: str, raised: dict[int, int], mark: str) -> str:
    plain = text.replace("&minus;", "−").strip()
    if _SCRIPTABLE.fullmatch(plain):
        return plain.translate(raised)
    # Ordinal endings (1st) and unit names read best as they are.
    return plain if plain.isalpha() or not plain else f"{mark}{plain}"


def _literal(match: re.Match[str]) -> str:
    content = match[2] or ""
    name = match[1].lower()
    if name in ("math", "chem"):
        return escape(_formula(content))
    if name == "code":
        return content
    if name == "nowiki":
        return escape(content)
    return f"\n{escape(content.strip())}\n"


_FORMULA = [
    (re.compile(r"\\(?:displaystyle|textstyle|left|right|quad|qquad|!|,|;|:)(?![a-zA-Z])"), " "),
    (re.compile(r"\\(?:text|mathrm|mathbf|mathit|operatorname|mbox)\s*\{([^{}]*)\}"), r"\1"),
    (re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"(\1)/(\2)"),
    (re.compile(r"\\sqrt\s*\{([^{}]*)\}"), r"√(\1)"),
    (re.compile(r"\\(?:cdot|times)(?![a-zA-Z])"), "×"),
    (re.compile(r"\s+"), " "),
]


def _formula(source: str) -> str:
    for pattern, replacement in _FORMULA:
        source = pattern.sub(replacement, source)
    return source.strip()


def _gallery(match: re.Match[str]) -> str:
    """Keep a gallery's captions, one a line."""
    captions = (line.partition("|")[2].strip() for line in match[1].split("\n"))
    return "\n" + "".join(f"* {caption}\n" for caption in captions if caption)
