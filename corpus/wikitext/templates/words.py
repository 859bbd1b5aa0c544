"""Templates about words: languages, lists, quotations, small print."""

from __future__ import annotations

from collections.abc import Callable

from corpus.form.lines import flatten
from corpus.form.marks import BREAK
from corpus.wikitext.templates.arguments import Values


def first(values: Values) -> str:
    """Show the first value."""
    return values.at(1)


def second(values: Values) -> str:
    """Show the second value, or the first where there is no other."""
    return values.at(2) or values.at(1)


def last(values: Values) -> str:
    """Show the last value."""
    return values.filled()[-1] if values.filled() else ""


def text(values: Values) -> str:
    """Show the value of `text`, or the first."""
    return values.get("text", "content", "quote") or values.at(1)


def items(values: Values) -> str:
    """Show a list, its items separated by commas, on one line."""
    parts = values.filled() or [values.get("1", "list", "items")]
    return ", ".join(filter(None, (flatten(part) for part in parts)))


def constant(shown: str) -> Callable[[Values], str]:
    """Show the same text always."""
    return lambda values: shown


def joined(separator: str) -> Callable[[Values], str]:
    """Show all values with a separator between them."""
    return lambda values: separator.join(values.filled())


def sort_name(values: Values) -> str:
    """`{{sortname|First|Last}}`: show both."""
    return " ".join(filter(None, (values.at(1), values.at(2))))


def language(values: Values) -> str:
    """`{{lang|fr|mot}}`: show the word."""
    return values.get("text") or values.at(2) or values.at(1)


def named_language(name: str) -> Callable[[Values], str]:
    """`{{lang-fr|mot}}`: show the language's name and the word."""

    def show(values: Values) -> str:
        word = values.at(1)
        return f"{name}: {word}" if word else ""

    return show


def interlanguage_link(values: Values) -> str:
    """`{{ill|Title|de|…}}`: show the title, or the words given for it."""
    return values.get("lt") or values.at(1)


def quotation(values: Values) -> str:
    """A set-off quotation with its source."""
    words = values.get("text", "quote") or values.at(1)
    source = values.get("author", "by", "sign") or values.at(2)
    return f"{BREAK}{words}{f' — {source}' if source else ''}{BREAK}" if words else ""


def address(values: Values) -> str:
    """`{{URL|example.org}}`: show the address, or the words given for it."""
    return values.at(2) or values.at(1) or values.get("1")


def see_title(values: Values) -> str:
    """`{{ship|USS|Name|hull}}`: show prefix and name."""
    return " ".join(values.filled()[:2])


def marriage(values: Values) -> str:
    """`{{marriage|Name|1890|1910|end=d}}`: show the name and the years."""
    name, begun, ended = values.at(1), values.at(2), values.at(3)
    years = "–".join(filter(None, (begun, ended)))
    return f"{name} (m. {years})" if years else name


def rating(values: Values) -> str:
    """`{{rating|4|5}}`: show 4/5."""
    return f"{values.at(1)}/{values.at(2, '5')}" if values.at(1) else ""


_NAMES = {
    "nowrap", "nobr", "small", "big", "smaller", "larger", "center", "resize", "nobold", "noitalic",
    "italic", "bold", "em", "strong", "mono", "tt", "samp", "var", "kbd", "abbr", "abbrlink", "tooltip",
    "hover title", "smallcaps", "sc", "visible anchor", "vanchor", "keypress", "key", "no wrap",
    "script", "strikethrough", "underline", "overline", "highlight", "mvar", "math", "linktext",
    "plain text", "not a typo", "as written", "proper name", "typo", "sic", "literal translation",
    "nowrap begin", "nowiki", "unichar", "angbr", "midsize", "normal", "nobreak", "allow wrap",
    "stack", "raise", "ensure", "ruby", "ordinal to word", "character", "notatypo", "nihongo2", "!xt", "xt",
    "nsup", "serif", "font color", "align", "left", "right", "pad", "hidden", "show", "collapsed text",
}  # fmt: skip

_LANGUAGES = {
    "fr": "French", "de": "German", "la": "Latin", "it": "Italian", "es": "Spanish", "ru": "Russian",
    "el": "Greek", "grc": "Ancient Greek", "ar": "Arabic", "he": "Hebrew", "pt": "Portuguese",
    "nl": "Dutch", "pl": "Polish", "ja": "Japanese", "zh": "Chinese", "ko": "Korean", "sv": "Swedish",
    "da": "Danish", "no": "Norwegian", "fi": "Finnish", "hu": "Hungarian", "cs": "Czech",
    "tr": "Turkish", "uk": "Ukrainian", "ro": "Romanian", "ca": "Catalan", "sr": "Serbian",
    "hr": "Croatian", "sl": "Slovene", "sk": "Slovak", "bg": "Bulgarian", "fa": "Persian",
    "hi": "Hindi", "sa": "Sanskrit", "ga": "Irish", "cy": "Welsh", "ang": "Old English", "eo": "Esperanto",
    "rm": "Romansh", "eu": "Basque", "is": "Icelandic", "vi": "Vietnamese", "th": "Thai", "ur": "Urdu",
}  # fmt: skip

WORDS: dict[str, Callable[[Values], str]] = {
    **dict.fromkeys(_NAMES, first),
    **{f"lang-{code}": named_language(name) for code, name in _LANGUAGES.items()},
    **dict.fromkeys(("lang", "transl", "transliteration", "wikt-lang", "langx"), language),
    **dict.fromkeys(
        ("hlist", "flatlist", "plainlist", "plain list", "ubl", "unbulleted list", "unbulleted",
         "ublist", "bulleted list", "blist", "ordered list", "cslist", "comma separated entries",
         "ubli", "indented plainlist", "nowrap list", "br separated entries", "collapsible list",
         "inline list", "csv", "flat list", "bulletedlist", "horizontal list"),
        items,
    ),
    **dict.fromkeys(("ill", "interlanguage link", "illm", "link-interwiki", "link-en"), interlanguage_link),
    **dict.fromkeys(("quote", "blockquote", "cquote", "quotation", "rquote", "quote box", "bq"), quotation),
    **dict.fromkeys(("url", "official url", "official website url"), address),
    **dict.fromkeys(("sortname", "sort name"), sort_name),
    **dict.fromkeys(("sort", "hs", "color", "colour", "fontcolor", "nts-text"), second),
    **dict.fromkeys(("nihongo", "zh", "linktext-zh"), first),
    **dict.fromkeys(("ship", "sclass", "sclass-"), see_title),
    **dict.fromkeys(("·", "dot", "•", "middot", "bullet"), constant(" · ")),
    **dict.fromkeys(("ndash", "en dash", "–"), constant("–")),
    **dict.fromkeys(("spaced ndash", "spnd", "snd", "sndash"), constant(" – ")),
    **dict.fromkeys(("mdash", "em dash", "—"), constant("—")),
    **dict.fromkeys(("spaced mdash", "spaced en dash", "dash"), constant(" — ")),
    **dict.fromkeys(("nbsp", "space", "spaces", "thin space", "thinsp", "hsp", "zwsp", "0ws"), constant(" ")),
    **dict.fromkeys(("!", "pipe", "!(", "!-"), constant("|")),
    **dict.fromkeys(("=",), constant("=")),
    **dict.fromkeys(("'", "apostrophe", "`", "okina"), constant("’")),
    **dict.fromkeys(("break", "br", "crlf", "-br"), constant(BREAK)),
    **dict.fromkeys(("yes", "yes2", "tick", "y", "aye", "ya", "check mark"), lambda v: v.at(1, "Yes")),
    **dict.fromkeys(("no", "no2", "n", "cross", "x mark"), lambda v: v.at(1, "No")),
    **dict.fromkeys(("n/a", "na", "dunno", "unknown", "tba", "tbd", "partial", "maybe", "won", "nom",
                     "pending", "active", "included", "dropped", "terminated"),
                    lambda v: v.at(1)),
    "rating": rating,
    "main article text": last,
    "as of": lambda v: f"as of {' '.join(reversed([part for part in v.positional[:3] if part]))}",
    "circa": lambda v: f"c. {v.at(1)}".strip(),
    "c.": lambda v: f"c. {v.at(1)}".strip(),
    "ca.": lambda v: f"c. {v.at(1)}".strip(),
    "floruit": lambda v: f"fl. {v.at(1)}".strip(),
    "fl.": lambda v: f"fl. {v.at(1)}".strip(),
    "reign": lambda v: f"r. {'–'.join(v.filled())}",
    "married in": lambda v: f"m. {v.at(1)}",
    "marriage": marriage,
    "post-nominals": joined(" "),
    "postnominals": joined(" "),
    "iw2": first,
    "audio": second,
    "nihongo foot": first,
    "angle": first,
    "text": text,
}  # fmt: skip
