"""Whether words are of another thing, or of another kind of thing, than a question asks for."""

from __future__ import annotations

import re

from agent.citations.content.names import find_names
from agent.citations.content.words import stems_of
from agent.citations.quotes import cells_of
from agent.citations.support.grounds import Evidence

_OPPOSITES = tuple(
    (stems_of(one), stems_of(other))
    for one, other in (
        ("spring springs source rise rises originate", "mouth"),
        ("born birth", "died death burial"),
        ("land landed landing touch touchdown", "launch launched takeoff discovered discovery"),
        ("born birth", "launch launched landing land landed founded release released"),
        ("founded established formed opened", "dissolved defunct closed abolished"),
        ("teach teaches taught teaching", "mater studied education educated"),
        ("mean average", "max maximum greatest highest deepest min minimum least lowest"),
    )
)
_SIZE = re.compile(r"\b(?:weigh|heavy|mass|weight|long|tall|wide|large|big)\b", re.IGNORECASE)
_PARTS = stems_of("sample samples payload cargo rover lander engine mouth")
"""What a thing has or carries: its measure is not the thing's."""
_OTHER_MEASURES = tuple(
    (re.compile(rf"\bhow (?:{degrees})\b", re.IGNORECASE), stems_of(labels))
    for degrees, labels in (
        ("long", "diameter radius height elevation depth width breadth area mass population"),
        ("high|tall", "diameter radius length depth width breadth area mass population"),
        ("deep", "diameter radius length height elevation width breadth area mass population"),
        ("wide|broad", "length height elevation depth mass population"),
        ("heavy", "diameter radius length height elevation depth width area population"),
    )
)
"""What is asked by a word of degree, and the labels of other measures."""
_ROLES = stems_of(
    """pilot pilots commander commanders captain director designer architect author composer librettist
    writer founder inventor discoverer owner builder engineer conductor president chancellor mayor
    coach manager"""
)
_WHAT_THING = re.compile(
    r"what (?:is|was|are|were|did|do|does) (?!.*\b(?:who|man|woman|person|people)\b)", re.I
)
_BORN = stems_of("born birth birthplace birthday birthdate")
_OF_LIFE = _BORN | stems_of("life lived lifespan native origin hometown dates years")
"""Words of the labels that may tell when or where someone was born."""
_KINDS = tuple(
    stems_of(line)
    for line in (
        "country countries nation nations state states land lands", "language languages",
        "river rivers tributary tributaries", "lake lakes", "mountain mountains peak peaks",
        "planet planets", "moon moons satellite satellites",
        "city cities town towns village villages capital",
        "canton cantons province provinces county counties district districts",
        "university universities college colleges school schools",
    )
)  # fmt: skip
"""Kinds of things that are no things of another kind."""
_KIND_ASKED = re.compile(
    r"(?:(?:in|into|on|onto|at|to|from|through|by)\s+)?(?:which|what)\s+(?:are\s+the\s+|were\s+the\s+)?(?P<words>[a-z]+(?:\s+(?!(?:is|are|was|were)\b)[a-z]+){0,2})",
    re.IGNORECASE,
)

_CAUSE_ASKED = re.compile(
    r"\b(?:die|died|dying|death) (?:of|from)\W*$|\b(?:illness|disease|sickness|ailment)\b",
    re.IGNORECASE,
)
_WHERE_OR_WHEN = stems_of("place date location")


def opposes(question: str, label: str) -> bool:
    """Whether a label says the opposite of what is asked: "Mouth" where the source is, or birth and death.

    Nor does "Death place" tell what somebody died of.
    """
    asked, named = stems_of(question), stems_of(label)
    if _CAUSE_ASKED.search(question) and named & _WHERE_OR_WHEN:
        return True
    return any(
        asked & mine and named & theirs and not asked & theirs and not named & mine
        for one, other in _OPPOSITES
        for mine, theirs in ((one, other), (other, one))
    )


def label_of_another(question: str, value: str, evidence: Evidence) -> str:
    """Return the label of a value that is of another thing than is asked, "" where it is not.

    Where a river springs is not its "Mouth location", what a craft weighs not its "Samples", the
    "National languages" of a country are no countries, the "Location" of a thing no birthplace, its
    "Diameter" not how long it is, and a "Module pilot" no module. Where the value is what the article is
    about, the label is that of what the question names: nobody was born where "Death place" says.
    """
    cells = cells_of(" ".join(evidence.place.line.split()))
    asked = stems_of(question)
    wanted = _kind_asked(question)
    names = [name.text for name in find_names(question)] if evidence.is_title(value) else []
    for label, said in cells:
        named = stems_of(label)
        unborn = bool(evidence.place.label) and asked & _BORN and not named & _OF_LIFE
        untold = unborn or opposes(question, label)
        if value not in said:
            if untold and any(name in said for name in names):
                return label
            continue
        part = _SIZE.search(question) and named & _PARTS - asked
        kinds = [kind for kind in _KINDS if kind & wanted]
        # "National languages" are languages; "national" has the stem of "nation".
        head = stems_of(label.split()[-1]) if label.split() else named
        other_kind = kinds and not head & (wanted | kinds[0])
        another = other_kind and any(head & kind for kind in _KINDS)
        person = head & _ROLES - asked and _WHAT_THING.match(question)
        measure = any(of.search(question) and named & no - asked for of, no in _OTHER_MEASURES)
        if untold or part or another or person or measure:
            return label
    return ""


_APART = tuple(
    (stems_of(one), stems_of(other))
    for one, other in (
        ("summer", "winter"), ("women women's female girls", "men men's male boys"),
        ("upper", "lower"), ("inner", "outer"), ("major", "minor"), ("greater", "lesser"),
        ("northern north", "southern south"), ("eastern east", "western west"),
    )
)  # fmt: skip
"""Words that tell things of one kind apart."""
_WHICH_THINGS = re.compile(
    r"(?:which|what|who) (?:(?:is|are|was|were) the )?(?P<kind>[\w'’-]+(?: [\w'’-]+)?)",
    re.IGNORECASE,
)


def is_the_other(question: str, value: str) -> bool:
    """Whether a value is told apart from what is asked for by its name: a winter game, of summer games."""
    asked = _WHICH_THINGS.match(question)
    if asked is None:
        return False
    kind, named, said = stems_of(asked["kind"]), stems_of(value), stems_of(question)
    return any(
        mine & kind and theirs & named and not mine & named and not theirs & said
        for one, other in _APART
        for mine, theirs in ((one, other), (other, one))
    )


def _kind_asked(question: str) -> frozenset[str]:
    """The stem of the kind of thing a question asks for: "national capitals" are capitals."""
    found = _KIND_ASKED.match(question)
    stems = [stems_of(word) for word in found["words"].split()] if found else []
    of_kinds = [stem for stem in stems if any(kind & stem for kind in _KINDS)]
    return of_kinds[-1] if of_kinds else frozenset()


_FIRST_OF = re.compile(r"\b(?:first|only|last|[a-z]{2,}est) (women|woman|men|man)\b", re.IGNORECASE)
_OF_OFFICE = re.compile(
    r"\b(first|second|third|last) (?:ever )?(?:president|king|queen|emperor|pope|bishop|mayor|governor|"
    r"minister|prime minister|chancellor|rector|provost|director|chairman|editor|secretary|dean)\b",
    re.IGNORECASE,
)
"""Offices that one holds after the other."""
_OF_ALL = re.compile(r"\b(?:first|only|last) (?:person|people|human|human being)\b")
_HE = re.compile(r"\b(?:[Hh]e|[Hh]is)\b")


def narrowed_to(question: str, evidence: Evidence) -> frozenset[str]:
    """Return the words by which a question asks for the first woman, or man, and not for the first of all.

    So does "first" of those who hold an office. The first of all is no first woman; the first person
    of all is the first man, where it is a he.
    """
    narrowed = frozenset(found[1].lower() for found in _FIRST_OF.finditer(question))
    of_all = _OF_ALL.search(evidence.quote) and _HE.search(evidence.chunk.text)
    holders = frozenset(found[1].lower() for found in _OF_OFFICE.finditer(question))
    return holders | (narrowed - {"man", "men"} if of_all else narrowed)


_WHOLE = re.compile(
    r"\bof (?:the|its|their|this|that|an?)\s+(?:[a-z]+ )?"
    r"(?P<kind>country|nation|state|province|region|county|canton|district|department|continent|"
    r"republic|kingdom|island|empire|world)\b",
    re.IGNORECASE,
)
_COUNTRIES = frozenset(["country", "nation", "republic", "kingdom"])


def of_another_whole(claim: str, sentence: str) -> str:
    """Return the whole that a sentence tells of in place of a claim's, "" where it may be the same.

    The capital "of the state of Georgia" is not shown to be that "of the country".
    """
    told = {found["kind"].lower() for found in _WHOLE.finditer(sentence)}
    for found in _WHOLE.finditer(claim):
        kind = found["kind"].lower()
        alike = _COUNTRIES if kind in _COUNTRIES else {kind}
        if told and told.isdisjoint(alike):
            return min(told)
    return ""
