"""Questions in other frames: as a clause of a sentence, amid other talk, with other nouns.

The plan stays the same: what a frame says asks for nothing. Nouns and verbs that a question and its
steps share are exchanged in both, so that the writer learns to copy whatever stands there.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from writer_examples import Example, names_of

from agent.extractive.planner.writer.program import STEPLESS, Line

_ASKS = (
    "could you tell me", "could you please tell me", "can you find out", "please tell me",
    "I would like to know", "I'd love to know", "I was wondering", "I wonder",
    "I would be grateful if you could tell me", "I should be very glad to learn",
    "would you happen to know", "does anyone know", "do you know", "can someone tell me",
    "I am trying to find out", "we were asking ourselves", "would you be so kind as to say",
    "it would help me a great deal to hear", "I have been meaning to look up", "kindly let me know",
    "if it is no trouble, please find out", "my teacher wants to know", "I need to know",
    "what I want to find out is", "I was hoping you could tell me", "any idea",
)  # fmt: skip
"""What a clause may follow."""
_BEFORE = (
    "Hello.", "Hi there!", "Good evening.", "Quick question:", "Question:", "One thing:",
    "Sorry to bother you.", "ok so", "hey,", "so,", "Please help me with this:", "For a quiz:",
    "I need this for school.", "I have a small request.", "We had a discussion about this at home.",
    "My sister and I could not agree on this.", "I could not find it anywhere.", "just curious -",
    "This may be a strange question, but", "Here is what puzzles me:", "Thank you for the last answer.",
    "I am preparing a talk.", "Can you help?", "Let me ask you something.", "trivia night:",
)  # fmt: skip
_AFTER = (
    "please", "Thanks!", "thank you in advance.", "Thanks a lot.", "if you know", "Any idea?",
    "I really need to know.", "I am curious.", "That would help me.", "if that is known",
    "if you can find it out", "Please look it up.", "No hurry.", "I keep forgetting.", "thx",
    "Do you happen to know?", "I would be very grateful.", "Please answer briefly.",
)  # fmt: skip
_TO_BE = re.compile(
    r"(?P<asked>(?:[Ww]hat|[Ww]ho|[Ww]here|[Hh]ow \w+)) (?P<verb>is|are|was|were) (?P<rest>[^,;:?]+)\??"
)
_PASSIVE = re.compile(
    r"(?P<asked>(?:[Ww]hen|[Ww]here|[Ii]n (?:what|which) \w+)) (?P<verb>was|were|is|are) "
    r"(?P<rest>(?:(?!\b(?:and|or)\b)[^,;:?])+?) (?P<told>born|built|founded|written|held|made|\w+ed)\b(?P<end>[^,;:?]*)\??"
)
_SUBJECT = re.compile(r"[Ww]ho (?!is|are|was|were|did|does|do|had|has|have|else)\w+ [^;:?]+\??")
_NOUNS = (
    re.compile(r"What (?:is|was) the ([a-z][a-z ]+?) of (?=\{|[A-Z]|the )"),
    re.compile(r"Who (?:is|was) the ([a-z][a-z ]+?) of (?=\{|[A-Z]|the )"),
    re.compile(r"How many ([a-z]+) (?=does|do|did|has|have)"),
    re.compile(r"What are the ([a-z]+) (?=of|in|on|by|that|from)"),
    re.compile(r"Who ([a-z]+ed) (?=\{|[A-Z]|the )"),
    re.compile(r"When was (?:\{\d\}|[A-Z]\w+) ([a-z]+ed)(?=\?)"),
)
"""Where a step has a word that others of its kind may take the place of."""


def clause_of(question: str) -> str | None:
    """A question as a clause: "When was Petra built?" as "when Petra was built"; None of others."""
    if match := _PASSIVE.fullmatch(question):
        clause = f"{match['asked']} {match['rest']} {match['verb']} {match['told']}{match['end']}"
    elif match := _TO_BE.fullmatch(question):
        if re.search(r"\b(?:\w+ed|\w+ing|born|built|held|made|that|which|who)\b", match["rest"]):
            return None
        clause = f"{match['asked']} {match['rest'].strip()} {match['verb']}"
    elif _SUBJECT.fullmatch(question):
        clause = question.rstrip("?")
    else:
        return None
    return clause[:1].lower() + clause[1:]


def _going_on(text: str) -> str:
    """A question as the rest of a sentence: without its capital, where no name begins it."""
    return text[:1].lower() + text[1:] if re.match(r"[A-Z][a-z]+ [a-z]", text) else text


def framed(one: Example, rng: random.Random) -> Example:
    """The question as a clause of a sentence, or between courtesies."""
    if one.operator in STEPLESS:
        return one
    text = one.question
    clause = clause_of(text)
    if clause is not None and rng.random() < 0.7:
        ask = rng.choice(_ASKS)
        text = f"{ask[:1].upper()}{ask[1:]} {clause}{rng.choice('?..')}"
    else:
        before = rng.choice(_BEFORE)
        if before[-1] not in ".!?":
            text = _going_on(text)
        text = f"{before} {text}"
    if rng.random() < 0.3:
        after = rng.choice(_AFTER)
        text = text.rstrip("?. ") + (f", {after}?" if after[0].islower() else f"? {after}")
    return Example(text, one.operator, one.lines)


Asides = Mapping[str, Sequence[str]]
"""What people say before, after or inside a question and do not ask."""
_GAP = re.compile(
    r"(?<=[a-z]) (?=(?:of|in|on|at|by|for|from|with|to|was|were|is|are|did|does|do|has|have) )"
)
"""Where something can be dropped into a question."""


def read_asides(lines: Iterable[str]) -> Asides:
    """Asides by their place, of lines "before: …", "after: …" and "inside: …"."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for line in lines:
        place, _, said = line.strip().partition(": ")
        if said:
            found[place].append(said)
    return found


def amid(one: Example, asides: Asides, rng: random.Random) -> Example:
    """The question with talk around it that asks for nothing; `{x}` there is a name of the question."""
    if one.operator in STEPLESS:
        return one
    names = names_of(one)

    def drawn(place: str) -> str:
        said = rng.choice([s for s in asides[place] if names or "{x}" not in s])
        return said.replace("{x}", rng.choice(names)) if names else said

    text = one.question
    gaps = [m.start() for m in _GAP.finditer(text)]
    if gaps and rng.random() < 0.2:
        gap = rng.choice(gaps)
        text = f"{text[:gap]}, {drawn('inside')},{text[gap:]}"
    if (chance := rng.random()) < 0.65:
        before = drawn("before")
        if before[-1] not in ".!?" and rng.random() < 0.8:
            text = _going_on(text)
        text = f"{before} {text}"
    if chance > 0.5:
        text = f"{text}{'' if text[-1] in '?.!' else rng.choice('?.')} {drawn('after')}"
    return Example(text, one.operator, one.lines)


def exchangeable(examples: Sequence[Example]) -> Mapping[int, Sequence[str]]:
    """What stands in each of the places of a step, of all examples."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for one in examples:
        for kind, phrase in _phrases(one):
            found[kind].add(phrase)
    return {kind: sorted(phrases) for kind, phrases in found.items()}


def exchanged(one: Example, pool: Mapping[int, Sequence[str]], rng: random.Random) -> Example:
    """The question with one noun or verb exchanged for another, in its steps as well."""
    if not (phrases := _phrases(one)):
        return one
    kind, phrase = rng.choice(phrases)
    other = rng.choice(pool[kind])

    def put(text: str) -> str:
        return re.sub(rf"\b{re.escape(phrase)}\b", other, text)

    lines = tuple(Line(line.kind, line.bound, put(line.said)) for line in one.lines)
    return Example(put(one.question), one.operator, lines)


def _phrases(one: Example) -> list[tuple[int, str]]:
    """Phrases of the steps that the question has as they are, and none of their words elsewhere."""
    found = []
    for line in one.lines:
        for kind, pattern in enumerate(_NOUNS):
            match = pattern.match(line.said)
            if match and re.search(rf"\b{re.escape(match[1])}\b", one.question):
                words = [w for w in match[1].split() if len(w) > 3]
                plan = " ".join(li.said for li in one.lines)
                rest = re.sub(rf"\b{re.escape(match[1])}\b", "", f"{one.question} {plan}")
                if not any(word[:-1] in rest for word in words):
                    found.append((kind, match[1]))
    return found
