"""Words of marks made into questions: a noun phrase, a clause, a predicate, a superlative."""

from __future__ import annotations

import re

from agent.extractive.language import verbs, words
from agent.extractive.language.degrees import SCALE_OF, degree_of
from agent.extractive.language.spelling import is_clause
from agent.extractive.language.verbs import INTRANSITIVE


def inverted(text: str, thing: str) -> str:
    """A clause told as part of a sentence, asked: "when {1} was built" becomes "when was {1} built".

    Args:
        text: from its question word.
        thing: the subject, as it stands in the text.
    """
    at = text.find(thing)
    before, after = text[:at].split(), text[at + len(thing) :].split()
    if at <= 0 or not after or before[-1].lower() == "by" or text[at + len(thing)] in "'’":
        return text
    if any(verbs.is_past(word) for word in before[1:]):
        return text  # "who drew {1} first": the thing is no subject
    verb = after[0].lower()
    ends = verb in words.BE and len(after) == 1  # "how many miles across {1} is"
    prepared = before[-1].lower() in _PREPARED and not ends
    if any(word.lower() in words.AUXILIARY for word in before) or prepared:
        return text
    if verb in words.AUXILIARY:
        return " ".join([*before, after[0], thing, *after[1:]])
    base = verbs.verb_base(verb)
    if base is None and before[-1].lower() not in words.WH and not verb.endswith("s"):
        return text
    if base is None:
        # Right after the subject of such a clause stands its verb, known or not.
        base = verb.removesuffix("s") if not verb.endswith("ss") else verb
    does = "did" if verbs.is_past(verb) and verb != base else "does"
    return " ".join([*before, does, thing, base, *after[1:]])


_HALF = re.compile(
    r"(?:(?:and|also)\s+)?(?:(?:(?:in|on|at|by|for|from|to|with)\s+)?(?:which|what|whom|whose)"
    r"(?:\s+[a-z]+)?|how\s+(?:many|much)\s+[a-z]+|when|where|why|how)\??",
    re.IGNORECASE,
)
_FULL = re.compile(
    r"(?:\w+\s+)?(?:who|what|which|when|where|why|how|whom|whose)\b[^{]*?\s*"
    r"\b(?P<verb>(?:did|does|do|was|were|is|are|has|have|had|can)\s+.+)$",
    re.IGNORECASE,
)
_DID = re.compile(r"who\s+(?P<verb>[a-z]+)\s+(?P<thing>.+)$", re.IGNORECASE)


def completed_half(half: str, clause: str) -> str:
    """The rest of a clause asked by another word: "in which city" after "when was {1} born".

    Args:
        half: a question word with its preposition and noun, and nothing else.
        clause: the question before it, with what stands for its things.

    Returns:
        "in which city was {1} born"; "" where half is a whole clause, or none stands before it.
    """
    if not clause or _HALF.fullmatch(half) is None:
        return ""
    clause = clause.rstrip(" ?")
    did = _DID.fullmatch(clause)
    if did is not None and verbs.is_past(did["verb"]):
        base = verbs.verb_base(did["verb"])
        return f"{half} was {did['thing']} {verbs.participle(base)}" if base else ""
    full = _FULL.fullmatch(clause)
    told = full["verb"].split() if full is not None else []
    done = any(word.islower() and verbs.is_participle(word) for word in told[2:])
    if not told or (told[0].lower() in words.BE and not done):
        return ""  # "who was the founder of it": nothing happened
    return f"{half} {' '.join(told)}"


def half_of_condition(half: str, condition: str) -> str:
    """The rest of a condition asked by another word: "in what year" after "did {1} die in Ulm?".

    Args:
        half: a question word with its preposition and noun, and what stands for each at most.
        condition: the question that the condition asks of a member.

    Returns:
        "in what year did {1} die in Ulm"; "" where half is a whole clause, or nothing happened.
    """
    bare = re.sub(r"\s*\{\w+\}$", "", half)
    told = re.match(r"(?:did|was|has)\b", condition, re.IGNORECASE)
    if told is None or _HALF.fullmatch(bare) is None:
        return ""
    return f"{bare} {condition[:1].lower()}{condition[1:].rstrip(' ?')}"


_PREPARED = words.PREPOSITION | words.DETERMINER
_SAME = re.compile(
    r"^(?P<verb>.*?)\s*\b(?:(?P<prep>from|in|of|at|by|on|to|for|with)\s+)?(?:the\s+|a\s+)?"
    r"(?:same|common)\s+(?P<noun>.+)$",
    re.IGNORECASE,
)
_HAVING = frozenset(["", "share", "shared", "have", "had", "has", "use", "used", "both have"])


def same_question(text: str, thing: str, *, past: bool, passive: bool = False) -> str:
    """Ask one of several for what they may share: "die in the same city" of Liszt.

    Args:
        text: "born in the same decade", "share the same flag", "the same maker".
        thing: a name or a placeholder.
        past: whether the question is about what was.
        passive: whether the question opens with "is" or "were": what is done to the thing.
    """
    match = _SAME.match(text)
    if match is None:
        return ""
    verb, noun = match["verb"].strip(), match["noun"].strip()
    first = verb.split()[0].lower() if verb else ""
    which = f"{match['prep']} which {noun}" if match["prep"] else f"which {noun}"
    be = "was" if past else "is"
    if first in _HAVING and not match["prep"]:
        return f"What is the {noun} of {thing}?"
    if verb and passive and first not in words.BE:
        return f"{which} {be} {thing} {verb}?"
    if (not verb and not _person_of(match)) or first in words.BE:
        return f"{which} {be} {thing} {' '.join(verb.split()[1:])}".strip() + "?"
    if not verb:
        return f"Who is the {noun} of {thing}?"
    base = "have" if first in words.HAVE else verbs.verb_base(first)
    active = base in INTRANSITIVE or not verbs.is_participle(first)
    if first in words.HAVE or (base is not None and active):
        does = "did" if past else "does"
        return f"{which} {does} {thing} {base} {' '.join(verb.split()[1:])}".strip() + "?"
    return f"{which} {be} {thing} {verb}?"


def _person_of(match: re.Match[str]) -> bool:
    """Whether something from, or by, the same person is meant: "from the same librettist"."""
    noun = words.singular(match["noun"].split()[-1])
    return match["prep"] in ("from", "by") and verbs.is_person_noun(noun)


def noun_question(attribute: str, thing: str, *, one: bool) -> str:
    """Ask for an attribute of a thing: "What is the capital of X?".

    Args:
        attribute: a noun phrase, with or without its article, or an adjective ("deeper").
        thing: a name or a placeholder; "" where the attribute stands alone.
        one: whether the attribute is asked of one of several, so that it is put in the singular.
    """
    said = re.sub(r"^(?:the|an?|its|their|his|her)\s+", "", attribute.strip(), flags=re.I)
    parts = said.split()
    if not parts:
        return f"What is {thing}?"
    degree = degree_of(parts[0])
    if degree and len(parts) == 1:
        scale = SCALE_OF.get(degree[0], degree[0])
        return f"How {scale} is {thing}?"
    if parts[0].lower() in ("more", "fewer", "less") and len(parts) > 1:
        return f"How many {' '.join(parts[1:])} does {thing} have?"
    if parts[0].lower() in ("how",):
        return f"{said[:1].upper()}{said[1:]} {thing}?"
    if verbs.is_participle(parts[0]) and len(parts) > 1 and degree is None:
        where = re.search(r"\b(?:in|at|on|by)\s+the\s+same\s+(\w+)", said)
        if where:
            kind = where[1]
            return f"In which {kind} was {thing} {parts[0]}?"
    said = re.sub(r"\bsame\s+", "", said)
    head = _head(parts)
    many = words.is_plural(parts[head])
    if many and one:
        parts[head] = words.singular(parts[head])
        said, many = " ".join(parts), False
    noun = words.singular(parts[head].lower())
    who = verbs.is_person_noun(noun)
    be = "are" if many else "is"
    return f"{'Who' if who else 'What'} {be} the {said}{f' of {thing}' if thing else ''}?"


def _head(parts: list[str]) -> int:
    head = 0
    for i, part in enumerate(parts):
        if i and part.lower() in words.PREPOSITION | words.RELATIVE | {"ever", "yet", "alive"}:
            break
        head = i
    return head


def thing_question(description: str, *, many: bool) -> str:
    """Ask what a description names: "Who is the director of Jaws?", "What are the Great Lakes?"."""
    said = re.sub(r"^(?:which|what)\s+", "", description.strip(), flags=re.IGNORECASE)
    # What stood first in the question has a capital that names nothing.
    said = re.sub(r"^(?:The|These|Those)\b", lambda first: first[0].lower(), said)
    plain = re.sub(r"^(?:the|an?)\s+", "", said, flags=re.IGNORECASE)
    parts = plain.split() or [""]
    head = _head(parts)
    noun = words.singular(parts[head].lower())
    if not many and "{" in plain and words.is_plural(parts[head]):
        # Asked of one of several at a time.
        parts[head] = words.singular(parts[head])
        said = plain = " ".join(parts)
    article = (
        "" if re.match(r"(?:the|these|those|an?|top|\d+)\b|[^ ]+['’]s\b", said, re.I) else "the "
    )
    person = re.match(r"\S+(?: \S+)? who\b", plain) or verbs.is_person_noun(noun)
    who = "Who" if person else "What"
    if is_clause(said):
        return said[:1].upper() + said[1:] + "?"
    return f"{who} {'are' if many else 'is'} {article}{said}?"
