"""Templates about languages: words in them, their names, their sounds."""

from __future__ import annotations

from corpus.form.languages import LANGUAGE_NAMES
from corpus.wikitext.templates.call import Call, table


def in_language(call: Call) -> str:
    """`{{lang|fr|mot}}`, `{{transl|ru|slovo}}`, `{{transl|ar|ALA|…}}`: show the word."""
    if text := call.get("text"):
        return text
    values = call.filled()
    if call.name.startswith("transl"):
        return values[-1] if values else ""
    return call.at(2) or call.at(1)


def named_language(call: Call) -> str:
    """`{{lang-fr|mot}}`, `{{langx|fr|mot}}`: the language's name and the word."""
    code, values = call.name.removeprefix("lang-"), call.positional
    if call.name == "langx":
        code, values = call.at(1), call.positional[1:]
    word = (values[0] if values else "") or call.get("text", "1")
    if not word:
        return ""
    if call.get("label").lower() in ("none", "no"):
        return word
    name = call.get("label") or LANGUAGE_NAMES.get(code.lower(), "")
    reading = f", {values[1]}" if len(values) > 1 and values[1] else ""
    return f"{name}: {word}{reading}" if name else f"{word}{reading}"


def pronunciation(call: Call) -> str:
    """`{{IPA|[ˈbɛʁliːn]}}`, `{{IPA-de|bɛʁˈliːn}}`: the sounds between brackets."""
    values = call.filled()
    if call.name == "ipa" and len(values) > 1 and len(values[0]) <= 3:
        values = values[1:]
    if not values:
        return ""
    sounds = values[0]
    return sounds if sounds[0] in "/[" or call.name == "ipa" else f"[{sounds}]"


def english_pronunciation(call: Call) -> str:
    """`{{IPAc-en|ˈ|æ|p|əl}}`: the sounds between slashes."""
    leads = ("us", "uk", "lang", "pron", "local", "icon", "sound")
    sounds = "".join(
        value
        for value in call.filled()
        if value.lower() not in leads and not value.lower().endswith((".ogg", ".wav"))
    )
    return f"/{sounds.replace('_', ' ')}/" if sounds else ""


def respelled(call: Call) -> str:
    """`{{respell|AP|əl}}`: syllables with hyphens."""
    return "-".join(value for value in call.filled() if value != "_").replace("-_-", " ")


def is_language_name(key: str) -> bool:
    """Whether a template is one of `lang-fr`, `lang-zh-hant` and so on."""
    return key.startswith("lang-") and len(key) <= 13


def is_pronunciation_name(key: str) -> bool:
    """Whether a template is one of `IPA-fr`, `IPA-de` and so on."""
    return key.startswith("ipa-") and len(key) <= 10


LANGUAGES = table(
    {
        (
            "lang | transl | transliteration | wikt-lang | native name | native phrase | rtl-lang | "
            "rtl-para | nq | ety | langue | spr | язык | langwithname | transliterate | pie"
        ): in_language,
        "langx": named_language,
        "lang-rus": named_language,
        "ipa | ipa-all | api | afi | ipa2 | 国際音声記号": pronunciation,
        "ipac-en | ipac-es | ipac-pl | ipac-fr | ipac-de | ipac-cmn": english_pronunciation,
        "respell | pronunciation respelling | usdict": respelled,
    }
)
