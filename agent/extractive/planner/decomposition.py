"""A question as it was read: its steps, and the draft of them while it is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from agent.extractive.language.names import without_article
from agent.extractive.language.verbs import is_participle, is_person_noun
from agent.extractive.language.words import is_cjk, singular
from agent.extractive.planner.conditions import Condition

Combine = Literal["", "sum", "average", "difference", "same", "all", "any", "common"]
"""What is made of the members' values: nothing, a computed number (years, of dates), whether they
agree, whether a statement holds of all or any, or what they have in common."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One sub-question of a plan."""

    id: str
    text: str
    """May hold placeholders `{1}`."""
    depends_on: tuple[str, ...] = ()
    role: Literal["set", "bridge", "value"] = "value"
    """set: names the members; bridge: found on the way; value: part of the answer."""
    member: str = ""
    """The named thing it is about, where the question itself lists the members."""
    column: str = ""
    """The same for steps that ask the same of different members."""
    condition: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decomposition:
    """A question as it was read."""

    question: str
    steps: tuple[Step, ...]
    members: tuple[str, ...] = ()
    """The things the question itself lists."""
    counted: bool = False
    """Whether the answer is how many members meet the conditions."""
    combine: Combine = ""
    margin: bool = False
    """Whether the distance between two compared values is asked for as well."""
    of_each: bool = False
    """Whether what is asked is asked of every listed thing, whichever of them ranks first."""
    chosen: int = 0
    """How many members the question says meet its conditions, 0 where it does not say."""
    open_ended: bool = False
    """Whether it asks for an explanation rather than for facts."""
    by_sentence: bool = False
    """Whether it is the question itself, of which no plan gave an answer: one sentence may tell it."""
    unread: str = ""
    """Why the plan does not say what the question asks, "" where it does."""
    score: float = 0.0
    """The logarithm of its plan's probability, 0 where no plan was written for it."""

    @property
    def set_step(self) -> Step | None:
        """The step that names the members, where there is one."""
        return next((step for step in self.steps if step.role == "set"), None)


MEMBER = "{m}"
"""Stands for a listed member while steps are made."""


@dataclass(slots=True)
class Draft:
    """A plan while its steps are made, one after the other."""

    question: str
    steps: list[Step] = field(default_factory=list)
    members: tuple[str, ...] = ()
    stands: dict[str, str] = field(default_factory=dict)
    """The placeholder that stands for a listed member which must itself be found first."""
    set_id: str = ""

    def add(self, text: str, **details: object) -> str:
        """Add a step and return its id; one with the same text is reused.

        A text about the listed members becomes one step each; the first one's id is returned.
        """
        if MEMBER in text and self.members:
            ids = [
                self._append(
                    text.replace(MEMBER, self.stands.get(member, member)),
                    member=without_article(member),
                    column=text,
                    **details,
                )
                for member in self.members
            ]
            return ids[0]
        return self._append(text, **details)

    def _append(self, text: str, **details: object) -> str:
        text = _with_mark(text)
        for i, step in enumerate(self.steps):
            if step.text == text:
                condition = details.get("condition")
                if isinstance(condition, Condition):
                    self.steps[i] = replace(step, condition=_joined(step.condition, condition))
                return step.id
        id_ = str(len(self.steps) + 1)
        depends_on = tuple(step.id for step in self.steps if f"{{{step.id}}}" in text)
        self.steps.append(Step(id=id_, text=text, depends_on=depends_on, **details))  # type: ignore[arg-type]
        return id_


def _joined(first: Condition | None, second: Condition) -> Condition:
    """The condition of a step that is told twice: both ends of an order, else the second."""
    if first is not None and {first.kind, second.kind} == {"max", "min"}:
        return replace(first, both=True)
    return second


def _with_mark(text: str) -> str:
    text = " ".join(text.split()).rstrip(" ?.,;？。，；")
    text = _THE_ONE_WHO.sub("Who ", _WHAT_IS.sub(_who_for_persons, text))
    return text[:1].upper() + text[1:] + ("？" if is_cjk(text) else "?")


_THE_ONE_WHO = re.compile(
    r"^(?:Who|What) (?:is|was) (?:the|that) (?:man|woman|person|one|guy|lady) (?:who|that) (?=\w+ed\b|\w+ (?:the|an?)\b)",
    re.IGNORECASE,
)
"""A longer way to ask who did something."""
_WHAT_IS = re.compile(
    r"^What (is|are|was|were) (the (?:[\w-]+ )*?)([\w-]+)(?= (?:of|in|for|at|to|from|by|with|on|since|that|who|which|where)\b)",
    re.IGNORECASE,
)


def _who_for_persons(match: re.Match[str]) -> str:
    led = any(is_participle(word) for word in match[2].split()[-1:])
    who = is_person_noun(singular(match[3])) and not led
    return f"{'Who' if who else 'What'} {match[1]} {match[2]}{match[3]}"
