"""From text to index terms: the one object that both chunks and queries go through.

An analyzer normalises (NFKC, case folding), splits into words, cuts runs of scripts that are
written without spaces into overlapping pairs of characters, and stems. It is named and versioned,
and an index stores its `identity`: opening the index with an analyzer that behaves otherwise is
an error, because a query stemmed unlike the text finds nothing and says nothing.
"""

from __future__ import annotations

import hashlib
import re
import threading
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

from corpus.errors import InputError

VERSION = 1
"""Goes up whenever the terms of any text change."""

MEMO_LIMIT = 1 << 20
"""Distinct words whose terms are remembered before the memory is emptied."""

# Han, kana, Hangul, and the scripts of South-East Asia that put no space between words.
_SPACELESS_RUN = re.compile(
    "([\u0e01-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]+)"
)

# Characters that send most English texts off the fast path for ASCII, and mean the same there.
_PUNCTUATION = (
    ("\u2019", "'"),
    ("\u2018", "'"),
    ("\u201c", '"'),
    ("\u201d", '"'),
    ("\u2013", "-"),
    ("\u2014", "-"),
    ("\u2212", "-"),
    ("\u2026", "..."),
    ("\u00a0", " "),
)

# Zero-width joiners, the soft hyphen and the Arabic elongation mark shape a word on the page
# without being part of its spelling.
_SHAPING = "\u00ad\u0640\u200c\u200d"

# Letters that Unicode does not decompose into a base letter and an accent.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)

_TURKISH_I = str.maketrans({"I": "ı", "İ": "i"})

_ENGLISH_STOP_WORDS = """
a about after all also an and any are as at be because been but by can could did do does for from
had has have he her his how i if in into is it its may more most no not of on or other our out over
she should so some such than that the their them then there these they this those to was we were
what when where which who why will with would you your
"""

# Splitting at spaces is twice as fast as finding words with a pattern.
_ASCII_SPACES = str.maketrans({char: " " for char in map(chr, range(128)) if not char.isalnum()})
_ASCII_POSSESSIVE = re.compile(r"'s(?<=[a-z0-9]'s)(?![a-z0-9])")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_HAN = re.compile("[\u2e80-\u2fdf\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")

_CODE = re.compile(r"[a-z]{2,3}|(?:zh|be|nds|roa|map|fiu|cbk|bat)-[a-z-]+")

_LANGUAGES = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "ja": "cjk",
    "ko": "cjk", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "simple": "english",
    "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
    "zh": "cjk",
}  # fmt: skip
"""Wikipedia's language codes and the analyzers they get; other codes get "plain"."""

_PROBE = (
    "The runners' children's U.S. National Park was organised in 1,024 cafés; it's naïve, isn't it? "
    "Die Häuser der Städte größerer Länder. Les chevaux nationaux couraient. Corriendo por las "
    "naciones. Красивые города и книги. كتاب المدارس الكبيرة İstanbul'da evlerinden IŞIK "
    "東京都は日本の首都です。北京大学的学生 서울특별시에서 ภาษาไทย हिन्दी की किताबें "
    "ﬁnal ＡＢＣ１２３ e\u0301te\u0301 x\u0304 Łódź Straße µ-law ½ state-of-the-art snake_case 3.14 C++"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Analyzer:
    """Turns a text into terms. Safe to call from several threads; get one from `analyzer`."""

    name: str
    stem: Callable[[str], str] | None = None
    possessive: bool = False
    """Whether `'s` at the end of a word is dropped."""
    fold: bool = False
    """Whether accents are dropped: questions about Beyoncé are often typed without them."""
    prepare: dict[int, str] | None = None
    """Replacements made before case folding."""
    stop_words: frozenset[str] = frozenset()
    cut: Callable[[str], Iterator[str]] | None = None
    """Splits a run of Chinese characters into words; pairs of characters where None."""
    _memo: dict[str, str] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __call__(self, text: str) -> list[str]:
        """Return the terms of a text, in order, repeated as often as they occur."""
        words = self.words(text)
        memo = self._memo
        try:
            terms = [memo[word] for word in words]
        except KeyError:
            terms = [self.term(word) for word in words]
        return [term for term in terms if term]

    def words(self, text: str) -> list[str]:
        """Return the normalised words of a text; `term` makes each of them a term or nothing."""
        if not text.isascii():
            for mark, plain in _PUNCTUATION:
                text = text.replace(mark, plain)
        if text.isascii() and self.prepare is None:
            text = text.lower()
            if self.possessive and "'s" in text:
                text = _ASCII_POSSESSIVE.sub("", text)
            return text.translate(_ASCII_SPACES).split()
        text = unicodedata.normalize("NFKC", text)
        if self.prepare is not None:
            text = text.translate(self.prepare)
        # Case folding can undo the composed form (ΐ), which would split one word in two spellings.
        text = unicodedata.normalize("NFKC", text.casefold()).replace("_", " ")
        words = _unicode_words(self.possessive).findall(text)
        if _SPACELESS_RUN.search(text) is None:
            return words
        return [part for word in words for part in self._cut(word)]

    def term(self, word: str) -> str:
        """Return the term of one word as the splitter gives it, "" where it is no term."""
        known = self._memo.get(word)
        if known is not None:
            return known
        term = self._make_term(word)
        with self._lock:
            if len(self._memo) >= MEMO_LIMIT:
                self._memo.clear()
            self._memo[word] = term
        return term

    def _make_term(self, word: str) -> str:
        if self.possessive and word.endswith("'s"):
            word = word[:-2]
        if not word.isascii():
            word = word.translate(_REMOVE_SHAPING)
            if self.fold:
                parts = unicodedata.normalize("NFKD", word.translate(_LETTERS))
                word = unicodedata.normalize("NFKC", _ACCENTS.sub("", parts))
        if word in self.stop_words:
            return ""
        if self.stem is None or not word:
            return word
        with self._lock:
            return self.stem(word)

    def _cut(self, word: str) -> Iterator[str]:
        for run in _SPACELESS_RUN.split(word):
            if not _SPACELESS_RUN.fullmatch(run):
                yield from (run,) if run else ()
            elif self.cut is not None and _HAN.fullmatch(run):
                yield from self.cut(run)
            else:
                yield from (run[i : i + 2] for i in range(max(1, len(run) - 1)))

    @property
    def identity(self) -> dict[str, str | int]:
        """Name, version, and a fingerprint of what it makes of a fixed text in many scripts.

        The fingerprint changes with the behaviour of the libraries underneath (a new release of
        Snowball, say), which name and version alone would miss.
        """
        terms = "\n".join(self(_PROBE))
        digest = hashlib.sha256(terms.encode()).hexdigest()[:16]
        return {"name": self.name, "version": VERSION, "fingerprint": digest}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _WhitespaceAnalyzer(Analyzer):
    """Splits at white space and changes nothing: for text that was analysed elsewhere."""

    def __call__(self, text: str) -> list[str]:
        return text.split()

    def term(self, word: str) -> str:
        return word


def analyzer(name: str) -> Analyzer:
    """Return the analyzer of a name or of a Wikipedia's language code.

    Names: "english", "english-stop" (without stop words), Snowball's other languages ("german",
    "french", …), "cjk" (pairs of characters), "cjk-jieba" (words; needs the extra `chinese`),
    "plain" (no stemming), "whitespace" (split at white space only). The same name gives the same
    object, and with it the same memory of stems.

    Raises:
        InputError: there is no such analyzer, or the package it needs is missing.
    """
    code = name.lower().replace("_", "-")
    if code in names():
        return _make(code)
    if code in _LANGUAGES or code.startswith("zh-"):
        return _make(_LANGUAGES.get(code, "cjk"))
    if _CODE.fullmatch(code):
        return _make("plain")
    raise InputError(f"unknown analyzer {name!r}: choose a language code or {', '.join(names())}")


def names() -> list[str]:
    """Return the names of all analyzers, sorted."""
    snowball = set(_LANGUAGES.values()) - {"cjk"}
    return sorted({"english-stop", "cjk", "cjk-jieba", "plain", "whitespace", *snowball})


@cache
def _make(name: str) -> Analyzer:
    if name == "whitespace":
        return _WhitespaceAnalyzer(name=name)
    if name in ("plain", "cjk"):
        return Analyzer(name=name)
    if name == "cjk-jieba":
        return Analyzer(name=name, cut=_load_jieba())
    if name in ("english", "english-stop"):
        stop_words = frozenset(_ENGLISH_STOP_WORDS.split() if name == "english-stop" else ())
        return Analyzer(
            name=name,
            stem=_load_stemmer("english"),
            possessive=True,
            fold=True,
            stop_words=stop_words,
        )
    prepare = _TURKISH_I if name == "turkish" else None
    return Analyzer(name=name, stem=_load_stemmer(name), prepare=prepare)


def _load_stemmer(language: str) -> Callable[[str], str]:
    import Stemmer

    # The analyzer remembers stems itself.
    stem: Callable[[str], str] = Stemmer.Stemmer(language, 0).stemWord
    return stem


def _load_jieba() -> Callable[[str], Iterator[str]]:
    try:
        import jieba
    except ImportError as error:
        raise InputError(
            "analyzer 'cjk-jieba' needs jieba: pip install 'fanfold[chinese]', or choose 'cjk'"
        ) from error
    jieba.setLogLevel("ERROR")
    cut: Callable[[str], Iterator[str]] = jieba.cut_for_search
    return cut


@cache
def _unicode_words(possessive: bool) -> re.Pattern[str]:
    """Compile the pattern of a word: letters, digits and marks.

    The word class of Python's `re` leaves out the vowel signs of Indic scripts, which are marks,
    and would cut every Hindi word apart. Marks beyond the basic plane are left out: listing them
    makes the pattern six times slower.
    """
    marks = "".join(
        char
        for char in map(chr, range(0x10000))
        if unicodedata.category(char)[0] == "M" or char in _SHAPING
    )
    tail = rf"(?:'s(?![\w{marks}]))?" if possessive else ""
    return re.compile(rf"[\w{marks}]+{tail}")


_REMOVE_SHAPING = dict.fromkeys(map(ord, _SHAPING))
