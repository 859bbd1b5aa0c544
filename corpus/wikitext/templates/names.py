"""Templates of names and signs: people, ships, works, links, formulas, codes."""

from __future__ import annotations

from corpus.wikitext.templates.call import Call, table


def sort_name(call: Call) -> str:
    """`{{sortname|First|Last|Article}}`: show both names."""
    return " ".join(call.filled()[:2])


def interlanguage_link(call: Call) -> str:
    """`{{ill|Title|de|…|lt=words}}`: show the title, or the words given for it."""
    if shown := call.get("lt", "label"):
        return shown
    # The older order of arguments: {{ill|de|title there|title here}}.
    if call.at(1).isalpha() and call.at(1).islower() and len(call.at(1)) <= 3 and call.at(2):
        return call.at(3) or call.at(2)
    return call.at(1)


def east_asian_link(call: Call) -> str:
    """`{{仮リンク|title|en|…|label=…}}`, `{{link-en|title|…}}`: show the title."""
    return call.get("label", "lt", "d") or call.at(1)


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


NAMES = table(
    {
        "sortname | sort name | sortn": sort_name,
        (
            "ill | interlanguage link | illm | link-interwiki | interlanguage link multi | ill2 | "
            "lien | ill-wd"
        ): interlanguage_link,
        (
            "仮リンク | link-en | link-de | link-fr | link-ja | link-ru | link-es | link-it | le | "
            "internal link helper | tsl | 绿链 | 綠鏈 | ilh | link-ko | link-zh | link-la"
        ): east_asian_link,
        "url | url2 | weblink | 網址 | 网址 | oweb": address,
        (
            "official website | official | officialwebsite | official site | site officiel | "
            "official url | sitio web oficial"
        ): official_website,
        (
            "ship | uss | hms | ss | rms | hmas | hmcs | ms | mv | mt | usns | usat | uscgc | hmnzs | "
            "ins | sms | st | rrs | nrp | hdms | hnoms | hswms | ara | bap | orp | roks | jds | psv | "
            "gts"
        ): ship,
        "marriage | married": marriage,
        "nihongo | nihongo3 | nihongo4 | nihongo krt | transl-text | asian name": transliterated,
        "zh | zh-full | lang-zh | zhi | chinese": chinese,
        "chem | chem2 | chemical formula | ce | formule chimique": chemical,
        (
            "nuclide | simplenuclide | simplenuclide2 | nuclide2 | simple nuclide | element symbol | "
            "su nuclide"
        ): nuclide,
        "keypress | key press | keys | kbdkey | key top": keys,
        "music": note_of_music,
        "ra | dec": position_in_sky,
        "closed-closed | closed-open | open-closed | open-open": interval,
        "nyse | nasdaq | lse | fwb | tyo | sehk | euronext | bse | krx | asx": listed_share,
        "based on": based_on,
        "dentalformula": dental_formula,
        "unichar": unicode_character,
        "rating": rating,
    }
)
