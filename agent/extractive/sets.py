"""The sets a question asks over: "each of …", "the five largest …", "A, B and C"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.extractive import verbs, words
from agent.extractive.enumerations import common_list, listed_spans
from agent.extractive.phrases import Token, slice_of, tokenise


@dataclass(frozen=True, slots=True)
class SetPhrase:
    """A phrase that stands for several things."""

    start: int
    """Index of its first token."""
    end: int
    text: str
    """The phrase without "each of", such as "the five longest rivers in Asia"."""
    members: tuple[str, ...] = ()
    """The things themselves, where the question lists them."""
    count: int | None = None
    """How many there are, where it says so."""
    explicit: bool = True
    """False where only a plural noun says that there are several."""


_QUANTIFIERS = words.word_set("each every all both")
_SPANS = words.word_set(
    "time year month week day hour minute second season decade century term percent million billion "
    "trillion dollar euro star point foot inch metre meter mile kilometre kilometer degree"
)
"""Nouns that are counted to measure something, not to list it."""
_RANKERS = words.word_set(
    "top first last latest next final previous past recent current initial remaining only"
)


def find_set(text: str, tokens: Sequence[Token], start: int, end: int) -> SetPhrase | None:
    """Find the innermost set in `tokens[start:end]`; it reaches to `end`.

    A quantified phrase ("each …", "the eight …", "top 5 …") goes before a plain plural ("the
    alpine countries"), which must be bounded by a modifier.
    """
    colon = next((i for i in range(start, end) if tokens[i].text == ":"), None)
    if colon is not None:
        spelled = _after_colon(text, tokens, start, colon, end)
        if spelled is not None:
            return spelled
    explicit = [i for i in range(start, end) if _opens_explicit(tokens, i, end)]
    counted = any(tokens[i].low not in _QUANTIFIERS for i in explicit)
    listed = None if counted else enumeration(text, tokens, start, end)
    if listed is not None and not _inside_relative(tokens, start, listed.start):
        return listed
    common = () if explicit else common_list(slice_of(text, tokens[start:end]))
    if common:
        first = next(i for i in range(end - 1, start, -1) if tokens[i].low in {"of", "for"})
        said = slice_of(text, tokens[first + 1 : end])
        return SetPhrase(first + 1, end, said, common, len(common))
    if explicit:
        return _make_set(text, tokens, _opening(tokens, explicit[-1], start), end, explicit=True)
    for i in range(end - 1, start - 1, -1):
        before = tokens[i - 1].low if i > start else ""
        linked = i == start or before in _LINKS or verbs.verb_base(before) is not None
        definite = tokens[i].low in {"the", "these", "those"}
        if definite and linked and _plain_plural(tokens, i + 1, end):
            return _make_set(text, tokens, i, end, explicit=False)
        if before in {"of", "for"} and not definite and _bare_plural(tokens, i, end):
            return _make_set(text, tokens, i, end, explicit=False)
    return None


_LINKS = words.word_set("of for among in by from on at through across")


def _after_colon(
    text: str, tokens: Sequence[Token], start: int, colon: int, end: int
) -> SetPhrase | None:
    """Read "five inventions: the airplane, the internet and the telephone"."""
    listed = slice_of(text, tokens[colon + 1 : end])
    members = tuple(
        part.strip(' "“”')
        for part in re.split(r",\s*(?:and\s+|or\s+)?|\s+and\s+", listed)
        if part.strip()
    )
    if len(members) < 2:
        return None
    opening = next(
        (
            i
            for i in range(colon - 1, start - 1, -1)
            if tokens[i].low in {"the", "these", "of", "by"}
        ),
        start,
    )
    first = opening if tokens[opening].low in {"the", "these"} else opening + 1
    phrase = slice_of(text, tokens[first:colon])
    return SetPhrase(first, end, phrase, members, len(members))


def _inside_relative(tokens: Sequence[Token], start: int, i: int) -> bool:
    return any(token.low in words.RELATIVE for token in tokens[start:i])


def _opening(tokens: Sequence[Token], number: int, floor: int) -> int:
    """Return where the phrase of a number begins: "the last five", "the world's 4 tallest"."""
    for i in range(number, max(floor, number - 5) - 1, -1):
        token = tokens[i]
        if i < number and token.low in {"the", "these", "those"}:
            return i
        if i < number and token.text.endswith(("'s", "’s")):
            return _name_start(tokens, i, floor)
        if i < number and (
            token.low in words.FUNCTION_WORDS - {"most", "least"} or not token.is_word
        ):
            return i + 1
    return number if tokens[number].low in _QUANTIFIERS else max(floor, number - 4)


def _bare_plural(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Say whether a plural without article is bounded: "NATO states", "cities in Chad"."""
    if (
        tokens[start].low in words.FUNCTION_WORDS
        or tokens[start].text[0].isdigit()
        or not _plain_plural(tokens, start, end)
    ):
        return False
    head = next(i for i in range(start, end) if words.is_plural(tokens[i].low))
    named = any(token.is_name for token in tokens[start:head])
    return named or (head + 1 < end and tokens[head + 1].low in words.RELATIVE)


def _opens_explicit(tokens: Sequence[Token], i: int, end: int) -> bool:
    low = tokens[i].low
    if low in _QUANTIFIERS:
        follows = tokens[i + 1].low if i + 1 < end else ""
        unfit = {"one"} | words.AUXILIARY | _SPANS | words.PREPOSITION - {"of"}
        return bool(follows) and words.singular(follows) not in unfit
    after = [token.low for token in tokens[i + 1 : i + 3]]
    if (
        after == ["or", "more"]
        or after == ["or", "fewer"]
        or (
            tokens[i - 1 : i]
            and (tokens[i - 1].is_name and tokens[i - 1].low not in {"top", "first", "last"})
            and not tokens[i].is_name
            and not words.is_superlative(tokens[i - 1].low)
        )
    ):
        return False
    if words.number_of(low) is None or low in {"one", "zero"} or (len(low) == 4 and low.isdigit()):
        return False
    if i and tokens[i - 1].low in {"than", "least", "over", "under", "exactly", "or", "generation"}:
        return False
    if (
        i
        and tokens[i - 1].low in words.PREPOSITION
        and tokens[i - 1].low not in {"of", "for", "in", "by", "from", "among", "to"}
    ):
        return False
    number = words.number_of(low)
    noun = _head_plural(tokens, i + 1, end)
    if noun is not None and words.singular(tokens[noun].low) in _SPANS:
        return False
    determined = any(token.low in {"the", *_RANKERS} for token in tokens[max(0, i - 3) : i])
    if not determined and _inside_relative(tokens, 0, i) and i > 3:
        return False
    return noun is not None and number is not None and 2 <= number <= 500


def _head_plural(tokens: Sequence[Token], start: int, end: int) -> int | None:
    """Return the index of the plural noun that a number counts, within a few words of it."""
    for i in range(start, min(end, start + 9)):
        low = tokens[i].low
        if words.is_plural(low) and not words.is_superlative(low):
            return i
        if low == "," and words.is_superlative(tokens[i - 1].low):
            continue
        if low in words.PREPOSITION | words.RELATIVE | words.AUXILIARY - {"may"} or low == ",":
            return None
        if low in {"percent", "%", "million", "billion", "trillion", "dollar", "usd", "stars"}:
            return None
    return None


_VAGUE = words.word_set(
    "effects effect causes benefits advantages disadvantages impacts reasons consequences "
    "differences similarities ways things factors implications challenges symptoms risks pros cons "
    "dimensions details others"
)


def _plain_plural(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Say whether a definite phrase is a bounded plural: modified before or after its noun."""
    if (
        start < end
        and words.is_superlative(tokens[start].low)
        and (
            tokens[start].low in {"most", "fewest", "least"}
            and (start + 1 >= end or words.is_plural(tokens[start + 1].low))
        )
    ):
        return False
    head = None
    for i in range(start, end):
        low = tokens[i].low
        if low in words.PREPOSITION | words.RELATIVE | words.AUXILIARY or low in {",", "and", "or"}:
            break
        if verbs.is_participle(low) and head is not None:
            break
        if (
            words.is_plural(low)
            and not tokens[i].is_name
            and not tokens[i].text.endswith(("'s", "’s"))
        ):
            head = i
    if head is None or words.singular(tokens[head].low) in _SPANS:
        return False
    return tokens[head].low not in _VAGUE


def _name_start(tokens: Sequence[Token], i: int, floor: int) -> int:
    while i > floor and (
        tokens[i - 1].is_name
        or tokens[i - 1].low == "the"
        or (tokens[i - 1].low == "of" and i - 1 > floor and tokens[i - 2].is_name)
    ):
        i -= 1
    return i


def _make_set(
    text: str, tokens: Sequence[Token], start: int, end: int, *, explicit: bool
) -> SetPhrase:
    inner = start
    while inner < end and tokens[inner].low in _QUANTIFIERS | {"of"}:
        inner += 1
    phrase = list(tokens[inner:end])
    while phrase and phrase[-1].text in {",", ".", "?", ";"}:
        phrase.pop()
    count = next(
        (n for t in phrase[:6] if (n := words.number_of(t.low)) is not None and 2 <= n <= 500), None
    )
    said = slice_of(text, phrase)
    if tokens[start].low in {"each", "every"} and inner == start + 1:
        said = _pluralise_head(said)
    return SetPhrase(start, end, said, (), count, explicit)


def _pluralise_head(phrase: str) -> str:
    """Turn "NBA player who has won" into "NBA players who have won"."""
    tokens = tokenise(phrase)
    head = None
    for i, token in enumerate(tokens):
        if token.low in words.PREPOSITION | words.RELATIVE | words.AUXILIARY or token.text == ",":
            break
        if i and verbs.is_participle(token.low):
            break
        if head is not None and (
            token.low in words.DETERMINER or (token.is_name and not tokens[head].is_name)
        ):
            # A relative clause without its pronoun: "country the Rhine flows through".
            break
        head = i
    if head is None:
        return phrase
    made = phrase[: tokens[head].start] + words.plural(tokens[head].text)
    rest = phrase[tokens[head].end :]
    rest = re.sub(r"^(\s+(?:that|who|which)\s+)has\b", r"\1have", rest)
    rest = re.sub(r"^(\s+(?:that|who|which)\s+)is\b", r"\1are", rest)
    rest = re.sub(r"^(\s+(?:that|who|which)\s+)was\b", r"\1were", rest)
    return made + rest


def enumeration(text: str, tokens: Sequence[Token], start: int, end: int) -> SetPhrase | None:
    """Find "A, B and C" where each part begins like a name; two parts need "and" or "or"."""
    spans = listed_spans(tokens, start, end)
    if spans is None:
        return None
    first, last, parts = spans
    members = tuple(slice_of(text, part).strip('"“”') for part in parts)
    return SetPhrase(
        first, last, text[tokens[first].start : tokens[last - 1].end], members, len(members)
    )


def plural_head(phrase: str, *, singular: bool = False) -> str:
    """Return the head noun of a phrase in the singular, "" where it is no plural.

    With `singular`, a head in the singular is returned as well.
    """
    head = ""
    for token in tokenise(phrase):
        low = token.low
        if not token.is_word or low in words.PREPOSITION | words.RELATIVE | words.AUXILIARY:
            if low == "of" and head in {"one", "each", ""}:
                continue
            if not head:
                continue
            break
        if token.text.startswith("{") or low in words.DETERMINER:
            continue
        if words.is_plural(head) and verbs.is_participle(low):
            break
        head = low
    if words.is_plural(head):
        return words.singular(head)
    return head if singular else ""
