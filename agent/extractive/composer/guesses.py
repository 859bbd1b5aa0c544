"""How certain it is that what a less likely plan found is what its question asks.

Where the likeliest plan finds nothing, others are followed, and each has its chance to find something
else than what was asked: "Of what did he die?" for "What illness did he die of?" finds a date. A
logistic regression weighs how likely the plan was, how many came before it, what became of its steps,
whether it says the noun that the question asks for, whether a box alone tells it, and whether the
reader, asked the question as it was typed, points at what a plan of one step found
(bench/guess_certainty.py fits it).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import log

from agent.extractive.finder.facts import is_of_labels
from agent.extractive.language.stems import content_stems
from agent.extractive.language.talk import talk_in
from agent.extractive.planner.decomposition import Decomposition
from agent.extractive.planner.writer.forms import forms_of
from agent.extractive.weights.regression import probability
from agent.types import SubAnswer, SubQuestion

INTERCEPT = -0.37
WEIGHTS = {
    "before": -0.12, "score": 0.17, "answered": 2.98, "asked": 0.22, "noun_lost": -0.34, "boxed": -1.47,
    "alone": -0.13, "margin": 0.09,
}  # fmt: skip
GUESS_FROM = 0.8
"""Probability from which what a later plan found is asserted."""
LIKELY_BELOW = -4.0
"""Logarithm of a plan's probability below which the likeliest, too, is a guess."""
LEAST_SCORE, MOST_BEFORE = -8.0, 10
"""Logarithm of a plan's probability below which none is less likely, and plans before one that count."""
GUESSED = "what a less likely reading of the question finds is not sure to be what it asks"
"""Why nothing is said of it."""
_ASKED_NOUN = re.compile(
    r"(?:\b(?:what|which|whose|number of|how many|his|her|their|name of (?:the|an?))|(?<=\w)['’]s)\s+([a-z]+)\b",
    re.IGNORECASE,
)


def is_believed(
    reading: Decomposition,
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    *,
    before: int,
    margin_of: Callable[[SubAnswer], float],
) -> bool:
    """Whether what a plan found is asserted: that of a likely first plan is, as is one sentence's.

    A guess is not where a step of it failed, for want of a budget or otherwise.

    Args: as of `features_of_guess`.
    """
    if reading.by_sentence or not (before or reading.score < LIKELY_BELOW):
        return True
    if any(answer.status == "failed" for answer in _asked(sub_questions, sub_answers)):
        return False
    found = features_of_guess(
        reading, sub_questions, sub_answers, before=before, margin_of=margin_of
    )
    return probability(found, WEIGHTS, INTERCEPT) >= GUESS_FROM


def features_of_guess(
    reading: Decomposition,
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    *,
    before: int,
    margin_of: Callable[[SubAnswer], float],
) -> dict[str, float]:
    """Return what the certainty of a plan's answer rests on, by the names of `WEIGHTS`.

    Args:
        reading: the question's plan.
        sub_questions: as they were asked, filled.
        sub_answers: what became of them, and of the steps of other plans.
        before: how many other plans were tried before and gave no answer.
        margin_of: returns the reader's margin of an answer's words where it is asked the question itself.
    """
    asked = _asked(sub_questions, sub_answers)
    alone = len(asked) == 1 and asked[0].status == "answered" and len(asked[0].items) == 1
    return {
        "before": float(min(before, MOST_BEFORE)),
        "score": max(LEAST_SCORE, reading.score),
        "answered": sum(answer.status == "answered" for answer in asked) / max(1, len(asked)),
        "asked": log(max(1, len(asked))),
        "noun_lost": float(_loses_noun(reading)),
        "boxed": float(before > 0 and len(asked) == 1 and _is_boxed(asked[0])),
        "alone": float(alone),
        "margin": margin_of(asked[0]) if alone else 0.0,
    }


def _asked(
    sub_questions: Sequence[SubQuestion], sub_answers: Sequence[SubAnswer]
) -> list[SubAnswer]:
    """What became of the steps of a plan that were asked."""
    ids = {one.id for one in sub_questions if one.kind != "follow_up"}
    return [a for a in sub_answers if a.sub_question_id in ids and a.status != "not_asked"]


def _is_boxed(answer: SubAnswer) -> bool:
    """Whether a line of a box or a table tells an answer: they tell something of every kind."""
    return any(is_of_labels(one.quote) for one in answer.citations)


def _loses_noun(reading: Decomposition) -> bool:
    """Whether a plan says a noun in no form that its question asks for: "what illness", "his wife"."""
    said = set(content_stems(" ".join((*(s.text for s in reading.steps), *reading.members))))
    nouns = (noun for noun in _ASKED_NOUN.findall(reading.question) if content_stems(noun))
    talk = talk_in(reading.question)
    return any(
        not talk.intersection(content_stems(noun))
        and not any(form and said.intersection(content_stems(form)) for form in forms_of(noun))
        for noun in nouns
    )
