"""What a short answer says, without the marks and the account that came with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations import MARK
from agent.extractive.language.quantities import find_quantities, unit_of
from agent.types import Answer, SubAnswer

_LABEL = re.compile(
    r"(?:final answer|answer|最终答案|答案)[\s*_`\"]*(?::|：)[\s*_`\"]*([^\n]+)", re.IGNORECASE
)
_DIGITS = re.compile(r"[-−]?\d[\d,.]*(?<![,.])")
_UNIT_ASKED = re.compile(
    r"\b(?:in(?!\s+wh)|how many|number of)\s+(?=(\S+(?:\s+\S+){0,2}))", re.IGNORECASE
)
"""What stands where a question names a unit, three words at most."""
_TAGGED = re.compile(r"<(答案|answer)>\s*(.*?)\s*</\1>", re.DOTALL | re.IGNORECASE)


def bare_answer(answer: Answer | SubAnswer) -> str:
    """Return what an answer names, or its text without citation marks; "" where nothing was found."""
    abstained = answer.abstained if isinstance(answer, Answer) else answer.status != "answered"
    if abstained:
        return ""
    if isinstance(answer, Answer) and len(answer.items) == 1:
        # "Which is higher, A or B?" is answered "A: 2,962 m": the choice, then what it rests on.
        chosen, colon, _ = answer.items[0].partition(": ")
        if colon and chosen.casefold() in answer.question.casefold():
            return _found_for(chosen, answer) or chosen
    return ", ".join(answer.items) or " ".join(MARK.sub("", answer.text).split())


def _found_for(described: str, answer: Answer) -> str:
    """Return the name that was found for a thing that the question describes, "" where it names it.

    "Which was found earlier, the largest moon of X or Y?" is answered by the moon's name, which a
    sub-question "What is the largest moon of X?" asked for.
    """
    asked = re.compile(
        rf"(?:who|what|which)\b.*\b(?:is|was|are|were) (?:the )?{re.escape(described)}\?",
        re.IGNORECASE,
    )
    ids = {step.id for step in answer.sub_questions if asked.fullmatch(step.text.strip())}
    found = [one for one in answer.sub_answers if one.sub_question_id in ids]
    if len(found) == 1 and found[0].status == "answered" and len(found[0].items) == 1:
        return found[0].items[0]
    return ""


def without_unit(question: str, value: str) -> str:
    """Return a quantity as the number alone where the question says the unit, or it counts people.

    "What is its length in km?" is answered "1,656", and "What is its population?" "603,445": gold
    answers of data sets leave out what the question holds. Anything but one quantity stays.
    """
    number = _DIGITS.match(value)
    if number is None or [found.start for found in find_quantities(value)] != [0]:
        return value
    asked = _bare_words(" ".join(found[1] for found in _UNIT_ASKED.finditer(question)))
    rest = _bare_words(value[number.end() :])
    return number[0] if rest and all(_told(word, asked) for word in rest) else value


def _bare_words(text: str) -> list[str]:
    return [word for part in text.casefold().split() if (word := part.strip(",.;:?!"))]


def _told(word: str, asked: Sequence[str]) -> bool:
    unit = unit_of(word)
    if unit is not None and unit[0] == "people":
        return True
    same = {one for one in asked if one.rstrip("s") == word.rstrip("s")}
    return bool(same) or (unit is not None and any(unit_of(one) == unit for one in asked))


def stated_answer(reply: str) -> str:
    """Return what a model's reply states as its answer: the last one between tags or after "Answer:".

    A reply without either is the answer as a whole: prompts ask for the form, but a short reply
    that misses it is not wrong for that.
    """
    tagged = _TAGGED.findall(reply)
    if tagged:
        return str(tagged[-1][1])
    labelled = _LABEL.findall(reply)
    return _trimmed(labelled[-1]) if labelled else " ".join(reply.split())


def numbered_answers(reply: str, count: int) -> list[str]:
    """Return the answers that a reply states as "Answer 1: …" to "Answer n: …"; "" where one lacks."""
    return [_stated(reply, number) for number in range(1, count + 1)]


def _stated(reply: str, number: int) -> str:
    found: Sequence[str] = re.findall(
        rf"^[\W_]*answer\s+{number}[\s*_`]*[:：]\s*(.+)$", reply, re.IGNORECASE | re.MULTILINE
    )
    return _trimmed(found[-1]) if found else ""


def _trimmed(text: str) -> str:
    dressing = ' \t*_`"{}'
    return text.strip(dressing).removesuffix(".").strip(dressing)
