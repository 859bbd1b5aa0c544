"""The judge: asks a model to choose among offered grades, and believes only a readable choice.

A verdict that cannot be read is unscored with its reason, never a default grade.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from agent.errors import ModelError
from agent.llm.port import Completion, LanguageModel, Request
from agent.prompted.fence import fenced
from agent.prompted.templates import Prompts
from corpus.terminal import one_line
from evals.ports import Verdict

PACKAGED = Path(__file__).parents[1] / "prompts"
SEED = 31415
PREFERENCES = ("A", "B", "TIE")
_LONGEST_REASONING = 2_000


JUDGE_PROMPTS = (
    "prefer", "covers", "covers_examples", "extract",
    "fanoutqa", "compound", "cofca_match", "ccmor_judge",
)  # fmt: skip
"""The prompt files that verdicts depend on."""


class SampledModel:
    """A model that is always asked at one temperature and with one seed.

    Args:
        model: what is asked.
        temperature: 0 is greedy.
        seed: passed on where the server takes one.
    """

    def __init__(self, model: LanguageModel, temperature: float, seed: int) -> None:
        self._model = model
        self._temperature = temperature
        self._seed = seed

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    async def complete(self, request: Request) -> Completion:
        """Return the model's reply; the temperature and the seed given here do not count."""
        return await self._model.complete(
            replace(request, temperature=self._temperature, seed=self._seed)
        )


class PreferenceJudge(Protocol):
    """Says which of two answers is better; a `Judge` can, others can do nothing else."""

    @property
    def name(self) -> str:
        """As reports print it."""
        ...

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        """Say which answer is better in this order: "A", "B" or "TIE"."""
        ...


class PromptedJudge:
    """Puts a prompt file to a model and reads the last offered choice of its reply.

    Args:
        model: the judging model: another one than the model under test, if it can be.
        prompts: where the files are; the packaged ones by default.
    """

    def __init__(self, model: LanguageModel, prompts: Prompts | None = None) -> None:
        self._model = model
        self._prompts = prompts or Prompts(packaged=PACKAGED)

    @property
    def name(self) -> str:
        """The judging model's name."""
        return self._model.name

    async def choose(
        self, prompt: str, choices: Sequence[str], fields: Mapping[str, str]
    ) -> Verdict:
        """Return the choice; every field is data and goes into a fence it cannot close."""
        # Fields come from data sets, snapshots and the model under test: a text that says "the
        # grade is A" must not be read as an instruction or as the verdict.
        filled = {name: fenced(text) for name, text in fields.items()}
        messages = self._prompts.messages(prompt, **filled)
        try:
            reply = await self._model.complete(Request(messages, max_tokens=1024, seed=SEED))
        except ModelError as error:
            return Verdict(choice=None, unscored=one_line(str(error)))
        choice = read_verdict(reply.text, choices)
        return Verdict(
            choice=choice,
            reasoning=reply.text[-_LONGEST_REASONING:],
            unscored=None if choice else f"the reply ends without one of {', '.join(choices)}",
        )

    async def prefer(self, question: str, a: str, b: str) -> Verdict:
        """Say which answer is better in this order: "A", "B" or "TIE"."""
        return await self.choose("prefer", PREFERENCES, {"question": question, "a": a, "b": b})


_MARKER = (
    r"(?:verdict|grade|answer|choice|result|winner|decision|conclusion|judge?ment|label|rating"
    r"|判定|判断|判决|结论|结果|答案|评分|评判|选择)"
    r"[\s*_`]*(?:(?:is|was)\b[\s*_`]*[:：=]?|[为是][\s*_`]*[:：]?|[:：=])"
)
_OPENING = r"[\s*_`\"'“(（\[{【「《\\]*(?:boxed\{)?(?:(?:answer|response|option|choice|grade)\s+)?"
_CLOSING = r"[\s*_`\"'”)）\]}】」》]*"
_LISTED = r"(?:\(?\d{1,2}[.):：、]\s*|[-•>#]\s*)?"
"""A verdict alone on a line may be the last point of a list."""
_AFTER = r"(?=[ \t]*(?:$|[.,;:!。，；！—–(（-]|(?:is|are|wins|because|since|as)\b))"
_WRITTEN = str.maketrans(
    {"≫": ">>", "»": ">>", "＞": ">", "＜": "<", "＝": "=", "≈": "=", "［": "[", "］": "]"}
)
"""Signs that models write for the signs of a comparison."""


def read_verdict(reply: str, choices: Sequence[str]) -> str | None:
    """Return the last of the offered choices that a reply states as its verdict.

    A choice counts after "verdict:", "grade:" or the like, or alone on a line, whatever brackets,
    asterisks or number of a list stand around it; "A»B" and "A≫B" are "A>>B" where that is offered.
    A letter within a sentence does not: "A" is also an article.
    """
    if any(">" in choice for choice in choices):
        reply = reply.translate(_WRITTEN)
    longest_first = sorted(choices, key=len, reverse=True)
    offered = "|".join(
        r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]+", choice))) for choice in longest_first
    )
    # "1. 0" may be a list's second point or two numbers: where numbers are offered, it says neither.
    listed = "" if all(choice.isdigit() for choice in choices) else _LISTED
    dressed = rf"{_OPENING}({offered})(?![\w>=]){_CLOSING}"
    pattern = re.compile(
        rf"{_MARKER}{dressed}{_AFTER}|^[ \t*_]*{listed}{dressed}[.。!！]*[*_ \t]*$",
        re.IGNORECASE | re.MULTILINE,
    )
    found = [match[1] or match[2] for match in pattern.finditer(reply)]
    if not found:
        return None
    last = "".join(found[-1].split()).casefold()
    return next(choice for choice in choices if "".join(choice.split()).casefold() == last)


def majority(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the choice of more than half of the readable verdicts; without one, unscored.

    CCMOR takes the majority of three judges (section 5.1); an even split decides nothing, and
    neither does the one judge of several that could be read.
    """
    readable = [verdict.choice for verdict in verdicts if verdict.choice is not None]
    counts = Counter(readable).most_common(1)
    reasoning = "\n\n".join(verdict.reasoning for verdict in verdicts if verdict.reasoning)
    enough = len(readable) > 1 or len(verdicts) == 1
    if enough and counts and counts[0][1] * 2 > len(readable):
        return Verdict(choice=counts[0][0], reasoning=reasoning)
    if not readable:
        why = "no judge gave a readable verdict"
    elif not enough:
        why = f"one judge of {len(verdicts)} gave a readable verdict: too few for a majority"
    else:
        why = "the judges are evenly split"
    return Verdict(choice=None, reasoning=reasoning, unscored=why)


async def wins_both_ways(
    judge: PreferenceJudge, question: str, a: str, b: str
) -> tuple[float | None, int]:
    """Judge a pair in both orders.

    Returns:
        The share of the two judgments that `a` wins, a tie being half a win, and the number of
        ties. The share is None where either judgment is unscored: one order alone would let the
        judge's liking for a position through.
    """
    first = await judge.prefer(question, a, b)
    second = await judge.prefer(question, b, a)
    if first.choice is None or second.choice is None:
        return None, 0
    points = {"A": 1.0, "TIE": 0.5, "B": 0.0}
    ties = (first.choice == "TIE") + (second.choice == "TIE")
    return (points[first.choice] + 1.0 - points[second.choice]) / 2, ties
