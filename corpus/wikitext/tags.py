"""Tags and comments: the first step, after which the source holds templates, links and tables.

References leave a mark, so that they glue no words; what `<nowiki>` protects is escaped; tables
written in HTML become wikitext ones. Every step forward in the source is taken once: a tag whose
closing tag is missing is remembered, and no second search is made for it.
"""

from __future__ import annotations

import re

from corpus.form.lines import decode_entities
from corpus.form.marks import BREAK, NOTE, escape
from corpus.form.scripts import superscript
from corpus.text import word_set
from corpus.wikitext.formula import read_formula

_TAG = re.compile(r"<(?:(!--)|(/?)([a-zA-Z][a-zA-Z0-9]*)(?![\w-])([^<>]*+)>)")

_HIDDEN_RAW = word_set(
    """timeline imagemap score graph mapframe maplink templatedata templatestyles hiero indicator
    categorytree inputbox section references includeonly style script rp"""
)
_CODE_RAW = frozenset(["nowiki", "pre", "source", "syntaxhighlight"])
_MATH_RAW = frozenset(["math", "chem", "ce"])
_RAW = _HIDDEN_RAW | _CODE_RAW | _MATH_RAW | {"ref", "gallery", "poem"}
_INLINE = word_set(
    """small big span font u s strike del ins i b em strong tt code var kbd samp cite abbr bdi bdo q
    mark a nobr time data dfn rb noinclude onlyinclude wbr img label ruby rtc colgroup col tbody
    thead tfoot translate tvar"""
)
_BLOCK = word_set("""div p center blockquote ul ol dl hr address section article figure""")
_TABLE = {"table": "\n{|", "tr": "\n|-", "td": "\n|", "th": "\n!", "caption": "\n|+"}
_ITEMS = {"li": "\n* ", "dt": "\n;", "dd": "\n:"}
_HEADING = re.compile(r"h([1-6])")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none", re.IGNORECASE)

_SCRIPTS = re.compile(r"<su([bp])(?:\s[^<>]*+)?>([^<>{}\[\]]{0,40})</su\1\s*>", re.IGNORECASE)


def strip_tags(source: str) -> str:
    """Return wikitext without tags and comments."""
    if "<" not in source:
        return source
    source = _SCRIPTS.sub(_script, source)
    return "".join(_Stripper(source).pieces())


def _script(match: re.Match[str]) -> str:
    return superscript(match[2]) if match[1] in "pP" else match[2]


class _Stripper:
    """One pass over one source."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.exhausted: set[str] = set()
        self.closers: dict[str, re.Pattern[str]] = {}

    def pieces(self) -> list[str]:
        source, position, out = self.source, 0, []
        for match in _TAG.finditer(source):
            start = match.start()
            if start < position:
                continue
            if match[1]:
                end, text = self._comment(match)
            else:
                name = match[3].lower()
                if name in _RAW:
                    end, text = self._raw(name, match)
                else:
                    end, text = self._markup(name, match)
                    if end < 0:
                        continue
            out.append(source[position:start])
            out.append(text)
            position = end
        out.append(source[position:])
        return out

    def _comment(self, match: re.Match[str]) -> tuple[int, str]:
        end = self.source.find("-->", match.end())
        if end < 0:
            return len(self.source), ""
        end += 3
        before = self.source[match.start() - 1 : match.start()]
        if before in ("", "\n") and self.source[end : end + 1] == "\n":
            end += 1
        return end, ""

    def _raw(self, name: str, match: re.Match[str]) -> tuple[int, str]:
        mark = NOTE if name == "ref" else ""
        if match[2] or match[4].endswith("/"):
            return match.end(), mark
        closing = self._closing(name, match.end())
        if closing is None:
            return match.end(), mark
        body = self.source[match.end() : closing.start()]
        return closing.end(), _render_raw(name, body)

    def _closing(self, name: str, position: int) -> re.Match[str] | None:
        if name in self.exhausted:
            return None
        closer = self.closers.get(name)
        if closer is None:
            closer = self.closers[name] = re.compile(rf"</{name}\s*>", re.IGNORECASE)
        found = closer.search(self.source, position)
        if found is None:
            self.exhausted.add(name)
        return found

    def _markup(self, name: str, match: re.Match[str]) -> tuple[int, str]:
        """Return where the tag ends and what stands for it; an end of -1 keeps it as text."""
        end, closes, attributes = match.end(), bool(match[2]), match[4]
        if name == "br":
            return end, BREAK
        if name in _INLINE:
            if attributes and not closes and _HIDDEN_STYLE.search(attributes):
                closing = self._closing(name, end)
                if closing is not None:
                    return closing.end(), ""
            return end, ""
        if name in _BLOCK:
            return end, "\n"
        if name in ("sub", "sup"):
            return end, ""
        if name in _ITEMS:
            return end, "" if closes else _ITEMS[name]
        if name in _TABLE:
            return end, self._table(name, closes=closes, attributes=attributes.strip())
        if name == "rt":
            return end, ")" if closes else "("
        if (heading := _HEADING.fullmatch(name)) is not None:
            bars = "=" * int(heading[1])
            return end, f" {bars}\n" if closes else f"\n{bars} "
        return -1, ""

    @staticmethod
    def _table(name: str, *, closes: bool, attributes: str) -> str:
        if closes:
            return "\n|}\n" if name == "table" else ""
        if name in ("td", "th", "caption"):
            return f"{_TABLE[name]} {attributes} | " if attributes else f"{_TABLE[name]} "
        return f"{_TABLE[name]} {attributes}\n"


def _render_raw(name: str, body: str) -> str:
    if name == "ref":
        return NOTE
    if name in _CODE_RAW:
        if name == "nowiki":
            return escape(decode_entities(body))
        shown = escape(decode_entities(body.strip("\n")))
        return f"\n\n{shown}\n\n" if "\n" in body else shown
    if name in _MATH_RAW:
        return escape(read_formula(body))
    if name == "gallery":
        return _gallery(body)
    if name == "poem":
        return BREAK.join(line for line in strip_tags(body).split("\n"))
    return ""


def _gallery(body: str) -> str:
    """Return a gallery's captions as list items."""
    items = []
    for line in body.split("\n"):
        _, bar, caption = line.partition("|")
        if bar and caption.strip():
            caption = caption.strip()
            head, second_bar, rest = caption.partition("|")
            # An option such as alt=… stands before the caption; a bar inside a link does not end it.
            shown = rest if second_bar and "=" in head and "[[" not in head else caption
            items.append(f"* {strip_tags(shown)}")
    return "\n" + "\n".join(items) + "\n"
