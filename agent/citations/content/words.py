"""Words that carry meaning, and how two texts hold the same ones.

A stemmer brings forms of a word together, what a stemmer cannot is listed: `synonyms.txt` for the
lines of boxes and tables, `thesaurus.txt` for everyday words. There are no opposites among them, and
no likeness of meaning is guessed: "largest" never stands for "smallest", which lie close together
for an embedder.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from agent.citations.quotes import IDEOGRAPH
from corpus.text import word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_LIGHT = word_set(
    """a an the this that these those it its he his him she her hers they them their theirs we our
    you your i my me one ones who whom whose which what when where why how there here
    is are was were be been being am do does did done has have had having can could will would shall
    should may might must and or but nor so yet if than then as at by for from in into of off on onto
    out over to up with within without about aboard above across after against along alongside amid
    amidst among amongst around atop before behind below beneath beside between beyond concerning during
    except inside near outside per regarding since through throughout toward towards under underneath
    until upon via while because although though however also too
    very just only even ever actually really still already both each every all any some such same other others another
    more most much many few less least no not never none own s t ie eg etc
    according approximately roughly nearly almost circa ca today currently now once
    known called named said made make makes include includes including included contain contains
    lies lie located situated stay stays stayed finally eventually ultimately get got became become becomes remains
    respectively thus hence therefore whereas besides amount total number"""
)
"""Words that belong to every topic; what they say is checked as polarity and figures, or not at all."""
KINDS_OF_THING = word_set(
    """city town village river lake sea ocean mountain country state province region county district
    island continent planet moon star company university school college organisation organization
    team club band film movie book novel song album person man woman people place article
    language species genus building church museum airport station road bridge game event"""
)
"""What a thing is called by when its name is said: held wherever the chunk says so."""


def fold(text: str) -> str:
    """Return text in small letters without accents, with one kind of dash and of apostrophe."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(one for one in plain if not unicodedata.combining(one))
    return re.sub(r"[‐-―−]", "-", plain.replace("’", "'").replace("ʻ", "'"))


@cache
def _stemmer():  # type: ignore[no-untyped-def]
    import Stemmer

    return Stemmer.Stemmer("english")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the Snowball stem of a word in small letters, without a possessive ending."""
    return str(_stemmer().stemWord(fold(word).removesuffix("'s").removesuffix("'")))


@cache
def _groups() -> dict[str, frozenset[int]]:
    """Return for each stem the groups of synonyms that it belongs to."""
    found: dict[str, set[int]] = {}
    folder = Path(__file__).parent
    files = [(folder / name).read_text("utf-8") for name in ("synonyms.txt", "thesaurus.txt")]
    for number, line in enumerate("\n".join(files).splitlines()):
        if not line.startswith("#"):
            for word in line.split():
                found.setdefault(stem(word), set()).add(number)
    return {one: frozenset(groups) for one, groups in found.items()}


@lru_cache(maxsize=512)
def content_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that carry meaning, folded, each once, in order."""
    words = (fold(word) for word in _WORD.findall(text) if not IDEOGRAPH.search(word))
    kept = (word.removesuffix("'s") for word in words)
    return tuple(dict.fromkeys(word for word in kept if word not in _LIGHT and len(word) > 1))


@lru_cache(maxsize=512)
def stems_of(text: str) -> frozenset[str]:
    """Return the stems of all words of a text, the parts of hyphenated ones among them."""
    words = [fold(word) for word in _WORD.findall(text)]
    parts = [part for word in words for part in re.split(r"[-.]", word) if part]
    return frozenset(stem(word) for word in (*words, *parts))


def missing_words(
    wanted: Iterable[str], held: frozenset[str], nearby: frozenset[str] = frozenset()
) -> list[str]:
    """Return the wanted words that neither stand among `held` stems nor have a synonym there.

    Args:
        wanted: words as `content_words` gives them.
        held: stems of the evidence.
        nearby: stems of the whole chunk, where the word for a thing's kind may stand.
    """
    held_groups = frozenset(group for one in held for group in _groups().get(one, ()))
    return [word for word in wanted if not _is_held(word, held, held_groups, nearby)]


def _is_held(
    word: str, held: frozenset[str], held_groups: frozenset[int], nearby: frozenset[str]
) -> bool:
    one = stem(word)
    if one in held:
        return True
    # "National" has a noun's stem, and another meaning: the capital of a state is no national one.
    if not word.endswith("al") and _groups().get(one, frozenset()) & held_groups:
        return True
    if (word in KINDS_OF_THING or one in KINDS_OF_THING) and one in nearby:
        return True
    parts = [part for part in re.split(r"[-.]", word) if part]
    if len(parts) > 1 and all(stem(part) in held or part in _LIGHT for part in parts):
        return True
    # "discovery", "discoverer": one root, endings apart.
    return len(one) >= 6 and any(
        other[:6] == one[:6] and abs(len(other) - len(one)) <= 4 for other in held
    )


def are_synonyms(one: str, other: str) -> bool:
    """Say whether two words are listed as meaning the same; an adjective in "al" means no noun."""
    groups = [_groups().get(stem(word), frozenset()) for word in (one, other)]
    return bool(groups[0] & groups[1]) and one.endswith("al") == other.endswith("al")


def is_listed(word: str) -> bool:
    """Say whether a word is a plain one, light or with synonyms, rather than a name."""
    return fold(word) in _LIGHT or fold(word) in KINDS_OF_THING or stem(word) in _groups()


_FUNCTION = frozenset("的了在是有于和与为被由也就都而及之其这那个们中上下年月日吗呢吧等第")


def missing_ideographs(claim: str, held: str) -> float:
    """Return the share of a claim's ideographs that no common piece of two or more covers."""
    run = [one for one in claim if IDEOGRAPH.match(one)]
    telling = [position for position, one in enumerate(run) if one not in _FUNCTION]
    if not telling:
        return 0.0
    text = "".join(run)
    covered: set[int] = set()
    for start in range(len(text) - 1):
        if text[start : start + 2] in held:
            covered.update((start, start + 1))
    return sum(position not in covered for position in telling) / len(telling)
