"""Templates about words: wrappers, marks, short answers."""

from __future__ import annotations

import re

from corpus.form.marks import BREAK
from corpus.wikitext.templates.call import Call, Template, table

_STYLE = re.compile(r"[-\d.]+(?:em|ex|px|%)$|[a-z-]+\s*:\s*[\d.]")


def first(call: Call) -> str:
    """Show the first value."""
    return call.at(1) or call.get("text", "content")


def second(call: Call) -> str:
    """Show the second value, or the first where there is no other."""
    return call.at(2) or call.at(1) or call.get("text")


def last(call: Call) -> str:
    """Show the last value."""
    values = call.filled()
    return values[-1] if values else ""


def text(call: Call) -> str:
    """Show the value of `text`, or the first."""
    return call.get("text", "content", "quote") or call.at(1)


def constant(shown: str) -> Template:
    """Return a template that shows the same text always."""
    return lambda call: shown


def joined(separator: str) -> Template:
    """Return a template that shows all values with a separator between them."""
    return lambda call: separator.join(call.filled())


def explained(call: Call) -> str:
    """`{{abbr|St.|Saint}}`, `{{tooltip|shown|meaning}}`: show the words, not what hovers above them."""
    return call.at(1)


def inline_math(call: Call) -> str:
    """`{{math|…}}`, `{{mvar|x}}`: the formula as written."""
    return call.at(1) or call.get("1", "big")


def styled(call: Call) -> str:
    """`{{lower|0.4em|text}}`, `{{longitem|line-height:1.2em|text}}`: the text, the style before it or none."""
    if len(call.positional) > 1:
        return call.at(2)
    alone = call.at(1)
    return "" if _STYLE.match(alone) else alone


def status(call: Call) -> str:
    """`{{yes}}`, `{{no|Never}}`, `{{n/a}}`: show the words given, or the name itself."""
    plain = call.name.rstrip("0123456789")
    return (
        call.at(1)
        or call.get("text")
        or {
            "n/a": "N/A",
            "na": "N/A",
            "tba": "TBA",
            "tbd": "TBD",
            "tick": "Yes",
            "cross": "No",
            "aye": "Yes",
            "nay": "No",
            "nom": "Nominated",
            "y": "Yes",
            "n": "No",
            "x mark": "No",
            "cmain": "Main",
            "crecurring": "Recurring",
            "cguest": "Guest",
            "check mark": "Yes",
        }.get(plain, plain.capitalize())
    )


WORDS = table(
    {
        (
            "nowrap | nobr | small | big | smaller | larger | center | centre | nobold | noitalic | "
            "normal | italic | italics | bold | em | strong | mono | tt | samp | var | kbd | code | "
            "abbrlink | hover title | smallcaps | sc | vanchor | visible anchor | visanc | no wrap | "
            "script | strikethrough | strike | s | underline | highlight | linktext | not a typo | "
            "as written | proper name | typo | sic | angbr | angle bracket | midsize | nobreak | "
            "allow wrap | ensure | ruby | nihongo2 | !xt | xt | serif | sans-serif | align | unicode | "
            "iast | ipalink | ipablink | ipaslink | ipa link | angbr ipa | pipa | key | u | "
            "nastaliq | script/arabic | script/hebrew | script/nastaliq | rtl-lang-text | "
            "su | sub | oldstylefigure | nwr | tq | nomarkup | pre2 | lit | literally | "
            "vertical-align | double-struck | uline | gloss | angr | asiantitle | scriptsize | font | "
            "bigger | noautolink | no italic | nopf | link if exists | article link | la | keyb | "
            "text | nowrap text | 小 | 补充 | 補助漢字フォント | 要ページ番号text | ruby-ja | 読み仮名 | ruby-zh | vec | "
            "overline | overbar | overarc | underbar | tnavbar-text | sup | superscript | prime | "
            "currency | cjk | zh-hans | zh-hant | jp | ko-hhrm | linktext1"
        ): first,
        (
            "abbr | tooltip | h:title | define | dfn | abbreviation | abréviation | abk | explain"
        ): explained,
        (
            "resize | color | colour | font color | fontcolor | coloured text | colored text | "
            "background color | sort | bg | bgcolor | cell color | shade"
        ): second,
        "math | mvar | bigmath | tmath | math style": inline_math,
        "bartable": first,
        "columns-list | col list": first,
        "kia | pow | wia | mia": lambda call: f"({call.name.upper()})",
        "mpl | mp | minor planet": lambda call: "".join(call.filled()),
        "nee | née": lambda call: f"née {call.at(1)}",
        "siècle | s- | large | enlink | aside | hiero | lcons | wikt": first,
        "dash year | dash-year | year-range": joined("–"),
        "text": text,
        (
            "yes | yes2 | cmain | crecurring | cguest | no | no2 | tick | cross | y | n | aye | nay | "
            "check mark | x mark | n/a | na | dunno | unknown | tba | tbd | partial | maybe | won | "
            "nom | pending | active | included | dropped | terminated | yes-no | some | rarely | "
            "depends | sometimes | limited | nonfree | free | proprietary | draw | good | bad | okay | "
            "any | release-candidate | beta | eliminated | success | failure | site active | "
            "site inactive | operational | nil | none | planned | scheduled | partial success | "
            "no result | lost | incorrect | usually | table-experimental"
        ): status,
        "· | dot | • | middot | bullet | bull | , | \\ | ⋅": constant(" · "),
        "ndash | en dash | – | endash": constant("–"),
        "spaced ndash | spnd | snd | sndash | spaced en dash | dash | nsndns": constant(" – "),
        "mdash | em dash | — | emdash | mdashb": constant("—"),
        "spaced mdash | smdash | snds": constant(" — "),
        (
            "nbsp | space | spaces | thin space | thinsp | hsp | hair space | nnbsp | 0 | "
            "figure space | ensp | emsp | quad | indent | i sp | quad space | phantom | 0p | 00"
        ): constant(" "),
        (
            "zwsp | 0ws | shy | wbr | zwj | zwnj | clear | - | clr | break lines | clear left | "
            "clear right | clearleft | clearright"
        ): constant(""),
        "= | equals": constant("="),
        "pipe | bar | vertical bar": constant("|"),
        "' | apostrophe | ` | okina | asper | hamza | ayin | ayn | single+ | hamzah": constant("’"),
        "' \" | ' “": constant("’”"),
        '" \' | -"': constant("”"),
        "'s": constant("’s"),
        "break | br | crlf | -br | crlf2 | plainlist br | nowrapbr | line break": constant(BREAK),
        "bce | bc | b.c.": lambda call: f"{last(call)} BC".strip(),
        "ce | ad": lambda call: f"{call.at(1)} AD".strip(),
        "lord | lord's name | yhwh": constant("Lord"),
        "extinct | † | dagger": lambda call: f"†{call.at(1)}",
        "intitle | no link | nolink": first,
        "vol.": lambda call: f"vol. {call.at(1)}",
        "p. | pp.": lambda call: f"{call.name} {call.at(1)}",
        "post-nominals | postnominals | post-nominal": joined(" "),
        (
            "bibleverse | bibleref | bibleverse-nb | bibleref2 | bible | bibleref2-nb | "
            "bibleverse with invisible book"
        ): joined(" "),
        "cite quran | quran | qref": lambda call: f"Quran {':'.join(call.filled()[:2])}",
        ("us patent | us patent application | patent"): lambda call: (
            f"US patent {call.at(1)}" if call.name != "patent" else joined(" ")(call)
        ),
        "ordinal to word | number to word | sclass | sclass- | sclass2 | sclass2-": first,
        "lower | raise | longitem": styled,
        "ws": last,
    }
)
