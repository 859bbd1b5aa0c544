"""When the structure of a plan, or of what it found, says that there is no answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.extractive.language.stems import content_stems, related
from agent.extractive.language.talk import talk_in
from agent.extractive.planner.conditions import bound_words
from agent.extractive.planner.decomposition import Decomposition
from agent.reasoner import Composed
from agent.types import SubAnswer, SubQuestion
from retrieval.types import Hit

SAID_FROM = 0.5
"""Share of a question's words that its evidence and its values must hold together."""
SURE_FROM = 0.33
"""The same where something is computed, counted or chosen of values that are all sure: the rest of the
words says what."""
AT_ONCE = (
    "its steps were asked all at once, before the first was answered, so that nothing was asked of "
    "what was found"
)

_WHETHER = re.compile(r"(?:is|are|was|were|does|did|has|have|had|do(?! you| we)) ", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:or|who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
"""Words by which something else than yes or no is asked."""
_OR_NOT = re.compile(r"\bor (?:not|no)\b", re.IGNORECASE)
_OF_ALL = frozenset(["sum", "average", "difference", "same", "common"])
"""What is made of every value: nothing, where one lacks."""
_RULED = re.compile(r"\b(?:Yes|No)\b")


def refusal(
    reading: Decomposition,
    sub_questions: Sequence[SubQuestion],
    sub_answers: Sequence[SubAnswer],
    hits: Sequence[Hit],
) -> str:
    """Say why nothing should be asserted, "" where the structure speaks for the answer.

    Args:
        reading: the question's plan.
        sub_questions: as they were asked, filled.
        sub_answers: what became of them.
        hits: the chunks that the answers may cite.
    """
    if reading.unread:
        return reading.unread
    answered = [answer for answer in sub_answers if answer.status == "answered"]
    roles = {step.id: step.role for step in reading.steps}
    asked = {
        question.id: roles.get(question.id.partition(".")[0], "value") for question in sub_questions
    }
    final = [answer for answer in answered if asked.get(answer.sub_question_id) != "bridge"]
    valued = any(role == "value" for role in roles.values())
    if not final:
        unsure = any(
            answer.status == "unsure" and asked.get(answer.sub_question_id) != "bridge"
            for answer in sub_answers
        )
        hangs = "what the question hangs on was not found"
        return "what was found is not sure to answer" if unsure else hangs
    if not reading.set_step and not reading.members and _only_judged(reading.question, final):
        return "what the question takes for granted was judged, what it asks was not found"
    if valued and not reading.counted and not any(
        asked.get(answer.sub_question_id) == "value" for answer in answered
    ):  # fmt: skip
        return "the members were found, nothing of what is asked of them"
    lacking = ("unsure", "not_found", "failed") if reading.combine in _OF_ALL else ("unsure",)
    if reading.combine and any(
        answer.status in lacking and asked.get(answer.sub_question_id) == "value"
        for answer in sub_answers
    ):
        return "a value that is to be compared or computed with is unsure, or was not found"
    bounds = {step.condition.against for step in reading.steps if step.condition is not None}
    if not reading.set_step and not reading.members and any(
        answer.sub_question_id in bounds and answer.status != "answered" for answer in sub_answers
    ):  # fmt: skip
        return "what is to be compared with was not found, or is unsure"
    cited = {citation.chunk_id for answer in answered for citation in answer.citations}
    held: set[str] = set()
    for hit in hits:
        if hit.chunk.id in cited:
            about = (hit.chunk.revision.title, hit.chunk.section, hit.chunk.text)
            held.update(content_stems(" ".join(about)))
    texts = {question.id: question.text for question in sub_questions}
    for answer in answered:
        held.update(content_stems(" ".join(answer.items)))
        if any(citation.support == "supported" for citation in answer.citations):
            # Its quote was checked for what the step asks, in these words or in a label's.
            held.update(content_stems(texts.get(answer.sub_question_id, "")))
    wanted = frozenset(content_stems(reading.question))
    all_sure = all(answer.status == "answered" for answer in sub_answers)
    if all_sure:
        planned = content_stems(" ".join(step.text for step in reading.steps))
        wanted -= talk_in(reading.question) - frozenset(planned)
    conditions = [step.condition for step in reading.steps if step.condition is not None]
    if any(condition.kind in ("number", "date") for condition in conditions):
        # Values are held against a bound, and need not say it.
        wanted -= bound_words(reading.question)
    ranked = any(condition.kind in ("max", "min") for condition in conditions)
    made = reading.combine or reading.counted or reading.margin or ranked
    if not _says(wanted, frozenset(held), SURE_FROM if made and all_sure else SAID_FROM):
        return "most of what the question says is not in what was found"
    return ""


def _asks_which(question: str) -> bool:
    """Whether something else than yes or no is asked; "or not" offers no choice."""
    return _CHOICE.search(_OR_NOT.sub(" ", question)) is not None


def _only_judged(question: str, final: Sequence[SubAnswer]) -> bool:
    """Whether a question for something else than yes or no got nothing but these."""
    asks = _WHETHER.match(question) is None and _asks_which(question)
    return asks and all(answer.items in (("Yes",), ("No",)) for answer in final)


def unruled(question: str, text: str) -> str:
    """Say that an answer neither affirms nor denies what a question asks to be judged, "" else."""
    asks = _WHETHER.match(question) is not None and not _asks_which(question)
    if not asks or _RULED.search(text):
        return ""
    return "the question asks whether something holds, and no step settles it"


def off_topic(question: str, hits: Sequence[Hit]) -> bool:
    """Whether no passage alone holds half of the words of a question that it is quoted for."""
    wanted = frozenset(content_stems(question))
    texts = (f"{h.chunk.revision.title} {h.chunk.section} {h.chunk.text}" for h in hits)
    return not any(_says(wanted, frozenset(content_stems(text))) for text in texts)


def _says(wanted: frozenset[str], held: frozenset[str], least: float = SAID_FROM) -> bool:
    return sum(one in held or related(one, held) for one in wanted) >= least * len(wanted)


def explained(
    composed: Composed, sub_questions: Sequence[SubQuestion], answers: Mapping[str, SubAnswer]
) -> Composed:
    """Say where an answer is withheld for want of what a strategy that asks all at once never asked.

    What hangs on an unsure answer is asked in words wherever steps are asked in turn, too.
    """
    unasked = any(
        items and not any(item in question.text for item in items)
        for question in sub_questions
        if question.id in answers and answers[question.id].status != "not_asked"
        for other in question.depends_on
        if other in answers and answers[other].status == "answered"
        for items in [answers[other].items]
    )
    return replace(composed, withheld=AT_ONCE) if composed.withheld and unasked else composed
