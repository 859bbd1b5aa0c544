"""Names of languages, by their codes."""

from __future__ import annotations

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
