"""One pass over templates, links and tables, innermost first.

The source is cut once into the marks that matter. A first walk pairs the opening marks with the
closing ones; a second walk renders each pair as it closes, so that every construct sees its
contents as text. Both walks touch each mark once and rendering copies each character at most
`MAX_DEPTH` times: the time grows with the length of the page, whatever it holds. A mark without
a partner is dropped and its contents stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

from corpus.form.marks import NOTE, PIPE
from corpus.wikitext.links import category_of, namespace_of, show_file, show_link
from corpus.wikitext.tables import read_table
from corpus.wikitext.templates import is_silent, show_template

MAX_DEPTH = 40
"""MediaWiki's own limit for templates in templates; what is nested deeper is left out."""

MAX_MARKS = 400_000
"""Each mark costs memory; the largest articles have a tenth of these."""

_TOKEN = re.compile(
    r"\[\[([^\[\]{}|\n]*+)(?:\|([^\[\]{}|\n]*+))?\]\]([a-zà-ÿа-я]*+)"
    r"|\{\{([^{}\[\]]*+)\}\}"
    r"|(\{\{)|(\}\})|(\[\[)|(\]\])"
    r"|(\n[ \t:*#]*\{\||\{\|(?=[^{}|\n\[\]]*\n[ \t]*[|!]))|(\n[ \t]*\|\}(?!\}))|(\|)"
)
_LINK_TRAIL, _LEAF_TEMPLATE = 3, 4
_TEMPLATE, _TEMPLATE_END, _LINK, _LINK_END, _TABLE, _TABLE_END, _BAR = range(5, 12)
_OPENS = {_TEMPLATE_END: _TEMPLATE, _LINK_END: _LINK, _TABLE_END: _TABLE}
_NAME = re.compile(r"[^|{}\[\]\n]*+")
_PARAMETER = re.compile(r"\{\{\{[^{}|\n]*+(?:\|([^{}]*+))?\}\}\}")


class TooManyMarksError(Exception):
    """The page has more marks than are worth the memory; the message is the reason to give."""


@dataclass(slots=True)
class Expansion:
    """A page's source with its constructs rendered, and what was met on the way."""

    text: str = ""
    links: list[tuple[str, str]] = field(default_factory=list)
    """Anchor and target of each link to an article that is part of the text."""
    categories: list[str] = field(default_factory=list)
    """As they are written."""
    too_deep: bool = False
    """Whether something was left out for being nested too deep."""


Pieces = list[str]
_TABLE_PARTS = {"!": "|", "!!": "||", "!-": "\n|-", "!+": "\n|+"}
"""Templates that stand for the marks of a table where a template's argument cannot hold them."""


@dataclass(slots=True)
class _Frame:
    """A construct that is open: its arguments so far, each a list of pieces."""

    kind: int
    start: int
    outer: Pieces
    arguments: list[Pieces]
    links_before: int


def expand(source: str, category_names: frozenset[str] = frozenset()) -> Expansion:
    """Return the source with every template, link and table rendered to text with marks.

    Args:
        source: without comments and tags.
        category_names: the wiki's own names of its namespace of categories, in lower case.
    """
    if "{{{" in source:
        source = _PARAMETER.sub(lambda parameter: parameter[1] or "", source)
    if "{{(!}}" in source:
        source = source.replace("{{(!}}", "\n{|").replace("{{!)}}", "\n|}")
    tokens = list(islice(_TOKEN.finditer(source), MAX_MARKS + 1))
    if len(tokens) > MAX_MARKS:
        raise TooManyMarksError(f"more than {MAX_MARKS:,} marks of templates, links and tables")
    partners = _pair(tokens)
    result = Expansion()
    stack: list[_Frame] = []
    # The first piece of every argument is source text as written: an equals sign that names the
    # argument is looked for there alone.
    pieces: Pieces = []
    kind = position = number = 0
    while number < len(tokens):
        match = tokens[number]
        token = match.lastindex
        start = match.start()
        if token == _BAR:
            if kind in (_TEMPLATE, _LINK):
                pieces.append(source[position:start])
                position = start + 1
                pieces = []
                stack[-1].arguments.append(pieces)
            number += 1
            continue
        pieces.append(source[position:start])
        position = match.end()
        if token == _LINK_TRAIL:
            pieces.append(_leaf_link(match, result, category_names))
        elif token == _LEAF_TEMPLATE:
            pieces.append(_leaf_template(match))
        elif (partner := partners[number]) < 0:
            if token == _TABLE:
                pieces.append("\n")
        elif token in _OPENS:
            frame = stack.pop()
            pieces = frame.outer
            alone = _stands_alone(source, frame.start, position)
            pieces.append(_render(frame, result.links, alone=alone))
            kind = stack[-1].kind if stack else 0
        elif token == _LINK and (name := _category(source, position, category_names)):
            # What else it holds is the key it is sorted by.
            result.categories.append(name)
            number = partner
            position = tokens[partner].end()
        elif len(stack) >= MAX_DEPTH or _skips(source, position, token):
            result.too_deep |= len(stack) >= MAX_DEPTH
            pieces.append(NOTE if token == _TEMPLATE else "")
            number = partner
            position = tokens[partner].end()
        else:
            kind = token or 0
            frame = _Frame(kind, start, pieces, [[]], len(result.links))
            stack.append(frame)
            pieces = frame.arguments[0]
        number += 1
    pieces.append(source[position:])
    result.text = "".join(pieces)
    return result


def _pair(tokens: list[re.Match[str]]) -> list[int]:
    """Return for each mark the index of its partner, -1 for a mark that has none."""
    partners = [-1] * len(tokens)
    stack: list[int] = []
    kinds: list[int] = []
    open_count = {_TEMPLATE: 0, _LINK: 0, _TABLE: 0}
    for number, match in enumerate(tokens):
        token = match.lastindex or 0
        if token <= _LEAF_TEMPLATE or token == _BAR:
            continue
        if token not in _OPENS:
            stack.append(number)
            kinds.append(token)
            open_count[token] += 1
            continue
        wanted = _OPENS[token]
        # A link ends within the template or table that it began in; the others close what was
        # left open inside them.
        if not open_count[wanted] or (wanted == _LINK and kinds[-1] != _LINK):
            continue
        while kinds[-1] != wanted:
            open_count[kinds.pop()] -= 1
            stack.pop()
        kinds.pop()
        open_count[wanted] -= 1
        opening = stack.pop()
        partners[opening], partners[number] = number, opening
    return partners


def _skips(source: str, position: int, token: int | None) -> bool:
    """Whether a construct shows nothing, so that its contents need not be looked at."""
    if token == _TABLE:
        return False
    match = _NAME.match(source, position)
    name = match[0] if match is not None else ""
    if token == _TEMPLATE:
        return is_silent(name)
    return namespace_of(name) == "category"


def _category(source: str, position: int, names: frozenset[str]) -> str:
    """Return the category of a link that begins here, "" where it is none, or made by templates."""
    match = _NAME.match(source, position)
    target = match[0] if match is not None else ""
    written = source[position + len(target) : position + len(target) + 2]
    return category_of(target, names) if written[:1] == "|" or written == "]]" else ""


def _stands_alone(source: str, start: int, end: int) -> bool:
    """Whether a template is all that its line or lines hold."""
    return source[start - 1 : start] == "\n" and source[end : end + 1] in ("\n", "")


def _leaf_link(match: re.Match[str], result: Expansion, category_names: frozenset[str]) -> str:
    """Return what a link without marks inside shows; note where it leads, or its category."""
    trail = match[3]
    if ":" in match[1] and (name := category_of(match[1], category_names)):
        result.categories.append(name)
        return trail
    shown, title = show_link(match[1], match[2])
    if title:
        result.links.append((shown + trail, title))
    return _protect(shown) + trail


def _leaf_template(match: re.Match[str]) -> str:
    """Return what a template without marks inside shows."""
    if (bars := _TABLE_PARTS.get(match[4])) is not None:
        return bars
    arguments = [[part] for part in match[4].split("|")]
    alone = _stands_alone(match.string, match.start(), match.end())
    return _protect(show_template(arguments, alone=alone))


def _render(frame: _Frame, links: list[tuple[str, str]], *, alone: bool) -> str:
    arguments = frame.arguments
    if frame.kind == _TEMPLATE:
        shown = show_template(arguments, alone=alone)
    elif frame.kind == _TABLE:
        shown = read_table("".join(arguments[0]))
    else:
        target = "".join(arguments[0])
        rest = ["".join(pieces) for pieces in arguments[1:]]
        if namespace_of(target) == "file":
            shown = show_file(rest)
        else:
            shown, title = show_link(target, "|".join(rest) if rest else None)
            if title and "\n" not in title:
                links.append((shown, title))
    if not shown or shown == NOTE:
        del links[frame.links_before :]
    return _protect(shown)


def _protect(shown: str) -> str:
    return shown.replace("|", PIPE) if "|" in shown else shown
