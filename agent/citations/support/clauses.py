"""Clauses of one sentence that speak of different things, as in "X is small; Y has rings"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations.content.names import find_names, spoken
from agent.citations.content.words import missing_words, stem, stems_of

_BOUNDARY = re.compile(r";\s+(?:and\s+|but\s+)?|,?\s+(?:whereas|while)\s+")
_POINTS_BACK = re.compile(
    r"(?:it|its|he|his|she|her|they|their|this|these|that|those|there|which|who|both|all|each|"
    r"here|then|thus|also|such|one)\b",
    re.IGNORECASE,
)
_OWN_SUBJECT = re.compile(r"(?:the|an?|another|others?|some|most|no)\s|[^\W\d_]*[A-ZÀ-Þ]")


def said_of_another(about: str, words: Sequence[str], sentence: str) -> list[str]:
    """Return the words that a sentence says only in a clause about something else.

    Args:
        about: the name of what a claim speaks of.
        words: words of content of the claim.
        sentence: what the claim is cited for.

    Returns:
        None of the words where the sentence has one clause, where no clause names `about`, or where
        a later clause points back ("it", "they") or has no subject of its own.
    """
    clauses = [clause for clause in _BOUNDARY.split(sentence) if clause.strip()]
    naming = [clause for clause in clauses if spoken(about, clause) in ("whole", "surname")]
    if not naming or len(naming) == len(clauses):
        return []
    near = [
        clause
        for clause in clauses
        if clause in naming
        or _POINTS_BACK.match(clause.lstrip())
        or not _OWN_SUBJECT.match(clause.lstrip())
    ]
    said = stems_of(" ".join(near))
    whole = stems_of(sentence)
    return [word for word in missing_words(words, said) if not missing_words([word], whole)]


_WHOSE = re.compile(
    r"\b(?P<noun>[a-z]+) of (?:the )?(?P<name>[A-ZÀ-Þ][\w'’.-]*(?: [A-ZÀ-Þ][\w'’.-]*)*)"
)


def whose_else(claim: str, sentence: str) -> str:
    """Return the noun that a sentence says only of something other than a claim, "" for none.

    "Brod is the capital of Lower Elm and the largest city of Elm" does not make it the capital of Elm.
    """
    theirs: dict[str, list[str]] = {}
    for found in _WHOSE.finditer(sentence):
        theirs.setdefault(stem(found["noun"]), []).append(found["name"])
    for found in _WHOSE.finditer(claim):
        owners = theirs.get(stem(found["noun"]), [])
        others = [_same([found["name"]], owner) for owner in owners]
        alone = len(re.findall(rf"\b{re.escape(found['noun'])}\b", sentence)) == len(owners)
        if owners and alone and not any(others):
            return found["noun"]
    return ""


_MOST = re.compile(r"\b(?:most \w+|[a-z]{2,}est)\b")
_BELOW = r"(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th)|next|one of the(?: \w+)?|among the(?: \w+)?)[ -]"


def lesser(claim: str, sentence: str) -> str:
    """Return the superlative of a claim that a sentence has only with a rank, "" for none.

    "Brod is the second largest town of Elm" does not make it the largest.
    """
    for found in _MOST.finditer(claim):
        most = re.escape(found[0])
        if re.search(rf"{_BELOW}{most}", claim):
            continue
        ranked = re.sub(rf"{_BELOW}(?:[a-z]+, )*{most}", " ", sentence)
        if ranked != sentence and not re.search(rf"\b{most}\b", ranked):
            return found[0]
    return ""


_ASIDES = (
    re.compile(r"(?P<before>[^()]*?)\s*\((?P<aside>[^()]*)\)"),
    re.compile(
        r"(?P<before>[^,;]*?),\s+(?:which|who)\s+(?P<aside>(?:is|was|were|had|has|\w+ed)\s[^,;]*)"
    ),
    re.compile(r"(?P<before>[^,;]*?)\s+who\s+(?P<aside>(?:is|was|were|had|has|\w+ed)\s[^,;]*)"),
)
_LOCATIVE = re.compile(r"\b(?:in|at|near|from|outside|around)\s+(?:the\s+)?$", re.IGNORECASE)


_ROLE = re.compile(
    r"\b(?:is|was|are|were)\s+(?:one\s+of\s+)?(?:the|an?)\s+(?P<role>[^,;.()]*?)\s+of\s+(?:the\s+)?$"
)
"""How a sentence defines its subject, up to whose it is."""


def aside_of_another(names: Sequence[str], value: str, sentence: str) -> str:
    """Return of what a sentence says a value in an aside, "" unless it is of something else.

    "Ada Lovelace (born 1815) wrote of the Engine" dates Lovelace, not the Engine, and "Ostby has a
    school, Kern College, which was founded in 1865" no town.

    Args:
        names: what a claim speaks of.
        value: words of the sentence.
        sentence: what the claim is cited for.
    """
    low = value.casefold()
    for pattern in _ASIDES if names else ():
        asides = list(pattern.finditer(sentence))
        if not asides or low in pattern.sub(r"\g<before>", sentence).casefold():
            continue
        for found in asides:
            owners = find_names(found["before"])
            if low not in found["aside"].casefold() or not owners:
                continue
            owner = owners[-1].text
            if found["before"].rstrip().endswith(owner) and not _same(names, owner):
                return owner
    return ""


def clause_opened_by(name: str, sentence: str) -> str:
    """Return the clause of its own that a name opens in a sentence, "" where it opens none.

    "Ann Lee graduated here, and Bo Orr took a degree" speaks of both.
    """
    opened = (
        r"(?:;\s+(?:and\s+|but\s+)?|,\s+(?:and|but|while|whereas)\s+)(?:the\s+(?:[a-z]+\s+)?)?"
        rf"{re.escape(name)}\s[^;]+"
    )
    found = re.search(opened, sentence)
    return found[0] if found is not None else ""


def only_a_place(name: str, question: str, sentence: str) -> bool:
    """Whether a sentence names something only as where another thing is, and a question does not.

    "The Kern Institute is a school in Ostby, founded in 1861" does not say when Ostby was founded.
    """

    def located(text: str) -> list[bool]:
        named = re.finditer(re.escape(name), text)
        return [_LOCATIVE.search(text[: found.start()]) is not None for found in named]

    here = located(sentence)
    return bool(here) and all(here) and not any(located(question))


def only_an_owner(name: str, question: str, sentence: str) -> bool:
    """Whether a sentence names something only as what its subject is the so-and-so of.

    "Budapest is the capital of Hungary, with 1.7 million inhabitants" does not say how many live in
    Hungary. A question that says the role as well ("the capital of Hungary") describes the subject.
    """
    asked = stems_of(question)
    roles = [
        _ROLE.search(sentence[: found.start()]) for found in re.finditer(re.escape(name), sentence)
    ]
    return bool(roles) and all(
        role is not None and not asked & stems_of(role["role"]) for role in roles
    )


_BY_WHOM = re.compile(r"by whom (?:is|was|are|were)\b.*?\b(?P<verb>[a-z]+)\W*$", re.IGNORECASE)
_WHO_DID = re.compile(
    r"who\s+(?!(?:is|was|are|were|do|does|did|has|have|had|can|will|would|\w+s)\b)(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_OF_IT = re.compile(
    r"\b(?:of|in|at|from|near|against|into|throughout)\s+(?:the\s+)?$"
    r"|\b(?:including|such as|according to|historians?|scholars?|as)\s+(?:the\s+)?$"
)
"""Words before a name that does nothing in its sentence: a place, an owner, an example, a source."""
_TOGETHER = frozenset(map(stem, ["shared", "married", "met", "divorced", "wedded"]))
"""Stems of deeds that whoever stands after the verb does as well."""
_AGENT = re.compile(r"\b(?:by|was|were|is|are)\b")
_BY_THE = re.compile(r"\bby (?:\w+ ){0,4}$")
"""What may stand before the noun for a doer: "by the English (composer Ann Lee)"."""


def not_the_doer(question: str, value: str, sentence: str) -> bool:
    """Whether a sentence names a value, and not as who did what a question asks about.

    Asked who founded Ham, "the President of Elm founded Ham" does not give Elm, nor "Ham has the Oak
    Stores, founded in 1861 as Kern" Kern.
    """
    asked = _BY_WHOM.match(question) or _WHO_DID.match(question)
    spots = list(re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", sentence))
    if asked is None or not spots:
        return False
    verb = stem(asked["verb"])
    if verb in _TOGETHER:
        return False
    done = [one for one in re.finditer(r"[^\W\d_]+", sentence) if stem(one[0]) == verb]
    for spot in spots:
        before = [one for one in done if one.end() <= spot.start()]
        if any(_AGENT.search(sentence, one.end(), spot.start()) for one in before):
            return False
        beside = [one for one in before if not sentence[one.end() : spot.start()].strip()]
        # A noun of the verb: "a poem by the composer Ann Lee" says who composed it.
        if any(_BY_THE.search(sentence[: one.start()]) for one in beside):
            return False
        after = [one for one in done if one.start() >= spot.end()]
        doing = not done or any(not _is_passive(one, sentence) for one in after)
        if doing and not _OF_IT.search(sentence[: spot.start()]):
            return False
    return True


def _is_passive(verb: re.Match[str], sentence: str) -> bool:
    """Whether a participle says what was done to the name before it: "a shop founded in 1861"."""
    was = re.search(r"\b(?:is|was|are|were|been|being)\s+(?:\w+ly\s+)?$", sentence[: verb.start()])
    shortened = verb[0].endswith(("ed", "built", "made", "written")) and re.match(
        r"\s+(?:in|on|as|by|at|during)\b", sentence[verb.end() :]
    )
    return bool(was or shortened)


def in_place_of(question: str, value: str, line: str) -> bool:
    """Whether a line says of a value what a question says of the one it names.

    Asked for films directed by Bo, "a film directed by Kern" does not give Kern.
    """
    said = re.findall(r"\b([a-z]+(?:ed|en|wn|lt|de)) by (?=[A-ZÀ-Þ])", question)
    return any(re.search(rf"\b{one} by {re.escape(value)}(?!\w)", line) for one in said)


def only_a_companion(question: str, value: str, sentence: str) -> bool:
    """Whether a sentence names a value beside its subject, of which alone it says the most.

    "She shared the prize with Bo Orr and became the oldest winner" does not make Bo Orr the oldest.
    """
    beside = re.search(
        rf"\bwith (?:(?:[^.;]|\b[A-Z]\.)*?\b)?{re.escape(value)},? and (?=[a-z])", sentence
    )
    extremes = {found[0] for found in _MOST.finditer(question)}
    return beside is not None and any(one in sentence[beside.end() :] for one in extremes)


_THE_THING = re.compile(
    r"(?:who\s+\w+\s+the\s+(?P<done>[a-z]+)|by whom was the\s+(?P<by>[a-z]+)\s+\w+)\W*$",
    re.IGNORECASE,
)


def narrower(question: str, sentence: str) -> str:
    """Return the narrower thing that a sentence speaks of, "" where that is what is asked about.

    "Bo invented a folding ladder" does not say who invented the ladder.
    """
    asked = _THE_THING.match(question)
    if asked is None:
        return ""
    noun = re.escape(asked["done"] or asked["by"])
    named = re.findall(rf"\b{noun}\b", sentence, re.IGNORECASE)
    narrow = re.findall(rf"\b(?:an?|another)\s+((?:[\w-]+\s+){{1,2}}?{noun})\b", sentence)
    return narrow[0] if narrow and len(narrow) == len(named) else ""


_OF_WHAT = re.compile(
    r"(?:what|who|which) (?:is|was|are|were) the (?:\w+ ){0,2}?(?P<noun>[a-z]+) of (?:the )?(?P<of>.+?)\W*$",
    re.IGNORECASE,
)
_APPOSED = frozenset(
    ["title", "name", "rank", "post", "office", "role", "position", "city", "town"]
)
"""Nouns before an "of" that tells what they are: "the title of Emperor"."""


def turned_round(question: str, value: str, sentence: str) -> bool:
    """Whether a sentence says that the thing asked about is to the value what the value should be to it.

    "Vienna is the capital and largest city of Austria" does not make Austria the capital of Vienna.
    """
    asked = _OF_WHAT.match(question)
    if asked is None or asked["noun"].lower() in _APPOSED:
        return False
    said = re.search(
        rf"(?:{re.escape(asked['of'])}|^(?:it|he|she))\b[^.;]*?(?:\b(?:is|was|became)|,)\s[^.;]*?"
        rf"\b{asked['noun']}(?: (?:and|or) (?:\w+ ){{1,3}}?)? ?of (?:the )?(?P<owner>[\w’'-]+)",
        sentence,
        re.IGNORECASE,
    )
    return said is not None and said["owner"] in value


def _same(names: Sequence[str], owner: str) -> bool:
    return any(spoken(one, owner) != "no" or spoken(owner, one) != "no" for one in names)


_MADE_BY = re.compile(
    r"(?i:who (?:made|created|wrote|composed|designed|invented|built|painted|developed|directed)) "
    r"(?:the )?(?:[a-z]+ )?[A-ZÀ-Þ][^?]* by (?P<who>[A-ZÀ-Þ][^?]*)\?"
)


def by_another(question: str, value: str) -> bool:
    """Whether a question who made something says itself who did, and the value is somebody else.

    Asked who made Ham by Bo Lee, Ann Kern is not to be believed.
    """
    said = _MADE_BY.fullmatch(question)
    return said is not None and spoken(value, said["who"]) == "no" == spoken(said["who"], value)
