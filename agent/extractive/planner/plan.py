"""A question's plans: its steps as the writer writes them, the likeliest first, or the question whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from agent.extractive.language.stems import words_of
from agent.extractive.language.talk import OF_A_THING
from agent.extractive.language.words import is_cjk
from agent.extractive.planner.casing import (
    with_capitals,
    with_compounds,
    with_plain_beginning,
    with_whole_names,
)
from agent.extractive.planner.chinese import chinese_steps
from agent.extractive.planner.decomposition import Decomposition, Draft
from agent.extractive.planner.editions import with_editions
from agent.extractive.planner.losses import (
    in_full,
    loses_asked,
    loses_exception,
    loses_kin,
    loses_topic,
    names_said,
)
from agent.extractive.planner.prizes import with_prizes
from agent.extractive.planner.wording import other_wordings, plainly, spelt_out
from agent.extractive.planner.writer.forms import words_in
from agent.extractive.planner.writer.model import LOST, Planner, Written, left_out
from agent.extractive.planner.writer.program import STEPLESS
from agent.extractive.planner.writer.steps import reading_of

LONGEST = 1500
"""Characters of a question that is planned; a longer text is one step: itself."""
LIKELY = -7.5
"""Logarithm of a plan's probability from which it stands."""
MOST_PLANS = 8
"""Plans of a question that are tried, one after the other, until one gives an answer."""
LIKELY_REWORDED, MOST_REWORDED = -5.0, 6
"""The same for plans of the question in other wordings."""
NOTHING = -0.25
"""The same for that nothing is asked."""
_LOSSES = (loses_asked, loses_topic, loses_exception, loses_kin)
"""What no plan may leave out."""
SEVERAL = frozenset(["count", "sum", "average", "difference", "same", "common", "any"])
"""Operators that need several things, or several values: of one nothing is computed."""


def plans_of(
    question: str,
    planner: Planner,
    title_of: Callable[[str], str | None] = lambda name: None,
    lead_of: Callable[[str], str] = lambda title: "",
    near: Callable[[str], Sequence[str]] = lambda name: (),
) -> tuple[Decomposition, ...]:
    """Plan one question: the likeliest plans, which ask different things.

    Where none is likely enough the question is one step, which a sentence alone may answer where
    several things were evidently asked.

    Args:
        question: in English, or in Chinese by rules; a text in another language, one of more than
            `LONGEST` characters, one that only repeats itself, or one that neither can read is one
            step: itself.
        planner: writes the steps.
        title_of: returns the title of the article that a name leads to, None where there is none:
            names typed in lower case get their capitals.
        lead_of: returns how the article of a title begins.
        near: returns titles like a text.
    """
    text = " ".join(question.split())
    if is_cjk(text):
        return (chinese_steps(text) or whole_question(question),)
    if not _may_be_planned(text):
        return (whole_question(question),)
    text = _written_out(spelt_out(text), title_of, lead_of, near)
    plans = planner.write(text)
    best = plans[0] if plans else Written("give", (), -99.0)
    if best.operator == "none":
        unread = "nothing that articles could answer is asked" if best.score >= NOTHING else ""
        return (replace(whole_question(question), unread=unread),)
    if best.operator == "explain" and not OF_A_THING.match(text):
        return (replace(whole_question(question), open_ended=True),)
    likely = [plan for plan in plans if plan.score >= LIKELY and plan.operator not in STEPLESS]
    told = best.operator == "count"
    readings = _readings(question, text, best, likely, (), told=told)[:MOST_PLANS]
    several = len(best.lines) != 1 or best.lines[0].kind != "ask"
    whole = replace(whole_question(question), by_sentence=several)
    return tuple(readings) or (whole,)


def reworded_plans_of(
    question: str,
    known: Sequence[Decomposition],
    planner: Planner,
    title_of: Callable[[str], str | None] = lambda name: None,
    lead_of: Callable[[str], str] = lambda title: "",
    near: Callable[[str], Sequence[str]] = lambda name: (),
) -> tuple[Decomposition, ...]:
    """Plan one question in other wordings, where none of its plans gave an answer.

    A planner that learned from examples hangs on where a sentence stands and how a question begins.

    Args: as of `plans_of`, and `known`: the plans that it has, of which none is made again.
    """
    typed = " ".join(question.split())
    asks = not known[0].open_ended and not known[0].unread
    if is_cjk(typed) or not _may_be_planned(typed) or not asks:
        return ()
    full = spelt_out(typed)
    text = _written_out(full, title_of, lead_of, near)
    wordings = other_wordings(text)
    if full != typed:
        wordings.append(_written_out(typed, title_of, lead_of, near))
    found: list[Decomposition] = []
    # What names a thing otherwise says other names than the likeliest plan of the question does.
    renamed = with_editions(text, near, lead_of)
    asked = {renamed: [renamed], text: wordings}
    for said, ways in asked.items():
        best = next(iter(planner.write(said)), None)
        if best is not None:
            likely = _likely_of(said, ways, planner)
            found += _readings(question, said, best, likely, [*known, *found], told=False)
    return tuple(found[:MOST_REWORDED])


def _likely_of(text: str, wordings: Sequence[str], planner: Planner) -> list[Written]:
    """The likely plans of some wordings of a text, those that leave out fewest of its words first."""
    words = words_in(text)
    return sorted(
        (
            plan
            for wording in wordings
            for plan in planner.write(wording)
            if plan.score >= LIKELY_REWORDED and plan.operator not in STEPLESS
        ),
        key=lambda plan: LOST * left_out(words, plan) - plan.score,
    )


def _may_be_planned(text: str) -> bool:
    return len(text) <= LONGEST and re.search(r"\w", text) is not None and not _repeats(text)


def _written_out(
    text: str,
    title_of: Callable[[str], str | None],
    lead_of: Callable[[str], str],
    near: Callable[[str], Sequence[str]],
) -> str:
    """A question with its names as titles are written, and put as most people put it."""
    text = with_plain_beginning(text, title_of, lead_of)
    text = with_capitals(with_compounds(text, title_of), title_of, lead_of, near)
    text = with_whole_names(text, title_of, lead_of, near)
    return with_prizes(plainly(text, title_of), near)


def _readings(
    question: str,
    text: str,
    best: Written,
    likely: Sequence[Written],
    known: Sequence[Decomposition],
    *,
    told: bool,
) -> list[Decomposition]:
    """The plans that can be run, lose nothing that another says, and ask something new.

    Args:
        question: as asked.
        text: the question as it was planned.
        best: the likeliest plan.
        likely: plans, the likeliest first.
        known: plans that are there already.
        told: whether what could not be counted may be told as a number.
    """
    asked = {frozenset(step.text for step in reading.steps) for reading in known}
    named = names_said(text, best)
    readings = []
    for plan in in_full(text, likely):
        if named > names_said(text, plan):
            continue  # who was killed in Vienna is not who the plague killed there
        if any(loses(text, plan) for loses in _LOSSES):
            continue  # who found it besides Herschel is not whether he did, nor his wife himself
        reading = _read(question, plan)
        if reading is None or (steps := frozenset(step.text for step in reading.steps)) in asked:
            continue
        # Where several steps found nothing, one with all their words in it is a guess.
        alone = len(steps) == 1 and not any(len(texts) == 1 for texts in asked)
        as_number = told and plan.lines[0].said.startswith("How many ")
        if not alone or not asked or as_number:
            asked.add(steps)
            readings.append(reading)
    return readings


SPOKEN, REPEATED = 60, 4
"""Words from which a text that says each of its words so often, on average, is no question to plan."""


def _repeats(text: str) -> bool:
    words = words_of(text.lower())
    return len(words) > SPOKEN and len(words) > REPEATED * len(set(words))


_ADDING = re.compile(
    r"\badd(?:ing)?\b(?! up\b)[^.?!]*\b(?:each|every)\b|\btogether with\b", re.IGNORECASE
)
"""What is to be told besides: "and add for every lake how deep it is", "together with its depth"."""
_SUMMED = re.compile(
    r"\b(?:total|sum|together(?! with)|altogether|combined|in all|overall|all told|add\w* up)\b",
    re.IGNORECASE,
)


_OF_EACH = re.compile(r"\beach\b", re.IGNORECASE)
_ALIKE = re.compile(
    r"\b(?:same|one|equal\w*|identical\w*|alike|shar\w+|common|differ\w*|match\w*|coincid\w*|agree\w*)\b",
    re.IGNORECASE,
)
"""Words without which no question of 826 that the writer learned asks whether things of each agree."""


def _read(question: str, plan: Written) -> Decomposition | None:
    if plan.operator == "same" and _OF_EACH.search(question) and not _ALIKE.search(question):
        return None  # "does each flow in a single country" holds of each, in whatever country
    if plan.operator == "count" and plan.lines and plan.lines[-1].kind in ("most", "least"):
        return None  # there is one that is the most, however many are more than another
    alone = len(plan.lines) == 1 and plan.lines[0].kind == "ask"
    told = plan.operator == "sum" and _ADDING.search(question) and not _SUMMED.search(question)
    operator = "give" if told or (alone and plan.operator in SEVERAL) else plan.operator
    if operator == "sum" and not any(line.kind == "ask" for line in plan.lines):
        operator = "count"  # the total of a set of which nothing is asked is how many there are
    reading = reading_of(question, operator, plan.lines)
    return reading and replace(reading, score=plan.score)


def whole_question(question: str) -> Decomposition:
    """Return the plan with one step: the question itself."""
    draft = Draft(question=question)
    draft.add(question)
    return Decomposition(question=question, steps=tuple(draft.steps))


def whole_text(question: str) -> str:
    """Return a question as it is written as a step."""
    return whole_question(question).steps[0].text
