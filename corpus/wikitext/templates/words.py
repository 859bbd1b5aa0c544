"""Templates about words: wrappers, links, quotations, marks."""

from __future__ import annotations

from corpus.form.lines import flatten
from corpus.form.marks import BREAK, CAPTION, CAPTION_END
from corpus.wikitext.templates.call import Call, Template


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


def sort_name(call: Call) -> str:
    """`{{sortname|First|Last|Article}}`: show both names."""
    return " ".join(call.filled()[:2])


def interlanguage_link(call: Call) -> str:
    """`{{ill|Title|de|…|lt=words}}`: show the title, or the words given for it."""
    return call.get("lt", "label") or call.at(1)


def east_asian_link(call: Call) -> str:
    """`{{仮リンク|title|en|…|label=…}}`, `{{link-en|title|…}}`: show the title."""
    return call.get("label", "lt", "d") or call.at(1)


def quotation(call: Call) -> str:
    """A set-off quotation with its source."""
    words = call.get("text", "quote", "quotetext", "content") or call.at(1)
    source = call.get("author", "by", "sign", "person") or call.at(2)
    work = call.get("source", "title", "cite") or call.at(3)
    behind = ", ".join(filter(None, (source, work)))
    return f"{BREAK}{words}{f' — {behind}' if behind else ''}{BREAK}" if words else ""


def address(call: Call) -> str:
    """`{{URL|example.org|words}}`: show the words, or the address."""
    return call.at(2) or call.at(1)


def official_website(call: Call) -> str:
    """`{{official website|http://…}}`: show the address."""
    return call.at(1) or call.get("url")


def ship(call: Call) -> str:
    """`{{USS|Enterprise|CV-6}}`, `{{ship|HMS|Hood|51}}`: show prefix, name and number."""
    values = (
        call.positional[:3] if call.name == "ship" else [call.name.upper(), *call.positional[:2]]
    )
    shown = " ".join(value for value in values[:2] if value)
    return (
        f"{shown} ({values[2]})" if len(values) > 2 and values[2] and len(values[2]) < 12 else shown
    )


def marriage(call: Call) -> str:
    """`{{marriage|Name|1890|1910|end=died}}`: show the name, the years and how it ended."""
    years = "–".join(filter(None, (call.at(2), call.at(3))))
    reasons = {
        "d": "died",
        "div": "divorced",
        "sep": "separated",
        "ann": "annulled",
        "w": "widowed",
    }
    reason = call.get("end", "reason").rstrip(".").lower()
    detail = "; ".join(filter(None, (years and f"m. {years}", reasons.get(reason, reason))))
    return f"{call.at(1)} ({detail})" if detail else call.at(1)


def rating(call: Call) -> str:
    """`{{rating|4|5}}`: show 4/5."""
    return f"{call.at(1)}/{call.at(2, '5')}" if call.at(1) else ""


def unicode_character(call: Call) -> str:
    """`{{unichar|0041|LATIN CAPITAL LETTER A}}`: show code, character and name."""
    code, name = call.at(1), call.at(2)
    try:
        character = chr(int(code, 16))
    except (ValueError, OverflowError):
        character = ""
    shown = character if character.isprintable() else ""
    return " ".join(filter(None, (f"U+{code.upper()}", shown, name.upper())))


def main_article(lead: str) -> Template:
    """Return a template that leads to other articles: `{{main|A|B#C}}`."""

    def show(call: Call) -> str:
        titles = []
        for number, title in enumerate(call.positional, 1):
            if title:
                titles.append(
                    call.get(f"l{number}", f"label {number}", f"label{number}")
                    or title.replace("#", " § ")
                )
        return f"{BREAK}{lead}: {', '.join(titles)}{BREAK}" if titles else ""

    return show


def transliterated(call: Call) -> str:
    """`{{nihongo|English|漢字|kanji|extra}}`: show the words with their original and its reading."""
    words, original, reading, more = (call.at(number) for number in range(1, 5))
    inside = ", ".join(filter(None, (original, reading, more)))
    if not words:
        return f"{reading} ({original})" if reading and original else original or reading
    return f"{words} ({inside})" if inside else words


def chinese(call: Call) -> str:
    """`{{zh|s=汉字|t=漢字|p=hànzì}}`: show the forms that are given."""
    forms = [call.get(name) for name in ("c", "s", "t", "p", "hp", "w", "j")]
    labels = {
        "c": "Chinese",
        "s": "simplified Chinese",
        "t": "traditional Chinese",
        "p": "pinyin",
        "hp": "pinyin",
        "w": "Wade–Giles",
        "j": "Jyutping",
    }
    named = [f"{labels[name]}: {form}" for name, form in zip(labels, forms, strict=True) if form]
    return "; ".join(named) or call.at(1)


def chemical(call: Call) -> str:
    """`{{chem|H|2|O}}`: the formula without its lowered numbers' layout."""
    return "".join(call.positional)


def nuclide(call: Call) -> str:
    """`{{simpleNuclide|uranium|235}}`, `{{nuclide|U|235}}`: element and mass number."""
    element, mass = call.at(1), call.at(2)
    if element.isdecimal() or element.lower().startswith("mass"):
        element, mass = mass, element
    return f"{element}-{mass}" if mass else element


def keys(call: Call) -> str:
    """`{{keypress|Ctrl|C}}`: keys pressed together."""
    return "+".join(call.filled())


def inline_math(call: Call) -> str:
    """`{{math|…}}`, `{{mvar|x}}`: the formula as written."""
    return call.at(1) or call.get("1", "big")


def charts_of_bars(call: Call) -> str:
    """`{{bar percent|Label|colour|31.5}}`: label and share."""
    return f"{BREAK}{call.at(1)}: {call.at(3)}%{BREAK}" if call.at(3) else call.at(1)


def box_of_columns(call: Call) -> str:
    """`{{columns|col1=…|col2=…}}`: the columns one below the other."""
    values = [
        value
        for name, value in call.named.items()
        if name.startswith("col") and name[3:].isdecimal()
    ]
    return "\n".join(["", *values, *call.filled(), ""])


def titled(call: Call) -> str:
    """`{{collapsible list|title=…|…}}`: title and items on one line."""
    title = call.get("title", "header")
    listed = ", ".join(filter(None, map(flatten, call.filled())))
    return f"{flatten(title)}: {listed}" if title and listed else title or listed


def items(call: Call) -> str:
    """Show a list, its items separated by commas, on one line."""
    values = call.filled() or [call.get("list", "items", "1")]
    return ", ".join(filter(None, map(flatten, values)))


def numbered_items(call: Call) -> str:
    """`{{ordered list|a|b}}`: show the items with their numbers."""
    return ", ".join(f"{number}. {flatten(value)}" for number, value in enumerate(call.filled(), 1))


def pictures(call: Call) -> str:
    """`{{multiple image|caption1=…|footer=…}}`: the captions."""
    named = call.named
    captions = [
        named[name]
        for name in named
        if name.startswith(("caption", "header", "footer")) and "_" not in name and " " not in name
    ]
    if call.name == "double image":
        captions += call.filled(4)[1::2]
    return "".join(f"{CAPTION}{flatten(caption)}{CAPTION_END}" for caption in captions if caption)


def captioned(call: Call) -> str:
    """`{{wide image|File.jpg|800px|Caption}}`: the caption."""
    caption = call.at(3) or call.get("caption")
    return f"{CAPTION}{flatten(caption)}{CAPTION_END}" if caption else ""


def montage(call: Call) -> str:
    """`{{photomontage|foot_montage=…}}`: the line below the pictures."""
    return call.get("foot_montage", "text", "caption")


def note_of_music(call: Call) -> str:
    """`{{music|flat}}`: the sign."""
    signs = {"flat": "♭", "b": "♭", "sharp": "♯", "#": "♯", "natural": "♮", "doubleflat": "𝄫"}
    return signs.get(call.at(1), call.at(1))


def position_in_sky(call: Call) -> str:
    """`{{RA|01|46|37}}`, `{{DEC|+31|13|12}}`: right ascension or declination."""
    signs = "hms" if call.name == "ra" else "°′″"
    return " ".join(value + sign for value, sign in zip(call.filled(), signs, strict=False))


def interval(call: Call) -> str:
    """`{{closed-open|0,1}}`: [0, 1)."""
    left, _, right = call.name.partition("-")
    ends = f"{'[' if left == 'closed' else '('}{', '.join(call.filled())}"
    return f"{ends}{']' if right == 'closed' else ')'}"


def listed_share(call: Call) -> str:
    """`{{NYSE|KRA}}`: exchange and symbol."""
    return f"{call.name.upper()}: {call.at(1)}"


def based_on(call: Call) -> str:
    """`{{based on|Work|Author}}`: work and author."""
    work, author = call.at(1), call.at(2)
    return f"{work} by {author}" if author else work


def dental_formula(call: Call) -> str:
    """`{{dentalformula|upper=…|lower=…}}`: both rows."""
    return " / ".join(filter(None, (call.get("upper"), call.get("lower"))))


def legend(call: Call) -> str:
    """`{{legend|#f00|Meaning}}`: show the meaning."""
    return f"{BREAK}{call.at(2)}{BREAK}" if call.at(2) else ""


def poem(call: Call) -> str:
    """`{{poemquote|…}}`: lines of verse."""
    return BREAK + text(call).replace("\n", BREAK) + BREAK


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


_WRAPPERS = (
    "nowrap|nobr|small|big|smaller|larger|center|centre|resize|nobold|noitalic|normal|italic|italics|bold|em|strong|mono|tt|samp"
    "|var|kbd|code|abbrlink|hover title|smallcaps|sc|vanchor|visible anchor|visanc|no wrap|script|strikethrough|strike|s|underline"
    "|highlight|linktext|not a typo|as written|proper name|typo|sic|angbr|angle bracket|midsize|nobreak|allow wrap|ensure|ruby|nihongo2"
    "|!xt|xt|serif|sans-serif|align|unicode|iast|ipalink|ipablink|ipaslink|ipa link|angbr ipa|pipa|key|u|longitem|map caption"
    "|nastaliq|script/arabic|script/hebrew|script/nastaliq|rtl-lang-text|lower|raise|su|sub|oldstylefigure"
    "|nwr|tq|nomarkup|pre2|lit|literally|vertical-align|double-struck|uline|gloss|angr|asiantitle"
    "|scriptsize|font|bigger|noautolink|no italic|nopf|link if exists|article link|la|keyb|text|nowrap text"
    "|小|补充|補助漢字フォント|要ページ番号text|ruby-ja|読み仮名|ruby-zh|vec|overline|overbar|overarc|underbar|tnavbar-text"
    "|sup|superscript|prime|currency|cjk|zh-hans|zh-hant|jp|ko-hhrm|linktext1"
)
_LISTS = (
    "hlist|flatlist|plainlist|plain list|ubl|unbulleted list|unbulleted|ublist|bulleted list|blist|cslist|comma separated entries|ubli"
    "|indented plainlist|nowrap list|br separated entries|inline list|csv|flat list|bulletedlist|horizontal list|vunblist|unbulletedlist|liste|lista"
    "|pagelist|cmn|cls|comma list|enum|and list|or list|list|startflatlist|liste horizontale|grid list"
    "|unbulleted list citebundle"
)
WORDS: dict[str, Template] = {
    **dict.fromkeys(_WRAPPERS.split("|"), first),
    **dict.fromkeys(_LISTS.split("|"), items),
    **dict.fromkeys(["ordered list", "numbered list", "olist"], numbered_items),
    **dict.fromkeys(["collapsible list", "list collapsed", "collapsible", "collapsed list", "hidden", "collapsed infobox section"], titled),
    **dict.fromkeys(["abbr", "tooltip", "h:title", "define", "dfn", "abbreviation", "abréviation", "abk", "explain"], explained),
    **dict.fromkeys(["color", "colour", "font color", "fontcolor", "coloured text", "colored text", "background color", "sort", "bg", "bgcolor", "cell color", "shade"], second),
    **dict.fromkeys(["sortname", "sort name", "sortn"], sort_name),
    **dict.fromkeys(["ill", "interlanguage link", "illm", "link-interwiki", "interlanguage link multi", "ill2", "lien", "ill-wd"], interlanguage_link),
    **dict.fromkeys(["仮リンク", "link-en", "link-de", "link-fr", "link-ja", "link-ru", "link-es", "link-it", "le", "internal link helper", "tsl", "绿链", "綠鏈", "ilh", "link-ko", "link-zh", "link-la"], east_asian_link),
    **dict.fromkeys(["quote", "blockquote", "cquote", "quotation", "rquote", "quote box", "bq", "bquote", "quote frame", "pull quote", "zitat", "cita", "citation bloc", "centered pull quote", "epigraph", "quotebox", "引用", "cita larga", "long quote"], quotation),
    **dict.fromkeys(["poemquote", "poem", "verse translation", "poem quote"], poem),
    **dict.fromkeys(["url", "url2", "weblink", "網址", "网址", "oweb"], address),
    **dict.fromkeys(["official website", "official", "officialwebsite", "official site", "site officiel", "official url", "sitio web oficial"], official_website),
    **dict.fromkeys(["ship", "uss", "hms", "ss", "rms", "hmas", "hmcs", "ms", "mv", "mt", "usns", "usat", "uscgc", "hmnzs", "ins", "sms", "ss", "st", "rrs", "nrp", "hdms", "hnoms", "hswms", "ara", "bap", "orp", "roks", "jds", "psv", "gts"], ship),
    **dict.fromkeys(["marriage", "married"], marriage),
    **dict.fromkeys(["nihongo", "nihongo3", "nihongo4", "nihongo krt", "transl-text", "asian name"], transliterated),
    **dict.fromkeys(["zh", "zh-full", "lang-zh", "zhi", "chinese"], chinese),
    **dict.fromkeys(["chem", "chem2", "chemical formula", "ce", "formule chimique"], chemical),
    **dict.fromkeys(["nuclide", "simplenuclide", "simplenuclide2", "nuclide2", "simple nuclide", "element symbol", "su nuclide"], nuclide),
    **dict.fromkeys(["keypress", "key press", "keys", "kbdkey", "key top"], keys),
    **dict.fromkeys(["math", "mvar", "bigmath", "tmath", "math style"], inline_math),
    **dict.fromkeys(["bartable"], first),
    "bar percent": charts_of_bars,
    **dict.fromkeys(["columns", "col-list", "column list"], box_of_columns),
    **dict.fromkeys(["columns-list", "col list"], first),
    **dict.fromkeys(["legend", "legend0", "legend2", "legend-line", "legend inline", "color box", "colorbox", "legende", "légende"], legend),
    **dict.fromkeys(["main", "main article", "mainarticle", "main articles", "see main", "hauptartikel", "article principal", "artículo principal", "ap", "основна", "主条目", "main list", "details", "details3", "detail", "article détaillé", "main cat", "main page"], main_article("Main article")),
    **dict.fromkeys(["see also", "seealso", "see", "further", "further2", "see also2", "furtherinfo", "further information", "more information", "voir aussi", "véase", "vt", "siehe auch", "vedi anche", "参见", "參見", "see also if exists", "see further", "véase también", "関連記事", "rellink"], main_article("See also")),
    **dict.fromkeys(["multiple image", "multiple images", "double image", "vertical images list", "triple image", "mehrere bilder", "images multiples", "auto images"], pictures),
    **dict.fromkeys(["wide image", "panorama", "tall image", "panorama simple", "panorámica", "annotated image"], captioned),
    **dict.fromkeys(["photomontage", "photo montage"], montage),
    "music": note_of_music,
    **dict.fromkeys(["ra", "dec"], position_in_sky),
    **dict.fromkeys(["closed-closed", "closed-open", "open-closed", "open-open"], interval),
    **dict.fromkeys(["nyse", "nasdaq", "lse", "fwb", "tyo", "sehk", "euronext", "bse", "krx", "asx"], listed_share),
    "based on": based_on,
    "dentalformula": dental_formula,
    **dict.fromkeys(["mpl", "mp", "minor planet"], lambda call: "".join(call.filled())),
    **dict.fromkeys(["nee", "née"], lambda call: f"née {call.at(1)}"),
    **dict.fromkeys(["sigfig", "round", "large", "enlink", "aside", "hiero", "lcons", "wikt"], first),
    **dict.fromkeys(["dash year", "dash-year", "year-range"], joined("–")),
    **dict.fromkeys(["native name list"], items),
    "unichar": unicode_character,
    "rating": rating,
    "text": text,
    **dict.fromkeys(["yes", "yes2", "cmain", "crecurring", "cguest", "no", "no2", "tick", "cross", "y", "n", "aye", "nay", "check mark", "x mark", "n/a", "na", "dunno", "unknown", "tba", "tbd", "partial", "maybe", "won", "nom", "pending", "active", "included", "dropped", "terminated", "yes-no", "some", "rarely", "depends", "sometimes", "limited", "nonfree", "free", "proprietary", "draw", "good", "bad", "okay", "any", "release-candidate", "beta", "eliminated", "success", "failure", "site active", "site inactive", "operational", "nil", "none", "planned", "scheduled", "partial success", "no result", "lost", "incorrect", "usually", "table-experimental"], status),
    **dict.fromkeys(["·", "dot", "•", "middot", "bullet", "bull", ",", "\\", "⋅"], constant(" · ")),
    **dict.fromkeys(["ndash", "en dash", "–", "endash"], constant("–")),
    **dict.fromkeys(["spaced ndash", "spnd", "snd", "sndash", "spaced en dash", "dash", "nsndns"], constant(" – ")),
    **dict.fromkeys(["mdash", "em dash", "—", "emdash", "mdashb"], constant("—")),
    **dict.fromkeys(["spaced mdash", "smdash", "snds"], constant(" — ")),
    **dict.fromkeys(["nbsp", "space", "spaces", "thin space", "thinsp", "hsp", "hair space", "nnbsp", "0", "figure space", "ensp", "emsp", "quad", "indent", "i sp", "quad space", "phantom", "0p", "00"], constant(" ")),
    **dict.fromkeys(["zwsp", "0ws", "shy", "wbr", "zwj", "zwnj", "clear", "-", "clr", "break lines", "clear left", "clear right", "clearleft", "clearright"], constant("")),
    **dict.fromkeys(["=", "equals"], constant("=")),
    **dict.fromkeys(["pipe", "bar", "vertical bar"], constant("|")),
    **dict.fromkeys(["'", "apostrophe", "`", "okina", "asper", "hamza", "ayin", "ayn", "single+", "hamzah"], constant("’")),
    **dict.fromkeys(["' \"", "' “"], constant("’”")),
    **dict.fromkeys(["\" '", '-"'], constant("”")),
    "'s": constant("’s"),
    **dict.fromkeys(["break", "br", "crlf", "-br", "crlf2", "plainlist br", "nowrapbr", "line break"], constant(BREAK)),
    **dict.fromkeys(["bce", "bc", "b.c."], lambda call: f"{call.at(1)} BC".strip()),
    **dict.fromkeys(["ce", "ad"], lambda call: f"{call.at(1)} AD".strip()),
    **dict.fromkeys(["lord", "lord's name", "yhwh"], constant("Lord")),
    **dict.fromkeys(["extinct", "†", "dagger"], lambda call: f"†{call.at(1)}"),
    **dict.fromkeys(["intitle", "no link", "nolink"], first),
    "vol.": lambda call: f"vol. {call.at(1)}",
    **dict.fromkeys(["p.", "pp."], lambda call: f"{call.name} {call.at(1)}"),
    **dict.fromkeys(["post-nominals", "postnominals", "post-nominal"], joined(" ")),
    **dict.fromkeys(["bibleverse", "bibleref", "bibleverse-nb", "bibleref2", "bible", "bibleref2-nb", "bibleverse with invisible book"], joined(" ")),
    **dict.fromkeys(["cite quran", "quran", "qref"], lambda call: f"Quran {':'.join(call.filled()[:2])}"),
    **dict.fromkeys(["us patent", "us patent application", "patent"], lambda call: f"US patent {call.at(1)}" if call.name != "patent" else joined(" ")(call)),
    **dict.fromkeys(["ordinal to word", "number to word", "sclass", "sclass-", "sclass2", "sclass2-"], first),
    **dict.fromkeys(["ws"], last),
}  # fmt: skip
