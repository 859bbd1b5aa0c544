"""What a short answer says, without the marks and the account that came with it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.citations import MARK
from agent.types import Answer, SubAnswer

_LABEL = re.compile(
    r"(?:final answer|answer|最终答案|答案)[\s*_`\"]*(?::|：)[\s*_`\"]*([^\n]+)", re.IGNORECASE
)
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
            return chosen
    return ", ".join(answer.items) or " ".join(MARK.sub("", answer.text).split())


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
