"""A question in plainer words that ask the same: haste, small talk and titles of courtesy undone.

What is typed in haste is spelled out ("yr", "thru"), a sentence that only introduces the question
leaves what it names, or goes, what stands beside a name to say what it is goes as well.
"""

from __future__ import annotations

import re

from agent.citations.content.words import KINDS_OF_THING
from agent.extractive.language import words
from agent.extractive.language.degrees import ADJECTIVES
from agent.extractive.language.verbs import is_person_noun
from agent.extractive.planner.inversions import in_order
from agent.extractive.planner.sentences.rivals import set_apart

_SHORT = {
    "yr": "year", "yrs": "years", "hrs": "hours", "mins": "minutes", "uni": "university",
    "unis": "universities", "mtn": "mountain", "mtns": "mountains", "ppl": "people",
    "thru": "through", "w/": "with", "w/o": "without", "btwn": "between", "b4": "before",
    "govt": "government", "dept": "department", "hq": "headquarters", "prez": "president",
    "bday": "birthday", "dob": "date of birth", "temp": "temperature", "avg": "average",
    "approx": "approximately", "diff": "difference", "chem": "chemistry", "phys": "physics",
    "champ": "champion", "champs": "champions", "langs": "languages", "1st": "first", "2nd": "second", "3rd": "third", "cuz": "because",
}  # fmt: skip
"""What is written short in haste, and what it stands for."""
_SHORTENED = re.compile(
    rf"(?<![\w.'’/-])(?:{'|'.join(map(re.escape, sorted(_SHORT, key=len, reverse=True)))})(?![\w'’/-])"
)
_NOT = re.compile(r"\b(is|are|was|were|do|does|did|has|have|had|could|would|should)nt\b")
_AND = re.compile(r"(?<=[a-z]) (?:n|'n'|&) (?=[a-z])")
_YEARS = re.compile(r"\b(?:1\d|20)\d\d(?: (?:1\d|20)\d\d\b)+")
"""Years typed side by side."""

_TOGETHER = re.compile(
    r"(?<!\bare)(?<!\bis)(?<!\bbe)(?<!\ball)(?<!\bboth),?\s+(?:(?:both|all|when|if)\s+)*(?:put|counted|summed|totted)\s+(?:together|up)\b",
    re.IGNORECASE,
)
_PERCENTS = re.compile(r"\bhow (?:many|much) percents?(?: of)?\b", re.IGNORECASE)
_WATERS = "lake|sea|ocean|river|gulf|bay"
_FLOWS = r"(?= [^,?]*\b(?:flow|empt|drain|discharg|run|runn|end)(?:s|ies|ing|y|e|es)?\b)"
_INTO = re.compile(
    rf"(?P<before>\b(?:{_WATERS}),? )in which{_FLOWS}|\bin (?P<which>(?:which|what) (?:{_WATERS})){_FLOWS}",
    re.IGNORECASE,
)
_DIED = re.compile(r"\b(?:is|are|was|were) died\b")
_LONG = frozenset(["populous", "expensive", "massive"])
"""Adjectives that take "more"."""
_MORE = re.compile(
    rf"\b(?P<the>the )?(?P<more>more|most) (?P<word>{'|'.join(sorted(ADJECTIVES.keys() - _LONG))})\b"
    r"(?P<than>(?= than\b|[,.?]|$))?(?! [a-z]+s\b)",
    re.IGNORECASE,
)
_WORLD = re.compile(
    r"\bdid (?P<who>[^?,]{1,60}?) come (?:in)?to the world\b|\bcame (?:in)?to the world\b"
)
_ONE_BY_ONE = re.compile(r",?\s+(?:\b([a-z]+) by \1|in turn|one after the other)\b(?=[?.,;]|$)")
_NOT_THAT = re.compile(
    r",\s+(?:and )?not (?:the|its|their) (?:\w+est|most \w+|least \w+)(?: one)?(?=[?.]|$)"
)
_PLUS = re.compile(r"(?<=[a-z]) \+ (?=[a-z])")
_AT_YEAR = re.compile(
    r"\b(at|in|of|during|by) (?=(?:1[5-9]|20)\d\d (?:(?:summer|winter|world|european) )?(?:olympic )?"
    r"(?:olympics|games|finals?|elections?|championships?|cup|census|edition|season|tournament|summit|fair|expo)\b)",
    re.IGNORECASE,
)
_MUCH_IS = re.compile(
    r"^how (?:much|big|large|high|great) (?P<be>is|was) (?=the (?:(?:[a-z]+est|maximum|minimum|average|mean|total|greatest) )?"
    r"(?:depth|length|height|width|area|surface|diameter|population|distance|elevation|weight|mass|volume|age)\b)",
    re.IGNORECASE,
)
_NOUN_WHERE = re.compile(
    rf"^(?:the )?(?P<noun>{'|'.join(sorted(KINDS_OF_THING | {'year', 'day', 'date', 'month', 'capital', 'port', 'theatre'}))}) "
    r"(?:(?P<prep>in|at|on|after|from|to|by|for|under|with|near) (?:which|whom)|where) (?P<rest>[^,:;?]+\?)$",
    re.IGNORECASE,
)
_EACH_WITH = re.compile(
    r"(?P<thing>\b(?:the )?[a-z]+est [a-z]+ (?:of|in) each(?: [a-z]+)?),? with (?:its )?(?P<one>[a-z ]+?)"
    r"(?P<and> and | plus )?(?:its )?(?P<other>(?<= and )[a-z ]+|(?<= plus )[a-z ]+)?(?=\?|$)",
    re.IGNORECASE,
)
_AT_ITS = re.compile(
    r",? at (?:its|their|the) (?:deepest|highest|widest|longest|largest|tallest)(?: point| place)?(?=[?.,]|$)"
)
"""What a measure is told by anyway: "more than 90 m deep at their deepest"."""
_ACROSS = re.compile(
    r"\bhow (?:big|large|wide|broad)\b(?P<what>[^?,.]*?) across\b(?=(?: is| was| and\b[^?]*)?[?.,]|$)",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(r",? respectively\b")
_EACH_OF_LISTED = re.compile(
    r"\beach of (?=the (?:[\w-]+ ){1,3}(?:of|in|at) (?:the )?[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ][\w-]*)*(?:, [A-ZÀ-Þ]| and [A-ZÀ-Þ]))"
)
_ASIDE = re.compile(r"\s*\((?=[^()]*\b(?:has|have|had|is|are|was|were|mean)\b)[^()]*\)")

_IN_YEARS = re.compile(
    r"(?:(?:in|during) )?(?:which|what) (?P<years>years|seasons|editions)"
    r"(?: of (?P<of>the [^?,]+?))? (?:(?:were|was) there|saw|had|did (?P<whose>the [^?,]+?) have) "
    r"(?P<bound>(?:more|fewer|less) than|at least|at most|over|under) (?P<told>[\w,.]+ [a-z]+)"
    r"(?: (?:at|in|of|during) (?P<at>the [^?,]+?))?\s*\?*",
    re.IGNORECASE,
)
"""Years asked for by how many there were of something: "in which years were there more than ten"."""

_NAME = r"[A-ZÀ-Þ](?:[\w-]|\.(?=\w))*(?: [A-ZÀ-Þ](?:[\w-]|\.(?=\w))*)*"
_OPENING = "|".join(word.capitalize() for word in sorted(words.FUNCTION_WORDS))
_OWNED = re.compile(
    rf"\b(?:the )?(?!(?:{_OPENING})\b){_NAME}['’]s (?P<noun>[a-z]+)(?P<comma>,?) (?P<name>{_NAME})"
    rf"(?:(?=(?P<after>,? (?:and|or) |, [A-ZÀ-Þ]))|,(?= [a-z]))?"
)
_BESIDE = re.compile(
    rf"(?P<name>\b{_NAME}), (?:the|a|an|{_NAME}['’]s) (?:[a-z-]+ )*?(?P<noun>[a-z]+)"
    rf"(?:(?: (?:of|in|from) (?:the )?{_NAME})+)?(?P<end>,(?! (?:and|or)\b)|(?=\s*[?.]?$))"
)
_BE = re.compile(r"(?:is|are|was|were)\s+$", re.IGNORECASE)

_BELIEVED = re.compile(
    r"(?:[^.?!]*?\b(?:says?|said|claims?|claimed|thinks?|thought|believes?|insists?|told me|is sure|"
    r"heard|read)\b,?(?: that)? )?(?P<told>[^.?!]+?)(?:[.,;!–—-]+)\s+"
    r"(?:is|was|are) (?:that|this|it|he|she|they) (?:right|true|correct|so|the case)\s*\??",
    re.IGNORECASE,
)

_POLITE = re.compile(
    r"^(?:(?:please|hi|hello|hey|so|well|ok|okay),? )*"
    r"(?:(?:if (?:it|that|this) (?:is|would) not (?:be )?(?:asking )?too much(?: trouble| to ask)?|if (?:I|one) may(?: ask)?|"
    r"if you (?:do not|don['’]t|would not|wouldn['’]t) mind(?: my asking)?|"
    r"(?:please )?(?:forgive|pardon|excuse) (?:me|my ignorance|a simple question|the question|my asking|me for asking)|"
    r"(?:kindly )?allow me (?:one|another|a)(?: more| further)? question)(?:, (?:but|namely)|[,:])\s+)?(?:"
    r"(?:may|might|can|could) I (?:please )?(?:ask|know|inquire|enquire)(?: of)?(?: you)?(?:, please)?,?|"
    r"(?:I['’]d|I would|I should) (?:be (?:very |most |truly |extremely )?(?:grateful|glad|happy|curious|interested|thankful|"
    r"delighted|obliged|much obliged)|(?:very much )?(?:like|love|appreciate it)|be thankful) "
    r"(?:if you (?:could|would|can) (?:please |kindly |possibly )?(?:tell me|let me know|find out|say)|"
    r"to (?:know|learn|hear|find out)),?|"
    r"(?:could|can|would|will) (?:you|it be possible (?:for you )?to) (?:please |kindly |possibly |perhaps )*"
    r"(?:be (?:so )?(?:very )?(?:kind|good)(?: enough)?(?: as)? to |have the kindness to |mind )?"
    r"(?:tell(?:ing)? me|let(?:ting)? me know|find(?:ing)? out|say|work out)(?: for me)?,?(?: please,)?|"
    r"(?:I wonder|I am wondering|I['’]m wondering|I was wondering|I want to know|I need to know|"
    r"do you (?:happen to )?know|(?:please )?tell me),?) "
    r"(?=(?:\w+ )?(?:what|which|who|whom|whose|how|when|where|why|in|on|at|by|after|into|from|since)\b)",
    re.IGNORECASE,
)
_OBLIGING = re.compile(
    r",? if (?:you (?:would|could) be so (?:kind|good|obliging)|(?:it|that) is not (?:too much trouble|asking too much)|"
    r"you (?:do not|don['’]t) mind|I may ask)(?=,|[?.])"
)
"""Courtesies inside."""
_KINDLY = re.compile(
    r"^(?:(?:if (?:it|that|this) (?:is|would) not (?:be )?(?:asking )?too much(?: trouble| to ask)?|"
    r"(?:please )?(?:forgive|pardon|excuse) (?:me|my ignorance|a simple question|the question|my asking|me for asking)|"
    r"(?:kindly )?allow me (?:one|another|a)(?: more| further)? question)(?:, (?:but|namely)|[,:])\s+)",
    re.IGNORECASE,
)
"""Courtesies that stand before others."""
"""Courtesies before what is asked."""


def without_courtesy(text: str) -> str:
    """Return a question without the courtesies before it: "May I ask how many"."""
    return _POLITE.sub("", text)


def plainly(text: str) -> str:
    """Return a question in plainer words; a text that has none of these forms stays as it is."""
    text = _OBLIGING.sub("", _KINDLY.sub("", text))
    text = _PLUS.sub(" and ", _AT_YEAR.sub(r"\1 the ", _ACROSS.sub(_wide, text)))
    text = _RESPECTIVELY.sub("", _MUCH_IS.sub(r"What \g<be> ", text))
    text = _NOUN_WHERE.sub(_in_which, _EACH_WITH.sub(_each_with, text))
    text = _EACH_OF_LISTED.sub("", set_apart(text))
    text = in_order(_AT_ITS.sub("", _ONE_BY_ONE.sub("", _hurried(text))))
    text = _TOGETHER.sub(" in total", _PERCENTS.sub(_share, text))
    text = _INTO.sub(_into, _DIED.sub("died", _ASIDE.sub("", _NOT_THAT.sub("", text))))
    text = _WORLD.sub(_born, _MORE.sub(_degree, text))
    yearly = _IN_YEARS.fullmatch(text)
    if yearly is not None and (whose := yearly["of"] or yearly["whose"] or yearly["at"]):
        return f"What are the {yearly['years']} of {whose} with {yearly['bound']} {yearly['told']}?"
    told = _BELIEVED.fullmatch(text)
    if told is not None:
        return f"Is it true that {told['told']}?"
    return _BESIDE.sub(_without_beside, _OWNED.sub(_unowned, text))


def _in_which(match: re.Match[str]) -> str:
    """A noun and its clause as a question: "city where Ann died" is in which city Ann died."""
    prep = match["prep"] or ("on" if match["noun"].lower() in ("day", "date") else "in")
    return f"{prep.capitalize()} which {match['noun'].lower()} {match['rest']}"


def _each_with(match: re.Match[str]) -> str:
    """What is asked of the extreme thing of each: "the longest river of each, with its source"."""
    other = f" and its {match['other']}" if match["other"] else ""
    return f"{match['thing']}, its {match['one']}{other}"


def _wide(match: re.Match[str]) -> str:
    return f"{match[0][:3]} wide{match['what']}"


def _share(match: re.Match[str]) -> str:
    return f"{'W' if match[0][0] == 'H' else 'w'}hat percentage of"


def _into(match: re.Match[str]) -> str:
    """What water flows in, as learners say it, is what it flows into."""
    return f"into {match['which']}" if match["which"] else f"{match['before']}into which"


def _born(match: re.Match[str]) -> str:
    return f"was {match['who']} born" if match["who"] else "was born"


def _degree(match: re.Match[str]) -> str:
    """An adjective's own degree where a learner says "more" or "most": "the most high"."""
    most = match["more"].lower() == "most"
    if (most and not match["the"]) or (not most and match["than"] is None):
        return match[0]
    word = match["word"]
    stem = word.removesuffix("e")
    if re.search(r"[^aeiou]y$", word):
        stem = f"{word[:-1]}i"
    elif re.search(r"[^aeiou][aeiou][bdgnt]$", word):
        stem = f"{word}{word[-1]}"
    return f"{match['the'] or ''}{stem}{'est' if most else 'er'}"


def _hurried(text: str) -> str:
    """A text with what is written short in haste spelled out."""
    text = _NOT.sub(r"\1n't", _SHORTENED.sub(lambda match: _SHORT[match[0]], text))
    text = _YEARS.sub(lambda years: " and ".join(years[0].replace(" ", ", ").rsplit(", ", 1)), text)
    return text if any(letter.isupper() for letter in text) else _AND.sub(" and ", text)


def _unowned(match: re.Match[str]) -> str:
    """A name without whose it is: "Jupiter's moon Callisto" is the moon Callisto.

    "Is Serbia's capital Belgrade?" says so of the capital, and "Serbia's capital, Belgrade and
    Rome" may be a list.
    """
    kind = match["noun"] in KINDS_OF_THING or is_person_noun(match["noun"])
    if not kind and match["noun"] != "capital":
        return match[0]
    if _BE.fullmatch(match.string[: match.start()]) or (match["comma"] and match["after"]):
        return match[0]
    place = match["comma"] or match["noun"] == "capital"
    return match["name"] if place else f"the {match['noun']} {match['name']}"


def _without_beside(match: re.Match[str]) -> str:
    """A name without what says what it is: "Belgrade, the capital of Serbia,"."""
    kind = match["noun"] in KINDS_OF_THING or is_person_noun(match["noun"])
    before = match.string[: match.start()]
    listed = re.search(rf"{_NAME},? (?:and|or) $|, $|\b{match['noun']}s? ", before)
    if listed or not (kind or match["noun"] in ("capital", "predecessor", "successor")):
        return match[0]
    return match["name"]
