"""Templates that carry text: a table of small pure functions, by name."""

from __future__ import annotations

import re
from collections.abc import Callable

from corpus.form.marks import PIPE
from corpus.wikitext.boxes import Arguments, looks_like_box, render_box
from corpus.wikitext.templates.arguments import Values
from corpus.wikitext.templates.dates import DATES
from corpus.wikitext.templates.numbers import NUMBERS
from corpus.wikitext.templates.places import PLACES
from corpus.wikitext.templates.words import WORDS

KNOWN: dict[str, Callable[[Values], str]] = {**WORDS, **NUMBERS, **DATES, **PLACES}
"""Lower-case template name → what it shows."""

_ARGUMENT_NAME = re.compile(r"\s*([\w \-/().,'&:’]{0,60}?)\s*=", re.S)
_SILENT = re.compile(
    r"(?:cite|citation|sfn|harv|efn|refn?|reflist|r$|rp$|notelist|note$|main|see |further|about$|for$|redirect|"
    r"distinguish|hatnote|dablink|other |otheruses|pp[\- ]|use |short description|defaultsort|coord missing|"
    r"portal|commons|wikisource|wiktionary|wikiquote|sister|authority|navbox|.*navbox|.*sidebar|.*-stub|stub|"
    r"cn$|fact$|citation needed|clarify|when\?|who\?|dubious|verify|update|refimprove|unreferenced|more |"
    r"cleanup|multiple issues|good article|featured|italic title|displaytitle|toc|clear|-$|col-|columns|"
    r"end$|div col|refbegin|refend|anchor|#tag|#invoke|documentation|legend|location map|maplink|ipa[c-]|"
    r"audio|listen|external media|webarchive|dead link|isbn|issn|doi|oclc|pmid|bibcode|official website|imdb|"
    r"find a grave|succession|s-|start box|end box|taxonbar|wikidata|interlanguage|subst:|ambox|mbox)",
    re.I,
)


def render_template(content: str, following: str) -> tuple[str, int]:
    """Return what a template shows; one that is not known shows nothing.

    `content` stands between the braces, templates and links inside it already rendered.
    """
    name, _, rest = content.partition("|")
    name = name.replace("_", " ").strip()
    if name.startswith("#") or ":" in name[:12]:
        return _parser_function(name, rest), 0
    key = name.casefold()
    arguments = split_arguments(rest) if "|" in content else []
    known = KNOWN.get(key)
    if known is not None:
        return known(Values(arguments)).replace("|", PIPE), 0
    if _SILENT.match(key):
        return "", 0
    if looks_like_box(key, arguments):
        return render_box(key, arguments), 0
    return "", 0


def split_arguments(rest: str) -> list[tuple[str | None, str]]:
    """Return a template's arguments in order; values keep their white space."""
    arguments: list[tuple[str | None, str]] = []
    for part in rest.split("|"):
        named = _ARGUMENT_NAME.match(part)
        if named:
            arguments.append((named[1], part[named.end() :]))
        else:
            arguments.append((None, part))
    return arguments


def _parser_function(name: str, rest: str) -> str:
    """Magic words and parser functions that carry their text with them."""
    function, _, first = name.partition(":")
    function = function.strip().casefold()
    if function in ("lc", "uc", "lcfirst", "ucfirst", "formatnum", "plural", "nowrap"):
        return first.strip()
    if function in ("#if", "#ifeq", "#switch", "#expr", "#invoke", "#tag", "defaultsort"):
        return ""
    return ""


__all__ = ["KNOWN", "Arguments", "render_template", "split_arguments"]
