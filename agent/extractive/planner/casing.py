"""Names in a question typed in lower case, written as the articles write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.citations.content.origins import PLACE_ADJECTIVE
from agent.citations.content.other_names import other_names
from agent.citations.content.words import KINDS_OF_THING, is_listed
from agent.extractive.language import words
from agent.extractive.language.classes import classes_of
from agent.extractive.language.degrees import degree_of
from agent.extractive.language.names import without_bracket, without_owning
from agent.extractive.language.verbs import is_base_verb
from corpus.form.languages import LANGUAGE_NAMES

WIDEST = 6
"""Most words of a name that is looked for."""
_LANGUAGES = frozenset(LANGUAGE_NAMES.values())
_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")

_KIND = re.compile(rf"\b(?:the|an?)\s+(?:{'|'.join(sorted(KINDS_OF_THING - {'moon'}))})$")
"""What is no name though an article may have it for its title: "the planet mercury"."""


def with_capitals(
    text: str,
    title_of: Callable[[str], str | None],
    lead_of: Callable[[str], str],
    near: Callable[[str], Sequence[str]] = lambda name: (),
) -> str:
    """Write the names of a text without capitals as the titles of their articles do.

    A title that its own article also writes in lower case ("river") is no name.

    Args:
        text: a question; one that holds a capital after its first letter is returned as it is.
        title_of: returns the title that a name leads to, None where there is none.
        lead_of: returns how the article of a title begins.
        near: returns titles like a text: "Apollo 11" shows how "apollo" is written.
    """
    if any(character.isupper() for character in text[1:]):
        return text
    found = list(_WORD.finditer(text))
    out: list[str] = []
    at = i = 0
    while i < len(found):
        for j in range(min(len(found), i + WIDEST), i, -1):
            said = text[found[i].start() : found[j - 1].end()]
            kind = _KIND.search(text, 0, found[j - 1].end())
            plain = kind is not None and kind.start() <= found[i].start()
            name = None if plain else _name(said, title_of, lead_of, near)
            if name is not None and i and found[i - 1][0] in KINDS_OF_THING:
                # No "river Lake Como" for "the river como".
                name = None if name.casefold().endswith(f" {said}") else name
            if name is not None and f"{name} " in "".join(out) and title_of(name) is None:
                name = None  # "what makes the yellow river yellow": a word of a name, and no name
            if name is not None:
                between = text[at : found[i].start()]
                # "Jupiter Saturn and Uranus": names side by side are a list typed in haste.
                out.extend((", " if out and between == " " else between, name))
                at = found[j - 1].end()
                i = j
                break
        else:
            i += 1
    out.append(text[at:])
    return "".join(out)


_NO_NOUN = re.compile(r".*(?:ing|body|one|where)")
"""Words that begin a sentence and are not said again in its steps: "settling a bet", "somebody"."""


def with_plain_beginning(
    text: str, title_of: Callable[[str], str | None], lead_of: Callable[[str], str]
) -> str:
    """A text without the capitals of its sentences' first words that are no names: "Diameter in km?".

    Inside a step the word would be taken for one.

    Args: as of `with_capitals`.
    """
    return "".join(_plain(sentence, title_of, lead_of) for sentence in _SENTENCES.split(text))


_SENTENCES = re.compile(r"((?<=[a-z\d)][.?!:;])\s+)")


def _plain(text: str, title_of: Callable[[str], str | None], lead_of: Callable[[str], str]) -> str:
    found = _WORD.match(text)
    word = found[0] if found is not None else ""
    low = word.lower()
    if low in words.FUNCTION_WORDS or not is_listed(low) or is_base_verb(low):
        return text
    if _NO_NOUN.fullmatch(low) or word in _LANGUAGES or other_names(word):  # "Latin", "Alpine"
        return text
    if not word[1:].islower() or re.match(r"\W*(?!I\b)[A-Z]", text[len(word) :]):
        return text
    title = title_of(word)
    if title is not None and not re.search(rf"\b{re.escape(low)}", lead_of(title)):
        return text
    return low + text[len(word) :]


_APART = re.compile(r"(?<![\w'’-])(?=([a-z]{3,}) ([a-z]{3,})(?![\w'’-]))")


def with_compounds(text: str, title_of: Callable[[str], str | None]) -> str:
    """A text with words written apart that only one word is the name of: "moon walkers".

    Args:
        text: a question.
        title_of: returns the title that a name leads to, None where there is none.
    """
    for found in list(_APART.finditer(text)):
        one, other = found.groups()
        if {one, other} & words.FUNCTION_WORDS or title_of(f"{one}{other}") is None:
            continue
        if title_of(f"{one} {other}") is None:
            text = text.replace(f"{one} {other}", f"{one}{other}")
    return text


_BEFORE_KIND = re.compile(r"(?<![\w'’-])([A-Z][a-z]{2,}) ([a-z]{3,})(?![\w'’-])")


def with_whole_names(
    text: str,
    title_of: Callable[[str], str | None],
    lead_of: Callable[[str], str],
    near: Callable[[str], Sequence[str]],
) -> str:
    """A text with the whole of a name of two words of which it says one: "Ivy schools".

    Args: as of `with_capitals`.
    """
    for found in list(_BEFORE_KIND.finditer(text)):
        name, kind = found.groups()
        one = words.singular(kind)
        many = kind != one and not is_base_verb(one)
        if not (many or one in KINDS_OF_THING) or _is_common(name.lower()) or title_of(name):
            continue
        whole = _whole_name(name, near)
        if not whole or whole.lower().endswith(f" {one}") or _LIFE.match(lead_of(whole)):
            continue  # "Great lakes" has it whole, and Ann Lee is not meant by "Ann shops"
        text = text.replace(found[0], f"{whole} {kind}")
    return _MEMBER.sub(lambda found: _as_member(found, title_of, lead_of, near), text)


def _whole_name(half: str, near: Callable[[str], Sequence[str]]) -> str:
    """The only title of two words whose first one is said, "" where there is none or several."""
    titles = [title for title in near(half) if re.fullmatch(rf"{half} [A-Z][^\W\d_]+", title)]
    return titles[0] if len(titles) == 1 else ""


_MEMBER = re.compile(
    r"\b(?P<which>[Aa]n?|[Aa]ny|[Ee]ach|[Ee]very|[Ww]hich|[Ww]hat|[Tt]he|[Aa]ll|of|\d+) (?!the\b|these\b|those\b)(?P<name>[A-Za-z]{3,})\b(?! [A-Z])"
)
_COUNTED = re.compile(
    rf"\b(?:{'|'.join(filter(None, words.NUMBER_WORDS))}|\d\d?) (?:[a-z-]+ ){{0,3}}?(?P<noun>[a-z]{{3,}}s)\b(?! [a-z]+s\b)"
)


def _as_member(
    found: re.Match[str],
    title_of: Callable[[str], str | None],
    lead_of: Callable[[str], str],
    near: Callable[[str], Sequence[str]],
) -> str:
    """A member by half of its group's name, with the whole of it and what members are: "an Ivy"."""
    name = words.singular(found["name"].lower())
    if _is_common(name) or any(map(title_of, (found["name"], name))):
        return found[0]
    whole = _whole_name(name.capitalize(), near)
    rest = found.string[found.end() :].lower()
    if not whole or rest.startswith(whole.lower().removeprefix(name)):
        return found[0]
    lead = lead_of(whole).split(". ")[0]
    members = _COUNTED.search(lead)
    if members is None or not words.is_plural(members["noun"]):
        return found[0]
    many = name != found["name"].lower()
    noun = members["noun"] if many else words.singular(members["noun"])
    return f"{found['which']} {whole} {noun}"


def _name(
    said: str,
    title_of: Callable[[str], str | None],
    lead_of: Callable[[str], str],
    near: Callable[[str], Sequence[str]],
) -> str | None:
    parts = said.lower().split()
    edge = words.FUNCTION_WORDS | words.NUMBER_WORDS.keys() | words.ORDINALS.keys()
    if parts[0] in edge - {"the"} or parts[-1] in edge or len(said) < 3:
        return None
    owner = without_owning(said)
    title = title_of(owner)
    if title is None and len(parts) > 1:
        whole = title_of(f"the {owner}") or ""
        if whole.casefold() == f"the {owner}".casefold() and owner not in lead_of(whole):
            # "magic mountain", of the novel "The Magic Mountain"
            return whole[len("the ") :] + said[len(owner) :]
    for gap in re.finditer(" ", owner) if title is None else ():
        # "hanover new hampshire": a place and what it lies in, typed without the comma.
        placed = title_of(f"{owner[: gap.start()]}, {owner[gap.end() :]}")
        if placed is not None and placed.replace(",", "").casefold() == owner.casefold():
            return placed + said[len(owner) :]
    if title is None and parts[-1] in KINDS_OF_THING and len(parts) > 1:
        # One of what has a title together: "great lake".
        many = words.plural(owner)
        several = title_of(many) or ""
        if several.casefold() == many.casefold() and re.search(r" [A-Z]", several):
            return several[: len(owner)]
    if title is None and _is_place(owner):
        return _capitals(owner) + said[len(owner) :]
    if title is None:
        titles = near(owner)
        # "Great" of "Great Lakes" is no name of its own.
        for longer in () if _is_common(owner.lower()) else titles:
            written = longer[: len(owner)]
            if longer.casefold().startswith(f"{owner.casefold()} ") and written != owner:
                lead = lead_of(longer)
                if written in lead and not re.search(rf"\b{re.escape(owner)}", lead):
                    return written + said[len(owner) :]
        whole = _surname(owner.lower(), titles, lead_of) or _of_a_kind(owner.lower(), titles)
        return whole + said[len(owner) :] if whole else None
    plain = without_bracket(title)
    if plain.casefold() != owner.casefold():
        # Reached by another name: each word of it gets its capital.
        lead = lead_of(title)
        if re.search(rf"\b{re.escape(owner.lower())}\b", lead):
            return None
        initials = "".join(part[0] for part in title.split() if part[0].isupper())
        # "Alpine countries" are not called so.
        named, _, kind = owner.rpartition(" ")
        plain = _capitals(owner)
        if named and kind in map(words.plural, KINDS_OF_THING):
            plain = f"{_capitals(named)} {kind}"
        if owner.casefold() == initials.casefold():
            plain = initials
    elif re.search(rf"\b{re.escape(plain.lower())}s?\b", lead_of(title)):
        return None
    return plain + said[len(owner) :]


def _capitals(name: str) -> str:
    return " ".join(
        part if part in words.FUNCTION_WORDS else part[:1].upper() + part[1:]
        for part in name.split()
    )


def _is_place(name: str) -> bool:
    """Whether a name without an article is a country, a state or a continent, or its adjective: "texas", "swiss"."""
    stands_for = other_names(name) if PLACE_ADJECTIVE.fullmatch(name) else ()
    return any(
        not classes_of(one).keys().isdisjoint(("country", "state", "continent"))
        for one in (name, *stands_for)
    )


_LIFE = re.compile(r"[^.()]*\((?:born\b|[^()]*\d{3,4} ?(?:BC )?[–-])")
"""How the article of a person begins: with dates of birth and death."""


def _surname(typed: str, titles: Sequence[str], lead_of: Callable[[str], str]) -> str:
    """The last name of the only person of some titles who is called so, "" where it is a word."""
    whose = [one for one in titles if one.casefold().endswith(f" {typed}")]
    if _is_common(typed) or len(whose) != 1 or _LIFE.match(lead_of(whose[0])) is None:
        return ""
    return whose[0][-len(typed) :]


def _of_a_kind(typed: str, titles: Sequence[str]) -> str:
    """The only title of a kind and a name that is called by that name: Lake Erie for "erie"."""
    kinds = "|".join(sorted(KINDS_OF_THING))
    named = re.compile(rf"(?:{kinds}) {re.escape(typed)}", re.IGNORECASE)
    whose = [one for one in titles if named.fullmatch(one)]
    return whose[0] if len(whose) == 1 and not _is_common(typed) else ""


def _is_common(typed: str) -> bool:
    """Whether a word is a kind of thing, a verb, an adjective or a small word: no name by itself."""
    common = typed in KINDS_OF_THING | words.FUNCTION_WORDS or is_base_verb(typed)
    return common or degree_of(f"{typed}er") is not None
