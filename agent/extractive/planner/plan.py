"""A question's plan: its marks by the tagger, its steps by the marks, or the question whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from agent.extractive.language import words
from agent.extractive.language.names import protect_titles
from agent.extractive.language.spelling import with_apostrophes
from agent.extractive.language.words import is_cjk
from agent.extractive.planner.chinese import chinese_steps
from agent.extractive.planner.decomposition import Decomposition, Draft, Step
from agent.extractive.planner.ellipses import asks_alone, with_ones_named, written_out
from agent.extractive.planner.fragments import as_question
from agent.extractive.planner.gaps import outside, unasked, unsaid
from agent.extractive.planner.marks.casing import with_capitals, with_compounds
from agent.extractive.planner.marks.certainty import doubtful, without_doubtful
from agent.extractive.planner.marks.descriptions import described
from agent.extractive.planner.marks.extents import completed
from agent.extractive.planner.marks.pointers import agrees
from agent.extractive.planner.marks.seams import joined
from agent.extractive.planner.marks.singles import of_single_things
from agent.extractive.planner.marks.tagger import Planner, Tagged
from agent.extractive.planner.marks.types import Mark, Operator
from agent.extractive.planner.sentences.references import pointed_out
from agent.extractive.planner.statements import (
    asks_whether,
    is_one_statement,
    plain_statement,
)
from agent.extractive.planner.steps.derivation import steps_of
from agent.extractive.planner.steps.members import for_every_member
from agent.extractive.planner.steps.order import awaiting_conditions
from agent.extractive.planner.wording import plainly, without_courtesy

LONGEST = 1500
"""Characters of a question that is planned; a longer text is one step: itself."""
NOTHING_FROM = 0.8
"""Probability from which a text is taken to ask nothing."""
READ_FROM = 0.4
"""Probability of the operator below which a question was not understood."""
OPERATOR_FROM = 0.7
"""Probability from which an operator other than "give" is believed."""
_HALF = re.compile(
    r"^(?i:(?:in|on|at|from|by|for|to|with) )?(?i:which|what|whom)(?: \w+)? of "
    r"(?:\{\w+\}|[A-Z][^?{]*)\?$|"
    r"^(?i:where|when|why|how) (?:(?:is|was) \{\w+\}\W*$|of \{)|"
    r"\b(?:there|here|he|she|it|they|him|them) of [{A-Z]|"
    r"^(?:\w+ ){0,2}(?:who|what|which|when|where|how)\b[^{]*\b(?:it|they|he|she)\b[^{]* of (?:\{\w+\}|[\w ]+)\?$|"
    r"^What (?:is|was|are|were) the (?:from|in|at|to|by|on|with|for|that|who|which|when|how|he|she|it|they|such)\b|"
    r"\b(?:of of|the the|in in)\b|"
    r"\bthe (?:\w+est|most \w+|least \w+) one (?:of|in|on|for|around|belonging)\b"
)
_MANNERS = re.compile(
    r"[\s,;–-]*\b(?:pls|plz|please|thx|thanks|thank you)\b(?=\W*$)", re.IGNORECASE
)
_ONE_NUMBER = re.compile(
    r"How many (?!of\b)(?!.*\b(?:and|or|each|all|both|more|less|fewer|than|who|which|that|whose|not)\b)"
    r"[^,;:.?]*\?",
    re.IGNORECASE,
)
"""One plain clause that a number answers which somebody counted: it may be asked whole."""
_ADDED = re.compile(r"\b(?:in total|in all|together|combined|added|sum)\b", re.IGNORECASE)
_OF_SEVERAL = frozenset(["each", "every one", "each one", "all", "each of them"])
SEVERAL = frozenset(["count", "sum", "average", "difference", "same", "common", "any"])
"""Operators that need several things, or several values."""


STAND_INS = (
    "Hamlet", "Casablanca", "Everest", "Nokia", "Beowulf", "Sputnik", "Titanic", "Chanel",
    "Macbeth", "Volvo",
)  # fmt: skip
"""Plain names that the tagger reads in place of titles with small words in them."""


def plan_of(
    question: str,
    tagger: Planner,
    title_of: Callable[[str], str | None] = lambda name: None,
    lead_of: Callable[[str], str] = lambda title: "",
    near: Callable[[str], Sequence[str]] = lambda name: (),
) -> Decomposition:
    """Plan one question.

    The tagger's plan stands where it is sure of its marks and they leave out no name and no number;
    else the question is one step, and asserts nothing where several things were evidently asked.

    Args:
        question: in English, or in Chinese by rules; a text in another language, one of more than
            `LONGEST` characters, or one that neither can read is one step: itself.
        tagger: marks it.
        title_of: returns the title of the article that a name leads to, None where there is none:
            "Pride and Prejudice" is one name, and names typed in lower case get their capitals.
        lead_of: returns how the article of a title begins.
        near: returns titles like a text.
    """
    text = " ".join(question.split())
    if is_cjk(text):
        return chinese_steps(text) or _whole(question)
    if len(text) > LONGEST or not re.search(r"\w", text):
        return _whole(question)
    text = plainly(_MANNERS.sub("", with_apostrophes(text)))
    alone = pointed_out(text)
    question = question if alone == text else alone
    text = with_ones_named(written_out(alone))
    text = with_capitals(with_compounds(text, title_of), title_of, lead_of, near)
    plain = plain_statement(text)
    question, text = (question, text) if plain == text else (plain, plain)
    if is_one_statement(text):
        return _whole(text)

    def is_title(name: str) -> bool:
        return title_of(name) is not None

    shielded, titles = _shielded(text, is_title)
    tagged = tagger.tag(shielded)
    tagged = _of_things(tagged, tagged.marks)
    if tagged.operator == "none" and tagged.sure >= NOTHING_FROM:
        return replace(_whole(question), unread="nothing that articles could answer is asked")
    told = tagged.operator == "sum" and _ADDED.search(text) is not None
    believed = tagged.sure >= (READ_FROM if told else OPERATOR_FROM)
    operator = tagged.operator if believed else "give"
    sure = without_doubtful(tagged.marks)
    marks = completed(shielded, sure, several=operator in SEVERAL)
    marks = joined(shielded, of_single_things(shielded, marks))
    if _of_things(tagged, marks) != tagged:
        tagged = _of_things(tagged, marks)
        operator = tagged.operator
    marks = described(shielded, without_doubtful(marks), operator)
    read = for_every_member(steps_of(shielded, marks, operator))
    learned = _restored(read, question, titles)
    if asks_whether(learned):
        return replace(_whole(text), question=question)
    lost = outside(shielded, marks, read) or unasked(text, learned)
    lost = lost or unsaid(shielded, marks, learned)
    doubts = [m for m in doubtful(marks) if not _indifferent(m, shielded, marks, operator)]
    unsure = tagged.sure < READ_FROM or bool(doubts)
    unsure |= any(_is_broken(step.text) for step in learned.steps)
    unsure |= len(learned.steps) == 1 and _is_turned(text, learned.steps[0].text)
    whole = replace(_whole(text), question=question, open_ended=operator == "explain")
    if not learned.steps:
        return replace(whole, unread=_unread(whole, tagged))
    several = len(learned.steps) > 1 or bool(learned.members)
    if lost or unsure:
        reason = (
            f"the question's plan leaves out {', '.join(lost)}" if lost else "the plan is unsure"
        )
        told = operator == "count" and _ONE_NUMBER.fullmatch(text) is not None
        return replace(whole, unread=reason if several and not told else "")
    if not several:
        learned = replace(learned, steps=(_in_full(learned.steps[0]),))
    return replace(awaiting_conditions(learned), unread=_unread(learned, tagged))


def _in_full(step: Step) -> Step:
    """The only step of a plan: what is asked, and as a question where a fragment was typed."""
    role = "value" if step.role == "bridge" else step.role
    return replace(step, text=as_question(step.text), role=role)


_HOW_FAR = re.compile(r"how (?:far|close|near)\b(?!.*\b(?:than|apart)\b)", re.IGNORECASE)
"""Asks for one distance, and not for what is left of two."""


def _of_things(tagged: Tagged, marks: Sequence[Mark]) -> Tagged:
    """What was read, with an operator that goes with its things: of one nothing is computed.

    "How many people live in Oslo", "the average depth of the Mere": nothing is to be counted, but a
    number to be found, and "is it one of the nine" is asked of one.
    """
    things = [mark for mark in marks if mark.label in ("S", "M", "B")]
    sets = any(mark.label == "S" for mark in things)
    if tagged.operator in ("sum", "average") and len(things) < 2 and not sets:
        return replace(tagged, operator="give")
    if tagged.operator == "count" and (not sets or _asks_of_extreme(tagged.question, marks)):
        return replace(tagged, operator="give")
    if tagged.operator in ("same", "common") and len(things) < 2 and not sets:
        return replace(tagged, operator="give")
    if tagged.operator == "difference" and not sets and _HOW_FAR.match(tagged.question):
        return replace(tagged, operator="give")
    if tagged.operator == "any" and len(things) < 2 and not sets:
        return replace(tagged, operator="yesno")
    return tagged


def _asks_of_extreme(text: str, marks: Sequence[Mark]) -> bool:
    """Whether "how many" is asked of the one with the most: "which port has most cranes, how many"."""
    ranked = any(mark.label[0] == "K" for mark in marks)
    return ranked and re.search(r"\bhow (?:many|much)\W*$", text, re.IGNORECASE) is not None


def _indifferent(doubt: Mark, text: str, marks: Sequence[Mark], operator: Operator) -> bool:
    """Whether a pointing word leads to the same steps, whichever thing before it is meant."""
    if doubt.label[0] != "R":
        return False
    before = {mark.label[0] for mark in marks if mark.end <= doubt.start}
    if text[doubt.start : doubt.end].lower() in _OF_SEVERAL:
        # Each is not the one thing named: "Which moons did X find, and how wide is each?".
        once = {"M", "B"} - {m.label for m in marks if sum(o.label == m.label for o in marks) > 1}
        before -= once
    attributes = [text[m.start : m.end] for m in marks if m.label == "A" and m.end <= doubt.start]
    if not any(agrees(text[doubt.start : doubt.end], asked) for asked in attributes):
        before -= {"A"}
    plans = {
        tuple(
            step.text
            for step in steps_of(
                text,
                [replace(m, label=f"R{kind}") if m is doubt else m for m in marks],
                operator,
            ).steps
        )
        for kind in before & set("SMBAK")
    }
    return len(plans) == 1


def _is_broken(text: str) -> bool:
    """Whether a step is no question: cut short ("Who was the", "Did it not"), or half of one.

    "Who founded it, and in which year?" leaves its verb to be understood.
    """
    if asks_alone(text):
        return True
    said = text.rstrip("?").split()
    cut = said[-1].lower() in words.BE | words.DETERMINER | {"not"}
    # "Was founded by Ann Lee?": of nothing.
    opened = len(said) > 2 and said[0].lower() in words.BE and said[2].lower() == "by"
    return cut or opened or _HALF.search(text) is not None


def _is_turned(text: str, step: str) -> bool:
    """Whether a question for something became one whether something holds."""
    first, opening = text.split(" ", 1)[0].lower(), step.split(" ", 1)[0].lower()
    return first in words.WH and opening in words.AUXILIARY


def _shielded(text: str, is_title: Callable[[str], bool] | None) -> tuple[str, dict[str, str]]:
    """The text with titles that hold small words replaced by plain names, and what those mean."""
    protected, meanings = protect_titles(text, is_title)
    titles: dict[str, str] = {}
    free = [name for name in STAND_INS if name not in text]
    for mark, title in meanings.items():
        if not free:
            protected = protected.replace(mark, title)
            continue
        name = free.pop(0)
        titles[name] = title.strip('"“”«»《》')
        protected = protected.replace(mark, name)
    return protected, titles


def _restored(reading: Decomposition, question: str, titles: dict[str, str]) -> Decomposition:
    """The plan with the titles back in place of the names that stood for them."""

    def back(text: str) -> str:
        for name, title in titles.items():
            text = text.replace(name, title)
        return text

    steps = tuple(
        replace(step, text=back(step.text), member=back(step.member), column=back(step.column))
        for step in reading.steps
    )
    members = tuple(back(member) for member in reading.members)
    return replace(reading, question=question, steps=steps, members=members)


def _whole(question: str) -> Decomposition:
    draft = Draft(question=question)
    draft.add(as_question(without_courtesy(question)))
    return Decomposition(question=question, steps=tuple(draft.steps))


def _unread(reading: Decomposition, tagged: Tagged) -> str:
    """Say what of the question the plan leaves out, "" where it leaves out nothing."""
    alone = reading.set_step is None and not reading.members and len(reading.steps) == 1
    if alone and tagged.operator in SEVERAL:
        return "the things that the question counts or compares were not made out"
    return ""
