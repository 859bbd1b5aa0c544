"""Nested descriptions: "the capital of the country where X was born" holds a question of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.extractive import verbs, words
from agent.extractive.clauses import form_of
from agent.extractive.degrees import is_amount
from agent.extractive.enumerations import name_end
from agent.extractive.phrases import Token, main_verb, slice_of, tokenise

_APPOSITION = words.word_set(
    "city town village country state province region county island river lake mountain band group "
    "film movie book novel song album game series show play poem opera company magazine newspaper "
    "year month name title term word concept kingdom republic planet university district borough "
    "treaty battle siege war act house church bank sea gulf bay declaration council congress "
    "duchy county empire isle strait cape"
)
"""Nouns that name the kind of what follows: "the village of Clonbrook", "the novel Dracula"."""
_LIFE = words.word_set("birth death origin citizenship residence employment")
_HOLDING = words.word_set("containing including bordering surrounding housing featuring starring")
_NO_THING = words.word_set(
    "number end start beginning rest use history time case middle part side north south east west "
    "centre center heart top bottom majority kind type sort form lack role result basis course "
    "effect impact influence importance meaning reason cause difference sum total average amount "
    "level degree process way"
)


@dataclass(frozen=True, slots=True)
class Description:
    """A phrase that stands for one thing to be found out first."""

    start: int
    end: int
    question: str
    noun: str
    """What kind of thing it is: the phrase's head noun."""


def find_description(text: str) -> Description | None:
    """Return the innermost nested description of a clause, None where there is none.

    A description begins with "the" or a possessive, has a common noun as its head, and is
    grounded by a name, a number or a placeholder. The phrase that the clause itself asks for is
    not nested.
    """
    tokens = tokenise(text)
    form = form_of(tokens)
    asked = form.start if form.kind == "copular" else -1
    limit = form.end if form.kind in {"inverted", "copular"} else len(tokens)
    first = form.start if form.kind != "other" else 0

    def plain(i: int) -> bool:
        """Say whether no relative clause opens between what is asked for and token `i`."""
        return not any(token.low in words.RELATIVE for token in tokens[max(0, asked) : i])

    for i in range(len(tokens) - 1, first - 1, -1):
        bound = limit if i < limit else len(tokens)
        found = (
            _possessive(text, tokens, i, bound, form.start if asked >= 0 else -1)
            if tokens[i].text.endswith(("'s", "s'")) and tokens[i].is_name
            else _definite(text, tokens, i, bound, within=form.kind == "copular" and plain(i))
            if tokens[i].low == "the"
            else None
        )
        whole = i == asked and tokens[i].low == "the"
        if found is None or (whole and not _more_is_asked(tokens, found.end)):
            continue
        return found
    return None


def _more_is_asked(tokens: Sequence[Token], end: int) -> bool:
    """Say whether a passive follows what looks asked for: "what is the town … | named after"."""
    return end + 2 == len(tokens) and verbs.is_participle(tokens[end].low)


def _definite(
    text: str, tokens: Sequence[Token], start: int, bound: int, *, within: bool
) -> Description | None:
    head = _head(tokens, start + 1, bound)
    if head is None or head + 1 >= bound:
        return None
    noun = tokens[head].low
    single = words.singular(noun)
    after = tokens[head + 1]
    if tokens[start + 1].low in {"most", "fewest", "least"} and words.is_plural(noun):
        # "The most medals": how many, and no thing to look up.
        return None
    if single in _NO_THING or (is_amount(noun) and after.low not in words.RELATIVE):
        return None
    if after.low in words.RELATIVE or (
        after.low in words.PREPOSITION
        and head + 2 < bound
        and tokens[head + 2].low in {"which", "whom", "whose"}
    ):
        end = _relative_end(tokens, head + 1, bound)
    elif after.low in {"of", "in", "for", "by", "at", "on", "from", "to", "with", "near"}:
        if single in _APPOSITION and after.low == "of" and not _is_placeholder(tokens, head + 2):
            return None
        ranked = any(words.is_superlative(token.low) for token in tokens[start:head])
        held = single in _APPOSITION and _is_placeholder(tokens, head + 2)
        if after.low != "of" and not ranked and not within and not held:
            # "the bomb on Hiroshima": in a predicate, an event rather than a thing to look up.
            return None
        end = _complement_end(tokens, head + 2, bound)
    elif after.low in _HOLDING and head + 2 < bound:
        end = _complement_end(tokens, head + 2, bound)
    elif verbs.is_participle(after.low) and head + 2 < bound:
        end = _complement_end(tokens, head + 3, bound)
    elif (
        after.is_name
        and not _is_placeholder(tokens, head + 1)
        and (single in _APPOSITION or verbs.is_person_noun(single) or single in {"team", "place"})
    ):
        end = _bare_relative_end(tokens, head + 1, bound)
    else:
        return None
    if end <= head + 1 or not _grounded(tokens[head + 1 : end]):
        return None
    if after.low == "of" and tokens[head + 2].text.isdigit() and end == head + 3 and not within:
        # "At the census of 2020" says when.
        return None
    return _describe(text, tokens, start, end, noun)


def _is_placeholder(tokens: Sequence[Token], i: int) -> bool:
    return i < len(tokens) and tokens[i].text.startswith("{")


def _bare_relative_end(tokens: Sequence[Token], start: int, bound: int) -> int:
    """Return where "the country [Signmark is from]" ends, `start` where no clause follows."""
    name = name_end(tokens, start, bound)
    if name >= bound or tokens[name].low not in words.AUXILIARY | {"lived", "died", "played"}:
        return start
    end = name + 1
    while end < bound and (
        tokens[end].low in words.PREPOSITION
        or verbs.is_participle(tokens[end].low)
        or tokens[end].low in {"part", "a", "citizen", "member"}
    ):
        end += 1
    return end if end > name + 1 else start


def _head(tokens: Sequence[Token], start: int, bound: int) -> int | None:
    """Return the index of a definite phrase's head noun: the last word before its complement."""
    head = None
    for i in range(start, bound):
        low = tokens[i].low
        if not tokens[i].is_word or low in words.RELATIVE | words.PREPOSITION | words.AUXILIARY:
            break
        if low == "or" and head is not None and i + 2 < bound and tokens[i + 2].low == "of":
            continue
        if low in words.CONJUNCTION or tokens[i].text[0] == "{" or tokens[i].text.isdigit():
            break
        if (
            tokens[i].is_name
            and head is not None
            and not tokens[head].is_name
            and not (words.is_superlative(tokens[head].low) or tokens[head].low in words.ORDINALS)
        ):
            break
        if low in _HOLDING and head is not None:
            break
        past = verbs.is_participle(low) and head is not None and i + 1 < bound
        if past and tokens[i + 1].low in words.PREPOSITION | {"the"}:
            break
        head = i
    if head is None or tokens[head].is_name or words.is_superlative(tokens[head].low):
        return None
    return head


def _relative_end(tokens: Sequence[Token], start: int, bound: int) -> int:
    """Return where a relative clause ends: at a comma, or before the clause's own verb."""
    i = start
    while i < bound and tokens[i].low in words.RELATIVE | words.PREPOSITION:
        i += 1
    subject_relative = i < bound and (
        tokens[i].low in words.AUXILIARY or verbs.verb_base(tokens[i].low) is not None
    )
    verb = i if subject_relative else main_verb(tokens[:bound], i)
    if verb >= bound:
        return bound
    j = verb + 1
    done = tokens[verb].low not in words.AUXILIARY
    while j < bound and (
        tokens[j].low in {"been", "being", "have"}
        or (not done and verbs.is_participle(tokens[j].low) and tokens[verb].low in words.AUXILIARY)
        or tokens[j].low.endswith("ly")
        or tokens[j].low in {"not", "first", "also"}
    ):
        done = done or verbs.is_participle(tokens[j].low)
        j += 1
    if j < bound and (
        tokens[j].low in words.AUXILIARY or (done and verbs.is_participle(tokens[j].low))
    ):
        return j
    later = main_verb(tokens[:bound], j) if j < bound and _has_noun(tokens[j:bound]) else bound
    comma = next((k for k in range(verb, bound) if tokens[k].text == ","), bound)
    passive = _later_participle(tokens, j, bound)
    return min(later, comma, passive)


def _has_noun(tokens: Sequence[Token]) -> bool:
    return any(token.is_word and token.low not in words.FUNCTION_WORDS for token in tokens)


def _later_participle(tokens: Sequence[Token], start: int, bound: int) -> int:
    """Return the index of a participle after a name: "produced Fist Power | taken by"."""
    for i in range(start + 1, bound):
        if tokens[i - 1].is_name and verbs.is_participle(tokens[i].low) and not tokens[i].is_name:
            return i
    return bound


def _complement_end(tokens: Sequence[Token], start: int, bound: int) -> int:
    """Return where the complement after a preposition ends: names, with what leads to them."""
    i = start
    named = False
    while i < bound:
        token = tokens[i]
        stop = name_end(tokens, i, bound)
        if stop > i:
            i, named = stop, True
        elif token.text[0] in '"“«《{(' or token.text[0].isdigit():
            i, named = i + 1, named or token.text[0] != "("
        elif (
            named
            and token.low in {"in", "of", "at", "during", "on"}
            and (
                i + 1 < bound
                and (name_end(tokens, i + 1, bound) > i + 1 or tokens[i + 1].text[0].isdigit())
            )
        ):
            i += 1
        elif named or not token.is_word or token.low in words.AUXILIARY | words.CONJUNCTION:
            break
        else:
            i += 1
    return i if named else start


def _possessive(
    text: str, tokens: Sequence[Token], i: int, bound: int, asked: int
) -> Description | None:
    """Read "X's director" where more is said of the director than that."""
    start = i
    while start > 0 and (
        tokens[start - 1].is_name
        or (tokens[start - 1].low in {"of", "the"} and start > 1 and tokens[start - 2].is_name)
    ):
        start -= 1
    head = None
    for j in range(i + 1, bound):
        low = tokens[j].low
        if (
            not tokens[j].is_word
            or low in words.FUNCTION_WORDS
            or (head is not None and verbs.is_participle(low))
        ):
            break
        head = j
        if tokens[j].text.endswith("'s"):
            break
    if head is None or tokens[head].is_name or words.singular(tokens[head].low) in _NO_THING:
        return None
    if [token.low for token in tokens[head + 1 : head + 2]] == ["of"] and (
        tokens[head + 2 : head + 3] and tokens[head + 2].low in _LIFE
    ):
        head += 2
    if is_amount(tokens[head].low) or (start == asked and head + 1 >= bound):
        return None
    owner = slice_of(text, tokens[start : i + 1]).removesuffix("'s").removesuffix("'")
    noun = tokens[i + 1].low if tokens[head].low in _LIFE else tokens[head].low
    thing = text[tokens[i + 1].start : tokens[head].end].removesuffix("'s")
    verb = "Who" if verbs.is_person_noun(words.singular(noun)) else "What"
    be = "are" if words.is_plural(noun) else "is"
    return Description(start, head + 1, f"{verb} {be} the {thing} of {owner}?", noun)


def _grounded(tokens: Sequence[Token]) -> bool:
    """Say whether a complement says which one is meant: by a name, a number, or what it did."""
    if any(token.is_name or token.text[0].isdigit() or token.text[0] in '"{' for token in tokens):
        return True
    did = len(tokens) > 2 and tokens[0].low == "who" and verbs.is_past(tokens[1].low)
    return did and any(token.low == "the" for token in tokens[2:])


def _describe(text: str, tokens: Sequence[Token], start: int, end: int, noun: str) -> Description:
    said = slice_of(text, tokens[start:end])
    person = verbs.is_person_noun(words.singular(noun))
    if words.is_plural(noun) and "{" in said:
        said = re.sub(rf"\b{re.escape(noun)}\b", words.singular(noun), said, count=1)
        noun = words.singular(noun)
    plural_head = words.is_plural(noun)
    be = "are" if plural_head else "is"
    return Description(start, end, f"{'Who' if person else 'What'} {be} {said}?", noun)


def replace_description(text: str, found: Description, placeholder: str) -> str:
    """Put a placeholder where a description stood, keeping a possessive's ending."""
    tokens = tokenise(text)
    before = text[: tokens[found.start].start]
    after = text[tokens[found.end - 1].end :]
    owns = "'s" if tokens[found.end - 1].text.endswith("'s") else ""
    after = re.sub(r"^,\s+(?=[a-z])(?!and\b|or\b|who\b|which\b|where\b)", " ", after)
    return re.sub(r"\s+", " ", f"{before}{placeholder}{owns}{after}").strip()
