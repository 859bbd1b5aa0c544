"""Templates about languages: words in them, their names, their sounds."""

from __future__ import annotations

from corpus.wikitext.templates.call import Call, table

LANGUAGE_NAMES = {
    "af": "Afrikaans", "akk": "Akkadian", "am": "Amharic", "ang": "Old English", "ar": "Arabic",
    "arc": "Aramaic", "az": "Azerbaijani", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali",
    "bo": "Tibetan", "br": "Breton", "bs": "Bosnian", "ca": "Catalan", "cop": "Coptic", "cs": "Czech",
    "cu": "Old Church Slavonic", "cy": "Welsh", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "eo": "Esperanto", "es": "Spanish", "et": "Estonian", "eu": "Basque", "fa": "Persian",
    "fi": "Finnish", "fo": "Faroese", "fr": "French", "fy": "West Frisian", "ga": "Irish",
    "gd": "Scottish Gaelic", "gl": "Galician", "grc": "Ancient Greek", "grc-gre": "Ancient Greek", "gu": "Gujarati",
    "haw": "Hawaiian", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese", "ka": "Georgian",
    "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ko": "Korean", "ku": "Kurdish", "la": "Latin",
    "lb": "Luxembourgish", "lt": "Lithuanian", "lv": "Latvian", "mi": "Māori", "mk": "Macedonian",
    "ml": "Malayalam", "mn": "Mongolian", "mr": "Marathi", "ms": "Malay", "mt": "Maltese", "my": "Burmese",
    "nah": "Nahuatl", "nds": "Low German", "ne": "Nepali", "nl": "Dutch", "no": "Norwegian", "nb": "Norwegian",
    "nn": "Norwegian Nynorsk", "non": "Old Norse", "oc": "Occitan", "pa": "Punjabi", "pl": "Polish", "ps": "Pashto",
    "pt": "Portuguese", "rm": "Romansh", "ro": "Romanian", "ru": "Russian", "rus": "Russian", "sa": "Sanskrit",
    "sco": "Scots", "sh": "Serbo-Croatian", "si": "Sinhala", "sk": "Slovak", "sl": "Slovene", "so": "Somali",
    "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili", "syc": "Syriac", "ta": "Tamil",
    "te": "Telugu", "tg": "Tajik", "th": "Thai", "tl": "Tagalog", "tr": "Turkish", "tt": "Tatar",
    "ug": "Uyghur", "uk": "Ukrainian", "ur": "Urdu", "uz": "Uzbek", "vi": "Vietnamese", "yi": "Yiddish",
    "zh": "Chinese", "zu": "Zulu",
}  # fmt: skip
"""Language codes and names, as the English templates write them."""


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
