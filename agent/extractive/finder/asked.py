"""What a sub-question asks for: the form of its answer, the thing it is about, the words that count."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from agent.citations.content.origins import PLACE_ADJECTIVE, asked_origin
from agent.citations.content.other_names import other_names
from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.finder.attributes import about_it
from agent.extractive.language import words
from agent.extractive.language.classes import classes_of
from agent.extractive.language.clauses import form_of
from agent.extractive.language.degrees import SCALE_OF, degree_of
from agent.extractive.language.phrases import tokenise
from agent.extractive.language.stems import content_stems, stem, words_of
from agent.extractive.language.subjects import subjects_of
from agent.extractive.language.verbs import is_participle
from corpus.form.languages import LANGUAGE_NAMES
from corpus.text import word_set

_LANGUAGES = frozenset(LANGUAGE_NAMES.values())
Form = Literal["number", "date", "person", "place", "yes_no", "name", "list", "text"]

_NUMBER = re.compile(
    r"\bhow (?:many|much|long|high|tall|deep|wide|large|big|heavy|far|old|fast|populous|small)\b|"
    r"\bwhat (?:percentage|share|number)\b|"
    r"\b(?:population|area|length|height|elevation|depth|width|diameter|mass|weight|distance|size|number|percentage|temperature|speed|"
    r"price|salary|budget|density|capacity|altitude|inhabitants?|residents?|"
    r"count of|amount|radius|circumference|thickness|volume of|cost|revenue|turnover|"
    r"attendance|enrolment|tonnage|wingspan|duration)\b",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"^(?:\w+ )?when\b|[,;] ?(?:and )?when\b|\band when\b|\b(?:what|which) (?:year|date|day|month|decade)s?\b|\b(?:what|which) century\b|\bdate of\b|"
    r"^what (?:is|are|was|were) the (?:year|date)s?\b|"
    r"^what (?:is|was) the (?:exact )?day of (?!the week|rest)|"
    r"^what (?:is|was) the (?!orbital|sidereal|solar|light)(?:[a-z-]+ ){1,2}(?:year|date)(?= of\b|\?|$)",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had|can|could)\b(?!.*\bor\b.*\?)", re.IGNORECASE
)

# Which words of labels and heads answer which words of questions: the nouns of common verbs and
# adjectives, as a dictionary has them.
_NOUNS = {
    "born": "birth place date birthplace", "die": "death place date", "death": "death died",
    "long": "length", "high": "height elevation", "tall": "height", "deep": "depth",
    "large": "area size", "big": "area size", "heavy": "mass weight", "old": "age birth founded",
    "far": "distance", "fast": "speed", "populous": "population", "inhabitant": "population",
    "people": "population", "person": "population", "live": "population residence", "found": "founded founder established",
    "design": "designer designed", "discover": "discoverer discovered discovery", "invent": "inventor invented designer",
    "write": "author writer", "compose": "composer music", "direct": "director", "lead": "leader",
    "flow": "countries course mouth", "rise": "source", "study": "alma mater education",
    "educate": "alma mater education", "degree": "alma mater education", "graduate": "alma mater",
    "cost": "price cost", "marry": "spouse", "wife": "spouse", "husband": "spouse", "locate": "location",
    "stand": "location", "climb": "ascent", "perform": "premiere", "theatre": "location venue theater", "stadium": "venue location",
    "venue": "location", "place": "location", "wide": "width diameter", "appear": "appeared release", "open": "opened opening",
    "build": "built construction builder", "happen": "date", "begin": "start date", "end": "end date",
    "speak": "languages language", "money": "currency", "currency": "currency", "use": "currency used",
    "teach": "employer institutions occupation", "professor": "employer institutions occupation",
    "bury": "burial resting", "buried": "burial resting", "raised": "residence", "grow": "residence", "grew": "residence", "own": "owner", "fly": "mission missions flight flights", "work": "employer institutions occupation", "win": "winner awards", "receive": "awards prize",
    "university": "alma mater education", "country": "countries country", "city": "location city",
    "town": "location", "moon": "moons satellites", "creator": "designer developer author", "create": "creator designer developer author", "created": "creator designer developer author",
    "area": "area", "motto": "motto", "capital": "capital", "mouth": "mouth", "designer": "designer", "land": "mission missions",
}  # fmt: skip


_AT_WORK = frozenset(map(stem, word_set("teach professor work employ lecture found lead")))
_AT_SCHOOL = frozenset(map(stem, word_set("study educate degree graduate attend doctorate")))
_SCHOOLING = frozenset(map(stem, ["alma", "mater", "education"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A sub-question as the reader sees it."""

    text: str
    form: Form
    many: bool
    """Whether several things are asked for."""
    persons: bool
    """Whether several people are asked for: "who are"."""
    noun: str
    """What kind of thing, singular; "" where the question does not say."""
    subjects: tuple[str, ...]
    """Titles of the articles it names, or names in capitals that are no titles."""
    stems: frozenset[str]
    """Of the words that count, without those of the subjects."""
    hints: frozenset[str]
    """Stems that a label or a head may have instead."""
    names: tuple[str, ...] = ()
    """Names and years that an answer's line must agree with."""
    about: str = ""
    """The step with "it" for its thing: what labels are matched with."""
    kind: str = ""
    """The noun of "into which lake", singular, or that of "the birthplace of": what the value must be."""

    @property
    def kind_of_value(self) -> str:
        """What kind of thing cells must hold to answer, singular; "" where the question does not say."""
        return self.kind or (self.noun if self.form in ("name", "list") else "")

    @property
    def kind_of_answer(self) -> str:
        """The same of what is told in the end: "who" asks for somebody, of whom cells need not say it."""
        return self.kind_of_value or (SOMEBODY if self.form == "person" else "")


_PEOPLE = frozenset(["man", "woman", "people", "person"])
_ANYTHING = word_set(
    """member winner owner founder champion host user partner sponsor recipient predecessor successor
    participant neighbour neighbor rival opponent leader producer maker publisher builder operator
    developer carrier manufacturer supplier competitor holder finalist contender"""
)
"""Nouns of persons that companies, schools and countries are called by as well."""
ANYWHERE = "location"
"""The kind of thing that "where" asks for."""
SOMEBODY = "somebody"
"""That which "who" asks for: a person, or what acts as one."""
PLACE_NOUNS = word_set("birthplace hometown residence burial headquarters location home deathplace")
"""Nouns whose value is a place, by whatever word its article calls it."""
LONGEST = 2000
"""Characters of a sub-question that are read for what it asks."""


def read_asked(question: str, find_title: Callable[[str], str | None]) -> Asked:
    """Read one sub-question whose placeholders are filled.

    Args:
        question: the sub-question.
        find_title: returns the title of the article that a name leads to, None where there is none.
    """
    text = _OF_A_PLACE.sub(_of_the_place, " ".join(question.split())[:LONGEST])
    # Of "the English meaning of Yale's motto" Yale is asked.
    subjects = sorted(subjects_of(text, find_title), key=lambda named: named[0] in _LANGUAGES)
    remaining = text
    for said, _ in subjects:
        remaining = remaining.replace(said, " ")
    remaining = re.sub(r"['’]s\b", " ", remaining)
    stems = frozenset(content_stems(remaining))
    form, many, noun = _form_of(text)
    if not many:
        # Where the thing asked for is from tells of it, and no fact need be about that place.
        origin = asked_origin(text)
        subjects = [named for named in subjects if named[0] != origin]
    hints = {hint for one in words_of(remaining) for hint in hints_of(one)}
    if stems & _AT_WORK and not stems & _AT_SCHOOL:
        hints -= _SCHOOLING  # where someone teaches is not where they studied
    if form == "date":
        hints |= {"date", "year", "found", "birth"} & (hints | {"date", "year"})
    return Asked(
        text=text,
        form=form,
        many=many,
        persons=many
        and noun not in _ANYTHING | (KINDS_OF_THING - _PEOPLE)
        and (text[:4].lower() == "who " or noun in _PEOPLE),
        noun=noun,
        subjects=tuple(dict.fromkeys(title for _, title in subjects)),
        stems=stems,
        hints=frozenset(hints),
        names=tuple(said for said, _ in subjects),
        about=about_it(text, [said for said, _ in subjects]),
        kind=words.singular(_head_after(text))
        if _WHICH.match(text)
        else _kind_of(text, noun, form),
    )


_OF_A_PLACE = re.compile(
    rf"\bthe (?P<end>[a-z]+est|most [a-z]+) (?P<of>(?i:{PLACE_ADJECTIVE.pattern})) (?P<noun>[a-z]+)(?=\?|$)"
)


def _of_the_place(match: re.Match[str]) -> str:
    """What articles call the longest Asian river: "the longest river of Asia"."""
    places = other_names(match["of"])
    if len(places) != 1:
        return match[0]
    return f"the {match['end']} {match['noun']} of {places[0]}"


_THAT_WHICH = re.compile(
    r"(?:what|which) (?:is|was) the (?P<kind>[a-z]+) "
    r"(?:into|from|on|in|at|through|by|of|to|over|under|near) which\b",
    re.IGNORECASE,
)
"""What is told by a clause: "the lake into which Erie flows" is a lake."""


def _kind_of(text: str, noun: str, form: Form) -> str:
    """The noun that says what kind of thing the value must be, "" where none does."""
    told = _THAT_WHICH.match(text)
    if told is not None:
        return told["kind"].lower()
    if noun in PLACE_NOUNS:
        return noun
    return ANYWHERE if form == "place" else ""


def hints_of(word: str) -> set[str]:
    """Return the stems that a label or a head may have instead of a word: "birth" for "born"."""
    degree = degree_of(word)
    base = SCALE_OF.get(degree[0], degree[0]) if degree else word.lower()
    keys = (word.lower(), stem(word), words.singular(word.lower()), base)
    return {stem(noun) for key in keys for noun in _NOUNS.get(key, "").split()}


def _form_of(text: str) -> tuple[Form, bool, str]:
    low = text.lower()
    if _POLAR.match(low):
        return "yes_no", False, ""
    if re.match(r"(?:in |during )?(?:which|what) years\b", low):
        return "list", True, "year"
    if _DATE.search(low.split(" that ")[0]):
        return "date", False, ""
    if re.match(r"^(?:(?:what|who|which) (?:are|were)|who (?:all )?shared?) ", low):
        return "list", True, _noun_after(text)
    if re.match(r"^how old\b", low):
        return "date", False, ""
    if _AT_MEASURE.match(low):
        return "number", False, ""
    if (
        "how many" in low
        or low.startswith("how")
        or (_NUMBER.search(low) and low.startswith("what"))
    ):
        if _NUMBER.search(low):
            return "number", False, ""
        return "text", False, ""
    if low.startswith("where") or re.match(
        r"^in (?:which|what) (?:place|city|town|country|village)", low
    ):
        return "place", False, ""
    if _PERSON.match(low):
        noun = _noun_after(text) if _WHO_IS.match(low) else ""
        return ("name", False, noun) if noun in KINDS_OF_THING - _PEOPLE else ("person", False, "")
    asked = re.match(
        rf"^(?:{_BEFORE_WH} )?(?:which|what) ((?:[\w\-']+ ){{0,3}}?)([\w\-]+)\b",
        low,
    )
    if asked and _OF_A_KIND.match(low):
        noun = _noun_after(text)
        many = words.is_plural(_head_after(text))
        return ("list" if many else "name"), many, noun
    return (
        ("name" if low.startswith(("what is", "what was", "what")) else "text"),
        False,
        _noun_after(text),
    )


_BEFORE_WH = r"(?:at|in|into|on|onto|by|for|from|to|through|of|under|over|across|near|along|with|after|against)"
_PERSON = re.compile(
    rf"(?:{_BEFORE_WH} )?(?:who|whom|whose|(?:which|what) (?:person|man|woman)(?! of\b))\b"
)
_WHO_IS = re.compile(r"who (?:is|was) the ")
"""How things are asked for as if they were persons: "Who was the first city to hire …?"."""
_OF_A_KIND = re.compile(rf"(?:{_BEFORE_WH} )?which\b|(?:at|in|into) what\b")
_AT_MEASURE = re.compile(
    rf"{_BEFORE_WH} (?:which|what) (?:[a-z]+ )?"
    r"(?:temperature|speed|height|depth|altitude|elevation|distance|price|rate|percentage|weight)\b"
)
_WHICH = re.compile(
    rf"(?:{_BEFORE_WH}\s+)?(?:which|what)\s+(?!(?:is|was|are|were)\b)", re.IGNORECASE
)
_DOING = re.compile(
    r"(?:what|who)\s+(?:do|does|did|has|have|had|can|could|will|would)\b", re.IGNORECASE
)
"""How a question begins that says of no kind what it asks for: "What do people eat in Oslo?"."""
_AFTER_WH = re.compile(
    rf"^(?:{_BEFORE_WH}\s+)?(?:which|what|who)\s+(?:(?:are|were|is|was)\s+)?(?:the\s+)?(.+)$",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"^(?:(?!(?:of|in|at|on|from|by|to|for|with)\b)[\w.-]+ ){0,3}?(?P<owner>[\w.-]+)(?:['’]s|(?<=s)['’]) (?=\w)"
)
"""Whose something is: "Neptune's largest moon" is a moon, and "which opera's heroine" asks for an opera."""
_NAME_OF = re.compile(r"^names? of (?:the )?(?=[a-z])", re.IGNORECASE)
"""What is asked for by its name: "the name of the ship" is a ship."""
_STOPS = words.PREPOSITION | words.RELATIVE | words.AUXILIARY | word_set("down up out away back")
"""Words that end a noun: "which river down in Italy" asks for a river."""


def _noun_after(text: str) -> str:
    """Return the head noun of what is asked for: "planet" of "What are the eight planets?"."""
    return words.singular(_head_after(text))


def _head_after(text: str) -> str:
    if _DOING.match(text):
        return ""
    tokens = tokenise(text.rstrip("?"))
    form = form_of(tokens)
    if form.kind == "subject" and form.start < form.end:
        # "Which river flows": the verb is no part of the noun.
        text = text[: tokens[form.end - 1].end]
    match = _AFTER_WH.match(text.rstrip("?"))
    if match is None:
        return ""
    rest = _NAME_OF.sub("", match[1])
    owner = _OWNER.match(rest)
    if owner is not None and _WHICH.match(text):
        return owner["owner"].lower()
    head = ""
    said = [word.lower() for word in words_of(rest[owner.end() if owner else 0 :])]
    for low, behind in zip(said, [*said[1:], "of"], strict=True):
        if low in _STOPS and head:
            break
        if head and is_participle(low) and behind in _STOPS:
            break  # "the language called after a tree"
        if low in words.DETERMINER:
            continue
        if words.is_plural(head) and not words.is_plural(low) and not classes_of(head):
            break  # but Wales is one, and no noun: "which Wales town"
        head = low
    return head
